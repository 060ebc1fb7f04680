package query

import "strings"

// cast reads CAST(x AS type) and both CONVERTs: MySQL's (x, type) and T-SQL's (type, x).
func (p *parser) cast() *expr {
	convert := p.peek().is("CONVERT", "TRY_CONVERT")
	p.pos += 2
	e := p.expression()
	switch {
	case p.accept("AS"):
		e = p.castTo(e, p.typeName())
	case convert && p.accept("USING"):
		p.typeName()
	case convert && p.acceptOp(","):
		second := p.expression()
		if e.kind == exprCall || e.kind == exprLeaf && e.leaf.Kind == Column {
			e = second
		}
		for p.acceptOp(",") {
			p.expression()
		}
	}
	if !p.acceptOp(")") {
		p.st.Partial = true
		p.skipToClose()
	}
	return e
}

// reference reads a column, possibly qualified, or a call.
func (p *parser) reference() *expr {
	t := p.peek()
	qualifier := ""
	for {
		if p.at(1).op(".") && (p.at(2).name() || p.at(2).kind == tokenHole) {
			qualifier = p.nameText(p.peek())
			p.pos += 2
			t = p.peek()
			continue
		}
		if p.at(1).op(".") && p.at(2).op("*") {
			qualifier = p.nameText(p.peek())
			p.pos += 3
			return &expr{kind: exprStar, name: qualifier}
		}
		break
	}
	if p.at(1).op("(") && t.kind != tokenHole {
		return p.function()
	}
	p.pos++
	if len(t.holes) > 0 {
		return p.mixed(t)
	}
	if t.text == "" {
		p.st.Partial = true
		return &expr{kind: exprOther}
	}
	o := Operand{Kind: Column, Name: t.text, Table: qualifier}
	if SameName(qualifier, "excluded") {
		o = Operand{Kind: Excluded, Name: t.text}
	}
	e := leaf(o)
	if qualifier == "" {
		e.quote = t.quote
	}
	return e
}

func (p *parser) nameText(t *token) string {
	if len(t.holes) > 0 {
		return ""
	}
	return t.text
}

// function reads a call at the cursor, with its filters and window.
func (p *parser) function() *expr {
	from := p.pos
	t := p.peek()
	name := strings.ToLower(p.nameText(t))
	if name != "" && name != "values" {
		p.called(name)
	}
	p.pos += 2
	e := &expr{kind: exprCall, name: name}
	if name == "extract" {
		p.extractField(e)
	}
	for !p.done() && !p.peek().op(")") {
		p.accept("DISTINCT", "ALL", "BOTH", "LEADING", "TRAILING")
		if p.opensStatement(0) && !p.peek().op("(") {
			p.pos--
			// f(SELECT …): the argument's parentheses are the call's.
			e.args = append(e.args, p.subselect())
			e.from, e.to = from, p.pos
			return e
		}
		if p.peek().name() && p.at(1).op("=>", ":=") {
			named := strings.ToLower(p.peek().text)
			p.pos += 2
			e.args = append(e.args, &expr{kind: exprUnary, op: "=>", name: named, args: []*expr{p.expression()}})
		} else {
			e.args = append(e.args, p.expression())
		}
		for p.accept("FROM", "IN", "FOR", "USING", "PLACING") {
			e.args = append(e.args, p.expression())
		}
		if p.accept("ORDER") {
			p.accept("BY")
			p.skipUntil(false)
		}
		if p.accept("SEPARATOR", "AS", "RETURNING") {
			p.skipUntil(true)
		}
		if !p.acceptOp(",") {
			break
		}
	}
	if !p.acceptOp(")") {
		p.st.Partial = true
		p.skipToClose()
	}
	if p.acceptSeq("WITHIN", "GROUP") && p.peek().op("(") {
		p.skipParens()
	}
	if p.peek().is("FILTER") && p.at(1).op("(") && p.at(2).is("WHERE") {
		p.pos += 3
		p.durationsIn(p.expression())
		if !p.acceptOp(")") {
			p.st.Partial = true
			p.skipToClose()
		}
	}
	if p.accept("OVER") {
		if p.peek().op("(") {
			p.skipParens()
		} else if p.peek().name() {
			p.pos++
		}
	}
	e.from, e.to = from, p.pos
	return p.meaning(e)
}

// extractField reads the field of EXTRACT(epoch FROM x).
func (p *parser) extractField(e *expr) {
	if p.peek().name() || p.peek().kind == tokenString {
		e.op = strings.ToLower(p.peek().text)
		if p.at(1).is("FROM") {
			p.pos += 2
		}
	}
}

// meaning replaces the calls that are operands of their own: clocks, durations, and MySQL's VALUES(column).
func (p *parser) meaning(e *expr) *expr {
	switch {
	case p.isClock(e):
		p.st.UsesNow = true
		return &expr{kind: exprLeaf, leaf: Operand{Kind: Now, Text: p.text(e)}, name: e.name, args: e.args, op: e.op}
	case e.name == "values" && len(e.args) == 1 && e.args[0].kind == exprLeaf && e.args[0].leaf.Kind == Column:
		return leaf(Operand{Kind: Excluded, Name: e.args[0].leaf.Name})
	case e.name == "make_interval":
		if s, ok := makeInterval(e.args); ok {
			return &expr{kind: exprSpan, seconds: s}
		}
	}
	return e
}
