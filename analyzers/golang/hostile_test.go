package golang_test

import (
	"fmt"
	"go/scanner"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"
)

// TestMangled lowers the sources of the dumps with one token missing or two exchanged: whatever is left must give a sound unit.
func TestMangled(t *testing.T) {
	files, err := filepath.Glob("../../testdata/model/go-*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no test data", err)
	}
	for _, name := range files {
		archive, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range archive.Files {
			if !strings.HasSuffix(f.Name, ".go") {
				continue
			}
			cuts := tokens(f.Data)
			for i := 0; i+2 < len(cuts); i++ {
				a, b, c := cuts[i], cuts[i+1], cuts[i+2]
				src := string(f.Data)
				for j, mangled := range []string{src[:a] + src[b:], src[:a] + src[b:c] + " " + src[a:b] + src[c:]} {
					if (i+j)%3 != 0 && testing.Short() {
						continue
					}
					lowerOne(t, fmt.Sprintf("%s at byte %d", name, a), mangled, (i+j)%2 == 0)
				}
			}
		}
	}
}

func tokens(src []byte) (at []int) {
	var s scanner.Scanner
	file := token.NewFileSet().AddFile("", -1, len(src))
	s.Init(file, src, nil, 0)
	for {
		pos, tok, _ := s.Scan()
		if tok == token.EOF {
			return at
		}
		if offset := file.Offset(pos); len(at) == 0 || offset > at[len(at)-1] {
			at = append(at, offset)
		}
	}
}

func lowerOne(t *testing.T, what, source string, typed bool) {
	t.Helper()
	before := t.Failed()
	dumpAll(t, []txtar.File{{Name: "a.go", Data: []byte(source)}}, typed)
	if t.Failed() && !before {
		t.Fatalf("%s:\n%s", what, source)
	}
}

// TestHostile lowers sources that are made to take long or deep ways.
func TestHostile(t *testing.T) {
	times := strings.Repeat
	sources := map[string]string{
		"parentheses":  "package a\nvar x = " + times("(", 3000) + "1" + times(")", 3000),
		"blocks":       "package a\nfunc f() " + times("{", 3000) + times("}", 3000),
		"sum":          "package a\nfunc f(x string) string { return x" + times(" + x", 5000) + "}",
		"constant":     "package a\nconst c = 1" + times(" + 1", 3000) + "\nvar v = c",
		"doubling":     doubling(),
		"else":         "package a\nfunc f(x int) { if x == 0 {}" + times(" else if x == 1 {}", 3000) + "}",
		"closures":     "package a\nfunc f(x int) { " + times("func() { _ = x; ", 300) + times("}()", 300) + "}",
		"selectors":    "package a\nvar x = y" + times(".f()", 3000),
		"pointers":     "package a\nvar x " + times("*", 3000) + "int",
		"own type":     "package a\ntype T T\ntype U = U\ntype S struct { S }\ntype I interface { I }\nvar v = v\nvar w T\nvar s S\nvar u U\nfunc f() { s.x(); w.y(); u.z() }",
		"own constant": "package a\nconst c = c + 1\nconst d = e\nconst e = d\nvar v = c + d",
		"shifts":       "package a\nconst c = 1 << 300 << 300 << 300\nvar v = c\nconst f = 1e300000\nvar w = f * f",
		"wide":         "package a\ntype S struct { " + wide() + "}\nvar s S",
		"zeros":        nested(),
		"gotos":        "package a\nfunc f() { goto b; x := 1; _ = x; a: { goto a }; b: { c: for { goto c } }; goto d; { d: } }",
	}
	for name, source := range sources {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			for _, typed := range []bool{true, false} {
				if typed && (name == "pointers" || name == "doubling" || name == "zeros") {
					continue // the type checker's own
				}
				lowerOne(t, name, source, typed)
			}
			if d := time.Since(start); d > 5*time.Second {
				t.Errorf("took %v", d)
			}
		})
	}
}

// doubling is a constant whose text doubles with each line.
func doubling() string {
	var b strings.Builder
	b.WriteString("package a\nconst c0 = \"x\"\n")
	for i := 1; i < 40; i++ {
		fmt.Fprintf(&b, "const c%d = c%d + c%d\n", i, i-1, i-1)
	}
	b.WriteString("var v = c39\n")
	return b.String()
}

func wide() string {
	var b strings.Builder
	for i := range 2000 {
		fmt.Fprintf(&b, "f%d int\n", i)
	}
	return b.String()
}

// nested is a struct whose zero value grows eightfold with each level.
func nested() string {
	var b strings.Builder
	b.WriteString("package a\ntype T0 struct { n int }\n")
	for i := 1; i < 12; i++ {
		fmt.Fprintf(&b, "type T%d struct { a, b, c, d, e, f, g, h T%d }\n", i, i-1)
	}
	b.WriteString("var v T11\nfunc f(v T11) { var w T11; _ = w }\n")
	return b.String()
}
