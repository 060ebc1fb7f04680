package flow

import (
	"cmp"
	"slices"

	"github.com/retrysafe/retrysafe/analyzers/model"
)

// A channel hands values from one function to another that runs beside it. What a tool sends is done by who receives it: the function is followed
// once more, as what the tool does, with the value that was sent. Receivers are known once the program is ready, which is when its workers start. Of a
// channel that an entry makes for itself, both sides are seen where they stand.

// receiver is a function that runs on its own and takes what comes over a channel.
type receiver struct {
	site   *callSite
	callee *Term
	alone  bool // it is started by itself, not called when something happens outside
}

// delivery is a value that is on its way over a channel, while its receiver is followed.
type delivery struct {
	over, value *Term
	outer       *delivery
}

// under reports whether a delivery over the channel is under way.
func (d *delivery) under(channel *Term) bool {
	for ; d != nil; d = d.outer {
		if d.over == channel {
			return true
		}
	}
	return false
}

// background follows what a call starts, which runs beside the caller.
func (e *engine) background(c *callSite, callee *Term, follow func() []outcome) []outcome {
	e.runs = append(e.runs, receiver{site: c, callee: callee})
	out := follow()
	e.runs = e.runs[:len(e.runs)-1]
	return out
}

// channel evaluates the operations of channels.
func (e *engine) channel(c *callSite, st *state, name string) []outcome {
	site := e.site(c.a.fn, c.id)
	if name == "channel" {
		ref := e.ref(c.a, st, c.id, "channel")
		st.heap.set(ref, e.heap.intern(object{kind: channelObject}))
		return one(st, ref)
	}
	if len(c.args) == 0 {
		return one(st, e.unknown(name, site))
	}
	if name == "send" {
		return e.send(c, st)
	}
	var got *Term
	for _, over := range c.args[0].Alternatives() {
		if obj := e.contents(st, over); over.Kind == TRef && obj != nil && obj.kind == channelObject {
			e.receives(over)
			if e.delivery != nil && e.delivery.over == over {
				got = e.union(got, e.delivery.value)
			} else if obj.rest != nil {
				got = e.union(got, obj.rest)
			}
		}
	}
	switch {
	case got == nil && name == "drain":
		return one(st, c.args[0])
	case got == nil:
		return one(st, e.typedUnknown(name, "?#", nil, site))
	case name == "drain":
		ref := e.ref(c.a, st, c.id, "array")
		st.heap.set(ref, e.heap.intern(object{kind: arrayObject, rest: got}))
		return one(st, ref)
	}
	return one(st, got)
}

// receives notes who takes what comes over a channel: what was started to run on its own, or an entry itself.
func (e *engine) receives(over *Term) {
	if len(e.runs) == 0 {
		if e.entered {
			e.taken[over] = true
		}
		return
	}
	run := e.runs[len(e.runs)-1]
	known := e.receivers[over]
	if len(known) >= maxWorkers || slices.ContainsFunc(known, func(r receiver) bool { return r.callee == run.callee && slices.Equal(r.site.args, run.site.args) }) {
		return
	}
	e.receivers[over] = append(known, run)
	e.pin(over)
	e.pin(run.callee)
	for _, arg := range run.site.args {
		e.pin(arg)
	}
}

// send hands a value to the receivers of a channel.
func (e *engine) send(c *callSite, st *state) []outcome {
	value := e.undefined
	if len(c.args) > 1 {
		value = c.args[1]
	}
	// of many channels, those who listen are told: what they do with it is not what the sender asks for
	many := len(c.op.Args) > 1 && oneOfMany(c.a.fn, c.op.Args[1])
	var unknown bool
	var lost *Term
	for _, over := range c.args[0].Alternatives() {
		obj := e.contents(st, over)
		switch {
		case over.IsNullish():
		case over.Kind != TRef || obj == nil || obj.kind != channelObject:
			unknown = true
		case e.outlasting(over) == nil:
			n := *obj
			n.rest = e.union(n.rest, value)
			st.heap.set(over, e.heap.intern(n))
		case !e.entered:
		case e.delivery.under(over):
		case many:
			unknown = true
		default:
			if !e.deliver(c, st, over, value) {
				lost = over
			}
		}
	}
	if many && c.name == "offer" {
		return one(st, e.undefined) // and who does not listen misses it
	}
	if unknown || lost != nil {
		e.sentAway(c, st, lost)
	}
	return one(st, e.undefined)
}

// oneOfMany reports whether a channel is taken from a collection, as those of subscribers are.
func oneOfMany(fn *Function, id model.ID) bool {
	for n := 0; id >= 0 && n < maxTermDepth; n++ {
		op := &fn.Ops[id]
		switch {
		case op.Kind == model.Element, op.Kind == model.Load && len(op.Args) > 1:
			return true
		case op.Kind != model.Load && op.Kind != model.Convert && op.Kind != model.Call || len(op.Args) == 0:
			return false
		}
		id = op.Args[0]
	}
	return false
}

// deliver follows the receivers of a channel with a value; false where there are none.
func (e *engine) deliver(c *callSite, st *state, over, value *Term) bool {
	known := e.receivers[over]
	if len(known) == 0 {
		known = e.declaredReceivers(c, st)
	}
	for _, r := range known {
		n := *r.site
		n.a, n.op, n.id, n.block, n.from, n.inner = c.a, c.op, c.id, nil, nil, true
		e.delivery = &delivery{over: over, value: value, outer: e.delivery}
		e.spawning++
		side := st.fork(c.a.base)
		out := e.background(&n, r.callee, func() []outcome { return e.dispatch(&n, side, r.callee) })
		e.spawning--
		e.delivery = e.delivery.outer
		for _, o := range out {
			if !o.throws {
				o.st.facts = st.facts
				e.mergeInto(c.a, st, o.st)
			}
		}
	}
	for _, s := range c.a.sum.steps {
		if s.op == c.id && len(known) > 0 {
			s.sent = true
		}
	}
	return len(known) > 0
}

// sentAway notes a send of which the receiver is not known. over is the channel, nil where not even that is.
func (e *engine) sentAway(c *callSite, st *state, over *Term) {
	call := e.makeCall(c, st, e.undefined, "", nil, false)
	call.Unresolved, call.Unlisted, call.sentOver = true, false, over
	if len(c.op.Args) > 1 {
		call.Callee = cmp.Or(c.a.fn.names(c.op.Args[1]), "channel") + " <-"
	}
	e.addStep(c.a, c.id, call, nil, st.facts, c.op.Span, call.Callee).spawned = true
}

// turns reports whether a call that could not be followed was one after all: what goes into a channel that entries themselves take from only
// says whose turn it is.
func (e *engine) turns(c *Call) bool { return c.sentOver != nil && e.taken[c.sentOver] }

// declaredReceivers finds who takes from a channel that is a field, where nobody was seen to start it: the methods of the same object that do.
func (e *engine) declaredReceivers(c *callSite, st *state) []receiver {
	if len(c.op.Args) < 2 || c.op.Args[1] < 0 {
		return nil
	}
	field := &c.a.fn.Ops[c.op.Args[1]]
	if field.Kind != model.Load || field.Name == "" || len(field.Args) == 0 {
		return nil
	}
	var out []receiver
	for _, owner := range e.value(st, field.Args[0]).Alternatives() {
		t := owner.Decl
		if obj := e.contents(st, owner); t == nil && obj != nil && obj.class != nil {
			t = obj.class.Decl
		}
		if t == nil {
			continue
		}
		for _, fn := range e.receiving()[fieldKey{t, field.Name}] {
			if fn.entered > 0 || len(out) >= maxWorkers {
				continue
			}
			out = append(out, receiver{site: &callSite{args: e.symbolic(fn)}, callee: e.intern(Term{Kind: TClosure, Fn: fn, This: owner})})
		}
	}
	return out
}

// receiving lists the methods that take what comes over a channel in a field of their receiver.
func (e *engine) receiving() map[fieldKey][]*Function {
	if e.takers != nil {
		return e.takers
	}
	e.takers = map[fieldKey][]*Function{}
	for _, u := range e.p.units {
		for _, f := range u.funcs {
			for i := range f.Ops {
				field := e.taker(f, &f.Ops[i])
				if field == nil {
					continue
				}
				t := e.p.methodOwner(f)
				if t == nil || e.p.memberOf(t, field.Name, 0) == nil {
					continue
				}
				method := f
				for !method.This && method.Outer > 0 && method.Outer <= len(u.funcs) {
					method = u.funcs[method.Outer-1]
				}
				if k := (fieldKey{t, field.Name}); !slices.Contains(e.takers[k], method) {
					e.takers[k] = append(e.takers[k], method)
				}
			}
		}
	}
	return e.takers
}

// taker gives the operation that reads the field over which another one receives, nil where it does not or the channel is no field of the receiver.
func (e *engine) taker(f *Function, op *model.Op) *model.Op {
	at := func(op *model.Op, i int) *model.Op {
		if i >= len(op.Args) || op.Args[i] < 0 {
			return nil
		}
		return &f.Ops[op.Args[i]]
	}
	if op.Kind != model.Call || len(op.Args) != 2 {
		return nil
	}
	callee, field := at(op, 0), at(op, 1)
	if callee == nil || field == nil || callee.Kind != model.Load || field.Kind != model.Load || field.Name == "" {
		return nil
	}
	of, owner := at(callee, 0), at(field, 0)
	if of == nil || owner == nil || of.Kind != model.External || owner.Kind != model.This && owner.Kind != model.FreeVar {
		return nil
	}
	takes := func(r *model.Row) bool {
		return r.Primitive != nil && (r.Primitive.Name == "receive" || r.Primitive.Name == "drain")
	}
	if !slices.ContainsFunc(e.rowsOf(joinSymbol(of.Name+"#", callee.Name)), takes) {
		return nil
	}
	return field
}
