package typescript

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/retrysafe/retrysafe/analyzers/model"
	"github.com/retrysafe/retrysafe/analyzers/typescript/parse"
)

// FuzzLower: any text gives a valid unit whose places lie in the file, and the same unit every time.
func FuzzLower(f *testing.F) {
	files, err := filepath.Glob("../../testdata/model/ts-*.txtar")
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range txtar.Parse(data).Files {
			if dialect, ok := parse.DialectOf(file.Name); ok {
				f.Add(string(file.Data), uint8(dialect))
			}
		}
	}
	for _, h := range hostile() {
		if len(h.source) < 4<<10 {
			f.Add(h.source, uint8(parse.TypeScript))
		}
	}
	f.Fuzz(func(t *testing.T, source string, dialect uint8) {
		if len(source) > 4<<10 {
			return // the parser is slow on garbage
		}
		path := []string{"a.js", "a.ts", "a.tsx"}[dialect%3]
		p := parse.New()
		defer p.Close()
		d, _ := parse.DialectOf(path)
		tree, err := p.Parse(path, []byte(source), d)
		if err != nil {
			return
		}
		resolve := func(s string) Target {
			if strings.HasPrefix(s, ".") {
				return Target{Unit: "unit" + s}
			}
			return Target{External: s}
		}
		info := FileInfo{Path: path, Language: model.TypeScript}
		u := Lower(tree, info, resolve)
		if err := model.Validate(u); err != nil {
			t.Fatal(err)
		}
		checkSpans(t, u, len(tree.Source()))
		if again := Lower(tree, info, resolve); again.String() != u.String() {
			t.Error("two runs differ")
		}
	})
}

// checkSpans fails for a place outside the file.
func checkSpans(t testing.TB, u *model.Unit, size int) {
	t.Helper()
	check := func(s model.Span, what string) {
		if s.Offset < 0 || s.EndOffset < s.Offset || int(s.EndOffset) > size {
			t.Errorf("%s: %+v is outside a file of %d bytes", what, s, size)
		}
	}
	for _, n := range u.Notes {
		check(n.Span, "note")
	}
	for _, fn := range u.Funcs {
		check(fn.Span, fn.Name)
		for i := range fn.Ops {
			check(fn.Ops[i].Span, fn.Name)
			for _, p := range fn.Ops[i].Parts {
				check(p.Span, fn.Name)
			}
		}
		for i := range fn.Blocks {
			check(fn.Blocks[i].Span, fn.Name)
		}
	}
}

// hostile gives sources that are long or deep in one way.
func hostile() []struct{ name, source string } {
	nest := func(open, inner, closing string, n int) string {
		return strings.Repeat(open, n) + inner + strings.Repeat(closing, n)
	}
	const n = 4_000
	return []struct{ name, source string }{
		{"parentheses", nest("(", "x", ")", n)},
		{"arrays", nest("[", "x", "]", n)},
		{"blocks", nest("{", "x", "}", n)},
		{"objects", "x = " + nest("{a:", "x", "}", n)},
		{"arrows", "x = " + nest("()=>", "x", "", n)},
		{"functions", nest("function f(a){", "return a", "}", n)},
		{"conditions", "x = " + nest("a?", "b", ":c", n)},
		{"ternaries", "x = " + strings.Repeat("a?b:", n) + "c"},
		{"sum", "x = a" + strings.Repeat("+a", n)},
		{"or", "if (a" + strings.Repeat("||a", n) + ") b()"},
		{"and value", "x = a" + strings.Repeat("&&a", n)},
		{"mixed", "x = a" + strings.Repeat("&&a||a", n)},
		{"not", "x = " + strings.Repeat("!", n) + "a"},
		{"chain", "x" + strings.Repeat(".a()", n)},
		{"optional chain", "x" + strings.Repeat("?.a", n)},
		{"else if", strings.Repeat("if (a) b(); else ", n) + "c()"},
		{"cases", "switch (a) {" + strings.Repeat("case b: c();", n) + "}"},
		{"loops", nest("while (a) {", "b()", "}", n)},
		{"try", nest("try {", "a()", "} finally { b() }", 300)},
		{"finally", strings.Repeat("try { a() } finally { ", 300) + strings.Repeat("}", 300)},
		{"returns", "function f() { try { " + strings.Repeat("if (a) return b;", n) + "} finally { c() } }"},
		{"using", strings.Repeat("using a = b();", n)},
		{"labels", strings.Repeat("a: ", n) + "b()"},
		{"patterns", "const " + nest("[", "a", "]", n) + " = b"},
		{"captures", "function f() { const " + manyNames(1500) + "; return () => () => () => [" + manyNames(1500) + "] }"},
		{"members", "function f(a) { return class {" + strings.Repeat("m() { return a }", n) + "} }"},
		{"exports", strings.Repeat("exports.a = 1; exports.b = 2;", n)},
		{"templates", "x = " + nest("`${", "a", "}`", 2000)},
		{"types", "type A = " + nest("A<", "A", ">", 2000)},
		{"typeof types", "const a: typeof b | typeof b = 1; const b: typeof a | typeof a = 2;"},
		{"constraints", strings.Repeat("function f<T extends U | U, U extends T | T>(a: T) {", 200)},
		{"sequence", "x = (a" + strings.Repeat(",a", n) + ")"},
		{"errors", strings.Repeat("function (a { ] ", 2000)},
		{"assignments", strings.Repeat("a = ", n) + "b"},
	}
}

func manyNames(n int) string {
	names := make([]string, n)
	for i := range names {
		names[i] = "v" + itoa(i)
	}
	return strings.Join(names, ", ")
}
