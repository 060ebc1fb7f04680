package query

// explain reads EXPLAIN. With ANALYZE the database runs the statement behind it, so the statement's nature is that one's; without, the
// plan alone is made.
func (p *parser) explain() {
	p.pos++
	if !p.explainOptions() {
		p.st.Verb = Other
		p.skipRest()
		return
	}
	if t := p.peek(); t.kind == tokenHole || len(t.holes) > 0 {
		p.st.Executed = Operand{Kind: Hole, Index: t.holes[0]}
	}
	p.st.Keyword = ""
	p.statement()
}

// explainOptions passes over the options and reports whether they may make the database run the statement: ANALYZE is among them and not
// switched off, or they are interpolated.
func (p *parser) explainOptions() bool {
	runs := false
	if p.peek().op("(") && !p.opensStatement(1) {
		for p.pos++; !p.done() && !p.acceptOp(")"); p.pos++ {
			switch t := p.peek(); {
			case t.is("ANALYZE", "ANALYSE"):
				runs = !p.at(1).is("FALSE", "OFF") && p.at(1).text != "0"
			case t.kind == tokenHole || len(t.holes) > 0:
				runs = true
			}
		}
		return runs
	}
	for {
		switch t := p.peek(); {
		case t.is("ANALYZE", "ANALYSE"):
			runs = true
			p.pos++
		case t.is("VERBOSE", "EXTENDED", "PARTITIONS"):
			p.pos++
		case t.is("QUERY") && p.at(1).is("PLAN"):
			p.pos += 2
			p.accept("FOR")
		case t.is("FORMAT") && p.at(1).op("="):
			p.pos += 3
		case t.kind == tokenHole && (p.at(1).kind == tokenHole || p.opensStatement(1)):
			runs = true // interpolated options: the statement follows
			p.pos++
		default:
			return runs
		}
	}
}
