package query

// split cuts the tokens at semicolons, except inside the body of a trigger, function or procedure.
func split(toks []token) [][]token {
	var out [][]token
	from, depth := 0, 0
	body := false
	for i := range toks {
		t := &toks[i]
		if i == from {
			body, depth = routine(toks[i:]), 0
		}
		switch {
		case body && t.is("BEGIN", "CASE"):
			depth++
		case body && t.is("END") && depth > 0:
			if i+1 < len(toks) && toks[i+1].is("IF", "LOOP", "WHILE", "REPEAT", "FOR") {
				break
			}
			depth--
		case t.op(";") && depth == 0:
			if i > from {
				out = append(out, toks[from:i])
			}
			from = i + 1
		}
	}
	if from < len(toks) {
		out = append(out, toks[from:])
	}
	return out
}

// routine says that a statement creates something with statements inside.
func routine(toks []token) bool {
	if !toks[0].is("CREATE", "ALTER") {
		return false
	}
	for i := 1; i < len(toks) && i < 14; i++ {
		if toks[i].is("TRIGGER", "FUNCTION", "PROCEDURE", "PROC", "EVENT") {
			return true
		}
		if toks[i].is("TABLE", "INDEX", "VIEW") || toks[i].op("(", ";") {
			return false
		}
	}
	return false
}

// batch is what T-SQL's control of flow carries from one statement to the next.
type batch struct {
	// blocks counts the open BEGIN … END.
	blocks int
	// conditional says that the statement runs under an IF.
	conditional bool
}

// statements reads one stretch between semicolons: one statement, or several of T-SQL.
func (b *batch) statements(src *source, toks []token) []*Statement {
	p := &parser{src: src, toks: toks}
	var out []*Statement
	for {
		b.words(p)
		if p.done() {
			return out
		}
		if p.peek().is("IF") {
			b.conditional = true
			out = append(out, p.guard()...)
			continue
		}
		from := p.pos
		st := p.newStatement()
		p.statement()
		if p.pos == from {
			p.pos++
		}
		if !p.done() && !p.startsStatement() {
			st.Partial = true
			p.skipToStatement()
		}
		st.Span = src.span(toks[from].start, toks[p.pos-1].end)
		st.Conditional = b.conditional
		p.finish(st)
		out = append(out, st)
		if b.blocks == 0 && !p.peek().is("ELSE") {
			b.conditional = false
		}
	}
}

// words passes over the words that carry no statement: the bounds of blocks, ELSE, the batch separator GO.
func (b *batch) words(p *parser) {
	for !p.done() {
		t, next := p.peek(), p.at(1)
		switch {
		case t.op(")"):
		case t.is("ELSE"):
			b.conditional = true
		case t.is("END") && b.blocks > 0:
			if b.blocks--; b.blocks == 0 && !next.is("ELSE") {
				b.conditional = false
			}
		case t.is("BEGIN") && next.kind == tokenWord && statementWords[next.upper]:
			b.blocks++
		case t.is("GO") && (next.kind == tokenEnd || next.line):
		default:
			return
		}
		p.pos++
	}
}

// guard reads T-SQL's IF condition. Its nested selects are statements of their own, for they read before the write.
func (p *parser) guard() []*Statement {
	st := p.newStatement()
	p.pos++
	p.expression()
	return st.Subs
}

// startsStatement says that the next token opens a new statement on a line of its own.
func (p *parser) startsStatement() bool {
	t := p.peek()
	if t.is("ELSE", "END", "GO") {
		return true
	}
	if t.kind != tokenWord || !statementWords[t.upper] {
		return false
	}
	return t.line || p.pos > 0 && p.toks[p.pos-1].is("BEGIN", "END", "ELSE")
}

// skipToStatement moves to the next statement of T-SQL, or to the end.
func (p *parser) skipToStatement() {
	depth := 0
	for ; !p.done(); p.pos++ {
		t := p.peek()
		switch {
		case t.op("("):
			depth++
		case t.op(")"):
			depth--
		case depth <= 0 && t.line && t.is("INSERT", "UPDATE", "DELETE", "MERGE", "EXEC", "BEGIN", "COMMIT", "ROLLBACK") &&
			!p.at(-1).is("FOR", "ON", "DO", "THEN", "BEFORE", "AFTER", "OR", "OF"):
			return
		}
	}
}

var statementWords = words(`SELECT INSERT UPDATE DELETE MERGE REPLACE WITH CALL EXEC EXECUTE CREATE DROP TRUNCATE ALTER BEGIN
START COMMIT ROLLBACK SET DECLARE IF RETURN PRINT THROW RAISERROR`)
