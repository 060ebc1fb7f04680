package flow

import (
	"slices"
	"strings"

	"github.com/retrysafe/retrysafe/analyzers/model"
)

// registration is a tool or route that the program registers.
type registration struct {
	row         *model.Row
	call        *Call
	kind        ToolKind
	framework   string
	name        string
	span        model.Span
	handler     *Term
	params      []model.Input
	description *Term
	schema      *Term
	annotations *Term
	hints       []Annotation // those that stand one by one
	properties  []Param
	nameSpan    model.Span
	// of a dispatching server: the request is built around the name
	dispatch *model.Tool
	// of a route
	recv       *Term
	method     string
	path       string
	chain      []*Term
	around     []*Term // wrappers of the handlers
	gives      *Term   // the router for whose routes a group's handlers count
	order      int
	mount      bool
	confidence model.Confidence
	done       bool
	// the name is one of several that the source does not tell apart
	vague bool
	// the description plainly has no handler, and its framework leaves such a tool to the caller
	remote bool
	// neither a name nor a handler: what a factory in Go gives beside an error
	void bool
	// span is the call of a helper that registers the tool
	helper bool
	// of a tool that a function of the program chooses by its name
	assume *assumption
	// other registrations of the same description: a table of tools that several servers take
	also []*registration
}

// listing is half of a low-level server: the handler that lists tools, or the one that serves them.
type listing struct {
	row     *model.Row
	call    *Call
	recv    *Term
	handler *Term
	list    bool
	matched bool
}

func (e *engine) registerCall(c *callSite, st *state, r *model.Row, call *Call) {
	acc := &accessor{e: e, st: st, recv: c.recv, args: c.args, rest: c.rest, name: c.name, sym: call.Symbol, fn: c.a.fn, result: call.Result}
	if r.Route != nil {
		if r.Route.Declares {
			e.declareHandlers(c.args, r)
			return
		}
		e.registerRoute(c, st, r, call, acc)
		return
	}
	t := r.Tool
	switch {
	case strings.HasPrefix(string(t.Handler), "Decorated"), strings.HasPrefix(string(t.Class), "Subclass"):
		// the call only makes the decorator, or runs the constructor of the base: what it is applied to is the tool, or what extends it
	case r.Refines:
		e.reregister(st, c.recv, r, acc)
	case t.List || t.Dispatch:
		key := "list:" + call.Symbol + ":" + itoa(int(c.a.fn.id)) + ":" + itoa(int(c.id))
		h := acc.first(t.Handler)
		if h != nil {
			key += ":" + itoa(h.ID())
		}
		if e.registered[key] {
			return
		}
		e.registered[key] = true
		e.pin(h)
		e.lists = append(e.lists, &listing{row: r, call: call, recv: call.Recv, handler: h, list: t.List})
	case t.Each != "":
		group := acc.first(t.Each)
		if group == nil {
			return
		}
		e.registerEach(st, r, call, group, acc)
	case t.Defines:
		e.defined = append(e.defined, definition{r, call, e.define(st, r, call, acc, nil, "")})
	default:
		if reg := e.define(st, r, call, acc, nil, ""); reg != nil {
			span, helper := e.registeredAs(c, r, st, call)
			reg.helper = helper
			e.addTool(reg, span)
		}
	}
}

type definition struct {
	row  *model.Row
	call *Call
	reg  *registration
}

// registerEach registers the elements of a group of tool descriptions.
func (e *engine) registerEach(st *state, r *model.Row, call *Call, group *Term, acc *accessor) {
	for _, g := range group.Alternatives() {
		elems, keys, exact := e.elements(st, g)
		if g.Kind == TObject {
			elems, exact = g.Args, true
			keys = nil
			for _, k := range g.Keys {
				keys = append(keys, e.text(k))
			}
		}
		for i, el := range elems {
			key := ""
			if keys != nil {
				key, _ = keys[i].Text()
			}
			for _, one := range el.Alternatives() {
				if def := e.definedBy(one); def != nil {
					if key != "" && (def.row.Tool.NameByKey || def.name == "") {
						cp := *def
						cp.name = key
						def = &cp
					}
					e.addTool(def, def.span)
					continue
				}
				if e.foundByClass(st, one) {
					continue
				}
				if reg := e.define(st, r, call, acc, one, key); reg != nil {
					span := call.Span
					if s, ok := e.definedAt(st, one, e.nameKeys(r.Tool.Name)); ok {
						span = s
					} else if one.Site != nil && one.Site.Span.IsValid() && one.Kind != TConst {
						span = one.Site.Span
					}
					if r.Tool.Offers {
						e.offered(reg, span)
						continue
					}
					e.addTool(reg, span)
				}
			}
		}
		if !exact && !g.IsNullish() && !(g.Kind == TObject) {
			e.unresolved = append(e.unresolved, model.Note{Span: call.Span, What: "a group of tools that is not known in full is registered here: some of its tools may be missing"})
		}
	}
}

// definedBy gives the tool that a defining call made.
func (e *engine) definedBy(t *Term) *registration {
	if t.Kind == TCast {
		t = t.Args[0]
	}
	return e.definitions[t]
}

// define reads a tool's description from a call, or from an element of a group.
func (e *engine) define(st *state, r *model.Row, call *Call, acc *accessor, el *Term, key string) *registration {
	t := r.Tool
	at := func(a model.Access) *Term {
		if a == "" {
			return nil
		}
		if el != nil {
			return acc.over(el, a)
		}
		return acc.first(a)
	}
	reg := &registration{row: r, call: call, kind: ToolKind(t.Kind), framework: t.Framework, params: t.Parameters, span: call.Span, confidence: model.Certain}
	if reg.kind == "" {
		reg.kind = MCPTool
	}
	if t.Class != "" {
		el = at(t.Class)
		if el == nil {
			return nil
		}
		if el.Kind == TClass {
			inst := e.symbolicInstance(el.Decl)
			reg.span = el.Decl.Span
			el = inst
		}
		for _, alt := range el.Alternatives() {
			if alt.Kind == TRef {
				el = alt
				if alt.Decl != nil {
					reg.span = alt.Decl.Span
				}
				break
			}
		}
	}
	if name := at(t.Name); name != nil {
		for _, alt := range name.Alternatives() {
			if text, ok := alt.Text(); ok && text != "" {
				if reg.name != "" {
					reg.vague = true
					break
				}
				reg.name = text
			}
		}
		if reg.name == "" {
			if text := holeText(name); strings.Trim(text, "\x00") != "" {
				reg.name = strings.ReplaceAll(text, "\x00", "*")
				reg.confidence = model.Likely
			}
		}
	}
	if reg.name == "" && key != "" {
		reg.name = key
	}
	freeze := func(v *Term) *Term {
		if v == nil {
			return nil
		}
		return e.freeze(st, v, maxFreeze+2)
	}
	reg.description = freeze(at(t.Description))
	reg.schema = freeze(at(t.Schema))
	if v := at(t.Annotations); !e.leftToBase(st, v) {
		reg.annotations = freeze(v)
	}
	for _, h := range t.Hints {
		v := at(h.At)
		if v == nil || e.leftToBase(st, v) {
			continue
		}
		hint := Annotation{Name: h.Name, Span: call.Span}
		if text, ok := v.IsConst(); ok {
			hint.Value = text
		}
		if v.Site != nil && v.Site.Span.IsValid() {
			hint.Span = v.Site.Span
		} else if option := at(e.ownerOf(h.At)); option != nil && option.Kind == TCall && option.Site != nil && option.Site.Span.IsValid() {
			hint.Span = option.Site.Span // WithReadOnlyHintAnnotation(true): a constant has no place
			if op, last := made(option), e.lastArgument(h.At); op != nil && op.Kind == model.Call && last+1 < len(op.Args) {
				hint.fn, hint.by = option.Site.Fn, op.Args[last+1]
			}
		}
		reg.hints = append(reg.hints, hint)
	}
	if t.Properties != nil {
		reg.properties = e.builtProperties(acc, at(t.Properties.At), t.Properties)
	}
	reg.handler = at(t.Handler)
	e.pin(reg.handler)
	if reg.handler == nil {
		reg.remote = t.Remote
		reg.void = reg.name == "" && call.Fn != nil && call.Fn.Unit.Language == model.Go
		reg.handler = e.unknown("handler", call.Site)
	}
	if old := e.definitions[call.Result]; t.Defines && (old == nil || old.row == r || old.call != call) {
		e.definitions[call.Result] = reg // the first row says what the call defines
	}
	return reg
}

// leftToBase reports whether a value is a member of an instance that no class of the program sets: what a class outside the program has
// there is its default, and says nothing about the tool.
func (e *engine) leftToBase(st *state, v *Term) bool {
	if v == nil {
		return false
	}
	for _, alt := range v.Alternatives() {
		if alt.Kind != TMember || alt.Args[0].Kind != TRef {
			return false
		}
		obj := e.contents(st, alt.Args[0])
		if obj == nil || obj.kind != instanceObject || obj.open || obj.base != nil || e.baseSymbol(obj.class) == "" {
			return false
		}
	}
	return true
}

// lastArgument gives the index of the argument that ends an access path.
func (e *engine) lastArgument(a model.Access) int {
	for _, path := range e.paths(a) {
		return path[len(path)-1].Index
	}
	return 0
}

// ownerOf gives the access path of the call whose argument a path gives, "" for another path.
func (e *engine) ownerOf(a model.Access) model.Access {
	paths := e.paths(a)
	if len(paths) != 1 {
		return ""
	}
	last := len(paths[0]) - 1
	if last < 1 || paths[0][last].Kind != model.ArgumentStep {
		return ""
	}
	return model.Access(paths[0][:last].String())
}

// handlerMember gives the handler of a defined tool where its member of that name is read: tools.add.execute(args).
func (e *engine) handlerMember(t *Term, name string) *Term {
	def := e.definitions[t]
	if def == nil {
		return nil
	}
	for _, path := range e.paths(def.row.Tool.Handler) {
		if last := len(path) - 1; last >= 0 && path[last].Kind == model.MemberStep && path[last].Name == name {
			if targets, _ := e.handlerTargets(def.handler); len(targets) > 0 {
				return def.handler
			}
		}
	}
	return nil
}

// over reads an access path that starts at an element of a group.
func (x *accessor) over(el *Term, a model.Access) *Term {
	for _, path := range x.e.paths(a) {
		v := el
		if path[0].Kind != model.MemberStep && path[0].Kind != model.ElementStep {
			if w, _ := x.path(path); w != nil {
				return w
			}
			continue
		}
		for _, s := range path {
			if v = x.step(v, s); v == nil {
				break
			}
		}
		if v != nil && !v.IsNullish() {
			return v
		}
	}
	return nil
}

// named adds the name of a tool to a remark, nothing where it has none.
func named(name string) string {
	if name == "" {
		return ""
	}
	return ": `" + strings.ReplaceAll(name, "`", "'") + "`"
}

// addTool adds a registration once per place and name.
func (e *engine) addTool(reg *registration, span model.Span) {
	reg.span = span
	if reg.remote {
		e.unresolved = append(e.unresolved, model.Note{Span: span, What: "a tool without a handler, which the caller runs, is not judged" + named(reg.name)})
		return
	}
	if reg.void {
		return
	}
	if reg.name == "" {
		if !slices.Contains(e.unnamed, reg) {
			e.unnamed = append(e.unnamed, reg)
		}
		return
	}
	key := "tool:" + reg.name + "@" + span.String() + "@" + reg.call.Span.String()
	if e.registered[key] {
		for _, old := range e.registrations {
			if old.name != reg.name || old.span != span || old.done || old.handler == reg.handler {
				continue
			}
			known, _ := e.handlerTargets(old.handler)
			more, _ := e.handlerTargets(reg.handler)
			switch {
			case len(more) == 0:
			case len(known) == 0 || old.vague && !reg.vague:
				// a later evaluation knows the handler better
				*old = *reg
			case len(known) < maxHandlers:
				// the same tool of a server that is built in several ways
				old.handler = e.union(old.handler, reg.handler)
			}
		}
		return
	}
	e.registered[key] = true
	reg.order = len(e.registrations)
	e.registrations = append(e.registrations, reg)
}

// mergeRegistrations joins the registrations of one description, beginning with number from: a table of tools that several servers or adapters
// take is one set of tools, whose handlers are all evaluated.
func (e *engine) mergeRegistrations(from int) {
	names := map[model.Span]map[string]bool{}
	for _, r := range e.registrations {
		if names[r.call.Span] == nil {
			names[r.call.Span] = map[string]bool{}
		}
		names[r.call.Span][r.name] = true
	}
	described := func(r *registration) bool { return r.span != r.call.Span && !r.helper }
	table := func(r *registration) bool { return len(names[r.call.Span]) > 1 }
	same := func(a, b *registration) bool {
		if a.kind == b.kind && a.span == b.span && described(a) && described(b) {
			return true
		}
		return a.call.Span != b.call.Span && table(a) && table(b) && sameOpening(a.description, b.description) &&
			!(described(a) && described(b))
	}
	byName := map[string][]int{}
	kept := append([]*registration(nil), e.registrations[:from]...)
	precise := map[string]bool{}
	for _, r := range e.registrations {
		if !r.vague {
			precise[r.name] = true
		}
	}
	for _, r := range e.registrations[from:] {
		// a table seen as one unknown element, and elsewhere tool by tool
		merged := r.vague && precise[r.name]
		for _, i := range byName[r.name] {
			if old := kept[i]; same(old, r) {
				first, second := old, r
				if !described(old) && described(r) {
					first, second = r, old
				}
				first.also = append(append(first.also, second), second.also...)
				second.also = nil
				if first.annotations == nil {
					first.annotations = second.annotations
				}
				kept[i], merged = first, true
				break
			}
		}
		if !merged {
			byName[r.name] = append(byName[r.name], len(kept))
			kept = append(kept, r)
		}
	}
	e.registrations = kept
}

// sameOpening reports whether two descriptions are one, or begin with the same text of some length where what follows depends on settings:
// the texts that one of them may be are compared with those that the other may be, up to what the source does not tell.
func sameOpening(a, b *Term) bool {
	if a == nil || b == nil {
		return false
	}
	const enough = 24
	for _, x := range a.Alternatives() {
		known, open, _ := strings.Cut(holeText(x), "\x00")
		for _, y := range b.Alternatives() {
			other, more, _ := strings.Cut(holeText(y), "\x00")
			n := commonPrefix(known, other)
			whole := n == len(known) && n == len(other)
			if whole && x == y && n > 0 || n >= enough && (whole || open != "" && n == len(known) || more != "" && n == len(other)) {
				return true
			}
		}
	}
	return false
}

// commonPrefix gives the number of bytes with which both texts begin.
func commonPrefix(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// routeMethods are the words with which a pattern of paths may begin.
var routeMethods = map[string]bool{"GET": true, "HEAD": true, "POST": true, "PUT": true, "PATCH": true, "DELETE": true, "OPTIONS": true, "CONNECT": true, "TRACE": true}

// registerRoute registers an HTTP route or a mounted middleware.
func (e *engine) registerRoute(c *callSite, st *state, r *model.Row, call *Call, acc *accessor) {
	rt := r.Route
	reg := &registration{row: r, call: call, kind: HTTPRoute, framework: rt.Framework, params: rt.Parameters, span: call.Span,
		recv: c.recv, method: rt.Method, mount: rt.Mount, confidence: model.Certain}
	if reg.method == "" {
		if v := acc.first(rt.MethodAt); v != nil {
			reg.method = strings.ToUpper(textOr(v))
		}
	}
	if v := acc.first(rt.Path); v != nil {
		reg.path = strings.ReplaceAll(holeText(v), "\x00", "*")
	}
	if method, path, ok := strings.Cut(reg.path, " "); ok && reg.method == "" && routeMethods[method] {
		reg.method, reg.path = method, strings.TrimSpace(path) // the pattern begins with it
	}
	if reg.path == "" && rt.Under != "" {
		reg.path = filedPath(call.Span.File, rt.Under, rt.Leaf)
	}
	handlers := acc.first(rt.Handlers)
	if rt.Group {
		reg.gives = e.groupRouter(c, st, r, call)
	}
	if handlers == nil && reg.gives == nil {
		return
	}
	if v := acc.first(rt.Around); v != nil {
		reg.around = e.handlersIn(st, v)
	}
	var flat func(t *Term, depth int)
	flat = func(t *Term, depth int) {
		if depth < 4 {
			if elems, _, _ := e.elements(st, t); e.builtinType(st, t) == "Array" {
				for _, el := range elems {
					flat(el, depth+1)
				}
				return
			}
		}
		if text, ok := t.Text(); ok {
			if reg.path == "" {
				reg.path = text
			}
			return
		}
		reg.chain = append(reg.chain, e.required(t))
	}
	if handlers != nil {
		flat(handlers, 0)
	}
	if reg.gives != nil {
		reg.chain = append(reg.chain, reg.gives)
	}
	if len(reg.chain) == 0 {
		return
	}
	for _, h := range reg.around {
		e.pin(h)
	}
	for _, h := range reg.chain {
		e.pin(h)
	}
	e.pin(reg.recv)
	key := "route:" + call.Symbol + call.Span.String() + ":" + reg.path
	for _, h := range reg.chain {
		key += ":" + itoa(h.ID())
	}
	if e.registered[key] {
		return
	}
	e.registered[key] = true
	reg.handler = reg.chain[len(reg.chain)-1]
	reg.name = strings.TrimSpace(reg.method + " " + reg.path)
	if reg.name == "" {
		reg.name = "middleware"
	}
	reg.order = len(e.routes)
	e.routes = append(e.routes, reg)
}

func (e *engine) transport(r *model.Row, call *Call) {
	use := TransportUse{Kind: r.Transport.Kind, Span: call.Span}
	for _, t := range e.transports {
		if t == use {
			return
		}
	}
	e.transports = append(e.transports, use)
}

// decorate evaluates a decorator. What decorators register is read from rows over the decorator's symbol.
func (e *engine) decorate(a *activation, st *state, op *model.Op, id model.ID) *Term {
	dec := e.value(st, op.Args[0])
	target := e.undefined
	if len(op.Args) > 1 {
		target = e.value(st, op.Args[1])
	}
	call := e.calls[dec]
	if call == nil {
		return target
	}
	for _, r := range e.rowsOf(strings.TrimSuffix(dec.Sym, "()")) {
		if r.Input != nil && target.Kind == TClass && op.Ref > 0 {
			e.decorateParameter(target, op, r, call)
			return target
		}
		if r.Tool == nil && r.Route == nil || target.Kind != TClass || op.Name == "" || op.Ref > 0 {
			continue
		}
		acc := e.recorded(call)
		inst := e.symbolicInstance(target.Decl)
		for _, alt := range inst.Alternatives() {
			method := e.classMember(alt, target, op.Name, 0)
			if method == nil || method.Kind != TClosure {
				continue
			}
			acc.recv = method
			if !acc.matches(r) {
				continue
			}
			if r.Route != nil {
				_, path, _ := strings.Cut(strings.TrimSuffix(call.Symbol, "()"), "#")
				acc.name = lastName(path)
				e.registerRoute(&callSite{}, st, r, call, acc)
				break
			}
			if reg := e.define(st, r, call, acc, nil, op.Name); reg != nil {
				reg.handler = method
				e.addTool(reg, call.Span)
			}
			break
		}
	}
	return target
}

// subclass looks for rows that speak of classes of the program by what they extend.
func (e *engine) subclass(a *activation, st *state, class *Term, op *model.Op) {
	sym := e.baseSymbol(class)
	if sym == "" || class.Decl.Abstract {
		return
	}
	for _, r := range e.rowsOf(sym) {
		if r.Tool == nil && r.Route == nil {
			continue
		}
		uses := r.Route != nil && strings.HasPrefix(string(r.Route.Handlers), "Subclass")
		if r.Tool != nil {
			for _, acc := range []model.Access{r.Tool.Class, r.Tool.Handler, r.Tool.Name} {
				uses = uses || strings.HasPrefix(string(acc), "Subclass")
			}
		}
		if uses {
			e.subclasses = append(e.subclasses, subclassUse{r, class})
		}
	}
}

// foundByClass reports whether a value is an instance of a class that is a tool by what it extends.
func (e *engine) foundByClass(st *state, t *Term) bool {
	obj := e.contents(st, t)
	return obj != nil && obj.kind == instanceObject && obj.class != nil && slices.ContainsFunc(e.subclasses, func(s subclassUse) bool {
		return s.row.Tool != nil && s.class.Decl == obj.class.Decl
	})
}

type subclassUse struct {
	row   *model.Row
	class *Term
}
