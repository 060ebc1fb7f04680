package flow

import (
	"regexp"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/retrysafe/retrysafe/analyzers/model"
)

// accessor reads access paths over one call. With a state it reads live values, without one what was recorded.
type accessor struct {
	e                  *engine
	st                 *state
	recv               *Term
	args               []*Term
	rest               *Term
	name               string
	sym                string
	fn                 *Function
	result             *Term
	url, headers, body *Term // of the HTTP effect that a row over hosts speaks of
}

// recorded gives an accessor over what was recorded of a call.
func (e *engine) recorded(c *Call) *accessor {
	acc := &accessor{e: e, recv: c.Recv, args: c.Args, name: lastName(c.Symbol), sym: c.Symbol, fn: c.Fn, result: c.Result}
	if n := len(c.Spread); n > 0 && c.Spread[n-1] {
		acc.rest = c.Args[n-1]
		acc.args = c.Args[:n-1]
	}
	return acc
}

func (e *engine) paths(a model.Access) []model.AccessPath {
	if p, ok := e.accesses[a]; ok {
		return p
	}
	p, err := model.ParseAccess(a)
	if err != nil {
		p = nil // the catalog's loader has refused it; a row made in code may still be wrong
	}
	e.accesses[a] = p
	return p
}

// first gives the value of the first alternative that is present, or nil.
func (x *accessor) first(a model.Access) *Term {
	v, _ := x.at(a)
	return v
}

// at gives the value at an access path, and the argument it lies in (-1 if none). The value is nil where it is absent; a value
// that may be absent is a union with undefined.
func (x *accessor) at(a model.Access) (*Term, int) {
	if a == "" {
		return nil, -1
	}
	for _, path := range x.e.paths(a) {
		if v, arg := x.path(path); v != nil && v.Kind != TConst || v != nil && !v.IsNullish() {
			return v, arg
		}
	}
	return nil, -1
}

// path walks one path; nil where something on the way is plainly absent. A pointer to a variable stands for what the variable holds.
func (x *accessor) path(path model.AccessPath) (*Term, int) {
	v, arg := x.bare(path)
	if v != nil && v.Kind == TRef && v.Name == "cell" {
		return x.e.loadCell(x.state(), v), arg
	}
	return v, arg
}

// bare is like path, but gives pointers as such.
func (x *accessor) bare(path model.AccessPath) (*Term, int) {
	var v *Term
	arg := -1
	for i, s := range path {
		if i == 0 {
			v, arg = x.root(s)
		} else {
			v = x.step(v, s)
		}
		if v == nil {
			return nil, arg
		}
	}
	return v, arg
}

func (x *accessor) root(s model.Step) (*Term, int) {
	e := x.e
	switch s.Kind {
	case model.ReceiverStep:
		return x.recv, -1
	case model.ArgumentStep:
		i := s.Index
		if i < 0 {
			i += len(x.args)
		}
		if s.Rest {
			var vals []*Term
			if i >= 0 && i < len(x.args) {
				vals = append(vals, x.args[i:]...)
			}
			t := Term{Kind: TArray, Args: vals}
			if x.rest != nil {
				t.Keys = make([]string, len(vals), len(vals)+1)
				t.Keys = append(t.Keys, "...")
				t.Args = append(append([]*Term(nil), vals...), x.rest)
			}
			return e.intern(t), i
		}
		if i < 0 {
			return nil, -1
		}
		if i >= len(x.args) {
			if x.rest != nil {
				return x.rest, len(x.args)
			}
			return nil, -1
		}
		return x.args[i], i
	case model.ResultStep:
		return x.result, -1
	case model.CalleeStep:
		names := strings.Split(strings.ReplaceAll(x.sym, "()", ""), ".")
		if i := strings.LastIndexByte(names[0], '#'); i >= 0 {
			names[0] = names[0][i+1:]
		}
		if s.Index < len(names) {
			if s.Index == 0 && x.name != "" {
				return e.text(x.name), -1
			}
			return e.text(names[len(names)-1-s.Index]), -1
		}
		return nil, -1
	case model.ChainStep:
		return x.chain(s), -1
	case model.URLStep:
		return x.url, -1
	case model.HeadersStep:
		return x.headers, -1
	case model.BodyStep:
		return x.body, -1
	case model.ModuleStep:
		if x.fn != nil {
			return e.intern(Term{Kind: TModule, Name: x.fn.Unit.Path}), -1
		}
	case model.DecoratedStep, model.SubclassStep:
		return x.recv, -1
	}
	return nil, -1
}

// chain finds the nearest call of one of the names among those that made the receiver.
func (x *accessor) chain(s model.Step) *Term {
	names := s.Names()
	for cur, i := x.recv, 0; cur != nil && i < 64; i++ {
		switch cur.Kind {
		case TCall:
			for _, n := range names {
				if lastName(cur.Name) == n {
					return cur
				}
			}
			cur = cur.Args[0]
		case TMember, TCast:
			cur = cur.Args[0]
		default:
			return nil
		}
	}
	return nil
}

// chainFilter joins the conditions of all calls of the names in the chain into one object of column: value.
func (x *accessor) chainFilter(s model.Step) *Term {
	var keys []string
	var vals []*Term
	for cur, i := x.recv, 0; cur != nil && i < 64; i++ {
		switch cur.Kind {
		case TCall:
			for _, n := range s.Names() {
				if lastName(cur.Name) != n {
					continue
				}
				args := cur.Args[1:]
				if len(args) > 0 && args[0].Kind == TObject {
					keys = append(keys, args[0].Keys...)
					vals = append(vals, args[0].Args...)
				} else if len(args) >= 2 {
					if col, ok := args[0].Text(); ok {
						keys = append(keys, col)
						vals = append(vals, args[len(args)-1])
					}
				}
			}
			cur = cur.Args[0]
		case TMember, TCast:
			cur = cur.Args[0]
		default:
			cur = nil
		}
	}
	if len(keys) == 0 {
		return nil
	}
	return x.e.intern(Term{Kind: TObject, Keys: keys, Args: vals})
}

func (x *accessor) step(v *Term, s model.Step) *Term {
	e := x.e
	switch s.Kind {
	case model.MemberStep:
		return x.member(v, s.Name)
	case model.ElementStep:
		if v.Kind == TConst {
			return nil // it is no collection
		}
		st := x.state()
		elems, _, _ := e.elements(st, v)
		if len(elems) > 0 {
			return e.bigUnion(elems)
		}
		return e.elementOf(st, v, nil)
	case model.ReceiverStep:
		if v.Kind == TCall {
			return v.Args[0]
		}
	case model.ArgumentStep:
		if v.Kind == TUnion {
			return x.eachCall(v, s)
		}
		if v.Kind == TCall {
			i := s.Index
			args := v.Args[1:]
			if i < 0 {
				i += len(args)
			}
			if s.Rest && i >= 0 && i <= len(args) {
				return e.tuple(args[i:]...)
			}
			if i >= 0 && i < len(args) {
				return args[i]
			}
		}
	case model.OptionStep:
		return x.options(v, s.Names())
	case model.ReturnStep:
		if v.Kind == TClosure {
			var heap *overlay
			if v.This != nil {
				heap = x.state().heap // what a method gives may be a field of its receiver
			}
			return e.returnedBy(v, e.symbolic(v.Fn), heap)
		}
		return v
	case model.ParameterStep:
		return v
	}
	return nil
}

// eachCall reads an argument of the calls of which one made the value, nil where none has it. What no call made counts for nothing.
func (x *accessor) eachCall(v *Term, s model.Step) *Term {
	var alts []*Term
	found := false
	for _, alt := range v.Args {
		if alt.Kind != TCall {
			continue
		}
		m := x.step(alt, s)
		if m == nil {
			m = x.e.undefined
		} else {
			found = true
		}
		alts = append(alts, m)
	}
	if !found {
		return nil
	}
	return x.e.union(alts...)
}

// relative reads an access path that starts at v, whatever its first step is.
func (x *accessor) relative(v *Term, a model.Access) *Term {
	for _, path := range x.e.paths(a) {
		w := v
		for _, s := range path {
			if w = x.step(w, s); w == nil {
				break
			}
		}
		if w != nil && !w.IsNullish() {
			return w
		}
	}
	return nil
}

// options picks, of an array of functional options, those that calls of the names made; the last counts where there is one name.
func (x *accessor) options(v *Term, names []string) *Term {
	var found []*Term
	var pick func(v *Term, depth int)
	pick = func(v *Term, depth int) {
		if depth > 4 {
			return
		}
		for _, alt := range v.Alternatives() {
			if alt.Kind == TCall && slices.Contains(names, alt.Name) {
				found = append(found, alt)
				continue
			}
			if alt.Kind == TArray || alt.Kind == TRef {
				elems, _, _ := x.e.elements(x.state(), alt)
				for _, el := range elems {
					pick(el, depth+1)
				}
			}
		}
	}
	pick(v, 0)
	switch {
	case len(found) == 0:
		return nil
	case len(names) == 1:
		return found[len(found)-1]
	}
	return x.e.tuple(found...)
}

func (x *accessor) state() *state {
	if x.st != nil {
		return x.st
	}
	return x.e.bare
}

// member reads a member; of header-like objects without regard to case. nil means plainly absent.
func (x *accessor) member(v *Term, name string) *Term {
	e := x.e
	if known := e.settings[v]; known != nil {
		if m := known.get(name); m != nil {
			return m
		}
		if m := foldCase(known.keys, known.vals, name); m != nil {
			return m
		}
	}
	if v.Kind == TMember && slices.Contains(e.empty[v.Args[0]], v.Name) {
		return nil
	}
	switch v.Kind {
	case TUnion:
		var alts []*Term
		for _, alt := range v.Args {
			m := x.member(alt, name)
			if m == nil {
				m = e.undefined
			}
			alts = append(alts, m)
		}
		u := e.union(alts...)
		if u.IsNullish() {
			return nil
		}
		return u
	case TObject:
		if m, known := v.Field(name); m != nil {
			return m
		} else if known && v.Name != "map" {
			return foldCase(v.Keys, v.Args, name)
		}
		if m := foldCase(v.Keys, v.Args, name); m != nil {
			return m
		}
		base, _ := v.Field("...")
		if base == nil {
			return nil
		}
		return x.member(base, name)
	case TRef:
		obj := e.contents(x.state(), v)
		if obj != nil {
			if m := obj.get(name); m != nil {
				if m.Kind == TOp && m.Name == "getter" {
					return e.returned(m.Args[0])
				}
				return m
			}
			if m := foldCase(obj.keys, obj.vals, name); m != nil && obj.kind != instanceObject {
				return m
			}
			if obj.kind == plainObject && obj.base == nil && obj.rest == nil {
				return nil
			}
			if obj.kind == arrayObject {
				return nil
			}
		}
		m := e.load(x.state(), v, name, nil)
		if m.Kind == TOp && m.Name == "getter" {
			m = e.returned(m.Args[0])
		}
		if m.IsNullish() || m.Kind == TMember && strings.HasPrefix(m.Sym, "?#") && obj != nil && obj.kind == instanceObject {
			return nil
		}
		return m
	case TClass:
		m := e.loadStatic(x.state(), v, name)
		if m.IsNullish() {
			return nil
		}
		return m
	case TModule:
		u := e.p.byPath[v.Name]
		if u == nil {
			break
		}
		if m := e.exportedFrom(u, name, 0); m != nil {
			return m
		}
		if d := e.exportedFrom(u, "default", 0); d != nil && d.Kind == TRef && name != "default" {
			return x.member(d, name) // the members of `module.exports`
		}
		return nil
	case TArray:
		if i, ok := resultIndex(name); ok && i < len(v.Args) {
			return v.Args[i]
		}
		return nil
	case TClosure:
		if name == "name" && v.Fn.Name != "" && !strings.Contains(v.Fn.Name, ".") && v.Fn.Unit.Language != model.Go {
			return e.text(v.Fn.Name)
		}
		return nil
	case TConst, TConcat:
		return nil
	case TCall:
		if v.Name == "stringify" && len(v.Args) > 1 {
			return x.member(v.Args[1], name) // the text of an object: its members are what matters
		}
	}
	return e.load(x.state(), v, name, nil)
}

// returned gives what a function without arguments returns.
func (e *engine) returned(fn *Term) *Term {
	if fn.Kind != TClosure {
		return fn
	}
	return e.returnedBy(fn, nil, nil)
}

func (e *engine) returnedBy(fn *Term, args []*Term, heap *overlay) *Term {
	s := e.invoke(fn.Fn, fn.This, args, nil, fn.Args, heap)
	var alts []*Term
	for _, x := range s.exits {
		if !x.throws && x.value != nil {
			alts = append(alts, e.freeze(&state{heap: &overlay{parent: heap, own: x.heap}}, x.value, maxFreeze))
		}
	}
	return e.union(alts...)
}

func foldCase(keys []string, vals []*Term, name string) *Term {
	if !strings.Contains(name, "-") && !strings.EqualFold(name, "authorization") {
		return nil
	}
	for i := range keys {
		if strings.EqualFold(keys[i], name) {
			return vals[i]
		}
	}
	return nil
}

// matches reports whether a row's version and conditions hold for the call.
func (x *accessor) matches(r *model.Row) bool {
	if len(r.Files) > 0 && x.fn != nil {
		ok := false
		for _, pat := range r.Files {
			if m, err := doublestar.Match(pat, x.fn.Unit.Path); err == nil && m {
				ok = true
			}
		}
		if !ok {
			return false
		}
	}
	if r.Versions != "" && x.fn != nil && x.e.p.version != nil {
		pkg := x.sym
		if i := strings.IndexByte(pkg, '#'); i >= 0 {
			pkg = pkg[:i]
		}
		if v := x.e.p.version(x.fn.Unit.Path, pkg); v != "" {
			if ok, err := model.InRange(v, r.Versions); err == nil && !ok {
				return false
			}
		}
	}
	for i := range r.When {
		// a value that is not known satisfies neither a condition nor its negation
		yes, known := x.holds(&r.When[i])
		if !known || yes == r.When[i].Not {
			return false
		}
	}
	return true
}

// holds evaluates a predicate without its negation. known is false where the value is not known well enough.
func (x *accessor) holds(p *model.Predicate) (yes, known bool) {
	v := x.raw(p.At)
	known = true
	opaque := v != nil && x.opaque(v)
	test := func(ok bool) bool {
		if !ok && opaque {
			known = false
		}
		return ok
	}
	if len(p.Is) > 0 {
		ok, plain := false, false
		for _, is := range p.Is {
			ok = ok || x.is(v, is)
			plain = plain || is == "absent" || is == "present" || is == "unknown"
		}
		if !ok {
			if opaque && !plain {
				return false, false
			}
			return false, true
		}
	}
	if len(p.Equals) > 0 {
		ok := false
		if v != nil {
			for _, alt := range v.Alternatives() {
				if text, is := alt.IsConst(); is {
					for _, want := range p.Equals {
						ok = ok || text == want
					}
				}
			}
		}
		if !test(ok) {
			return false, known
		}
	}
	if len(p.Only) > 0 {
		ok := v != nil
		for _, alt := range orUndefined(x.e, v).Alternatives() {
			text, is := alt.IsConst()
			ok = ok && is && slices.Contains(p.Only, text)
		}
		if !test(ok) {
			return false, known
		}
	}
	if p.Matches != "" {
		if !test(v != nil && x.e.regexp(p.Matches).MatchString(holeText(v))) {
			return false, known
		}
	}
	if p.Surely != "" && !test(v != nil && x.surely(v, x.e.regexp(p.Surely))) {
		return false, known
	}
	has := func(k string) bool { return v != nil && x.member(v, k) != nil }
	for _, k := range p.Has {
		if !has(k) {
			return false, !opaque
		}
	}
	if len(p.HasAny) > 0 {
		ok := false
		for _, k := range p.HasAny {
			ok = ok || has(k)
		}
		if !ok {
			return false, !opaque
		}
	}
	for _, k := range p.Lacks {
		if v == nil || has(k) {
			return false, true
		}
	}
	if len(p.Lacks) > 0 && !x.complete(v) {
		return false, false
	}
	if len(p.Symbol) > 0 {
		ok := false
		if v != nil {
			for _, alt := range v.Alternatives() {
				for _, pat := range p.Symbol {
					ok = ok || alt.Sym != "" && x.e.pattern(pat).Match(alt.Sym)
				}
			}
		}
		if !test(ok) {
			return false, known
		}
	}
	return true, true
}

// surely reports whether each text that a value may be matches, or each array that it may be surely holds such a text.
func (x *accessor) surely(v *Term, re *regexp.Regexp) bool {
	for _, alt := range v.Alternatives() {
		if alt.Kind == TConst || alt.Kind == TConcat {
			if !re.MatchString(holeText(alt)) {
				return false
			}
			continue
		}
		if !slices.ContainsFunc(x.surelyIn(alt), func(el *Term) bool { return x.surely(el, re) }) {
			return false
		}
	}
	return true
}

// surelyIn lists the elements that an array surely has.
func (x *accessor) surelyIn(seq *Term) []*Term {
	if seq.Kind == TArray {
		var out []*Term
		for i, el := range seq.Args {
			if i >= len(seq.Keys) || seq.Keys[i] != "..." {
				out = append(out, el)
			}
		}
		return out
	}
	obj := x.e.contents(x.state(), seq)
	if seq.Kind != TRef || obj == nil || obj.kind != arrayObject || obj.open {
		return nil
	}
	return obj.elems[:obj.least()]
}

// opaque reports whether nothing is known of a value's kind or contents.
func (x *accessor) opaque(v *Term) bool {
	for _, alt := range v.Alternatives() {
		switch alt.Kind {
		case TUnknown, TMember, TIndex, TElement, TCast, TInput:
			if alt.Sym == "" || strings.HasPrefix(alt.Sym, "?#") {
				return true
			}
		case TCall:
			if alt.Sym == "" || strings.HasPrefix(alt.Sym, "?#") || strings.HasPrefix(alt.Sym, "js#") {
				return true
			}
		}
	}
	return false
}

// complete reports whether all members of an object are known.
func (x *accessor) complete(v *Term) bool {
	switch v.Kind {
	case TObject:
		for _, k := range v.Keys {
			if k == "..." {
				return false
			}
		}
		return true
	case TCall:
		return v.Name == "stringify" && len(v.Args) > 1 && x.complete(v.Args[1]) // what is encoded has the members of what it encodes
	case TRef:
		obj := x.e.contents(x.state(), v)
		return obj != nil && obj.base == nil && obj.rest == nil
	}
	return false
}

// raw is like first, but gives a plain null or undefined as such.
func (x *accessor) raw(a model.Access) *Term {
	for _, path := range x.e.paths(a) {
		if v, _ := x.path(path); v != nil {
			return v
		}
	}
	return nil
}

func (x *accessor) is(v *Term, what string) bool {
	switch what {
	case "absent":
		return v == nil || v.Kind == TConst && v.Const.Kind == model.Undefined
	case "present":
		return v != nil && !v.IsNullish()
	}
	if v == nil {
		return false
	}
	for _, alt := range v.Alternatives() {
		if x.isOne(alt, what) {
			return true
		}
	}
	return false
}

func (x *accessor) isOne(v *Term, what string) bool {
	kind := x.e.builtinType(x.state(), v)
	switch what {
	case "function":
		return v.Kind == TClosure || v.Kind == TOp && (v.Name == "partial" || v.Name == "next") || v.Kind == TCall && v.Type != nil && v.Type.Name == "Function"
	case "class":
		return v.Kind == TClass
	case "string":
		return kind == "String" || v.Sym == "js#String"
	case "number":
		return v.Kind == TConst && v.Const.Kind == model.Number
	case "boolean":
		return v.Kind == TConst && v.Const.Kind == model.Bool
	case "true", "false":
		return v.Kind == TConst && v.Const.Kind == model.Bool && v.Const.Text == what
	case "null":
		return v.Kind == TConst && v.Const.Kind == model.Null
	case "object":
		return kind == "Object" || v.Kind == TObject
	case "array":
		return kind == "Array"
	case "constant":
		return v.Kind == TConst
	case "unknown":
		switch v.Kind {
		case TUnknown, TMember, TIndex, TElement, TCast, TCall, TInput:
			return true
		}
	case "schema":
		return x.isSchema(v)
	}
	return false
}

// isSchema recognises a validation schema: the result of a schema library's call, an object with at least one such value, or an empty object.
func (x *accessor) isSchema(v *Term) bool {
	e := x.e
	switch v.Kind {
	case TCall:
		return e.schemaSym(v.Sym)
	case TMember, TCast:
		return e.schemaSym(v.Sym)
	case TObject:
		if len(v.Args) == 0 {
			return true
		}
		for _, a := range v.Args {
			if a.Kind != TObject && x.isSchema(a) {
				return true
			}
		}
	case TRef:
		obj := e.contents(x.state(), v)
		if obj == nil || obj.kind != plainObject {
			return false
		}
		if len(obj.keys) == 0 && obj.base == nil {
			return true
		}
		for _, a := range obj.vals {
			if a.Kind != TRef && x.isSchema(a) {
				return true
			}
		}
		return obj.base != nil && x.isSchema(obj.base)
	}
	return false
}

// schemaSym reports whether a symbol belongs to a library outside the program and the language: schemas are built by calls of one.
func (e *engine) schemaSym(sym string) bool {
	return sym != "" && !strings.HasPrefix(sym, "js#") && !strings.HasPrefix(sym, "?#")
}

// neverMatches stands for a pattern that is not understood.
const neverMatches = `\z\A.`

func (e *engine) regexp(text string) *regexp.Regexp {
	if re := e.regexps[text]; re != nil {
		return re
	}
	re, err := regexp.Compile(text)
	if err != nil {
		re = regexp.MustCompile(neverMatches)
	}
	e.regexps[text] = re
	return re
}

func (e *engine) pattern(text string) model.Pattern {
	if p, ok := e.patterns[text]; ok {
		return p
	}
	p, _ := model.ParsePattern(text) // a bad pattern matches nothing; the loader reports it
	e.patterns[text] = p
	return p
}

// holeText gives the text of a value with "\x00" for what is not constant.
func holeText(t *Term) string {
	switch t.Kind {
	case TConst:
		return t.Const.Text
	case TConcat:
		var b strings.Builder
		for _, p := range t.Args {
			if text, ok := p.Text(); ok {
				b.WriteString(text)
			} else {
				b.WriteByte(0)
			}
		}
		return b.String()
	case TUnion:
		for _, alt := range t.Args {
			if alt.Kind == TConst && !alt.IsNullish() || alt.Kind == TConcat {
				return holeText(alt)
			}
		}
	case TCast:
		return holeText(t.Args[0])
	}
	return "\x00"
}

func givenAt(a model.Access) (arg, param int, ok bool) {
	paths, err := model.ParseAccess(a)
	if err != nil || len(paths) == 0 || len(paths[0]) != 2 {
		return 0, 0, false
	}
	p := paths[0]
	if p[0].Kind != model.ArgumentStep || p[1].Kind != model.ParameterStep {
		return 0, 0, false
	}
	return p[0].Index, p[1].Index, true
}
