package flow

import (
	"slices"
	"strings"

	"github.com/retrysafe/retrysafe/analyzers/model"
)

// A list or map of the process hands work from one function to another, as a channel does: a tool puts something in, and what runs on its own (a timer, a loop
// that nobody waits for) looks there and acts. What runs so is known once the program is ready. When a tool puts something in, it is followed once more, as what the
// tool does. An event that a loop waits for is such a hand-over too.

const (
	maxDrains = 3      // functions that are followed for what is put into one list
	maxAlone  = 20_000 // steps of such a function
)

// drain is a list or map that something looks into which runs on its own.
type drain struct {
	of   *Term
	name string // of the field that holds it, where a field is given another list for each element; "" for the list itself
	by   receiver
}

// driven tells that what looks into a list was followed for what an entry puts there.
type driven struct {
	drain
	epoch int
}

var (
	// taking are the methods that take elements out of a list, whichever they are.
	taking = set(`shift pop splice`)
	// looking are the members by which all that is in a list or map is asked for: to take some of it out afterwards, or not.
	looking = set(`length size keys values entries foreach map`)
	// removing are the methods that take out what a function has looked at.
	removing = set(`shift pop splice delete clear`)
)

// walkedWhole stands for the member where a loop walks a list or map.
const walkedWhole = "[]"

// looksInto notes that what runs on its own takes what is in a list or map of the process: by the member that it reads there, or, where it only looks whether there
// is something, in the same function. What it merely uses, as it does a table of connections, is no work that is handed to it.
func (e *engine) looksInto(of *Term, name, member string) {
	if e.entered || len(e.runs) == 0 || !e.runs[len(e.runs)-1].alone || member != "" && !taking[member] && !((looking[strings.ToLower(member)] || member == walkedWhole) && e.takesHere()) {
		return
	}
	d := drain{of, name, e.runs[len(e.runs)-1]}
	same := func(o drain) bool { return o.of == of && o.name == name }
	if n := len(e.drains[of]); n < maxDrains && !slices.ContainsFunc(e.drains[of], func(o drain) bool { return same(o) && o.by.callee == d.by.callee }) {
		e.drains[of] = append(e.drains[of], d)
		e.pin(of)
		e.pin(d.by.callee)
		for _, arg := range d.by.site.args {
			e.pin(arg)
		}
	}
}

// takesHere reports whether the function under evaluation takes elements out of a list or map, or puts an empty one in its place.
func (e *engine) takesHere() bool {
	n := len(e.lineage.stack)
	return n > 0 && e.lineage.stack[n-1].into.takes()
}

func (f *Function) takes() bool {
	return slices.ContainsFunc(f.Ops, func(op model.Op) bool {
		at := func(i int) *model.Op {
			if i >= len(op.Args) || op.Args[i] < 0 {
				return nil
			}
			return &f.Ops[op.Args[i]]
		}
		empty := func(v *model.Op) bool {
			return v != nil && (v.Kind == model.Array || v.Kind == model.Object) && len(v.Args) == 0
		}
		switch op.Kind {
		case model.Call:
			callee := at(0)
			return callee != nil && callee.Kind == model.Load && removing[callee.Name]
		case model.StoreGlobal:
			return empty(at(0))
		case model.Store:
			return op.Name == "length" || op.Name != "" && empty(at(1))
		case model.Delete:
			return true
		}
		return false
	})
}

// alone follows what a call starts that goes on by itself, and drops what it was noted to look into where it makes the program ready, or is much work.
func (e *engine) alone(c *callSite, callee *Term, follow func() []outcome) []outcome {
	made, left := e.madeSoFar(), e.total
	e.runs = append(e.runs, receiver{site: c, callee: callee, alone: true})
	out := follow()
	e.runs = e.runs[:len(e.runs)-1]
	if e.madeSoFar() != made || left-e.total > maxAlone {
		e.forget(c)
	}
	return out
}

// forget drops what a run was noted to look into: it makes the program ready.
func (e *engine) forget(site *callSite) {
	for of, list := range e.drains {
		e.drains[of] = slices.DeleteFunc(list, func(d drain) bool { return d.by.site == site })
	}
}

// startsOn reports whether a call starts what runs on its own while the program gets ready: nobody waits for it.
func (e *engine) startsOn(c *callSite, callee *Term) bool {
	return !e.entered && c.op.Kind == model.Call && asyncFunction(callee) && (c.a.fn.unawaited(c.id) || c.a.fn.rejectionMet(c.id))
}

// putInto follows what looks into the lists that an entry has put something into.
func (e *engine) putInto(c *callSite, st *state, of *Term, name string) {
	if !e.entered || of == nil || len(e.drains) == 0 {
		return
	}
	for _, alt := range of.Alternatives() {
		for _, d := range e.drains[alt] {
			if d.name == name {
				e.drive(c, st, d)
			}
		}
	}
}

func (e *engine) drive(c *callSite, st *state, d drain) {
	k := driven{drain{of: d.of, name: d.name, by: receiver{callee: d.by.callee}}, e.epoch}
	if e.drove[k] {
		return
	}
	e.drove[k] = true
	outer := e.handedTo
	e.handedTo = d.of
	e.runBeside(c, st, d.by)
	e.handedTo = outer
}

// runBeside follows what runs on its own, as what the entry sets off.
func (e *engine) runBeside(c *callSite, st *state, r receiver) {
	n := *r.site
	n.a, n.op, n.id, n.block, n.from, n.inner = c.a, c.op, c.id, nil, nil, true
	e.spawning++
	out := e.dispatch(&n, st.fork(c.a.base), r.callee)
	e.spawning--
	for _, o := range out {
		if !o.throws {
			o.st.facts = st.facts
			e.mergeInto(c.a, st, o.st)
		}
	}
	for _, s := range c.a.sum.steps {
		if s.op == c.id && s.sub != nil {
			s.sent, s.driven = true, true
		}
	}
}

// about reports whether a call has to do with what an entry was given.
func (c *Call) about() bool {
	given := func(t *Term) bool { return t != nil && t.flags&hasInput != 0 }
	return given(c.Recv) || slices.ContainsFunc(c.Args, given)
}

// awaitEvent evaluates waiting for an event as a list of what is told: of those that a loop waits for, one stands for all.
func (e *engine) awaitEvent(c *callSite, st *state, emitter *Term, each bool) *Term {
	told := e.unknown("event", e.site(c.a.fn, c.id))
	if !e.entered && len(e.runs) > 0 {
		for _, alt := range emitter.Alternatives() {
			e.looksInto(alt, "event", "")
		}
	}
	if e.announcing != nil {
		told = e.announcing
	}
	if !each {
		return told
	}
	ref := e.ref(c.a, st, c.id, "array")
	st.heap.set(ref, e.heap.intern(object{kind: arrayObject, elems: []*Term{told}}))
	return ref
}
