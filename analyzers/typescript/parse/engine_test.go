//go:build cgo

package parse

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	sitter "github.com/smacker/go-tree-sitter"
)

// TestEnginesAgree holds the C flattener against the cursor on every sample, whole, cut off and scrambled. Where the cursor
// is the only engine it compares the cursor with itself.
func TestEnginesAgree(t *testing.T) {
	one, other := newEngine(), newCursorEngine()
	defer one.close()
	defer other.close()
	const marks = "(){}[]<>,;:=*/'\"`\\$& \n"
	random := rand.New(rand.NewPCG(1, 2))
	for _, s := range samples(t) {
		text := []byte(s.source)
		variants := [][]byte{text}
		for range 4 {
			if len(text) == 0 {
				break
			}
			cut := text[:random.IntN(len(text))]
			scrambled := bytes.Clone(text)
			for range 3 {
				scrambled[random.IntN(len(text))] = marks[random.IntN(len(marks))]
			}
			variants = append(variants, cut, scrambled)
		}
		for _, v := range variants {
			for d := JavaScript; d <= TSX; d++ {
				want, err := other.parse(v, d, DefaultLimits())
				if err != nil {
					t.Fatal(err)
				}
				got, err := one.parse(v, d, DefaultLimits())
				if err != nil {
					t.Fatal(err)
				}
				if !slices.Equal(got, want) {
					t.Errorf("%s as %v: the engines differ on %q", s, d, v)
				}
			}
		}
	}
}

// TestGrammarsAreCovered fails when a grammar has a node kind or a field that the tables do not know, and when the tables
// speak of something that no grammar has.
func TestGrammarsAreCovered(t *testing.T) {
	seen := make(map[string]bool)
	for d := JavaScript; d <= TSX; d++ {
		g := grammars[d]()
		if n := g.language.SymbolCount(); n > maxSymbols {
			t.Errorf("%v has %d symbols", d, n)
		}
		for s := range g.language.SymbolCount() {
			symbol := sitter.Symbol(s)
			name := g.language.SymbolName(symbol)
			switch g.language.SymbolType(symbol) {
			case sitter.SymbolTypeRegular:
				seen[name] = true
				if g.tables.rules[s].kind == KindNone && name != "end" {
					t.Errorf("%v: %q has no Kind", d, name)
				}
			case sitter.SymbolTypeAnonymous:
				seen[`"`+name+`"`] = true
			}
		}
		for id := 1; g.language.FieldName(id) != ""; id++ {
			name := g.language.FieldName(id)
			seen[name+":"] = true
			if g.tables.fields[id] == NoField && name != "member" { // of no use: every member of a class body has it
				t.Errorf("%v: no Field for %q", d, name)
			}
		}
	}
	own := map[Kind]bool{KindError: true, KindMissing: true, KindElision: true, KindFieldDefinition: true}
	for k := KindError; k < endOfNamedKinds; k++ {
		if !own[k] && !seen[k.String()] {
			t.Errorf("no grammar has %v", k)
		}
	}
	for f := NoField + 1; f < endOfFields; f++ {
		if !seen[f.String()+":"] {
			t.Errorf("no grammar has the field %v", f)
		}
	}
	for name := range tokenKinds {
		if !seen[`"`+name+`"`] {
			t.Errorf("no grammar has the token %q", name)
		}
	}
	for name := range operatorTokens {
		if !seen[`"`+name+`"`] {
			t.Errorf("no grammar has the operator %q", name)
		}
	}
	for _, table := range []map[string]Kind{impliedTokens, localTokens} {
		for name := range table {
			if tokenKinds[name] == KindNone {
				t.Errorf("%q is dropped anyway", name)
			}
		}
	}
}

func TestDeepNesting(t *testing.T) {
	p := New()
	defer p.Close()
	const depth = 100_000
	for name, source := range map[string]string{
		"parens":    strings.Repeat("(", depth) + "1" + strings.Repeat(")", depth),
		"brackets":  strings.Repeat("[", depth) + strings.Repeat("]", depth),
		"unclosed":  strings.Repeat("{", depth),
		"ternaries": strings.Repeat("a?", depth) + "b" + strings.Repeat(":c", depth),
		"chain":     "a" + strings.Repeat(".b()", depth),
		"sum":       "a" + strings.Repeat("+b", depth),
	} {
		t.Run(name, func(t *testing.T) {
			tree, err := p.Parse("deep.ts", []byte(source), TypeScript)
			if errors.Is(err, ErrLimit) {
				t.Skip(err) // a slow machine
			}
			if err != nil {
				t.Fatal(err)
			}
			checkTree(t, tree)
			if text := dump(t, tree); strings.Count(text, "\n") != tree.Len() {
				t.Errorf("a dump of %d lines for %d nodes", strings.Count(text, "\n"), tree.Len())
			}
		})
	}
}

// TestNoise: bytes that are text by our measure and nothing else must end in time.
func TestNoise(t *testing.T) {
	p := New()
	defer p.Close()
	p.Limits.Time = time.Second
	const alphabet = " \n(){}[]<>,;:=*/'\"`\\$&|?!+-abx1\xC3\xA9\xFF"
	random := rand.New(rand.NewPCG(3, 4))
	for d := JavaScript; d <= TSX; d++ {
		noise := make([]byte, 50_000)
		for i := range noise {
			noise[i] = alphabet[random.IntN(len(alphabet))]
		}
		start := time.Now()
		tree, err := p.Parse("noise", noise, d)
		if elapsed := time.Since(start); elapsed > 10*time.Second {
			t.Errorf("%v took %v", d, elapsed)
		}
		switch {
		case err == nil:
			checkTree(t, tree)
		case !errors.Is(err, ErrTimeout):
			t.Error(err)
		}
	}
}

func TestLimits(t *testing.T) {
	p := New()
	defer p.Close()
	source := bytes.Repeat([]byte("const a = f(1);\n"), 20_000)
	for _, test := range []struct {
		name   string
		limits Limits
		want   error
	}{
		{"bytes", Limits{Bytes: 1000}, ErrTooLarge},
		{"nodes", Limits{Nodes: 1000}, ErrTooManyNodes},
		{"time", Limits{Time: time.Microsecond}, ErrTimeout},
	} {
		t.Run(test.name, func(t *testing.T) {
			p.Limits = test.limits
			_, err := p.Parse("big.ts", source, TypeScript)
			if !errors.Is(err, test.want) || !errors.Is(err, ErrLimit) {
				t.Fatalf("got %v, want %v", err, test.want)
			}
			if !strings.HasPrefix(err.Error(), "big.ts: ") {
				t.Errorf("%q does not begin with the path", err)
			}
			p.Limits = Limits{} // the defaults
			tree := parseString(t, p, "small.ts", "g();")
			if got, want := dump(t, tree), dump(t, parseString(t, freshParser(t), "small.ts", "g();")); got != want {
				t.Errorf("after the limit a file is read wrong:\n%s", got)
			}
		})
	}
	p.Limits.Bytes = 1 << 30
	if _, err := p.Parse("huge.ts", make([]byte, maxBytes+1), TypeScript); !errors.Is(err, ErrTooLarge) {
		t.Errorf("the hard limit: got %v", err)
	}
}

func freshParser(t testing.TB) *Parser {
	p := New()
	t.Cleanup(p.Close)
	return p
}

func TestUseAfterClose(t *testing.T) {
	p := New()
	tree := parseString(t, p, "a.js", "a(b)")
	p.Close()
	p.Close()
	if _, err := p.Parse("a.js", nil, JavaScript); !errors.Is(err, ErrClosed) {
		t.Errorf("got %v", err)
	}
	if got := tree.Text(tree.Root()); got != "a(b)" {
		t.Errorf("the tree was lost: %q", got)
	}
}

func TestUnknownDialect(t *testing.T) {
	if _, err := freshParser(t).Parse("a", nil, TSX+1); !errors.Is(err, ErrUnsupported) {
		t.Errorf("got %v", err)
	}
}

// benchmarkSource is an ordinary module, a hundred times.
func benchmarkSource(b *testing.B) []byte {
	module, err := os.ReadFile("testdata/server.ts")
	if err != nil {
		b.Fatal(err)
	}
	source := bytes.Repeat(module, 100)
	if tree := parseString(b, freshParser(b), "a.ts", string(source)); len(tree.Errors())+len(tree.Repairs()) > 0 {
		b.Fatal("the module has errors")
	}
	return source
}

func BenchmarkParse(b *testing.B) {
	source := benchmarkSource(b)
	for name, e := range map[string]engine{"default": newEngine(), "cursor": newCursorEngine()} {
		b.Run(name, func(b *testing.B) {
			p := &Parser{engine: e}
			b.SetBytes(int64(len(source)))
			for b.Loop() {
				if _, err := p.Parse("a.ts", source, TypeScript); err != nil {
					b.Fatal(err)
				}
			}
		})
		e.close()
	}
}

// BenchmarkRatio reports what a flat tree costs compared with parsing alone, both measured in turn; at most 1.3 is wanted.
func BenchmarkRatio(b *testing.B) {
	source := benchmarkSource(b)
	p := New()
	defer p.Close()
	bare := sitter.NewParser()
	defer bare.Close()
	bare.SetLanguage(grammars[TypeScript]().language)
	var alone, flat time.Duration
	for b.Loop() {
		start := time.Now()
		tree, err := bare.ParseCtx(b.Context(), nil, source)
		if err != nil {
			b.Fatal(err)
		}
		tree.Close()
		middle := time.Now()
		if _, err := p.Parse("a.ts", source, TypeScript); err != nil {
			b.Fatal(err)
		}
		alone += middle.Sub(start)
		flat += time.Since(middle)
	}
	b.ReportMetric(float64(flat)/float64(alone), "flat/bare")
}

func FuzzParse(f *testing.F) {
	for _, s := range samples(f) {
		f.Add([]byte(s.source), uint8(s.dialect(f)))
	}
	f.Add([]byte("\xFF\xFEa\x00"), uint8(TypeScript))
	f.Add([]byte("\xEF\xBB\xBFusing x = \"\x00\";\r"), uint8(JavaScript))
	p, cursor := New(), newCursorEngine()
	p.Limits.Time = time.Second
	f.Cleanup(func() { p.Close(); cursor.close() })
	f.Fuzz(func(t *testing.T, source []byte, d uint8) {
		dialect := Dialect(d % 3)
		tree, err := p.Parse("f", source, dialect)
		if errors.Is(err, ErrBinary) || errors.Is(err, ErrLimit) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		checkTree(t, tree)
		for n := range tree.Descendants(tree.Root()) {
			tree.Position(n)
			tree.EndPosition(n)
			_ = tree.Text(n)
		}
		if err := tree.Dump(io.Discard, tree.Root()); err != nil {
			t.Fatal(err)
		}
		text := readable(tree.source)
		want, err := cursor.parse(text, dialect, p.Limits)
		if err != nil {
			return
		}
		got, err := p.engine.parse(text, dialect, p.Limits)
		if err == nil && !slices.Equal(got, want) {
			t.Error("the engines differ")
		}
	})
}
