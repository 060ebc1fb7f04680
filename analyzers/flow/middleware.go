package flow

import "github.com/retrysafe/retrysafe/analyzers/model"

// Middleware is a handler from outside the program that runs ahead of a route's own.
type Middleware struct {
	Name string // the symbol, or what is called to make it
	// Authenticates says that it lets only known callers pass. Known says that the catalog speaks of it.
	Authenticates, Known bool
}

// handsOn reports whether a call hands its argument i to what goes on with the request itself, as `limiter(req, res, next)` does: the rest of the chain
// behind other values, so that `.catch(next)`, which only goes on after a failure, is none.
func handsOn(c *callSite, i int) bool {
	if i == 0 || c.args[i].Kind != TOp || c.args[i].Name != "next" {
		return false
	}
	for _, arg := range c.args[:i] {
		if arg.Kind == TInput {
			return true
		}
	}
	return false
}

// handedNext runs the rest of a chain that is handed to a middleware from outside the program: it goes on with it, or answers itself.
func (e *engine) handedNext(c *callSite, states []outcome, next *Term) []outcome {
	var out []outcome
	for _, o := range states {
		if o.throws {
			out = append(out, o)
			continue
		}
		on := *c
		on.args, on.rest, on.recv, on.name, on.inner = nil, nil, nil, "", true
		out = append(out, e.dispatch(&on, o.st.fork(c.a.base), next)...)
		out = append(out, o)
	}
	return e.joinOutcomes(c.a, out)
}

// middleware describes the handlers that are no functions of the program.
func (e *engine) middleware(handlers []*Term) (out []Middleware) {
	for _, h := range handlers {
		if targets, _ := e.handlerTargets(h); len(targets) > 0 {
			continue
		}
		for _, alt := range h.Alternatives() {
			m := Middleware{Name: alt.Sym}
			var rows []*model.Row
			if c := e.calls[alt]; c != nil {
				m.Name = c.Callee
				rows = e.rowsOf(c.Symbol)
			} else if alt.Kind == TSymbol || alt.Kind == TMember {
				rows = e.rowsOf(alt.Sym)
			}
			if m.Name == "" {
				continue
			}
			for _, r := range rows {
				m.Known = m.Known || r.Safe || r.Route != nil || r.Check != nil
				m.Authenticates = m.Authenticates || r.Check != nil && r.Check.Kind == "auth"
			}
			out = append(out, m)
		}
	}
	return out
}
