package modules

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
)

// TestLinks resolves through links inside the context, and not through those
// that lead out of it, in a circle, or to an absolute path.
func TestLinks(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"app/src/a.ts", "shared/src/db.ts"} {
		full := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for name, to := range map[string]string{
		"shared":    "../../shared/src",
		"one.ts":    "../../shared/src/db.ts",
		"out":       "../../../outside",
		"abs":       filepath.Join(dir, "shared/src"),
		"circle":    "circle",
		"ping":      "pong",
		"pong":      "ping",
		"elsewhere": "shared",
	} {
		if err := os.Symlink(to, filepath.Join(dir, "app/src", name)); err != nil {
			t.Skip(err)
		}
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	view := root.FS()
	r, _ := New(view, []string{"app/src/a.ts", "shared/src/db.ts"})
	for spec, want := range map[string]string{
		"./shared/db":    "unit shared/src/db.ts",
		"./one":          "unit shared/src/db.ts",
		"./elsewhere/db": "unit shared/src/db.ts",
		"./out/x":        `unresolved: no such file: "./out/x"`,
		"./abs/db":       `unresolved: no such file: "./abs/db"`,
		"./circle/db":    `unresolved: no such file: "./circle/db"`,
		"./ping/db":      `unresolved: no such file: "./ping/db"`,
	} {
		if got := show(r.Resolve("app/src/a.ts", spec)); got != want {
			t.Errorf("%s: %s, want %s", spec, got, want)
		}
	}
}

// TestBounds feeds what is built to be expensive.
func TestBounds(t *testing.T) {
	deep := strings.Repeat("d/", 30)
	view := fstest.MapFS{
		"package.json":         {Data: []byte(`{"workspaces": ["` + strings.Repeat("**/*/", 60) + `", "` + strings.Repeat("{a,a}", 100) + `"]}`)},
		"pnpm-workspace.yaml":  {Data: []byte("a: &a [x,x,x,x,x,x,x,x,x]\n" + strings.Repeat("b: &b [*a,*a,*a,*a,*a,*a,*a]\n", 1) + "packages: [*b, *b]\n")},
		"tsconfig.json":        {Data: []byte(`{"extends": ["./b.json", "./b.json"], "include": ["` + strings.Repeat("**/{a,a}*", 80) + `"]}`)},
		"big/package.json":     {Data: make([]byte, maxConfig+1)},
		"big/a.ts":             {},
		deep + "package.json":  {Data: []byte(`{"name": "deep"}`)},
		deep + "index.ts":      {},
		"src/a.ts":             {},
		"nested/tsconfig.json": {Data: []byte(strings.Repeat("[", 100_000))},
		"nested/a.ts":          {},
	}
	for i := range 25 { // each doubles the branches below it
		name := string(rune('b'+i)) + ".json"
		next := string(rune('b'+i+1)) + ".json"
		view[name] = &fstest.MapFile{Data: []byte(`{"extends": ["./` + next + `", "./` + next + `"]}`)}
	}
	r, problems := New(view, []string{"src/a.ts", "big/a.ts", "nested/a.ts"})
	r.Resolve("src/a.ts", "@/"+strings.Repeat("a", 3000))
	r.Resolve("src/a.ts", strings.Repeat("../", 1000))
	want := map[string]string{"big/package.json": "cannot be read", "nested/tsconfig.json": "nested too deeply"}
	for file, text := range want {
		found := false
		for _, p := range problems {
			found = found || p.File == file && strings.Contains(p.Message, text)
		}
		if !found {
			t.Errorf("%s: no problem says %q", file, text)
		}
	}
}
