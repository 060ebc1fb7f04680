package query

// writeTail reads ON CONFLICT, ON DUPLICATE KEY UPDATE, RETURNING and what else follows the rows of an INSERT.
func (p *parser) writeTail() {
	st := p.st
	for !p.done() {
		t := p.peek()
		switch {
		case t.is("ON") && p.at(1).is("CONFLICT"):
			p.pos += 2
			p.onConflict()
		case t.is("ON") && p.at(1).is("DUPLICATE"):
			p.pos++
			p.acceptSeq("DUPLICATE", "KEY", "UPDATE")
			p.onDuplicate()
		case t.is("RETURNING"):
			p.returning()
		case t.is("AS"):
			// MySQL's row alias: VALUES (…) AS new.
			p.pos++
			p.rowAlias()
		case t.kind == tokenHole:
			p.pos++
			st.Partial = true
		case t.op(")") || p.startsStatement():
			return
		default:
			st.Partial = true
			from := p.pos
			p.pos++
			p.skipUntil(false, "ON", "RETURNING")
			if p.pos == from {
				return
			}
		}
	}
}

// rowAlias rewrites what follows: `new.a` is the proposed value.
func (p *parser) rowAlias() {
	if !p.peek().name() {
		return
	}
	alias := p.peek().text
	p.pos++
	if p.peek().op("(") {
		p.skipParens()
	}
	p.rowName(alias)
}

// rowName makes the alias of the proposed row read as excluded, on a copy of the tokens.
func (p *parser) rowName(alias string) {
	toks := append([]token(nil), p.toks...)
	for i := p.pos; i+1 < len(toks); i++ {
		if toks[i].name() && SameName(toks[i].text, alias) && toks[i+1].op(".") {
			toks[i].text, toks[i].upper = "excluded", "EXCLUDED"
		}
	}
	p.toks = toks
}

// onConflict reads the target and the action of ON CONFLICT.
func (p *parser) onConflict() {
	c := &p.st.OnConflict
	switch {
	case p.acceptSeq("ON", "CONSTRAINT"):
		if p.peek().name() {
			c.Constraint = p.nameText(p.peek())
		}
		p.pos++
	case p.peek().op("("):
		c.Columns = p.indexColumns()
		if p.accept("WHERE") {
			from := p.pos
			p.expression()
			c.TargetWhere = p.normal(from, p.pos)
		}
	}
	if !p.accept("DO") {
		p.st.Partial = true
		p.skipUntil(false, "RETURNING")
		return
	}
	switch {
	case p.accept("NOTHING"):
		c.Kind = ConflictDoNothing
	case p.acceptSeq("UPDATE", "SET"):
		c.Kind = ConflictDoUpdate
		c.Set = append(c.Set, p.assignments()...)
		if p.accept("WHERE") {
			c.Where, c.WhereComplex = p.conditions(p.filter())
		}
	default:
		// The action is interpolated.
		p.st.Partial = true
		p.skipUntil(false, "RETURNING")
	}
}

// onDuplicate reads MySQL's assignments. `id = id` alone is the idiom for leaving the row as it is.
func (p *parser) onDuplicate() {
	c := &p.st.OnConflict
	if p.peek().kind == tokenParam || p.peek().kind == tokenHole {
		p.pos++
		c.Kind = ConflictDoUpdate
		p.st.Partial = true
		return
	}
	c.Set = p.assignments()
	c.Kind = ConflictDoNothing
	for _, a := range c.Set {
		if a.Operand.Kind != Column || !SameName(a.Operand.Name, a.Column) {
			c.Kind = ConflictDoUpdate
		}
	}
	if len(c.Set) == 0 {
		c.Kind = ConflictDoUpdate
	}
}

// indexColumns reads the parenthesised columns of an index or a conflict target. An expression is kept as normalised text.
func (p *parser) indexColumns() []string {
	var out []string
	p.pos++
	for !p.done() && !p.acceptOp(")") {
		from := p.pos
		e := p.expression()
		switch {
		case e.kind == exprLeaf && e.leaf.Kind == Column:
			out = append(out, e.leaf.Name)
		case e.kind == exprCall && len(e.args) == 1 && isNumber(e.args[0]):
			out = append(out, e.name) // MySQL's prefix length: name(191)
		case e.kind == exprLeaf && e.leaf.Kind == Literal && e.leaf.Quoted:
			out = append(out, e.leaf.Text)
		case e.from < e.to && e.kind != exprOther:
			out = append(out, p.unqualified(p.inner(e.from, e.to)))
		default:
			p.st.Partial = true
			out = append(out, p.normal(from, p.pos))
		}
		if p.pos == from {
			p.pos++
		}
		p.skipUntil(true) // operator classes, ASC, NULLS FIRST, WITH =
		p.acceptOp(",")
	}
	return out
}

func isNumber(e *expr) bool {
	_, ok := number(e)
	return ok
}

// returning reads RETURNING.
func (p *parser) returning() {
	p.pos++
	p.st.Returning = true
	for _, o := range p.outputs() {
		p.st.Returned = append(p.st.Returned, o.Output)
	}
	if p.accept("INTO") {
		p.skipUntil(false)
	}
}

// output reads T-SQL's OUTPUT.
func (p *parser) output() {
	if !p.accept("OUTPUT") {
		return
	}
	p.st.Returning = true
	for _, o := range p.outputs() {
		p.st.Returned = append(p.st.Returned, o.Output)
	}
	if p.accept("INTO") {
		if _, ok := p.tableName(); ok && p.peek().op("(") && !p.opensStatement(1) {
			p.skipParens()
		}
	}
}
