package flow

import (
	"slices"

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
		entry := c.fn
		for entry.Outer > 0 && entry.Outer <= len(entry.Unit.funcs) {
			entry = entry.Unit.funcs[entry.Outer-1]
		}
		if entry.Index == 0 {
			entry = c.fn // the module itself chooses: only what is around the choice
		}
		var this *Term
		if entry.This {
			if t := e.p.methodOwner(entry); t != nil && !t.Abstract {
				this = e.symbolicInstance(t).Alternatives()[0]
			}
		}
		reg.handler = e.intern(Term{Kind: TClosure, Fn: entry, This: this})
		e.assumptions++
		reg.assume = &assumption{id: e.assumptions, fn: c.fn, name: e.text(reg.name), ops: c.ops}
		reg.confidence = min(reg.confidence, model.Likely)
		e.addTool(reg, reg.span)
	}
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

// assumed gives the name that an operation is taken to give while a tool is evaluated, nil for any other.
func (e *engine) assumed(fn *Function, id model.ID) *Term {
	if a := e.assume; a != nil && a.fn == fn && slices.Contains(a.ops, id) {
		return a.name
	}
	return nil
}
