package query

import "strings"

// fromList reads the tables of FROM, USING or a MySQL multi-table UPDATE.
func (p *parser) fromList() {
	for {
		from := p.pos
		p.tableRef()
		for p.join() {
		}
		if p.pos == from || !p.acceptOp(",") {
			return
		}
	}
}

// join reads one JOIN with its condition.
func (p *parser) join() bool {
	n := 0
	for p.at(n).is("NATURAL", "INNER", "LEFT", "RIGHT", "FULL", "OUTER", "CROSS", "SEMI", "ANTI", "ASOF") {
		n++
	}
	if n > 0 && p.at(n).is("APPLY") {
		p.pos += n + 1
		p.tableRef()
		return true
	}
	if !p.at(n).is("JOIN", "STRAIGHT_JOIN") {
		return false
	}
	p.pos += n + 1
	p.tableRef()
	switch {
	case p.accept("ON"):
		conds, _ := p.conditions(p.filter())
		p.st.Joins = append(p.st.Joins, conds...)
	case p.peek().is("USING") && p.at(1).op("("):
		p.pos++
		p.skipParens()
		if p.accept("AS") {
			p.pos++
		}
	}
	return true
}

// tableRef reads one entry of FROM: a table, a nested select, a function, or a join in parentheses.
func (p *parser) tableRef() {
	p.accept("LATERAL")
	p.acceptSeq("ROWS", "FROM")
	switch {
	case p.peek().op("(") && p.opensStatement(1):
		p.subselect()
		p.alias()
	case p.peek().op("("):
		if p.depth >= maxDepth {
			p.st.Partial = true
			p.skipParens()
			return
		}
		p.depth++
		p.pos++
		p.fromList()
		p.depth--
		if !p.acceptOp(")") {
			p.st.Partial = true
			p.skipToClose()
		}
		p.alias()
	case p.peek().is("DUAL") && !p.at(1).op("."):
		p.pos++
	case p.functionAhead():
		p.expression()
		p.acceptSeq("WITH", "ORDINALITY")
		p.alias()
	default:
		p.table()
	}
}

// functionAhead says that a table function stands in FROM: unnest($1), json_each(t.data). T-SQL's old table hints look alike.
func (p *parser) functionAhead() bool {
	n := 0
	for p.at(n).name() && p.at(n+1).op(".") {
		n += 2
	}
	return p.at(n).name() && p.at(n+1).op("(") && !p.at(n+2).is("NOLOCK", "UPDLOCK", "ROWLOCK", "HOLDLOCK")
}

// table reads a table's name, its alias and its hints, and adds it to the statement.
func (p *parser) table() {
	p.accept("ONLY")
	t, ok := p.tableName()
	if !ok {
		p.st.Partial = true
		return
	}
	p.acceptOp("*")
	t.Alias = p.alias()
	p.hints()
	if t.Alias == "" {
		t.Alias = p.alias() // T-SQL: t WITH (UPDLOCK) AS x
	}
	if t.Schema == "" && t.Hole < 0 {
		for _, name := range p.ctes {
			if SameName(name, t.Name) {
				return
			}
		}
	}
	p.st.Tables = append(p.st.Tables, t)
}

// tableName reads a possibly qualified name.
func (p *parser) tableName() (Table, bool) {
	t := Table{Hole: -1}
	first := p.peek()
	switch {
	case first.kind == tokenHole, first.kind == tokenParam, first.kind == tokenQuoted, first.kind == tokenString:
	case first.kind == tokenWord && !reserved[first.upper]:
	default:
		return t, false
	}
	from := p.pos
	last := first
	p.pos++
	for p.peek().op(".") {
		for p.acceptOp(".") {
		}
		next := p.peek()
		if !next.name() && next.kind != tokenHole {
			break
		}
		t.Schema = p.nameText(last)
		if last.kind == tokenHole {
			t.Schema = ""
		}
		last = next
		p.pos++
	}
	t.Span = p.src.span(p.toks[from].start, p.toks[p.pos-1].end)
	switch {
	case len(last.holes) > 0:
		t.Hole = last.holes[0]
		t.Prefix, _, _ = strings.Cut(last.text, "\x00")
	case last.kind == tokenParam && last.text == "??" || last.kind == tokenParam && last.text == "":
		// mysqljs' identifier placeholder: the name is not known.
	case last.kind == tokenParam:
		t.Name = "@" + last.text
	default:
		t.Name = last.text
	}
	return t, true
}

// alias reads an alias with its column list.
func (p *parser) alias() string {
	name := ""
	switch {
	case p.accept("AS"):
		if p.peek().name() || p.peek().kind == tokenHole {
			name = p.nameText(p.peek())
			p.pos++
		}
	case p.peek().kind == tokenQuoted, p.peek().kind == tokenWord && !p.clauseAhead() && !p.startsStatement():
		name = p.nameText(p.peek())
		p.pos++
	default:
		return ""
	}
	if p.peek().op("(") && !p.at(1).is("NOLOCK", "UPDLOCK", "ROWLOCK", "HOLDLOCK") {
		p.skipParens() // the names of its columns
	}
	return name
}

// hints reads T-SQL's table hints and the index hints of MySQL and SQLite.
func (p *parser) hints() {
	for {
		switch {
		case p.peek().is("WITH") && p.at(1).op("("):
			p.pos++
			p.hintList()
		case p.peek().op("(") && p.at(1).is("NOLOCK", "UPDLOCK", "ROWLOCK", "HOLDLOCK"):
			p.hintList()
		case p.peek().is("FORCE", "USE", "IGNORE") && p.at(1).is("INDEX", "KEY"):
			p.skipUntil(true, "WHERE", "SET", "ORDER", "LIMIT", "FOR", "ON", "JOIN", "LEFT", "INNER", "GROUP")
		case p.acceptSeq("INDEXED", "BY"):
			if p.peek().name() {
				p.pos++
			}
		case p.acceptSeq("NOT", "INDEXED"):
		case p.peek().is("PARTITION") && p.at(1).op("("):
			p.pos++
			p.skipParens()
		case p.peek().is("TABLESAMPLE"):
			p.skipUntil(true, "WHERE", "ORDER", "LIMIT", "FOR", "GROUP")
		default:
			return
		}
	}
}

func (p *parser) hintList() {
	from := p.pos
	p.skipParens()
	for i := from; i < p.pos; i++ {
		switch t := &p.toks[i]; {
		case t.is("UPDLOCK", "XLOCK", "TABLOCKX"):
			p.st.ForUpdate = true
		case t.is("READPAST"):
			p.st.SkipLocked = true
		case t.is("NOWAIT"):
			p.st.NoWait = true
		}
	}
}
