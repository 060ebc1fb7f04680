package flow

import (
	"slices"

	"github.com/retrysafe/retrysafe/analyzers/model"
)

// A promise is followed as the value that it settles to. This file tells where that would be wrong: where the promise itself is
// tested, and where nobody waits for what an asynchronous function finds.

// settles reports whether a member of a promise gives a promise that settles after it.
func settles(name string) bool { return name == "then" || name == "catch" || name == "finally" }

// unawaited gives the calls of the function whose result nothing uses, be it awaited, kept, handed on or returned.
func (f *Function) unawaited(id model.ID) bool {
	if f.unused == nil {
		f.findUnused()
	}
	return id >= 0 && int(id) < len(f.unused) && f.unused[id]
}

// findUnused marks the operations whose value has no use. What only forms another value (void, a conditional, a chain of then and
// catch) is a use where that value has one.
func (f *Function) findUnused() {
	used := make([]bool, len(f.Ops))
	use := func(id model.ID) bool {
		if id < 0 || int(id) >= len(used) || used[id] {
			return false
		}
		used[id] = true
		return true
	}
	for i := range f.Blocks {
		use(f.Blocks[i].Value)
	}
	chains := func(id model.ID) bool {
		return id >= 0 && int(id) < len(f.Ops) && f.Ops[id].Kind == model.Load && settles(f.Ops[id].Name)
	}
	for again := true; again; {
		again = false
		for i := len(f.Ops) - 1; i >= 0; i-- {
			op := &f.Ops[i]
			forms := op.Kind == model.Unary || op.Kind == model.Phi || op.Kind == model.Convert || chains(model.ID(i))
			for n, arg := range op.Args {
				if (forms || op.Kind == model.Call && n == 0 && chains(arg)) && !used[i] {
					continue
				}
				again = use(arg) || again
			}
			for _, p := range op.Parts {
				if op.Kind == model.Object && p.Key == "" && !p.Spread {
					again = use(p.KeyID) || again
				}
			}
		}
	}
	f.unused = make([]bool, len(f.Ops))
	for i := range used {
		f.unused[i] = !used[i]
	}
}

// asyncFunction reports whether every function that a callee may be gives a promise.
func asyncFunction(callee *Term) bool {
	any := false
	for _, alt := range callee.Alternatives() {
		if alt.Kind != TClosure || !alt.Fn.Async || alt.Fn.Generator {
			return false
		}
		any = true
	}
	return any
}

// rejectionMet reports whether the promise that an operation gives is handed, as it is, to what takes its failure: `f().catch(…)`, or one of a list for
// allSettled. Whoever calls then goes on.
func (f *Function) rejectionMet(id model.ID) bool {
	if f.met == nil {
		f.findMet()
	}
	return id >= 0 && int(id) < len(f.met) && f.met[id]
}

// findMet marks the operations whose failure is taken in by what their value is handed to.
func (f *Function) findMet() {
	f.met = make([]bool, len(f.Ops))
	meet := func(id model.ID) {
		if id >= 0 && int(id) < len(f.met) {
			f.met[id] = true
		}
	}
	for i := range f.Ops {
		op := &f.Ops[i]
		switch {
		case op.Kind == model.Load && op.Name == "catch" && len(op.Args) > 0:
			meet(op.Args[0])
		case op.Kind == model.Call && len(op.Args) == 2 && f.isLoad(op.Args[0], "allSettled") && op.Args[1] >= 0 && f.Ops[op.Args[1]].Kind == model.Array:
			for _, promise := range f.Ops[op.Args[1]].Args {
				meet(promise)
			}
		}
	}
}

// isLoad reports whether an operation reads a member of that name.
func (f *Function) isLoad(id model.ID, name string) bool {
	return id >= 0 && int(id) < len(f.Ops) && f.Ops[id].Kind == model.Load && f.Ops[id].Name == name
}

// settled follows a call whose failure is taken in by what its promise is handed to.
func (e *engine) settled(c *callSite, st *state, callee *Term) []outcome {
	failed := outcome{st: st.fork(c.a.base), value: e.unknown("rejected promise", e.site(c.a.fn, c.id))}
	out := slices.DeleteFunc(e.dispatch(c, st, callee), func(o outcome) bool { return o.throws })
	if len(out) == 0 {
		out = append(out, failed)
	}
	return out
}

// pending reports whether an operation's value is a promise that was not awaited: such a value is never null, false or equal to what it settles to.
func (e *engine) pending(a *activation, st *state, id model.ID) bool {
	for id >= 0 && int(id) < len(a.fn.Ops) {
		op := &a.fn.Ops[id]
		switch op.Kind {
		case model.Convert:
			id = op.Args[0]
			continue
		case model.Call:
			if op.Flags&(model.New|model.Super|model.Optional) != 0 || len(op.Args) == 0 {
				return false
			}
			callee := op.Args[0]
			if asyncFunction(e.value(st, callee)) {
				return true
			}
			if a.fn.isLoad(callee, "then") {
				return e.pending(a, st, a.fn.Ops[callee].Args[0])
			}
			c := e.calls[e.value(st, id)]
			return c != nil && c.promises()
		}
		break
	}
	return false
}

// promises reports whether the catalog says that the call gives a promise.
func (c *Call) promises() bool {
	return c.RecordRow != nil && c.RecordRow.Promises || c.QueryRow != nil && c.QueryRow.Promises
}

// detached reports whether nothing waits for what the call does: what it decides and how it fails is then nobody's.
func (e *engine) detached(c *callSite, callee *Term) bool {
	if e.phase != entryPhase {
		return false
	}
	if c.op.Kind == model.Spawn || c.name == "forEach" && len(c.args) > 0 && asyncFunction(c.args[0]) {
		return true
	}
	if c.op.Kind != model.Call || !c.a.fn.unawaited(c.id) {
		return false
	}
	return asyncFunction(callee) || settles(c.name) && c.recv != nil
}

// detach takes over what a detached call does, and relies on nothing that it found: it goes on beside what follows.
func (e *engine) detach(c *callSite, st *state, callee *Term) []outcome {
	facts := st.facts
	var passed, failed []outcome
	for _, o := range e.dispatch(c, st, callee) {
		o.st.facts = facts
		if o.throws {
			failed = append(failed, outcome{st: o.st, value: e.undefined})
			continue
		}
		passed = append(passed, o)
	}
	if len(passed) == 0 {
		passed = failed
	}
	return e.joinOutcomes(c.a, passed)
}

// keeps reports whether the value of an operation is put away for later, as a promise is that fails once somebody waits for it.
func (f *Function) keeps(id model.ID) bool {
	if id < 0 {
		return false
	}
	values := []model.ID{id}
	for again := true; again; {
		again = false
		for i := range f.Ops {
			op := &f.Ops[i]
			if !slices.ContainsFunc(op.Args, func(arg model.ID) bool { return slices.Contains(values, arg) }) {
				continue
			}
			switch op.Kind {
			case model.Store, model.StoreGlobal:
				return true
			case model.Phi, model.Convert:
				if !slices.Contains(values, model.ID(i)) {
					values, again = append(values, model.ID(i)), true
				}
			}
		}
	}
	return false
}
