package flow

import "github.com/retrysafe/retrysafe/analyzers/model"

// Middleware is a handler from outside the program that runs ahead of a route's own.
type Middleware struct {
	Name string // the symbol, or what is called to make it
	// Authenticates says that it lets only known callers pass. Known says that the catalog speaks of it.
	Authenticates, Known bool
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
