package query

import "strings"

// Precedence levels, loosest first.
const (
	precOr = iota + 1
	precAnd
	precNot
	precCompare
	precOther
	precAdd
	precMultiply
)

// binary reads operators that bind tighter than min.
func (p *parser) binary(min int) *expr {
	from := p.pos
	if p.depth >= maxDepth {
		return p.tooDeep()
	}
	p.depth++
	defer func() { p.depth-- }()

	var left *expr
	if p.peek().is("NOT") && !p.at(1).is("EXISTS") {
		p.pos++
		left = &expr{kind: exprUnary, op: "NOT", args: []*expr{p.binary(precNot)}}
		left.from, left.to = from, p.pos
	} else {
		left = p.unary()
	}
	for {
		prec, op, width := p.operator()
		if prec == 0 || prec <= min {
			return left
		}
		p.pos += width
		left = p.infix(left, prec, op)
		left.from, left.to = from, p.pos
	}
}

// operator classifies what stands at the cursor as an infix operator; width is its number of tokens.
func (p *parser) operator() (prec int, op string, width int) {
	t := p.peek()
	if t.kind == tokenWord {
		switch t.upper {
		case "OR", "XOR":
			return precOr, t.upper, 1
		case "AND":
			return precAnd, t.upper, 1
		case "IS", "IN", "BETWEEN", "LIKE", "ILIKE", "GLOB", "REGEXP", "RLIKE", "MATCH", "OVERLAPS", "ISNULL", "NOTNULL":
			return precCompare, t.upper, 1
		case "SIMILAR":
			if p.at(1).is("TO") {
				return precCompare, "SIMILAR TO", 2
			}
		case "NOT":
			switch next := p.at(1); {
			case next.is("IN", "BETWEEN", "LIKE", "ILIKE", "GLOB", "REGEXP", "RLIKE", "MATCH"):
				return precCompare, "NOT " + next.upper, 2
			case next.is("SIMILAR"):
				return precCompare, "NOT SIMILAR TO", 3
			case next.is("NULL"):
				return precCompare, "NOTNULL", 2
			}
		case "DIV", "MOD":
			return precMultiply, t.upper, 1
		}
		return 0, "", 0
	}
	if t.kind != tokenOp {
		return 0, "", 0
	}
	switch t.text {
	case "=", "==", "<>", "!=", "<", "<=", ">", ">=", "<=>", ":=":
		op = t.text
		switch op {
		case "==":
			op = "="
		case "!=":
			op = "<>"
		}
		return precCompare, op, 1
	case "+", "-":
		return precAdd, t.text, 1
	case "*", "/", "%":
		return precMultiply, t.text, 1
	case "||", "->", "->>", "#>", "#>>", "#-", "@>", "<@", "@@", "@?", "&&", "!~", "~*", "~~", "!~*", "!~~", "~~*", "!~~*",
		"~", "<<", ">>", "&", "|", "^", "#", "?", "?|", "?&", "<->":
		return precOther, t.text, 1
	}
	return 0, "", 0
}

// infix reads the right side of an operator that was taken.
func (p *parser) infix(left *expr, prec int, op string) *expr {
	not := strings.HasPrefix(op, "NOT ")
	switch base := strings.TrimPrefix(op, "NOT "); base {
	case "IS":
		return p.is(left)
	case "ISNULL":
		return &expr{kind: exprIsNull, args: []*expr{left}}
	case "NOTNULL":
		return &expr{kind: exprIsNull, not: true, args: []*expr{left}}
	case "IN":
		return p.in(left, not)
	case "BETWEEN":
		p.accept("SYMMETRIC", "ASYMMETRIC")
		low := p.binary(precCompare)
		e := &expr{kind: exprBetween, not: not, args: []*expr{left, low}}
		if p.accept("AND") {
			e.args = append(e.args, p.binary(precCompare))
			return e
		}
		p.st.Partial = true
		e.kind = exprOther
		return e
	case "LIKE", "ILIKE", "GLOB", "REGEXP", "RLIKE", "MATCH", "SIMILAR TO":
		right := p.binary(precCompare)
		if p.accept("ESCAPE") {
			p.binary(precCompare)
		}
		return &expr{kind: exprBinary, op: op, args: []*expr{left, right}}
	}
	if prec == precCompare && p.peek().is("ANY", "SOME", "ALL") && p.at(1).op("(") {
		quantifier := p.peek().upper
		p.pos++
		right := p.unary()
		if op == "=" && quantifier != "ALL" {
			return &expr{kind: exprIn, op: "ANY", args: []*expr{left, right}}
		}
		return &expr{kind: exprBinary, op: op + " " + quantifier, args: []*expr{left, right}}
	}
	if p.atExpressionEnd() {
		p.st.Partial = true
		if op == "AND" {
			return &expr{kind: exprBinary, op: op, args: []*expr{left, {kind: exprOther}}}
		}
		return &expr{kind: exprOther, args: []*expr{left}}
	}
	return &expr{kind: exprBinary, op: op, args: []*expr{left, p.binary(prec)}}
}

// atExpressionEnd says that no operand can follow: `WHERE a =` of a text cut into parts.
func (p *parser) atExpressionEnd() bool {
	t := p.peek()
	return t.kind == tokenEnd || t.op(")", ",", ";") || t.is("AND", "OR", "ORDER", "GROUP", "LIMIT", "RETURNING", "WHERE")
}

func (p *parser) is(left *expr) *expr {
	not := p.accept("NOT")
	switch {
	case p.accept("NULL", "UNKNOWN"):
		return &expr{kind: exprIsNull, not: not, args: []*expr{left}}
	case p.peek().is("TRUE", "FALSE"):
		op := "="
		if not {
			op = "<>"
		}
		return &expr{kind: exprBinary, op: op, args: []*expr{left, p.primary()}}
	case p.acceptSeq("DISTINCT", "FROM"):
		op := "<>"
		if not {
			op = "="
		}
		return &expr{kind: exprBinary, op: op, args: []*expr{left, p.binary(precCompare)}}
	case p.accept("JSON"):
		p.accept("VALUE", "OBJECT", "ARRAY", "SCALAR")
		return &expr{kind: exprOther, args: []*expr{left}}
	}
	// SQLite's IS compares two values, NULL included.
	op := "="
	if not {
		op = "<>"
	}
	return &expr{kind: exprBinary, op: op, args: []*expr{left, p.binary(precCompare)}}
}

func (p *parser) in(left *expr, not bool) *expr {
	e := &expr{kind: exprIn, not: not, args: []*expr{left}}
	if !p.peek().op("(") {
		// `IN ?`, `IN ${list}`: the library expands the value.
		e.op = "ANY"
		e.args = append(e.args, p.unary())
		return e
	}
	if p.opensStatement(1) {
		e.args = append(e.args, p.subselect())
		return e
	}
	p.pos++
	for !p.done() && !p.peek().op(")") {
		from := p.pos
		e.args = append(e.args, p.expression())
		if p.pos == from || !p.acceptOp(",") {
			break
		}
	}
	if !p.acceptOp(")") {
		p.st.Partial = true
		p.skipToClose()
		e.kind = exprOther
	}
	return e
}

func (p *parser) tooDeep() *expr {
	from := p.pos
	p.st.Partial = true
	if p.peek().op("(") {
		p.skipParens()
	} else {
		p.skipUntil(true, "AND", "OR", "WHERE", "FROM")
	}
	return &expr{kind: exprOther, from: from, to: p.pos}
}

func (p *parser) unary() *expr {
	from := p.pos
	t := p.peek()
	if t.op("-", "+", "~", "!", "@", "||/") {
		if p.depth >= maxDepth {
			return p.tooDeep()
		}
		p.depth++
		p.pos++
		arg := p.unary()
		p.depth--
		if t.text != "!" && t.text != "~" && arg.kind == exprLeaf && arg.leaf.Kind == Literal && !arg.leaf.Quoted && arg.cast == "" {
			if t.text == "-" {
				arg.leaf.Text = "-" + arg.leaf.Text
			}
			arg.from = from
			return arg
		}
		return &expr{kind: exprUnary, op: t.text, args: []*expr{arg}, from: from, to: p.pos}
	}
	e := p.postfix(p.primary())
	e.from, e.to = from, p.pos
	return e
}
