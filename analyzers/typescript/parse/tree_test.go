//go:build cgo

package parse

import (
	"slices"
	"strings"
	"testing"
)

// find is the first node of the kind.
func find(t testing.TB, tree *Tree, k Kind) Node {
	t.Helper()
	for n := range tree.Descendants(tree.Root()) {
		if tree.Kind(n) == k {
			return n
		}
	}
	t.Fatalf("no %v", k)
	return NoNode
}

func texts(tree *Tree, nodes []Node) string {
	var all []string
	for _, n := range nodes {
		all = append(all, tree.Text(n))
	}
	return strings.Join(all, " ")
}

func TestNavigation(t *testing.T) {
	tree := parseString(t, freshParser(t), "a.js", "f(a, /* c */ ...b, [, x]);\nasync function g() { return a + b }")
	call := find(t, tree, KindCallExpression)
	if got := tree.Text(tree.Child(call, FieldFunction)); got != "f" {
		t.Errorf("the callee is %q", got)
	}
	arguments := tree.Child(call, FieldArguments)
	if got := texts(tree, slices.Collect(tree.Children(arguments))); got != "a ...b [, x]" {
		t.Errorf("children: %q", got)
	}
	if got := tree.Count(arguments); got != 3 {
		t.Errorf("%d children", got)
	}
	if got := tree.Text(tree.Nth(arguments, 1)); got != "...b" {
		t.Errorf("child 1 is %q", got)
	}
	if tree.Nth(arguments, 3) != NoNode || tree.Nth(arguments, -1) != NoNode {
		t.Error("children that are not there")
	}
	array := tree.Nth(arguments, 2)
	if hole := tree.FirstChild(array); tree.Kind(hole) != KindElision || tree.Text(hole) != "" || tree.Text(tree.NextSibling(hole)) != "x" {
		t.Error("the hole is lost")
	}

	var forward, backward []Node
	for c := tree.FirstChild(arguments); c != NoNode; c = tree.NextSibling(c) {
		forward = append(forward, c)
	}
	for c := forward[len(forward)-1]; c != NoNode; c = tree.PrevSibling(c) {
		backward = append(backward, c)
	}
	slices.Reverse(backward)
	if !slices.Equal(forward, backward) || len(forward) != 4 {
		t.Errorf("siblings: %v, backwards %v", forward, backward)
	}
	for _, c := range forward {
		if tree.Parent(c) != arguments || tree.Last(c) < c || tree.Last(c) > tree.Last(arguments) {
			t.Errorf("%v is not below its parent", c)
		}
	}

	function := find(t, tree, KindFunctionDeclaration)
	if !tree.Has(function, TokenAsync) || tree.Has(function, TokenStar) {
		t.Error("the tokens of the function")
	}
	if got := tree.Operator(find(t, tree, KindBinaryExpression)); got != "+" {
		t.Errorf("operator %q", got)
	}
	if got := texts(tree, slices.Collect(tree.Comments())); got != "/* c */" {
		t.Errorf("comments: %q", got)
	}
	if tree.NextSibling(tree.Root()) != NoNode || tree.Parent(tree.Root()) != NoNode {
		t.Error("the root has relatives")
	}
}

// TestNoNode: look-ups can be chained without asking.
func TestNoNode(t *testing.T) {
	tree := parseString(t, freshParser(t), "a.js", "f()")
	for _, n := range []Node{NoNode, -7, Node(tree.Len())} {
		if tree.Kind(n) != KindNone || tree.Field(n) != NoField || tree.Text(n) != "" || tree.Start(n) != 0 || tree.End(n) != 0 ||
			tree.Parent(n) != NoNode || tree.FirstChild(n) != NoNode || tree.NextSibling(n) != NoNode || tree.PrevSibling(n) != NoNode ||
			tree.Child(n, FieldName) != NoNode || tree.ChildOf(n, KindIdentifier) != NoNode || tree.Last(n) != NoNode ||
			tree.HasError(n) || tree.Operator(n) != "" || tree.Count(n) != 0 || tree.Nth(n, 0) != NoNode {
			t.Errorf("node %d is something", n)
		}
		for range tree.Descendants(n) {
			t.Errorf("node %d has descendants", n)
		}
		for range tree.Decorators(n) {
			t.Errorf("node %d has decorators", n)
		}
	}
	if tree.Child(tree.Root(), NoField) != NoNode {
		t.Error("NoField is not a field to look for")
	}
	if Kind(9999).String() != "none" || Field(200).String() != "" {
		t.Error("names of nothing")
	}
}

func TestDecorators(t *testing.T) {
	const source = "@a @b() export class X { @c() /* x */ @d m(@e p) {} n() {} @f o = 1 }"
	for _, name := range []string{"a.ts", "a.tsx"} {
		tree := parseString(t, freshParser(t), name, source)
		got := make(map[string]string)
		for n := range tree.Descendants(tree.Root()) {
			switch tree.Kind(n) {
			case KindClassDeclaration, KindMethodDefinition, KindFieldDefinition:
				got[tree.Text(tree.Child(n, FieldName))] = texts(tree, slices.Collect(tree.Decorators(n)))
			case KindRequiredParameter:
				got[tree.Text(tree.Child(n, FieldPattern))] = texts(tree, slices.Collect(tree.Decorators(n)))
			}
		}
		want := map[string]string{"X": "@a @b()", "m": "@c() @d", "p": "@e", "n": "", "o": "@f"}
		for name := range want {
			if got[name] != want[name] {
				t.Errorf("%s has %q, want %q", name, got[name], want[name])
			}
		}
	}
	tree := parseString(t, freshParser(t), "a.js", "@a class X { @b m() {} }")
	if got := texts(tree, slices.Collect(tree.Decorators(find(t, tree, KindMethodDefinition)))); got != "@b" {
		t.Errorf("in JavaScript: %q", got)
	}
}

func TestErrors(t *testing.T) {
	tree := parseString(t, freshParser(t), "a.js", "function good() { f() }\nfunction bad() { g(; h() }\n")
	var functions []Node
	for c := range tree.Children(tree.Root()) {
		functions = append(functions, c)
	}
	if len(functions) != 2 || tree.HasError(functions[0]) || !tree.HasError(functions[1]) || !tree.HasError(tree.Root()) {
		t.Errorf("errors in the wrong place:\n%s", dump(t, tree))
	}
	if len(tree.Errors()) != 1 || tree.Kind(tree.Errors()[0]) != KindMissing {
		t.Errorf("errors: %v", tree.Errors())
	}
}

// TestRepairsSayWhereAndWhat also looks for repairs where none are due: in prose, and where the words mean something else.
func TestRepairsSayWhereAndWhat(t *testing.T) {
	for _, test := range []struct{ name, source, want string }{
		{"a.ts", `export type * from "a";`, "export type *: type"},
		{"a.ts", "using a = f();", "using declaration: using"},
		{"a.ts", "await using a = f();", "using declaration: await using"},
		{"a.ts", "using a = f(); x = ;", "using declaration: using"},
		{"a.ts", `const a = "using x"; // using y` + "\n", ""},
		{"a.ts", "using = 1; export const using2 = using in x;", "keyword as a name: using"},
		{"a.ts", `// export type * from "a"` + "\nx = ;", ""},
		{"a.tsx", "const a = <b>c&d</b>;", "& in JSX text: &"},
		{"a.tsx", "const a = b & c; x = ;", ""},
		{"a.js", "const a = 1;", ""},
	} {
		tree := parseString(t, freshParser(t), test.name, test.source)
		checkTree(t, tree)
		var got []string
		for _, r := range tree.Repairs() {
			got = append(got, r.What+": "+test.source[r.Start:r.End])
		}
		if strings.Join(got, ", ") != test.want {
			t.Errorf("%s: repairs %q, want %q", test.source, got, test.want)
		}
	}
}

func TestDumpEscapes(t *testing.T) {
	tree := parseString(t, freshParser(t), "a.js", "f(`\x1b[31m\u202e"+strings.Repeat("x", 200)+"`)")
	got := dump(t, tree)
	if strings.ContainsAny(got, "\x1b\u202e") || !strings.Contains(got, `\x1b[31m\u202exx`) || strings.Count(got, "x") > longestText+10 {
		t.Errorf("the dump is %q", got)
	}
}
