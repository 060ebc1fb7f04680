package flow

import (
	"slices"
	"strconv"
	"strings"

	"github.com/retrysafe/retrysafe/analyzers/model"
)

func itoa(n int) string { return strconv.Itoa(n) }

// outcome is one way in which an operation ends.
type outcome struct {
	st     *state
	value  *Term
	throws bool
}

func one(st *state, v *Term) []outcome { return []outcome{{st: st, value: v}} }

// value gives the value of an operation in a state.
func (e *engine) value(st *state, id model.ID) *Term {
	if id < 0 || int(id) >= chunkSize*len(st.env.chunks) {
		return e.undefined
	}
	if v := st.env.get(id); v != nil {
		return v
	}
	return e.undefined
}

// exec evaluates one operation: it gives its value where it ends in one way, and its outcomes where it may end in several or in none.
func (e *engine) exec(a *activation, st *state, op *model.Op, id model.ID, block *model.Block) (*Term, []outcome) {
	switch op.Kind {
	case model.Load:
		return e.execLoad(a, st, op, id)
	case model.Class:
		return nil, e.execClass(a, st, op, id)
	case model.Call:
		return nil, e.execCall(a, st, op, id, block)
	case model.Spawn:
		e.spawning++
		out := e.execCall(a, st, op, id, block)
		e.spawning--
		if len(out) == 0 {
			return e.undefined, nil // it may never end, or end the process later
		}
		return nil, out
	}
	return e.eval(a, st, op, id), nil
}

// eval gives the value of an operation that runs no function and ends in one way.
func (e *engine) eval(a *activation, st *state, op *model.Op, id model.ID) *Term {
	fn := a.fn
	arg := func(i int) *Term {
		if i >= len(op.Args) {
			return e.undefined
		}
		return e.value(st, op.Args[i])
	}
	switch op.Kind {
	case model.Constant, model.Module, model.External:
		return e.fixed(fn, op, id)
	case model.Parameter:
		return e.parameter(a, st, int(op.Ref), id)
	case model.This:
		return e.receiver(a)
	case model.FreeVar:
		if int(op.Ref) < len(a.bindings) && a.bindings[op.Ref] != nil {
			return a.bindings[op.Ref]
		}
		name := ""
		if int(op.Ref) < len(fn.FreeVars) {
			name = fn.FreeVars[op.Ref]
		}
		if name == "this" {
			return e.receiver(a)
		}
		return e.typedUnknown(name, "?#"+name, nil, e.site(fn, id))
	case model.FuncRef:
		f := e.fixed(fn, op, id)
		if len(op.Args) > 0 && f.Kind == TClosure {
			f = e.intern(Term{Kind: TClosure, Fn: f.Fn, This: arg(0)})
		}
		return f
	case model.Catch:
		if st.caught != nil {
			return st.caught
		}
		return e.intern(Term{Kind: TCatch, Site: e.site(fn, id)})
	case model.Alloc:
		ref := e.ref(a, st, id, "cell")
		st.heap.set(ref, e.heap.intern(object{kind: cellObject, keys: []string{""}, vals: []*Term{e.undefined}}))
		return ref
	case model.Store:
		target := arg(0)
		val := arg(1)
		if op.Name == "" && len(op.Args) > 2 {
			e.storeComputed(a, st, target, arg(2), val)
			e.keyedOp(a, st, op, id, keyedSet, op.Args[0], arg(2), val)
			e.putInto(&callSite{a: a, op: op, id: id}, st, target, "")
			e.noteAssigned(a, st, op, id, target, arg(2), val)
		} else {
			if !e.assigned(a, st, op, id, target, op.Name, val) {
				e.store(a, st, target, op.Name, val)
			}
			e.patch(a, st, target, val, op, id)
			if op.Name != "" {
				e.noteAssigned(a, st, op, id, target, e.text(op.Name), val)
			}
		}
		return val
	case model.Delete:
		key := e.text(op.Name)
		if op.Name == "" {
			key = arg(1)
		}
		e.trapped(a, st, op, id, arg(0), "deleteProperty", key)
		e.remove(st, arg(0), op.Name)
		if op.Name == "" && len(op.Args) > 1 {
			e.keyedOp(a, st, op, id, keyedDelete, op.Args[0], arg(1))
		}
		return e.yes
	case model.LoadGlobal:
		return e.loadGlobal(fn.Unit, op)
	case model.StoreGlobal:
		e.storeGlobal(fn, op, arg(0))
		return arg(0)
	case model.Object:
		return e.object(a, st, op, id)
	case model.Array:
		return e.array(a, st, op, id)
	case model.Concat:
		parts := make([]*Term, len(op.Args))
		for i := range op.Args {
			e.spelled(a, st, op, id, arg(i))
			parts[i] = e.asText(st, arg(i))
		}
		return e.joined(e.concat(parts), fn, id)
	case model.Binary:
		e.spelled(a, st, op, id, arg(0))
		e.spelled(a, st, op, id, arg(1))
		return e.joined(e.binary(op.Name, arg(0), arg(1)), fn, id)
	case model.Compare:
		if e.probe != nil {
			e.askedByCompare(st, op, arg(0), arg(1))
		}
		if e.pending(a, st, op.Args[0]) && arg(1).Kind == TConst || e.pending(a, st, op.Args[1]) && arg(0).Kind == TConst {
			return e.boolean(op.Name[0] == '!')
		}
		switch op.Name {
		case "==", "!=", "===", "!==":
			e.recordComparison(a, arg(0), arg(1), op.Span, id)
		case "in":
			e.trapped(a, st, op, id, arg(1), "has", arg(0))
		case "<", "<=", ">", ">=":
			e.spelled(a, st, op, id, arg(0))
			e.spelled(a, st, op, id, arg(1))
			e.recordWindow(a, op.Name, arg(0), arg(1), op.Span, id)
		}
		if v := e.keyedIn(a, st, op, id); v != nil {
			return v
		}
		return e.compare(st, op.Name, arg(0), arg(1))
	case model.Unary:
		if op.Name == "!" && e.pending(a, st, op.Args[0]) {
			return e.no
		}
		if op.Name != "!" && op.Name != "typeof" {
			e.spelled(a, st, op, id, arg(0))
		}
		return e.unary(st, op.Name, arg(0))
	case model.Convert:
		return e.asserted(e.refine(arg(0), op.Type, e.site(fn, id)), op.Type)
	case model.Await:
		return e.awaited(a, st, op, id, arg(0))
	case model.Yield:
		v := arg(0)
		a.yields = e.union(a.yields, v)
		return v
	case model.Element:
		cur, ok := st.cur.of(op.Args[0])
		if !ok {
			seq := arg(0)
			if op.Name == "key" {
				return e.intern(Term{Kind: TElement, Name: "key", Args: []*Term{seq}})
			}
			return e.elementOf(st, seq, e.site(fn, id))
		}
		if op.Name == "key" {
			return cur.key
		}
		return cur.value
	case model.Closure:
		if int(op.Ref) >= len(fn.Unit.funcs) || op.Ref < 0 {
			break
		}
		bindings := make([]*Term, len(op.Args))
		for i := range op.Args {
			bindings[i] = arg(i)
		}
		return e.intern(Term{Kind: TClosure, Fn: fn.Unit.funcs[op.Ref], Args: bindings})
	case model.Defer:
		if !slices.Contains(st.deferred, id) {
			st.deferred = append(slices.Clip(st.deferred), id)
		}
		return e.undefined
	case model.DecoratorCall:
		return e.decorate(a, st, op, id)
	case model.Unknown:
		return e.typedUnknown(op.Name, "?#", nil, e.site(fn, id))
	}
	return e.unknown("operation", e.site(fn, id))
}

// fixed gives the value of an operation that is the same whenever it is evaluated.
func (e *engine) fixed(fn *Function, op *model.Op, id model.ID) *Term {
	if fn.fixed == nil {
		fn.fixed = make([]*Term, len(fn.Ops))
	}
	if t := fn.fixed[id]; t != nil {
		return t
	}
	var t *Term
	switch op.Kind {
	case model.Constant:
		t = e.constant(op.Const)
	case model.Module:
		t = e.intern(Term{Kind: TModule, Name: op.Name})
	case model.External:
		t = e.symbol(model.CanonicalPackage(op.Name) + "#")
	default:
		t = e.funcRef(fn.Unit, op)
	}
	fn.fixed[id] = t
	return t
}

// ref makes the reference for an allocation. Rounds of a loop over known elements allocate different objects.
func (e *engine) ref(a *activation, st *state, id model.ID, name string) *Term {
	ctx := a.ctx
	if len(st.cur) > 0 {
		sum := int64(0)
		for _, x := range st.cur {
			sum += int64(x.key)*1_000_003 + int64(x.val.next)
		}
		ctx = ctx<<20 ^ sum
	}
	return e.intern(Term{Kind: TRef, Name: name, Site: e.site(a.fn, id), ctx: ctx})
}

// parameter gives the value of a parameter.
func (e *engine) parameter(a *activation, st *state, i int, id model.ID) *Term {
	fn := a.fn
	if i >= len(fn.Params) {
		return e.undefined
	}
	p := &fn.Params[i]
	if p.Rest {
		ref := e.ref(a, st, id, "array")
		obj := object{kind: arrayObject, rest: a.rest}
		if i < len(a.args) {
			obj.elems = append(obj.elems, a.args[i:]...)
		}
		st.heap.set(ref, e.heap.intern(obj))
		return ref
	}
	if i < len(a.args) && a.args[i] != nil {
		return e.refineNamed(a.args[i], p.Type, p.Name, e.site(fn, id))
	}
	if a.rest != nil {
		return e.refineNamed(a.rest, p.Type, p.Name, e.site(fn, id))
	}
	return e.undefined
}

// symbolic gives the arguments with which a function is evaluated when nobody is seen to call it.
func (e *engine) symbolic(fn *Function) []*Term {
	args := make([]*Term, len(fn.Params))
	for i := range fn.Params {
		p := &fn.Params[i]
		site := e.site(fn, model.ID(-2-i))
		args[i] = e.ofType(p.Type, p.Name, site)
	}
	return args
}

// ofType gives a value of which only the declared type is known.
func (e *engine) ofType(typ *model.TypeRef, name string, site *Site) *Term {
	if typ == nil {
		return e.typedUnknown(name, "?#"+name, nil, site)
	}
	if typ.Literal != "" {
		return e.text(typ.Literal)
	}
	if sym := e.p.symbolOf(typ); sym != "" {
		return e.typedUnknown(name, sym, typ, site)
	}
	if t := e.p.declared(typ); t != nil && t.Kind == model.ClassType && !t.Abstract {
		return e.symbolicInstance(t)
	}
	return e.typedUnknown(name, "?#"+name, typ, site)
}

func (e *engine) refine(v *Term, typ *model.TypeRef, site *Site) *Term {
	return e.refineNamed(v, typ, "", site)
}

// refineNamed adds the evidence of a declared type to a value about which less is known.
func (e *engine) refineNamed(v *Term, typ *model.TypeRef, name string, site *Site) *Term {
	if typ == nil || v == nil {
		return v
	}
	weak := v.Sym == "" || strings.HasPrefix(v.Sym, "?#")
	switch v.Kind {
	case TUnknown, TMember, TIndex, TElement, TCall, TInput:
	default:
		return v
	}
	if !weak {
		return v
	}
	if sym := e.p.symbolOf(typ); sym != "" {
		if strings.HasPrefix(sym, "js#") && v.Kind == TInput {
			return v
		}
		return e.intern(Term{Kind: TCast, Args: []*Term{v}, Sym: sym})
	}
	if v.Kind == TInput {
		return v
	}
	if t := e.p.declared(typ); t != nil {
		if t.Kind == model.ClassType && !t.Abstract && v.Kind != TCall && !e.stored(v) {
			return e.symbolicInstance(t)
		}
		if v.Kind == TUnknown && v.Type == nil {
			return e.typedUnknown(v.Name, v.Sym, typ, site)
		}
		if v.Kind == TMember || v.Kind == TCall || v.Kind == TElement || v.Kind == TIndex {
			if v.Type == nil {
				v.Type = typ
			}
		}
		return v
	}
	if v.Type == nil && v.Kind == TUnknown && (len(typ.Members) > 0 || len(typ.Union) > 0) {
		return e.typedUnknown(v.Name, v.Sym, typ, site)
	}
	return v
}

// asserted notes that the program takes what a call outside it gave for a value of a type of its own, as it does with what a context holds.
// How that type is implemented is not known from the call.
func (e *engine) asserted(v *Term, typ *model.TypeRef) *Term {
	if v.Kind == TCall && v.Type == nil && strings.HasSuffix(v.Sym, "()") && e.p.declared(typ) != nil {
		v.Type = typ
	}
	return v
}

func (e *engine) receiver(a *activation) *Term {
	if a.this != nil {
		return a.this
	}
	if t := e.p.methodOwner(a.fn); t != nil {
		return e.symbolicInstance(t)
	}
	return e.typedUnknown("this", "?#this", nil, e.site(a.fn, -1))
}

func (e *engine) funcRef(u *Unit, op *model.Op) *Term {
	if op.Name != "" {
		if v := e.p.byPath[op.Name]; v != nil {
			u = v
		}
	}
	if op.Ref < 0 || int(op.Ref) >= len(u.funcs) {
		return e.unknown("function", nil)
	}
	return e.intern(Term{Kind: TClosure, Fn: u.funcs[op.Ref]})
}

// phis gives the Phi operations of a block their values, all at once, by the way that control came.
func (e *engine) phis(a *activation, st *state, block *model.Block, ids []model.ID) {
	if len(ids) == 0 {
		return
	}
	way := -1
	for i, p := range a.fn.predsOf(block) {
		if p == st.came {
			way = i
			break
		}
	}
	vals := make([]*Term, len(ids))
	for i, id := range ids {
		op := &a.fn.Ops[id]
		if way >= 0 && way < len(op.Args) {
			vals[i] = e.value(st, op.Args[way])
			continue
		}
		var alts []*Term
		for _, arg := range op.Args {
			if arg >= 0 && st.env.get(arg) != nil {
				alts = append(alts, st.env.get(arg))
			}
		}
		vals[i] = e.union(alts...)
	}
	for i, id := range ids {
		st.env.set(id, vals[i])
	}
}

// truth decides a condition from the value alone.
func (e *engine) truth(st *state, t *Term) (yes, known bool) {
	switch t.Kind {
	case TConst:
		switch t.Const.Kind {
		case model.Bool:
			return t.Const.Text == "true", true
		case model.Null, model.Undefined:
			return false, true
		case model.Number, model.BigInt:
			return t.Const.Text != "0" && t.Const.Text != "NaN", true
		case model.String:
			return t.Const.Text != "", true
		case model.Regexp:
			return true, true
		}
	case TRef, TClosure, TClass, TArray, TObject, TModule:
		return true, true
	case TConcat:
		for _, p := range t.Args {
			if text, ok := p.Text(); ok && text != "" {
				return true, true
			}
		}
	case TOp:
		if t.Name == "!" {
			y, k := e.truth(st, t.Args[0])
			return !y, k
		}
	case TUnion:
		first := true
		for _, alt := range t.Args {
			y, k := e.truth(st, alt)
			if !k || !first && y != yes {
				return false, false
			}
			yes, first = y, false
		}
		return yes, true
	}
	return false, false
}

func (e *engine) binary(name string, x, y *Term) *Term {
	if a, ok := x.Text(); ok {
		if b, ok := y.Text(); ok {
			if x.Const.Kind == model.Number && y.Const.Kind == model.Number {
				if v, ok := arithmetic(name, a, b); ok {
					return e.number(v)
				}
			} else if name == "+" {
				return e.text(a + b)
			}
		}
	}
	if name == "+" {
		if isText(x) || isText(y) {
			return e.concat([]*Term{x, y})
		}
	}
	return e.intern(Term{Kind: TOp, Name: name, Args: []*Term{x, y}})
}

func isText(t *Term) bool {
	return t.Kind == TConcat || t.Kind == TConst && t.Const.Kind == model.String || t.Sym == "js#String"
}

func arithmetic(op, a, b string) (string, bool) {
	x, err1 := strconv.ParseFloat(a, 64)
	y, err2 := strconv.ParseFloat(b, 64)
	if err1 != nil || err2 != nil {
		return "", false
	}
	var v float64
	switch op {
	case "+":
		v = x + y
	case "-":
		v = x - y
	case "*":
		v = x * y
	case "/":
		if y == 0 {
			return "", false
		}
		v = x / y
	case "**":
		v = 1
		if y < 0 || y > 64 || y != float64(int(y)) {
			return "", false
		}
		for range int(y) {
			v *= x
		}
	case "|":
		v = float64(int64(x) | int64(y))
	default:
		return "", false
	}
	return strconv.FormatFloat(v, 'f', -1, 64), true
}

func (e *engine) unary(st *state, name string, x *Term) *Term {
	switch name {
	case "!":
		if y, known := e.truth(st, x); known {
			return e.boolean(!y)
		}
		if x.Kind == TOp && x.Name == "!" {
			if inner := x.Args[0]; inner.Kind == TOp && (inner.Name == "==" || inner.Name == "!=") {
				return inner
			}
		}
		if x.Kind == TOp && x.Name == "==" {
			return e.intern(Term{Kind: TOp, Name: "!=", Args: x.Args})
		}
	case "-":
		if s, ok := x.Text(); ok && x.Const.Kind == model.Number {
			if strings.HasPrefix(s, "-") {
				return e.number(s[1:])
			}
			return e.number("-" + s)
		}
	case "+":
		if x.Kind == TConst && x.Const.Kind == model.Number {
			return x
		}
	case "void":
		return e.undefined
	case "typeof":
		if s := typeName(x); s != "" {
			return e.text(s)
		}
	}
	return e.intern(Term{Kind: TOp, Name: name, Args: []*Term{x}})
}

func typeName(x *Term) string {
	switch x.Kind {
	case TConst:
		switch x.Const.Kind {
		case model.String:
			return "string"
		case model.Number:
			return "number"
		case model.Bool:
			return "boolean"
		case model.Undefined:
			return "undefined"
		case model.Null, model.Regexp:
			return "object"
		case model.BigInt:
			return "bigint"
		}
	case TConcat:
		return "string"
	case TClosure, TClass:
		return "function"
	case TRef:
		if x.Name != "cell" {
			return "object"
		}
	case TObject, TArray:
		return "object"
	}
	return ""
}

// askedByCompare sees the names in `name === "x"` and `name in table`.
func (e *engine) askedByCompare(st *state, op *model.Op, x, y *Term) {
	if op.Name == "in" {
		e.askedByKey(st, y, x)
		return
	}
	if text, ok := y.Text(); ok {
		e.asked(x, text, op.Span)
	} else if text, ok := x.Text(); ok {
		e.asked(y, text, op.Span)
	}
}

// askedByKey sees the names in `table[name]`: the keys under which there are functions, or objects with some.
func (e *engine) askedByKey(st *state, table, key *Term) {
	if e.probe == nil || key != e.probe {
		return
	}
	for _, t := range table.Alternatives() {
		obj := e.contents(st, t)
		if obj == nil || obj.kind != plainObject && obj.kind != mapObject {
			continue
		}
		for i, k := range obj.keys {
			if !e.isCode(st, obj.vals[i], 0) {
				continue
			}
			var span model.Span
			for _, alt := range obj.vals[i].Alternatives() {
				if alt.Kind == TClosure {
					span = alt.Fn.Span
				} else if alt.Site != nil {
					span = alt.Site.Span
				}
			}
			e.asked(key, k, span)
		}
	}
}

func (e *engine) compare(st *state, name string, x, y *Term) *Term {
	switch name {
	case "==", "===", "!=", "!==":
		eq := name[0] == '='
		if x.IsNullish() && y.IsNullish() {
			return e.boolean((x.Const.Kind == y.Const.Kind || len(name) == len("==")) == eq)
		}
		if same, known := sameValue(x, y); known {
			return e.boolean(same == eq)
		}
		if e.filledText(x) {
			x, y = y, x
		}
		if e.filledText(y) {
			// what is missing never equals a hash
			if x = e.something(x); x == nil {
				return e.boolean(!eq)
			}
		}
		if x.Kind == TConst && y.Kind != TConst {
			x, y = y, x // constants stand on the right
		}
		op := "=="
		if !eq {
			op = "!="
		}
		return e.intern(Term{Kind: TOp, Name: op, Args: []*Term{x, y}})
	case "<", "<=", ">", ">=":
		if a, ok := x.Text(); ok && x.Const.Kind == model.Number {
			if b, ok := y.Text(); ok && y.Const.Kind == model.Number {
				fa, e1 := strconv.ParseFloat(a, 64)
				fb, e2 := strconv.ParseFloat(b, 64)
				if e1 == nil && e2 == nil {
					return e.boolean(name == "<" && fa < fb || name == "<=" && fa <= fb || name == ">" && fa > fb || name == ">=" && fa >= fb)
				}
			}
		}
	case "in":
		if key, ok := x.Text(); ok && y.Kind == TRef {
			if obj := e.contents(st, y); obj != nil {
				if obj.get(key) != nil {
					return e.yes
				}
				if obj.base == nil && obj.rest == nil && !obj.open && obj.kind == plainObject {
					return e.no
				}
			}
		}
		if member := e.memberOf(st, y, x); member != nil {
			return member
		}
	}
	return e.intern(Term{Kind: TOp, Name: name, Args: []*Term{x, y}})
}

// filledText reports whether a value is surely a text that is not empty: a hash, a serialised object, or a text with a constant part.
func (e *engine) filledText(t *Term) bool {
	switch t.Kind {
	case TConcat:
		yes, known := e.truth(e.bare, t)
		return known && yes
	case TCall:
		if t.Name == "stringify" && len(t.Args) > 1 {
			switch t.Args[1].Kind {
			case TObject, TArray, TRef, TConcat:
				return true
			}
		}
		if c := e.calls[t]; c != nil && c.OriginRow != nil && c.OriginRow.Origin != nil {
			spec := c.OriginRow.Origin
			switch spec.Kind {
			case "hash", "hmac", "uuid-name", "uuid-random", "uuid-time":
				return true
			}
			return spec.Digest
		}
	}
	return false
}

// isNothing reports whether a value is null, undefined or the empty text.
func isNothing(t *Term) bool {
	text, ok := t.Text()
	return t.IsNullish() || ok && text == "" && t.Const.Kind == model.String
}

// something gives a value without the alternatives that are nothing, nil where no other is left.
func (e *engine) something(t *Term) *Term {
	alts := t.Alternatives()
	keep := make([]*Term, 0, len(alts))
	for _, alt := range alts {
		if !isNothing(alt) {
			keep = append(keep, alt)
		}
	}
	switch len(keep) {
	case 0:
		return nil
	case len(alts):
		return t
	}
	return e.union(keep...)
}

// sameValue decides equality where both values are known well enough.
func sameValue(x, y *Term) (same, known bool) {
	solid := func(t *Term) bool {
		switch t.Kind {
		case TRef, TClosure, TClass, TObject, TArray, TModule:
			return true
		}
		return false
	}
	switch {
	case x.Kind == TConst && y.Kind == TConst:
		if x.IsNullish() && y.IsNullish() && x != y {
			return false, false // null == undefined depends on the operator
		}
		if x.Const.Kind != y.Const.Kind && !x.IsNullish() && !y.IsNullish() {
			return false, false
		}
		return x == y, true
	case x.IsNullish() && solid(y), y.IsNullish() && solid(x):
		return false, true
	case solid(x) && y.Kind == TConst, solid(y) && x.Kind == TConst:
		return false, true
	case x == y && solid(x):
		return true, true
	}
	if x.Kind == TUnion && y.Kind == TConst {
		// decided when every alternative agrees
		first := true
		for _, alt := range x.Args {
			s, k := sameValue(alt, y)
			if !k || !first && s != same {
				return false, false
			}
			same, first = s, false
		}
		return same, true
	}
	return false, false
}

// asText gives the text of a value inside a template.
func (e *engine) asText(st *state, t *Term) *Term {
	if t.Kind == TConst {
		return e.text(t.Const.Text)
	}
	if t.Kind == TRef {
		return e.freeze(st, t, maxFreeze)
	}
	return t
}
