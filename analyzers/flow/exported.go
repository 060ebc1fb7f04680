package flow

import (
	"slices"
	"sort"
	"strings"

	"github.com/retrysafe/retrysafe/analyzers/model"
)

// Offer says what a unit offers to those who use it from outside the program.
type Offer uint8

// What a unit offers. Handlers and middleware are recognised by their types wherever they are; what else a unit exports is for other programs
// only where it belongs to a library.
const (
	Nothing Offer = iota
	Handlers
	Everything
)

// candidate is a function that a unit offers to others.
type candidate struct {
	name  string
	value *Term // the function, bound to what it is a method of; nil where the method's receiver is made when its turn comes
	fn    *Function
	typ   *Type          // of a method of a class
	typed *model.TypeRef // the declared type of a variable that holds it
}

// exporter evaluates what a program offers to others and uses nowhere: what a library's users would register.
type exporter struct {
	e       *engine
	offers  func(unit string) Offer
	matters map[*Function]bool // leads to a handler, or to something that is worth a look
	handles map[*Function]bool // leads to a handler
	made    map[*Function]bool // evaluated here
	tools   []*Tool
	left    int // exported functions that were not looked at, for want of work
}

// evaluateExported evaluates, after all that is registered, the functions that nothing in the program calls and others can. A handler or
// middleware counts wherever it is; other functions do in the units of libraries alone. A program of which this part is cut short is complete
// all the same.
func (e *engine) evaluateExported(offers func(unit string) Offer, handlers []*model.Row) []*Tool {
	if offers == nil || e.stopped {
		return nil
	}
	e.shapes = handlers
	x := &exporter{e: e, offers: offers, made: map[*Function]bool{}}
	m := e.p.mentioned()
	x.handles = m.leadingTo(e.p, x.mayHandle)
	x.matters = m.leadingTo(e.p, func(f *Function) bool { return x.handles[f] || x.library(f) && e.worthALook(f) })
	var all []candidate
	for _, u := range e.p.units {
		all = append(all, x.candidates(u)...)
	}
	all = slices.DeleteFunc(all, func(c candidate) bool { return c.fn.served || !x.handles[c.fn] && !x.library(c.fn) })
	if len(all) == 0 {
		return nil
	}
	sort.SliceStable(all, func(i, j int) bool { return all[i].typ == nil && all[j].typ != nil })
	cut, total, phase := e.cut, e.total, e.phase
	e.rest, e.total = true, exportedSteps
	e.phase = rootPhase
	x.construct()
	e.phase = entryPhase
	for _, c := range all {
		x.evaluate(c)
	}
	if x.left > 0 {
		e.notes[model.Note{What: itoa(x.left) + " exported functions that nothing in the program calls take more work than the limit: they were not judged"}] = true
	}
	e.rest, e.cut, e.total, e.phase = false, cut, total, phase
	return x.tools
}

// library reports whether a function is of a unit all of whose exports are for others.
func (x *exporter) library(f *Function) bool { return x.offers(f.Unit.Path) == Everything }

// worthALook reports whether a function calls what the catalog knows as an effect, a record, a check or a MAC.
func (e *engine) worthALook(f *Function) bool {
	for i := range f.Ops {
		op := &f.Ops[i]
		if op.Kind != model.Call && op.Kind != model.Spawn || len(op.Args) == 0 || op.Args[0] < 0 {
			continue
		}
		symbol := outsideSymbol(f.Func, op.Args[0])
		if symbol != "" && slices.ContainsFunc(e.rowsOf(symbol), func(r *model.Row) bool {
			return r.Effect != nil || r.Record != nil || r.Query != nil || r.Check != nil || r.Retry != nil || r.Origin != nil && r.Origin.Kind == "hmac"
		}) {
			return true
		}
	}
	return e.signs(f)
}

// outsideSymbol gives the symbol of what lies outside the program where an operation spells it out, "" where it does not.
func outsideSymbol(f *model.Func, id model.ID) string {
	var names []string
	for id >= 0 && len(names) < maxTermDepth {
		op := &f.Ops[id]
		if op.Kind == model.Load && op.Name != "" && len(op.Args) > 0 {
			names = append(names, op.Name)
			id = op.Args[0]
			continue
		}
		if op.Kind != model.External {
			return ""
		}
		slices.Reverse(names)
		return model.CanonicalPackage(op.Name) + "#" + strings.Join(names, ".")
	}
	return ""
}

// candidates lists what a unit exports and matters, in the order of the source.
func (x *exporter) candidates(u *Unit) []candidate {
	e := x.e
	if x.offers(u.Path) == Nothing || !slices.ContainsFunc(u.funcs, func(f *Function) bool { return x.matters[f] }) {
		return nil
	}
	var out []candidate
	if u.Language == model.Go {
		for _, f := range u.funcs {
			if f.Index == 0 || f.Outer > 0 || !exportedInGo(lastName(f.Name)) || !x.matters[f] {
				continue
			}
			c := candidate{name: f.Name, fn: f}
			if f.Type > 0 && f.Type <= len(u.types) {
				c.typ = u.types[f.Type-1]
			} else {
				c.value = e.intern(Term{Kind: TClosure, Fn: f})
			}
			out = append(out, c)
		}
		return out
	}
	names := make([]string, 0, len(u.exports))
	for n, list := range u.exports {
		if slices.ContainsFunc(list, func(x model.Export) bool { return x.Global > 0 }) {
			names = append(names, n)
		}
	}
	sort.Strings(names)
	seen := map[*Function]bool{}
	add := func(c candidate) {
		if c.fn != nil && !seen[c.fn] && x.matters[c.fn] {
			seen[c.fn] = true
			out = append(out, c)
		}
	}
	for _, n := range names {
		value := e.exportedFrom(u, n, 0)
		if value == nil {
			continue
		}
		if n == "default" {
			n = strings.TrimSuffix(u.Path[strings.LastIndexByte(u.Path, '/')+1:], ".ts")
		}
		typed := e.typeOfExport(u, n)
		for _, v := range value.Alternatives() {
			x.offered(n, v, typed, add)
		}
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].fn.Span.Compare(out[j].fn.Span) < 0 })
	return out
}

// typeOfExport gives the declared type of an exported variable, nil where it has none.
func (e *engine) typeOfExport(u *Unit, name string) *model.TypeRef {
	for _, x := range u.exports[name] {
		if x.Global > 0 && x.Global <= len(u.Globals) {
			return u.Globals[x.Global-1].Type
		}
	}
	return nil
}

// offered lists the functions that an exported value gives to others: itself, the methods of a class, the members of an object.
func (x *exporter) offered(name string, v *Term, typed *model.TypeRef, add func(candidate)) {
	e := x.e
	switch v.Kind {
	case TClosure, TOp:
		if fn := closureOf(v); fn != nil {
			add(candidate{name: name, value: v, fn: fn, typed: typed})
		}
	case TCall:
		if targets, _ := e.handlerTargets(v); len(targets) > 0 {
			if fn := closureOf(targets[0]); fn != nil {
				add(candidate{name: name, value: v, fn: fn, typed: typed})
			}
		}
	case TClass:
		if v.Decl == nil || v.Decl.Abstract {
			return
		}
		for i := range v.Decl.Members {
			m := &v.Decl.Members[i]
			if m.Func <= 0 || m.Func >= len(v.Decl.Unit.funcs) || hidden(m.Name) || m.Func == v.Decl.Ctor {
				continue
			}
			c := candidate{name: name + "." + m.Name, fn: v.Decl.Unit.funcs[m.Func], typ: v.Decl}
			if m.Static {
				c.value, c.typ = e.intern(Term{Kind: TClosure, Fn: c.fn}), nil
			}
			add(c)
		}
	case TRef:
		obj := e.heap.global[v]
		if obj == nil {
			return
		}
		for i, key := range obj.keys {
			for _, member := range obj.vals[i].Alternatives() {
				if fn := closureOf(member); fn != nil && !hidden(key) {
					add(candidate{name: name + "." + key, value: member, fn: fn})
				}
			}
		}
		if obj.kind == instanceObject && obj.class != nil && obj.class.Decl != nil {
			x.offered(name, obj.class, nil, add)
		}
	}
}

// hidden reports whether a member is marked as one that others leave alone.
func hidden(name string) bool {
	return name == "" || name == "constructor" || strings.HasPrefix(name, "_") || strings.HasPrefix(name, "#")
}

func exportedInGo(name string) bool { return name != "" && name[0] >= 'A' && name[0] <= 'Z' }

// evaluate evaluates a candidate that nothing has called by now, and what it gives.
func (x *exporter) evaluate(c candidate) {
	e := x.e
	if c.fn.served || x.made[c.fn] {
		return
	}
	x.made[c.fn] = true
	if e.total <= 0 || e.stopped {
		x.left++
		return
	}
	values := []*Term{c.value}
	if c.typ != nil {
		values = nil
		for _, inst := range e.symbolicInstance(c.typ).Alternatives() {
			values = append(values, e.intern(Term{Kind: TClosure, Fn: c.fn, This: inst}))
		}
		values = values[:min(len(values), maxReceivers)]
	}
	x.run(c.name, values, c.typed, 0)
}

// run evaluates some values that are one function of different receivers, as a handler where they have the shape of one.
func (x *exporter) run(name string, values []*Term, typed *model.TypeRef, depth int) {
	e := x.e
	targets, _ := e.handlerTargets(values[0])
	if len(targets) == 0 {
		return
	}
	fn := closureOf(targets[0])
	if fn == nil {
		return
	}
	e.share = min(exportedShare, e.total)
	if s := e.handlerShape(fn, typed); s != nil {
		x.tools = append(x.tools, x.handler(name, fn, values, s))
		return
	}
	t := x.tool(name, fn)
	var sums []*Summary
	for _, v := range values {
		s := e.enter(v, e.symbolic(fn))
		e.commit(s)
		sums = append(sums, s)
	}
	before := len(x.tools)
	if depth < maxGiven {
		for _, s := range sums {
			x.given(name, fn, s, depth)
		}
	}
	gives := slices.ContainsFunc(x.tools[before:], func(g *Tool) bool { return g.Name == name })
	if x.library(fn) && !gives {
		e.fill(t, sums)
		x.tools = append(x.tools, t)
	}
}

// given evaluates the functions that a function gives: the handler of a factory, the methods of an object that it makes.
func (x *exporter) given(name string, fn *Function, s *Summary, depth int) {
	e := x.e
	each := func(v *Term, as string, typed *model.TypeRef) {
		for _, alt := range v.Alternatives() {
			targets, _ := e.handlerTargets(alt)
			if len(targets) == 0 {
				continue
			}
			g := closureOf(targets[0])
			if g == nil || g.served || x.made[g] || !x.library(g) && !x.handles[g] {
				continue
			}
			x.made[g] = true
			x.run(as, []*Term{alt}, typed, depth+1)
		}
	}
	for _, exit := range s.exits {
		if exit.throws || exit.value == nil {
			continue
		}
		for _, alt := range exit.value.Alternatives() {
			results := []*Term{alt}
			if several := exit.results(alt); several != nil && fn.Unit.Language == model.Go {
				results = several
			}
			for _, r := range results {
				each(r, name, fn.Result)
				if r.Kind != TRef {
					continue
				}
				obj := e.heap.global[r]
				if obj == nil || obj.kind == instanceObject {
					continue
				}
				for i, key := range obj.keys {
					if !hidden(key) {
						each(obj.vals[i], name+"."+key, nil)
					}
				}
			}
		}
	}
}

func (x *exporter) tool(name string, fn *Function) *Tool {
	return &Tool{Name: name, Kind: Exported, Span: fn.Span, Registered: fn.Span, Handler: fn.Span, HandlerFn: fn, Language: fn.Unit.Language,
		Confidence: model.Certain}
}

// handler evaluates a handler or middleware as what serves a route of any method. What comes after it stands for an effect of the program that
// would mount it.
func (x *exporter) handler(name string, fn *Function, values []*Term, s *shape) *Tool {
	e := x.e
	t := x.tool(name, fn)
	t.Framework, t.Row, t.Method = s.row.Route.Framework, s.row, "ALL"
	var sums []*Summary
	for _, v := range values {
		sum := e.enterHandler(v, fn, s)
		e.commit(sum)
		sums = append(sums, sum)
	}
	e.fill(t, sums)
	return t
}
