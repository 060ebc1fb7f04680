package query

import "strings"

// insert reads INSERT and REPLACE.
func (p *parser) insert() {
	st := p.st
	st.Verb, st.Rows = Insert, -1
	if p.peek().is("REPLACE") {
		p.replacing()
	}
	p.pos++
	p.orAction()
	for p.accept("LOW_PRIORITY", "DELAYED", "HIGH_PRIORITY", "IGNORE") {
		if p.toks[p.pos-1].is("IGNORE") {
			st.OnConflict.Kind = ConflictDoNothing
		}
	}
	if p.peek().kind == tokenHole && p.at(1).is("INTO") {
		// INSERT ${ignore} INTO t: what it does with a row in the way is not known.
		st.Partial = true
		p.pos++
	}
	p.top()
	if !p.accept("INTO") {
		p.accept("OVERWRITE", "TABLE")
	}
	p.target()
	p.columnList()
	p.output()
	if p.accept("OVERRIDING") {
		p.accept("SYSTEM", "USER")
		p.accept("VALUE")
	}
	p.source()
	p.writeTail()
}

// replacing notes that a row in the way is deleted and written anew.
func (p *parser) replacing() {
	p.st.Verb = Replace
	p.st.OnConflict.Kind = ConflictDoUpdate
}

// orAction reads SQLite's OR IGNORE and its like.
func (p *parser) orAction() {
	if !p.peek().is("OR") {
		return
	}
	p.pos++
	switch {
	case p.accept("IGNORE"):
		p.st.OnConflict.Kind = ConflictDoNothing
	case p.accept("REPLACE"):
		if p.st.Verb == Insert {
			p.replacing()
		}
	default:
		p.accept("ABORT", "FAIL", "ROLLBACK")
	}
}

// target reads the table of a write; the column list behind it is not taken for an alias.
func (p *parser) target() {
	t, ok := p.tableName()
	if !ok {
		p.st.Partial = true
		return
	}
	if p.accept("AS") && p.peek().name() {
		t.Alias = p.nameText(p.peek())
		p.pos++
	} else if p.peek().name() && !p.clauseAhead() && !p.peek().is("VALUE", "OVERRIDING", "SELECT") {
		t.Alias = p.nameText(p.peek())
		p.pos++
	}
	p.hints()
	p.st.Tables = append(p.st.Tables, t)
}

// columnList reads the columns of an INSERT. A hole in it can stand for any number of columns, so that none is known.
func (p *parser) columnList() {
	if !p.peek().op("(") || p.opensStatement(1) {
		return
	}
	names, ok := p.names()
	if !ok {
		p.st.Partial = true
		return
	}
	p.st.Columns = names
}

// names reads a parenthesised list of names. ok is false where something else stands in it.
func (p *parser) names() (out []string, ok bool) {
	ok = true
	p.pos++
	for !p.done() && !p.acceptOp(")") {
		t := p.peek()
		switch {
		case t.name() && len(t.holes) == 0:
			for p.at(1).op(".") && p.at(2).name() {
				p.pos += 2
			}
			out = append(out, p.peek().text)
		case t.kind == tokenString && len(t.holes) == 0:
			out = append(out, t.text)
		default:
			ok = false
		}
		p.pos++
		if !p.peek().op(",", ")") {
			ok = ok && p.done()
			p.skipUntil(true)
		}
		p.acceptOp(",")
	}
	if !ok {
		return nil, false
	}
	return out, true
}

// source reads where the rows of an INSERT come from.
func (p *parser) source() {
	st := p.st
	switch {
	case p.accept("VALUES", "VALUE"):
		p.valueRows()
	case p.acceptSeq("DEFAULT", "VALUES"):
		st.Rows = 1
	case p.accept("SET"):
		p.insertSet()
	case p.peek().is("SELECT", "WITH", "TABLE") || p.peek().op("(") && p.opensStatement(1):
		p.insertSelect()
	case p.peek().kind == tokenHole:
		// A helper that expands to columns and values.
		st.Values = append(st.Values, p.operand(p.primary()))
		st.Columns = nil
		st.Partial = true
	case p.peek().is("EXEC", "EXECUTE"):
		st.Partial = true
		p.skipUntil(false)
	default:
		st.Partial = true
		p.skipUntil(false, "ON", "RETURNING")
	}
}

// valueRows reads VALUES: the first row, and how many there are.
func (p *parser) valueRows() {
	st := p.st
	for rows := 0; ; rows++ {
		p.accept("ROW")
		if !p.peek().op("(") {
			// VALUES ${rows}, VALUES ?: any number of rows.
			if p.peek().kind == tokenHole || p.peek().kind == tokenParam {
				v := p.operand(p.primary())
				if rows == 0 {
					st.Values = []Operand{v}
				}
			}
			st.Partial = st.Partial || rows == 0
			st.Rows = -1
			return
		}
		if rows > 0 {
			st.Rows = rows + 1
			p.skipParens()
		} else {
			p.firstRow()
			st.Rows = 1
		}
		if p.peek().kind == tokenHole {
			// More rows, or what to do on a conflict.
			p.pos++
			st.Rows, st.Partial = -1, true
			return
		}
		if !p.acceptOp(",") {
			return
		}
	}
}

func (p *parser) firstRow() {
	st := p.st
	p.pos++
	for !p.done() && !p.peek().op(")") {
		from := p.pos
		e := p.expression()
		v := p.operand(e)
		if e.quote == '"' {
			// No column can stand in VALUES: it is a string of MySQL or SQLite.
			v = Operand{Kind: Literal, Text: e.leaf.Name, Quoted: true}
		}
		if i := len(st.Values); i < len(st.Columns) {
			p.assignTime(st.Columns[i], e)
		} else {
			p.assignTime("", e)
		}
		st.Values = append(st.Values, v)
		if p.pos == from {
			st.Values = st.Values[:len(st.Values)-1]
			break
		}
		if !p.acceptOp(",") {
			break
		}
	}
	if !p.acceptOp(")") {
		st.Partial = true
		p.skipToClose()
	}
	if len(st.Columns) > 0 && len(st.Values) != len(st.Columns) {
		st.Partial = true
	}
}

// insertSet reads MySQL's INSERT … SET column = value.
func (p *parser) insertSet() {
	st := p.st
	if k := p.peek().kind; k == tokenParam || k == tokenHole {
		// An object that the driver expands.
		st.Values = append(st.Values, p.operand(p.primary()))
		st.Partial = true
		return
	}
	for _, a := range p.assignments() {
		st.Columns = append(st.Columns, a.Column)
		st.Values = append(st.Values, a.Operand)
	}
	st.Rows = 1
}

// insertSelect reads INSERT … SELECT: the outputs are the values.
func (p *parser) insertSelect() {
	st := p.st
	from := p.pos
	var sub *Statement
	if p.peek().op("(") {
		sub = p.nested()
	} else {
		sub = p.newStatement()
		p.statementBeforeConflict()
		p.st = st
		if p.pos > from {
			sub.Span = p.src.span(p.toks[from].start, p.toks[p.pos-1].end)
		}
		p.finish(sub)
	}
	st.Subs = append(st.Subs, sub)
	for i, o := range sub.Selected {
		if o.Name == "*" {
			st.Values, st.Partial = nil, true
			break
		}
		st.Values = append(st.Values, o.Operand)
		if i < len(st.Columns) {
			for j := range sub.Intervals {
				if sub.Intervals[j].Column == "" && strings.Contains(o.Operand.Text, "nterval") {
					sub.Intervals[j].Column = st.Columns[i]
				}
			}
		}
	}
	st.Rows = -1
	if len(st.Columns) > 0 && len(st.Values) != len(st.Columns) {
		st.Partial = true
	}
}

// statementBeforeConflict reads a select whose tail ends at ON CONFLICT or RETURNING.
func (p *parser) statementBeforeConflict() {
	whole := p.toks
	depth := 0
	for i := p.pos; i < len(p.toks); i++ {
		t := &p.toks[i]
		if t.op("(") {
			depth++
		}
		if t.op(")") {
			depth--
		}
		if depth == 0 && (t.is("RETURNING") || t.is("ON") && i+1 < len(p.toks) && p.toks[i+1].is("CONFLICT", "DUPLICATE")) {
			p.toks = p.toks[:i]
			break
		}
		if depth < 0 {
			break
		}
	}
	p.statement()
	p.toks = whole
}
