//go:build cgo

package parse

import (
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf16"
)

func encodeUTF16(text string, order binary.AppendByteOrder) []byte {
	var out []byte
	for _, u := range utf16.Encode([]rune("\uFEFF" + text)) {
		out = order.AppendUint16(out, u)
	}
	return out
}

// TestEncodings: the same tree comes out of every encoding that a compiler accepts.
func TestEncodings(t *testing.T) {
	const source = "const grüße = \"🙂\"; // é\nf(grüße);\n"
	p := freshParser(t)
	want := dump(t, parseString(t, p, "a.ts", source))
	for name, bytes := range map[string][]byte{
		"UTF-8 with a mark":    []byte("\uFEFF" + source),
		"UTF-16 little endian": encodeUTF16(source, binary.LittleEndian),
		"UTF-16 big endian":    encodeUTF16(source, binary.BigEndian),
	} {
		tree := parseString(t, p, "a.ts", string(bytes))
		checkTree(t, tree)
		if got := dump(t, tree); got != want {
			t.Errorf("%s gives\n%s\nwant\n%s", name, got, want)
		}
	}
	odd := append(encodeUTF16("f()", binary.LittleEndian), 'x')
	if tree := parseString(t, p, "a.ts", string(odd)); !strings.HasSuffix(string(tree.Source()), "f()\uFFFD") {
		t.Errorf("an odd last byte: %q", tree.Source())
	}
}

// TestUnreadableBytes: what the lexers choke on does not matter to the tree, and stays in the text.
func TestUnreadableBytes(t *testing.T) {
	p := freshParser(t)
	for _, source := range []string{
		"f(\"a\x00b\"); g(1);",
		"// a\x00b\nf();",
		"f();\x00\x00",
		"// comment\rf();\rg();",
		"f(\"caf\xE9\"); // \xC4\xD6",
	} {
		tree := parseString(t, p, "a.js", source)
		checkTree(t, tree)
		if len(tree.Errors()) > 0 {
			t.Errorf("%q has errors:\n%s", source, dump(t, tree))
		}
		if got := string(tree.Source()); got != source {
			t.Errorf("the source became %q", got)
		}
		if !strings.Contains(dump(t, tree), "call_expression") {
			t.Errorf("%q: the call is lost:\n%s", source, dump(t, tree))
		}
	}
}

func TestBinary(t *testing.T) {
	p := freshParser(t)
	random := rand.New(rand.NewPCG(5, 6))
	noise := make([]byte, 100_000)
	for i := range noise {
		noise[i] = byte(random.Uint32())
	}
	text := strings.Repeat("const a = f(1);\n", 5000)
	for name, source := range map[string]string{
		"noise":      string(noise),
		"after text": text + string(noise),
		"zeros":      strings.Repeat("\x00", 1000),
		"elf":        "\x7fELF\x02\x01\x01" + strings.Repeat("\x00", 57),
	} {
		if _, err := p.Parse("a.js", []byte(source), JavaScript); !errors.Is(err, ErrBinary) {
			t.Errorf("%s: got %v", name, err)
		}
	}
	cyrillic := strings.Repeat("// \xEF\xF0\xE8\xE2\xE5\xF2 \xEC\xE8\xF0\n", 2000) + "f();" // windows-1251
	for name, source := range map[string]string{
		"empty": "", "legacy encoding": cyrillic, "one zero": "f(\"\x00\")", "escape": strings.Repeat("f('\x1b[0m');\n", 100),
	} {
		if _, err := p.Parse("a.js", []byte(source), JavaScript); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestPositions(t *testing.T) {
	p := freshParser(t)
	for _, test := range []struct {
		name, source string
		line, column int // of the call to f
		lines        int
	}{
		{"first", "f()", 1, 1, 1},
		{"newline", "a\n\n  f()\n", 3, 3, 4},
		{"crlf", "a;\r\nb; f()\r\n", 2, 4, 3},
		{"cr", "a;\rb;\rf()", 3, 1, 3},
		{"bytes", "é; f()", 1, 5, 1},
		{"mark", "\uFEFFf()", 1, 1, 1},
		{"mark, second line", "\uFEFFa\n f()", 2, 2, 2},
	} {
		t.Run(test.name, func(t *testing.T) {
			tree := parseString(t, p, "a.js", test.source)
			var call Node = NoNode
			for n := range tree.Descendants(tree.Root()) {
				if tree.Kind(n) == KindCallExpression {
					call = n
				}
			}
			if line, column := tree.Position(call); line != test.line || column != test.column || tree.Line(call) != line || tree.Col(call) != column {
				t.Errorf("at %d:%d, want %d:%d", line, column, test.line, test.column)
			}
			if line, column := tree.EndPosition(call); line != test.line || column != test.column+3 {
				t.Errorf("ends at %d:%d", line, column)
			}
			if got := tree.LineCount(); got != test.lines {
				t.Errorf("%d lines, want %d", got, test.lines)
			}
			if got := tree.LineText(test.line); !strings.HasSuffix(got, "f()") || strings.ContainsAny(got, "\r\n\uFEFF") {
				t.Errorf("line %d is %q", test.line, got)
			}
		})
	}
	tree := parseString(t, p, "a.js", "a\nb")
	if line, column := tree.PositionAt(-5); line != 1 || column != 1 {
		t.Errorf("before the file: %d:%d", line, column)
	}
	if line, column := tree.PositionAt(99); line != 2 || column != 2 {
		t.Errorf("after the file: %d:%d", line, column)
	}
	if tree.LineText(0) != "" || tree.LineText(3) != "" {
		t.Error("lines that are not there have text")
	}
}

func TestDialectOf(t *testing.T) {
	for name, want := range map[string]Dialect{
		"a.js": JavaScript, "a.jsx": JavaScript, "a.mjs": JavaScript, "a.CJS": JavaScript, "a.ts": TypeScript, "a.d.ts": TypeScript,
		"dir.x/a.mts": TypeScript, "a.cts": TypeScript, "a.TSX": TSX,
	} {
		if got, ok := DialectOf(name); !ok || got != want {
			t.Errorf("%s: %v %v", name, got, ok)
		}
	}
	for _, name := range []string{"", "a", "a.json", "ts", "a.ts/b", "a.vue"} {
		if got, ok := DialectOf(name); ok {
			t.Errorf("%q: %v", name, got)
		}
	}
}
