package load

import (
	"bytes"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// declarations gives the declarations of a source without bodies and comments, and whether it is free of syntax errors.
func declarations(source []byte) (string, bool) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "a.go", source, parser.SkipObjectResolution)
	if err != nil {
		return "", false
	}
	var b strings.Builder
	for _, d := range f.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Body != nil {
			fn.Body.List = nil
			fn.Body.Rbrace = fn.Body.Lbrace + 1
		}
		var text bytes.Buffer
		if err := format.Node(&text, token.NewFileSet(), d); err != nil {
			return err.Error(), true
		}
		// where lines broke is of no interest
		b.WriteString(strings.Join(strings.Fields(text.String()), " ") + "\n")
	}
	return b.String(), true
}

func TestWithoutBodies(t *testing.T) {
	for in, want := range map[string]string{
		"package a\nfunc f() { g() }\n":                                               "package a\nfunc f() {}\n",
		"package a\nfunc (t *T[K]) f(x struct{ a int }) (i interface{}) { g() }\n":    "package a\nfunc (t *T[K]) f(x struct{ a int }) (i interface{}) {}\n",
		"package a\nfunc f() struct{ a int } { g() }\nfunc h() interface{ M() } {\n}": "package a\nfunc f() struct{ a int } {}\nfunc h() interface{ M() } {}",
		"package a\nfunc f()\nfunc g() { '{' }\n":                                     "package a\nfunc f()\nfunc g() {}\n",
		"package a\nfunc f() { `}` + \"}\\\"}\" /* } */ // }\n}\nvar x = 1\n":         "package a\nfunc f() {}\nvar x = 1\n",
		"package a\nvar s = `\nfunc f() { a }\n`\nfunc g() { b }\n":                   "package a\nvar s = `\nfunc f() { a }\n`\nfunc g() {}\n",
		"package a\n// it's {\nfunc f( // one (\n\tx int,\n) { b }\n":                 "package a\n// it's {\nfunc f( // one (\n\tx int,\n) {}\n",
		"package a\nfunc f[T interface{ ~int }](x T) map[string]func() { b }\n":       "package a\nfunc f[T interface{ ~int }](x T) map[string]func() {}\n",
		"package a\nfunc f() { no end\n":                                              "package a\nfunc f() { no end\n",
	} {
		if got := string(withoutBodies([]byte(in))); got != want {
			t.Errorf("withoutBodies(%q) = %q, want %q", in, got, want)
		}
	}
}

// FuzzWithoutBodies holds that a source that can be read declares the same without its bodies.
func FuzzWithoutBodies(f *testing.F) {
	files, err := filepath.Glob("*.go")
	if err != nil || len(files) == 0 {
		f.Fatal("no seeds", err)
	}
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Add([]byte("package a\nfunc f() (x struct{}) { s := `\nfunc g() {`; _ = '\\''; _ = s }\nfunc /*{*/ g() {}\n"))
	f.Fuzz(func(t *testing.T, source []byte) {
		want, ok := declarations(source)
		if !ok {
			withoutBodies(source) // ends without a panic
			return
		}
		if got, ok := declarations(withoutBodies(source)); !ok || got != want {
			t.Errorf("declares %q, want %q (read: %v)", got, want, ok)
		}
	})
}

func TestSurface(t *testing.T) {
	code := "package a\nimport (\n\"hidden\"\n\"seen\"\n)\n" +
		"type Client struct {\n\tName string\n\ta, B int\n\tpool *hidden.Pool\n\tbase\n}\n" +
		"type base struct{ T seen.Thing; h hidden.Thing }\ntype loose struct{ h hidden.Thing }\n" +
		"func (c *Client) Do(o option) {}\nfunc (c *Client) do(x hidden.Thing) {}\nfunc (c *Client) mark() {}\n" +
		"type option interface{ mark() }\nfunc (loose) Away() {}\n" +
		"var Default = make1()\nfunc make1() *Client {}\nfunc make2() hidden.Thing {}\nvar cache = make2()\n" +
		"const (\n\tA kind = iota\n\tb\n)\ntype kind int\nconst unused = 1\n" +
		"type Other struct{ T hidden.Thing }\n"
	fset := token.NewFileSet()
	syntax, err := parser.ParseFile(fset, "a.go", code, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	f := &file{syntax: syntax}
	first := &file{uses: uses{"a": {"Client": true, "A": true, "Default": true}, "b": {"Other": true}}}
	l := newLoader(os.DirFS("."), Options{})
	n := &node{source: &source{}, name: "a", files: []*file{f}, imports: map[string]*source{}, missing: map[string]string{}}
	n.source.main, n.source.surface = n, newSurface(n.files)
	n.source.surface.take([]user{{file: first}}, "a")
	l.needs(n.source, f)
	n.source.surface.finish()
	var text bytes.Buffer
	if err := format.Node(&text, fset, syntax); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Name string", "B    int", "base\n", "T seen.Thing", "Do(o option)", "mark()", "type option", "Default = make1()", "func make1", "b\n", "type kind"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("%q is gone from\n%s", want, &text)
		}
	}
	for _, gone := range []string{"hidden", "loose", "make2", "cache", "unused", "Other"} {
		if strings.Contains(text.String(), gone) {
			t.Errorf("%q is left in\n%s", gone, &text)
		}
	}
	if _, missing := n.missing["seen"]; !missing || len(n.missing) != 1 {
		t.Errorf("looked for %v, want what is seen", n.missing)
	}
}

func TestSurfaceGrows(t *testing.T) {
	syntax, err := parser.ParseFile(token.NewFileSet(), "a.go", "package a\ntype One struct{}\ntype Other struct{ two }\ntype two struct{}\n", parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	s := newSurface([]*file{{syntax: syntax}})
	first, second := &file{uses: uses{"a": {"One": true}, "x": {"Other": true}}}, &file{uses: uses{"x": {"Other": true}}}
	taken := func(name string) bool { return s.byName[name][0].taken }
	s.take([]user{{file: first}}, "a")
	if !taken("One") || taken("Other") {
		t.Error("what nobody names of it is taken, or what is named is not")
	}
	s.take([]user{{file: first}, {second, "x"}}, "a")
	if !taken("Other") || !taken("two") {
		t.Error("what a later file names by another name is not taken")
	}
}
