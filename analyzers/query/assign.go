package query

import "strings"

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
	known := t.name() && t.text != "" && len(t.holes) == 0
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
