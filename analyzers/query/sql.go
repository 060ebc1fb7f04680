package query

import (
	"errors"
	"sort"
	"strings"
)

// ErrNoSQL says that a text holds no SQL statement.
var ErrNoSQL = errors.New("no SQL statement")

// SQL reads the statements of a text, in order. Several statements may stand in one text, separated by semicolons or, in
// T-SQL, by line breaks. The error is [ErrNoSQL], only where not one statement was recognised and none can be hidden in a hole.
func SQL(pieces []Piece) ([]Statement, error) {
	src := join(pieces)
	var out []Statement
	read := false
	var b batch
	for _, toks := range split(lex(src)) {
		for _, st := range b.statements(src, toks) {
			read = read || st.Verb != Unknown || st.Keyword == "WITH" || src.hasHole(st.Span)
			out = append(out, *st)
		}
	}
	if !read {
		return nil, ErrNoSQL
	}
	return out, nil
}

// parser reads the tokens of one stretch between semicolons.
type parser struct {
	src  *source
	toks []token
	pos  int
	// st is the statement being read: clauses and expressions record in it.
	st *Statement
	// ctes are the names of the common table expressions in scope.
	ctes []string
	// depth bounds the recursion: nesting beyond it is skipped.
	depth int
	// nest counts the parenthesised statements that the cursor is in: their closing parenthesis is an end.
	nest int
	// alternatives are the comparisons below OR and NOT of the condition being read.
	alternatives []Condition
	calls        map[*Statement]map[string]bool
}

const maxDepth = 100

var endToken = token{kind: tokenEnd, index: -1}

func (p *parser) done() bool { return p.pos >= len(p.toks) }

func (p *parser) peek() *token { return p.at(0) }

func (p *parser) at(n int) *token {
	if i := p.pos + n; i >= 0 && i < len(p.toks) {
		return &p.toks[i]
	}
	return &endToken
}

func (p *parser) accept(words ...string) bool {
	if p.peek().is(words...) {
		p.pos++
		return true
	}
	return false
}

func (p *parser) acceptOp(ops ...string) bool {
	if p.peek().op(ops...) {
		p.pos++
		return true
	}
	return false
}

// acceptSeq takes a sequence of keywords, all or none.
func (p *parser) acceptSeq(words ...string) bool {
	for i, w := range words {
		if !p.at(i).is(w) {
			return false
		}
	}
	p.pos += len(words)
	return true
}

func (p *parser) newStatement() *Statement {
	p.st = &Statement{Verb: Unknown, Limit: Operand{}}
	return p.st
}

// finish settles what is collected while reading.
func (p *parser) finish(st *Statement) {
	st.Functions = nil
	for name := range p.calls[st] {
		st.Functions = append(st.Functions, name)
	}
	sort.Strings(st.Functions)
}

func (p *parser) called(name string) {
	if p.calls == nil {
		p.calls = map[*Statement]map[string]bool{}
	}
	if p.calls[p.st] == nil {
		p.calls[p.st] = map[string]bool{}
	}
	p.calls[p.st][name] = true
}

// statement reads one statement into p.st.
func (p *parser) statement() {
	if p.depth >= maxDepth {
		p.st.Partial = true
		p.skipRest()
		return
	}
	p.depth++
	defer func() { p.depth-- }()

	st, t := p.st, p.peek()
	if t.kind == tokenWord && len(t.holes) == 0 {
		st.Keyword = t.upper
	}
	switch {
	case t.kind == tokenHole || len(t.holes) > 0:
		st.Partial = true
		p.skipRest()
	case t.op("("):
		p.parenthesised()
	case t.is("WITH"):
		p.with()
	case t.is("SELECT", "VALUES"):
		p.selectStatement()
	case t.is("TABLE"):
		p.pos++
		st.Verb = Select
		p.table()
		p.selectTail()
	case t.is("INSERT", "REPLACE"):
		p.insert()
	case t.is("UPDATE"):
		p.update()
	case t.is("DELETE"):
		p.deletion()
	case t.is("MERGE"):
		p.merge()
	case t.is("CALL", "EXEC", "EXECUTE"):
		p.call()
	case t.is("CREATE"):
		p.create()
	case t.is("DROP"):
		p.drop()
	case t.is("ALTER"):
		p.alter()
	case t.is("TRUNCATE"):
		p.truncate()
	case t.is("COPY"):
		p.copyFrom()
	default:
		p.control()
	}
}

// parenthesised reads a statement in parentheses, and what UNION and ORDER BY add behind it.
func (p *parser) parenthesised() {
	p.pos++
	p.nest++
	p.statement()
	p.nest--
	if !p.acceptOp(")") {
		p.st.Partial = true
		p.skipToClose()
	}
	if p.st.Verb == Select {
		p.selectTail()
	}
}

// with reads the common table expressions and the statement that follows them.
func (p *parser) with() {
	st := p.st
	scope := len(p.ctes)
	defer func() { p.ctes = p.ctes[:scope] }()
	p.pos++
	if p.accept("RECURSIVE") && p.peek().name() {
		p.ctes = append(p.ctes, p.peek().text)
	}
	for {
		if !p.peek().name() || len(p.peek().holes) > 0 {
			st.Partial = true
			break
		}
		name := p.peek().text
		p.pos++
		if p.peek().op("(") {
			p.skipParens()
		}
		p.accept("AS")
		if !p.accept("MATERIALIZED") && p.at(1).is("MATERIALIZED") {
			p.acceptSeq("NOT", "MATERIALIZED")
		}
		if !p.peek().op("(") {
			st.Partial = true
			break
		}
		sub := p.nested()
		st.With = append(st.With, CTE{Name: name, Statement: sub})
		p.ctes = append(p.ctes, name)
		if !p.acceptOp(",") {
			break
		}
	}
	if !p.peek().is("SELECT", "INSERT", "UPDATE", "DELETE", "MERGE", "REPLACE", "VALUES", "TABLE") && !p.peek().op("(") {
		if !p.skipToMainVerb() {
			st.Partial = true
			p.skipRest()
			return
		}
	}
	p.statement()
}

// skipToMainVerb looks for the statement behind common table expressions that were not read, at this level.
func (p *parser) skipToMainVerb() bool {
	depth := 0
	for ; !p.done(); p.pos++ {
		t := p.peek()
		switch {
		case t.op("("):
			depth++
		case t.op(")"):
			if depth--; depth < 0 {
				return false
			}
		case depth == 0 && t.is("SELECT", "INSERT", "UPDATE", "DELETE", "MERGE"):
			return true
		}
	}
	return false
}

// nested reads the parenthesised statement at the cursor as a statement of its own, without adding it to the outer one.
func (p *parser) nested() *Statement {
	outer := p.st
	defer func() { p.st = outer }()
	from := p.pos
	p.pos++
	sub := p.newStatement()
	p.nest++
	p.statement()
	p.nest--
	if !p.acceptOp(")") {
		sub.Partial = true
		p.skipToClose()
	}
	sub.Span = p.src.span(p.toks[from].start, p.toks[p.pos-1].end)
	p.finish(sub)
	return sub
}

// skipParens moves behind the parenthesis that the one at the cursor opens.
func (p *parser) skipParens() {
	p.pos++
	p.skipToClose()
}

// skipToClose moves behind the closing parenthesis of the level that the cursor is in, or to the end.
func (p *parser) skipToClose() {
	for depth := 0; !p.done(); p.pos++ {
		if p.peek().op("(") {
			depth++
		}
		if p.peek().op(")") {
			if depth == 0 {
				p.pos++
				return
			}
			depth--
		}
	}
}

// skipRest moves to the end of the statement: its closing parenthesis where it is nested, else the end of the tokens.
func (p *parser) skipRest() {
	for !p.done() {
		p.skipUntil(false)
		if p.nest > 0 && p.peek().op(")") {
			return
		}
		if !p.done() {
			p.pos++
		}
	}
}

// skipUntil moves to the next of the given keywords, a comma where asked for, or a closing parenthesis, at this level.
// It reports whether anything was passed over.
func (p *parser) skipUntil(comma bool, words ...string) bool {
	from := p.pos
	for !p.done() {
		t := p.peek()
		if t.op(")", ";") || comma && t.op(",") || t.is(words...) {
			break
		}
		if t.op("(") {
			p.skipParens()
			continue
		}
		p.pos++
	}
	return p.pos > from
}

// inner drops the parentheses around a stretch of tokens.
func (p *parser) inner(from, to int) (int, int) {
	for to-from >= 2 && p.toks[from].op("(") && p.toks[to-1].op(")") {
		depth := 0
		for i := from; i < to-1; i++ {
			if p.toks[i].op("(") {
				depth++
			}
			if p.toks[i].op(")") {
				depth--
			}
			if depth == 0 {
				return from, to // the first one closes before the end
			}
		}
		from, to = from+1, to-1
	}
	return from, to
}

// unqualified is normal without the qualifiers before columns.
func (p *parser) unqualified(from, to int) string {
	var b strings.Builder
	start := from
	for i := from; i+1 < to; i++ {
		if p.toks[i].name() && p.toks[i+1].op(".") {
			b.WriteString(p.normal(start, i))
			i++
			start = i + 1
		}
	}
	b.WriteString(p.normal(start, to))
	return b.String()
}

// normal writes tokens in one spelling: words in lower case unless quoted, single blanks only between words.
func (p *parser) normal(from, to int) string {
	var b strings.Builder
	wordy := false
	for i := from; i < to && i < len(p.toks); i++ {
		t := &p.toks[i]
		text, isWord := t.text, false
		switch t.kind {
		case tokenWord:
			text, isWord = strings.ToLower(p.src.show(t.start, t.end)), true
		case tokenQuoted:
			isWord = true
			if len(t.holes) > 0 {
				text = strings.Trim(p.src.show(t.start, t.end), "\"`[]")
			}
		case tokenString:
			text, isWord = "'"+p.src.showText(t.text, t.start)+"'", true
			if len(t.holes) > 0 {
				text = p.src.show(t.start, t.end)
			}
		case tokenNumber:
			isWord = true
		case tokenParam, tokenHole:
			text, isWord = p.src.show(t.start, t.end), true
		}
		if wordy && isWord {
			b.WriteByte(' ')
		}
		b.WriteString(text)
		wordy = isWord || t.op(")", "]")
	}
	return b.String()
}
