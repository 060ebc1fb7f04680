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
	p.pos = len(p.toks)
}

func (p *parser) createTable() {
	p.ifExists()
	p.table()
	p.pos = len(p.toks)
}

func (p *parser) createIndex() {
	p.pos = len(p.toks)
}

// drop reads DROP.
func (p *parser) drop() {
	st := p.st
	st.Verb = Drop
	p.pos++
	p.object()
	p.accept("CONCURRENTLY")
	p.ifExists()
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
		if !p.acceptOp(",") {
			break
		}
	}
	if p.accept("ON") {
		p.table()
	}
	p.accept("CASCADE", "RESTRICT")
}

// alter reads ALTER.
func (p *parser) alter() {
	st := p.st
	st.Verb = Alter
	p.pos++
	p.object()
	p.ifExists()
	p.accept("ONLY")
	if t, ok := p.tableName(); ok {
		st.Name = t.Name
		if st.Object == "TABLE" {
			st.Tables = append(st.Tables, t)
		}
	}
	p.pos = len(p.toks)
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
