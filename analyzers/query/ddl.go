package query

import "strings"

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

// columnWords open an option of a column: such a word is no type.
var columnWords = words(`PRIMARY NOT NULL DEFAULT UNIQUE REFERENCES CHECK CONSTRAINT COLLATE GENERATED AUTO_INCREMENT AUTOINCREMENT
IDENTITY COMMENT ON KEY AS STORED VIRTUAL FIRST AFTER ALWAYS CHARACTER CHARSET COMPRESSION STORAGE INVISIBLE VISIBLE SPARSE ROWGUIDCOL`)

// columnDef reads one column with its options.
func (p *parser) columnDef(d *schemaStep) {
	c := ColumnDef{Name: p.peek().text, Line: p.peek().start}
	p.pos++
	for p.acceptOp(".") && p.peek().name() { // a qualified name in odd dumps
		c.Name = p.peek().text
		p.pos++
	}
	if t := p.peek(); t.name() && !(t.kind == tokenWord && columnWords[t.upper] && !t.is("CHARACTER")) {
		c.Type = p.typeName()
		if c.Type == "" {
			d.partial = true
		}
	}
	if strings.Contains(c.Type, "serial") || c.Type == "rowversion" {
		c.Default, c.NotNull = SerialDefault, true
	}
	for !p.done() && !p.peek().op(",", ")") && !p.startsStatement() {
		from := p.pos
		p.columnOption(d, &c)
		if p.pos == from {
			p.pos++
			if p.toks[from].kind == tokenHole {
				d.partial = true
			}
		}
	}
	d.columns = append(d.columns, c)
}

// columnOption reads one option; it moves over nothing where it knows none.
func (p *parser) columnOption(d *schemaStep, c *ColumnDef) {
	at := p.peek().start
	name := ""
	if p.accept("CONSTRAINT") && p.peek().name() {
		name = p.nameText(p.peek())
		p.pos++
	}
	switch {
	case p.acceptSeq("NOT", "NULL"):
		c.NotNull = true
	case p.accept("NULL"):
	case p.accept("DEFAULT"):
		p.defaultOf(c)
	case p.acceptSeq("PRIMARY", "KEY"):
		d.primary, d.primaryName = []string{c.Name}, name
		c.NotNull = true
		p.accept("CLUSTERED", "NONCLUSTERED")
		p.accept("ASC", "DESC")
	case p.accept("UNIQUE"):
		u := Unique{Name: name, Columns: []string{c.Name}, Line: at}
		p.accept("KEY")
		if p.acceptSeq("NULLS", "NOT", "DISTINCT") {
			u.NullsNotDistinct = true
		} else {
			p.acceptSeq("NULLS", "DISTINCT")
		}
		p.accept("CLUSTERED", "NONCLUSTERED")
		d.uniques = append(d.uniques, u)
	case p.accept("AUTO_INCREMENT", "AUTOINCREMENT", "IDENTITY"):
		c.Default = SerialDefault
	case p.accept("GENERATED"):
		p.accept("ALWAYS")
		p.acceptSeq("BY", "DEFAULT")
		p.acceptSeq("ON", "NULL")
		p.accept("AS")
		if p.accept("IDENTITY") {
			c.Default = SerialDefault
			break
		}
		c.Default = ExpressionDefault
	case p.acceptSeq("ON", "UPDATE"), p.acceptSeq("ON", "DELETE"), p.acceptSeq("ON", "CONFLICT"):
		if p.accept("SET", "NO") {
			p.accept("NULL", "DEFAULT", "ACTION")
			break
		}
		if !p.accept("CASCADE", "RESTRICT", "IGNORE", "REPLACE", "ABORT", "FAIL", "ROLLBACK") {
			p.primary()
		}
	case p.accept("REFERENCES"):
		p.tableName()
	case p.accept("COLLATE", "COMMENT", "CHARSET"):
		p.pos++
	}
	if p.peek().op("(") {
		p.skipParens()
	}
}

// defaultOf reads a column's default.
func (p *parser) defaultOf(c *ColumnDef) {
	from := p.pos
	e := p.binary(precCompare)
	if p.pos == from {
		return
	}
	c.DefaultText = p.src.show(p.toks[from].start, p.toks[p.pos-1].end)
	c.Default = defaultKind(e)
}

// fresh are functions that make an identifier no other row has.
var fresh = map[string]bool{
	"gen_random_uuid": true, "uuid_generate_v4": true, "uuid_generate_v1": true, "uuid_generate_v1mc": true, "uuid_generate_v7": true,
	"uuidv4": true, "uuidv7": true, "uuid": true, "uuid_v4": true, "uuid_v7": true, "newid": true, "newsequentialid": true,
	"gen_random_bytes": true, "randomblob": true, "random": true, "rand": true, "nanoid": true, "cuid": true, "ulid": true,
	"gen_ulid": true, "generate_ulid": true, "unordered_unique_rowid": true, "sys_guid": true, "uuid_to_bin": true, "gen_cuid": true, "xid": true,
}

func defaultKind(e *expr) DefaultKind {
	if e.kind == exprLeaf {
		switch e.leaf.Kind {
		case Literal:
			if e.leaf.Null() {
				return NoDefault
			}
			return ConstantDefault
		case Now:
			return NowDefault
		case Column:
			return ConstantDefault // DEFAULT "x" of SQLite
		}
		return ExpressionDefault
	}
	kind := ExpressionDefault
	e.walk(func(x *expr) {
		switch {
		case x.kind == exprCall && fresh[x.name]:
			kind = RandomDefault
		case x.kind == exprCall && x.name == "nextval" && kind != RandomDefault:
			kind = SerialDefault
		case kind == ExpressionDefault && (x.kind == exprLeaf && x.leaf.Kind == Now || readsSQLiteNow(x)):
			kind = NowDefault
		}
	})
	return kind
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

// alter reads ALTER.
func (p *parser) alter() {
	st := p.st
	st.Verb = Alter
	at := p.peek().start
	p.pos++
	p.object()
	p.ifExists()
	p.accept("ONLY")
	t, ok := p.tableName()
	if ok {
		st.Name = t.Name
	}
	switch {
	case ok && st.Object == "TABLE":
		st.Tables = append(st.Tables, t)
		p.acceptOp("*")
		p.alterActions(t, at)
	case ok && st.Object == "INDEX" && p.acceptSeq("RENAME", "TO") && p.peek().name():
		st.steps = append(st.steps, schemaStep{kind: stepRenameIndex, name: t.Name, to: p.nameText(p.peek()), offset: at})
		p.skipRest()
	default:
		p.skipRest()
	}
}

// alterActions reads the comma-separated actions of ALTER TABLE.
func (p *parser) alterActions(t Table, at int) {
	st := p.st
	adding := false
	for !p.done() {
		step := schemaStep{table: t, offset: at}
		adding = p.alterAction(&step, adding)
		if step.kind != 0 && t.Known() {
			st.steps = append(st.steps, step)
		}
		st.Partial = st.Partial || step.partial
		for !p.done() && !p.peek().op(",") && !p.startsStatement() {
			if p.peek().op("(") {
				p.skipParens()
				continue
			}
			p.pos++
		}
		// Behind a comma DROP and ALTER are actions; without one, at the start of a line, statements.
		if !p.acceptOp(",") {
			return
		}
	}
}

// alterAction reads one action. adding says that the action before was ADD, which T-SQL does not repeat behind a comma.
func (p *parser) alterAction(step *schemaStep, adding bool) (adds bool) {
	if p.peek().is("WITH") && p.at(1).is("CHECK", "NOCHECK") {
		p.pos += 2
	}
	t := p.peek()
	switch {
	case p.accept("ADD"):
		p.addition(step)
		return true
	case t.is("DROP"):
		p.pos++
		p.removal(step)
	case t.is("ALTER"):
		p.pos++
		p.accept("COLUMN")
		p.alterColumn(step)
	case t.is("MODIFY", "CHANGE"):
		p.pos++
		p.accept("COLUMN")
		if t.is("CHANGE") && p.peek().name() {
			step.name = p.nameText(p.peek())
			p.pos++
		}
		if p.peek().name() {
			p.columnDef(step)
			step.kind = stepChangeColumn
		}
	case t.is("RENAME"):
		p.pos++
		p.rename(step)
	case adding && t.name():
		p.addition(step)
		return true
	}
	return false
}

// addition reads what ADD adds.
func (p *parser) addition(step *schemaStep) {
	step.kind = stepAdd
	p.accept("COLUMN")
	if p.acceptSeq("IF", "NOT", "EXISTS") {
		step.ifNotExists = true
	}
	if !p.acceptOp("(") {
		p.tableElement(step)
		return
	}
	for !p.done() && !p.peek().op(")") {
		from := p.pos
		p.tableElement(step)
		p.skipUntil(true)
		if !p.acceptOp(",") || p.pos == from {
			break
		}
	}
	p.acceptOp(")")
}

func (p *parser) removal(step *schemaStep) {
	if p.acceptSeq("PRIMARY", "KEY") {
		step.kind = stepDropPrimary
		return
	}
	kind := stepDropColumn
	switch {
	case p.accept("CONSTRAINT"):
		kind = stepDropConstraint
	case p.peek().is("INDEX", "KEY") && p.at(1).name():
		p.pos++
		kind = stepDropConstraint
	case p.peek().is("FOREIGN", "CHECK", "DEFAULT", "EXPRESSION", "IDENTITY", "PARTITION") && p.at(1).kind == tokenWord:
		return
	default:
		p.accept("COLUMN")
	}
	p.acceptSeq("IF", "EXISTS")
	if p.peek().name() && len(p.peek().holes) == 0 {
		step.kind, step.name = kind, p.peek().text
	}
}

// alterColumn reads ALTER COLUMN c SET DEFAULT …, TYPE …, SET NOT NULL and T-SQL's ALTER COLUMN c type.
func (p *parser) alterColumn(step *schemaStep) {
	if !p.peek().name() {
		return
	}
	c := ColumnDef{Name: p.nameText(p.peek()), Line: p.peek().start}
	p.pos++
	switch {
	case p.acceptSeq("SET", "DEFAULT"):
		p.defaultOf(&c)
		step.kind = stepSetDefault
	case p.acceptSeq("DROP", "DEFAULT"), p.acceptSeq("DROP", "IDENTITY"):
		step.kind = stepSetDefault
	case p.acceptSeq("SET", "NOT", "NULL"):
		c.NotNull = true
		step.kind = stepSetNull
	case p.acceptSeq("DROP", "NOT", "NULL"):
		step.kind = stepSetNull
	case p.acceptSeq("ADD", "GENERATED"):
		c.Default = SerialDefault
		step.kind = stepSetDefault
	case p.accept("TYPE"), p.acceptSeq("SET", "DATA", "TYPE"):
		c.Type = p.typeName()
		step.kind = stepSetType
	case p.peek().name() && !p.peek().is("SET", "DROP", "RESET", "ADD", "RESTART"):
		c.Type = p.typeName()
		step.kind = stepSetType
	}
	step.columns = []ColumnDef{c}
}

func (p *parser) rename(step *schemaStep) {
	kind := stepRenameColumn
	switch {
	case p.accept("TO", "AS"):
		kind = stepRenameTable
	case p.accept("CONSTRAINT", "INDEX", "KEY"):
		kind = stepRenameIndex
	case p.at(1).is("TO"):
	case p.accept("COLUMN"):
	default:
		if !p.peek().op("=") && !p.at(1).is("TO") {
			kind = stepRenameTable // MySQL: RENAME new_name
		}
	}
	if kind != stepRenameTable {
		if !p.peek().name() {
			return
		}
		step.name = p.nameText(p.peek())
		p.pos++
		if !p.accept("TO") {
			return
		}
	}
	if to, ok := p.tableName(); ok && to.Known() {
		step.kind, step.to = kind, to.Name
	}
}

// renameTables reads MySQL's RENAME TABLE a TO b, c TO d.
func (p *parser) renameTables() {
	st := p.st
	st.Verb, st.Object = Alter, "TABLE"
	at := p.peek().start
	p.pos += 2
	for {
		t, ok := p.tableName()
		if !ok || !p.accept("TO") {
			st.Partial = true
			break
		}
		st.Tables = append(st.Tables, t)
		to, ok := p.tableName()
		if !ok {
			st.Partial = true
			break
		}
		if t.Known() && to.Known() {
			st.steps = append(st.steps, schemaStep{kind: stepRenameTable, table: t, to: to.Name, offset: at})
		}
		if !p.acceptOp(",") {
			break
		}
	}
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
