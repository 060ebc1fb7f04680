package flow

import "github.com/retrysafe/retrysafe/analyzers/model"

// runDeferred makes the calls that a way out of a function has put off, the last one first, and gives the states in which the function ends. One that
// throws, or never comes back, ends nothing else: the others are made all the same. What the call was handed is what it was handed when it was put off.
func (e *engine) runDeferred(a *activation, st *state, block *model.Block) []*state {
	list := st.deferred
	st.deferred = nil
	states := []*state{st}
	for i := len(list) - 1; i >= 0; i-- {
		var after []*state
		for _, st := range states {
			out := e.execCall(a, st, &a.fn.Ops[list[i]], list[i], block)
			if len(out) == 0 {
				after = append(after, st)
			}
			for _, o := range out {
				after = append(after, o.st)
			}
		}
		if len(after) > a.paths() {
			after = e.joinAll(a, after)
		}
		states = after
	}
	return states
}
