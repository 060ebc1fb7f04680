// Package docs holds a page about every rule, written from the rule itself and from the stories that test it, so that no example is
// one that the rule does not report.
//
// The pages are generated: `go run . dev docs` in the module's root writes them.
package docs

import "embed"

//go:embed *.md
var pages embed.FS

// Page gives the markdown page of a rule, false where none was generated.
func Page(rule string) (string, bool) {
	text, err := pages.ReadFile(rule + ".md")
	return string(text), err == nil
}
