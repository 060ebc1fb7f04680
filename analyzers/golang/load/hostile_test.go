package load

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"
)

// TestHostile loads sources that are written to take time, memory or the stack of whoever reads them.
func TestHostile(t *testing.T) {
	chain := func(line func(i int) string) string {
		var b strings.Builder
		for i := range 60 {
			b.WriteString(line(i))
		}
		return b.String()
	}
	nest := func(open, inner, close string) string {
		return strings.Repeat(open, 80_000) + inner + strings.Repeat(close, 80_000)
	}
	for name, c := range map[string]struct{ source, reason string }{
		"constants that double": {"const s0 = `" + strings.Repeat("a", 1000) + "`\n" +
			chain(func(i int) string { return fmt.Sprintf("const s%d = s%d + s%d\n", i+1, i, i) }) + "func f() { x := len(s60) }\n",
			"constants or aliases that grow beyond the limit"},
		"aliases that double": {"type P[A, B any] struct{ a A; b B }\ntype A0 = int\n" +
			chain(func(i int) string { return fmt.Sprintf("type A%d = P[A%d, A%d]\n", i+1, i, i) }) + "var x A60\n",
			"constants or aliases that grow beyond the limit"},
		"nested blocks":          {"func f() " + nest("{", "", "}"), "left out what nests deeper"},
		"a chain of else":        {"func f() { if a {}" + strings.Repeat(" else if a {}", 80_000) + "}", "left out what nests deeper"},
		"nested parentheses":     {"var x = " + nest("(", "1", ")"), "left out what nests deeper"},
		"a long sum":             {"var x = 1" + strings.Repeat("+1", 80_000), "left out what nests deeper"},
		"a nested type":          {"type T " + strings.Repeat("[]", 80_000) + "int", "left out what nests deeper"},
		"a nested signature":     {"func f(x " + strings.Repeat("*", 80_000) + "int) {}", "left out what nests deeper"},
		"nested beyond parsing":  {"func f() { " + nest("f(", "", ")") + "}", "exceeded max nesting depth"},
		"another file's name":    {"//line /etc/passwd:7\nfunc f() { x := undefined }\n", "a.go:4:17: undefined: undefined"},
		"another file's name, 2": {"//line /etc/passwd:7\nfunc f( {}\n", "a.go:"},
	} {
		t.Run(name, func(t *testing.T) {
			view := fstest.MapFS{"a.go": {Data: []byte("package a\n\n" + c.source)}}
			res, err := Load(t.Context(), view, []string{"a.go"}, Options{})
			if err != nil {
				t.Fatal(err)
			}
			if got := show(res); !strings.Contains(got, c.reason) || strings.Contains(got, "passwd") {
				t.Errorf("got\n%.500s\nwant a row with %q", got, c.reason)
			}
		})
	}
}
