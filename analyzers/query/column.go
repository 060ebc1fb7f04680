package query

import "strings"

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
