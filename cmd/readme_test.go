package cmd_test

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/retrysafe/retrysafe/cmd"
	"github.com/retrysafe/retrysafe/rules/docs"
)

// generated matches a part of the README that a command writes.
var generated = regexp.MustCompile(`(?s)(<!-- generated: ([^\n]+) -->\n).*?(<!-- end -->)`)

// TestReadme regenerates what the README shows of the program.
func TestReadme(t *testing.T) {
	t.Setenv("NO_COLOR", "1")
	t.Chdir("..")
	old, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	parts := 0
	now := generated.ReplaceAllStringFunc(string(old), func(part string) string {
		parts++
		m := generated.FindStringSubmatch(part)
		return m[1] + readmePart(t, m[2]) + m[3]
	})
	if n := strings.Count(string(old), "<!-- generated:"); n != parts || n == 0 {
		t.Errorf("%d parts begin, %d are complete", n, parts)
	}
	if *update {
		if err := os.WriteFile("README.md", []byte(now), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(string(old), now); diff != "" {
		t.Errorf("README.md is not current; `go test ./cmd -run TestReadme -update` repairs it (-old +new):\n%s", diff)
	}
}

func readmePart(t *testing.T, what string) string {
	if what == "rules" {
		return docs.Table("rules/docs/")
	}
	if name, ok := strings.CutPrefix(what, "file "); ok {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		return "```" + strings.TrimPrefix(filepath.Ext(name), ".") + "\n" + strings.TrimRight(string(text), "\n") + "\n```\n"
	}
	args, ok := strings.CutPrefix(what, "retrysafe ")
	if !ok {
		t.Fatalf("nobody writes %q", what)
	}
	var out, errs bytes.Buffer
	if code := cmd.Main(strings.Fields(args), strings.NewReader(""), &out, &errs); code > 1 {
		t.Fatalf("%s ends with %d: %s", what, code, &errs)
	}
	return "```text\n" + strings.TrimRight(out.String(), "\n") + "\n```\n"
}

// TestRulePages makes sure that the pages about the rules are those that the rules and their stories give.
func TestRulePages(t *testing.T) {
	pages, err := docs.Generate(os.DirFS(filepath.Join("..", "testdata", "rules")))
	if err != nil {
		t.Fatal(err)
	}
	folder := filepath.Join("..", "rules", "docs")
	files, err := filepath.Glob(filepath.Join(folder, "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	const repair = "`go run . dev docs` repairs it"
	for _, file := range files {
		if _, ok := pages[filepath.Base(file)]; !ok {
			t.Errorf("%s belongs to no rule; %s", file, repair)
		}
	}
	for name, want := range pages {
		got, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			t.Errorf("%v; %s", err, repair)
			continue
		}
		if diff := cmp.Diff(string(got), want); diff != "" {
			t.Errorf("rules/docs/%s is not current; %s (-old +new):\n%s", name, repair, diff)
		}
	}
}
