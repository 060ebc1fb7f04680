package query

import "strings"

type exprKind uint8

const (
	exprOther   exprKind = iota // not understood
	exprLeaf                    // an operand
	exprBinary                  // args[0] op args[1]
	exprUnary                   // op args[0]
	exprCall                    // name(args…)
	exprCase                    // args are the results
	exprSelect                  // (SELECT …)
	exprExists                  // EXISTS (SELECT …)
	exprList                    // (a, b) or ARRAY[a, b]
	exprIn                      // args[0] [NOT] IN args[1:]
	exprBetween                 // args[0] [NOT] BETWEEN args[1] AND args[2]
	exprIsNull                  // args[0] IS [NOT] NULL
	exprSpan                    // an interval literal
	exprStar
)

// expr is an expression; from and to are token indices.
type expr struct {
	kind     exprKind
	op       string
	not      bool
	name     string
	args     []*expr
	leaf     Operand
	cast     string
	seconds  float64 // of exprSpan
	quote    byte    // of a column in quotes
	from, to int
}

// expression reads one expression. It never fails: what is not read is left for the caller to find.
func (p *parser) expression() *expr { return p.binary(0) }

// opensStatement says that the token n behind the cursor starts a nested statement.
func (p *parser) opensStatement(n int) bool {
	for p.at(n).op("(") {
		n++
	}
	return p.at(n).is("SELECT", "WITH") || p.at(n).is("VALUES") && (p.at(n+1).op("(") || p.at(n+1).kind == tokenHole) ||
		p.at(n).is("INSERT", "UPDATE", "DELETE") && p.at(n+1).kind == tokenWord
}

// subselect reads the parenthesised select at the cursor and adds it to the statement.
func (p *parser) subselect() *expr {
	from := p.pos
	outer := p.st
	sub := p.nested()
	outer.Subs = append(outer.Subs, sub)
	return &expr{kind: exprSelect, from: from, to: p.pos}
}

// postfix reads casts, subscripts, COLLATE and AT TIME ZONE behind a primary.
func (p *parser) postfix(e *expr) *expr {
	for {
		switch {
		case p.acceptOp("::"):
			e = p.castTo(e, p.typeName())
		case p.peek().op("["):
			e = p.subscript(e)
		case p.acceptOp("."):
			// A member of a composite: (row).field, or .* behind it.
			if p.peek().name() || p.peek().op("*") {
				p.pos++
			}
			e = &expr{kind: exprOther, args: []*expr{e}}
		case p.accept("COLLATE"):
			p.typeName()
		case p.acceptSeq("AT", "TIME", "ZONE"):
			p.primary()
		default:
			return e
		}
	}
}

func (p *parser) subscript(e *expr) *expr {
	p.pos++
	for !p.done() && !p.peek().op("]") {
		from := p.pos
		p.expression()
		p.acceptOp(":", ",")
		if p.pos == from {
			p.pos++
		}
	}
	p.acceptOp("]")
	return &expr{kind: exprOther, args: []*expr{e}}
}

// castTo notes a cast. A literal cast to an interval is a duration.
func (p *parser) castTo(e *expr, typ string) *expr {
	if strings.HasPrefix(typ, "interval") && e.kind == exprLeaf && e.leaf.Kind == Literal {
		if s, ok := durationText(e.leaf.Text, ""); ok {
			return &expr{kind: exprSpan, seconds: s}
		}
	}
	e.cast = typ
	return e
}

// typeName reads a type: double precision, varchar(20), timestamp with time zone, text[].
func (p *parser) typeName() string {
	from := p.pos
	if p.peek().kind == tokenHole {
		p.pos++
		return ""
	}
	if !p.peek().name() {
		return ""
	}
	p.pos++
	for p.peek().op(".") && p.at(1).name() {
		p.pos += 2
	}
	first := p.at(-1)
	switch {
	case first.is("DOUBLE"):
		p.accept("PRECISION")
	case first.is("CHARACTER", "CHAR", "BIT", "NATIONAL"):
		p.accept("VARYING", "CHARACTER")
	case first.is("LONG"):
		p.accept("RAW")
	}
	p.accept("UNSIGNED", "SIGNED")
	p.accept("INTEGER", "INT")
	if p.peek().op("(") {
		p.skipParens()
	}
	p.accept("UNSIGNED", "SIGNED")
	p.accept("ZEROFILL")
	if first.is("TIMESTAMP", "TIME") && (p.acceptSeq("WITH", "TIME", "ZONE") || p.acceptSeq("WITHOUT", "TIME", "ZONE")) {
		return p.normal(from, p.pos)
	}
	to := p.pos
	for p.peek().op("[") && p.at(1).op("]") {
		p.pos += 2
		to = p.pos
	}
	return p.normal(from, to)
}

func leaf(o Operand) *expr { return &expr{kind: exprLeaf, leaf: o} }

func (p *parser) primary() *expr {
	t := p.peek()
	switch t.kind {
	case tokenNumber:
		p.pos++
		if len(t.holes) > 0 {
			return p.mixed(t)
		}
		return leaf(Operand{Kind: Literal, Text: t.text})
	case tokenString:
		p.pos++
		return p.stringLeaf(t)
	case tokenParam:
		p.pos++
		return leaf(placeholder(t))
	case tokenHole:
		if p.at(1).op(".") && (p.at(2).name() || p.at(2).op("*")) {
			return p.reference()
		}
		p.pos++
		if len(t.holes) > 1 {
			return p.mixed(t)
		}
		return leaf(Operand{Kind: Hole, Index: t.holes[0]})
	case tokenOp:
		switch t.text {
		case "(":
			return p.paren()
		case "*":
			p.pos++
			return &expr{kind: exprStar}
		}
		p.st.Partial = true
		return &expr{kind: exprOther}
	case tokenQuoted:
		return p.reference()
	case tokenWord:
		return p.wordPrimary()
	}
	p.st.Partial = true
	return &expr{kind: exprOther}
}

func placeholder(t *token) Operand {
	o := Operand{Kind: Placeholder, Index: t.index, Name: t.text}
	for _, h := range t.holes {
		o.Inputs = append(o.Inputs, Operand{Kind: Hole, Index: h})
	}
	if t.index >= 0 {
		o.Name = ""
	}
	return o
}

// mixed makes an operand of a token that holes are part of.
func (p *parser) mixed(t *token) *expr {
	o := Operand{Kind: Expression, Text: p.src.show(t.start, t.end)}
	for _, h := range t.holes {
		o.Inputs = append(o.Inputs, Operand{Kind: Hole, Index: h})
	}
	return leaf(o)
}

func (p *parser) stringLeaf(t *token) *expr {
	if len(t.holes) == 1 && len(t.text) == 1 {
		return leaf(Operand{Kind: Hole, Index: t.holes[0], Quoted: true})
	}
	if len(t.holes) > 0 {
		return p.mixed(t)
	}
	return leaf(Operand{Kind: Literal, Text: t.text, Quoted: true})
}

func (p *parser) paren() *expr {
	if p.opensStatement(1) {
		return p.subselect()
	}
	from := p.pos
	p.pos++
	if p.acceptOp(")") {
		return &expr{kind: exprList, from: from, to: p.pos}
	}
	e := p.expression()
	if p.peek().op(",") {
		list := &expr{kind: exprList, args: []*expr{e}}
		for p.acceptOp(",") {
			list.args = append(list.args, p.expression())
		}
		e = list
	}
	if !p.acceptOp(")") {
		p.st.Partial = true
		p.skipToClose()
		return &expr{kind: exprOther, args: []*expr{e}}
	}
	return e
}

func (p *parser) wordPrimary() *expr {
	t := p.peek()
	if len(t.holes) > 0 {
		return p.reference()
	}
	call := p.at(1).op("(")
	switch t.upper {
	case "NULL", "TRUE", "FALSE":
		p.pos++
		return leaf(Operand{Kind: Literal, Text: t.text})
	case "DEFAULT":
		if !call {
			p.pos++
			return leaf(Operand{Kind: Default})
		}
	case "CASE":
		return p.caseExpr()
	case "EXISTS":
		if call {
			return p.exists(false)
		}
	case "NOT":
		p.pos++
		if p.peek().is("EXISTS") && p.at(1).op("(") {
			return p.exists(true)
		}
		return &expr{kind: exprUnary, op: "NOT", args: []*expr{p.binary(precNot)}}
	case "CAST", "TRY_CAST", "CONVERT", "TRY_CONVERT":
		if call {
			return p.cast()
		}
	case "INTERVAL":
		if e := p.interval(); e != nil {
			return e
		}
	case "ARRAY":
		switch {
		case p.at(1).op("["):
			return p.array()
		case call && p.opensStatement(2):
			p.pos++
			return p.subselect()
		}
	case "ROW":
		if call {
			p.pos++
			return p.paren()
		}
	case "BINARY", "DISTINCT", "PRIOR":
		if !call && !p.at(1).op(",", ")", ".") {
			p.pos++
			return p.unary()
		}
	case "DATE", "TIMESTAMP", "TIMESTAMPTZ", "TIME":
		if p.at(1).kind == tokenString {
			p.pos += 2
			return p.stringLeaf(p.at(-1))
		}
	}
	if nowWords[t.upper] && !p.at(1).op(".") {
		from := p.pos
		p.pos++
		if call {
			p.skipParens()
		}
		p.st.UsesNow = true
		return leaf(Operand{Kind: Now, Text: p.src.show(p.toks[from].start, p.toks[p.pos-1].end)})
	}
	if clauseWords[t.upper] && !call && !p.at(1).op(".") {
		p.st.Partial = true
		return &expr{kind: exprOther}
	}
	return p.reference()
}

// nowWords are clocks that are written without parentheses, or may be.
var nowWords = words(`CURRENT_TIMESTAMP CURRENT_DATE CURRENT_TIME LOCALTIMESTAMP LOCALTIME UTC_TIMESTAMP UTC_DATE UTC_TIME SYSDATE`)

// clauseWords open a clause: one in the place of an operand means that the operand is missing.
var clauseWords = words(`SELECT FROM WHERE AND OR SET VALUES JOIN INNER ON USING GROUP ORDER HAVING LIMIT OFFSET UNION INTERSECT
EXCEPT RETURNING AS IN IS LIKE BETWEEN WHEN THEN ELSE END FETCH`)

func (p *parser) exists(not bool) *expr {
	p.pos++
	if p.opensStatement(1) {
		p.subselect()
		return &expr{kind: exprExists, not: not}
	}
	p.st.Partial = true
	p.skipParens()
	return &expr{kind: exprExists, not: not}
}

func (p *parser) caseExpr() *expr {
	p.pos++
	e := &expr{kind: exprCase}
	if !p.peek().is("WHEN") {
		p.expression()
	}
	for p.accept("WHEN") {
		p.expression()
		if p.accept("THEN") {
			e.args = append(e.args, p.expression())
		}
	}
	if p.accept("ELSE") {
		e.args = append(e.args, p.expression())
	}
	if !p.accept("END") {
		p.st.Partial = true
	}
	return e
}

func (p *parser) array() *expr {
	p.pos += 2
	e := &expr{kind: exprList}
	for !p.done() && !p.peek().op("]") {
		from := p.pos
		e.args = append(e.args, p.expression())
		if p.pos == from || !p.acceptOp(",") {
			break
		}
	}
	if !p.acceptOp("]") {
		p.st.Partial = true
	}
	return e
}

func (p *parser) text(e *expr) string {
	if e.from >= e.to || e.to > len(p.toks) {
		return ""
	}
	return p.src.show(p.toks[e.from].start, p.toks[e.to-1].end)
}

// operand makes an expression an operand.
func (p *parser) operand(e *expr) Operand {
	switch e.kind {
	case exprLeaf:
		o := e.leaf
		o.Cast = e.cast
		return o
	case exprSpan:
		return Operand{Kind: Expression, Text: p.text(e), Cast: e.cast}
	}
	return Operand{Kind: Expression, Text: p.text(e), Inputs: leaves(e, nil), Cast: e.cast}
}

// leaves collects the operands inside an expression that are not constants.
func leaves(e *expr, out []Operand) []Operand {
	if e.kind == exprLeaf {
		switch e.leaf.Kind {
		case Literal, Default:
		case Expression:
			out = append(out, e.leaf.Inputs...)
		default:
			o := e.leaf
			o.Cast = e.cast
			out = append(out, o)
		}
		return out
	}
	if readsSQLiteNow(e) {
		out = append(out, Operand{Kind: Now, Text: "'now'"})
	}
	for _, a := range e.args {
		out = leaves(a, out)
	}
	return out
}

// walk calls f for an expression and those inside it.
func (e *expr) walk(f func(*expr)) {
	f(e)
	for _, a := range e.args {
		a.walk(f)
	}
}
