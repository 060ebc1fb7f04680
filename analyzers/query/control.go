package query

import "strings"

// call reads CALL p(…) and EXEC p @a = 1.
func (p *parser) call() {
	st := p.st
	st.Verb, st.Rows = Call, -1
	exec := !p.peek().is("CALL")
	p.pos++
	if p.peek().kind == tokenParam && p.at(1).op("=") {
		p.pos += 2 // EXEC @result = p
	}
	if p.peek().op("(") || p.peek().is("IMMEDIATE") {
		st.Partial = true // dynamic SQL
		p.skipUntil(false)
		return
	}
	t, ok := p.tableName()
	if !ok {
		st.Partial = true
		p.skipUntil(false)
		return
	}
	if st.Name = t.Name; t.Known() {
		p.called(strings.ToLower(t.Name))
	} else {
		st.Partial = true
	}
	parens := p.acceptOp("(")
	for !p.done() && !p.peek().op(")") && !(exec && p.startsStatement()) {
		from := p.pos
		if p.peek().kind == tokenParam && p.at(1).op("=") {
			p.pos += 2
		}
		st.Values = append(st.Values, p.operand(p.expression()))
		p.accept("OUTPUT", "OUT")
		if p.pos == from || !p.acceptOp(",") {
			break
		}
	}
	if parens && !p.acceptOp(")") {
		st.Partial = true
		p.skipToClose()
	}
}

// copyFrom reads PostgreSQL's COPY: into a table it inserts, from it it reads.
func (p *parser) copyFrom() {
	st := p.st
	p.pos++
	if p.peek().op("(") {
		st.Verb = Select
		p.subselect()
		p.skipUntil(false)
		return
	}
	t, ok := p.tableName()
	if !ok {
		st.Verb, st.Partial = Other, true
		p.skipUntil(false)
		return
	}
	st.Tables = append(st.Tables, t)
	p.columnList()
	switch {
	case p.accept("FROM"):
		st.Verb, st.Rows = Insert, -1
	case p.accept("TO"):
		st.Verb = Select
	default:
		st.Verb, st.Partial = Other, true
	}
	p.skipUntil(false)
}

// control reads statements about the session and transactions, and names the ones that are none of these.
func (p *parser) control() {
	st := p.st
	t := p.peek()
	switch {
	case t.is("BEGIN", "START"):
		p.begin()
	case t.is("COMMIT", "END"):
		st.Verb = Commit
		p.pos++
		p.restOfLine()
	case t.is("ROLLBACK", "ABORT"):
		st.Verb = Rollback
		p.pos++
		p.accept("TRANSACTION", "WORK", "TRAN")
		if p.peek().is("TO") {
			st.Verb = Other // only to a savepoint: the transaction goes on
		}
		p.restOfLine()
	case t.is("SET", "PRAGMA", "RESET", "USE", "DECLARE", "DISCARD"):
		p.set()
	case t.is("EXPLAIN"):
		p.explain()
	case t.is("SHOW", "DESCRIBE", "DESC"):
		st.Verb = Other
		p.skipRest()
	case t.is("RENAME") && p.at(1).is("TABLE"):
		p.renameTables()
	case t.is("LOCK"):
		st.Verb = Other
		p.pos++
		p.accept("TABLE", "TABLES")
		p.fromList()
		p.restOfLine()
	case t.kind == tokenWord && otherWords[t.upper]:
		st.Verb = Other
		p.pos++
		p.restOfLine()
	default:
		st.Partial = true
		p.skipRest()
	}
}

// otherWords open statements that touch no rows of their own.
var otherWords = words(`GRANT REVOKE VACUUM ANALYZE ANALYSE REINDEX CLUSTER COMMENT SAVEPOINT RELEASE LISTEN UNLISTEN NOTIFY PREPARE
DEALLOCATE DO CHECKPOINT ATTACH DETACH UNLOCK KILL FLUSH OPTIMIZE REPAIR CHECK RENAME REFRESH SECURITY IMPORT LOAD
FETCH MOVE CLOSE OPEN PRINT RETURN RAISERROR THROW WAITFOR GO DELIMITER REASSIGN HANDLER SAVE DBCC RAISE XA`)

// begin reads the start of a transaction and the mode it asks for.
func (p *parser) begin() {
	st := p.st
	st.Verb = Begin
	if p.peek().is("START") && !p.at(1).is("TRANSACTION") {
		st.Verb = Other
	}
	p.pos++
	if p.peek().is("IMMEDIATE", "EXCLUSIVE", "DEFERRED", "CONCURRENT") {
		st.Isolation = p.peek().upper
		p.pos++
	}
	p.accept("TRANSACTION", "TRAN", "WORK")
	p.isolation()
	p.restOfLine()
}

// isolation looks for ISOLATION LEVEL … in the rest of the statement.
func (p *parser) isolation() {
	for i := p.pos; i+2 < len(p.toks); i++ {
		if !p.toks[i].is("ISOLATION") || !p.toks[i+1].is("LEVEL") {
			continue
		}
		level := p.toks[i+2].upper
		if p.toks[i+2].is("READ", "REPEATABLE") && i+3 < len(p.toks) && p.toks[i+3].kind == tokenWord {
			level += " " + p.toks[i+3].upper
		}
		p.st.Isolation = level
		return
	}
}

// set reads SET, PRAGMA and their like.
func (p *parser) set() {
	st := p.st
	st.Verb = Set
	p.pos++
	p.isolation()
	n := 0
	for p.at(n).is("SESSION", "LOCAL", "GLOBAL") {
		n++
	}
	if p.at(n).kind == tokenWord || p.at(n).kind == tokenParam {
		st.Name = p.nameText(p.at(n))
	}
	p.restOfLine()
}

// restOfLine passes over what follows, up to a statement of T-SQL on a line of its own.
func (p *parser) restOfLine() {
	for !p.done() && !p.startsStatement() && !(p.nest > 0 && p.peek().op(")")) {
		if p.peek().op("(") {
			p.skipParens()
			continue
		}
		p.pos++
	}
}
