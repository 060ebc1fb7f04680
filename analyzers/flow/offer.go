package flow

import (
	"slices"
	"strings"

	"github.com/retrysafe/retrysafe/analyzers/lazyregexp"
	"github.com/retrysafe/retrysafe/analyzers/model"
)

// A program that calls a model itself offers it tools by their descriptions alone. What runs them is its own code: a table of functions by name, or
// a function that compares the name that the model asked for with those of the tools.

// offered notes a tool that is offered to a model.
func (e *engine) offered(reg *registration, span model.Span) {
	key := "offer:" + reg.name + "@" + span.String()
	if reg.name == "" || e.registered[key] {
		return
	}
	e.registered[key] = true
	reg.span = span
	e.offers = append(e.offers, reg)
}

// offersOf notes the tools that a request to a model carries, where its address says that it is one.
func (e *engine) offersOf(st *state, call *Call, acc *accessor) {
	if call.EffectRow == nil || call.EffectRow.Effect.URL == "" || call.EffectRow.Effect.Body == "" {
		return
	}
	spec := call.EffectRow.Effect
	body := acc.first(spec.Body)
	if body == nil {
		return
	}
	text := requestURL(spec, acc)
	if text == "" {
		return
	}
	for _, r := range e.rowsAbout(text, "POST") {
		if r.Tool == nil || !r.Tool.Offers {
			continue
		}
		request := &accessor{e: e, st: st, recv: acc.recv, args: acc.args, rest: acc.rest, name: acc.name, sym: acc.sym, fn: acc.fn, body: body}
		if group := request.first(r.Tool.Each); group != nil {
			e.registerEach(st, r, call, group, request)
		}
		return
	}
}

// assumption is what is taken for true while a tool is evaluated that a function chooses by name: some operations of it give that name.
type assumption struct {
	id   int32
	fn   *Function
	name *Term
	ops  []model.ID
	// input is what the function is given beside the name, where it reads something called so; tool is the name of the tool within it, where that
	// stands there.
	input  *Term
	called func(name string) bool
	tool   *Term
	bases  []*Term // what the names were read from
}

// matchOffers finds what runs the tools that are offered to models.
func (e *engine) matchOffers() {
	offers := e.offers
	e.offers = nil
	if len(offers) == 0 {
		return
	}
	names := map[string]bool{}
	for _, reg := range offers {
		names[reg.name] = true
	}
	choosers := e.choosers(names)
	for _, reg := range offers {
		if h := e.tableEntry(reg.name); h != nil {
			reg.handler = h
			e.addTool(reg, reg.span)
			continue
		}
		c := chooserOf(choosers, reg.name)
		if c == nil {
			e.unresolved = append(e.unresolved, model.Note{Span: reg.span, What: "a tool is offered to a model here, and what runs it was not found: it is not judged" + named(reg.name)})
			continue
		}
		reg.handler = e.chosenBy(c.fn)
		reg.assume = e.assumption(c.fn, e.text(reg.name), c.ops)
		if len(reg.params) > 0 {
			reg.assume.input, reg.assume.called = e.inputTerm(reg.row, 0, &reg.params[0]), argumentName.MatchString
		}
		reg.confidence = min(reg.confidence, model.Likely)
		e.addTool(reg, reg.span)
	}
}

// argumentName matches what a function that chooses by name calls the arguments that the model gave.
var argumentName = lazyregexp.New(`(?i)^(raw|tool|call|parsed|fn|func(tion)?)?_?(args?|arguments|input|params|parameters)(_?(json|str(ing)?|raw|obj(ect)?))?$`)

// chosenBy gives the handler of the tools that a function chooses by name: what is around the choice.
func (e *engine) chosenBy(fn *Function) *Term {
	entry := fn
	for entry.Outer > 0 && entry.Outer <= len(entry.Unit.funcs) {
		entry = entry.Unit.funcs[entry.Outer-1]
	}
	if entry.Index == 0 {
		entry = fn // the module itself chooses: only what is around the choice
	}
	return e.closureAlone(entry)
}

// closureAlone gives a function, or a method of a class with an instance of it.
func (e *engine) closureAlone(fn *Function) *Term {
	var this *Term
	if fn.This {
		if t := e.p.methodOwner(fn); t != nil && !t.Abstract {
			this = e.symbolicInstance(t).Alternatives()[0]
		}
	}
	return e.intern(Term{Kind: TClosure, Fn: fn, This: this})
}

// chooserArgs builds the arguments of a function that chooses tools by name: those of a route where it is the handler of one.
func (e *engine) chooserArgs(fn *Function) []*Term {
	for _, route := range e.routes {
		for _, h := range route.chain {
			if closureOf(h) == fn && len(route.params) > 0 {
				args := make([]*Term, len(route.params))
				for i := range route.params {
					args[i] = e.inputTerm(route.row, i, &route.params[i])
				}
				return args
			}
		}
	}
	return e.symbolic(fn)
}

func (e *engine) assumption(fn *Function, name *Term, ops []model.ID) *assumption {
	e.assumptions++
	return &assumption{id: e.assumptions, fn: fn, name: name, ops: ops}
}

// tableEntry finds the function that a table of the program holds under a name.
func (e *engine) tableEntry(name string) *Term {
	for _, ref := range sortedRefs(e.heap.global) {
		o := e.heap.global[ref]
		if ref.Kind != TRef || o.kind != plainObject && o.kind != mapObject {
			continue
		}
		if v := o.get(name); v != nil {
			if targets, _ := e.handlerTargets(v); len(targets) > 0 {
				return v
			}
		}
	}
	return nil
}

// chooser is a function that compares a value with names of tools.
type chooser struct {
	fn    *Function
	names map[string]bool
	ops   []model.ID // those that give the value
}

// choosers lists the functions that compare something with names of offered tools, those that know most of them first.
func (e *engine) choosers(names map[string]bool) []*chooser {
	var out []*chooser
	for _, u := range e.p.units {
		for _, f := range u.funcs {
			var c *chooser
			for i := range f.Ops {
				op := &f.Ops[i]
				if op.Kind != model.Compare || op.Name != "==" && op.Name != "!=" || len(op.Args) != 2 {
					continue
				}
				for side, arg := range op.Args {
					value := op.Args[1-side]
					if arg < 0 || value < 0 || f.Ops[arg].Kind != model.Constant || !names[f.Ops[arg].Const.Text] || f.Ops[value].Kind == model.Constant {
						continue
					}
					if c == nil {
						c = &chooser{fn: f, names: map[string]bool{}}
						out = append(out, c)
					}
					c.names[f.Ops[arg].Const.Text] = true
					if !slices.Contains(c.ops, value) {
						c.ops = append(c.ops, value)
					}
				}
			}
		}
	}
	slices.SortStableFunc(out, func(a, b *chooser) int { return len(b.names) - len(a.names) })
	return out
}

func chooserOf(list []*chooser, name string) *chooser {
	for _, c := range list {
		if c.names[name] {
			return c
		}
	}
	return nil
}

// supposed gives what an operation is taken to give while a tool is evaluated that a function chooses by name: mostly what it gives.
func (e *engine) supposed(fn *Function, st *state, op *model.Op, id model.ID, value *Term) *Term {
	a := e.assume
	if a == nil {
		return value
	}
	var base *Term
	if op.Kind == model.Load && len(op.Args) > 0 {
		base = e.value(st, op.Args[0])
	}
	if a.fn == fn && slices.Contains(a.ops, id) {
		if base != nil && base.Kind != TConst && !slices.Contains(a.bases, base) {
			a.bases = append(a.bases, base)
		}
		return a.name
	}
	if a.input == nil || value == nil {
		return value
	}
	switch {
	case a.fn == fn && a.called(fn.names(id)), base != nil && a.called(op.Name) && slices.Contains(a.bases, base):
		return a.input
	}
	if read := uncast(value); a.tool != nil && read.Kind == TMember && strings.EqualFold(read.Name, "name") && unwrapped(read.Args[0]) == a.input {
		return a.tool
	}
	return value
}

// names gives what the source calls the value of an operation: the member or variable that is read, or the parameter; "" for any other.
func (f *Function) names(id model.ID) string {
	if id < 0 || int(id) >= len(f.Ops) {
		return ""
	}
	op := &f.Ops[id]
	switch op.Kind {
	case model.Parameter:
		if op.Ref >= 0 && int(op.Ref) < len(f.Params) {
			return f.Params[op.Ref].Name
		}
	case model.FreeVar:
		if op.Ref >= 0 && int(op.Ref) < len(f.FreeVars) {
			return f.FreeVars[op.Ref]
		}
	case model.Alloc:
		return op.Name
	case model.Load:
		if op.Name == "" && len(op.Args) == 1 {
			if held := op.Args[0]; held >= 0 && held != id && f.Ops[held].Kind != model.Load {
				return f.names(held)
			}
			return ""
		}
		return op.Name
	}
	return ""
}

func uncast(t *Term) *Term {
	for t.Kind == TCast {
		t = t.Args[0]
	}
	return t
}

// unwrapped gives what a value was decoded or cast from.
func unwrapped(t *Term) *Term {
	for depth := 0; depth < maxTermDepth; depth++ {
		switch {
		case t.Kind == TCast:
			t = t.Args[0]
		case t.Kind == TCall && len(t.Args) > 1 && t.Name != "" && inputRoot(t) == nil:
			t = t.Args[1]
		default:
			return t
		}
	}
	return t
}
