package discover

import (
	"bytes"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func sorted(in []string) []string {
	out := slices.Clone(in)
	slices.Sort(out)
	return out
}

// nested is a tree whose ignore files use what gitignore(5) describes.
const nested = `
-- .git/info/exclude --
private.ts
-- .gitignore --
# comment
/generated
*.log.ts
out*/
!outline/
deep/**
a/**/z.ts
**/foo/bar.ts
name with space.ts
trailing.ts   
[!a]x.ts
\#hash.ts
\!bang.ts
{brace}.ts
/only-here.ts
docs/*.ts
crlf.ts
-- private.ts --
-- generated/x.ts --
-- sub/generated/x.ts --
-- a.log.ts --
-- output/x.ts --
-- outline/x.ts --
-- deep/x.ts --
-- a/z.ts --
-- a/b/c/z.ts --
-- a/b/c/y.ts --
-- foo/x/foo/bar.ts --
-- foo/baz.ts --
-- name with space.ts --
-- trailing.ts --
-- ax.ts --
-- bx.ts --
-- #hash.ts --
-- !bang.ts --
-- {brace}.ts --
-- brace.ts --
-- only-here.ts --
-- sub/only-here.ts --
-- docs/a.ts --
-- docs/sub/a.ts --
-- crlf.ts --
-- sub/.gitignore --
!private.ts
*.gen.ts
/keep/*
!/keep/kept.ts
-- sub/private.ts --
-- sub/x.gen.ts --
-- sub/keep/kept.ts --
-- sub/keep/lost.ts --
-- white/.gitignore --
*
!*/
!*.go
-- white/a.ts --
-- white/a.go --
-- white/deep/b.go --
-- white/deep/b.ts --
`

func TestNestedIgnoreFiles(t *testing.T) {
	view := tree(nested)
	view[".gitignore"].Data = bytes.ReplaceAll(view[".gitignore"].Data, []byte("crlf.ts\n"), []byte("crlf.ts\r\n"))
	r, err := Files(view, ".", Options{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range r.Files {
		got = append(got, f.Path)
	}
	want := []string{"a/b/c/y.ts", "ax.ts", "brace.ts", "docs/sub/a.ts", "foo/baz.ts", "outline/x.ts", "sub/generated/x.ts",
		"sub/keep/kept.ts", "sub/only-here.ts", "sub/private.ts", "white/a.go", "white/deep/b.go"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("listing differs (-want +got):\n%s", diff)
	}
	rows := map[string]Reason{}
	for _, s := range r.Skipped {
		rows[s.File] = s.Reason
	}
	for _, name := range []string{"generated/", "output/", "private.ts", "deep/x.ts", "sub/keep/lost.ts"} {
		if rows[name] != Ignored {
			t.Errorf("%s: reason %q, want %q", name, rows[name], Ignored)
		}
	}
}

// TestAgainstGit compares the listing with that of git itself, before and after
// an ignored file is tracked.
func TestAgainstGit(t *testing.T) {
	git, err := exec.LookPath("git")
	if err != nil {
		t.Skip("no git on this machine")
	}
	root := t.TempDir()
	run := func(args ...string) string {
		cmd := exec.Command(git, args...)
		cmd.Dir = root
		cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
		return string(out)
	}
	run("init", "-q")
	for name, f := range tree(nested) {
		write(t, filepath.Join(root, filepath.FromSlash(name)), string(f.Data))
	}
	compare := func() {
		t.Helper()
		var want []string
		for name := range strings.SplitSeq(run("ls-files", "-z", "--cached", "--others", "--exclude-standard"), "\x00") {
			if LanguageOf(name) != "" {
				want = append(want, name)
			}
		}
		view, err := Open(root)
		if err != nil {
			t.Fatal(err)
		}
		defer view.Close()
		r, err := Files(view, ".", Options{})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, f := range r.Files {
			got = append(got, f.Path)
		}
		if diff := cmp.Diff(sorted(want), sorted(got)); diff != "" {
			t.Errorf("listing differs from git (-git +here):\n%s", diff)
		}
	}
	compare()
	run("add", "-f", "generated/x.ts", "deep/x.ts", "sub/x.gen.ts", "ax.ts")
	compare()
}

func TestPathInsideIgnoredDirectory(t *testing.T) {
	view := tree(`
-- .git/HEAD --
-- .gitignore --
tmp
*.gen.ts
-- tmp/work/a.ts --
-- tmp/work/.gitignore --
b.ts
-- tmp/work/b.ts --
`)
	r, err := Files(view, "tmp/work", Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"tmp/work/a.ts", "- tmp/work/b.ts: ignored by git"}
	if diff := cmp.Diff(want, show(r)); diff != "" {
		t.Errorf("listing differs (-want +got):\n%s", diff)
	}
}

func FuzzIgnore(f *testing.F) {
	f.Add("*.ts\n!a.ts\n", "sub/a.ts")
	f.Add("/x/**/y/\n", "x/y")
	f.Add("[z-a]\n\\", "z")
	f.Add("{a,b}**c", "ab/c")
	f.Fuzz(func(t *testing.T, text, name string) {
		if !fs.ValidPath(name) {
			return
		}
		rules := parseIgnore([]byte(text), ".")
		ignored(rules, name, true)
		ignored(rules, name, false)
	})
}

func FuzzIndex(f *testing.F) {
	f.Add([]byte("DIRC\x00\x00\x00\x02\x00\x00\x00\x01"))
	f.Add([]byte("DIRC\x00\x00\x00\x04\x00\x00\x00\x00"))
	f.Fuzz(func(t *testing.T, text []byte) {
		if tr := decodeIndex(text); tr != nil && !tr.dirs["."] {
			t.Error("a readable index has no root")
		}
	})
}
