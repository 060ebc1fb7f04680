package flow

import "github.com/retrysafe/retrysafe/analyzers/query"

// Statement is a statement of a query with its placeholders bound to the values that the call passes.
type Statement struct {
	query.Statement
	// Bind gives the value of an operand: the argument of a placeholder, the value in a hole, a literal.
	Bind func(query.Operand) *Term
}
