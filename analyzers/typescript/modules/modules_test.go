package modules

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
)

// A case file is a tree, with what to ask in its comment: lines that start with
// ">" are questions and answers, the others say why. A file named in a line
// "unlisted: PATH…" is in the context and not in the audit.
type caseFile struct {
	lines    []string
	view     fstest.MapFS
	listed   []string
	unlisted []string
}

func readCase(t *testing.T, name string) caseFile {
	t.Helper()
	archive, err := txtar.ParseFile(name)
	if err != nil {
		t.Fatal(err)
	}
	c := caseFile{view: fstest.MapFS{}}
	for line := range strings.Lines(string(archive.Comment)) {
		line = strings.TrimSpace(line)
		if rest, ok := strings.CutPrefix(line, "unlisted:"); ok {
			c.unlisted = append(c.unlisted, strings.Fields(rest)...)
		}
		if rest, ok := strings.CutPrefix(line, ">"); ok {
			c.lines = append(c.lines, strings.TrimSpace(rest))
		}
	}
	for _, f := range archive.Files {
		c.view[f.Name] = &fstest.MapFile{Data: f.Data}
		if isSource(f.Name) && !slices.Contains(c.unlisted, f.Name) {
			c.listed = append(c.listed, f.Name)
		}
	}
	return c
}

func show(r Resolution) string {
	switch r.Kind {
	case Unit, Asset, Declaration:
		return r.Kind.String() + " " + r.File
	case External:
		out := "external " + r.Package
		if r.Subpath != "" {
			out += " + " + r.Subpath
		}
		if r.Registry != "" {
			out += " from " + r.Registry
		}
		if r.Version != "" {
			out += " at " + r.Version
		}
		return out
	}
	return "unresolved: " + r.Reason
}

func TestResolve(t *testing.T) {
	for _, name := range caseFiles(t, "testdata/resolve/*.txtar") {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			c := readCase(t, name)
			r, problems := New(c.view, c.listed)
			asked := 0
			var wantProblems, wantRanges []string
			for _, line := range c.lines {
				if rest, ok := strings.CutPrefix(line, "problem "); ok {
					wantProblems = append(wantProblems, rest)
					continue
				}
				question, want, ok := strings.Cut(line, " => ")
				if !ok {
					t.Fatalf("no answer in %q", line)
				}
				asked++
				if rest, ok := strings.CutPrefix(question, "range "); ok {
					file, pkg, _ := strings.Cut(rest, " ")
					got, ok := r.Dependency(file, pkg)
					if !ok {
						got = "none"
					}
					wantRanges = append(wantRanges, want)
					if got != want {
						t.Errorf("range of %s in %s = %q, want %q", pkg, file, got, want)
					}
					continue
				}
				from, spec, ok := strings.Cut(question, " ")
				if !ok {
					t.Fatalf("no specifier in %q", line)
				}
				if got := show(r.Resolve(from, spec)); got != want && !(strings.HasSuffix(want, "…") && strings.HasPrefix(got, strings.TrimSuffix(want, "…"))) {
					t.Errorf("%s imports %s: %s\nwant %s", from, spec, got, want)
				}
			}
			if asked == 0 {
				t.Error("the case asks nothing")
			}
			if diff := cmp.Diff(wantProblems, showProblems(problems)); diff != "" {
				t.Errorf("problems differ (-want +got):\n%s", diff)
			}
		})
	}
}

func TestEntryPoints(t *testing.T) {
	for _, name := range caseFiles(t, "testdata/entries/*.txtar") {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			c := readCase(t, name)
			r, _ := New(c.view, c.listed)
			var got []string
			for _, e := range r.EntryPoints() {
				line := fmt.Sprintf("%s %s = %s at %s:%d", e.Kind, e.Name, e.Unit, e.File, e.Line)
				got = append(got, strings.Join(strings.Fields(line), " "))
			}
			for _, p := range showProblems(r.Problems()) {
				got = append(got, "problem "+p)
			}
			if diff := cmp.Diff(c.lines, got); diff != "" {
				t.Errorf("entries differ (-want +got):\n%s", diff)
			}
		})
	}
}

func showProblems(problems []Problem) []string {
	var out []string
	for _, p := range problems {
		out = append(out, fmt.Sprintf("%s:%d: %s: %s", p.File, p.Line, p.Kind, p.Message))
	}
	return out
}

func caseFiles(t *testing.T, glob string) []string {
	t.Helper()
	names, err := filepath.Glob(glob)
	if err != nil || len(names) == 0 {
		t.Fatalf("no cases in %s: %v", glob, err)
	}
	return names
}

// TestConcurrentUse asks the same from many goroutines and expects one answer.
func TestConcurrentUse(t *testing.T) {
	c := readCase(t, "testdata/resolve/workspaces.txtar")
	r, _ := New(c.view, c.listed)
	answers := make([][]string, 8)
	var wait sync.WaitGroup
	for i := range answers {
		wait.Go(func() {
			for _, line := range c.lines {
				question, _, _ := strings.Cut(line, " => ")
				from, spec, _ := strings.Cut(question, " ")
				answers[i] = append(answers[i], show(r.Resolve(from, spec)))
			}
			r.EntryPoints()
		})
	}
	wait.Wait()
	for _, a := range answers[1:] {
		if diff := cmp.Diff(answers[0], a); diff != "" {
			t.Fatalf("two goroutines got different answers:\n%s", diff)
		}
	}
}
