package reports

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

func TestUnderlined(t *testing.T) {
	long := "const a = " + strings.Repeat("x", 200) + "; call(b); " + strings.Repeat("y", 200)
	for _, test := range []struct {
		name, line, span string // span is the part to underline
		text, carets     string
	}{
		{"plain", "  await pay(1);", "pay(1)", "  await pay(1);", "        ^^^^^^"},
		{"tab", "\tif x {\ty()", "y()", "    if x {  y()", "            ^^^"},
		{"wide", `f("支払い", pay)`, "pay", `f("支払い", pay)`, `            ^^^`},
		{"wide inside", `f("支払い")`, `"支払い"`, `f("支払い")`, `  ^^^^^^^^`},
		{"combining", "e\u0301 = pay()", "pay()", "e\u0301 = pay()", "    ^^^^^"},
		{"escape", "a\x1b[31m = pay()", "pay()", `a\x1b[31m = pay()`, `            ^^^^^`},
		{"direction", "a\u202e = pay()", "pay()", `a\u202e = pay()`, `          ^^^^^`},
		{"broken text", "a\xff = pay()", "pay()", `a\xff = pay()`, `        ^^^^^`},
		{"secret", `key("sk_live_abc123DEF456", pay)`, "pay", `key("sk_live_************", pay)`, `                            ^^^`},
		{"trailing space", "pay()  ", "pay()", "pay()", "^^^^^"},
		{"long", long, "call(b)", "…" + strings.Repeat("x", 22) + "; call(b); " + strings.Repeat("y", frameWidth-33) + "…", strings.Repeat(" ", 25) + "^^^^^^^"},
	} {
		start := strings.Index(test.line, test.span)
		text, carets := underlined(test.line, start, start+len(test.span))
		if text != test.text || carets != test.carets {
			t.Errorf("%s:\ngot  %q\n     %q\nwant %q\n     %q", test.name, text, carets, test.text, test.carets)
		}
	}
}

func TestUnderlinedOdd(t *testing.T) {
	for _, test := range []struct {
		line       string
		start, end int
		carets     string
	}{
		{"abc", 3, 3, "   ^"},
		{"abc", 9, 12, "   ^"},
		{"", 0, 0, "^"},
		{"abc", 1, 1, " ^"},
		{"abc", 1, 99, " ^^"},
	} {
		if _, carets := underlined(test.line, test.start, test.end); carets != test.carets {
			t.Errorf("underlined(%q, %d, %d) = %q, want %q", test.line, test.start, test.end, carets, test.carets)
		}
	}
}

func FuzzUnderlined(f *testing.F) {
	f.Add("\tawait pay(1) // 支払い", 7, 13)
	f.Add("\x1b[2J\u202e\xff", 1, 2)
	f.Add(strings.Repeat("x", 300), 150, 290)
	f.Fuzz(func(t *testing.T, line string, start, end int) {
		line = strings.ReplaceAll(line, "\n", "")
		text, carets := underlined(line, start, end)
		if strings.ContainsFunc(text, acts) || !utf8.ValidString(text) {
			t.Errorf("%q is shown as %q", line, text)
		}
		if n := uniseg.StringWidth(text); n > frameWidth+2 {
			t.Errorf("%q takes %d columns", text, n)
		}
		if strings.Count(carets, "^") < 1 || len(carets) > frameWidth+3 {
			t.Errorf("carets %q", carets)
		}
	})
}

func TestEscape(t *testing.T) {
	for in, want := range map[string]string{
		"plain":                  "plain",
		"two\nlines\tand\x07":    `two\nlines and\x07`,
		"\u009b31m":              `\x9b31m`,
		"\u2066x\u2069":          `\u2066x\u2069`,
		"\U000e0041":             `\U000e0041`,
		"héllo 👩‍👧":              "héllo 👩‍👧",
		"token ghp_0123456789ab": "token ghp_************",
	} {
		if got := Escape(in); got != want {
			t.Errorf("Escape(%q) = %q, want %q", in, got, want)
		}
	}
}
