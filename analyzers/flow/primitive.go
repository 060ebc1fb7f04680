package flow

import (
	"slices"
	"strconv"
	"strings"

	"github.com/retrysafe/retrysafe/analyzers/model"
)

// primitive evaluates a built-in whose meaning is known. ok is false where the receiver or arguments are not of
// the shape it is meant for; the call is then an ordinary external one.
func (e *engine) primitive(c *callSite, st *state, row *model.Row, callee *Term) (out []outcome, ok bool) {
	arg := func(i int) *Term {
		if i < len(c.args) {
			return c.args[i]
		}
		if c.rest != nil {
			return c.rest
		}
		return e.undefined
	}
	site := e.site(c.a.fn, c.id)
	isFn := func(t *Term) bool {
		for _, alt := range t.Alternatives() {
			if alt.Kind == TClosure || alt.Kind == TOp && alt.Name == "partial" {
				return true
			}
		}
		return false
	}
	opaque := func(of ...*Term) []outcome {
		args := append([]*Term{e.undefined}, of...)
		if c.recv != nil {
			args[0] = e.freeze(st, c.recv, maxFreeze)
		}
		for i := range args {
			args[i] = e.freeze(st, args[i], maxFreeze)
		}
		sym := callee.Sym
		if sym != "" {
			sym += "()"
		}
		return one(st, e.intern(Term{Kind: TCall, Name: c.name, Sym: sym, Args: args, Site: site}))
	}
	newArray := func(st *state, elems []*Term, rest *Term) *Term {
		ref := e.ref(c.a, st, c.id, "array")
		st.heap.set(ref, e.heap.intern(object{kind: arrayObject, elems: elems, rest: rest}))
		return ref
	}
	name, original := row.Primitive.Name, c.args
	if row.Primitive.Over != "" || row.Primitive.Callback != "" {
		// a function over a collection that is an argument (lodash's map): put the parts where a method has them
		acc := &accessor{e: e, st: st, recv: c.recv, args: c.args, rest: c.rest, name: c.name}
		n := *c
		over, callback := acc.raw(row.Primitive.Over), acc.raw(row.Primitive.Callback)
		if over != nil && !staticPrimitive[name] {
			n.recv = over
			if callback != nil {
				n.args = append([]*Term{callback}, c.args[min(2, len(c.args)):]...)
			} else if len(c.args) > 0 && over == c.args[0] {
				n.args = c.args[1:]
			}
		} else if over == nil && callback != nil && callback != c.recv && (len(c.args) == 0 || callback != c.args[0]) {
			n.args = []*Term{callback}
		}
		c = &n
	}
	callbackAt := 0
	for i, t := range original {
		if len(c.args) > 0 && t == c.args[0] {
			callbackAt = i
			break
		}
	}
	isNew := c.op.Flags&model.New != 0
	switch name {
	case "filter.eq", "filter.and":
		if v := e.filter(name, c.args); v != nil {
			return one(st, v), true
		}
		return opaque(c.args...), true
	case "call":
		if !isFn(arg(0)) {
			return nil, false
		}
		// it is called some time, with what we do not see
		side := st.fork(c.a.base)
		for _, fn := range arg(0).Alternatives() {
			if fn.Kind != TClosure {
				continue
			}
			for _, r := range e.apply(c.a, side, fn, nil, e.callbackArgs(c, st, fn, callbackAt, []*model.Row{row}, nil), nil, c.op, c.id) {
				if !r.throws {
					r.st.facts = st.facts
					e.mergeInto(c.a, st, r.st)
				}
			}
			break
		}
		return one(st, e.unknown("handle", site)), true
	case "apply":
		n := *c
		n.name = "apply"
		return e.boundMethod(&n, st)
	case "invoke":
		return e.invokeReflected(c, st)
	case "method":
		return e.methodByName(c, st, arg(0))
	case "field":
		return e.functionField(c, st, arg(0))
	case "keep":
		return nil, e.keepCode(c, st, arg(1))
	case "kept":
		return e.keptCode(c, st)
	case "next":
		if e.chain == nil {
			return nil, false
		}
		return e.handOn(c, st), true
	case "channel", "send", "receive", "drain":
		return e.channel(c, st, name), true
	case "itself":
		if c.recv == nil {
			return nil, false
		}
		return one(st, c.recv), true
	case "emit":
		e.announce(c, st)
		return one(st, e.unknown("heard", site)), true
	case "await event":
		return one(st, e.awaitEvent(c, st, arg(0), lastName(callee.Sym) == "on" || strings.HasSuffix(callee.Sym, "#on"))), true
	case "publish":
		if c.recv == nil {
			return nil, false
		}
		e.announceAs(c, st, e.null, c.args)
		return one(st, e.undefined), true
	case "subscribe":
		// to all that is published, by a function or an object with one
		e.listen(c.a.fn, c.recv, e.null, e.union(arg(0), e.load(st, arg(0), "next", nil)))
		return nil, false
	case "listen":
		if len(original) > 1 {
			e.listen(c.a.fn, c.recv, original[0], original[1])
		}
		if c.recv == nil || !isFn(arg(0)) {
			return nil, false
		}
		return e.iterateWith(c, st, "each", arg(0), newArray), true
	case "unlisten":
		var event, fn *Term
		if len(original) > 0 {
			event = original[0]
		}
		if len(original) > 1 {
			fn = original[1]
		}
		e.unlisten(c, event, fn)
		return one(st, orUndefined(e, c.recv)), true
	case "each", "map", "filter", "find", "some", "every", "flatMap", "reduce":
		fn := arg(0)
		if c.recv == nil || !isFn(fn) && !(name == "filter" && len(c.args) == 1) {
			return nil, false
		}
		if code := codeOf(fn); !e.entered && c.recv.Kind == TSymbol && len(code) == 1 {
			// a timer: what it runs goes on by itself
			return e.alone(&callSite{args: e.givenToMethod(code[0])}, code[0], func() []outcome { return e.iterateWith(c, st, name, fn, newArray) }), true
		}
		return e.iterateWith(c, st, name, fn, newArray), true
	case "push", "unshift":
		e.notePushed(c, st)
		out, ok := e.mutateArray(st, c.recv, func(o *object) {
			if name == "push" {
				o.elems = append(append([]*Term(nil), o.elems...), c.args...)
			} else {
				o.elems = append(append([]*Term(nil), c.args...), o.elems...)
			}
			if c.rest != nil {
				o.rest = e.union(o.rest, c.rest)
			}
		}, e.unknown("length", site))
		e.putInto(c, st, c.recv, "")
		return out, ok
	case "pop", "shift":
		v := e.elementOf(st, c.recv, site)
		return one(st, v), c.recv != nil && c.recv.Kind == TRef
	case "concat":
		if c.recv == nil {
			return nil, false
		}
		if isText(c.recv) {
			return one(st, e.concat(append([]*Term{c.recv}, c.args...))), true
		}
		elems, _, exact := e.elements(st, c.recv)
		elems = append([]*Term(nil), elems...)
		var rest *Term
		if !exact {
			rest = e.elementOf(st, c.recv, site)
		}
		for _, t := range c.args {
			more, _, exact := e.elements(st, t)
			if len(more) > 0 || exact && t.Kind == TRef {
				elems = append(elems, more...)
			} else if t.Kind != TRef {
				rest = e.union(rest, e.elementOf(st, t, site))
			}
			if !exact {
				rest = e.union(rest, e.elementOf(st, t, site))
			}
		}
		return one(st, newArray(st, elems, rest)), true
	case "slice", "reverse", "sort", "splice", "flat":
		if name == "sort" {
			e.behindCallbacks(c, st, row, original)
		}
		if c.recv == nil {
			return nil, false
		}
		if c.recv.Kind == TConst || c.recv.Kind == TConcat || c.recv.Sym == "js#String" {
			return opaque(c.args...), true
		}
		elems, _, exact := e.listed(st, c.recv)
		if len(elems) == 0 && !exact {
			return opaque(c.args...), true
		}
		var rest *Term
		if !exact {
			rest = e.elementOf(st, c.recv, site)
		}
		if name == "flat" {
			var flat []*Term
			for _, el := range elems {
				inner, _, ex := e.elements(st, el)
				if ex {
					flat = append(flat, inner...)
				} else {
					rest = e.union(rest, e.elementOf(st, el, site))
				}
			}
			elems = flat
		}
		if name == "slice" && len(c.args) == 1 {
			if n, err := strconv.Atoi(textOr(arg(0))); err == nil && n >= 0 && n <= len(elems) && !e.isLoose(st, c.recv) {
				elems = elems[n:]
			}
		}
		if name == "sort" || name == "reverse" {
			return one(st, c.recv), true
		}
		return one(st, newArray(st, elems, rest)), true
	case "at":
		if i, err := strconv.Atoi(textOr(arg(0))); err == nil {
			elems, _, exact := e.elements(st, c.recv)
			if i < 0 {
				i += len(elems)
			}
			if exact && i >= 0 && i < len(elems) && !e.isLoose(st, c.recv) {
				return one(st, elems[i]), true
			}
		}
		return one(st, e.elementOf(st, c.recv, site)), true
	case "join":
		elems, _, exact := e.elements(st, c.recv)
		sep := e.text(",")
		if len(c.args) > 0 {
			sep = arg(0)
		}
		if !exact || len(elems) == 0 {
			return opaque(c.args...), true
		}
		var parts []*Term
		for i, el := range elems {
			if i > 0 {
				parts = append(parts, sep)
			}
			parts = append(parts, e.asText(st, el))
		}
		return one(st, e.joined(e.concat(parts), c.a.fn, c.id)), true
	case "includes", "indexOf":
		return e.includes(c, st, name, arg(0), opaque), true
	case "keys", "values", "entries":
		target := arg(0)
		if row.Primitive.Over == "" && c.recv != nil {
			target = c.recv
		}
		e.trapped(c.a, st, c.op, c.id, target, "ownKeys")
		if name != "keys" {
			e.getters(c, st, target)
		}
		return e.listMembers(c, st, name, target, newArray, opaque), true
	case "fromEntries":
		elems, _, exact := e.elements(st, arg(0))
		obj := object{kind: plainObject}
		for _, el := range elems {
			pair, _, ok := e.elements(st, el)
			if ok && len(pair) == 2 {
				if key, is := pair[0].Text(); is {
					obj = *e.heap.with(&obj, key, pair[1])
					continue
				}
				obj.rest = e.union(obj.rest, pair[1])
			}
		}
		if !exact {
			obj.rest = e.union(obj.rest, e.elementOf(st, arg(0), site))
		}
		ref := e.ref(c.a, st, c.id, "object")
		st.heap.set(ref, e.heap.intern(obj))
		return one(st, ref), true
	case "assign":
		target := arg(0)
		for _, src := range c.args[min(1, len(c.args)):] {
			e.assignedEach(c, st, target, src)
			if target.Kind == TRef {
				if obj := e.contents(st, target); obj != nil {
					n := *obj
					n.keys = append([]string(nil), obj.keys...)
					n.vals = append([]*Term(nil), obj.vals...)
					e.spreadInto(st, &n, src, func(k string, v *Term) {
						for i := range n.keys {
							if n.keys[i] == k {
								n.vals[i] = v
								return
							}
						}
						n.keys = append(n.keys, k)
						n.vals = append(n.vals, v)
					})
					st.heap.set(target, e.heap.intern(n))
				}
			}
		}
		return one(st, target), true
	case "hold":
		// a box with one value that every user of it shares; what was in it before may be what is read
		if c.recv == nil || c.recv.Kind != TRef {
			return nil, false
		}
		e.store(c.a, st, c.recv, heldMember, arg(0))
		return one(st, e.undefined), true
	case "held":
		if c.recv == nil || c.recv.Kind != TRef {
			return nil, false
		}
		if obj := e.contents(st, c.recv); obj != nil {
			if v := obj.get(heldMember); v != nil {
				return one(st, v), true
			}
		}
		return nil, false
	case "freeze":
		return one(st, arg(0)), true
	case "isArray":
		switch t := arg(0); {
		case e.builtinType(st, t) == "Array":
			return one(st, e.yes), true
		case t.Kind == TConst || t.Kind == TClosure || e.builtinType(st, t) == "Object":
			return one(st, e.no), true
		}
		return opaque(arg(0)), true
	case "from", "of":
		if isNew && name == "from" {
			e.walkedArgument(c, st, arg(0))
			return e.newCollection(c, st, callee, arg(0)), true
		}
		if name == "of" {
			return one(st, newArray(st, c.args, c.rest)), true
		}
		e.walkedArgument(c, st, arg(0))
		elems, _, exact := e.elements(st, arg(0))
		var rest *Term
		if !exact {
			rest = e.elementOf(st, arg(0), site)
		}
		src := newArray(st, elems, rest)
		if len(c.args) > 1 && isFn(c.args[1]) {
			n := *c
			n.recv = src
			return e.iterateWith(&n, st, "map", c.args[1], newArray), true
		}
		return one(st, src), true
	case "get", "set", "has", "remove", "clear":
		out, ok := e.mapAccess(c, st, name, arg, opaque)
		if name == "set" && ok {
			e.putInto(c, st, c.recv, "")
		}
		return out, ok
	case "then":
		return e.then(c, st, arg(0), arg(1)), isFn(arg(0)) || isFn(arg(1))
	case "catch":
		if !isFn(arg(0)) {
			return nil, false
		}
		return e.catch(c, st, arg(0)), true
	case "finally":
		if !isFn(arg(0)) {
			return nil, false
		}
		var res []outcome
		for _, o := range e.apply(c.a, st, arg(0), nil, nil, nil, c.op, c.id) {
			if !o.throws {
				o.value = c.recv
			}
			res = append(res, o)
		}
		return res, true
	case "all":
		e.awaitedEach(c, st, arg(0))
		return one(st, arg(0)), true
	case "race":
		return one(st, e.elementOf(st, arg(0), site)), true
	case "resolve":
		return one(st, arg(0)), true
	case "reject":
		if c.a.fn.keeps(c.id) {
			return one(st, e.unknown("rejected promise", e.site(c.a.fn, c.id))), true
		}
		return []outcome{{st: st, value: arg(0), throws: true}}, true
	case "promise":
		return e.newPromise(c, st, arg(0)), isFn(arg(0))
	case "answer", "failure":
		// what is made for the caller to read holds what it is made of
		obj := object{kind: plainObject}
		for i, v := range c.args {
			obj = *e.heap.with(&obj, itoa(i), v)
		}
		if name == "failure" {
			obj = *e.heap.with(&obj, "isError", e.boolean(true))
		}
		ref := e.ref(c.a, st, c.id, "object")
		st.heap.set(ref, e.heap.intern(obj))
		return one(st, ref), true
	case "create":
		ref := e.ref(c.a, st, c.id, "object")
		st.heap.set(ref, e.heap.intern(object{kind: plainObject, open: true}))
		return one(st, ref), true
	case "error":
		obj := object{kind: plainObject, open: true}
		for _, v := range c.args {
			if v = e.freeze(st, v, maxFreeze); len(e.revealed(v)) > 0 {
				obj = *e.heap.with(&obj, "message", v) // of its text what must not be told
			}
		}
		ref := e.ref(c.a, st, c.id, "object")
		st.heap.set(ref, e.heap.intern(obj))
		return one(st, ref), true
	case "defineProperty":
		if key, ok := arg(1).Text(); ok && arg(0).Kind == TRef {
			v := e.load(st, arg(2), "value", site)
			if code := codeOf(e.load(st, arg(2), "get", site)); len(code) == 1 {
				v = e.intern(Term{Kind: TOp, Name: "getter", Args: code})
			}
			e.store(c.a, st, arg(0), key, v)
		}
		return one(st, arg(0)), true
	case "absolute":
		t := c.recv
		if len(c.args) > 0 {
			t = arg(0)
		}
		return one(st, e.unary(st, "abs", t)), true
	case "number", "boolean":
		if t := arg(0); t.Kind == TConst {
			if name == "boolean" {
				if y, known := e.truth(st, t); known {
					return one(st, e.boolean(y)), true
				}
			}
			if t.Const.Kind == model.Number {
				return one(st, t), true
			}
		}
		if name == "boolean" {
			return one(st, arg(0)), true // only its truth matters
		}
		return opaque(c.args...), true
	case "construct":
		n := *c
		n.args, n.rest = e.applied(st, c.args[min(1, len(c.args)):])
		n.recv, n.name, n.inner = nil, "", true
		return e.construct(&n, st, arg(0)), true
	case "assignMember":
		if key, ok := arg(1).Text(); !ok {
			e.storeComputed(c.a, st, arg(0), arg(1), arg(2))
		} else if !e.assigned(c.a, st, c.op, c.id, arg(0), key, arg(2)) {
			e.store(c.a, st, arg(0), key, arg(2))
		}
		return one(st, e.yes), true
	case "text":
		e.spelled(c.a, st, c.op, c.id, arg(0))
		if row.Primitive.Callback != "" {
			e.behindCallbacks(c, st, row, original)
		}
		return e.textOf(c, st, arg(0), opaque), true
	case "equal":
		if len(c.args) < 2 {
			return nil, false
		}
		e.recordComparison(c.a, arg(0), arg(1), c.op.Span, c.id)
		return one(st, e.compare(st, "==", arg(0), arg(1))), true
	case "stringify", "parse", "split", "test", "match":
		if name == "stringify" || name == "parse" {
			e.behindCallbacks(c, st, row, original)
		}
		if name == "stringify" {
			for _, obj := range e.objectsIn(st, arg(0), nil, 0) {
				for _, fn := range e.methodOf(st, obj, "toJSON") {
					e.behind(c.a, st, c.op, c.id, fn, obj, nil)
				}
				e.getters(c, st, obj)
			}
		}
		if name == "split" && c.recv != nil && len(c.args) == 1 {
			if parts := e.splitText(c.recv, textOr(arg(0))); parts != nil {
				return one(st, newArray(st, parts, nil)), true
			}
		}
		if name == "parse" {
			// what was encoded comes back
			t := arg(0)
			if t.Kind == TCall && t.Name == "stringify" && len(t.Args) > 1 {
				return one(st, t.Args[1]), true
			}
			if text, ok := t.Text(); ok {
				switch strings.TrimSpace(text) {
				case "{}": // what stands in for a record that is missing
					return one(st, e.intern(Term{Kind: TObject})), true
				case "null":
					return one(st, e.null), true
				}
			}
		}
		n := *c
		if name == "stringify" {
			n.name = name // by which decoding finds what was encoded
			n.args = slices.Clone(c.args)
			for i, t := range n.args {
				n.args[i] = e.plain(st, t, maxFreeze)
			}
		}
		call := e.makeCall(&n, st, callee, callee.Sym, []*model.Row{row}, false)
		return one(st, call.Result), true
	}
	return nil, false
}

// splitText gives the parts of a text between separators, nil where the text or the separator is not known. A hole in the text is taken to hold no
// separator: what is put between two of them is an id or a name far more often than several parts.
func (e *engine) splitText(text *Term, sep string) []*Term {
	pieces := []*Term{text}
	if text.Kind == TUnion {
		return e.splitEach(text.Args, sep)
	}
	if text.Kind == TConcat {
		pieces = text.Args
	} else if _, ok := text.Text(); !ok {
		return nil
	}
	if sep == "" {
		return nil
	}
	var parts, part []*Term
	for _, piece := range pieces {
		written, ok := piece.Text()
		if !ok {
			part = append(part, piece)
			continue
		}
		for i, words := range strings.Split(written, sep) {
			if i > 0 {
				parts, part = append(parts, e.concat(part)), nil
			}
			part = append(part, e.text(words))
		}
		if len(parts) > maxSplit {
			return nil
		}
	}
	if len(parts) == 0 && text.Kind == TConcat {
		return nil // all separators there are stand in the holes
	}
	return append(parts, e.concat(part))
}

// splitEach gives the parts that alternatives of a text have in common places, nil where they have not as many.
func (e *engine) splitEach(texts []*Term, sep string) []*Term {
	var parts []*Term
	for i, text := range texts {
		more := e.splitText(text, sep)
		if more == nil || i > 0 && len(more) != len(parts) {
			return nil
		}
		if i == 0 {
			parts = more
			continue
		}
		for j, part := range more {
			parts[j] = e.union(parts[j], part)
		}
	}
	return parts
}

// staticPrimitive are functions that name what they work on as an argument and give something new.
var staticPrimitive = map[string]bool{"keys": true, "values": true, "entries": true, "fromEntries": true, "assign": true, "freeze": true, "isArray": true,
	"from": true, "of": true, "all": true, "race": true, "resolve": true, "reject": true, "create": true, "error": true, "defineProperty": true, "number": true, "boolean": true,
	"stringify": true, "parse": true, "text": true, "match": true, "promise": true}

// newCollection makes a keyed collection: a map, a set, or headers.
func (e *engine) newCollection(c *callSite, st *state, callee, from *Term) []outcome {
	ref := e.ref(c.a, st, c.id, "map")
	obj := object{kind: mapObject}
	set := strings.HasSuffix(callee.Sym, "Set")
	if set {
		obj.class = e.yes
	}
	elems, keys, exact := e.elements(st, from)
	plain := e.builtinType(st, from) == "Object"
	for i, el := range elems {
		if set {
			if key, is := el.Text(); is {
				obj = *e.heap.with(&obj, key, el)
			} else {
				obj.rest = e.union(obj.rest, el)
			}
			continue
		}
		if plain && keys != nil {
			obj = *e.heap.with(&obj, textOr(keys[i]), el)
			continue
		}
		if pair, _, ok := e.elements(st, el); ok && len(pair) == 2 {
			if key, is := pair[0].Text(); is {
				obj = *e.heap.with(&obj, key, pair[1])
			} else {
				obj.rest = e.union(obj.rest, pair[1])
			}
		}
	}
	if !exact {
		obj.rest = e.union(obj.rest, e.elementOf(st, from, nil))
	}
	st.heap.set(ref, e.heap.intern(obj))
	return one(st, ref)
}

func textOr(t *Term) string {
	s, _ := t.Text()
	return s
}

// onlyText gives the text that a value is, or by default is where an option may give another one: the only constant among its alternatives.
func onlyText(t *Term) string {
	text, known := "", 0
	for _, alt := range t.Alternatives() {
		if s, ok := alt.Text(); ok && s != "" && s != text {
			text = s
			known++
		}
	}
	if known != 1 {
		return ""
	}
	return text
}

// placeIn is what a function over the elements of a collection is told beside an element: its number, or the name of a header.
func (e *engine) placeIn(of *Term, i int) *Term {
	if of != nil && of.HasInput() {
		if role, _ := e.inputRole(of); role == model.HeaderInput || role == model.ReplyInput {
			return e.intern(Term{Kind: TElement, Name: "key", Args: []*Term{of}})
		}
	}
	return e.number(strconv.Itoa(i))
}

// iterateWith calls a function for the elements of a sequence and gathers what the method gives.
func (e *engine) iterateWith(c *callSite, st *state, name string, fn *Term, newArray func(*state, []*Term, *Term) *Term) []outcome {
	site := e.site(c.a.fn, c.id)
	elems, _, exact := e.elements(st, c.recv)
	if name != "some" && name != "every" {
		elems, _, exact = e.listed(st, c.recv)
	}
	if c.recv != nil && c.recv.Kind == TRef {
		if obj := e.contents(st, c.recv); obj != nil && obj.kind == mapObject && name == "each" {
			elems = obj.vals
		}
	}
	var left []*Term // known one by one, but too many to be taken so
	if exact && len(elems) > maxUnroll {
		left, elems = elems[maxUnroll:], elems[:maxUnroll]
	}
	made := e.registeredSoFar()
	var tail *Term
	if !exact {
		tail = e.elementOf(st, c.recv, site)
		if len(elems) > 0 && c.recv.Kind == TRef {
			if obj := e.contents(st, c.recv); obj != nil && obj.rest != nil {
				tail = obj.rest
			}
		}
	}
	type way struct {
		st  *state
		acc []*Term
		res *Term
		mis int32 // so many of acc may be missing
	}
	ways := []way{{st: st}}
	if name == "reduce" {
		ways[0].res = e.undefined
		if len(c.args) > 1 {
			ways[0].res = c.args[1]
		}
	}
	var thrown []outcome
	var done []outcome
	visit := func(el *Term, i int, certain bool) {
		var next []way
		for _, w := range ways {
			prev, had := w.st.cur.of(c.id)
			w.st.cur.set(c.id, element{next: i + 1})
			args := []*Term{el, e.placeIn(c.recv, i), c.recv}
			if name == "reduce" {
				args = []*Term{w.res, el, e.number(strconv.Itoa(i)), c.recv}
			}
			for _, o := range e.joinOutcomes(c.a, e.apply(c.a, w.st, fn, nil, args, nil, c.op, c.id)) {
				if had {
					o.st.cur.set(c.id, prev)
				} else {
					o.st.cur.drop(c.id)
				}
				if o.throws {
					thrown = append(thrown, o)
					continue
				}
				n := way{st: o.st, acc: append([]*Term(nil), w.acc...), res: w.res, mis: w.mis}
				switch name {
				case "map":
					n.acc = append(n.acc, o.value)
				case "flatMap":
					inner, _, ex := e.elements(o.st, o.value)
					if ex {
						n.acc = append(n.acc, inner...)
					} else {
						n.acc = append(n.acc, e.elementOf(o.st, o.value, site))
					}
				case "filter":
					yes, known := e.truth(o.st, o.value)
					if !known || yes {
						n.acc = append(n.acc, el)
					}
					if !known {
						n.mis++
					}
				case "find", "some", "every":
					yes, known := e.truth(o.st, o.value)
					switch {
					case known && yes && name == "find":
						done = append(done, outcome{st: o.st, value: e.union(append(n.acc, el)...)})
						continue
					case known && yes && name == "some":
						done = append(done, outcome{st: o.st, value: e.yes})
						continue
					case known && !yes && name == "every":
						done = append(done, outcome{st: o.st, value: e.no})
						continue
					case !known:
						n.acc = append(n.acc, el)
						n.res = o.value
					}
				case "reduce":
					n.res = o.value
				}
				next = append(next, n)
			}
		}
		// keep the ways apart only where something of interest does
		var joined []way
		for _, w := range next {
			merged := false
			for i := range joined {
				j := &joined[i]
				if e.alike(j.st, w.st) && len(j.acc) == len(w.acc) {
					e.mergeInto(c.a, j.st, w.st)
					for k := range j.acc {
						j.acc[k] = e.union(j.acc[k], w.acc[k])
					}
					j.mis = max(j.mis, w.mis)
					if j.res != nil && w.res != nil {
						j.res = e.union(j.res, w.res)
					} else if w.res != nil {
						j.res = w.res
					}
					merged = true
					break
				}
			}
			if !merged {
				joined = append(joined, w)
			}
		}
		if len(joined) > maxPaths {
			for len(joined) > 1 {
				last := joined[len(joined)-1]
				joined = joined[:len(joined)-1]
				e.mergeInto(c.a, joined[0].st, last.st)
				if len(last.acc) > len(joined[0].acc) {
					joined[0].acc = last.acc
				}
				joined[0].mis = max(joined[0].mis, last.mis)
			}
		}
		ways = joined
	}
	for i, el := range elems {
		visit(el, i, true)
	}
	if len(left) > 0 && !e.leftOut(c.a.fn, c.id, len(elems)+len(left), made) {
		tail = e.bigUnion(left)
	}
	if tail != nil {
		// the elements that are not known one by one: none or some
		skipped := make([]way, len(ways))
		for i := range ways {
			skipped[i] = way{st: ways[i].st.fork(c.a.base), acc: ways[i].acc, res: ways[i].res, mis: ways[i].mis}
		}
		visit(tail, len(elems), false)
		for _, s := range skipped {
			merged := false
			for i := range ways {
				if e.alike(ways[i].st, s.st) {
					e.mergeInto(c.a, ways[i].st, s.st)
					merged = true
					break
				}
			}
			if !merged {
				ways = append(ways, s)
			}
		}
	}
	out := append(thrown, done...)
	for _, w := range ways {
		var v *Term
		switch name {
		case "each":
			v = e.undefined
		case "map", "filter", "flatMap":
			known := len(w.acc)
			var rest *Term
			if tail != nil {
				if known > 0 && len(w.acc) > len(elems) {
					rest = w.acc[known-1]
					w.acc = w.acc[:known-1]
				} else if name == "filter" {
					rest = tail
				}
				if rest == nil {
					rest = e.union(append([]*Term{e.unknown("element", site)}, w.acc...)...)
				}
			}
			// elements that a condition we cannot decide may drop are kept: a table filtered by a setting
			v = newArray(w.st, w.acc, rest)
			if name == "map" {
				w.mis = int32(len(elems) - e.surelyHas(w.st, c.recv, len(elems)))
			}
			e.mayLack(w.st, v, w.mis)
		case "find":
			alts := append([]*Term(nil), w.acc...)
			v = e.bigUnion(append(alts, e.undefined))
			if len(alts) == 0 {
				v = e.undefined
			}
		case "some", "every":
			if len(w.acc) > 0 {
				v = e.intern(Term{Kind: TOp, Name: name, Args: []*Term{e.freeze(w.st, orUnknown(e, c.recv), 2), orUnknown(e, w.res)}})
			} else {
				v = e.boolean(name == "every")
			}
		case "reduce":
			v = w.res
		}
		out = append(out, outcome{st: w.st, value: v})
	}
	return e.joinOutcomes(c.a, out)
}

// mayLack notes that some elements of a new array may be missing.
func (e *engine) mayLack(st *state, ref *Term, n int32) {
	if obj := e.contents(st, ref); n > 0 && obj != nil && obj.kind == arrayObject {
		with := *obj
		with.lacks = min(n, int32(len(obj.elems)))
		st.heap.set(ref, e.heap.intern(with))
	}
}

func orUnknown(e *engine, t *Term) *Term {
	if t == nil {
		return e.unknown("value", nil)
	}
	return t
}

func (e *engine) mutateArray(st *state, recv *Term, change func(*object), result *Term) ([]outcome, bool) {
	if recv == nil {
		return nil, false
	}
	did := false
	for _, r := range recv.Alternatives() {
		if r.Kind != TRef {
			continue
		}
		obj := e.contents(st, r)
		if obj == nil || obj.kind != arrayObject {
			continue
		}
		n := *obj
		change(&n)
		if len(n.elems) > 8*maxUnroll {
			n.rest = e.union(append(n.elems[maxUnroll:], n.rest)...)
			n.elems = n.elems[:maxUnroll]
		}
		st.heap.set(r, e.heap.intern(n))
		did = true
	}
	return one(st, result), did
}

// includes decides membership where both sides are known, and otherwise keeps it as a condition.
func (e *engine) includes(c *callSite, st *state, name string, what *Term, opaque func(...*Term) []outcome) []outcome {
	elems, _, exact := e.elements(st, c.recv)
	if exact && name == "includes" {
		all := true
		for _, el := range elems {
			same, known := sameValue(el, what)
			if known && same {
				return one(st, e.yes)
			}
			all = all && known
		}
		if all {
			return one(st, e.no)
		}
	}
	if c.recv == nil {
		return opaque(what)
	}
	return one(st, e.intern(Term{Kind: TOp, Name: name, Args: []*Term{e.freeze(st, c.recv, maxFreeze), e.freeze(st, what, maxFreeze)}}))
}

// listMembers gives Object.keys, values and entries.
func (e *engine) listMembers(c *callSite, st *state, name string, target *Term, newArray func(*state, []*Term, *Term) *Term, opaque func(...*Term) []outcome) []outcome {
	if target.Kind == TModule {
		if u := e.p.byPath[target.Name]; u != nil {
			obj := object{}
			for _, x := range u.Exports {
				if x.Name != "*" {
					obj.keys = append(obj.keys, x.Name)
					obj.vals = append(obj.vals, e.exported(target.Name, x.Name))
				}
			}
			ref := e.ref(c.a, st, c.id, "module")
			st.heap.set(ref, e.heap.intern(obj))
			target = ref
		}
	}
	if target.Kind != TRef {
		return opaque(target)
	}
	obj := e.contents(st, target)
	if obj == nil {
		return opaque(target)
	}
	keys, vals := obj.keys, obj.vals
	if obj.kind == arrayObject {
		keys = nil
		vals = obj.elems
		for i := range vals {
			keys = append(keys, strconv.Itoa(i))
		}
	}
	var elems []*Term
	missing := int32(0)
	if obj.kind == arrayObject {
		missing = obj.lacks
	}
	for i := range keys {
		if obj.kind == plainObject && slices.Contains(vals[i].Alternatives(), e.undefined) {
			missing++ // a field that only some paths set
		}
		switch name {
		case "keys":
			elems = append(elems, e.text(keys[i]))
		case "values":
			elems = append(elems, vals[i])
		default:
			pair := e.tuple(e.text(keys[i]), vals[i])
			elems = append(elems, pair)
		}
	}
	var rest *Term
	if obj.rest != nil || obj.base != nil {
		some := obj.rest
		if obj.base != nil {
			some = e.union(some, e.intern(Term{Kind: TElement, Name: "value", Args: []*Term{obj.base}}))
		}
		key := e.intern(Term{Kind: TElement, Name: "key", Args: []*Term{e.freeze(st, target, 2)}})
		switch name {
		case "keys":
			rest = key
		case "values":
			rest = some
		default:
			rest = e.tuple(key, some)
		}
	}
	made := newArray(st, elems, rest)
	e.mayLack(st, made, missing)
	return one(st, made)
}

// heldMember is where a box keeps what it holds: no member of a program has such a name.
const heldMember = "#held"

// mapAccess evaluates the methods of Map, Set and objects like them.
func (e *engine) mapAccess(c *callSite, st *state, name string, arg func(int) *Term, opaque func(...*Term) []outcome) ([]outcome, bool) {
	if c.recv == nil || c.recv.Kind != TRef {
		return nil, false
	}
	obj := e.contents(st, c.recv)
	if obj != nil && obj.kind == plainObject && name == "has" {
		if member := e.memberOf(st, c.recv, arg(0)); member != nil {
			return one(st, member), true
		}
	}
	if obj == nil || obj.kind != mapObject {
		return nil, false
	}
	key, constant := arg(0).Text()
	if name == "get" || name == "has" {
		e.askedByKey(st, c.recv, arg(0))
	}
	switch name {
	case "get":
		if constant {
			if v := obj.get(key); v != nil {
				return one(st, v), true
			}
			if obj.rest == nil && !e.longLived(st, c.recv) {
				return one(st, e.undefined), true
			}
			if obj.rest != nil {
				return one(st, e.union(obj.rest, e.undefined)), true
			}
			return opaque(arg(0)), true
		}
		alts := append([]*Term(nil), obj.vals...)
		if obj.rest != nil {
			alts = append(alts, obj.rest)
		}
		if len(alts) > 0 {
			return one(st, e.bigUnion(append(alts, e.undefined))), true
		}
		return opaque(arg(0)), true
	case "has":
		if constant {
			if obj.get(key) != nil {
				return one(st, e.yes), true
			}
		} else if member := e.memberOf(st, c.recv, arg(0)); member != nil {
			return one(st, member), true
		}
		return opaque(arg(0)), true
	case "set":
		val := arg(1)
		if obj.class == e.yes {
			val = arg(0)
		}
		n := *obj
		if constant {
			st.heap.set(c.recv, e.heap.with(&n, key, val))
		} else {
			n.rest = e.union(n.rest, val)
			st.heap.set(c.recv, e.heap.intern(n))
		}
		return one(st, c.recv), true
	case "remove":
		if constant {
			st.heap.set(c.recv, e.heap.without(obj, key))
		}
		return opaque(arg(0)), true
	case "clear":
		return one(st, e.undefined), true
	}
	return nil, false
}

// then runs the continuation on the value of a promise.
func (e *engine) then(c *callSite, st *state, ok, failed *Term) []outcome {
	var out []outcome
	if failed.Kind == TClosure {
		side := st.fork(c.a.base)
		caught := e.intern(Term{Kind: TCatch, Args: []*Term{orUndefined(e, c.recv)}, Site: e.site(c.a.fn, c.id)})
		out = append(out, e.apply(c.a, side, failed, nil, []*Term{caught}, nil, c.op, c.id)...)
	}
	if ok.IsNullish() {
		out = append(out, outcome{st: st, value: orUndefined(e, c.recv)})
	} else {
		out = append(out, e.apply(c.a, st, ok, nil, []*Term{orUndefined(e, c.recv)}, nil, c.op, c.id)...)
	}
	return e.joinOutcomes(c.a, out)
}

func orUndefined(e *engine, t *Term) *Term {
	if t == nil {
		return e.undefined
	}
	return t
}

// catch runs the handler of a promise's failure as one of two ways.
func (e *engine) catch(c *callSite, st *state, handler *Term) []outcome {
	side := st.fork(c.a.base)
	recv := orUndefined(e, c.recv)
	caught := e.intern(Term{Kind: TCatch, Args: []*Term{recv}, Site: e.site(c.a.fn, c.id)})
	if call := e.calls[recv]; call != nil {
		e.calls[caught] = call
		side.facts = pushFact(side.facts, fact{call: call, failed: true})
	}
	out := e.apply(c.a, side, handler, nil, []*Term{caught}, nil, c.op, c.id)
	out = append(out, outcome{st: st, value: recv})
	return e.joinOutcomes(c.a, out)
}

// newPromise runs the executor of `new Promise((resolve, reject) => …)`; what it hands to resolve is the value.
func (e *engine) newPromise(c *callSite, st *state, executor *Term) []outcome {
	cell := e.ref(c.a, st, c.id, "cell")
	st.heap.set(cell, e.heap.intern(object{kind: cellObject, keys: []string{""}, vals: []*Term{e.undefined}}))
	resolve := e.intern(Term{Kind: TOp, Name: "resolve", Args: []*Term{cell}})
	reject := e.intern(Term{Kind: TOp, Name: "reject", Args: []*Term{cell}})
	var out []outcome
	for _, o := range e.apply(c.a, st, executor, nil, []*Term{resolve, reject}, nil, c.op, c.id) {
		if !o.throws {
			v := e.loadCell(o.st, cell)
			if v.IsNullish() {
				v = e.unknown("promise", e.site(c.a.fn, c.id))
			}
			o.value = v
		}
		out = append(out, o)
	}
	return e.joinOutcomes(c.a, out)
}

// textOf gives the text of a value.
func (e *engine) textOf(c *callSite, st *state, arg *Term, opaque func(...*Term) []outcome) []outcome {
	of := arg
	method := ""
	if c.recv != nil && c.recv.Kind != TSymbol {
		of, method = c.recv, c.name
	}
	if s, ok := of.Text(); ok {
		switch method {
		case "", "toString":
			return one(st, e.text(s))
		case "trim":
			return one(st, e.text(strings.TrimSpace(s)))
		case "toLowerCase":
			return one(st, e.text(strings.ToLower(s)))
		case "toUpperCase":
			return one(st, e.text(strings.ToUpper(s)))
		case "replace", "replaceAll":
			if out, ok := e.rewrite(s, method, c.args); ok {
				return one(st, e.text(out))
			}
		}
	}
	if method == "" && of.Kind == TConcat {
		return one(st, of)
	}
	return opaque(c.args...)
}

// boundMethod handles f.call(this, …), f.apply(this, args) and f.bind(this, …) on functions of the program.
func (e *engine) boundMethod(c *callSite, st *state) ([]outcome, bool) {
	fn := c.recv
	if fn == nil || c.name != "call" && c.name != "apply" && c.name != "bind" {
		return nil, false
	}
	if fn.Kind != TClosure {
		return e.boundForeign(c, st)
	}
	var this *Term
	if len(c.args) > 0 && !c.args[0].IsNullish() {
		this = c.args[0]
	}
	switch c.name {
	case "call":
		n := *c
		n.recv, n.name = nil, ""
		n.args = c.args[min(1, len(c.args)):]
		return e.dispatch(&n, st, e.bound(fn, this)), true
	case "apply":
		n := *c
		n.recv, n.name = nil, ""
		n.args, n.rest = e.applied(st, c.args)
		return e.dispatch(&n, st, e.bound(fn, this)), true
	case "bind":
		f := e.bound(fn, this)
		if len(c.args) > 1 {
			f = e.intern(Term{Kind: TOp, Name: "partial", Args: append([]*Term{f}, c.args[1:]...)})
		}
		return one(st, f), true
	}
	return nil, false
}

// boundForeign handles call, apply and bind on a member of a library: it stays that member, of the receiver that it is given.
func (e *engine) boundForeign(c *callSite, st *state) ([]outcome, bool) {
	fn := c.recv
	if fn.Kind == TOp && (fn.Name == "bound" || fn.Name == "partial") {
		// it has its receiver already
		n := *c
		n.recv, n.name, n.rest = nil, "", nil
		n.args = c.args[min(1, len(c.args)):]
		if c.name == "apply" {
			n.args, n.rest = e.applied(st, c.args)
		} else if c.name == "bind" {
			if len(n.args) == 0 {
				return one(st, fn), true
			}
			return one(st, e.intern(Term{Kind: TOp, Name: "partial", Args: append([]*Term{fn}, n.args...)})), true
		}
		return e.dispatch(&n, st, fn), true
	}
	if fn.Kind != TMember && fn.Kind != TSymbol || fn.Sym == "" || !e.acts(fn.Sym) && (fn.Kind != TMember || !e.acts("js#?."+fn.Name)) {
		return nil, false
	}
	recv := e.undefined
	if fn.Kind == TMember {
		recv = fn.Args[0]
	}
	if len(c.args) > 0 && !c.args[0].IsNullish() {
		recv = c.args[0]
	}
	n := *c
	n.recv, n.name, n.rest = recv, lastName(fn.Sym), nil
	n.args = c.args[min(1, len(c.args)):]
	switch c.name {
	case "apply":
		n.args, n.rest = e.applied(st, c.args)
	case "bind":
		return one(st, e.intern(Term{Kind: TOp, Name: "bound", Args: append([]*Term{fn, recv}, n.args...)})), true
	}
	if recv == e.undefined {
		n.recv, n.name = nil, ""
	}
	return e.dispatch(&n, st, fn), true
}

// acts reports whether a call of a symbol may be more than a look at something: it changes, keeps, checks or registers.
func (e *engine) acts(sym string) bool {
	for _, r := range e.rowsOf(sym) {
		if r.Effect != nil || r.Record != nil || r.Query != nil || r.Check != nil || r.Tool != nil || r.Route != nil {
			return true
		}
	}
	return false
}

// applied spreads the arguments of f.apply(this, args).
func (e *engine) applied(st *state, given []*Term) (args []*Term, rest *Term) {
	if len(given) < 2 {
		return nil, nil
	}
	elems, _, exact := e.elements(st, given[1])
	if !exact {
		rest = e.elementOf(st, given[1], nil)
	}
	return slices.Clone(elems), rest
}

// invokeReflected calls a function of the program with the elements of a list, and gives the list of its results.
func (e *engine) invokeReflected(c *callSite, st *state) ([]outcome, bool) {
	if c.recv == nil || len(c.args) == 0 || slices.ContainsFunc(c.recv.Alternatives(), func(f *Term) bool { return !e.isFunction(f) && !f.IsNullish() }) {
		return nil, false
	}
	n := *c
	n.recv, n.name = nil, ""
	n.args, n.rest = e.applied(st, []*Term{e.undefined, c.args[0]})
	outs := e.dispatch(&n, st, c.recv)
	for i, o := range outs {
		if o.throws || e.builtinType(o.st, o.value) == "Array" {
			continue
		}
		ref := e.ref(c.a, o.st, c.id, "array")
		o.st.heap.set(ref, e.heap.intern(object{kind: arrayObject, elems: []*Term{o.value}}))
		outs[i].value = ref
	}
	return outs, true
}

func (e *engine) bound(fn, this *Term) *Term {
	if this == nil || fn.This != nil || !fn.Fn.This {
		return fn
	}
	return e.intern(Term{Kind: TClosure, Fn: fn.Fn, Args: fn.Args, This: this})
}
