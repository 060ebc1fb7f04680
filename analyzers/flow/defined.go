package flow

import (
	"slices"
	"strings"
	"unicode"

	"github.com/retrysafe/retrysafe/analyzers/model"
)

// A tool stands where the program gives its own name, description, schema or handler, however many helpers, tables and factories pass it on
// until it is registered. Three things lead there from the value that is registered: an object may be made from another one, member by member
// or as a copy; a helper may make it from its parameters, which leads to the helper's call; or it is the literal itself.

// parentage says how an object literal, or a call, takes its parts from elsewhere, as far as its operations tell.
type parentage struct {
	bases  []model.ID // the objects of which parts are members, one a part
	params []int      // the parameters of the function that are parts themselves
	named  model.ID   // the object of which the part called name is a member, None if there is none
	keys   []model.ID // the parts that are the keys of a table that a loop walks
	spread bool       // its first part is a copy of what the function is handed
}

// lineage remembers where objects come from.
type lineage struct {
	parents map[*model.Op]*parentage
	from    map[*Term]*Term      // objects by those from which their members are taken
	handed  map[*Term]model.Span // objects made from a helper's parameters by the call that gives them
	stack   []following          // the calls of functions of the program under evaluation, outermost first
}

// following is a call that is followed into a function of the program.
type following struct {
	call *callSite
	into *Function
}

func newLineage() lineage {
	return lineage{parents: map[*model.Op]*parentage{}, from: map[*Term]*Term{}, handed: map[*Term]model.Span{}}
}

// parentage reads the parts of an object literal, or the arguments of a call.
func (e *engine) parentage(fn *Function, op *model.Op) *parentage {
	if p := e.lineage.parents[op]; p != nil {
		return p
	}
	p := &parentage{named: model.None}
	e.lineage.parents[op] = p
	args := op.Args
	if op.Kind == model.Call && len(args) > 0 {
		args = args[1:]
	}
	for i, id := range args {
		if i < len(op.Parts) && op.Parts[i].Spread {
			p.spread = p.spread || i == 0 && isHanded(fn, id)
			continue
		}
		if i < len(op.Parts) && op.Parts[i].KeyID >= 0 {
			continue
		}
		if ref, ok := parameterAt(fn, id); ok {
			p.params = append(p.params, ref)
		} else if base, ok := memberBase(fn, id, 0); ok {
			p.bases = append(p.bases, base)
			if i < len(op.Parts) && strings.EqualFold(op.Parts[i].Key, "name") {
				p.named = base
			}
		} else if id >= 0 && fn.Ops[id].Kind == model.Element && fn.Ops[id].Name == "key" {
			p.keys = append(p.keys, id)
		}
	}
	return p
}

// rowOf gives the place of the row of a table, a literal of the program, that stands under the key that an operation gives.
func (e *engine) rowOf(st *state, fn *Function, key model.ID) (at model.Span, ok bool) {
	text, known := e.value(st, key).Text()
	if !known {
		return at, false
	}
	for _, table := range e.value(st, fn.Ops[key].Args[0]).Alternatives() {
		op := literal(table)
		if op == nil {
			continue
		}
		for i, part := range op.Parts {
			if part.Key == text && part.KeyID < 0 && !part.Spread && i < len(op.Args) && op.Args[i] >= 0 {
				span := table.Site.Fn.Ops[op.Args[i]].Span
				return span, span.IsValid()
			}
		}
	}
	return at, false
}

// parameterAt gives the index of the parameter that an operation stands for.
func parameterAt(fn *Function, id model.ID) (int, bool) {
	for n := 0; id >= 0 && n < maxTermDepth; n++ {
		switch op := &fn.Ops[id]; op.Kind {
		case model.Parameter:
			return int(op.Ref), true
		case model.Convert, model.Await:
			id = op.Args[0]
		default:
			return 0, false
		}
	}
	return 0, false
}

// memberBase gives the object of which a value is a member, or is made from one.
func memberBase(fn *Function, id model.ID, depth int) (model.ID, bool) {
	if id < 0 || depth > maxTermDepth {
		return model.None, false
	}
	op := &fn.Ops[id]
	args := op.Args
	switch op.Kind {
	case model.Load:
		if op.Name == "" || len(args) == 0 {
			return model.None, false
		}
		return args[0], args[0] >= 0
	case model.Call:
		if len(args) > 0 {
			args = args[1:]
		}
	case model.Convert, model.Await, model.Phi:
	default:
		return model.None, false
	}
	for _, arg := range args {
		if base, ok := memberBase(fn, arg, depth+1); ok {
			return base, true
		}
	}
	return model.None, false
}

// isHanded reports whether a value is what a function is called with, or the current element of a loop, or a member of it.
func isHanded(fn *Function, id model.ID) bool {
	for n := 0; id >= 0 && n < maxTermDepth; n++ {
		switch op := &fn.Ops[id]; op.Kind {
		case model.Parameter, model.Element:
			return true
		case model.Convert, model.Await, model.Load:
			id = op.Args[0]
		default:
			return false
		}
	}
	return false
}

// noteParents remembers what an object, or the result of a call, is made from.
func (e *engine) noteParents(a *activation, st *state, op *model.Op, result *Term) {
	p := e.parentage(a.fn, op)
	if e.lineage.from[result] == nil {
		if base := e.mostOf(st, p.bases, op.Kind == model.Call); base != nil && base != result {
			e.lineage.from[result] = base
		} else if row := e.value(st, p.named); base == nil && row != result && row.Kind == TRef {
			e.lineage.from[result] = row
		}
	}
	for _, key := range p.keys {
		if span, ok := e.rowOf(st, a.fn, key); ok && !e.lineage.handed[result].IsValid() {
			e.lineage.handed[result] = span
		}
	}
	if len(p.params) > 0 && !e.lineage.handed[result].IsValid() {
		if span, ok := e.handedAt(a, p.params); ok {
			e.lineage.handed[result] = span
		}
	}
}

// mostOf gives the object that at least two of the bases are, or that any is for a call, which may take the name alone; nil if there is none.
func (e *engine) mostOf(st *state, bases []model.ID, call bool) *Term {
	var best *Term
	most := 1
	if call {
		most = 0
	}
	if len(bases) <= most {
		return nil
	}
	count := map[*Term]int{}
	for _, id := range bases {
		v := e.value(st, id)
		if !slices.ContainsFunc(v.Alternatives(), func(alt *Term) bool { return alt.Kind == TRef }) {
			continue
		}
		if count[v]++; count[v] > most {
			best, most = v, count[v]
		}
	}
	return best
}

// handedAt finds the call that gives a text for one of the parameters of the function under evaluation, through the functions that only pass it on.
func (e *engine) handedAt(a *activation, params []int) (at model.Span, ok bool) {
	for _, i := range params {
		if i >= len(a.args) || a.args[i] == nil {
			continue
		}
		if _, isText := a.args[i].Text(); !isText {
			continue
		}
		within := a.fn
		for level := len(e.lineage.stack) - 1; level >= 0; level-- {
			c := e.lineage.stack[level].call
			if c.inner || e.lineage.stack[level].into != within {
				break // called by the engine: its operands are not the arguments
			}
			at, ok = c.op.Span, c.op.Span.IsValid()
			if !ok || i+1 >= len(c.op.Args) {
				break
			}
			before := c.op.Parts[:min(i+1, len(c.op.Parts))]
			if slices.ContainsFunc(before, func(p model.Part) bool { return p.Spread }) {
				break
			}
			next, passed := parameterAt(c.a.fn, c.op.Args[i+1])
			if !passed {
				break
			}
			i, within = next, c.a.fn
		}
		if ok {
			return at, true
		}
	}
	return at, false
}

// definedAt gives the place where a description of a tool is written. names are the keys under which it may hold the tool's name.
func (e *engine) definedAt(st *state, t *Term, names []string) (model.Span, bool) {
	return e.definedWithin(st, t, names, 0)
}

func (e *engine) definedWithin(st *state, t *Term, names []string, depth int) (model.Span, bool) {
	if t == nil || depth > maxTermDepth {
		return model.Span{}, false
	}
	switch t.Kind {
	case TUnion:
		return e.definedByAny(st, t.Args, names, depth+1)
	case TCast:
		return e.definedWithin(st, t.Args[0], names, depth+1)
	case TClass:
		return t.Decl.Span, t.Decl.Span.IsValid()
	case TRef, TCall:
	default:
		return model.Span{}, false
	}
	if e.ownsName(t, names) {
		return t.Site.Span, true
	}
	if from := e.lineage.from[t]; from != nil {
		if s, ok := e.definedWithin(st, from, names, depth+1); ok {
			return s, true
		}
	}
	if of := e.copies[t]; of != nil && e.copiesHanded(t) {
		if s, ok := e.definedWithin(st, of, names, depth+1); ok {
			return s, true
		}
	}
	if s := e.lineage.handed[t]; s.IsValid() {
		return s, true
	}
	if s, ok := e.definedByPart(st, t, names, depth+1); ok {
		return s, true
	}
	switch {
	case e.toldName(st, t, names):
		return t.Site.Span, true
	case t.Decl != nil && t.Decl.Span.IsValid():
		return t.Decl.Span, true
	case t.Site != nil && t.Site.Span.IsValid() && (t.Kind == TCall || t.Name == "object"):
		return t.Site.Span, true
	}
	return model.Span{}, false
}

// definedByPart gives the place of a description that is a part of a literal, beside its handler, where that is made from another object.
func (e *engine) definedByPart(st *state, t *Term, names []string, depth int) (at model.Span, ok bool) {
	if literal(t) == nil {
		return at, false
	}
	obj := e.contents(st, t)
	if obj == nil || obj.kind == arrayObject {
		return at, false
	}
	for _, part := range obj.vals {
		if e.lineage.from[part] == nil && !e.lineage.handed[part].IsValid() {
			continue
		}
		if ok {
			return at, false // of two
		}
		if at, ok = e.definedWithin(st, part, names, depth); !ok {
			return at, false
		}
	}
	return at, ok
}

// definedByAny gives the first of the places of a description that may be one of several, none where they have nothing to do with each other.
func (e *engine) definedByAny(st *state, alts []*Term, names []string, depth int) (at model.Span, ok bool) {
	const most = 2 // a tool that settings choose between two forms of
	var places []model.Span
	for _, alt := range alts {
		if op := literal(alt); op != nil && len(op.Args) == 0 {
			continue // the empty value beside an error
		}
		if s, ok := e.definedWithin(st, alt, names, depth); ok && !slices.Contains(places, s) {
			if places = append(places, s); len(places) > most {
				return at, false
			}
		}
	}
	if len(places) == 0 {
		return at, false
	}
	return slices.MinFunc(places, model.Span.Compare), true
}

// toldName reports whether an instance is made by a call that spells out the name which one of its fields holds, so that its class may make other
// tools too.
func (e *engine) toldName(st *state, t *Term, names []string) bool {
	op := made(t)
	if op == nil || op.Kind != model.Call || op.Flags&model.New == 0 {
		return false
	}
	acc := &accessor{e: e, st: st}
	for _, name := range names {
		v := acc.over(t, model.Access("Member["+name+"]"))
		if v == nil {
			continue
		}
		text, ok := v.Text()
		if !ok {
			continue
		}
		if e.spells(t.Site.Fn, op.Args[1:], text, 0) {
			return true
		}
	}
	return false
}

// spells reports whether one of the operands is the text, or a literal that holds it.
func (e *engine) spells(fn *Function, args []model.ID, text string, depth int) bool {
	for _, id := range args {
		if id < 0 {
			continue
		}
		switch op := &fn.Ops[id]; op.Kind {
		case model.Constant:
			if op.Const.Kind == model.String && op.Const.Text == text {
				return true
			}
		case model.Object, model.Convert:
			if depth < 3 && e.spells(fn, op.Args, text, depth+1) {
				return true
			}
		}
	}
	return false
}

// made gives the operation that makes a value, nil where that is not known.
func made(t *Term) *model.Op {
	if t.Site == nil || !t.Site.Span.IsValid() || t.Site.Fn == nil || t.Site.Op < 0 || int(t.Site.Op) >= len(t.Site.Fn.Ops) {
		return nil
	}
	return &t.Site.Fn.Ops[t.Site.Op]
}

// literal gives the operation that makes an object, nil where it is no literal.
func literal(t *Term) *model.Op {
	if op := made(t); op != nil && op.Kind == model.Object {
		return op
	}
	return nil
}

// ownsName reports whether an object literal spells out the name of the tool.
func (e *engine) ownsName(t *Term, names []string) bool {
	op := literal(t)
	if op == nil {
		return false
	}
	for i := range op.Parts {
		if i < len(op.Args) && op.Args[i] >= 0 && slices.Contains(names, op.Parts[i].Key) && t.Site.Fn.Ops[op.Args[i]].Kind == model.Constant {
			return true
		}
	}
	return false
}

// copiesHanded reports whether the literal that made a copy makes one of whatever its function is handed, so that it is no tool's own.
func (e *engine) copiesHanded(t *Term) bool {
	op := literal(t)
	return op == nil || e.parentage(t.Site.Fn, op).spread
}

// namedBy finds the literal out of whose text the name of a tool is made, as `prefix + "_" + row.title.toLowerCase()` is: the row of a table that
// spells out part of it. Of several the last one counts: what many tools share, such as a server's prefix, comes first.
func (e *engine) namedBy(c *callSite, st *state, id model.ID, name string, depth int) (at model.Span, ok bool) {
	if id < 0 || depth > maxTermDepth {
		return at, false
	}
	op := &c.a.fn.Ops[id]
	args := op.Args
	switch op.Kind {
	case model.Load:
		if op.Name == "" || len(args) == 0 || args[0] < 0 {
			return at, false
		}
		if text, ok := e.value(st, id).Text(); !ok || !holdsWords(name, text) {
			return at, false
		}
		return e.spelledIn(e.value(st, args[0]), op.Name, 0)
	case model.Call:
		// what is called may be a member of the text itself
	case model.Convert, model.Await, model.Phi, model.Concat:
	default:
		return at, false
	}
	for _, arg := range slices.Backward(args) {
		if at, ok = e.namedBy(c, st, arg, name, depth+1); ok {
			return at, true
		}
	}
	return at, false
}

// spelledIn gives the place of the literal that spells out a member of an object, through its copies.
func (e *engine) spelledIn(t *Term, key string, depth int) (at model.Span, ok bool) {
	if t == nil || depth > maxTermDepth {
		return at, false
	}
	if t.Kind == TCast {
		return e.spelledIn(t.Args[0], key, depth+1)
	}
	if t.Kind != TRef {
		return at, false
	}
	if e.ownsName(t, []string{key}) {
		return t.Site.Span, true
	}
	for _, of := range []*Term{e.lineage.from[t], e.copies[t]} {
		if at, ok = e.spelledIn(of, key, depth+1); ok {
			return at, true
		}
	}
	return at, false
}

// ownSetting finds where a tool itself says what a hint is that an operation of a function computes for all tools of a table, `row.readOnly ?? true`:
// the setting in the literal at the tool's place, or that literal where it leaves the setting to the default.
func (e *engine) ownSetting(fn *Function, id model.ID, tool model.Span) (at model.Span, ok bool) {
	key, ok := settingRead(fn, id, 0)
	if !ok {
		return at, false
	}
	op := e.literalAt(tool)
	if op == nil {
		return at, false
	}
	for i := range op.Parts {
		switch p := &op.Parts[i]; {
		case p.Spread:
			return at, false
		case p.Key == key:
			return p.Span, p.Span.IsValid()
		}
	}
	return op.Span, true
}

// settingRead gives the name of the one member of what a function is handed that decides a value, beside a constant for where it is absent.
func settingRead(fn *Function, id model.ID, depth int) (key string, ok bool) {
	if id < 0 || depth > maxTermDepth {
		return "", false
	}
	op := &fn.Ops[id]
	switch op.Kind {
	case model.Load:
		return op.Name, op.Name != "" && len(op.Args) > 0 && isHanded(fn, op.Args[0])
	case model.Convert, model.Await, model.Phi:
	default:
		return "", false
	}
	for _, arg := range op.Args {
		if arg >= 0 && fn.Ops[arg].Kind == model.Constant {
			continue
		}
		one, is := settingRead(fn, arg, depth+1)
		if !is || ok && one != key {
			return "", false
		}
		key, ok = one, true
	}
	return key, ok
}

// literalAt gives the object literal that stands at a place, nil if there is none.
func (e *engine) literalAt(at model.Span) *model.Op {
	u := e.unitOf(at.File)
	if u == nil {
		return nil
	}
	for _, fn := range u.funcs {
		for i := range fn.Ops {
			if op := &fn.Ops[i]; op.Kind == model.Object && op.Span == at {
				return op
			}
		}
	}
	return nil
}

// holdsWords reports whether the letters of a text are part of a name.
func holdsWords(name, text string) bool {
	letters := func(s string) string {
		return strings.Map(func(r rune) rune {
			if unicode.IsLetter(r) || unicode.IsDigit(r) {
				return unicode.ToLower(r)
			}
			return -1
		}, s)
	}
	part := letters(text)
	return part != "" && strings.Contains(letters(name), part)
}

// nameKeys gives the keys under which a description holds the name of its tool.
func (e *engine) nameKeys(a model.Access) []string {
	names := []string{"name"}
	for _, path := range e.paths(a) {
		if last := len(path) - 1; last >= 0 && path[last].Kind == model.MemberStep {
			names = append(names, path[last].Name)
		}
	}
	return names
}

// registeredAs gives the place of a tool that a call registers: where its description is written, or the call of the helper that is told its
// name, otherwise the registering call itself. helper is true for a helper's call.
func (e *engine) registeredAs(c *callSite, r *model.Row, st *state, call *Call) (at model.Span, helper bool) {
	within := func(s model.Span) bool {
		return s.File == call.Span.File && s.Offset >= call.Span.Offset && s.EndOffset <= call.Span.EndOffset
	}
	fn := c.a.fn
	names := e.nameKeys(r.Tool.Name)
	operand := func(path model.AccessPath) (i int, id model.ID, ok bool) {
		if len(path) == 0 || path[0].Kind != model.ArgumentStep {
			return 0, model.None, false
		}
		i = path[0].Index
		if i < 0 || i+1 >= len(c.op.Args) || i >= len(c.args) || c.op.Args[i+1] < 0 {
			return 0, model.None, false
		}
		return i, c.op.Args[i+1], true
	}
	for _, path := range slices.Concat(e.paths(r.Tool.Class), e.paths(r.Tool.Name)) {
		i, id, ok := operand(path)
		if !ok {
			continue
		}
		if len(path) > 1 || r.Tool.Class != "" {
			if s, ok := e.definedAt(st, c.args[i], names); ok && !within(s) {
				op := literal(c.args[i])
				return s, op != nil && within(op.Span) && e.lineage.handed[c.args[i]] == s
			}
			continue
		}
		switch op := &fn.Ops[id]; {
		case op.Kind == model.Constant:
			return call.Span, false
		case op.Kind == model.Load && len(op.Args) > 0:
			if s, ok := e.definedAt(st, e.value(st, op.Args[0]), names); ok && !within(s) {
				return s, false
			}
		}
		if p, ok := parameterAt(fn, id); ok {
			if s, ok := e.handedAt(c.a, []int{p}); ok {
				return s, true
			}
		}
		if name, ok := c.args[i].Text(); ok {
			if s, ok := e.namedBy(c, st, id, name, 0); ok && !within(s) {
				return s, false
			}
		}
	}
	return call.Span, false
}
