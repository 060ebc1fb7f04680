package reports

import (
	"bufio"
	"io"
	"strings"

	"github.com/retrysafe/retrysafe/analyzers/lazyregexp"
)

var (
	pageLink  = lazyregexp.New(`\[([^\]]+)\]\([^)]+\)`)
	pageBold  = lazyregexp.New(`\*\*([^*]+)\*\*`)
	pageTitle = lazyregexp.New(`^#+ +`)
)

// Page writes a markdown page for a terminal: headings and bold text stand out, code is indented, links are their text. It knows as much of
// markdown as the pages about rules use.
func Page(w io.Writer, markdown string, p *Palette) error {
	out := bufio.NewWriter(w)
	code := false
	for line := range strings.Lines(markdown) {
		line = strings.TrimRight(line, "\n")
		switch {
		case strings.HasPrefix(line, "```"):
			code = !code
			continue
		case code && strings.Contains(line, "// <- "):
			before, mark, _ := strings.Cut(line, "// <- ")
			line = "    " + before + p.bad.Sprint("// <- "+mark)
		case code:
			line = strings.TrimRight("    "+line, " ")
		case pageTitle.MatchString(line):
			line = p.strong.Sprint(pageTitle.ReplaceAllString(line, ""))
		default:
			line = pageLink.ReplaceAllString(line, "$1")
			line = pageBold.ReplaceAllStringFunc(line, func(s string) string { return p.strong.Sprint(strings.Trim(s, "*")) })
		}
		out.WriteString(line + "\n")
	}
	return out.Flush()
}
