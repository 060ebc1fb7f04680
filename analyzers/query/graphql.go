package query

import (
	"errors"

	"github.com/vektah/gqlparser/v2/ast"
	gql "github.com/vektah/gqlparser/v2/parser"
)

// ErrNoGraphQL says that a text holds no GraphQL operation or fragment.
var ErrNoGraphQL = errors.New("no GraphQL document")

// Document is what is known of a GraphQL document.
type Document struct {
	Operations []Operation
	// Partial says that something was not read: there may be more operations, fields or arguments.
	Partial bool
}

// Mutates reports whether the document holds a mutation.
func (d Document) Mutates() bool {
	for _, o := range d.Operations {
		if o.Kind == Mutation {
			return true
		}
	}
	return false
}

// OperationKind is the kind of a GraphQL operation.
type OperationKind string

// The kinds of operations; UnknownOperation where the kind is interpolated.
const (
	Query            OperationKind = "query"
	Mutation         OperationKind = "mutation"
	Subscription     OperationKind = "subscription"
	UnknownOperation OperationKind = "unknown"
)

// Operation is one operation of a document.
type Operation struct {
	Kind OperationKind
	// Name is empty for an anonymous operation and one whose name is interpolated.
	Name string
	// Variables are the names of the declared variables without the dollar sign.
	Variables []string
	// Fields are the root fields; those of fragments in the same document count.
	Fields []Field
}

// Field is a root field of an operation.
type Field struct {
	// Name is empty where it is interpolated, wholly or in part.
	Name  string
	Alias string
	// Hole is the first hole in the name, or -1.
	Hole      int
	Arguments []Argument
}

// Argument is an argument of a field, or a member of an input object.
type Argument struct {
	// Name is empty where it is interpolated.
	Name string
	// Operand is the value: a Placeholder named like the variable, a Hole, a Literal, or an Expression for a list or an
	// object with the variables and holes inside it as Inputs.
	Operand Operand
	// Fields are the members of an object value.
	Fields []Argument
}

// Argument returns the value at a path of names: Argument("input", "id").
func (f Field) Argument(path ...string) (Argument, bool) {
	in := f.Arguments
	var found Argument
	for _, name := range path {
		ok := false
		for _, a := range in {
			if a.Name == name {
				found, in, ok = a, a.Fields, true
				break
			}
		}
		if !ok {
			return Argument{}, false
		}
	}
	return found, len(path) > 0
}

// GraphQL reads a document. Holes are replaced by names that are legal where they stand and recognised again in the result.
// The error is [ErrNoGraphQL], only where no operation and no fragment was found.
func GraphQL(pieces []Piece) (Document, error) {
	g := fill(join(pieces))
	if g.depth <= maxDepth {
		if doc, err := gql.ParseQuery(&ast.Source{Input: g.text}); err == nil {
			out := g.document(doc)
			if len(doc.Operations) == 0 && len(doc.Fragments) == 0 {
				return out, ErrNoGraphQL
			}
			return out, nil
		}
	}
	out := g.scan()
	if len(out.Operations) == 0 {
		return out, ErrNoGraphQL
	}
	return out, nil
}

// document converts what the grammar read.
func (g *filled) document(doc *ast.QueryDocument) Document {
	out := Document{Partial: g.partial}
	for _, op := range doc.Operations {
		o := Operation{Kind: OperationKind(op.Operation)}
		if g.kindHoles[op.Position.Start] {
			o.Kind = UnknownOperation
		}
		if _, holes := g.holes(op.Name); len(holes) == 0 {
			o.Name = op.Name
		}
		for _, v := range op.VariableDefinitions {
			if _, holes := g.holes(v.Variable); len(holes) == 0 {
				o.Variables = append(o.Variables, v.Variable)
			}
		}
		g.selection(&out, &o, doc, op.SelectionSet, 0)
		out.Operations = append(out.Operations, o)
	}
	return out
}

// maxFragments bounds how deep fragments of the root are followed; they can form a cycle.
const maxFragments = 8

func (g *filled) selection(out *Document, o *Operation, doc *ast.QueryDocument, set ast.SelectionSet, depth int) {
	if depth > maxFragments || len(o.Fields) > maxFields {
		out.Partial = true
		return
	}
	for _, s := range set {
		switch s := s.(type) {
		case *ast.Field:
			o.Fields = append(o.Fields, g.field(s))
		case *ast.InlineFragment:
			g.selection(out, o, doc, s.SelectionSet, depth+1)
		case *ast.FragmentSpread:
			f := doc.Fragments.ForName(s.Name)
			if f == nil {
				out.Partial = true
				continue
			}
			g.selection(out, o, doc, f.SelectionSet, depth+1)
		}
	}
}

// maxFields bounds the root fields of an operation against fragments that multiply each other.
const maxFields = 1000

func (g *filled) field(f *ast.Field) Field {
	out := Field{Name: f.Name, Hole: -1}
	if f.Alias != f.Name {
		out.Alias = f.Alias
	}
	if _, holes := g.holes(f.Name); len(holes) > 0 {
		out.Name, out.Hole = "", holes[0]
	}
	if _, holes := g.holes(out.Alias); len(holes) > 0 {
		out.Alias = ""
	}
	for _, a := range f.Arguments {
		out.Arguments = append(out.Arguments, g.argument(a.Name, a.Value))
	}
	return out
}

func (g *filled) argument(name string, v *ast.Value) Argument {
	a := Argument{Name: name, Operand: g.value(v)}
	if _, holes := g.holes(name); len(holes) > 0 {
		a.Name = ""
	}
	if v.Kind == ast.ObjectValue {
		for _, c := range v.Children {
			a.Fields = append(a.Fields, g.argument(c.Name, c.Value))
		}
	}
	return a
}

func (g *filled) value(v *ast.Value) Operand {
	switch v.Kind {
	case ast.Variable:
		if _, holes := g.holes(v.Raw); len(holes) > 0 {
			return Operand{Kind: Placeholder, Index: -1, Inputs: holeOperands(holes)}
		}
		return Operand{Kind: Placeholder, Index: -1, Name: v.Raw}
	case ast.ListValue, ast.ObjectValue:
		text, _ := g.holes(v.String())
		out := Operand{Kind: Expression, Text: text}
		for _, c := range v.Children {
			in := g.value(c.Value)
			switch in.Kind {
			case Expression:
				out.Inputs = append(out.Inputs, in.Inputs...)
			case Literal:
			default:
				out.Inputs = append(out.Inputs, in)
			}
		}
		return out
	}
	quoted := v.Kind == ast.StringValue || v.Kind == ast.BlockValue
	return g.literal(v.Raw, quoted)
}

// literal makes an operand of a scalar that holes may be part of.
func (g *filled) literal(raw string, quoted bool) Operand {
	text, holes := g.holes(raw)
	switch {
	case len(holes) == 0:
		return Operand{Kind: Literal, Text: raw, Quoted: quoted}
	case len(holes) == 1 && raw == g.standIn(holes[0]):
		return Operand{Kind: Hole, Index: holes[0], Quoted: quoted}
	}
	return Operand{Kind: Expression, Text: text, Inputs: holeOperands(holes)}
}

func holeOperands(holes []int) []Operand {
	var out []Operand
	for _, h := range holes {
		out = append(out, Operand{Kind: Hole, Index: h})
	}
	return out
}

// filled is a document whose holes are replaced.
type filled struct {
	text string
	// mark begins every stand-in; it occurs nowhere else in the text.
	mark    string
	partial bool
	// kindHoles are the places, in runes, of operations whose kind is a hole.
	kindHoles map[int]bool
	// depth is the deepest nesting of brackets.
	depth int
}
