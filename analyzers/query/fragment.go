package query

// Where reads a condition on its own, as query builders take it: "key = ? AND owner = ?", with or without the word WHERE.
// The result has the verb Unknown and what the conditions say.
func Where(pieces []Piece) Statement {
	p := newParser(pieces)
	st := p.newStatement()
	p.accept("WHERE", "AND")
	p.where()
	p.rest(st)
	return *st
}

// Assign reads the value that a query builder stores in a column: Expr("n + ?", 1). A hole that stands for a column of the
// same table should be given as the text of its name, so that n + 1 is recognised as an increment.
func Assign(column string, pieces []Piece) Assignment {
	p := newParser(pieces)
	st := p.newStatement()
	a := p.assign(column, p.expression())
	p.rest(st)
	return a
}

func newParser(pieces []Piece) *parser {
	src := join(pieces)
	return &parser{src: src, toks: lex(src)}
}

// rest settles a fragment: what follows it was not read.
func (p *parser) rest(st *Statement) {
	if !p.done() {
		st.Partial, st.WhereComplex = true, true
	}
	if len(p.toks) > 0 {
		st.Span = p.src.span(p.toks[0].start, p.toks[len(p.toks)-1].end)
	}
	p.finish(st)
}
