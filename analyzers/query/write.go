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

// writeTail reads ON CONFLICT, ON DUPLICATE KEY UPDATE, RETURNING and what else follows the rows of an INSERT.
func (p *parser) writeTail() {
	st := p.st
	for !p.done() {
		t := p.peek()
		switch {
		case t.is("ON") && p.at(1).is("CONFLICT"):
			p.pos += 2
			p.onConflict()
		case t.is("ON") && p.at(1).is("DUPLICATE"):
			p.pos++
			p.acceptSeq("DUPLICATE", "KEY", "UPDATE")
			p.onDuplicate()
		case t.is("RETURNING"):
			p.returning()
		case t.is("AS"):
			// MySQL's row alias: VALUES (…) AS new.
			p.pos++
			p.rowAlias()
		case t.kind == tokenHole:
			p.pos++
			st.Partial = true
		case t.op(")") || p.startsStatement():
			return
		default:
			st.Partial = true
			from := p.pos
			p.pos++
			p.skipUntil(false, "ON", "RETURNING")
			if p.pos == from {
				return
			}
		}
	}
}

// rowAlias rewrites what follows: `new.a` is the proposed value.
func (p *parser) rowAlias() {
	if !p.peek().name() {
		return
	}
	alias := p.peek().text
	p.pos++
	if p.peek().op("(") {
		p.skipParens()
	}
	p.rowName(alias)
}

// rowName makes the alias of the proposed row read as excluded, on a copy of the tokens.
func (p *parser) rowName(alias string) {
	toks := append([]token(nil), p.toks...)
	for i := p.pos; i+1 < len(toks); i++ {
		if toks[i].name() && SameName(toks[i].text, alias) && toks[i+1].op(".") {
			toks[i].text, toks[i].upper = "excluded", "EXCLUDED"
		}
	}
	p.toks = toks
}

// onConflict reads the target and the action of ON CONFLICT.
func (p *parser) onConflict() {
	c := &p.st.OnConflict
	switch {
	case p.acceptSeq("ON", "CONSTRAINT"):
		if p.peek().name() {
			c.Constraint = p.nameText(p.peek())
		}
		p.pos++
	case p.peek().op("("):
		c.Columns = p.indexColumns()
		if p.accept("WHERE") {
			from := p.pos
			p.expression()
			c.TargetWhere = p.normal(from, p.pos)
		}
	}
	if !p.accept("DO") {
		p.st.Partial = true
		p.skipUntil(false, "RETURNING")
		return
	}
	switch {
	case p.accept("NOTHING"):
		c.Kind = ConflictDoNothing
	case p.acceptSeq("UPDATE", "SET"):
		c.Kind = ConflictDoUpdate
		c.Set = append(c.Set, p.assignments()...)
		if p.accept("WHERE") {
			c.Where, c.WhereComplex = p.conditions(p.filter())
		}
	default:
		// The action is interpolated.
		p.st.Partial = true
		p.skipUntil(false, "RETURNING")
	}
}

// onDuplicate reads MySQL's assignments. `id = id` alone is the idiom for leaving the row as it is.
func (p *parser) onDuplicate() {
	c := &p.st.OnConflict
	if p.peek().kind == tokenParam || p.peek().kind == tokenHole {
		p.pos++
		c.Kind = ConflictDoUpdate
		p.st.Partial = true
		return
	}
	c.Set = p.assignments()
	c.Kind = ConflictDoNothing
	for _, a := range c.Set {
		if a.Operand.Kind != Column || !SameName(a.Operand.Name, a.Column) {
			c.Kind = ConflictDoUpdate
		}
	}
	if len(c.Set) == 0 {
		c.Kind = ConflictDoUpdate
	}
}

// indexColumns reads the parenthesised columns of an index or a conflict target. An expression is kept as normalised text.
func (p *parser) indexColumns() []string {
	var out []string
	p.pos++
	for !p.done() && !p.acceptOp(")") {
		from := p.pos
		e := p.expression()
		switch {
		case e.kind == exprLeaf && e.leaf.Kind == Column:
			out = append(out, e.leaf.Name)
		case e.kind == exprCall && len(e.args) == 1 && isNumber(e.args[0]):
			out = append(out, e.name) // MySQL's prefix length: name(191)
		case e.kind == exprLeaf && e.leaf.Kind == Literal && e.leaf.Quoted:
			out = append(out, e.leaf.Text)
		case e.from < e.to && e.kind != exprOther:
			out = append(out, p.unqualified(p.inner(e.from, e.to)))
		default:
			p.st.Partial = true
			out = append(out, p.normal(from, p.pos))
		}
		if p.pos == from {
			p.pos++
		}
		p.skipUntil(true) // operator classes, ASC, NULLS FIRST, WITH =
		p.acceptOp(",")
	}
	return out
}

func isNumber(e *expr) bool {
	_, ok := number(e)
	return ok
}

// returning reads RETURNING.
func (p *parser) returning() {
	p.pos++
	p.st.Returning = true
	for _, o := range p.outputs() {
		p.st.Returned = append(p.st.Returned, o.Output)
	}
	if p.accept("INTO") {
		p.skipUntil(false)
	}
}

// output reads T-SQL's OUTPUT.
func (p *parser) output() {
	if !p.accept("OUTPUT") {
		return
	}
	p.st.Returning = true
	for _, o := range p.outputs() {
		p.st.Returned = append(p.st.Returned, o.Output)
	}
	if p.accept("INTO") {
		if _, ok := p.tableName(); ok && p.peek().op("(") && !p.opensStatement(1) {
			p.skipParens()
		}
	}
}

// assignments reads `a = 1, b = b + 1, (c, d) = (2, 3)`.
func (p *parser) assignments() []Assignment {
	var out []Assignment
	for {
		from := p.pos
		if p.peek().op("(") {
			out = append(out, p.rowAssignment()...)
		} else if a, ok := p.assignment(); ok {
			out = append(out, a)
		}
		if p.peek().kind == tokenHole {
			// Interpolated assignments behind the ones read.
			p.pos++
			p.st.Partial = true
		}
		if p.pos == from || !p.acceptOp(",") {
			return out
		}
	}
}

func (p *parser) assignment() (Assignment, bool) {
	t, start := p.peek(), p.pos
	if !t.name() && t.kind != tokenHole && t.kind != tokenParam {
		p.st.Partial = true
		return Assignment{}, false
	}
	if t.kind == tokenWord && clauseWords[t.upper] && !p.at(1).op("=") {
		p.st.Partial = true
		return Assignment{}, false
	}
	for p.at(1).op(".") && (p.at(2).name() || p.at(2).kind == tokenHole) {
		p.pos += 2
		t = p.peek()
	}
	name := p.nameText(t)
	p.pos++
	for p.peek().op("[") {
		p.subscript(&expr{})
	}
	known := t.name() && len(t.holes) == 0
	switch {
	case p.acceptOp("=", ":="):
	case p.peek().op("+=", "-=", "*=", "/=", "%="):
		op := p.peek().text[:1]
		p.pos++
		e := p.expression()
		self := leaf(Operand{Kind: Column, Name: name})
		sum := &expr{kind: exprBinary, op: op, args: []*expr{self, e}, from: start, to: e.to}
		return Assignment{Column: name, Operand: p.operand(sum), Increment: true}, known
	default:
		p.st.Partial = true
		return Assignment{}, false
	}
	e := p.expression()
	if !known {
		p.st.Partial = true
		return Assignment{}, false
	}
	return p.assign(name, e), true
}

func (p *parser) assign(name string, e *expr) Assignment {
	p.assignTime(name, e)
	a := Assignment{Column: name, Operand: p.operand(e), Increment: p.increments(name, e)}
	if e.quote == '"' && !SameName(e.leaf.Name, name) {
		a.Operand = Operand{Kind: Literal, Text: e.leaf.Name, Quoted: true}
	}
	return a
}

// rowAssignment reads (a, b) = (1, 2) and (a, b) = (SELECT …).
func (p *parser) rowAssignment() []Assignment {
	names, ok := p.names()
	if !ok || !p.acceptOp("=") {
		p.st.Partial = true
		return nil
	}
	e := p.expression()
	var out []Assignment
	for i, name := range names {
		if e.kind == exprList && len(e.args) == len(names) {
			out = append(out, p.assign(name, e.args[i]))
			continue
		}
		if len(names) == 1 {
			out = append(out, p.assign(name, e))
			continue
		}
		out = append(out, Assignment{Column: name, Operand: p.operand(e)})
	}
	return out
}

// appends are functions that add to a value; their first argument is the old one.
var appends = map[string]bool{
	"array_append": true, "array_prepend": true, "array_cat": true, "concat": true, "concat_ws": true,
	"jsonb_insert": true, "json_array_append": true, "json_array_insert": true, "json_insert": true, "json_merge_preserve": true,
}

// increments reports whether a second run of `column = e` changes the column again.
func (p *parser) increments(column string, e *expr) bool {
	self := func(x *expr) bool {
		found := false
		x.walk(func(y *expr) {
			found = found || y.kind == exprLeaf && y.leaf.Kind == Column && SameName(y.leaf.Name, column)
		})
		return found
	}
	switch e.kind {
	case exprBinary:
		switch e.op {
		case "+", "-", "*", "/":
			return self(e)
		case "||":
			// || of JSON objects merges and is the same the second time; of text and arrays it appends.
			return self(e) && !strings.HasPrefix(e.args[0].cast, "json") && !strings.HasPrefix(e.args[1].cast, "json") && !jsonCall(e.args[1])
		}
	case exprUnary:
		return (e.op == "NOT" || e.op == "-" || e.op == "~" || e.op == "!") && self(e)
	case exprCase:
		for _, a := range e.args {
			if p.increments(column, a) {
				return true
			}
		}
	case exprCall:
		if appends[e.name] {
			return self(e)
		}
		switch e.name {
		case "coalesce", "ifnull", "isnull", "greatest", "least", "max", "min", "if", "iif", "json_set", "jsonb_set":
			for _, a := range e.args {
				if p.increments(column, a) {
					return true
				}
			}
		}
	}
	return false
}

func jsonCall(e *expr) bool {
	return e.kind == exprCall && strings.HasPrefix(e.name, "json")
}

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
