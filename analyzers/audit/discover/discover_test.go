package discover

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
)

// tree makes a view of a txtar text.
func tree(text string) fstest.MapFS {
	view := fstest.MapFS{}
	for _, f := range txtar.Parse([]byte(text)).Files {
		view[f.Name] = &fstest.MapFile{Data: f.Data}
	}
	return view
}

// files makes a view of empty files.
func files(names ...string) fstest.MapFS {
	view := fstest.MapFS{}
	for _, n := range names {
		view[n] = &fstest.MapFile{Data: []byte("x\n")}
	}
	return view
}

// show renders a result: one line a file, then one a skipped row.
func show(r *Result) []string {
	var out []string
	for _, f := range r.Files {
		out = append(out, f.Path)
	}
	for _, s := range r.Skipped {
		out = append(out, fmt.Sprintf("- %s: %s", s.File, s.Reason))
	}
	for _, u := range r.Unsupported {
		out = append(out, fmt.Sprintf("? %s: %s", u.File, u.Language))
	}
	if r.Limit != "" {
		out = append(out, "! "+r.Limit)
	}
	return out
}

func TestFiles(t *testing.T) {
	long := strings.Repeat("a=1;", longLine/4+1)
	cases := []struct {
		name string
		view fstest.MapFS
		path string
		opts Options
		want []string
	}{{
		name: "languages by extension",
		view: files("a.ts", "b.tsx", "c.mts", "d.cts", "e.js", "f.jsx", "g.mjs", "h.cjs", "i.go", "j.json", "k.d.ts", "l.d.mts", "README.md"),
		want: []string{"a.ts", "b.tsx", "c.mts", "d.cts", "e.js", "f.jsx", "g.mjs", "h.cjs", "i.go",
			"- k.d.ts: declaration file", "- l.d.mts: declaration file"},
	}, {
		name: "dependencies",
		view: files("package.json", "src/a.ts", "node_modules/x/index.js", "packages/p/node_modules/y/index.js", "vendor/z/z.js"),
		want: []string{"src/a.ts", "- node_modules/: installed dependency", "- packages/p/node_modules/: installed dependency", "- vendor/: vendored dependency"},
	}, {
		name: "a folder called vendor may be about vendors",
		view: files("package.json", "src/vendor/create.ts", "pkg/vendor/modules.txt", "pkg/vendor/x/x.go"),
		want: []string{"src/vendor/create.ts", "- pkg/vendor/: vendored dependency"},
	}, {
		name: "build output of a package with source",
		view: files("package.json", "src/a.ts", "dist/a.js", "dist/a.d.ts", "build/b.js", "out/c.js", ".next/server/d.js", "coverage/e.js"),
		want: []string{"src/a.ts", "- .next/: build output", "- build/: build output", "- coverage/: build output", "- dist/: build output", "- out/: build output"},
	}, {
		name: "build output of a package without source",
		view: files("package.json", "tsup.config.ts", "dist/a.js", "dist/a.d.ts"),
		want: []string{"dist/a.js", "tsup.config.ts"},
	}, {
		name: "each package is judged by its own source",
		view: files("package.json", "a/package.json", "a/src/x.ts", "a/dist/x.js", "b/package.json", "b/dist/y.js"),
		want: []string{"a/src/x.ts", "b/dist/y.js", "- a/dist/: build output"},
	}, {
		name: "typescript and go in a folder called build are source",
		view: files("go.mod", "main.go", "build/tool.go", "build/b.ts", "build/b.js"),
		want: []string{"build/b.ts", "build/b.js", "build/tool.go", "main.go"}, // no other script in the package
	}, {
		name: "build deeper than the package root is a plain folder",
		view: files("package.json", "src/a.js", "src/build/plan.js", "src/dist/plan.js"),
		want: []string{"src/a.js", "src/build/plan.js", "- src/dist/: build output"},
	}, {
		name: "tests and examples",
		view: files("src/a.ts", "src/a.test.ts", "src/a.spec.tsx", "src/__tests__/b.ts", "test/c.ts", "tests/d.ts", "e2e/e.ts", "fixtures/f.ts", "examples/g.ts", "m.go", "m_test.go", "testdata/n.go"),
		want: []string{"m.go", "src/a.ts",
			"- e2e/: test; --include-tests reads it", "- examples/: example; --include-tests reads it", "- fixtures/: test; --include-tests reads it",
			"- m_test.go: test; --include-tests reads it", "- src/__tests__/: test; --include-tests reads it", "- src/a.spec.tsx: test; --include-tests reads it",
			"- src/a.test.ts: test; --include-tests reads it", "- test/: test; --include-tests reads it", "- testdata/: test; --include-tests reads it", "- tests/: test; --include-tests reads it"},
	}, {
		name: "tests asked for",
		view: files("src/a.ts", "src/a.test.ts", "test/c.ts", "examples/g.ts", "m_test.go"),
		opts: Options{IncludeTests: true},
		want: []string{"examples/g.ts", "m_test.go", "src/a.ts", "src/a.test.ts", "test/c.ts"},
	}, {
		name: "components, not parts of words",
		view: files("test-server/a.ts", "latest/b.ts", "contest/c.ts", "example-app/d.ts", "a-test.ts", "distribution/e.js", "protest.go"),
		want: []string{"a-test.ts", "contest/c.ts", "distribution/e.js", "example-app/d.ts", "latest/b.ts", "protest.go", "test-server/a.ts"},
	}, {
		name: "examples that are all there is",
		view: files("package.json", "eslint.config.js", "examples/shop/server.ts", "examples/shop/server.test.ts"),
		want: []string{"eslint.config.js", "examples/shop/server.ts", "- examples/shop/server.test.ts: test; --include-tests reads it"},
	}, {
		name: "ancestors of the path do not count",
		view: files("src/z.ts", "examples/shop/server.ts", "examples/shop/test/t.ts", "tests/dist/x.js"),
		path: "examples/shop",
		want: []string{"examples/shop/server.ts", "- examples/shop/test/: test; --include-tests reads it"},
	}, {
		name: "path inside build output",
		view: files("package.json", "src/a.ts", "dist/sub/a.js", "dist/sub/a.d.ts"),
		path: "dist",
		want: []string{"dist/sub/a.js", "- dist/sub/a.d.ts: declaration file"},
	}, {
		name: "path is a file",
		view: files("test/c.test.ts"),
		path: "test/c.test.ts",
		want: []string{"test/c.test.ts"},
	}, {
		name: "path is no source",
		view: files("a.txt"),
		path: "a.txt",
		want: []string{"- a.txt: not a source file"},
	}, {
		name: "minified and bundled",
		view: fstest.MapFS{
			"a.min.js":    {Data: []byte("x")},
			"b.js":        {Data: []byte("// licence\n" + long)},
			"c.js":        {Data: []byte("/******/ (() => { // webpackBootstrap\n" + strings.Repeat("x();\n", 20000))},
			"d.ts":        {Data: []byte("export const page = `" + long + "`;\n")},
			"e.js":        {Data: []byte(strings.Repeat("call();\n", 20000))},
			"f.chunk.js":  {Data: []byte("x")},
			"admin.ts":    {Data: []byte("x")},
			"g.bundle.js": {Data: []byte("x")},
		},
		want: []string{"admin.ts", "d.ts", "e.js", "- a.min.js: minified", "- b.js: minified", "- c.js: generated bundle",
			"- f.chunk.js: generated bundle", "- g.bundle.js: generated bundle"},
	}, {
		name: "size limit",
		view: fstest.MapFS{"a.ts": {Data: make([]byte, 11)}, "b.ts": {Data: make([]byte, 10)}},
		opts: Options{MaxFileSize: 10},
		want: []string{"b.ts", "- a.ts: larger than the size limit"},
	}, {
		name: "file limit",
		view: files("a.ts", "b.ts", "c.ts"),
		opts: Options{MaxFiles: 2},
		want: []string{"a.ts", "b.ts", "! files"},
	}, {
		name: "depth limit",
		view: files("a/b.ts", "a/b/c.ts", "a/b/c/d.ts"),
		opts: Options{MaxDepth: 2},
		want: []string{"a/b.ts", "a/b/c.ts", "- a/b/c/: deeper than the depth limit"},
	}, {
		name: "another repository inside a repository",
		view: files(".git/HEAD", "a.ts", "sub/.git", "sub/b.ts"),
		want: []string{"a.ts", "- sub/: another git repository"},
	}, {
		name: "several repositories side by side",
		view: files("one/.git/HEAD", "one/a.ts", "two/.git/HEAD", "two/b.ts"),
		want: []string{"one/a.ts", "two/b.ts"},
	}, {
		name: "ignore files outside a repository say nothing",
		view: fstest.MapFS{".gitignore": {Data: []byte("*.ts\n")}, "a.ts": {}, "one/.git/HEAD": {}, "one/.gitignore": {Data: []byte("/b.ts\n")},
			"one/b.ts": {}, "one/c.ts": {}},
		want: []string{"a.ts", "one/c.ts", "- one/b.ts: ignored by git"},
	}, {
		name: "servers in other languages",
		view: fstest.MapFS{
			"server.py": {Data: []byte("mcp = FastMCP(\"shop\")\n")},
			"plain.py":  {Data: []byte("print(1)\n")},
			"main.rs":   {Data: []byte("#[tool(description = \"x\")]\n")},
			"a.ts":      {Data: []byte("x")},
		},
		want: []string{"a.ts", "? main.rs: rust", "? server.py: python"},
	}}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if c.path == "" {
				c.path = "."
			}
			r, err := Files(c.view, c.path, c.opts)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(sorted(c.want), sorted(show(r))); diff != "" {
				t.Errorf("listing differs (-want +got):\n%s", diff)
			}
		})
	}
}

func TestFilesRefusesWhatIsNotInside(t *testing.T) {
	for _, rel := range []string{"../x", "/etc", "missing", ""} {
		if _, err := Files(files("a.ts"), rel, Options{}); err == nil {
			t.Errorf("Files(%q) succeeded", rel)
		}
	}
}

func TestLinks(t *testing.T) {
	outside := t.TempDir()
	write(t, filepath.Join(outside, "secret.ts"), "x")
	root := t.TempDir()
	write(t, filepath.Join(root, "src/a.ts"), "x")
	for to, from := range map[string]string{
		outside:                             "out",
		filepath.Join(outside, "secret.ts"): "leak.ts",
		"src":                               "loop-free",
		"..":                                "src/up",
		"src/a.ts":                          "b.ts",
	} {
		if err := os.Symlink(to, filepath.Join(root, from)); err != nil {
			t.Skip(err)
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
	want := []string{"src/a.ts", "- b.ts: symbolic link", "- leak.ts: symbolic link", "- loop-free: symbolic link", "- src/up: symbolic link"}
	if diff := cmp.Diff(want, show(r)); diff != "" {
		t.Errorf("listing differs (-want +got):\n%s", diff)
	}
	if _, err := view.ReadFile("leak.ts"); err == nil {
		t.Error("a link out of the view was read")
	}
}

func TestContext(t *testing.T) {
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(base, "repo/.git/HEAD"), "ref: refs/heads/main\n")
	write(t, filepath.Join(base, "repo/packages/a/package.json"), "{}")
	write(t, filepath.Join(base, "repo/packages/a/src/x.ts"), "")
	write(t, filepath.Join(base, "ws/package.json"), `{"workspaces":["packages/*"]}`)
	write(t, filepath.Join(base, "ws/packages/a/package.json"), "{}")
	write(t, filepath.Join(base, "mod/go.mod"), "module m\n")
	write(t, filepath.Join(base, "mod/cmd/m/main.go"), "package main\n")
	write(t, filepath.Join(base, "loose/sub/a.ts"), "")
	for _, c := range []struct{ path, root, rel string }{
		{"repo/packages/a/src", "repo", "packages/a/src"},
		{"repo/packages/a/src/x.ts", "repo", "packages/a/src/x.ts"},
		{"repo", "repo", "."},
		{"ws/packages/a", "ws", "packages/a"},
		{"mod/cmd/m", "mod", "cmd/m"},
		{"loose/sub", "loose/sub", "."},
		{"loose/sub/a.ts", "loose/sub", "a.ts"},
	} {
		root, rel, err := Context(filepath.Join(base, c.path))
		if err != nil || root != filepath.Join(base, c.root) || rel != c.rel {
			t.Errorf("Context(%s) = %s, %s, %v; want %s, %s", c.path, root, rel, err, c.root, c.rel)
		}
	}
	if _, _, err := Context(filepath.Join(base, "missing")); err == nil {
		t.Error("a missing path has a context")
	}
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
