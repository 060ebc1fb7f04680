package flow

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/retrysafe/retrysafe/analyzers/model"
)

// contents gives what a reference holds as seen on the path, or nil.
func (e *engine) contents(st *state, ref *Term) *object {
	if o := st.heap.get(ref); o != nil {
		return o
	}
	return e.outlasting(ref)
}

// execLoad reads a member, or calls the getter that it is.
func (e *engine) execLoad(a *activation, st *state, op *model.Op, id model.ID) (*Term, []outcome) {
	target := e.value(st, op.Args[0])
	if op.Flags&model.SuperMember != 0 {
		return e.superMember(a, target, op.Name), nil
	}
	name := op.Name
	if name == "" && len(op.Args) > 1 {
		key := e.value(st, op.Args[1])
		if text, ok := key.Text(); ok {
			name = text
		} else {
			e.askedByKey(st, target, key)
			if v := e.keyedLoad(a, st, op, id, key); v != nil {
				return v, nil
			}
			v := e.loadComputed(st, target, key, e.site(a.fn, id))
			return v, nil
		}
	}
	if name == "" {
		if hash := e.handMade(a, st, op, id); hash != nil {
			return hash, nil
		}
		return e.loadCell(st, target), nil
	}
	if trap, of := proxied(target, "get"); trap != nil {
		if v := e.behind(a, st, op, id, trap, nil, []*Term{of, e.text(name), target}); v != nil {
			return v, nil
		}
	} else if of != nil && of.Kind == TRef {
		target = of // nothing stands before the object
	}
	v := e.loadEncoded(st, target, a.fn, op, name, e.site(a.fn, id))
	if v.Kind == TOp && v.Name == "getter" {
		return nil, e.apply(a, st, v.Args[0], target, nil, nil, op, id)
	}
	e.recordRead(a, v, op.Span)
	if op.Type != nil {
		v = e.refine(e.ofChecked(v, op.Type), op.Type, e.site(a.fn, id))
	}
	return v, nil
}

// ofChecked takes the type of a place that the type checker knows for what a call outside the program gave and nobody describes:
// a constructor is called New, and the field that holds what it makes says what that is.
func (e *engine) ofChecked(v *Term, typ *model.TypeRef) *Term {
	if v.Kind == TUnion && typ.External != "" {
		alts := make([]*Term, len(v.Args))
		for i, alt := range v.Args {
			alts[i] = e.ofChecked(alt, typ)
		}
		return e.bigUnion(alts)
	}
	if typ.External == "" || v.Kind != TCall || !strings.HasSuffix(v.Sym, "()") {
		return v
	}
	pkg, _, _ := strings.Cut(v.Sym, "#")
	if pkg != model.CanonicalPackage(typ.External) {
		return v // of an interface of another package less is known than of what the call gives
	}
	return e.intern(Term{Kind: TCast, Args: []*Term{v}, Sym: e.p.symbolOf(typ)})
}

// recordRead notes that an input is read.
func (e *engine) recordRead(a *activation, v *Term, span model.Span) {
	if v.Kind != TMember && v.Kind != TCall {
		return
	}
	if inputRoot(v) == nil && !e.handedIn(v) {
		return
	}
	k := readKey{v, span}
	if a.reads[k] {
		return
	}
	a.reads[k] = true
	a.sum.reads = append(a.sum.reads, &Read{Term: v, Span: span, Fn: a.fn})
}

// readsByMethod reports whether what a call gives is a part of a request that a method of it hands out by name: `c.Get("X-Key")`.
func (e *engine) readsByMethod(v *Term) bool {
	if v.Kind != TCall || v.Name == "" || len(v.Args) < 2 || inputRoot(v.Args[0]) == nil {
		return false
	}
	role, name := e.roleOf(v, false)
	return name != "" && (role == model.HeaderInput || role == model.ArgumentsInput)
}

// inputRoot gives the input whose member t is, or nil.
func inputRoot(t *Term) *Term {
	for i := 0; t != nil && i < maxTermDepth; i++ {
		switch t.Kind {
		case TInput:
			return t
		case TMember, TCast, TIndex, TElement:
			t = t.Args[0]
		case TCall:
			if len(t.Args) == 0 {
				return nil
			}
			t = t.Args[0]
		default:
			return nil
		}
	}
	return nil
}

func (e *engine) loadCell(st *state, target *Term) *Term {
	if target.Kind == TUnion {
		var alts []*Term
		for _, t := range target.Args {
			alts = append(alts, e.loadCell(st, t))
		}
		return e.union(alts...)
	}
	if target.Kind != TRef {
		return target
	}
	obj := e.contents(st, target)
	if obj == nil {
		return e.typedUnknown("cell", "", nil, target.Site)
	}
	if v := obj.get(""); v != nil {
		return v
	}
	return e.undefined
}

// resultIndex reads the name under which a call's results are told apart, where a function has several: "#0", "#1".
func resultIndex(name string) (int, bool) {
	if len(name) == 2 && name[0] == '#' && name[1] >= '0' && name[1] <= '9' {
		return int(name[1] - '0'), true
	}
	return 0, false
}

// load reads the member name of a value. The first of several results of a call outside the program is what the call gives.
func (e *engine) load(st *state, target *Term, name string, site *Site) *Term {
	if i, ok := resultIndex(name); ok {
		switch target.Kind {
		case TUnion, TRef:
		case TArray:
			if i < len(target.Args) {
				return target.Args[i]
			}
		default:
			if i == 0 {
				return target
			}
		}
	}
	switch target.Kind {
	case TUnion:
		var alts []*Term
		for _, t := range target.Args {
			if t.IsNullish() {
				continue // reading it would throw: the path goes on with the others
			}
			alts = append(alts, e.load(st, t, name, site))
		}
		if len(alts) == 0 {
			return e.undefined
		}
		return e.union(alts...)
	case TConst:
		if target.IsNullish() {
			return e.undefined
		}
		if name == "length" && target.Const.Kind == model.String {
			return e.number(strconv.Itoa(len(target.Const.Text)))
		}
		return e.member(target, name)
	case TModule:
		return e.exported(target.Name, name)
	case TRef:
		return e.loadRef(st, target, name, site)
	case TClass:
		return e.loadStatic(st, target, name)
	case TObject:
		v, known := target.Field(name)
		if v != nil {
			return v
		}
		if known && target.Name == "" {
			return e.undefined
		}
		if base, _ := target.Field("..."); base != nil {
			return e.load(st, base, name, site)
		}
	case TArray:
		if name == "length" && target.Keys == nil {
			return e.number(strconv.Itoa(len(target.Args)))
		}
		if i, err := strconv.Atoi(name); err == nil && target.Keys == nil {
			if i >= 0 && i < len(target.Args) {
				return target.Args[i]
			}
			return e.undefined
		}
	case TClosure:
		if o := st.heap.get(target); o != nil {
			if v := o.get(name); v != nil {
				return v
			}
		}
		if o := e.outlasting(target); o != nil {
			if v := o.get(name); v != nil {
				return v
			}
		}
		if name == "name" {
			return e.text(lastName(target.Fn.Name))
		}
	case TUnknown, TMember, TCall, TElement, TIndex, TCast:
		if fn := e.patches[fieldOf{uncast(target), name}]; fn != nil {
			return fn
		}
		if target.Type != nil {
			if v := e.typedMember(target, name, site); v != nil {
				return v
			}
		}
		if target.Kind == TElement && target.Args[0].Kind == TUnion {
			break
		}
		if target.Kind == TCall {
			if h := e.handlerMember(target, name); h != nil {
				return h
			}
		}
	case TSymbol:
		// `default` of a CommonJS package imported as a namespace is the package itself, handled by patterns
	}
	return e.member(target, name)
}

func lastName(s string) string {
	if i := strings.LastIndexByte(s, '.'); i >= 0 {
		return s[i+1:]
	}
	return s
}

// typedMember uses the declared type of an opaque value.
func (e *engine) typedMember(target *Term, name string, site *Site) *Term {
	typ := target.Type
	if m := typ.Member(name); m != nil && m.Type != nil {
		return e.opaqueMember(target, name, m.Type)
	}
	for _, alt := range typ.Union {
		if m := alt.Member(name); m != nil && m.Type != nil {
			return e.opaqueMember(target, name, m.Type)
		}
	}
	t := e.p.declared(typ)
	if t == nil {
		return nil
	}
	m := e.p.memberOf(t, name, 0)
	if m == nil {
		if v := e.embeddedMember(target, t, name); v != nil {
			return v
		}
		if t.Underlying != nil {
			if u := t.Underlying.Member(name); u != nil && u.Type != nil {
				return e.opaqueMember(target, name, u.Type)
			}
			for _, alt := range t.Underlying.Union {
				if u := alt.Member(name); u != nil && u.Type != nil {
					return e.opaqueMember(target, name, u.Type)
				}
			}
		}
		return nil
	}
	if m.Kind == model.MethodMember {
		return nil // implementations are looked for where it is called
	}
	if m.Type != nil {
		return e.opaqueMember(target, name, m.Type)
	}
	return nil
}

// embeddedMember is a member that an interface of the program has from interfaces of packages that are not at hand.
func (e *engine) embeddedMember(target *Term, t *Type, name string) *Term {
	if t.Kind != model.InterfaceType {
		return nil
	}
	var alts []*Term
	for _, ref := range t.Extends {
		if sym := e.p.symbolOf(ref); sym != "" && ref.External != "" {
			alts = append(alts, e.intern(Term{Kind: TMember, Name: name, Args: []*Term{target}, Sym: joinSymbol(sym, name)}))
		}
	}
	if len(alts) == 0 {
		return nil
	}
	return e.union(alts...)
}

// opaqueMember is the member of an opaque value, with the evidence of its declared type.
func (e *engine) opaqueMember(target *Term, name string, typ *model.TypeRef) *Term {
	m := e.member(target, name)
	if sym := e.p.symbolOf(typ); sym != "" && (m.Sym == "" || strings.HasPrefix(m.Sym, "?#")) {
		return e.intern(Term{Kind: TCast, Args: []*Term{m}, Sym: sym})
	}
	if inputRoot(target) == nil && !e.stored(m) {
		if t := e.p.declared(typ); t != nil && t.Kind == model.ClassType && !t.Abstract {
			return e.symbolicInstance(t)
		}
	}
	if m.Type == nil {
		m.Type = typ
	}
	return m
}

// memberOf finds a member's declaration in a type or its bases.
func (p *Program) memberOf(t *Type, name string, depth int) *model.Member {
	if depth > 12 || t == nil {
		return nil
	}
	for i := range t.Members {
		if t.Members[i].Name == name && !t.Members[i].Static {
			return &t.Members[i]
		}
	}
	for _, ref := range t.Extends {
		if m := p.memberOf(p.declared(ref), name, depth+1); m != nil {
			return m
		}
	}
	return nil
}

func (e *engine) loadRef(st *state, target *Term, name string, site *Site) *Term {
	obj := e.contents(st, target)
	if obj == nil {
		return e.member(target, name)
	}
	if !e.entered && len(e.runs) > 0 && (obj.kind == arrayObject || obj.kind == mapObject) {
		e.looksInto(target, "", name)
	}
	if name == "constructor" && obj.class != nil && obj.class.Kind == TClass {
		return obj.class
	}
	if i, ok := resultIndex(name); ok {
		if obj.kind == arrayObject && i < len(obj.elems) && !obj.open {
			return obj.elems[i]
		}
		if i == 0 {
			return target
		}
	}
	if obj.kind == cellObject && name != "" {
		// a pointer to a variable: its members are those of what the variable holds
		return e.load(st, e.loadCell(st, target), name, site)
	}
	if v := obj.get(name); v != nil {
		if obj.kind == instanceObject && e.emptyish(v) {
			if w := e.fieldElsewhere(target, obj, name); w != nil {
				return w
			}
		}
		return v
	}
	switch obj.kind {
	case arrayObject:
		if name == "length" {
			if obj.rest == nil && !obj.open && obj.lacks == 0 {
				return e.number(strconv.Itoa(len(obj.elems)))
			}
			break
		}
		if i, err := strconv.Atoi(name); err == nil {
			if obj.open && i >= 0 {
				return e.union(e.elementOf(st, target, site), e.undefined)
			}
			if i >= obj.least() && i < len(obj.elems) {
				return e.union(e.bigUnion(obj.elems[i:]), orUndefined(e, obj.rest), e.undefined)
			}
			if i >= 0 && i < len(obj.elems) {
				return obj.elems[i]
			}
			if obj.rest != nil {
				return obj.rest
			}
			return e.undefined
		}
	case plainObject:
		if obj.base != nil {
			v := e.load(st, obj.base, name, site)
			if obj.rest != nil {
				v = e.union(v, obj.rest)
			}
			return v
		}
		if obj.rest != nil {
			return e.union(obj.rest, e.undefined)
		}
		if obj.class != nil && obj.class.Kind == TSymbol {
			return e.intern(Term{Kind: TMember, Name: name, Args: []*Term{target}, Sym: joinSymbol(obj.class.Sym, name)})
		}
		if !obj.open && !objectMethods[name] {
			return e.undefined
		}
	case instanceObject:
		if v := e.classMember(target, obj.class, name, 0); v != nil {
			return v
		}
		if obj.base != nil {
			return e.refine(e.load(st, obj.base, name, site), e.fieldType(obj.class, name), site)
		}
		if w := e.fieldElsewhere(target, obj, name); w != nil {
			return w
		}
		if v := e.promoted(st, obj, name, site); v != nil {
			return v
		}
		if sym := e.baseSymbol(obj.class); sym != "" {
			return e.intern(Term{Kind: TMember, Name: name, Args: []*Term{target}, Sym: joinSymbol(sym, name)})
		}
		if typ := e.fieldType(obj.class, name); typ != nil {
			if e.leftZero(target, obj, name) {
				return e.null
			}
			if typ.Name != model.FuncTypeName {
				return e.ofType(typ, name, site)
			}
		}
		return e.intern(Term{Kind: TMember, Name: name, Args: []*Term{target}, Sym: "?#" + name})
	}
	return e.member(target, name)
}

// leftZero reports whether a field of a struct in Go has the zero value, which is no value: the literal that made the struct leaves it out, nothing in the program
// assigns to a field of that name, and no other code was given the struct to fill it.
func (e *engine) leftZero(target *Term, obj *object, name string) bool {
	return target.Site != nil && !obj.open && obj.base == nil && obj.class.Decl.Unit.Language == model.Go && !e.p.assigned[name]
}

// promoted reads a member that a struct in Go has from one of those that it embeds, where it stands for an interface and the source does not spell
// out which. What is not at hand may have any member; the standard library has those that it has.
func (e *engine) promoted(st *state, obj *object, name string, site *Site) *Term {
	if obj.class == nil || obj.class.Decl == nil || obj.class.Decl.Unit.Language != model.Go {
		return nil
	}
	var open *Term
	for _, ref := range obj.class.Decl.Extends {
		v := obj.get(ref.Name)
		if v == nil || v.IsNullish() {
			continue
		}
		t := e.p.declared(ref)
		first, _, _ := strings.Cut(ref.External, "/")
		switch {
		case t != nil && e.p.memberOf(t, name, 0) != nil:
			return e.load(st, v, name, site)
		case open != nil:
		case t == nil && strings.Contains(first, "."), t != nil && slices.ContainsFunc(t.Extends, func(r *model.TypeRef) bool { return r.External != "" }):
			open = v
		}
	}
	if open == nil {
		return nil
	}
	return e.load(st, open, name, site)
}

// objectMethods are members of every object: their absence says nothing.
var objectMethods = map[string]bool{"hasOwnProperty": true, "toString": true, "valueOf": true, "constructor": true}

func (e *engine) emptyish(v *Term) bool { return v.IsNullish() }

// fieldType gives the declared type of a class's field.
func (e *engine) fieldType(class *Term, name string) *model.TypeRef {
	if class == nil || class.Decl == nil {
		return nil
	}
	if m := e.p.memberOf(class.Decl, name, 0); m != nil {
		return m.Type
	}
	return nil
}

// fieldElsewhere reads a field that the constructor leaves empty and another method fills: those methods are evaluated
// once, with unknown arguments.
func (e *engine) fieldElsewhere(target *Term, obj *object, name string) *Term {
	if obj.class == nil || obj.class.Decl == nil {
		return nil
	}
	found := false
	for t, depth := obj.class.Decl, 0; t != nil && depth < 8; depth++ {
		for _, s := range e.p.fieldStores[fieldKey{t, name}] {
			if s.fn.Index == t.Ctor || s.fn.Index == t.FieldInit {
				continue
			}
			found = true
			e.runGeneric(s.fn, target)
		}
		var base *Type
		for _, ref := range t.Extends {
			if b := e.p.declared(ref); b != nil && b.Kind == model.ClassType {
				base = b
				break
			}
		}
		t = base
	}
	if !found {
		return nil
	}
	if g := e.outlasting(target); g != nil {
		if v := g.get(name); v != nil && !v.IsNullish() {
			return v
		}
	}
	if typ := e.fieldType(obj.class, name); typ != nil {
		v := e.ofType(typ, name, nil)
		return v
	}
	return e.intern(Term{Kind: TMember, Name: name, Args: []*Term{target}, Sym: "?#" + name})
}

// runGeneric evaluates a function once with unknown arguments, for what it stores.
func (e *engine) runGeneric(fn *Function, this *Term) {
	for fn.Outer > 0 && fn.Outer <= len(fn.Unit.funcs) && !fn.This {
		fn = fn.Unit.funcs[fn.Outer-1]
	}
	if fn.Index == 0 {
		return
	}
	k := genericKey{fn, this}
	if e.generic[k] {
		return
	}
	e.generic[k] = true
	called := fn.called
	var base *overlay
	if !fn.This {
		this = nil
	}
	current := e.current
	e.current = nil
	s := e.invoke(fn, this, e.symbolic(fn), nil, nil, base)
	e.current = current
	fn.called = called
	e.commit(s)
}

// classMember finds a method or getter of a class along its bases.
func (e *engine) classMember(this, class *Term, name string, depth int) *Term {
	if class == nil || class.Decl == nil || depth > 12 {
		return nil
	}
	d := class.Decl
	for i := range d.Members {
		m := &d.Members[i]
		if m.Name != name || m.Static || m.Func == 0 || m.Func >= len(d.Unit.funcs) {
			continue
		}
		switch m.Kind {
		case model.MethodMember:
			return e.intern(Term{Kind: TClosure, Fn: d.Unit.funcs[m.Func], Args: class.captured(), This: this})
		case model.GetterMember:
			return e.intern(Term{Kind: TOp, Name: "getter", Args: []*Term{
				e.intern(Term{Kind: TClosure, Fn: d.Unit.funcs[m.Func], Args: class.captured(), This: this})}})
		}
	}
	return e.classMember(this, e.baseClass(class), name, depth+1)
}

// captured gives the values that a class's methods capture.
func (t *Term) captured() []*Term {
	if len(t.Args) > 1 {
		return t.Args[1:]
	}
	return nil
}

// baseClass gives the class value that a class extends, or nil where it is not of the program.
func (e *engine) baseClass(class *Term) *Term {
	if class == nil || len(class.Args) == 0 {
		return nil
	}
	for _, b := range class.Args[0].Alternatives() {
		if b.Kind == TClass {
			return b
		}
	}
	return nil
}

// baseSymbol gives the symbol of the external class at the root of a class's bases, or "".
func (e *engine) baseSymbol(class *Term) string {
	for depth := 0; class != nil && depth < 12; depth++ {
		if len(class.Args) == 0 {
			return ""
		}
		base := class.Args[0]
		if base.Kind != TClass {
			return base.Sym
		}
		class = base
	}
	return ""
}

func (e *engine) superMember(a *activation, this *Term, name string) *Term {
	t := e.p.methodOwner(a.fn)
	if t == nil {
		return e.unknown("super."+name, e.site(a.fn, -1))
	}
	class := e.classValue(t)
	if v := e.classMember(this, e.baseClass(class), name, 0); v != nil {
		if v.Kind == TOp {
			return v.Args[0]
		}
		return v
	}
	if sym := e.baseSymbol(class); sym != "" {
		return e.intern(Term{Kind: TMember, Name: name, Args: []*Term{this}, Sym: joinSymbol(sym, name)})
	}
	return e.unknown("super."+name, e.site(a.fn, -1))
}

func (e *engine) loadStatic(st *state, class *Term, name string) *Term {
	for c, depth := class, 0; c != nil && depth < 12; depth++ {
		if o := e.contents(st, c); o != nil {
			if v := o.get(name); v != nil {
				return v
			}
		}
		d := c.Decl
		for i := range d.Members {
			m := &d.Members[i]
			if m.Name != name || !m.Static || m.Func == 0 || m.Func >= len(d.Unit.funcs) {
				continue
			}
			fn := e.intern(Term{Kind: TClosure, Fn: d.Unit.funcs[m.Func], Args: c.captured(), This: class})
			if m.Kind == model.GetterMember {
				return e.intern(Term{Kind: TOp, Name: "getter", Args: []*Term{fn}})
			}
			return fn
		}
		c = e.baseClass(c)
	}
	if name == "name" {
		return e.text(class.Decl.Name)
	}
	if name == "prototype" {
		return class
	}
	if sym := e.baseSymbol(class); sym != "" {
		return e.intern(Term{Kind: TMember, Name: name, Args: []*Term{class}, Sym: joinSymbol(sym, name)})
	}
	if len(e.p.fieldStores[fieldKey{class.Decl, name}]) > 0 {
		for _, s := range e.p.fieldStores[fieldKey{class.Decl, name}] {
			e.runGeneric(s.fn, class)
		}
		if o := e.outlasting(class); o != nil {
			if v := o.get(name); v != nil {
				return v
			}
		}
	}
	return e.undefined
}

// loadComputed reads the member under a key that is not one constant.
func (e *engine) loadComputed(st *state, target, key *Term, site *Site) *Term {
	if key.Kind == TUnion {
		var alts []*Term
		for _, k := range key.Args {
			if text, ok := k.Text(); ok {
				alts = append(alts, e.load(st, target, text, site))
			} else {
				alts = append(alts, e.loadComputed(st, target, k, site))
			}
		}
		return e.union(alts...)
	}
	switch target.Kind {
	case TUnion:
		var alts []*Term
		for _, t := range target.Args {
			if !t.IsNullish() {
				alts = append(alts, e.loadComputed(st, t, key, site))
			}
		}
		return e.union(alts...)
	case TRef:
		obj := e.contents(st, target)
		if obj == nil {
			break
		}
		var alts []*Term
		alts = append(alts, obj.elems...)
		if obj.kind != instanceObject {
			alts = append(alts, obj.vals...)
		}
		if obj.rest != nil {
			alts = append(alts, obj.rest)
		}
		if obj.kind != arrayObject && flags(alts) {
			alts = append(alts, e.undefined) // a set of names does not hold each of them
		}
		if len(alts) > 0 && len(alts) <= 4*maxUnion {
			if obj.base != nil {
				alts = append(alts, e.intern(Term{Kind: TIndex, Args: []*Term{obj.base, key}}))
			}
			return e.bigUnion(alts)
		}
	case TModule:
		if u := e.p.byPath[target.Name]; u != nil {
			var alts []*Term
			for _, x := range u.Exports {
				if x.Name != "*" {
					alts = append(alts, e.exported(target.Name, x.Name))
				}
			}
			if len(alts) > 0 && len(alts) <= 4*maxUnion {
				return e.bigUnion(alts)
			}
		}
	case TObject, TArray:
		if len(target.Args) > 0 {
			return e.union(target.Args...)
		}
	}
	return e.intern(Term{Kind: TIndex, Args: []*Term{target, key}})
}

// flags reports that all values are true or false.
func flags(values []*Term) bool {
	for _, v := range values {
		if v.Kind != TConst || v.Const.Kind != model.Bool {
			return false
		}
	}
	return len(values) > 0
}

// bigUnion joins many alternatives; a table of handlers may hold more than a union usually does.
func (e *engine) bigUnion(alts []*Term) *Term {
	if len(alts) <= maxUnion {
		return e.union(alts...)
	}
	seen := map[*Term]bool{}
	var flat []*Term
	for _, t := range alts {
		for _, u := range t.Alternatives() {
			if !seen[u] {
				seen[u] = true
				flat = append(flat, u)
			}
		}
	}
	sortTerms(flat)
	if len(flat) == 1 {
		return flat[0]
	}
	return e.intern(Term{Kind: TUnion, Args: flat})
}

func sortTerms(ts []*Term) {
	slices.SortFunc(ts, func(a, b *Term) int { return cmp.Compare(a.id, b.id) })
}

// store writes a member.
func (e *engine) store(a *activation, st *state, target *Term, name string, val *Term) {
	switch target.Kind {
	case TUnion:
		for _, t := range target.Args {
			if t.Kind != TRef {
				continue
			}
			if obj := e.contents(st, t); obj != nil {
				old := obj.get(name)
				v := val
				if old != nil {
					v = e.union(old, val)
				}
				st.heap.set(t, e.heap.with(obj, name, v))
			}
		}
	case TCast:
		if target.Args[0].Kind == TCall {
			e.store(a, st, target.Args[0], name, val)
		}
	case TCall:
		if c := e.calls[target]; c != nil && c.RetryRow != nil {
			e.setOne(st, target, name, val) // how a client tries again is set on it
		}
		e.replaceMember(target, name, val)
	case TRef, TClass, TClosure:
		obj := e.contents(st, target)
		if obj == nil {
			made := object{kind: plainObject, open: target.Kind == TRef}
			switch {
			case target.Kind == TRef && target.Name == "cell":
				made.kind = cellObject
			case target.Kind == TRef && target.Decl != nil:
				// an instance whose making is not over here: its class is known all the same
				made.kind, made.class = instanceObject, e.classValue(target.Decl)
			}
			obj = e.heap.intern(made)
		}
		if obj.kind == arrayObject {
			if i, err := strconv.Atoi(name); err == nil && i >= 0 && i <= len(obj.elems) {
				n := *obj
				n.elems = append([]*Term(nil), obj.elems...)
				if i == len(n.elems) {
					n.elems = append(n.elems, val)
				} else if n.open {
					n.elems[i] = e.union(n.elems[i], val)
				} else {
					n.elems[i] = val
				}
				st.heap.set(target, e.heap.intern(n))
				return
			}
			if name == "length" {
				n := *obj
				if val == e.number("0") {
					n.elems, n.rest, n.lacks = nil, nil, 0
				}
				st.heap.set(target, e.heap.intern(n))
				return
			}
		}
		st.heap.set(target, e.heap.with(obj, name, val))
	}
}

// storeComputed writes a member under a computed key.
func (e *engine) storeComputed(a *activation, st *state, target, key, val *Term) {
	if text, ok := key.Text(); ok {
		e.store(a, st, target, text, val)
		return
	}
	for _, t := range target.Alternatives() {
		if t.Kind != TRef {
			continue
		}
		obj := e.contents(st, t)
		if obj == nil {
			obj = e.heap.intern(object{open: true})
		}
		n := *obj
		n.rest = e.union(n.rest, val)
		st.heap.set(t, e.heap.intern(n))
	}
}

// textChoices gives the texts that a value is one of, nil where it may be something else.
func textChoices(t *Term) []string {
	if t.Kind != TUnion {
		return nil
	}
	texts := make([]string, 0, len(t.Args))
	for _, alt := range t.Args {
		text, ok := alt.Text()
		if !ok {
			return nil
		}
		texts = append(texts, text)
	}
	return texts
}

func (e *engine) remove(st *state, target *Term, name string) {
	if target.Kind != TRef || name == "" {
		return
	}
	if obj := e.contents(st, target); obj != nil {
		st.heap.set(target, e.heap.without(obj, name))
	}
}

// globalRef is the cell of a module variable.
func (e *engine) globalRef(u *Unit, ref int32) *Term {
	return e.intern(Term{Kind: TRef, Name: "global:" + u.Path + ":" + itoa(int(ref))})
}

func (e *engine) loadGlobal(u *Unit, op *model.Op) *Term {
	if op.Name != "" {
		if v := e.p.byPath[op.Name]; v != nil {
			u = v
		}
	}
	return e.global(u, op.Ref)
}

func (e *engine) global(u *Unit, ref int32) *Term {
	e.initialise(u)
	if ref < 0 || int(ref) >= len(u.Globals) {
		return e.unknown("global", nil)
	}
	g := u.Globals[ref]
	cell := e.globalRef(u, ref)
	k := globalKey{u, ref}
	if stores := e.p.globalStores[k]; len(stores) > 0 && u.state == initDone {
		for _, s := range stores {
			e.runGeneric(s.fn, nil)
		}
	}
	if o := e.outlasting(cell); o != nil {
		v := o.get("")
		if !v.IsNullish() || len(e.p.globalStores[k]) == 0 {
			return e.refineNamed(v, g.Type, g.Name, nil)
		}
		if g.Type != nil {
			return e.union(v, e.ofType(g.Type, g.Name, nil))
		}
		return e.union(v, e.typedUnknown(g.Name, "?#"+g.Name, nil, nil))
	}
	return e.ofType(g.Type, g.Name, nil)
}

func (e *engine) storeGlobal(fn *Function, op *model.Op, val *Term) {
	u := fn.Unit
	if op.Name != "" {
		if v := e.p.byPath[op.Name]; v != nil {
			u = v
		}
	}
	cell := e.globalRef(u, op.Ref)
	e.pin(val)
	old := e.heap.global[cell]
	v := val
	if old != nil && !(fn.Index == 0 && old.get("").IsNullish()) {
		v = e.union(old.get(""), val)
	}
	obj := e.heap.intern(object{kind: cellObject, keys: []string{""}, vals: []*Term{v}})
	if obj == old {
		return
	}
	e.heap.setGlobal(cell, obj)
}

// exported reads an export of a unit.
func (e *engine) exported(path, name string) *Term {
	u := e.p.byPath[path]
	if u == nil {
		return e.unknown("module "+path, nil)
	}
	if v := e.exportedFrom(u, name, 0); v != nil {
		return v
	}
	if name != "default" {
		// a name that a module lacks is a member of its default export: the members of `module.exports`
		if d := e.exportedFrom(u, "default", 0); d != nil && d.Kind != TModule {
			return e.load(e.bare, d, name, nil)
		}
	}
	return e.typedUnknown(name, "?#"+name, nil, nil)
}

func (e *engine) exportedFrom(u *Unit, name string, depth int) *Term {
	if depth > 12 {
		return nil
	}
	e.initialise(u)
	var alts []*Term
	for _, x := range u.exports[name] {
		switch {
		case x.Global > 0:
			alts = append(alts, e.global(u, int32(x.Global-1)))
		case x.From != "" && x.As == "*":
			alts = append(alts, e.intern(Term{Kind: TModule, Name: x.From}))
		case x.From != "":
			if v := e.p.byPath[x.From]; v != nil {
				if t := e.exportedFrom(v, x.As, depth+1); t != nil {
					alts = append(alts, t)
				}
			}
		case x.Extern != "":
			root := e.symbol(model.CanonicalPackage(x.Extern) + "#")
			if x.As == "*" {
				alts = append(alts, root)
			} else {
				alts = append(alts, e.member(root, x.As))
			}
		}
	}
	if len(alts) > 0 {
		return e.union(alts...)
	}
	if name != "default" {
		for _, x := range u.stars {
			if x.From != "" && x.From != u.Path {
				if v := e.p.byPath[x.From]; v != nil {
					if t := e.exportedFrom(v, name, depth+1); t != nil {
						return t
					}
				}
			}
		}
		for _, x := range u.stars {
			if x.Extern != "" {
				return e.member(e.symbol(model.CanonicalPackage(x.Extern)+"#"), name)
			}
		}
	}
	return nil
}

// object evaluates an object literal.
func (e *engine) object(a *activation, st *state, op *model.Op, id model.ID) *Term {
	ref := e.ref(a, st, id, "object")
	obj := object{kind: plainObject}
	set := func(key string, v *Term) {
		for i := range obj.keys {
			if obj.keys[i] == key {
				obj.vals[i] = v
				return
			}
		}
		obj.keys = append(obj.keys, key)
		obj.vals = append(obj.vals, v)
	}
	for i, argID := range op.Args {
		v := e.value(st, argID)
		part := model.Part{KeyID: model.None}
		if i < len(op.Parts) {
			part = op.Parts[i]
		}
		switch {
		case part.Spread:
			if i == 0 {
				e.noteCopy(ref, v)
			}
			e.getters(&callSite{a: a, op: op, id: id}, st, v)
			e.spreadInto(st, &obj, v, set)
		case part.Key == "" && part.KeyID >= 0:
			key := e.value(st, part.KeyID)
			if text, ok := key.Text(); ok {
				set(text, v)
			} else if texts := textChoices(key); texts != nil {
				for _, text := range texts {
					set(text, e.union(orUndefined(e, obj.get(text)), v))
				}
			} else {
				obj.rest = e.union(obj.rest, v)
			}
		case part.Getter:
			set(part.Key, e.intern(Term{Kind: TOp, Name: "getter", Args: []*Term{v}}))
		default:
			set(part.Key, v)
		}
	}
	e.noteParents(a, st, op, ref)
	e.typed(&obj, ref, op.Type)
	st.heap.set(ref, e.heap.intern(obj))
	return ref
}

// typed makes an object literal of a named type (a Go struct) an instance of it: its methods are found by the type, or, where that is a
// library's, have its name.
func (e *engine) typed(obj *object, ref *Term, typ *model.TypeRef) {
	if typ == nil {
		return
	}
	if t := e.p.declared(typ); t != nil && t.Kind == model.ClassType {
		obj.kind, obj.class = instanceObject, e.classValue(t)
		if e.phase != entryPhase {
			e.pinned[ref] = true
			e.created[t] = appendUnique(e.created[t], ref)
		}
		return
	}
	if sym := e.p.symbolOf(typ); sym != "" && typ.External != "" {
		obj.class = e.symbol(sym)
	}
}

func (e *engine) spreadInto(st *state, obj *object, v *Term, set func(string, *Term)) {
	switch v.Kind {
	case TConst:
		return
	case TRef:
		if o := e.contents(st, v); o != nil && (o.kind == plainObject || o.kind == instanceObject) {
			for i := range o.keys {
				set(o.keys[i], o.vals[i])
			}
			if o.rest != nil {
				obj.rest = e.union(obj.rest, o.rest)
			}
			if o.base != nil {
				obj.base = e.union(obj.base, o.base)
			}
			obj.open = obj.open || o.open
			return
		}
	case TModule:
		if u := e.p.byPath[v.Name]; u != nil {
			for _, x := range u.Exports {
				if x.Name != "*" {
					set(x.Name, e.exported(v.Name, x.Name))
				}
			}
			return
		}
	case TUnion:
		// each key of each alternative may or may not be there
		for _, alt := range v.Args {
			e.spreadInto(st, obj, alt, func(k string, val *Term) {
				old := e.undefined
				for i := range obj.keys {
					if obj.keys[i] == k {
						old = obj.vals[i]
					}
				}
				set(k, e.union(old, val))
			})
		}
		return
	}
	if obj.base == nil {
		obj.base = v
	} else {
		obj.base = e.union(obj.base, v)
	}
}

// array evaluates an array literal.
func (e *engine) array(a *activation, st *state, op *model.Op, id model.ID) *Term {
	ref := e.ref(a, st, id, "array")
	obj := object{kind: arrayObject}
	for i, argID := range op.Args {
		v := e.value(st, argID)
		if i < len(op.Parts) && op.Parts[i].Spread {
			e.walked(a, st, argID, v)
			elems, _, exact := e.listed(st, v)
			if exact && obj.rest == nil {
				obj.elems = append(obj.elems, elems...)
				continue
			}
			obj.elems = append(obj.elems, elems...)
			if !exact {
				obj.rest = e.union(obj.rest, e.elementOf(st, v, e.site(a.fn, argID)))
			}
			continue
		}
		obj.elems = append(obj.elems, v)
	}
	st.heap.set(ref, e.heap.intern(obj))
	return ref
}

// elements lists the elements of a sequence and their keys (nil for positions). exact is false where there may be others.
func (e *engine) elements(st *state, seq *Term) (elems, keys []*Term, exact bool) {
	switch seq.Kind {
	case TRef:
		obj := e.contents(st, seq)
		if obj == nil {
			return nil, nil, false
		}
		switch obj.kind {
		case arrayObject:
			return obj.elems, nil, obj.rest == nil
		case mapObject:
			for i := range obj.keys {
				keys = append(keys, e.text(obj.keys[i]))
				if obj.class != nil && obj.class == e.yes { // a set
					elems = append(elems, obj.vals[i])
				} else {
					elems = append(elems, e.tuple(e.text(obj.keys[i]), obj.vals[i]))
				}
			}
			return elems, keys, obj.rest == nil
		case plainObject:
			// for-in walks the keys, for-of an iterable we do not know
			for i := range obj.keys {
				keys = append(keys, e.text(obj.keys[i]))
				elems = append(elems, obj.vals[i])
			}
			return elems, keys, obj.rest == nil && obj.base == nil && !obj.open
		}
	case TArray:
		return seq.Args, nil, seq.Keys == nil
	case TConst:
		return nil, nil, seq.IsNullish()
	}
	return nil, nil, false
}

// surelyHas is the number of elements that a known sequence surely has, of which elements lists all that it may have.
func (e *engine) surelyHas(st *state, seq *Term, elems int) int {
	if seq != nil && seq.Kind == TRef {
		if obj := e.contents(st, seq); obj != nil && obj.kind == arrayObject {
			return obj.least()
		}
	}
	return elems
}

// isLoose reports whether a sequence is an array of which it is not known where its elements stand, nor how many of them there are.
func (e *engine) isLoose(st *state, seq *Term) bool {
	obj := e.contents(st, seq)
	return obj != nil && obj.kind == arrayObject && obj.open
}

// listed lists what a sequence may hold, for those who walk it: like elements, but also for several known arrays.
func (e *engine) listed(st *state, seq *Term) (elems, keys []*Term, exact bool) {
	if seq.Kind == TUnion {
		return e.elementsOfAny(st, seq)
	}
	return e.elements(st, seq)
}

// elementsOfAny lists what any of several known arrays holds, such as a table and its filtered and changed versions. An element and its copies in
// the others stand together.
func (e *engine) elementsOfAny(st *state, seq *Term) (elems, keys []*Term, exact bool) {
	sequences := 0
	for _, alt := range seq.Args {
		if alt.IsNullish() {
			continue
		}
		if alt.Kind == TUnion {
			return nil, nil, false
		}
		_, k, ok := e.elements(st, alt)
		if !ok || k != nil {
			return nil, nil, false
		}
		sequences++
	}
	at := map[*Term]int{}
	for _, alt := range seq.Args {
		part, _, _ := e.elements(st, alt)
		for _, el := range part {
			root := e.original(el)
			if i, ok := at[root]; ok {
				elems[i] = e.union(elems[i], el)
				continue
			}
			at[root] = len(elems)
			elems = append(elems, el)
		}
	}
	return elems, nil, sequences > 0
}

// noteCopy remembers that an object starts as a copy of another.
func (e *engine) noteCopy(ref, of *Term) {
	for _, alt := range of.Alternatives() {
		if alt.Kind == TRef && alt != ref && e.original(alt) != ref {
			e.copies[ref] = alt
			return
		}
	}
}

// original gives the object of which a value is a copy, or the value itself.
func (e *engine) original(t *Term) *Term {
	for depth := 0; depth < maxTermDepth; depth++ {
		if t.Kind == TUnion {
			t = t.Args[0]
		}
		of := e.copies[t]
		if of == nil {
			break
		}
		t = of
	}
	return t
}

func (e *engine) tuple(vals ...*Term) *Term { return e.intern(Term{Kind: TArray, Args: vals}) }

// elementOf gives some element of a sequence.
func (e *engine) elementOf(st *state, seq *Term, site *Site) *Term {
	switch seq.Kind {
	case TRef:
		if obj := e.contents(st, seq); obj != nil {
			alts := append([]*Term(nil), obj.elems...)
			if obj.kind == plainObject || obj.kind == mapObject {
				alts = append(alts, obj.vals...)
			}
			if obj.rest != nil {
				alts = append(alts, obj.rest)
			}
			if len(alts) > 0 {
				return e.union(alts...)
			}
		}
	case TArray:
		if len(seq.Args) > 0 {
			return e.union(seq.Args...)
		}
	case TUnion:
		var alts []*Term
		for _, t := range seq.Args {
			alts = append(alts, e.elementOf(st, t, site))
		}
		return e.union(alts...)
	}
	el := e.intern(Term{Kind: TElement, Name: "value", Args: []*Term{seq}})
	if el.Type == nil && seq.Type != nil {
		if (seq.Type.Name == "Array" || seq.Type.Name == "ReadonlyArray") && len(seq.Type.Args) > 0 {
			el.Type = seq.Type.Args[0]
		}
	}
	return el
}

// spreadElement is what one of the arguments may be into which a sequence is spread, nil where it is one of several arrays that are known to be empty.
func (e *engine) spreadElement(st *state, seq *Term, site *Site) *Term {
	if seq.Kind != TUnion {
		return e.elementOf(st, seq, site)
	}
	switch elems, _, known := e.elementsOfAny(st, seq); {
	case !known:
		return e.elementOf(st, seq, site)
	case len(elems) == 0:
		return nil
	default:
		return e.bigUnion(elems)
	}
}

// freeze records the contents of a value as they are on the path: references become objects and arrays.
func (e *engine) freeze(st *state, t *Term, depth int) *Term {
	f := freezer{e: e, st: st}
	return f.value(t, depth)
}

// freezer records the contents of one value. What several parts of it hold is recorded once for each depth, after the first few: an object that is held in
// many ways would be recorded in as many as there are ways to it.
type freezer struct {
	e      *engine
	st     *state
	visits int
	known  map[frozen]*Term
}

type frozen struct {
	t     *Term
	depth int
}

// freezeAlone is how many parts of a value are recorded without a memo, which costs more than it saves on the many small values.
const freezeAlone = 64

func (f *freezer) value(t *Term, depth int) *Term {
	if t == nil || t.flags&hasRef == 0 || depth <= 0 {
		return t
	}
	f.visits++
	if f.visits < freezeAlone {
		return f.contents(t, depth)
	}
	if f.known == nil {
		f.known = map[frozen]*Term{}
	}
	q := frozen{t, depth}
	out := f.known[q]
	if out == nil {
		out = f.contents(t, depth)
		f.known[q] = out
	}
	return out
}

func (f *freezer) contents(t *Term, depth int) *Term {
	e := f.e
	switch t.Kind {
	case TRef:
		obj := e.contents(f.st, t)
		if obj == nil || obj.kind == instanceObject || obj.kind == channelObject {
			return t
		}
		switch obj.kind {
		case cellObject:
			return f.value(e.loadCell(f.st, t), depth-1)
		case arrayObject:
			n := min(len(obj.elems), maxFreezeLen)
			args := make([]*Term, 0, n+1)
			for _, v := range obj.elems[:n] {
				args = append(args, f.value(v, depth-1))
			}
			var keys []string
			if obj.rest != nil || n < len(obj.elems) {
				keys = make([]string, len(args), len(args)+1)
				keys = append(keys, "...")
				rest := obj.rest
				if rest == nil {
					rest = e.unknown("elements", t.Site)
				}
				args = append(args, f.value(rest, depth-1))
			}
			return e.intern(Term{Kind: TArray, Args: args, Keys: keys, Site: t.Site})
		}
		n := min(len(obj.keys), maxFreezeLen)
		keys := make([]string, 0, n+2)
		args := make([]*Term, 0, n+2)
		if obj.base != nil {
			keys = append(keys, "...")
			args = append(args, f.value(obj.base, depth-1))
		}
		if obj.rest != nil {
			keys = append(keys, "...")
			args = append(args, f.value(obj.rest, depth-1))
		}
		for i := range n {
			keys = append(keys, obj.keys[i])
			args = append(args, f.value(obj.vals[i], depth-1))
		}
		name := ""
		if obj.kind == mapObject {
			name = "map"
		} else if obj.open {
			name = "open"
		}
		return e.intern(Term{Kind: TObject, Name: name, Keys: keys, Args: args, Site: t.Site})
	case TUnion:
		args := make([]*Term, len(t.Args))
		for i, x := range t.Args {
			args[i] = f.value(x, depth)
		}
		return e.bigUnion(args)
	case TConcat, TArray, TOp:
		args := make([]*Term, len(t.Args))
		changed := false
		for i, x := range t.Args {
			args[i] = f.value(x, depth-1)
			changed = changed || args[i] != x
		}
		if changed {
			n := *t
			n.Args = args
			n.flags, n.depth = 0, 0
			return e.intern(n)
		}
	}
	return t
}

// plain records what an encoded form tells of a value: of an instance its fields, and not what class it is of.
func (e *engine) plain(st *state, t *Term, depth int) *Term {
	if t == nil || t.Kind != TRef || depth <= 0 {
		return t
	}
	obj := e.contents(st, t)
	if obj == nil || obj.kind != instanceObject {
		return t
	}
	keys, args := []string{}, []*Term{}
	for _, more := range []*Term{obj.base, obj.rest} {
		if more != nil {
			keys, args = append(keys, "..."), append(args, e.freeze(st, more, depth-1))
		}
	}
	for i := range min(len(obj.keys), maxFreezeLen) {
		keys, args = append(keys, obj.keys[i]), append(args, e.freeze(st, e.plain(st, obj.vals[i], depth-1), depth-1))
	}
	return e.intern(Term{Kind: TObject, Keys: keys, Args: args, Site: t.Site})
}
