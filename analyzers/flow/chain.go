package flow

import (
	"encoding/binary"

	"github.com/retrysafe/retrysafe/analyzers/model"
)

// chain is what runs for a route whose handlers hand on through their context, c.Next(), and not through a parameter. Which handlers are
// left is part of the state of a way, so that one that stopped the chain is told from one that did not.
type chain struct {
	left     *Term // stands for a place in memory, whose content are the handlers that have not run
	inputs   []*Term
	sequence bool // a handler that returns hands on
}

// mounted are handlers that run ahead of a route's own.
type mounted struct {
	handlers []*Term
	wraps    bool
}

// position tells apart what of the chain is left.
func (c *chain) position(heap *overlay) string {
	if obj := heap.get(c.left); obj != nil {
		return string(binary.LittleEndian.AppendUint32(nil, uint32(obj.id)))
	}
	return ""
}

// runnable picks the functions of the program among handlers.
func (e *engine) runnable(handlers []*Term) (out []*Term) {
	for _, h := range handlers {
		if t, _ := e.handlerTargets(h); len(t) > 0 {
			out = append(out, t[0])
		}
	}
	return out
}

// handlersIn lists the handlers that a value holds.
func (e *engine) handlersIn(st *state, v *Term) []*Term {
	if e.builtinType(st, v) != "Array" {
		return []*Term{v}
	}
	elems, _, _ := e.elements(st, v)
	return elems
}

// required gives what a module of CommonJS exports in the place of its names, where the module itself is handed on as a handler or a router; other values
// are themselves.
func (e *engine) required(v *Term) *Term {
	if v.Kind != TModule {
		return v
	}
	return e.exported(v.Name, "default")
}

// groupRouter gives the router on which the routes of a group are registered: what the callback gets, or the result of the call.
func (e *engine) groupRouter(c *callSite, st *state, r *model.Row, call *Call) *Term {
	if r.Primitive == nil {
		return call.Result
	}
	for i, arg := range c.args {
		for _, fn := range arg.Alternatives() {
			if fn.Kind == TClosure && len(fn.Fn.Params) > 0 {
				return e.callbackArgs(c, st, fn, i, []*model.Row{r}, nil)[0]
			}
		}
	}
	return nil
}

// enterChain evaluates the handlers of a route, in the wrappers around them.
func (e *engine) enterChain(rt *model.Route, handlers, wrappers, inputs []*Term) *Summary {
	handed := false
	for i := range rt.Parameters {
		handed = handed || rt.Parameters[i].Next || rt.Parameters[i].Role == model.NextInput
	}
	if !handed && (len(handlers) > 1 || rt.Sequence) {
		left := e.intern(Term{Kind: TRef, Name: "chain", Site: e.site(closureOf(handlers[0]), model.None)})
		e.chain = &chain{left: left, inputs: inputs, sequence: rt.Sequence}
		defer func() { e.chain = nil }()
	}
	first := handlers[0] // called with what a wrapper hands on
	if handed || e.chain != nil {
		first = e.nextTerm(handlers, inputs)
	}
	if len(wrappers) > 0 {
		first = e.intern(Term{Kind: TOp, Name: "wrapped", Args: []*Term{e.tuple(wrappers...), first}})
	}
	return e.enter(first, inputs)
}

// runWrapped makes the handler that wrappers give, the innermost first, and calls it.
func (e *engine) runWrapped(c *callSite, st *state, wrapped *Term) []outcome {
	made := one(st, wrapped.Args[1])
	wrappers := wrapped.Args[0].Args
	for i := len(wrappers) - 1; i >= 0; i-- {
		var outer []outcome
		for _, o := range made {
			n := *c
			n.args, n.rest, n.recv, n.name, n.inner = []*Term{o.value}, nil, nil, "", true
			for _, r := range e.dispatch(&n, o.st, wrappers[i]) {
				if !r.throws {
					outer = append(outer, r)
				}
			}
		}
		made = e.joinOutcomes(c.a, outer)
	}
	var out []outcome
	for _, o := range made {
		n := *c
		n.rest, n.recv, n.name = nil, nil, ""
		handler := o.value
		if t, _ := e.handlerTargets(handler); len(t) == 0 {
			// a value with a method that serves
			n.recv, n.name = handler, "ServeHTTP"
			handler = e.load(o.st, handler, n.name, nil)
		}
		out = append(out, e.dispatch(&n, o.st, handler)...)
	}
	return out
}

// startChain runs a chain from its first handler.
func (e *engine) startChain(c *callSite, st *state, handlers []*Term) []outcome {
	e.setLeft(st, handlers)
	return e.handOn(c, st)
}

// handOn runs what is left of the chain: the next handler, and those after it where a handler that returns hands on.
func (e *engine) handOn(c *callSite, st *state) []outcome {
	var done []outcome
	pending := one(st, e.undefined)
	for round := 0; len(pending) > 0 && round < maxChain; round++ {
		var next []outcome
		for _, o := range pending {
			rest := e.loadCell(o.st, e.chain.left).Alternatives()
			for i, left := range rest {
				s := o.st
				if i < len(rest)-1 {
					s = o.st.fork(c.a.base)
				}
				if left.Kind != TArray || len(left.Args) == 0 {
					done = append(done, outcome{st: s, value: o.value})
					continue
				}
				e.setLeft(s, left.Args[1:])
				n := *c
				n.args, n.rest, n.recv, n.name = e.chain.inputs, nil, nil, ""
				for _, r := range e.dispatch(&n, s, left.Args[0]) {
					if r.throws || !e.chain.sequence {
						done = append(done, r)
					} else {
						next = append(next, r)
					}
				}
			}
		}
		pending = e.joinOutcomes(c.a, next)
	}
	return e.joinOutcomes(c.a, append(done, pending...))
}

// stopChain keeps what is left of the chain from running.
func (e *engine) stopChain(states []outcome) {
	if e.chain == nil {
		return
	}
	for _, o := range states {
		e.setLeft(o.st, nil)
	}
}

func (e *engine) setLeft(st *state, handlers []*Term) {
	st.heap.set(e.chain.left, e.heap.intern(object{kind: cellObject, keys: []string{""}, vals: []*Term{e.tuple(handlers...)}}))
}
