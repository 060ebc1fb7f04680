package query

// objectWords are what CREATE, DROP and ALTER can concern.
var objectWords = words(`TABLE INDEX VIEW TYPE SEQUENCE FUNCTION PROCEDURE PROC TRIGGER SCHEMA DATABASE EXTENSION ROLE USER POLICY
DOMAIN EVENT PUBLICATION SUBSCRIPTION RULE STATISTICS AGGREGATE OPERATOR CAST COLLATION LOGIN SERVER TABLESPACE`)

// object reads the words up to and including the kind of object: OR REPLACE UNLOGGED TABLE, UNIQUE CLUSTERED INDEX.
func (p *parser) object() {
	st := p.st
	for n := 0; n < 14 && !p.done(); n++ {
		t := p.peek()
		if t.kind == tokenWord && objectWords[t.upper] {
			st.Object = t.upper
			p.pos++
			return
		}
		if t.op("(", ";") || t.kind == tokenHole {
			break
		}
		if t.is("UNIQUE") {
			st.Unique = true
		}
		p.pos++
	}
	st.Partial = true
}

func (p *parser) ifExists() {
	switch {
	case p.acceptSeq("IF", "NOT", "EXISTS"):
		p.st.IfNotExists = true
	case p.acceptSeq("IF", "EXISTS"):
		p.st.IfExists = true
	}
}

// create reads CREATE.
func (p *parser) create() {
	st := p.st
	p.pos++
	p.object()
	switch st.Object {
	case "TABLE":
		st.Verb = CreateTable
		p.createTable()
		return
	case "INDEX":
		st.Verb = CreateIndex
		p.createIndex()
		return
	}
	st.Verb = Create
	p.ifExists()
	if t, ok := p.tableName(); ok {
		st.Name = t.Name
	}
	p.skipRest()
}

// createTable reads the columns and constraints of a table.
func (p *parser) createTable() {
	st := p.st
	p.ifExists()
	from := p.pos
	t, ok := p.tableName()
	if !ok {
		st.Partial = true
		p.skipRest()
		return
	}
	st.Name = t.Name
	st.Tables = append(st.Tables, t)
	d := &schemaStep{kind: stepCreate, table: t, offset: p.toks[from].start, ifNotExists: st.IfNotExists}
	switch {
	case p.accept("LIKE"):
		p.likeTable(d)
	case p.acceptSeq("PARTITION", "OF"):
		p.likeTable(d)
	case p.peek().op("(") && !p.opensStatement(1):
		p.pos++
		for !p.done() && !p.peek().op(")") {
			at := p.pos
			p.tableElement(d)
			if p.skipUntil(true) {
				d.partial = true
			}
			if !p.acceptOp(",") || p.pos == at {
				break
			}
		}
		if !p.acceptOp(")") {
			d.partial = true
		}
	default:
		// CREATE TABLE … AS SELECT, a virtual table: the columns are not listed.
		d.partial, d.unlisted = true, true
	}
	for _, c := range d.columns {
		st.Columns = append(st.Columns, c.Name)
	}
	// Options (ENGINE =, WITHOUT ROWID, PARTITION BY) matter to nobody here; a select that fills the table does.
	for !p.done() && !p.startsStatement() {
		if p.peek().is("SELECT") || p.peek().op("(") && p.opensStatement(1) {
			p.createAs()
			break
		}
		if p.peek().op("(") {
			p.skipParens()
			continue
		}
		p.pos++
	}
	st.Partial = st.Partial || d.partial && !d.unlisted
	if t.Known() {
		st.steps = append(st.steps, *d)
	}
}

func (p *parser) createAs() {
	if p.peek().op("(") {
		p.subselect()
		return
	}
	outer, from := p.st, p.pos
	sub := p.newStatement()
	p.statement()
	p.st = outer
	sub.Span = p.src.span(p.toks[from].start, p.toks[p.pos-1].end)
	p.finish(sub)
	outer.Subs = append(outer.Subs, sub)
}

// likeTable reads the table that a definition is copied from.
func (p *parser) likeTable(d *schemaStep) {
	if other, ok := p.tableName(); ok {
		d.like = append(d.like, other)
	}
}

// tableElement reads one column or one constraint of CREATE TABLE or ALTER TABLE … ADD.
func (p *parser) tableElement(d *schemaStep) {
	at := p.peek().start
	name := ""
	if p.accept("CONSTRAINT") {
		if p.peek().name() && !p.peek().is("UNIQUE", "PRIMARY", "CHECK", "FOREIGN") {
			name = p.nameText(p.peek())
			p.pos++
		}
	}
	switch {
	case p.peek().is("PRIMARY") && p.at(1).is("KEY"):
		p.pos += 2
		p.accept("CLUSTERED", "NONCLUSTERED")
		p.indexMethod()
		p.skipIndexName()
		if p.peek().op("(") {
			d.primary = p.indexColumns()
			d.primaryName = name
		}
		p.skipUntil(true)
	case p.peek().is("UNIQUE"):
		p.pos++
		p.uniqueConstraint(d, name, at)
	case p.peek().is("FOREIGN") && p.at(1).is("KEY"), p.peek().is("CHECK") && p.at(1).op("("),
		p.peek().is("EXCLUDE") && (p.at(1).is("USING") || p.at(1).op("(")), p.peek().is("PERIOD") && p.at(1).is("FOR"),
		p.peek().is("FULLTEXT", "SPATIAL") && (p.at(1).is("KEY", "INDEX") || p.at(1).op("(") || p.at(2).op("(")),
		p.plainIndex():
		p.skipUntil(true)
	case p.accept("LIKE"):
		p.likeTable(d)
		p.skipUntil(true)
	case p.peek().name() && len(p.peek().holes) == 0:
		p.columnDef(d)
	default:
		d.partial = true
	}
}

// plainIndex tells MySQL's KEY name (columns) from a column that is called key or index.
func (p *parser) plainIndex() bool {
	if !p.peek().is("KEY", "INDEX") {
		return false
	}
	n := 1
	if p.at(n).name() {
		n++
	}
	if p.at(n).is("USING") {
		n += 2
	}
	return p.at(n).op("(") && (p.at(n+1).name() || p.at(n+1).op("("))
}

func (p *parser) skipIndexName() {
	if p.peek().name() && !p.peek().is("USING") {
		p.pos++
	}
	p.indexMethod()
}

func (p *parser) indexMethod() {
	if p.accept("USING") && p.peek().name() && !p.peek().is("INDEX") {
		p.pos++
	}
}

// uniqueConstraint reads what follows UNIQUE in a table constraint.
func (p *parser) uniqueConstraint(d *schemaStep, name string, at int) {
	u := Unique{Name: name, Line: at}
	p.accept("KEY", "INDEX")
	p.accept("CLUSTERED", "NONCLUSTERED")
	if p.acceptSeq("USING", "INDEX") {
		// The index becomes the constraint, under its name.
		if p.peek().name() {
			d.usingIndex = append(d.usingIndex, [2]string{p.nameText(p.peek()), name})
			p.pos++
		}
		p.skipUntil(true)
		return
	}
	switch {
	case p.acceptSeq("NULLS", "NOT", "DISTINCT"):
		u.NullsNotDistinct = true
	case p.acceptSeq("NULLS", "DISTINCT"):
	}
	p.indexMethod()
	if p.peek().name() && p.at(1).op("(") || p.peek().name() && p.at(1).is("USING") {
		if u.Name == "" {
			u.Name = p.nameText(p.peek())
		}
		p.pos++
	}
	p.indexMethod()
	if !p.peek().op("(") {
		d.partial = true
		return
	}
	u.Columns = p.indexColumns()
	if p.acceptSeq("NULLS", "NOT", "DISTINCT") {
		u.NullsNotDistinct = true
	}
	d.uniques = append(d.uniques, u)
	p.skipUntil(true)
}

// createIndex reads CREATE INDEX.
func (p *parser) createIndex() {
	st := p.st
	from := p.pos
	p.accept("CONCURRENTLY")
	p.ifExists()
	if p.peek().name() && !p.peek().is("ON", "USING") {
		for p.at(1).op(".") && p.at(2).name() {
			p.pos += 2
		}
		st.Name = p.nameText(p.peek())
		p.pos++
	}
	p.indexMethod()
	if !p.accept("ON") {
		st.Partial = true
		p.skipRest()
		return
	}
	p.accept("ONLY")
	t, ok := p.tableName()
	if !ok {
		st.Partial = true
		p.skipRest()
		return
	}
	st.Tables = append(st.Tables, t)
	p.indexMethod()
	if !p.peek().op("(") {
		st.Partial = true
		p.restOfLine()
		return
	}
	u := Unique{Name: st.Name, Line: p.toks[max(from-1, 0)].start}
	u.Columns = p.indexColumns()
	st.Columns = u.Columns
	for !p.done() && !p.startsStatement() {
		switch {
		case p.acceptSeq("NULLS", "NOT", "DISTINCT"):
			u.NullsNotDistinct = true
		case p.accept("WHERE"):
			u.Where = p.predicate()
		case p.peek().op("("):
			p.skipParens()
		default:
			p.pos++
		}
	}
	if st.Unique && t.Known() {
		st.steps = append(st.steps, schemaStep{kind: stepAddUnique, table: t, uniques: []Unique{u}, offset: u.Line, ifNotExists: st.IfNotExists})
	}
}

// predicate reads the condition of a partial index and returns its text, outer parentheses dropped.
func (p *parser) predicate() string {
	from := p.pos
	p.expression()
	return p.normal(p.inner(from, p.pos))
}

// drop reads DROP.
func (p *parser) drop() {
	st := p.st
	st.Verb = Drop
	at := p.peek().start
	p.pos++
	p.object()
	p.accept("CONCURRENTLY")
	p.ifExists()
	kind := stepKind(0)
	switch st.Object {
	case "TABLE":
		kind = stepDropTable
	case "INDEX":
		kind = stepDropIndex
	}
	for {
		t, ok := p.tableName()
		if !ok {
			st.Partial = true
			break
		}
		if st.Name == "" {
			st.Name = t.Name
		}
		if st.Object == "TABLE" {
			st.Tables = append(st.Tables, t)
		}
		if kind != 0 && t.Known() {
			st.steps = append(st.steps, schemaStep{kind: kind, table: t, name: t.Name, offset: at})
		}
		if !p.acceptOp(",") {
			break
		}
	}
	if p.accept("ON") {
		p.table()
	}
	p.accept("CASCADE", "RESTRICT")
}

// truncate reads TRUNCATE.
func (p *parser) truncate() {
	st := p.st
	st.Verb = Truncate
	p.pos++
	p.accept("TABLE")
	p.accept("ONLY")
	for {
		t, ok := p.tableName()
		if !ok {
			st.Partial = true
			break
		}
		st.Tables = append(st.Tables, t)
		if !p.acceptOp(",") {
			break
		}
	}
	p.restOfLine()
}
