package query

import "strings"

// conditions splits an expression into the comparisons that all must hold. It reports whether it says more than those.
func (p *parser) conditions(e *expr) (out []Condition, complex bool) {
	switch e.kind {
	case exprBinary:
		if e.op == "AND" {
			return p.conjunction(e)
		}
		if e.op == "OR" || e.op == "XOR" {
			p.alternative(e)
			return nil, true
		}
		return p.comparison(e)
	case exprIn:
		return p.membership(e)
	case exprBetween:
		p.compareTimes(e.args[0], ">=", e.args[1])
		p.compareTimes(e.args[0], "<=", e.args[2])
		column, ok := p.column(e.args[0])
		if !ok || e.not {
			return nil, true
		}
		low, high := column, column
		low.Op, low.Operand = ">=", p.operand(e.args[1])
		high.Op, high.Operand = "<=", p.operand(e.args[2])
		return []Condition{low, high}, false
	case exprIsNull:
		c, ok := p.column(e.args[0])
		if !ok {
			return nil, true
		}
		c.Op = "IS NULL"
		if e.not {
			c.Op = "IS NOT NULL"
		}
		c.Operand = Operand{Kind: Literal, Text: "NULL"}
		return []Condition{c}, false
	case exprLeaf:
		return p.flag(e, "TRUE")
	case exprUnary:
		if e.op == "NOT" || e.op == "!" {
			if inner := e.args[0]; inner.kind == exprLeaf {
				return p.flag(inner, "FALSE")
			}
			p.alternative(e)
			return nil, true
		}
	}
	p.durationsIn(e)
	return nil, true
}

// alternative collects the comparisons below OR and NOT.
func (p *parser) alternative(e *expr) {
	if e.kind == exprBinary && (e.op == "OR" || e.op == "XOR" || e.op == "AND") || e.kind == exprUnary {
		for _, a := range e.args {
			p.alternative(a)
		}
		return
	}
	conds, _ := p.conditions(e)
	p.alternatives = append(p.alternatives, conds...)
}

// conjunction reads a chain of AND. The chain leans to the left and can be long: it is unrolled.
func (p *parser) conjunction(e *expr) (out []Condition, complex bool) {
	var terms []*expr
	for e.kind == exprBinary && e.op == "AND" {
		terms = append(terms, e.args[1])
		e = e.args[0]
	}
	terms = append(terms, e)
	for i := len(terms) - 1; i >= 0; i-- {
		conds, more := p.conditions(terms[i])
		out, complex = append(out, conds...), complex || more
	}
	return out, complex
}

// flag reads a boolean column, or a constant that is always true.
func (p *parser) flag(e *expr, value string) ([]Condition, bool) {
	switch e.leaf.Kind {
	case Column:
		return []Condition{{Table: e.leaf.Table, Column: e.leaf.Name, Op: "=", Operand: Operand{Kind: Literal, Text: value}}}, false
	case Literal:
		always := strings.EqualFold(e.leaf.Text, "TRUE") || e.leaf.Text == "1"
		return nil, !always || value != "TRUE"
	}
	return nil, true
}

// comparison reads `column op value`, with the sides in either order and rows compared member by member.
func (p *parser) comparison(e *expr) ([]Condition, bool) {
	left, right := e.args[0], e.args[1]
	if left.kind == exprList && right.kind == exprList && e.op == "=" && len(left.args) == len(right.args) {
		var out []Condition
		complex := false
		for i := range left.args {
			c, more := p.comparison(&expr{kind: exprBinary, op: "=", args: []*expr{left.args[i], right.args[i]}})
			out, complex = append(out, c...), complex || more
		}
		return out, complex
	}
	p.compareTimes(left, e.op, right)
	if isConstant(left) && isConstant(right) {
		return nil, !(e.op == "=" && left.leaf.Text == right.leaf.Text)
	}
	op := e.op
	if op == "<=>" {
		op = "="
	}
	c, ok := p.column(left)
	if !ok {
		if c, ok = p.column(right); !ok || flipped[op] == "" {
			return nil, true
		}
		op, right = flipped[op], left
	}
	if !comparable(op) || right.kind == exprSelect || right.kind == exprStar {
		return nil, true
	}
	c.Op, c.Operand = op, p.comparand(left, right)
	return []Condition{c}, false
}

// comparand makes the compared value an operand. A lone "x" beside an unquoted column is a string of MySQL or SQLite.
func (p *parser) comparand(column, value *expr) Operand {
	if value.quote == '"' && column.quote != '"' && column.kind == exprLeaf && column.leaf.Table == "" {
		return Operand{Kind: Literal, Text: value.leaf.Name, Quoted: true}
	}
	return p.operand(value)
}

// comparable says that an operator compares; arithmetic in the place of a condition does not.
func comparable(op string) bool {
	switch op {
	case "+", "-", "*", "/", "%", "||", "->", "->>", "#>", "#>>", "#-", "<<", ">>", "&", "|", "^", "#", "DIV", "MOD", ":=":
		return false
	}
	return true
}

func isConstant(e *expr) bool { return e.kind == exprLeaf && e.leaf.Kind == Literal }

// membership reads IN.
func (p *parser) membership(e *expr) ([]Condition, bool) {
	c, ok := p.column(e.args[0])
	if !ok {
		return nil, true
	}
	values := e.args[1:]
	for _, v := range values {
		if v.kind == exprSelect {
			return nil, true
		}
	}
	c.Op = "IN"
	if e.not {
		c.Op = "NOT IN"
	}
	switch {
	case e.op == "ANY":
		c.Operand = p.operand(values[0])
	case len(values) == 1 && values[0].kind == exprLeaf && !p.expands(values[0]):
		c.Op, c.Operand = "=", p.operand(values[0])
		if e.not {
			c.Op = "<>"
		}
	default:
		c.Operand = Operand{Kind: Expression}
		for _, v := range values {
			c.Values = append(c.Values, p.operand(v))
		}
		for _, v := range values {
			c.Operand.Inputs = leaves(v, c.Operand.Inputs)
		}
		if len(values) > 0 {
			c.Operand.Text = p.text(&expr{from: values[0].from, to: values[len(values)-1].to})
		}
	}
	return []Condition{c}, false
}

// expands says that the single member of an IN list can stand for several: a hole, a `?`.
func (p *parser) expands(e *expr) bool {
	return e.leaf.Kind == Hole || e.leaf.Kind == Placeholder && e.from < e.to && p.src.text[p.toks[e.from].start] == '?'
}

// column reads the compared column: a name, or an expression over exactly one column and constants.
func (p *parser) column(e *expr) (Condition, bool) {
	if e.kind == exprLeaf {
		return Condition{Table: e.leaf.Table, Column: e.leaf.Name}, e.leaf.Kind == Column
	}
	if e.kind != exprCall && e.kind != exprBinary {
		return Condition{}, false
	}
	in := leaves(e, nil)
	if len(in) != 1 || in[0].Kind != Column {
		return Condition{}, false
	}
	plain := true
	e.walk(func(x *expr) {
		switch x.kind {
		case exprLeaf, exprCall:
		case exprBinary:
			plain = plain && (strings.HasPrefix(x.op, "->") || strings.HasPrefix(x.op, "#>"))
		default:
			plain = false
		}
	})
	return Condition{Table: in[0].Table, Column: p.unqualified(e.from, e.to)}, plain
}

// durationsIn records the durations of comparisons below OR, NOT and the like.
func (p *parser) durationsIn(e *expr) {
	if e.kind == exprBinary && flipped[e.op] != "" {
		p.compareTimes(e.args[0], e.op, e.args[1])
		return
	}
	if e.kind == exprSpan {
		p.looseTimes("", e)
		return
	}
	for _, a := range e.args {
		p.durationsIn(a)
	}
}
