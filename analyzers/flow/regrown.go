package flow

import (
	"slices"
	"strings"

	"github.com/retrysafe/retrysafe/analyzers/model"
)

// A file that is written as a whole converges, unless what is written is what stood there with something added: another entry of a list, a counter that is one
// higher, a text that is longer. Such a tool adds with each call, as one does that appends.

// change is what an entry does to a value that comes from a file, or that outlives the entry, and that may be written to a file afterwards.
type change struct {
	of    *Term
	key   *Term // of an assignment
	value *Term // what is assigned or added
	grows bool  // an element is added
}

// growing are the methods by which a list gains an element.
var growing = set(`push unshift add append`)

// changeRow is what a change is taken for where it is no call.
var changeRow = &model.Row{Safe: true, Trusted: true}

// noteAssigned keeps the assignment to a member of what a file held.
func (e *engine) noteAssigned(a *activation, st *state, op *model.Op, id model.ID, target, key, value *Term) {
	if !e.entered || key == nil || !e.fromFile(target, 0) {
		return
	}
	c := &callSite{a: a, op: op, id: id, recv: target, name: "assign", args: []*Term{key, value}, inner: true}
	call := e.makeCall(c, st, e.symbol("js#change"), "js#change", []*model.Row{changeRow}, false)
	call.change = &change{of: target, key: key, value: e.freeze(st, value, maxFreeze)}
	e.addStep(a, id, call, nil, st.facts, op.Span, call.Callee)
}

// notePushed keeps the addition of an element to what a file held, or to a list of the process.
func (e *engine) notePushed(c *callSite, st *state) {
	if !e.entered || c.recv == nil || len(c.args) == 0 || !growing[c.name] {
		return
	}
	for _, alt := range c.recv.Alternatives() {
		if alt.Kind == TRef && e.outlasting(alt) == nil || alt.Kind != TRef && !e.fromFile(alt, 0) {
			continue
		}
		n := *c
		n.recv = alt
		call := e.makeCall(&n, st, e.symbol("js#change"), "js#change", []*model.Row{changeRow}, false)
		call.change = &change{of: alt, value: e.freeze(st, c.args[0], maxFreeze), grows: true}
		e.addStep(c.a, c.id, call, nil, st.facts, c.op.Span, call.Callee)
	}
}

// fromFile reports whether a value is what a file held, decoded or not, or a part of it.
func (e *engine) fromFile(t *Term, depth int) bool {
	if t == nil || depth > maxTermDepth {
		return false
	}
	switch t.Kind {
	case TMember, TIndex, TElement, TCast:
		return e.fromFile(t.Args[0], depth+1)
	case TUnion:
		return slices.ContainsFunc(t.Args, func(alt *Term) bool { return e.fromFile(alt, depth+1) })
	case TCall:
		c := e.calls[t]
		if c != nil && c.EffectRow != nil {
			return c.EffectRow.Effect.Kind == model.File && c.EffectRow.Effect.Nature == model.Read
		}
		if c != nil && (c.Unresolved || c.RecordRow != nil || c.QueryRow != nil) {
			return false
		}
		for _, arg := range t.Args[:min(2, len(t.Args))] {
			if e.fromFile(arg, depth+1) {
				return true
			}
		}
	}
	return false
}

// markAdding makes the writes of whole files that add to what the files held the additions that they are.
func (e *engine) markAdding(t *Tool) {
	var grown []*Term // places of files that are written so, to be moved to where they belong
	for _, x := range t.Effects {
		if x.Kind != model.File || x.Nature != model.Replacing {
			continue
		}
		if movesFile(x.Symbol) {
			if len(x.Args) > 0 && slices.Contains(grown, x.Args[0]) {
				x.Nature = model.Additive
			}
			continue
		}
		if !slices.ContainsFunc(x.Args, func(v *Term) bool { return e.adds(t, x, v) }) {
			continue
		}
		if passing(t, x) {
			grown = append(grown, x.Args[0])
			continue
		}
		x.Nature = model.Additive
	}
}

// adds reports whether what is written to a file holds what a file held, and more with each call.
func (e *engine) adds(t *Tool, x *Effect, written *Term) bool {
	if e.longer(written) && !searched(x.Event) {
		return true
	}
	for _, ev := range t.Events {
		ch := ev.change
		if ch == nil || ev.Order >= x.Order || !e.partOf(written, ch.of) {
			continue
		}
		switch {
		case ch.grows:
			if !searched(ev) && !searched(x.Event) {
				return true
			}
		case e.counts(ch.value, ch.key) || e.fresh(ch.key):
			return true
		case e.longer(ch.value) && !searched(ev):
			return true
		}
	}
	return false
}

// partOf reports whether a written value is, or has in it, the one that was changed, or what that is a part of.
func (e *engine) partOf(written, of *Term) bool {
	for depth := 0; of != nil && depth < maxTermDepth; depth++ {
		if of.Kind == TRef {
			return written.Any(func(t *Term) bool {
				return t == of || t.Kind != TRef && t.Site != nil && t.Site == of.Site && (t.Kind == TArray || t.Kind == TObject)
			})
		}
		if written.Contains(of) {
			return true
		}
		if len(of.Args) == 0 {
			return false
		}
		next := of.Args[0]
		if of.Kind == TCall && next.IsNullish() && len(of.Args) > 1 {
			next = of.Args[1]
		}
		if of.Kind == TUnion {
			return slices.ContainsFunc(of.Args, func(alt *Term) bool { return e.partOf(written, alt) })
		}
		of = next
	}
	return false
}

// longer reports whether a value is a list or text from a file with something added, or has in it such a one or a number counted on from the file's.
func (e *engine) longer(v *Term) bool {
	return v.Any(func(t *Term) bool {
		switch t.Kind {
		case TArray:
			rest, more := false, false
			for i, el := range t.Args {
				if i < len(t.Keys) && t.Keys[i] == "..." {
					for _, alt := range el.Alternatives() {
						if e.fromFile(alt, 0) {
							rest = rest || !alt.Any(filtered)
						} else {
							more = more || alt.Kind == TElement // of another list that was put behind it
						}
					}
				} else {
					more = more || !e.fromFile(el, 0)
				}
			}
			return rest && more
		case TConcat:
			return len(t.Args) > 1 && slices.ContainsFunc(t.Args, func(p *Term) bool { return p.Kind == TCall && e.wholeText(p) })
		case TOp:
			return (t.Name == "+" || t.Name == "-") && slices.ContainsFunc(t.Args, e.wholeText)
		case TObject:
			for i, key := range t.Keys {
				if key != "..." && e.counts(t.Args[i], e.text(key)) {
					return true
				}
			}
		}
		return false
	})
}

// spellsAgain are the functions that give what a whole text says, as text or as a number.
var spellsAgain = set(`trim trimend trimstart trimright trimleft trimspace tostring string number parseint parsefloat atoi parse`)

// wholeText reports whether a value is all that stood in a file, as text or as the one number that it spells.
func (e *engine) wholeText(t *Term) bool {
	for depth := 0; t != nil && depth < maxTermDepth; depth++ {
		if t.Kind == TCast {
			t = t.Args[0]
			continue
		}
		if t.Kind != TCall {
			return false
		}
		if c := e.calls[t]; c != nil && c.EffectRow != nil {
			return c.EffectRow.Effect.Kind == model.File && c.EffectRow.Effect.Nature == model.Read
		}
		if len(t.Args) == 0 || !spellsAgain[strings.ToLower(t.Name)] {
			return false
		}
		if next := t.Args[0]; !next.IsNullish() || len(t.Args) == 1 {
			t = next
		} else {
			t = t.Args[1]
		}
	}
	return false
}

// filtered reports whether a value leaves elements out, as what replaces one of them does.
func filtered(t *Term) bool { return t.Kind == TCall && (t.Name == "filter" || t.Name == "reject") }

// counts reports whether what is assigned to a member of what a file held goes on from what the member was: more, less, or the opposite.
func (e *engine) counts(value, key *Term) bool {
	return value != nil && value.Any(func(t *Term) bool {
		return t.Kind == TOp && (t.Name == "+" || t.Name == "-" || t.Name == "*" || t.Name == "!") &&
			slices.ContainsFunc(t.Args, func(operand *Term) bool {
				return slices.ContainsFunc(operand.Alternatives(), func(alt *Term) bool { return e.memberOfFile(alt, key) })
			})
	})
}

func (e *engine) memberOfFile(t, key *Term) bool {
	for t.Kind == TCast {
		t = t.Args[0]
	}
	switch t.Kind {
	case TMember:
		name, ok := key.Text()
		return ok && t.Name == name && e.fromFile(t.Args[0], 0)
	case TIndex:
		return len(t.Args) > 1 && t.Args[1] == key && e.fromFile(t.Args[0], 0)
	}
	return false
}

// searching are the functions that look for an element.
var searching = set(`find findindex findlast findlastindex some every includes indexof has hasownproperty filter contains containsfunc index indexfunc`)

// searched reports whether one of the functions that lead to an event looks, on the way to it, for an element of a list: what it adds is then added once.
func searched(ev *Event) bool {
	for i := range ev.Chain {
		if s := &ev.Chain[i]; s.fn != nil && s.fn.searchesBefore(s.op) {
			return true
		}
	}
	return false
}

// searchesBefore reports whether a function searches a list in a block from which control gets to an operation.
func (f *Function) searchesBefore(at model.ID) bool {
	if at < 0 || f.blockOfOp(at) == nil {
		return false
	}
	to := f.opBlock[at]
	for b := range f.Blocks {
		for _, id := range f.Blocks[b].Ops {
			if f.searches(id) && f.leads(model.BlockID(b), to) {
				return true
			}
		}
	}
	return false
}

// searches reports whether an operation looks for an element: a call that is named for it, or the comparison of an element in a loop with a value.
func (f *Function) searches(id model.ID) bool {
	op := &f.Ops[id]
	switch op.Kind {
	case model.Call:
		if op.Args[0] < 0 {
			return false
		}
		callee := &f.Ops[op.Args[0]]
		return callee.Kind == model.Load && searching[strings.ToLower(callee.Name)]
	case model.Compare:
		if op.Name == "in" {
			return true
		}
		if !strings.HasSuffix(op.Name, "==") && !strings.HasPrefix(op.Name, "!=") {
			return false
		}
		for i, arg := range op.Args[:min(2, len(op.Args))] {
			other := op.Args[1-i]
			if other >= 0 && f.Ops[other].Kind != model.Constant && f.element(arg) {
				return true
			}
		}
	}
	return false
}

// element reports whether an operation gives an element of what a loop walks, or a part of it.
func (f *Function) element(id model.ID) bool {
	for range maxTermDepth {
		if id < 0 {
			return false
		}
		switch op := &f.Ops[id]; op.Kind {
		case model.Element:
			return true
		case model.Load:
			if len(op.Args) > 1 && op.Name == "" {
				return true
			}
			id = op.Args[0]
			if f.Ops[id].Kind == model.Alloc && op.Name == "" {
				return f.holdsElement(id)
			}
		case model.Convert:
			id = op.Args[0]
		default:
			return false
		}
	}
	return false
}

// holdsElement reports whether a variable is given an element of what a loop walks.
func (f *Function) holdsElement(cell model.ID) bool {
	for i := range f.Ops {
		op := &f.Ops[i]
		if op.Kind == model.Store && op.Name == "" && len(op.Args) == 2 && op.Args[0] == cell && op.Args[1] >= 0 && f.Ops[op.Args[1]].Kind == model.Element {
			return true
		}
	}
	return false
}

// leads reports whether control gets from a block to another one, or both are the same.
func (f *Function) leads(from, to model.BlockID) bool {
	seen := make([]bool, len(f.Blocks))
	work := []model.BlockID{from}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if b == to {
			return true
		}
		if b < 0 || seen[b] {
			continue
		}
		seen[b] = true
		work = append(work, f.Blocks[b].Succs...)
	}
	return false
}
