package query

import (
	"fmt"
	"strings"
	"testing"
)

// sketch writes a document in one line for comparison.
func (d Document) sketch() string {
	var out []string
	for _, o := range d.Operations {
		s := string(o.Kind)
		if o.Name != "" {
			s += " " + o.Name
		}
		if len(o.Variables) > 0 {
			s += "(" + strings.Join(o.Variables, " ") + ")"
		}
		for _, f := range o.Fields {
			name := f.Name
			if name == "" {
				name = fmt.Sprintf("?%d", f.Hole)
			}
			if f.Alias != "" {
				name = f.Alias + ":" + name
			}
			s += " " + name + sketchArgs(f.Arguments)
		}
		out = append(out, s)
	}
	text := strings.Join(out, " | ")
	if d.Partial {
		text += " partial"
	}
	return text
}

func sketchArgs(args []Argument) string {
	if len(args) == 0 {
		return ""
	}
	var out []string
	for _, a := range args {
		name := a.Name
		if name == "" {
			name = "?"
		}
		if a.Fields != nil {
			out = append(out, name+"="+sketchArgs(a.Fields))
			continue
		}
		out = append(out, name+"="+a.Operand.sketch())
	}
	return "{" + strings.Join(out, " ") + "}"
}

// sketch writes an operand in one word: $0, :a, #0 (a hole), 'x', 5, column, now, excluded.a, or an expression's inputs in brackets.
func (o Operand) sketch() string {
	var s string
	switch o.Kind {
	case NoOperand:
		return "-"
	case Placeholder:
		s = fmt.Sprintf("$%d", o.Index)
		if o.Index < 0 {
			s = ":" + o.Name
			for _, in := range o.Inputs {
				s += in.sketch()
			}
		}
	case Hole:
		s = fmt.Sprintf("#%d", o.Index)
		if o.Quoted {
			s = "'" + s + "'"
		}
	case Literal:
		s = o.Text
		if o.Quoted {
			s = "'" + s + "'"
		}
	case Column:
		s = o.Name
		if o.Table != "" {
			s = o.Table + "." + s
		}
	case Now:
		s = "now"
	case Default:
		s = "default"
	case Excluded:
		s = "excluded." + o.Name
	default:
		var in []string
		for _, i := range o.Inputs {
			in = append(in, i.sketch())
		}
		s = "[" + strings.Join(in, " ") + "]"
	}
	if o.Cast != "" {
		s += "::" + o.Cast
	}
	return s
}

func TestGraphQL(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"mutation with variables", `mutation Create($input: IssueCreateInput!) { issueCreate(input: $input) { success issue { id } } }`,
			"mutation Create(input) issueCreate{input=:input}"},
		{"shorthand query", `{ viewer { id } }`, "query viewer"},
		{"query with a name that reads like a mutation", `query mutation { a }`, "query mutation a"},
		{"alias", `mutation { first: addStar(input: {starrableId: "x"}) { clientMutationId } }`, "mutation first:addStar{input={starrableId='x'}}"},
		{"hole in a string", `mutation { pay(id: "${}", to: "u-${}") { ok } }`, "mutation pay{id='#0' to=[#1]}"},
		{"hole as a value", `mutation { pay(amount: ${}, meta: {k: ${}, l: [${}]}) { ok } }`, "mutation pay{amount=#0 meta={k=#1 l=[#2]}}"},
		{"hole as an enum inside an object", `mutation { set(input: {id: $id, state: ${}}) }`, "mutation set{input={id=:id state=#0}}"},
		{"fragment in front", "${}\n query Q { a { ...F } }", "query Q a"},
		{"fragment behind", "mutation M { a { ...F } }\n${}", "mutation M a"},
		{"fragments around", "${}\n${}\nmutation M { a }\n${}", "mutation M a"},
		{"kind is a hole", `${} Do { a(x: 1) { b } }`, "unknown Do a{x=1}"},
		{"kind is a hole without a name", `${} { a }`, "unknown a"},
		{"kind after wide characters", "query Q { a(s: \"éé\") } ${} { a }", "query Q a{s='éé'} | unknown a"},
		{"name is a hole", `mutation ${} { a }`, "mutation a"},
		{"name is partly a hole", `mutation Create${}Thing($a: ID!) { a(a: $a) }`, "mutation(a) a{a=:a}"},
		{"root field is a hole", `mutation { ${}(id: $id) { ok } }`, "mutation ?0{id=:id}"},
		{"root field is partly a hole", `mutation { create${}(id: 1) { ok } }`, "mutation ?0{id=1}"},
		{"root field begins with a hole", "mutation {\n ${}Create(id: 1) { ok } }", "mutation ?0{id=1}"},
		{"root selection is a hole", `mutation { ${} }`, "mutation ?0 partial"},
		{"nested selection is a hole", `query { user(id: 1) { ${} } }`, "query user{id=1} partial"},
		{"nested selections with holes", "query { user(id: 1) { id\n ${}\n name } }", "query user{id=1} partial"},
		{"arguments are a hole", `mutation { a(${}) { b } }`, "mutation a{?=#0} partial"},
		{"arguments and a hole", `mutation { a(id: 1, ${}) { b } }`, "mutation a{id=1 ?=#0} partial"},
		{"argument's name is a hole", `mutation { a(${}: 1) }`, "mutation a{?=1}"},
		{"argument list is a hole", `mutation { a ${} { b } }`, "mutation a partial"},
		{"variable's name is a hole", `query Q($${}: ID!) { a(id: $${}) }`, "query Q a{id=:#1}"},
		{"variable's type is a hole", `query Q($id: ${}) { a(id: $id) }`, "query Q(id) a{id=:id}"},
		{"variables are a hole", `mutation M ${} { a(id: $id) }`, "mutation M a{id=:id} partial"},
		{"variables with a hole", `mutation M($a: ID!, ${}) { a(id: $a) }`, "mutation M(a) a{id=:a} partial"},
		{"hole in a comment", "mutation { # ${}\n a }", "mutation a"},
		{"several operations", `query A { a } mutation B { b } subscription C { c }`, "query A a | mutation B b | subscription C c"},
		{"root fragment", `mutation { ...F } fragment F on Mutation { a(id: 1) ... on Mutation { b } }`, "mutation a{id=1} b"},
		{"unknown root fragment", `mutation { ...F }`, "mutation partial"},
		{"cyclic fragment", `query { ...F } fragment F on Query { ...F }`, "query partial"},
		{"directive", `mutation M @live { a @include(if: $x) { b } }`, "mutation M a"},
		{"string with a line break", "mutation { a(t: \"x\ny\") }", "mutation a{t='x\ny'}"},
		{"block string", `mutation { a(t: """${}""") }`, "mutation a{t='#0'}"},
		{"the mark in the text", `mutation { hole_(hole_1_: "hole_2_", b: ${}) }`, "mutation hole_{hole_1_='hole_2_' b=#0}"},
		{"fragments only", `fragment F on User { id }`, ""},
		// The grammar refuses these; the tokens are read instead.
		{"unclosed", `mutation M($a: ID!) { pay(id: $a, n: 2, to: "x") { ok `, "mutation M(a) pay{id=:a n=2 to='x'} partial"},
		{"empty selection", `mutation { pay(id: ${}) { } refund { id } }`, "mutation pay{id=#0} refund partial"},
		{"stray words", `mutation { x: pay(id: 1) !! other }`, "mutation x:pay{id=1} other partial"},
		{"hole kind, unclosed", `${} Do { a { b }`, "unknown Do a partial"},
	} {
		doc, err := GraphQL(pieces(c.text))
		if got := doc.sketch(); err != nil || got != c.want {
			t.Errorf("%s: %s\n got %q, %v\nwant %q", c.name, c.text, got, err, c.want)
		}
	}
}

func TestGraphQLNone(t *testing.T) {
	for _, text := range []string{"", "   ", "hello", "SELECT 1 FROM t", "# only a comment", "${}", "type A { b: C }"} {
		if doc, err := GraphQL(pieces(text)); err == nil {
			t.Errorf("GraphQL(%q) = %q, no error", text, doc.sketch())
		}
	}
}

func TestGraphQLDeep(t *testing.T) {
	deep := "mutation { a" + strings.Repeat("{a", 100000) + strings.Repeat("}", 100000) + "}"
	doc, err := GraphQL(pieces(deep))
	if err != nil || doc.sketch() != "mutation a partial" {
		t.Errorf("got %q, %v", doc.sketch(), err)
	}
}

func TestFieldArgument(t *testing.T) {
	doc, err := GraphQL(pieces(`mutation { pay(input: {meta: {key: $k}, n: 1}) { id } }`))
	if err != nil {
		t.Fatal(err)
	}
	f := doc.Operations[0].Fields[0]
	for _, c := range []struct{ path, want string }{{"input meta key", ":k"}, {"input n", "1"}, {"input x", ""}, {"", ""}, {"input n y", ""}} {
		a, ok := f.Argument(strings.Fields(c.path)...)
		if ok != (c.want != "") || ok && a.Operand.sketch() != c.want {
			t.Errorf("Argument(%s) = %s, %v; want %q", c.path, a.Operand.sketch(), ok, c.want)
		}
	}
}
