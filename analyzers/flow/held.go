package flow

import "github.com/retrysafe/retrysafe/analyzers/model"

// held finds the functions that the handlers of tools hold: they themselves, and those in what they capture, such as the rows of a table. They are
// evaluated with the tools, so whoever looks for functions that nobody calls leaves them out until that is done. What routes hold is not
// among them: a route may build the server of each session.
func (e *engine) held() map[*Function]bool {
	out := map[*Function]bool{}
	seen := map[*Term]bool{}
	var work []*Term
	add := func(t *Term) {
		if t != nil && !seen[t] {
			seen[t] = true
			work = append(work, t)
		}
	}
	for _, r := range e.registrations {
		if !r.done {
			add(r.handler)
		}
	}
	for _, d := range e.defined {
		if d.reg != nil {
			add(d.reg.handler)
		}
	}
	for _, l := range e.lists {
		add(l.handler)
	}
	for len(work) > 0 {
		t := work[len(work)-1]
		work = work[:len(work)-1]
		switch t.Kind {
		case TClosure:
			out[t.Fn] = true
		case TRef:
			obj := e.heap.global[t]
			if obj == nil || obj.kind == instanceObject {
				continue
			}
			obj.each(add)
			continue
		}
		for _, a := range t.Args {
			add(a)
		}
	}
	return out
}

// servesTools reports whether what may be a route, by nothing but its name, is what tools have called by now: the handler in the description of a tool
// that a file exports.
func (e *engine) servesTools(r *registration) bool {
	if r.row.Confidence != model.Possible || len(r.chain) == 0 {
		return false
	}
	for _, h := range r.chain {
		targets, _ := e.handlerTargets(h)
		if len(targets) == 0 {
			return false
		}
		for _, t := range targets {
			if fn := closureOf(t); fn == nil || !fn.served {
				return false
			}
		}
	}
	return true
}
