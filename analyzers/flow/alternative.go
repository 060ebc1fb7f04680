package flow

import "github.com/retrysafe/retrysafe/analyzers/model"

// register registers what a call describes, once for each of the descriptions that it may be given.
func (e *engine) register(c *callSite, st *state, syms []string, rows []*model.Row, call *Call) {
	sites := e.oneByOne(c, st)
	for _, one := range sites {
		if len(sites) > 1 {
			rows = e.matching(one, st, syms)
		}
		for _, r := range rows {
			if r.Tool != nil || r.Route != nil {
				e.registerCall(one, st, r, call)
			}
		}
	}
}

// matching lists the rows about the symbols that speak of a call with these arguments.
func (e *engine) matching(c *callSite, st *state, syms []string) (rows []*model.Row) {
	sym := ""
	if len(syms) > 0 {
		sym = syms[0]
	}
	acc := &accessor{e: e, st: st, recv: c.recv, args: c.args, rest: c.rest, name: c.name, sym: sym, fn: c.a.fn}
	for _, s := range syms {
		for _, r := range e.rowsOf(s) {
			if acc.matches(r) {
				rows = append(rows, r)
			}
		}
	}
	return rows
}

// oneByOne splits a call whose arguments are members of one object that is one of several, the tool that a setting picks, into a call for each
// of the objects: a description stays with its own handler. A call with other arguments stays as it is.
func (e *engine) oneByOne(c *callSite, st *state) []*callSite {
	whole := []*callSite{c}
	if c.inner || c.rest != nil || len(c.args)+1 != len(c.op.Args) {
		return whole
	}
	var base *Term
	members := map[int]*model.Op{}
	for i, id := range c.op.Args[1:] {
		if id < 0 {
			continue
		}
		op := &c.a.fn.Ops[id]
		if op.Kind != model.Load || op.Name == "" || len(op.Args) == 0 {
			continue
		}
		switch from := e.value(st, op.Args[0]); {
		case from.Kind != TUnion:
		case base != nil && base != from:
			return whole
		default:
			base = from
			members[i] = op
		}
	}
	if base == nil || len(base.Args) > maxHandlers {
		return whole
	}
	var sites []*callSite
	for _, alt := range base.Args {
		if alt.IsNullish() {
			continue // reading its members would have failed
		}
		if alt.Kind != TRef {
			return whole
		}
		one := *c
		one.args = append([]*Term(nil), c.args...)
		for i, op := range members {
			one.args[i] = e.load(st, alt, op.Name, nil)
		}
		sites = append(sites, &one)
	}
	if len(sites) < 2 {
		return whole
	}
	return sites
}
