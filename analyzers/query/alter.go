package query

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
