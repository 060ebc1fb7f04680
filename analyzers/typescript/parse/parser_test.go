package parse

import (
	"strings"
	"testing"
)

func dump(t *testing.T, p *Parser, name, source string) string {
	t.Helper()
	d, ok := DialectOf(name)
	if !ok {
		t.Fatalf("no dialect for %s", name)
	}
	tree, err := p.Parse(name, []byte(source), d)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := tree.Dump(&b, tree.Root()); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestSmoke(t *testing.T) {
	p := New()
	defer p.Close()
	t.Log(dump(t, p, "a.ts", `export const f = async (a: string, b?: number) => { for await (const x of y) { [a,,b] = await z?.g(1, ...q); x! += 1 } }
class A<T> extends B<T> implements C { static async *m() {} private readonly x = 1; get y() { return this.#z } constructor(private a: X) {super()} @dec() z }
using x = f(); await using y = g();
enum E {A = 1}
`))
	t.Log(dump(t, p, "a.jsx", "class A { static get\n x() {}; y = 1 }; const e = <a.b c=\"d\" {...x}>t{1}</a.b>"))
	t.Log(dump(t, p, "a.tsx", "class A { static get\n x() {}; y = 1 }; const e = <a.b c=\"d\" {...x}>t{1}</a.b>"))
}
