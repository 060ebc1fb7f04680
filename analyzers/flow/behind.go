package flow

import (
	"slices"
	"strings"

	"github.com/retrysafe/retrysafe/analyzers/model"
)

// JavaScript runs functions of the program where no call of them is written: a setter where a member is assigned, `then` where an object is awaited, an iterator
// where one is walked, a trap where a proxy is used, `toJSON` where an object is encoded, a transform where a schema reads the input.

// behind calls a function that the language or a library calls at an operation, and gives what it may return, nil where it never does. What it does is
// seen; what it establishes is not relied upon.
func (e *engine) behind(a *activation, st *state, op *model.Op, id model.ID, fn, this *Term, args []*Term) *Term {
	side := st.fork(a.base)
	var values []*Term
	for _, r := range e.apply(a, side, fn, this, args, nil, op, id) {
		if r.throws {
			continue
		}
		values = append(values, r.value)
		r.st.facts = st.facts
		e.mergeInto(a, st, r.st)
	}
	if len(values) == 0 {
		return nil
	}
	return e.union(values...)
}

// codeOf lists the functions of the program among the alternatives of a value.
func codeOf(t *Term) []*Term {
	if t == nil {
		return nil
	}
	var out []*Term
	for _, alt := range t.Alternatives() {
		if alt.Kind == TClosure {
			out = append(out, alt)
		}
	}
	return out
}

// behindCallbacks calls the functions among the arguments of a built-in with what it hands to them.
func (e *engine) behindCallbacks(c *callSite, st *state, row *model.Row, args []*Term) {
	for i, arg := range args {
		for _, fn := range codeOf(arg) {
			e.behind(c.a, st, c.op, c.id, fn, nil, e.callbackArgs(c, st, fn, i, []*model.Row{row}, nil))
		}
	}
}

// methodsNamed lists the methods of a name that an object of the program has itself or by its class.
func (e *engine) methodsNamed(st *state, target *Term, name string) (methods, owners []*Term) {
	for _, alt := range target.Alternatives() {
		if alt.Kind != TRef {
			continue
		}
		if obj := e.contents(st, alt); obj == nil || obj.kind != instanceObject && obj.kind != plainObject {
			continue
		}
		for _, fn := range codeOf(e.load(st, alt, name, nil)) {
			methods, owners = append(methods, fn), append(owners, alt)
		}
	}
	return methods, owners
}

// awaited is what waiting for a value gives: of an object with a method `then`, what that hands on.
func (e *engine) awaited(a *activation, st *state, op *model.Op, id model.ID, v *Term) *Term {
	if a.fn.Unit.Language == model.Go || v.flags&hasRef == 0 {
		return v
	}
	methods, owners := e.methodsNamed(st, v, "then")
	for i, fn := range methods {
		settle := e.intern(Term{Kind: TOp, Name: "resolve", Args: []*Term{e.undefined}})
		e.behind(a, st, op, id, fn, owners[i], []*Term{settle, settle})
	}
	if len(methods) == 0 {
		return v
	}
	return e.unknown("awaited", e.site(a.fn, id))
}

// awaitedEach waits for the elements of a list that is waited for as a whole.
func (e *engine) awaitedEach(c *callSite, st *state, list *Term) {
	elems, _, _ := e.elements(st, list)
	for _, v := range elems[:min(len(elems), maxUnroll)] {
		e.awaited(c.a, st, c.op, c.id, v)
	}
}

// walked calls what gives the iterator of an object, and its next, where the object is walked. In Go a function is walked: it calls the loop's body.
func (e *engine) walked(a *activation, st *state, at model.ID, seq *Term) {
	if at < 0 {
		return
	}
	op := &a.fn.Ops[at]
	if a.fn.Unit.Language == model.Go {
		for _, fn := range codeOf(seq) {
			e.behind(a, st, op, at, fn, fn.This, []*Term{e.intern(Term{Kind: TOp, Name: "yield"})})
		}
		return
	}
	if seq.flags&hasRef == 0 {
		return
	}
	for _, name := range []string{"[Symbol.iterator]", "[Symbol.asyncIterator]"} {
		methods, owners := e.methodsNamed(st, seq, name)
		for i, fn := range methods {
			made := e.behind(a, st, op, at, fn, owners[i], nil)
			if made == nil {
				continue
			}
			steps, iterators := e.methodsNamed(st, made, "next")
			for j, next := range steps {
				e.behind(a, st, op, at, next, iterators[j], nil)
			}
		}
	}
}

// assigned calls the setter that an assignment to a member runs, and reports whether there is one.
func (e *engine) assigned(a *activation, st *state, op *model.Op, id model.ID, target *Term, name string, val *Term) bool {
	for _, alt := range target.Alternatives() {
		if trap, of := proxied(alt, "set"); trap != nil {
			e.behind(a, st, op, id, trap, nil, []*Term{of, e.text(name), val, alt})
			return true
		}
		if fn := e.setter(st, alt, name); fn != nil {
			e.behind(a, st, op, id, fn, alt, []*Term{val})
			return true
		}
	}
	return false
}

// setter finds the setter of a name that an object literal has, an instance by its class, or a class by itself; nil if there is none.
func (e *engine) setter(st *state, target *Term, name string) *Term {
	class, static := target, true
	if target.Kind == TRef {
		obj := e.contents(st, target)
		if obj != nil && obj.kind == plainObject {
			if code := codeOf(obj.get(model.SetterKey(name))); len(code) == 1 {
				return code[0]
			}
		}
		if obj == nil || obj.kind != instanceObject {
			return nil
		}
		class, static = obj.class, false
	}
	if class == nil || class.Kind != TClass {
		return nil
	}
	for depth := 0; class != nil && class.Decl != nil && depth < 12; depth++ {
		for i := range class.Decl.Members {
			m := &class.Decl.Members[i]
			if m.Kind == model.SetterMember && m.Name == name && m.Static == static && m.Func > 0 && m.Func < len(class.Decl.Unit.funcs) {
				return e.intern(Term{Kind: TClosure, Fn: class.Decl.Unit.funcs[m.Func], Args: class.captured(), This: target})
			}
		}
		class = e.baseClass(class)
	}
	return nil
}

// proxied gives the function that a proxy runs for an operation on it, and what the proxy stands for; nil where the value is no proxy or has no such trap.
func proxied(t *Term, operation string) (trap, of *Term) {
	if t.Kind != TCall || t.Sym != "js#Proxy" || len(t.Args) < 3 {
		return nil, nil
	}
	v, _ := t.Args[2].Field(operation)
	if code := codeOf(v); len(code) == 1 {
		return code[0], t.Args[1]
	}
	return nil, t.Args[1]
}

// spelled calls what gives the text or number of an object, where one is made of it.
func (e *engine) spelled(a *activation, st *state, op *model.Op, id model.ID, v *Term) {
	if v.flags&hasRef == 0 || e.hidden >= maxHidden {
		return
	}
	e.hidden++
	defer func() { e.hidden-- }()
	names := []string{"[Symbol.toPrimitive]", "toString", "valueOf"}
	if a.fn.Unit.Language == model.Go {
		names = []string{"String", "Error"}
	}
	for _, alt := range v.Alternatives() {
		for _, name := range names {
			for _, fn := range codeOf(e.ownMethod(st, alt, name)) {
				e.behind(a, st, op, id, fn, alt, nil)
			}
		}
	}
}

// trapped calls the functions that a proxy runs for an operation on it.
func (e *engine) trapped(a *activation, st *state, op *model.Op, id model.ID, target *Term, operation string, args ...*Term) {
	for _, alt := range target.Alternatives() {
		if trap, of := proxied(alt, operation); trap != nil {
			e.behind(a, st, op, id, trap, nil, append([]*Term{of}, args...))
		}
	}
}

// listener is a function that waits for events of a name on a value.
type listener struct {
	event, fn *Term
	by        *Function // that makes it wait
}

// listen notes a function that is called when the receiver announces an event.
func (e *engine) listen(by *Function, recv, event, fn *Term) {
	if recv == nil || event == nil {
		return
	}
	for _, alt := range recv.Alternatives() {
		for _, code := range codeOf(fn) {
			e.listeners[alt] = append(e.listeners[alt], listener{event, code, by})
		}
	}
}

// unlisten forgets functions that a function of the program makes listen and takes away again, while the program gets ready. event is nil for all events, fn
// for all functions. What stops listening later has listened until then.
func (e *engine) unlisten(c *callSite, event, fn *Term) {
	if c.recv == nil || e.phase == entryPhase {
		return
	}
	for _, alt := range c.recv.Alternatives() {
		e.listeners[alt] = slices.DeleteFunc(e.listeners[alt], func(l listener) bool {
			return l.by == c.a.fn && (event == nil || event == l.event && event.Kind == TConst) && (fn == nil || fn == l.fn)
		})
	}
}

// announce calls the functions that wait for an event on the receiver. An event is a name, or an object that is made for one.
func (e *engine) announce(c *callSite, st *state) {
	if c.recv == nil || len(c.args) == 0 {
		return
	}
	event, args := c.args[0], c.args[1:]
	if event.Kind == TCall && strings.HasPrefix(event.Sym, "js#") && len(event.Args) > 1 {
		event, args = event.Args[1], c.args
	}
	e.announceAs(c, st, event, args)
}

// announceAs calls the functions that wait on the receiver for an event of a name, with what they are told of it.
func (e *engine) announceAs(c *callSite, st *state, event *Term, args []*Term) {
	if outer := e.announcing; e.entered {
		e.announcing = e.tuple(args...)
		e.putInto(c, st, c.recv, "event")
		e.announcing = outer
	}
	for _, alt := range c.recv.Alternatives() {
		waiting := e.listeners[alt]
		for _, l := range waiting[:min(len(waiting), maxUnroll)] {
			if event.Kind == TConst && l.event.Kind == TConst && event != l.event {
				continue
			}
			e.behind(c.a, st, c.op, c.id, l.fn, alt, args)
		}
	}
}

// readingSteps are the methods of schema libraries that take a function of the program and run it on what is read.
var readingSteps = set(`transform refine superrefine preprocess check overwrite codec pipe custom rawtransform rawcheck transformasync checkasync
	default prefault catch lazy`)

// readingCode lists the functions that a schema runs on what it reads.
func readingCode(schema *Term) []*Term {
	if schema == nil {
		return nil
	}
	var out []*Term
	schema.Walk(func(t *Term) bool {
		if t.Kind == TCall && readingSteps[strings.ToLower(lastName(t.Name))] {
			for _, a := range t.Args[1:] {
				out = append(out, codeOf(a)...)
			}
		}
		return len(out) < maxTargets
	})
	return out
}

// readBySchema calls what a schema runs on a value that it is asked to read.
func (e *engine) readBySchema(c *callSite, st *state, call *Call) {
	if call.CheckRow == nil || call.CheckRow.Check.Kind != "schema" || c.recv == nil {
		return
	}
	for _, fn := range readingCode(c.recv) {
		e.behind(c.a, st, c.op, c.id, fn, nil, c.args)
	}
}

// reading evaluates what the schema of a tool runs on the arguments before the handler has them.
func (e *engine) reading(reg *registration) []*Summary {
	if reg.kind != MCPTool && reg.kind != AgentTool {
		return nil
	}
	var out []*Summary
	for _, fn := range readingCode(reg.schema) {
		args := make([]*Term, len(fn.Fn.Params))
		for i := range args {
			args[i] = e.unknown(fn.Fn.Params[i].Name, e.site(fn.Fn, model.ID(-2-i)))
		}
		if given := e.entryArgs(reg); len(args) > 0 && len(given) > 0 {
			args[0] = given[0]
		}
		s := e.enter(fn, args)
		e.commit(s)
		if s.interesting {
			step := *s
			step.exits = nil // what it gives is no answer of the tool
			out = append(out, &step)
		}
	}
	return out
}
