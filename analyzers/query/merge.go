package query

// merge reads MERGE.
func (p *parser) merge() {
	st := p.st
	st.Verb, st.Rows = Merge, -1
	p.pos++
	p.top()
	p.accept("INTO")
	p.table()
	if p.accept("USING") {
		p.mergeSource()
	}
	if p.accept("ON") {
		st.Where, st.WhereComplex = p.conditions(p.filter())
		for _, c := range st.Where {
			if c.Op == "=" {
				st.OnConflict.Columns = append(st.OnConflict.Columns, c.Column)
			}
		}
	}
	for p.accept("WHEN") {
		p.mergeBranch()
	}
	p.output()
	if p.peek().is("RETURNING") {
		p.returning()
	}
}

// mergeSource reads a table, a select, or T-SQL's (VALUES (…)) AS s (a, b).
func (p *parser) mergeSource() {
	p.tableRef()
	if p.peek().op("(") {
		p.skipParens()
	}
}

func (p *parser) mergeBranch() {
	st := p.st
	not := p.accept("NOT")
	p.accept("MATCHED")
	if p.accept("BY") {
		p.accept("TARGET", "SOURCE")
	}
	if p.accept("AND") {
		p.durationsIn(p.expression())
		if !not {
			st.WhereComplex = true
		}
	}
	p.accept("THEN")
	switch {
	case p.acceptSeq("UPDATE", "SET"):
		st.OnConflict.Kind = ConflictDoUpdate
		set := p.assignments()
		st.Set = append(st.Set, set...)
		st.OnConflict.Set = append(st.OnConflict.Set, set...)
	case p.accept("DELETE"):
		st.OnConflict.Kind = ConflictDoUpdate
	case p.acceptSeq("DO", "NOTHING"):
	case p.accept("INSERT"):
		if st.OnConflict.Kind == ConflictNone {
			st.OnConflict.Kind = ConflictDoNothing
		}
		p.columnList()
		if p.accept("VALUES") {
			p.valueRows()
			st.Rows = -1
		}
	default:
		st.Partial = true
		p.skipUntil(false, "WHEN", "OUTPUT", "RETURNING")
	}
}
