package query

// update reads UPDATE.
func (p *parser) update() {
	st := p.st
	st.Verb = Update
	p.pos++
	p.orAction()
	p.accept("LOW_PRIORITY")
	p.accept("IGNORE")
	p.top()
	p.fromList()
	if !p.accept("SET") {
		st.Partial = true
		if p.skipUntil(false, "SET", "WHERE", "RETURNING", "FROM"); !p.accept("SET") {
			p.rowsTail()
			return
		}
	}
	if k := p.peek().kind; k == tokenParam && !p.at(1).op("=") || k == tokenHole && !p.at(1).op("=", ".") {
		// SET ?, SET ${assignments}: expanded by the driver or built elsewhere.
		p.pos++
		st.Partial = true
		if p.acceptOp(",") {
			st.Set = p.assignments()
		}
	} else {
		st.Set = p.assignments()
	}
	p.rowsTail()
}

// deletion reads DELETE.
func (p *parser) deletion() {
	st := p.st
	st.Verb = Delete
	p.pos++
	for p.accept("LOW_PRIORITY", "QUICK", "IGNORE") {
	}
	p.top()
	if !p.peek().is("FROM") && p.deletesFromJoin() {
		// MySQL: DELETE t FROM t JOIN …: the names before FROM are tables or aliases listed behind it.
		name := p.nameText(p.peek())
		p.skipUntil(false, "FROM")
		p.pos++
		p.fromList()
		p.targetFirst(name)
		p.rowsTail()
		return
	}
	p.accept("FROM")
	p.fromList()
	p.rowsTail()
}

func (p *parser) deletesFromJoin() bool {
	n := 0
	for p.at(n).name() && !p.at(n).is("FROM", "WHERE") {
		n++
		if p.at(n).op(".") && p.at(n+1).op("*") {
			n += 2
		}
		if !p.at(n).op(",", ".") {
			break
		}
		n++
	}
	return n > 0 && p.at(n).is("FROM")
}

// targetFirst moves the table of the given name or alias to the front.
func (p *parser) targetFirst(name string) {
	tables := p.st.Tables
	for i, t := range tables {
		if name != "" && (SameName(t.Alias, name) || t.Alias == "" && SameName(t.Name, name)) {
			copy(tables[1:i+1], tables[:i])
			tables[0] = t
			return
		}
	}
}

// rowsTail reads FROM, USING, OUTPUT, WHERE, ORDER BY, LIMIT and RETURNING of UPDATE and DELETE.
func (p *parser) rowsTail() {
	st := p.st
	for !p.done() {
		t := p.peek()
		switch {
		case t.is("FROM", "USING"):
			first := len(st.Tables)
			p.pos++
			p.fromList()
			if first == 1 {
				p.resolveAlias()
			}
		case t.is("OUTPUT"):
			p.output()
		case t.is("WHERE"):
			p.pos++
			p.where()
		case t.is("ORDER"):
			p.orderBy()
		case t.is("LIMIT", "OFFSET", "FETCH"):
			p.limit()
		case t.is("RETURNING"):
			p.returning()
		case t.is("OPTION") && p.at(1).op("("):
			p.pos++
			p.skipParens()
		case t.kind == tokenHole:
			p.pos++
			st.Partial, st.WhereComplex = true, true
		case t.op(")") || p.startsStatement():
			return
		default:
			st.Partial = true
			if !p.skipUntil(false, "FROM", "USING", "WHERE", "ORDER", "LIMIT", "RETURNING", "OUTPUT") {
				return
			}
		}
	}
}

// resolveAlias handles T-SQL's UPDATE x SET … FROM orders x: the first name is an alias of a later table.
func (p *parser) resolveAlias() {
	tables := p.st.Tables
	for i := 1; i < len(tables); i++ {
		if tables[0].Schema == "" && tables[0].Name != "" && SameName(tables[i].Alias, tables[0].Name) {
			p.st.Tables = append([]Table{tables[i]}, append(append([]Table(nil), tables[1:i]...), tables[i+1:]...)...)
			return
		}
	}
}
