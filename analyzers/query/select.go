package query

// selectStatement reads SELECT or VALUES at the cursor, with its set operations and its tail.
func (p *parser) selectStatement() {
	st := p.st
	st.Verb = Select
	if p.peek().is("VALUES") {
		p.pos++
		for p.peek().op("(") {
			p.skipParens()
			if !p.acceptOp(",") {
				break
			}
		}
		if p.peek().kind == tokenHole {
			p.pos++
			st.Partial = true // any number of rows
		}
		p.selectTail()
		return
	}
	p.pos++
	for p.accept("DISTINCT", "ALL", "DISTINCTROW", "HIGH_PRIORITY", "STRAIGHT_JOIN", "SQL_CALC_FOUND_ROWS", "SQL_NO_CACHE") {
		if p.toks[p.pos-1].is("DISTINCT") && p.peek().is("ON") && p.at(1).op("(") {
			p.pos++
			p.skipParens()
		}
	}
	p.top()
	for _, o := range p.outputs() {
		st.Selected = append(st.Selected, o.Output)
		st.Columns = append(st.Columns, o.column)
	}
	if p.accept("INTO") {
		// SELECT … INTO makes a table in PostgreSQL and T-SQL; into variables in MySQL.
		if p.peek().kind == tokenParam || p.peek().is("OUTFILE", "DUMPFILE") {
			p.skipUntil(false, "FROM", "WHERE")
		} else {
			p.accept("TEMP", "TEMPORARY", "UNLOGGED")
			p.accept("TABLE")
			st.Verb, st.Object = CreateTable, "TABLE"
			p.table()
		}
	}
	p.selectTail()
}

// top reads T-SQL's TOP n.
func (p *parser) top() {
	if !p.peek().is("TOP") || !(p.at(1).op("(") || p.at(1).kind == tokenNumber || p.at(1).kind == tokenParam || p.at(1).kind == tokenHole) {
		return
	}
	p.pos++
	p.st.Limit = p.operand(p.primary())
	p.accept("PERCENT")
	p.acceptSeq("WITH", "TIES")
}

// output is an Output with the column's text for Statement.Columns.
type output struct {
	Output
	column string
	value  *expr
}

// outputs reads a select list or the list behind RETURNING.
func (p *parser) outputs() []output {
	var out []output
	for !p.done() && !p.atListEnd() {
		from := p.pos
		// T-SQL: alias = expression.
		alias := ""
		if p.peek().name() && p.at(1).op("=") && p.st.Verb == Select && len(p.peek().holes) == 0 {
			alias = p.peek().text
			p.pos += 2
		}
		e := p.expression()
		if p.pos == from {
			break
		}
		p.durationsIn(e)
		o := output{value: e}
		o.Operand = p.operand(e)
		o.Name, o.column = p.outputName(e)
		hole := e.kind == exprLeaf && e.leaf.Kind == Hole
		if hole && (p.atListEnd() || p.done() || p.peek().op(",") || p.at(1).op(".", "(")) {
			// Without an alias a hole in a select list can stand for any number of outputs.
			p.st.Partial = true
			if p.at(1).op(".", "(") && !p.peek().op(",") {
				out = append(out, o)
				continue
			}
		}
		switch {
		case alias != "":
			o.Name = alias
		case p.accept("AS"):
			if p.peek().name() || p.peek().kind == tokenString {
				o.Name = p.nameText(p.peek())
				p.pos++
			} else if p.peek().kind == tokenHole {
				o.Name = ""
				p.pos++
			}
		case p.peek().kind == tokenQuoted || p.peek().kind == tokenWord && !p.clauseAhead():
			o.Name = p.nameText(p.peek())
			p.pos++
		case p.peek().kind == tokenHole:
			// A fragment behind an output: more outputs, or a clause.
			p.st.Partial = true
			p.pos++
		}
		out = append(out, o)
		if !p.acceptOp(",") {
			break
		}
	}
	return out
}

// outputName returns the result name of an expression and its text as a column.
func (p *parser) outputName(e *expr) (name, column string) {
	switch {
	case e.kind == exprStar:
		return "*", "*"
	case e.kind == exprLeaf && e.leaf.Kind == Column:
		return e.leaf.Name, e.leaf.Name
	case e.kind == exprLeaf && e.leaf.Kind == Hole:
		return "", ""
	case e.kind == exprCall:
		name = e.name
	}
	if e.from < e.to {
		column = p.unqualified(e.from, e.to)
	}
	return name, column
}

func (p *parser) atListEnd() bool {
	t := p.peek()
	return t.op(")", ";") || t.is("FROM", "WHERE", "INTO", "GROUP", "ORDER", "LIMIT", "UNION", "RETURNING") && !p.at(1).op(".")
}

// tailWords open a clause behind a table, an output or an assignment: such a word is no alias.
var tailWords = words(`FROM WHERE GROUP ORDER HAVING LIMIT OFFSET FETCH FOR UNION INTERSECT EXCEPT MINUS RETURNING SET VALUES SELECT
JOIN INNER LEFT RIGHT FULL CROSS NATURAL OUTER STRAIGHT_JOIN ON USING WHEN WINDOW INTO AS OUTPUT WITH LOCK QUALIFY OPTION
TABLESAMPLE INDEXED NOT FORCE USE IGNORE PARTITION DEFAULT LATERAL AND OR THEN DO CONFLICT IS IN LIKE BETWEEN
COLLATE END ELSE MATCHED INSERT UPDATE DELETE MERGE BEGIN COMMIT ROLLBACK GO IF EXEC`)

func (p *parser) clauseAhead() bool { return tailWords[p.peek().upper] }

// selectTail reads FROM and what follows, and set operations.
func (p *parser) selectTail() {
	st := p.st
	if p.accept("FROM") {
		p.fromList()
	}
	for !p.done() {
		t := p.peek()
		switch {
		case t.is("WHERE"):
			p.pos++
			p.where()
		case t.is("GROUP"):
			p.pos++
			p.accept("BY")
			p.exprList()
			p.acceptSeq("WITH", "ROLLUP")
		case t.is("HAVING", "QUALIFY"):
			p.pos++
			p.durationsIn(p.expression())
		case t.is("WINDOW"):
			p.pos++
			p.skipUntil(false, "ORDER", "LIMIT", "OFFSET", "FETCH", "FOR", "UNION", "INTERSECT", "EXCEPT")
		case t.is("UNION", "INTERSECT", "EXCEPT", "MINUS"):
			p.setOperation()
		case t.is("ORDER"):
			p.orderBy()
		case t.is("LIMIT", "OFFSET", "FETCH"):
			p.limit()
		case t.is("FOR"):
			if !p.lock() {
				return
			}
		case t.is("LOCK"):
			p.pos++
			p.acceptSeq("IN", "SHARE", "MODE")
		case t.is("OPTION") && p.at(1).op("("):
			p.pos++
			p.skipParens()
		case t.kind == tokenHole:
			// An interpolated clause: it can filter, order or limit.
			p.pos++
			st.Partial, st.WhereComplex = true, true
		case t.op(")") || p.startsStatement():
			return
		default:
			from := p.pos
			if !p.skipUntil(false, "WHERE", "GROUP", "HAVING", "ORDER", "LIMIT", "OFFSET", "FETCH", "FOR", "UNION") || p.pos == from {
				return
			}
			st.Partial = true
		}
	}
}

// setOperation reads UNION and its like: the second select is a statement of its own.
func (p *parser) setOperation() {
	outer := p.st
	p.pos++
	p.accept("ALL", "DISTINCT")
	if p.peek().op("(") {
		p.subselect()
		return
	}
	from := p.pos
	sub := p.newStatement()
	p.statement()
	p.st = outer
	if p.pos == from {
		outer.Partial = true
		return
	}
	sub.Span = p.src.span(p.toks[from].start, p.toks[p.pos-1].end)
	p.finish(sub)
	outer.Subs = append(outer.Subs, sub)
	// ORDER BY and LIMIT behind the last member belong to the whole.
	outer.Limit, outer.OrderBy = sub.Limit, sub.OrderBy
}

// where reads the condition behind WHERE.
func (p *parser) where() {
	st := p.st
	if p.acceptSeq("CURRENT", "OF") {
		p.pos++
		st.WhereComplex = true
		return
	}
	if p.done() || p.atExpressionEnd() {
		st.Partial, st.WhereComplex = true, true
		return
	}
	e := p.filter()
	p.alternatives = nil
	conds, complex := p.conditions(e)
	st.Where = append(st.Where, conds...)
	st.WhereComplex = st.WhereComplex || complex
	st.Alternatives = append(st.Alternatives, p.alternatives...)
}

// filter reads a condition, in which holes that stand for whole conditions may follow without an operator.
func (p *parser) filter() *expr {
	e := p.expression()
	for p.peek().kind == tokenHole {
		from := p.pos
		p.pos++
		p.st.Partial = true
		hole := &expr{kind: exprOther, from: from, to: p.pos}
		e = &expr{kind: exprBinary, op: "AND", args: []*expr{e, hole}, from: e.from, to: p.pos}
		if p.accept("AND") {
			more := p.binary(precAnd)
			e = &expr{kind: exprBinary, op: "AND", args: []*expr{e, more}, from: e.from, to: p.pos}
		}
		for p.peek().is("AND", "OR") {
			op := p.peek().upper
			p.pos++
			more := p.binary(precAnd)
			e = &expr{kind: exprBinary, op: op, args: []*expr{e, more}, from: e.from, to: p.pos}
		}
	}
	return e
}

func (p *parser) exprList() {
	for {
		from := p.pos
		p.expression()
		if p.pos == from || !p.acceptOp(",") {
			return
		}
	}
}

func (p *parser) orderBy() {
	p.pos++
	if !p.accept("BY") {
		p.acceptSeq("SIBLINGS", "BY")
	}
	for {
		from := p.pos
		e := p.expression()
		if p.pos == from {
			return
		}
		_, column := p.outputName(e)
		p.st.OrderBy = append(p.st.OrderBy, column)
		if p.peek().kind == tokenHole {
			p.pos++
		}
		p.accept("ASC", "DESC")
		if p.accept("NULLS") {
			p.accept("FIRST", "LAST")
		}
		if !p.acceptOp(",") {
			return
		}
	}
}

// limit reads LIMIT n [OFFSET m], MySQL's LIMIT m, n, OFFSET m and FETCH FIRST n ROWS ONLY.
func (p *parser) limit() {
	st := p.st
	switch p.pos++; {
	case p.at(-1).is("LIMIT"):
		if p.accept("ALL") {
			return
		}
		st.Limit = p.operand(p.expression())
		if p.acceptOp(",") {
			st.Limit = p.operand(p.expression())
		}
	case p.at(-1).is("OFFSET"):
		p.expression()
		p.accept("ROW", "ROWS")
	default:
		p.accept("FIRST", "NEXT")
		st.Limit = Operand{Kind: Literal, Text: "1"}
		if !p.peek().is("ROW", "ROWS") {
			st.Limit = p.operand(p.expression())
		}
		p.accept("ROW", "ROWS")
		p.accept("ONLY")
		p.acceptSeq("WITH", "TIES")
	}
}

// lock reads FOR UPDATE and its like; it reports false where FOR is something else.
func (p *parser) lock() bool {
	st := p.st
	switch {
	case p.acceptSeq("FOR", "UPDATE"), p.acceptSeq("FOR", "NO", "KEY", "UPDATE"):
		st.ForUpdate = true
	case p.acceptSeq("FOR", "SHARE"), p.acceptSeq("FOR", "KEY", "SHARE"):
	case p.at(1).is("JSON", "XML", "BROWSE", "SYSTEM_TIME"):
		p.skipUntil(false, "OPTION")
		return true
	default:
		return false
	}
	if p.accept("OF") {
		for p.peek().name() {
			p.pos++
			if !p.acceptOp(",", ".") {
				break
			}
		}
	}
	switch {
	case p.acceptSeq("SKIP", "LOCKED"):
		st.SkipLocked = true
	case p.accept("NOWAIT"):
		st.NoWait = true
	case p.accept("WAIT"):
		p.primary()
	}
	return true
}
