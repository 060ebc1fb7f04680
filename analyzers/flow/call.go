package flow

import (
	"cmp"
	"encoding/binary"
	"slices"
	"strings"

	"github.com/retrysafe/retrysafe/analyzers/lazyregexp"
	"github.com/retrysafe/retrysafe/analyzers/model"
	"github.com/retrysafe/retrysafe/analyzers/query"
)

// callSite is a call under evaluation.
type callSite struct {
	a     *activation
	op    *model.Op
	id    model.ID
	block *model.Block
	recv  *Term // nil if the callee is no member
	name  string
	args  []*Term
	rest  *Term      // arguments beyond args that are not known one by one
	from  []model.ID // the operations that args come from, as far as they are written at the call
	inner bool       // a call by the engine or with other arguments than the operation has: its operands do not stand for args
}

// argSpans gives the places of the arguments that are written at the call.
func (c *callSite) argSpans() []model.Span {
	if len(c.from) == 0 {
		return nil
	}
	spans := make([]model.Span, len(c.from))
	for i, id := range c.from {
		spans[i] = c.op.Span
		if id >= 0 {
			spans[i] = c.a.fn.Ops[id].Span
		}
	}
	return spans
}

func (e *engine) execCall(a *activation, st *state, op *model.Op, id model.ID, block *model.Block) []outcome {
	c := &callSite{a: a, op: op, id: id, block: block}
	calleeID := op.Args[0]
	callee := e.value(st, calleeID)
	if calleeID >= 0 {
		if load := &a.fn.Ops[calleeID]; load.Kind == model.Load && (load.Name != "" || len(load.Args) > 1) {
			c.recv = e.value(st, load.Args[0])
			c.name = load.Name
			if c.name == "" {
				if text, ok := e.value(st, load.Args[1]).Text(); ok {
					c.name = text
				}
			}
		}
	}
	c.args, c.from = make([]*Term, 0, len(op.Args)-1), make([]model.ID, 0, len(op.Args)-1)
	for i, argID := range op.Args[1:] {
		v := e.value(st, argID)
		if i < len(op.Parts) && op.Parts[i].Spread {
			e.walked(a, st, argID, v)
			elems, _, exact := e.elements(st, v)
			if c.rest == nil {
				for _, el := range elems {
					c.args = append(c.args, el)
					c.from = append(c.from, argID)
				}
			}
			if exact {
				continue
			}
			if el := e.spreadElement(st, v, e.site(a.fn, argID)); el != nil {
				c.rest = e.union(c.rest, el)
			}
			continue
		}
		if c.rest != nil {
			c.rest = e.union(c.rest, v)
			continue
		}
		c.args = append(c.args, v)
		c.from = append(c.from, argID)
	}
	switch {
	case op.Flags&model.Super != 0:
		return e.superCall(c, st)
	case op.Flags&model.New != 0:
		return e.construct(c, st, callee)
	}
	if op.Kind == model.Spawn {
		return e.background(c, callee, func() []outcome { return e.dispatch(c, st, callee) })
	}
	if e.startsOn(c, callee) {
		return e.alone(c, callee, func() []outcome {
			if a.fn.rejectionMet(id) {
				return e.settled(c, st, callee)
			}
			return e.dispatch(c, st, callee)
		})
	}
	if e.detached(c, callee) {
		return e.detach(c, st, callee)
	}
	if asyncFunction(callee) && a.fn.rejectionMet(id) {
		return e.settled(c, st, callee)
	}
	return e.dispatch(c, st, callee)
}

// apply calls a value from inside the engine (getters, callbacks of primitives).
func (e *engine) apply(a *activation, st *state, callee, this *Term, args []*Term, rest *Term, op *model.Op, id model.ID) []outcome {
	c := &callSite{a: a, op: op, id: id, block: a.fn.blockOfOp(id), recv: this, args: args, rest: rest, inner: true}
	return e.dispatch(c, st, callee)
}

// dispatch finds what a callee is and calls it.
func (e *engine) dispatch(c *callSite, st *state, callee *Term) []outcome {
	if trap, of := proxied(callee, "apply"); trap != nil {
		v := e.behind(c.a, st, c.op, c.id, trap, nil, []*Term{of, orUndefined(e, c.recv), e.tuple(c.args...)})
		return []outcome{{st: st, value: orUndefined(e, v)}}
	}
	switch callee.Kind {
	case TModule:
		return e.dispatch(c, st, e.exported(callee.Name, "default"))
	case TClosure:
		if callee.Fn.told != "" {
			return e.external(c, st, e.symbol(callee.Fn.told))
		}
		this := callee.This
		if this == nil && c.recv != nil && callee.Fn.This {
			this = c.recv
		}
		e.lineage.stack = append(e.lineage.stack, following{c, callee.Fn})
		s := e.invoke(callee.Fn, this, c.args, c.rest, callee.Args, st.heap)
		e.lineage.stack = e.lineage.stack[:len(e.lineage.stack)-1]
		return e.substitute(c, st, s)
	case TClass:
		return e.instantiate(c, st, callee)
	case TUnion:
		return e.dispatchUnion(c, st, callee)
	case TOp:
		switch callee.Name {
		case "next":
			return e.runNext(c, st, callee)
		case "wrapped":
			return e.runWrapped(c, st, callee)
		case "partial":
			n := *c
			n.inner = true
			n.args = append(append([]*Term(nil), callee.Args[1:]...), c.args...)
			return e.dispatch(&n, st, callee.Args[0])
		case "bound":
			n := *c
			if n.recv, n.name = callee.Args[1], lastName(callee.Args[0].Sym); n.recv == e.undefined {
				n.recv, n.name = nil, ""
			}
			n.args = append(append([]*Term(nil), callee.Args[2:]...), c.args...)
			return e.dispatch(&n, st, callee.Args[0])
		case "getter":
			return e.dispatch(c, st, callee.Args[0])
		case "yield":
			return one(st, e.unknown("goes on", e.site(c.a.fn, c.id)))
		case "resolve", "reject":
			if callee.Name == "reject" {
				v := e.undefined
				if len(c.args) > 0 {
					v = c.args[0]
				}
				return []outcome{{st: st, value: v, throws: true}}
			}
			if len(c.args) > 0 {
				old := e.loadCell(st, callee.Args[0])
				v := c.args[0]
				if !old.IsNullish() {
					v = e.union(old, v)
				}
				e.store(c.a, st, callee.Args[0], "", v)
			}
			return one(st, e.undefined)
		}
	case TCast:
		if callee.Args[0].Kind == TClosure {
			return e.dispatch(c, st, callee.Args[0])
		}
	}
	if c.recv != nil && c.name != "" {
		if impl := e.implementations(st, c.recv, c.name); len(impl) > 0 {
			n := *c
			n.recv = nil
			if len(impl) == 1 {
				return e.dispatch(&n, st, impl[0])
			}
			return e.dispatchUnion(&n, st, e.bigUnion(impl))
		}
	}
	return e.external(c, st, callee)
}

// dispatchUnion calls each of several possible callees and joins what cannot be told apart.
func (e *engine) dispatchUnion(c *callSite, st *state, callee *Term) []outcome {
	var targets []*Term
	for _, t := range callee.Args {
		if !t.IsNullish() {
			targets = append(targets, t)
		}
	}
	if len(targets) == 0 {
		return e.external(c, st, callee)
	}
	if len(targets) > 2*maxTargets {
		e.cutAt(c.op.Span, "a call with "+itoa(len(targets))+" possible targets: only "+itoa(2*maxTargets)+" of them were followed")
		c.a.sum.gaps |= TargetsGap
		targets = targets[:2*maxTargets]
	}
	from, isPicked := picking{}, false
	if !c.inner && len(c.op.Args) > 0 {
		from, isPicked = e.pickedBy(c.a, st, c.op.Args[0])
	}
	var out []outcome
	for i, t := range targets {
		s := st
		if i < len(targets)-1 {
			s = st.fork(c.a.base)
		}
		if isPicked {
			if cond := e.under(s, from, t); cond != nil {
				s.facts = pushFact(s.facts, fact{cond: Cond{cond, true, c.op.Span}})
			}
		}
		out = append(out, e.dispatch(c, s, t)...)
	}
	return e.joinOutcomes(c.a, out)
}

// joinOutcomes merges outcomes whose states nothing of interest tells apart.
func (e *engine) joinOutcomes(a *activation, in []outcome) []outcome {
	var out []outcome
	for _, o := range in {
		merged := false
		for i := range out {
			p := &out[i]
			if p.throws == o.throws && e.alike(p.st, o.st) {
				e.mergeInto(a, p.st, o.st)
				p.value = e.union(p.value, o.value)
				merged = true
				break
			}
		}
		if !merged {
			out = append(out, o)
		}
	}
	return out
}

// substitute takes a summary over into the caller's state.
func (e *engine) substitute(c *callSite, st *state, s *Summary) []outcome {
	a := c.a
	e.addStep(a, c.id, nil, s, st.facts, c.op.Span, e.calleeText(c))
	if s.interesting {
		a.sum.interesting = true
	}
	a.sum.gaps |= s.gaps
	var out []outcome
	before := st
	if len(s.raises) > 0 && c.block != nil && c.block.Handler != model.NoBlock {
		before = st.fork(a.base)
	}
	for i := range s.exits {
		x := &s.exits[i]
		if x.throws && c.block != nil && c.block.Handler == model.NoBlock && !s.interesting {
			// nobody here catches it and nothing happened before: the path just ends
			a.thrown = append(a.thrown, exit{throws: true, value: x.value, facts: st.facts, heap: map[*Term]*object{}, span: c.op.Span})
			continue
		}
		ns := st
		if i < len(s.exits)-1 {
			ns = st.fork(a.base)
		}
		if x.facts.length() > 0 {
			e.walks++
			for f, n := ns.facts, 0; f != nil && n < 400; f, n = f.prev, n+1 {
				f.again(e.walks)
			}
			for _, f := range x.facts.list() {
				if f.met(e.walks) || f.cond.Term != nil && !e.worthKeeping(f.cond.Term) {
					continue
				}
				ns.facts = pushFact(ns.facts, *f)
			}
		}
		for _, ref := range x.ordered() {
			ns.heap.set(ref, x.heap[ref])
		}
		out = append(out, outcome{st: ns, value: x.value, throws: x.throws})
	}
	if len(a.thrown) > 4*maxExits {
		a.thrown = e.mergeExits(a, a.thrown)
	}
	if len(s.exits) == 0 {
		return nil // never returns
	}
	if c.block != nil && c.block.Handler == model.NoBlock {
		for _, call := range s.raises {
			a.sum.raise(call)
		}
	} else if c.block != nil && c.op.Kind != model.Spawn {
		raises := s.raises
		if slices.ContainsFunc(s.exits, func(x exit) bool { return x.throws }) {
			raises = refusable(raises) // of the others the exceptions that it throws itself tell enough
		}
		out = append(out, e.failures(c, before, raises)...)
	}
	return out
}

// refusable lists the calls among some that put in a row, which a unique constraint may refuse.
func refusable(calls []*Call) []*Call {
	var out []*Call
	for _, c := range calls {
		if c.RecordRow != nil && c.RecordRow.Record.Op == model.Claim ||
			slices.ContainsFunc(c.Statements, func(s Statement) bool { return s.Verb == query.Insert }) {
			out = append(out, c)
		}
	}
	return out
}

// failures is the outcome of a call in which something outside the program fails that it makes, and does not catch.
func (e *engine) failures(c *callSite, before *state, raises []*Call) []outcome {
	if len(raises) == 0 {
		return nil
	}
	failed := before.fork(c.a.base)
	results := make([]*Term, len(raises))
	for i, call := range raises {
		results[i] = call.Result
	}
	caught := e.intern(Term{Kind: TCatch, Args: results, Site: e.site(c.a.fn, c.id)})
	if len(raises) == 1 {
		failed.facts = pushFact(failed.facts, fact{call: raises[0], failed: true})
		e.calls[caught] = raises[0]
	}
	return []outcome{{st: failed, throws: true, value: caught}}
}

// raise notes a call whose failure leaves the activation.
func (s *Summary) raise(call *Call) {
	if len(s.raises) < maxRaises && call.Result != nil && !slices.Contains(s.raises, call) {
		s.raises = append(s.raises, call)
	}
}

// worthKeeping reports whether a callee's condition can matter to its caller.
func (e *engine) worthKeeping(t *Term) bool { return t.flags&(hasInput|hasCall) != 0 }

func (e *engine) calleeText(c *callSite) string {
	if c.name != "" {
		return c.name
	}
	if len(c.op.Args) > 0 && c.op.Args[0] >= 0 {
		op := &c.a.fn.Ops[c.op.Args[0]]
		if op.Kind == model.FuncRef {
			if f := e.p.referred(c.a.fn.Unit, op); f != nil {
				return lastName(f.Name)
			}
		}
		if op.Name != "" && op.Kind != model.Module && op.Kind != model.External {
			return lastName(op.Name)
		}
		if op.Kind == model.FuncRef || op.Kind == model.Closure {
			if int(op.Ref) < len(c.a.fn.Unit.funcs) {
				return lastName(c.a.fn.Unit.funcs[op.Ref].Name)
			}
		}
		if op.Kind == model.LoadGlobal && int(op.Ref) < len(c.a.fn.Unit.Globals) {
			return c.a.fn.Unit.Globals[op.Ref].Name
		}
		if op.Kind == model.FreeVar && int(op.Ref) < len(c.a.fn.FreeVars) {
			return c.a.fn.FreeVars[op.Ref]
		}
		if op.Kind == model.Parameter && int(op.Ref) < len(c.a.fn.Params) {
			return c.a.fn.Params[op.Ref].Name
		}
	}
	return ""
}

// addStep records that something happens, with the facts under which it does.
func (e *engine) addStep(a *activation, id model.ID, call *Call, sub *Summary, facts *fact, span model.Span, what string) *step {
	k := stepKey{id, call, sub}
	s := a.steps[k]
	if s == nil {
		s = &step{call: call, sub: sub, span: span, what: what, op: id}
		a.steps[k] = s
		a.sum.steps = append(a.sum.steps, s)
	}
	for _, f := range s.paths {
		if f == facts {
			return s
		}
	}
	if len(s.paths) < maxPaths {
		s.paths = append(s.paths, facts)
	} else {
		s.paths[len(s.paths)-1] = e.meet(s.paths[len(s.paths)-1], facts)
	}
	return s
}

// superCall runs the base class's constructor on the same receiver.
func (e *engine) superCall(c *callSite, st *state) []outcome {
	this := e.value(st, c.op.Args[0])
	t := e.p.methodOwner(c.a.fn)
	if t == nil {
		return one(st, e.undefined)
	}
	class := e.classIn(st, this, t)
	base := e.baseClass(class)
	if base == nil {
		if sym := e.baseSymbol(class); sym != "" {
			// the base class is a library's: what it is given may matter (a server's options)
			n := *c
			n.recv = this
			e.external(&n, st, e.symbol(sym))
		}
		return one(st, e.undefined)
	}
	return e.runConstructors(c, st, this, base)
}

// classIn finds the class value of t among the bases of an instance's class.
func (e *engine) classIn(st *state, this *Term, t *Type) *Term {
	if obj := e.contents(st, this); obj != nil {
		for k, depth := obj.class, 0; k != nil && depth < 12; depth++ {
			if k.Decl == t {
				return k
			}
			k = e.baseClass(k)
		}
	}
	return e.classValue(t)
}

// classValue gives the value of a class declaration.
func (e *engine) classValue(t *Type) *Term {
	if v := e.classes[t]; v != nil {
		return v
	}
	e.initialise(t.Unit)
	if v := e.classes[t]; v != nil {
		return v
	}
	base := e.undefined
	for _, ref := range t.Extends {
		if b := e.p.declared(ref); b != nil {
			if b.Kind == model.ClassType && b != t {
				base = e.classValue(b)
			}
			break
		}
		if sym := e.p.symbolOf(ref); sym != "" {
			base = e.symbol(sym)
			break
		}
	}
	return e.intern(Term{Kind: TClass, Decl: t, Args: []*Term{base}})
}

func (e *engine) execClass(a *activation, st *state, op *model.Op, id model.ID) []outcome {
	if op.Ref < 0 || int(op.Ref) >= len(a.fn.Unit.types) {
		return one(st, e.unknown("class", e.site(a.fn, id)))
	}
	t := a.fn.Unit.types[op.Ref]
	args := make([]*Term, 0, len(op.Args)+1)
	for _, arg := range op.Args {
		args = append(args, e.value(st, arg))
	}
	if len(args) == 0 {
		args = append(args, e.undefined)
	}
	class := e.intern(Term{Kind: TClass, Decl: t, Args: args})
	e.classes[t] = class
	if t.StaticInit > 0 && t.StaticInit < len(t.Unit.funcs) {
		s := e.invoke(t.Unit.funcs[t.StaticInit], class, nil, nil, class.captured(), st.heap)
		c := &callSite{a: a, op: op, id: id, block: a.fn.blockOfOp(id)}
		var out []outcome
		for _, o := range e.substitute(c, st, s) {
			out = append(out, outcome{st: o.st, value: class})
		}
		e.subclass(a, st, class, op)
		return out
	}
	e.subclass(a, st, class, op)
	return one(st, class)
}

// construct evaluates `new`.
func (e *engine) construct(c *callSite, st *state, callee *Term) []outcome {
	if trap, of := proxied(callee, "construct"); trap != nil {
		v := e.behind(c.a, st, c.op, c.id, trap, nil, []*Term{of, e.tuple(c.args...), callee})
		return one(st, orUndefined(e, v))
	}
	switch callee.Kind {
	case TModule:
		return e.construct(c, st, e.exported(callee.Name, "default"))
	case TClass:
		return e.instantiate(c, st, callee)
	case TClosure:
		// a constructor function of the old style
		ref := e.ref(c.a, st, c.id, "object")
		st.heap.set(ref, e.heap.intern(object{kind: plainObject, open: true}))
		s := e.invoke(callee.Fn, ref, c.args, c.rest, callee.Args, st.heap)
		var out []outcome
		for _, o := range e.substitute(c, st, s) {
			if !o.throws && o.value.Kind != TRef {
				o.value = ref
			}
			out = append(out, o)
		}
		return out
	case TUnion:
		var out []outcome
		targets := callee.Args
		for i, t := range targets {
			if t.IsNullish() {
				continue
			}
			s := st
			if i < len(targets)-1 {
				s = st.fork(c.a.base)
			}
			out = append(out, e.construct(c, s, t)...)
		}
		return e.joinOutcomes(c.a, out)
	}
	return e.external(c, st, callee)
}

func (e *engine) instantiate(c *callSite, st *state, class *Term) []outcome {
	ref := e.instanceRef(c.a, st, c.id, class)
	st.heap.set(ref, e.heap.intern(object{kind: instanceObject, class: class}))
	if e.phase != entryPhase {
		e.pinned[ref] = true
		e.created[class.Decl] = appendUnique(e.created[class.Decl], ref)
	}
	var out []outcome
	for _, o := range e.runConstructors(c, st, ref, class) {
		if !o.throws {
			o.value = ref
		}
		out = append(out, o)
	}
	return out
}

func appendUnique(list []*Term, t *Term) []*Term {
	for _, x := range list {
		if x == t {
			return list
		}
	}
	return append(list, t)
}

func (e *engine) instanceRef(a *activation, st *state, id model.ID, class *Term) *Term {
	plain := e.ref(a, st, id, "instance")
	return e.intern(Term{Kind: TRef, Name: "instance", Site: plain.Site, ctx: plain.ctx, Sym: e.baseSymbol(class), Decl: class.Decl})
}

// runConstructors runs field initialisers and constructors of a class and its bases on this.
func (e *engine) runConstructors(c *callSite, st *state, this, class *Term) []outcome {
	d := class.Decl
	states := []outcome{{st: st, value: this}}
	then := func(f func(st *state) []outcome) {
		var next []outcome
		for _, o := range states {
			if o.throws {
				next = append(next, o)
				continue
			}
			next = append(next, f(o.st)...)
		}
		states = e.joinOutcomes(c.a, next)
	}
	hasCtor := d.Ctor > 0 && d.Ctor < len(d.Unit.funcs)
	if !hasCtor {
		if base := e.baseClass(class); base != nil {
			then(func(st *state) []outcome { return e.runConstructors(c, st, this, base) })
		}
	}
	if d.FieldInit > 0 && d.FieldInit < len(d.Unit.funcs) {
		then(func(st *state) []outcome {
			return e.substitute(c, st, e.invoke(d.Unit.funcs[d.FieldInit], this, nil, nil, class.captured(), st.heap))
		})
	}
	if hasCtor {
		then(func(st *state) []outcome {
			return e.substitute(c, st, e.invoke(d.Unit.funcs[d.Ctor], this, c.args, c.rest, class.captured(), st.heap))
		})
	}
	return states
}

// symbolicInstance gives an instance of a class whose construction is not seen: what the program constructs at
// start-up, if it does so few times, otherwise one constructed with unknown arguments.
func (e *engine) symbolicInstance(t *Type) *Term {
	if made := e.created[t]; len(made) > 0 && len(made) <= 3 {
		return e.union(made...)
	}
	if v := e.instances[t]; v != nil {
		return v
	}
	class := e.classValue(t)
	ref := e.intern(Term{Kind: TRef, Name: "some " + t.Unit.Path + "." + t.Name, Sym: e.baseSymbol(class), Decl: t})
	e.instances[t] = ref
	e.heap.setGlobal(ref, e.heap.intern(object{kind: instanceObject, class: class}))
	if e.depth >= maxCallDepth-4 {
		return ref
	}
	var fn *Function
	for _, i := range []int{t.Ctor, t.FieldInit} {
		if i > 0 && i < len(t.Unit.funcs) {
			fn = t.Unit.funcs[i]
			break
		}
	}
	if fn == nil && e.baseClass(class) == nil {
		return ref
	}
	if fn == nil {
		fn = t.Unit.funcs[0]
	}
	var args []*Term
	for k, depth := class, 0; k != nil && depth < 12; depth++ {
		if i := k.Decl.Ctor; i > 0 && i < len(k.Decl.Unit.funcs) {
			args = e.symbolic(k.Decl.Unit.funcs[i])
			break
		}
		k = e.baseClass(k)
	}
	fn.prepare()
	a := &activation{fn: fn, sum: &Summary{fn: fn}, calls: map[string]*Call{}, steps: map[stepKey]*step{}, reads: map[readKey]bool{}}
	st := &state{heap: a.base.child(a.base), came: model.NoBlock}
	op := &model.Op{Kind: model.Call, Span: t.Span}
	c := &callSite{a: a, op: op, id: model.None, args: args}
	for _, o := range e.runConstructors(c, st, ref, class) {
		if o.throws {
			continue
		}
		delta := o.st.heap.since(nil)
		for _, r := range sortedRefs(delta) {
			e.commitRef(r, delta[r])
		}
	}
	return ref
}

// implementations finds the functions that a method call on an interface or abstract class may reach.
func (e *engine) implementations(st *state, recv *Term, name string) []*Term {
	var out []*Term
	for _, r := range recv.Alternatives() {
		var t *Type
		switch {
		case r.Kind == TRef && r.Decl != nil:
			t = r.Decl
			if m := e.p.memberOf(t, name, 0); m == nil || m.Func != 0 {
				continue
			}
		case r.Type != nil:
			t = e.p.declared(r.Type)
		}
		if t == nil {
			continue
		}
		if t.Kind == model.InterfaceType || t.Abstract || r.Kind == TRef {
			out = append(out, e.givenMember(t, name)...)
			classes := e.p.implementers[t]
			if len(classes) == 0 && t.Kind == model.InterfaceType {
				classes = e.p.structural(t)
			}
			n := 0
			for _, k := range classes {
				if k.Abstract {
					continue
				}
				if n++; n > maxTargets {
					break
				}
				for _, inst := range e.symbolicInstance(k).Alternatives() {
					class := e.classValue(k)
					if m := e.classMember(inst, class, name, 0); m != nil && m.Kind == TClosure {
						out = append(out, m)
					} else if obj := e.outlasting(inst); obj != nil {
						if v := obj.get(name); v != nil && v.Kind == TClosure {
							out = append(out, v)
						}
					}
				}
			}
		}
	}
	return out
}

// structural finds the classes that have all members of an interface which nobody names as a base, if they are few.
func (p *Program) structural(t *Type) []*Type {
	var methods []string
	for _, m := range t.Members {
		if m.Kind == model.MethodMember && !m.Optional {
			methods = append(methods, m.Name)
		}
	}
	if len(methods) < 2 {
		return nil
	}
	var out []*Type
next:
	for _, c := range p.classes {
		for _, name := range methods {
			if m := p.memberOf(c, name, 0); m == nil {
				continue next
			}
		}
		out = append(out, c)
	}
	if len(out) > 3 {
		return nil
	}
	return out
}

// runNext runs the rest of a middleware chain.
func (e *engine) runNext(c *callSite, st *state, next *Term) []outcome {
	handlers := next.Args[0].Args
	if len(handlers) == 0 {
		return one(st, e.undefined)
	}
	if e.chain != nil {
		return e.startChain(c, st, handlers)
	}
	inputs := append([]*Term(nil), next.Args[1].Args...)
	rest := e.nextTerm(handlers[1:], inputs)
	args := make([]*Term, len(inputs))
	for i, in := range inputs {
		args[i] = in
		if in.Kind == TOp && in.Name == "next" || in.Kind == TInput && in.Input != nil && in.Input.Next {
			args[i] = rest
		}
	}
	n := *c
	n.args, n.rest, n.recv, n.name = args, nil, nil, ""
	return e.dispatch(&n, st, handlers[0])
}

func (e *engine) nextTerm(handlers, inputs []*Term) *Term {
	plain := make([]*Term, len(inputs))
	for i, in := range inputs {
		plain[i] = in
		if in.Kind == TOp && in.Name == "next" {
			plain[i] = e.intern(Term{Kind: TOp, Name: "next", Args: []*Term{e.tuple(), e.tuple()}})
		}
	}
	return e.intern(Term{Kind: TOp, Name: "next", Args: []*Term{e.tuple(handlers...), e.tuple(plain...)}})
}

// blockOfOp gives the block that holds an operation, or nil.
func (f *Function) blockOfOp(id model.ID) *model.Block {
	f.prepare()
	if id < 0 {
		return nil
	}
	if f.opBlock == nil {
		f.opBlock = make([]model.BlockID, len(f.Ops))
		for i := range f.opBlock {
			f.opBlock[i] = model.NoBlock
		}
		for b := range f.Blocks {
			for _, op := range f.Blocks[b].Ops {
				f.opBlock[op] = model.BlockID(b)
			}
		}
	}
	if int(id) >= len(f.opBlock) || f.opBlock[id] < 0 {
		return nil
	}
	return &f.Blocks[f.opBlock[id]]
}

// symbols lists the names under which a callee may be known, best first.
func (e *engine) symbols(st *state, callee *Term, c *callSite) []string {
	var out []string
	add := func(s string) {
		if s == "" {
			return
		}
		for _, x := range out {
			if x == s {
				return
			}
		}
		out = append(out, s)
	}
	add(callee.Sym)
	if c.recv != nil && c.name != "" {
		for _, r := range c.recv.Alternatives() {
			if r.Sym != "" {
				add(joinSymbol(r.Sym, c.name))
			}
			if b := e.builtinType(st, r); b != "" && c.a.fn.Unit.Language != model.Go {
				add("js#" + b + "." + c.name)
			}
		}
		if c.a.fn.Unit.Language == model.Go {
			if !slices.ContainsFunc(out, func(s string) bool { return len(e.rowsOf(s)) > 0 }) {
				add(declaredReceiver(c))
			}
			add("go#?." + c.name)
		} else {
			add("js#?." + c.name)
		}
	}
	return out
}

// declaredReceiver gives the symbol of the method that a call selects by the declared type of its receiver, "" where that is of the program or not
// known. The value may tell nothing of it: what reflection looks at is the function or the record itself.
func declaredReceiver(c *callSite) string {
	if len(c.op.Args) == 0 || c.op.Args[0] < 0 {
		return ""
	}
	callee := &c.a.fn.Ops[c.op.Args[0]]
	if callee.Kind != model.Load || callee.Name != c.name || len(callee.Args) == 0 || callee.Args[0] < 0 {
		return ""
	}
	t := c.a.fn.Ops[callee.Args[0]].Type
	if t == nil || t.External == "" || t.Name == "" {
		return ""
	}
	return t.External + "#" + t.Name + "." + c.name
}

// builtinType gives the built-in type that a value plainly has.
func (e *engine) builtinType(st *state, t *Term) string {
	switch t.Kind {
	case TRef:
		if obj := e.contents(st, t); obj != nil {
			switch obj.kind {
			case arrayObject:
				return "Array"
			case mapObject:
				if obj.class == e.yes {
					return "Set"
				}
				return "Map"
			case plainObject:
				return "Object"
			}
		}
	case TArray:
		return "Array"
	case TObject:
		return "Object"
	case TClosure, TClass:
		return "Function"
	case TConcat:
		return "String"
	case TConst:
		switch t.Const.Kind {
		case model.String:
			return "String"
		case model.Regexp:
			return "RegExp"
		case model.Number:
			return "Number"
		}
	}
	return ""
}

func (e *engine) rowsOf(sym string) []*model.Row {
	if rows, ok := e.rows[sym]; ok {
		return rows
	}
	rows := e.p.class.Rows(sym)
	e.rows[sym] = rows
	return rows
}

// external evaluates a call that leaves the program.
func (e *engine) external(c *callSite, st *state, callee *Term) []outcome {
	a := c.a
	if e.through != "" && c.name == e.through {
		return one(st, e.unknown("handed on", e.site(a.fn, c.id)))
	}
	if out, ok := e.boundMethod(c, st); ok {
		return out
	}
	syms := e.symbols(st, callee, c)
	isNew := c.op.Flags&model.New != 0
	sym := ""
	if len(syms) > 0 {
		sym = syms[0]
	}
	acc := &accessor{e: e, st: st, recv: c.recv, args: c.args, rest: c.rest, name: c.name, sym: sym, fn: a.fn}
	rows := e.matching(c, st, syms)
	if len(rows) == 0 && c.recv != nil && c.recv.Kind == TClosure && c.name != "" && a.fn.Unit.Language == model.Go {
		// the method of a library's function type, which adapts the function to an interface: http.HandlerFunc(f).ServeHTTP(w, r)
		n := *c
		n.recv, n.name = nil, ""
		return e.dispatch(&n, st, c.recv)
	}
	if out, ok := e.retried(c, st, callee, sym, rows); ok {
		return out
	}
	e.runHidden(c, st, rows)
	// primitives first: what a built-in does to values
	for _, r := range rows {
		if r.Primitive != nil && r.Route != nil {
			e.register(c, st, syms, rows, e.makeCall(c, st, callee, sym, rows, isNew))
		}
		if r.Primitive != nil && !isNew || r.Primitive != nil && r.Primitive.Name != "" && isNew {
			if out, ok := e.primitive(c, st, r, callee); ok {
				return e.alsoRecord(c, st, rows, r, sym, callee, out)
			}
		}
	}
	e.notePushed(c, st)
	call := e.makeCall(c, st, callee, sym, rows, isNew)
	e.noteRetry(c, call)
	result := call.Result
	if !c.inner {
		e.noteParents(a, st, c.op, result)
	}
	if call.OriginRow != nil && call.OriginRow.Origin.Kind == "argument" {
		// what goes in comes out: promisify(exec), identity wrappers
		if v := acc.first(call.OriginRow.Origin.Of); v != nil {
			result = v
		}
	}
	states := []outcome{{st: st, value: result}}
	registers := false
	for _, r := range rows {
		if r.Tool != nil || r.Route != nil {
			registers = true // also what only gives a handler: it does not call it
		}
		if r.Transport != nil {
			e.transport(r, call)
		}
		if r.Describes != "" {
			e.describes(call, acc.first(r.Describes))
		}
	}
	e.offersOf(st, call, acc)
	if registers {
		e.register(c, st, syms, rows, call)
	} else {
		e.readBySchema(c, st, call)
		states = e.callbacks(c, st, call, rows, states)
	}
	for i := range states {
		e.addStep(a, c.id, call, nil, states[i].st.facts, c.op.Span, call.Callee).spawned = c.op.Kind == model.Spawn
		if call.interesting() || call.Unresolved {
			states[i].st.facts = pushFact(states[i].st.facts, fact{call: call})
		}
	}
	if call.interesting() {
		a.sum.interesting = true
	}
	if slices.ContainsFunc(rows, func(r *model.Row) bool { return r.Primitive != nil && r.Primitive.Name == "stop" }) {
		e.stopChain(states)
	}
	e.handOut(st, c.args)
	acc.result = result
	for i := range states {
		acc.st = states[i].st
		e.filled(acc, rows)
		e.set(acc, rows)
	}
	if c.block != nil && c.block.Handler != model.NoBlock && (call.interesting() || call.Unresolved) {
		failed := st.fork(a.base)
		failed.facts = pushFact(failed.facts, fact{call: call, failed: true})
		states = append(states, outcome{st: failed, throws: true,
			value: e.intern(Term{Kind: TCatch, Args: []*Term{result}, Site: e.site(a.fn, c.id)})})
		e.calls[states[len(states)-1].value] = call
	} else if call.interesting() || call.Unresolved {
		a.sum.raise(call)
	}
	if e.entered && e.spawning == 0 && slices.ContainsFunc(rows, func(r *model.Row) bool { return r.Exits }) {
		// while the program gets ready its settings are not known: what ends it for some must not hide what it does for others
		return nil
	}
	return states
}

// alsoRecord keeps a built-in's meaning as a record store (Map.get, Set.has) beside what it does to values.
func (e *engine) alsoRecord(c *callSite, st *state, rows []*model.Row, prim *model.Row, sym string, callee *Term, out []outcome) []outcome {
	table := e.isTable(c.recv)
	if prim.Primitive.Name == "kept" || prim.Primitive.Name == "get" && (table || e.holdsCode(st, c.recv) || e.holdsKey(st, c.recv, c.args)) {
		// a table of handlers or settings is part of the program, no record of what it did
		return out
	}
	if prim.Primitive.Name == "has" && !slices.ContainsFunc(out, func(o outcome) bool { return o.value.Kind != TOp || o.value.Name != "includes" && o.value.Name != "==" }) {
		return out // nor is a list of what is allowed
	}
	for _, r := range rows {
		if r.Record == nil && r.Origin == nil {
			continue
		}
		if r.Record != nil && !e.longLived(st, c.recv) {
			continue
		}
		call := e.makeCall(c, st, callee, sym, rows, false)
		call.table = table
		for i := range out {
			e.addStep(c.a, c.id, call, nil, out[i].st.facts, c.op.Span, call.Callee)
			out[i].st.facts = pushFact(out[i].st.facts, fact{call: call})
			if r.Record != nil && (r.Record.Op == model.Lookup || out[i].value.Kind == TUnknown) {
				// what is stored at run time is not what the initialiser put there
				out[i].value = call.Result
			}
		}
		if call.interesting() {
			c.a.sum.interesting = true
		}
		return out
	}
	return out
}

// holdsKey reports whether a collection was made with an entry of that constant key: a row of a table of the program.
func (e *engine) holdsKey(st *state, recv *Term, args []*Term) bool {
	if recv == nil || len(args) == 0 {
		return false
	}
	key, ok := args[0].Text()
	obj := e.contents(st, recv)
	return ok && obj != nil && obj.kind == mapObject && obj.get(key) != nil
}

// holdsCode reports whether a collection holds functions, or objects with functions and classes that lead to them, as far as its contents are known.
func (e *engine) holdsCode(st *state, recv *Term) bool {
	if recv == nil {
		return false
	}
	for _, r := range recv.Alternatives() {
		obj := e.contents(st, r)
		if obj == nil || obj.kind != mapObject {
			continue
		}
		for _, v := range append(slices.Clone(obj.vals), orUndefined(e, obj.rest)) {
			if e.isCode(st, v, 0) {
				return true
			}
		}
	}
	return false
}

// isCode reports whether a value is a function or an object that has one as its member.
func (e *engine) isCode(st *state, v *Term, depth int) bool {
	for _, alt := range v.Alternatives() {
		switch alt.Kind {
		case TClosure, TClass:
			return true
		case TOp:
			if alt.Name == "partial" || alt.Name == "bound" {
				return true
			}
		case TRef:
			obj := e.contents(st, alt)
			if obj == nil || depth > 1 {
				continue
			}
			if obj.kind == instanceObject && alt.Decl != nil && e.hasMethods(alt.Decl) {
				return true
			}
			for _, member := range obj.vals {
				if e.isCode(st, member, depth+1) {
					return true
				}
			}
		}
	}
	return false
}

func (e *engine) hasMethods(t *Type) bool {
	for _, m := range t.Members {
		if m.Kind == model.MethodMember && !m.Static {
			return true
		}
	}
	return false
}

// longLived reports whether a collection outlives the entry: it was made by an initialiser, or belongs to an object that was.
func (e *engine) longLived(st *state, recv *Term) bool {
	if recv == nil {
		return false
	}
	for _, r := range recv.Alternatives() {
		if r.Kind == TRef && e.outlasting(r) == nil {
			continue
		}
		if r.Kind == TRef || strings.HasPrefix(r.Sym, "js#Map") || strings.HasPrefix(r.Sym, "js#Set") {
			return true
		}
	}
	return false
}

// isTable reports whether a collection was filled before the program served anybody: a list of words says what is allowed, not what was done.
func (e *engine) isTable(recv *Term) bool {
	return recv != nil && !slices.ContainsFunc(recv.Alternatives(), func(r *Term) bool { return !e.tables[r] })
}

// noteTables notes the collections that hold entries once the program is ready. Linear in what outlives entries.
func (e *engine) noteTables() {
	e.tables = map[*Term]bool{}
	for ref, obj := range e.heap.global {
		if obj.kind == mapObject && len(obj.keys) > 0 {
			e.tables[ref] = true
		}
	}
}

// filled writes what a call stores through the pointers that it is given: json.Unmarshal(data, &v), rows.Scan(&id).
func (e *engine) filled(acc *accessor, rows []*model.Row) {
	for _, r := range rows {
		for _, f := range r.Fills {
			from := acc.first(f.From)
			if from == nil {
				continue
			}
			for _, path := range e.paths(f.At) {
				target, _ := acc.bare(path)
				if target == nil {
					continue
				}
				if target.Kind == TArray {
					for i, t := range target.Args {
						e.fillOne(acc.st, t, e.load(acc.st, from, itoa(i), nil))
					}
					continue
				}
				e.fillOne(acc.st, target, from)
			}
		}
	}
}

// set puts what a setter is given into its object: a header into a request.
func (e *engine) set(acc *accessor, rows []*model.Row) {
	for _, r := range rows {
		for _, w := range r.Sets {
			name, value := w.Name, acc.first(w.Value)
			var key *Term
			if w.Key != "" {
				key = orUndefined(e, acc.first(w.Key))
				name = textOr(key)
			}
			if value == nil || name == "" && !e.copiesReply(key, value) {
				continue
			}
			for _, path := range e.paths(w.At) {
				target, _ := acc.bare(path)
				if target == nil {
					continue
				}
				for _, t := range target.Alternatives() {
					if name == "" {
						e.storeComputed(nil, acc.st, t, key, value)
						continue
					}
					e.setOne(acc.st, t, name, value)
				}
				break
			}
		}
	}
}

// copiesReply reports whether a header under a name that is not known is one of the answer's own, as where all of them are copied.
func (e *engine) copiesReply(key, value *Term) bool {
	return key != nil && key.Kind == TElement && value.flags&(hasInput|hasCall) != 0 && e.holdsReply(value)
}

func (e *engine) setOne(st *state, target *Term, name string, value *Term) {
	if target.Kind == TRef {
		e.store(nil, st, target, name, value)
		return
	}
	value = e.freeze(st, value, maxFreeze)
	known := e.settings[target]
	if known == nil {
		known = &object{}
		e.settings[target] = known
	}
	for i, k := range known.keys {
		if k == name {
			known.vals[i] = e.union(known.vals[i], value)
			return
		}
	}
	known.keys, known.vals = append(known.keys, name), append(known.vals, value)
}

func (e *engine) fillOne(st *state, target, from *Term) {
	if from.Kind == TCall && from.Name == "stringify" && len(from.Args) > 1 {
		from = from.Args[1] // what was encoded comes back
	}
	for _, t := range target.Alternatives() {
		if t.Kind != TRef {
			continue
		}
		obj := e.contents(st, t)
		switch {
		case obj == nil:
		case obj.kind == cellObject:
			e.store(nil, st, t, "", from)
		case obj.kind == arrayObject:
			st.heap.set(t, e.heap.intern(object{kind: arrayObject, rest: e.elementOf(st, from, nil)}))
		default:
			st.heap.set(t, e.heap.intern(object{kind: obj.kind, class: obj.class, base: from, open: obj.open}))
		}
	}
}

// handOut marks objects that go to code that we do not see.
func (e *engine) handOut(st *state, args []*Term) {
	for _, t := range args {
		if t.Kind != TRef {
			continue
		}
		if obj := e.contents(st, t); obj != nil && obj.kind == instanceObject && !obj.open {
			n := *obj
			n.open = true
			st.heap.set(t, e.heap.intern(n))
		}
	}
}

// makeCall describes an external call; equal calls of one activation are one.
func (e *engine) makeCall(c *callSite, st *state, callee *Term, sym string, rows []*model.Row, isNew bool) *Call {
	args := e.frozen[:0]
	asRow := c.a.fn.Unit.Language == model.Go && takesRow(rows)
	for _, t := range c.args {
		if asRow {
			t = e.plain(st, t, maxFreeze)
		}
		args = append(args, e.freeze(st, t, maxFreeze))
	}
	if c.rest != nil {
		args = append(args, e.freeze(st, c.rest, maxFreeze))
	}
	e.frozen = args
	recv := c.recv
	if recv != nil {
		recv = e.freezeRecv(st, recv)
	}
	k := e.key[:0]
	k = binary.LittleEndian.AppendUint32(k, uint32(c.id))
	k = append(k, sym...)
	k = append(k, 0)
	if recv != nil {
		k = binary.LittleEndian.AppendUint32(k, uint32(recv.id))
	}
	for _, t := range args {
		k = binary.LittleEndian.AppendUint32(k, uint32(t.id))
	}
	e.key = k
	if old := c.a.calls[string(k)]; old != nil {
		return old
	}
	key := string(k)
	args = slices.Clone(args)
	var spread []bool
	if c.rest != nil {
		spread = make([]bool, len(args))
		spread[len(args)-1] = true
	}
	resultSym := ""
	if sym != "" {
		resultSym = sym
		if !isNew {
			resultSym += "()"
		}
	}
	for _, r := range rows {
		if r.Returns != "" {
			resultSym = r.Returns
			break
		}
	}
	if typ := c.op.Type; typ != nil && typ.External != "" && (c.op.Kind == model.Call || c.op.Kind == model.Spawn) {
		// the type checker's word
		resultSym = e.p.symbolOf(typ)
	}
	first := e.undefined
	if recv != nil {
		first = recv
	}
	name := c.name
	if name == "" {
		name = e.calleeText(c)
	}
	made := Term{Kind: TCall, Name: name, Sym: resultSym, Args: append([]*Term{first}, args...), Site: e.site(c.a.fn, c.id)}
	if makesHasher(rows) && !c.a.fn.chains(c.id) {
		made.ctx = c.a.ctx // what is added to it by statements of their own shows in no value
	}
	result := e.intern(made)
	call := &Call{Symbol: sym, Callee: e.calleeName(c, callee), Site: result.Site, Span: c.op.Span, New: isNew,
		Recv: recv, Args: args, Spread: spread, Result: result, Fn: c.a.fn, Confidence: model.Certain, argSpans: c.argSpans()}
	e.made++
	call.seq = e.made
	e.describe(call, rows)
	call.floating = c.op.Kind == model.Call && call.promises() && c.a.fn.unawaited(c.id)
	if sym == "" || strings.HasPrefix(sym, "?#") {
		if call.EffectRow == nil && call.RecordRow == nil && call.QueryRow == nil && call.OriginRow == nil && call.CheckRow == nil && !call.Safe {
			call.Unresolved = true
		}
	}
	if callee.Kind == TCall && strings.HasPrefix(callee.Sym, "js#") && len(rows) == 0 && (c.recv == nil || c.name == "") {
		call.Unresolved = true // a built-in gave what the program calls: what the program once put there
		if call.Callee == "" {
			call.Callee = callee.Name + "()"
		}
	}
	call.Unlisted = call.unlisted(name, rows)
	if e.through != "" {
		call.Unresolved, call.Unlisted = false, false // what it does to the request on its way
	}
	for _, r := range rows {
		if len(r.Empty) > 0 {
			e.empty[result] = r.Empty
			break
		}
	}
	e.refineEarlier(call, rows)
	if call.OriginRow != nil && call.OriginRow.Origin.Update {
		into := recv
		if at := call.OriginRow.Origin.Into; at != "" {
			into = e.recorded(call).first(at)
		}
		if into != nil {
			e.updates[into] = append(e.updates[into], call)
		}
	}
	c.a.calls[key] = call
	if call.RecordRow != nil || call.QueryRow != nil {
		e.recordCalls = append(e.recordCalls, call)
	}
	if e.calls[result] == nil {
		e.calls[result] = call
	}
	if call.EffectRow != nil || call.RecordRow != nil {
		e.begun[result] = call
	}
	if check := call.CheckRow; check != nil && check.Check.Early {
		acc := e.recorded(call)
		if x, y := acc.first(check.Check.Of), acc.first(check.Check.With); x != nil && y != nil {
			e.recordComparison(c.a, x, y, call.Span, c.id)
		}
	}
	if check := call.CheckRow; check != nil && check.Check.Kind == "order" {
		acc := e.recorded(call)
		if x, y := acc.first(check.Check.Of), acc.first(check.Check.With); x != nil && y != nil {
			e.recordWindow(c.a, BeforeOrAfter, x, y, call.Span, c.id)
		}
	}
	call.discloses = call.logs && slices.ContainsFunc(call.Args, func(t *Term) bool { return len(e.revealed(t)) > 0 })
	if call.InputRow != nil || e.readsByMethod(result) {
		e.recordRead(c.a, result, call.Span)
	}
	return call
}

// freezeRecv keeps identities: a receiver is a store, not its contents.
func (e *engine) freezeRecv(st *state, t *Term) *Term {
	if t.Kind == TRef {
		return t
	}
	return e.freeze(st, t, maxFreeze)
}

var majorVersion = lazyregexp.New(`^v[0-9]+$`)

// packageName guesses the name by which a Go package is spoken of from its import path.
func packageName(path string) string {
	dir, base := "", path
	if i := strings.LastIndexByte(path, '/'); i >= 0 {
		dir, base = path[:i], path[i+1:]
	}
	if majorVersion.MatchString(base) && dir != "" {
		return packageName(dir)
	}
	base, _, _ = strings.Cut(base, ".v") // gopkg.in/yaml.v3
	return strings.TrimSuffix(strings.TrimPrefix(base, "go-"), "-go")
}

// calleeName writes the callee as in the source, as far as its values tell.
func (e *engine) calleeName(c *callSite, callee *Term) string {
	var parts []string
	id := c.op.Args
	if len(id) == 0 || id[0] < 0 {
		return c.name
	}
	cur := id[0]
	for i := 0; i < 12 && cur >= 0; i++ {
		op := &c.a.fn.Ops[cur]
		switch op.Kind {
		case model.Load:
			if op.Name != "" {
				parts = append(parts, op.Name)
			}
			cur = op.Args[0]
			continue
		case model.Call:
			parts = append(parts, "()")
			if len(op.Args) > 0 {
				cur = op.Args[0]
				continue
			}
		case model.Await, model.Convert:
			cur = op.Args[0]
			continue
		case model.LoadGlobal:
			u := c.a.fn.Unit
			if op.Name != "" && e.p.byPath[op.Name] != nil {
				u = e.p.byPath[op.Name]
			}
			if int(op.Ref) < len(u.Globals) {
				parts = append(parts, u.Globals[op.Ref].Name)
			}
		case model.Parameter:
			if int(op.Ref) < len(c.a.fn.Params) {
				parts = append(parts, c.a.fn.Params[op.Ref].Name)
			}
		case model.FreeVar:
			if int(op.Ref) < len(c.a.fn.FreeVars) {
				parts = append(parts, c.a.fn.FreeVars[op.Ref])
			}
		case model.This:
			parts = append(parts, cmp.Or(op.Name, "this"))
		case model.External:
			if op.Name != "js" {
				base := op.Name
				if j := strings.LastIndexByte(base, '/'); j >= 0 {
					base = base[j+1:]
				}
				if len(parts) > 0 && parts[len(parts)-1] == "default" {
					parts[len(parts)-1] = base
				} else if len(parts) == 0 {
					parts = append(parts, base)
				} else if c.a.fn.Unit.Language == model.Go && op.Name != "go" {
					parts = append(parts, packageName(op.Name))
				}
			}
		case model.FuncRef, model.Closure:
			if op.Name == "" && int(op.Ref) < len(c.a.fn.Unit.funcs) {
				parts = append(parts, lastName(c.a.fn.Unit.funcs[op.Ref].Name))
			} else if f := e.p.referred(c.a.fn.Unit, op); f != nil {
				parts = append(parts, lastName(f.Name), packageName(f.Unit.Path))
			}
		}
		break
	}
	var b strings.Builder
	for i := len(parts) - 1; i >= 0; i-- {
		if parts[i] != "()" && b.Len() > 0 {
			b.WriteByte('.')
		}
		b.WriteString(parts[i])
	}
	if b.Len() == 0 {
		return c.name
	}
	return b.String()
}

// callbacks evaluates the functions that are handed to a call outside the program: it may call them.
func (e *engine) callbacks(c *callSite, st *state, call *Call, rows []*model.Row, states []outcome) []outcome {
	var sure *Term
	for _, r := range rows {
		if r.Record != nil && r.Record.Callback != "" {
			acc := &accessor{e: e, st: st, recv: c.recv, args: c.args, rest: c.rest, name: c.name}
			sure = acc.first(r.Record.Callback)
		}
	}
	for i, arg := range c.args {
		if handsOn(c, i) {
			states = e.handedNext(c, states, arg)
			continue
		}
		for _, fn := range arg.Alternatives() {
			if fn.Kind != TClosure {
				continue
			}
			params := e.callbackArgs(c, st, fn, i, rows, call)
			var next []outcome
			for _, o := range states {
				if o.throws {
					next = append(next, o)
					continue
				}
				if fn == sure {
					e.addStep(c.a, c.id, call, nil, o.st.facts, c.op.Span, call.Callee)
					o.st.facts = pushFact(o.st.facts, fact{call: call})
					for _, r := range e.apply(c.a, o.st, fn, nil, params, nil, c.op, c.id) {
						next = append(next, r)
					}
					continue
				}
				// it may run or not: what it does is seen, what it establishes is not relied upon
				side := o.st.fork(c.a.base)
				if call != nil {
					e.holdResult(c, side, fn, call.Result)
				}
				follow := func() []outcome { return e.apply(c.a, side, fn, nil, params, nil, c.op, c.id) }
				if !e.entered { // a group of workers may be what runs it
					started := follow
					follow = func() []outcome { return e.background(&callSite{args: params}, fn, started) }
				}
				for _, r := range follow() {
					if r.throws {
						next = append(next, r)
						continue
					}
					r.st.facts = o.st.facts
					e.mergeInto(c.a, o.st, r.st)
				}
				next = append(next, o)
			}
			states = next
		}
	}
	return states
}

// callbackArgs gives what a library hands to a callback: what the catalog says, or unknowns.
func (e *engine) callbackArgs(c *callSite, st *state, fn *Term, i int, rows []*model.Row, call *Call) []*Term {
	params := make([]*Term, len(fn.Fn.Params))
	for j := range params {
		p := &fn.Fn.Params[j]
		for _, r := range rows {
			for _, g := range r.Gives {
				if at, par, ok := givenAt(g.At); ok && at == i && par == j {
					params[j] = e.typedUnknown(p.Name, g.Symbol, nil, e.site(fn.Fn, model.ID(-2-j)))
				}
			}
		}
		if params[j] == nil {
			params[j] = e.ofType(p.Type, p.Name, e.site(fn.Fn, model.ID(-2-j)))
		}
	}
	return params
}
