package query

import "strings"

// OperandKind says what a value in a statement is.
type OperandKind uint8

// The kinds of operands.
const (
	NoOperand   OperandKind = iota
	Placeholder             // $1, ?, :name, @name
	Hole                    // an interpolated value
	Literal                 // a constant
	Column                  // a column
	Now                     // the database's clock
	Default                 // the keyword DEFAULT
	Excluded                // the proposed value of a column in an upsert: excluded.a, VALUES(a)
	Expression              // anything else
)

func (k OperandKind) String() string {
	return [...]string{"none", "placeholder", "hole", "literal", "column", "now", "default", "excluded", "expression"}[k]
}

// Operand is a value in a statement.
type Operand struct {
	Kind OperandKind
	// Index is the position of a Placeholder from 0 ($1 and the first `?` are 0), -1 for a named one and for one whose
	// number is interpolated; the number of a Hole.
	Index int
	// Name is the name of a Placeholder without its sigil, of a Column or of an Excluded column.
	Name string
	// Table is the qualifier of a Column.
	Table string
	// Text is a Literal's value, a string without its quotes; the text of an Expression or Now, with holes as ${n}.
	Text string
	// Quoted says that a Literal or a Hole stands in a string: 'a', '${a}'.
	Quoted bool
	// Cast is the type of a cast around the value, in lower case.
	Cast string
	// Inputs are the placeholders, holes, columns, clocks and excluded columns inside an Expression, in order; for a
	// Placeholder with an interpolated number, the hole.
	Inputs []Operand
}

// Given returns the placeholders and holes that the operand is made of, itself included.
func (o Operand) Given() []Operand {
	var out []Operand
	if o.Kind == Placeholder || o.Kind == Hole {
		out = append(out, o)
	}
	for _, in := range o.Inputs {
		out = append(out, in.Given()...)
	}
	return out
}

// Null reports whether the operand is the constant NULL.
func (o Operand) Null() bool {
	return o.Kind == Literal && !o.Quoted && strings.EqualFold(o.Text, "NULL")
}

// SameName compares two names of columns or tables as databases do without quotes.
func SameName(a, b string) bool { return strings.EqualFold(a, b) }
