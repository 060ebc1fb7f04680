package typescript

import (
	"slices"
	"strings"
	"testing"

	"github.com/retrysafe/retrysafe/analyzers/model"
)

// find gives the only function of the name.
func find(t *testing.T, u *model.Unit, name string) *model.Func {
	t.Helper()
	for _, f := range u.Funcs {
		if f.Name == name {
			return f
		}
	}
	t.Fatalf("no function %q in\n%s", name, u)
	return nil
}

// TestSpans: the places of calls, members and properties are those of the whole expression.
func TestSpans(t *testing.T) {
	const source = "export async function f(o) {\n  return await o.api?.send({ a: 1, ...o }, `x`);\n}\n"
	u := lowerText(t, "a.ts", source)
	f := find(t, u, "f")
	text := func(s model.Span) string { return source[s.Offset:s.EndOffset] }
	if got := text(f.Span); !strings.HasPrefix(got, "async function f") || !strings.HasSuffix(got, "}") {
		t.Errorf("function: %q", got)
	}
	want := map[model.OpKind][]string{
		model.Call:   {"o.api?.send({ a: 1, ...o }, `x`)"},
		model.Load:   {"o.api", "o.api?.send"},
		model.Object: {"{ a: 1, ...o }"},
		model.Await:  {"await o.api?.send({ a: 1, ...o }, `x`)"},
	}
	got := map[model.OpKind][]string{}
	var parts []string
	for _, op := range f.Ops {
		if _, ok := want[op.Kind]; ok {
			got[op.Kind] = append(got[op.Kind], text(op.Span))
		}
		if op.Kind == model.Object {
			for _, p := range op.Parts {
				parts = append(parts, text(p.Span))
			}
		}
		if op.Span.Line != 1 && op.Span.Line != 2 {
			t.Errorf("line %d", op.Span.Line)
		}
	}
	for k, w := range want {
		if !slices.Equal(got[k], w) {
			t.Errorf("%v: got %q, want %q", k, got[k], w)
		}
	}
	if !slices.Equal(parts, []string{"a: 1", "...o"}) {
		t.Errorf("parts: %q", parts)
	}
}

// TestFinallyOnEveryWay: whatever way a function is left, the call in finally comes before.
func TestFinallyOnEveryWay(t *testing.T) {
	u := lowerText(t, "a.ts", `
function f(xs) {
  outer: for (const x of xs) {
    try {
      if (x.a) return 1;
      if (x.b) continue outer;
      if (x.c) break outer;
      if (x.d) throw x;
      try { g(x); } finally { if (x.e) return 2; }
    } finally {
      release();
    }
  }
}`)
	f := find(t, u, "f")
	releases := 0
	for _, op := range f.Ops {
		if op.Kind == model.Load && op.Name == "release" {
			releases++
		}
	}
	// return, continue, break, normally, by exception; and the inner return, once for each way into the inner finally.
	if releases != 7 {
		t.Errorf("release is called in %d places\n%s", releases, u)
	}
	// A block that returns is only entered behind a release, so it holds one or is its only successor.
	for i, b := range f.Blocks {
		if b.Term != model.Return || b.Value == model.None {
			continue
		}
		calls := false
		for _, id := range b.Ops {
			calls = calls || f.Ops[id].Kind == model.Load && f.Ops[id].Name == "release"
		}
		if !calls {
			t.Errorf("b%d returns without a release\n%s", i, u)
		}
	}
}

// TestStableNames: a function that is added elsewhere does not change the names of others.
func TestStableNames(t *testing.T) {
	const before = `
export function createServer(s) {
  s.tool("send", async (a) => a.map((x) => x));
  s.tool("read", () => {});
}`
	const after = `
const unrelated = [() => {}, () => {}];
export function createServer(s) {
  s.tool("added", () => { [1].map((y) => y); });
  s.tool("send", async (a) => a.map((x) => x));
  s.tool("read", () => {});
}`
	names := func(source string) (list []string) {
		for _, f := range lowerText(t, "a.ts", source).Funcs {
			list = append(list, f.Name)
		}
		return list
	}
	later := names(after)
	for _, n := range names(before) {
		if !slices.Contains(later, n) {
			t.Errorf("%q is not among %q", n, later)
		}
	}
}

// TestDeclarationsMerge: parts of one declaration make one thing.
func TestDeclarationsMerge(t *testing.T) {
	u := lowerText(t, "a.ts", `
interface Client { send(): void }
interface Client { extra: string }
class Client { own = 1 }
function f() {}
namespace f { export const limit = 3; }
var twice = 1;
var twice = 2;
`)
	if len(u.Types) != 1 || u.Types[0].Kind != model.ClassType || len(u.Types[0].Members) != 3 {
		t.Errorf("types of\n%s", u)
	}
	for _, g := range u.Globals {
		if want := g.Name == "Client"; g.Const != want {
			t.Errorf("%s: const is %v", g.Name, g.Const)
		}
	}
}

// TestNumbers writes literals in their shortest decimal form.
func TestNumbers(t *testing.T) {
	for text, want := range map[string]string{
		"1_000": "1000", "1e3": "1000", "0xff": "255", "0b101": "5", "0o17": "15", "017": "15", "089": "89", ".50": "0.5", "5.": "5",
		"1e21": "1e+21", "1e-7": "1e-07", "-3": "-3", "9007199254740993": "9007199254740992", "0": "0", "1e400": "1e400",
		"123n": "123", "0xffn": "255",
	} {
		if _, got := numberValue(text); got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
	if k, _ := numberValue("1n"); k != model.BigInt {
		t.Error("1n is no BigInt")
	}
}

func TestUnescape(t *testing.T) {
	for text, want := range map[string]string{
		`plain`: "plain", `\n\t\\`: "\n\t\\", `\x41\u0042\u{43}`: "ABC", `\ud83d\ude00`: "😀", `a\` + "\n" + `b`: "ab",
		`\0\101`: "\x00A", `\q`: "q", `\`: `\`, `\u{zz}\xq`: `\u{zz}\xq`, `\é`: "é",
	} {
		if got := unescape(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}
