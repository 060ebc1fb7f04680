package flow

import (
	"strings"

	"github.com/retrysafe/retrysafe/analyzers/model"
)

// fieldOf is a member of a value that a library made.
type fieldOf struct {
	of   *Term
	name string
}

// replaceMember notes a function that the program puts in the place of a method of what a library made (`server.registerTool = …`), while it gets ready: who
// calls the method from then on calls the function. A function that was read from there before stays the library's.
func (e *engine) replaceMember(target *Term, name string, val *Term) {
	if e.phase == entryPhase || name == "" {
		return
	}
	for _, fn := range val.Alternatives() {
		if fn = uncast(fn); fn.Kind == TClosure {
			if e.patches == nil {
				e.patches = map[fieldOf]*Term{}
			}
			e.patches[fieldOf{target, name}] = fn
			return
		}
	}
}

// patch evaluates a function that is put in the place of a member of what a framework hands in (`res.json = body => …`): whoever replies later calls it. Like
// a callback it may run or not, so that what it does is seen and what it establishes is not relied upon.
func (e *engine) patch(a *activation, st *state, target, val *Term, op *model.Op, id model.ID) {
	if inputRoot(target) == nil && !heardBy(target, op.Name) {
		return
	}
	for _, fn := range val.Alternatives() {
		for fn.Kind == TCast {
			fn = fn.Args[0]
		}
		if fn.Kind != TClosure {
			continue
		}
		params := make([]*Term, len(fn.Fn.Params))
		for i := range params {
			p := &fn.Fn.Params[i]
			params[i] = e.ofType(p.Type, p.Name, e.site(fn.Fn, model.ID(-2-i)))
		}
		for _, r := range e.apply(a, st.fork(a.base), fn, target, params, nil, op, id) {
			if r.throws {
				continue // it reaches whoever replies
			}
			r.st.facts = st.facts
			e.mergeInto(a, st, r.st)
		}
	}
}

// heardBy reports whether a member of what a built-in or library made is what it calls when something happens there: socket.onopen, port.onmessage.
func heardBy(target *Term, name string) bool {
	return len(name) > 2 && strings.HasPrefix(name, "on") && name == strings.ToLower(name) && target.Kind == TCall && target.Sym != "" && !strings.HasPrefix(target.Sym, "?#")
}
