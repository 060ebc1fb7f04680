package rules

import (
	"slices"

	"github.com/retrysafe/retrysafe/analyzers/flow"
	"github.com/retrysafe/retrysafe/analyzers/model"
)

// watch is a lookup or claim under the key of an operation or the id of an event, and what it keeps a repeat from.
type watch struct {
	tool   *flow.Tool
	record *flow.Record
	key    []*flow.Term
	// effects are those to which a miss leads; none where the record stands in a route before whatever the route does.
	effects []*flow.Effect
	// byRole says that no name tells the record, but what is done: what was looked up is stored under the same value, and a hit keeps the tool from its effects.
	byRole bool
}

// watches finds the records by which a tool recognises a repeat: some way ends on a hit before any effect, and a miss goes on.
func (p *Pass) watches(t *flow.Tool) []*watch {
	return once(p.shared.watches, t, func() []*watch {
		var out []*watch
		for _, rec := range t.Records {
			if rec.Op != model.Lookup && rec.Op != model.Claim && rec.Op != model.Swap || rec.Result == nil || p.isEffect(t, rec) && !isDedupeStore(rec.Table) {
				continue
			}
			w := &watch{tool: t, record: rec, key: keyValues(rec)}
			if !p.recognises(t, rec, w.key) {
				if w.byRole = p.takesRole(t, rec, w.key); !w.byRole {
					continue
				}
			}
			for _, e := range p.mainEffects(t) {
				if w.byRole && !p.missedBefore(t, e, rec) {
					continue
				}
				if e.Call != rec.Call && e.Nature.Rank() > model.Replacing.Rank() && leadsTo(e, func(path flow.Path) bool { return path.Made(rec.Call) }) {
					w.effects = append(w.effects, e)
				}
			}
			if len(w.effects) > 0 || !w.byRole && p.guardsRoute(&replay{tool: t, lookup: rec, key: w.key}) {
				out = append(out, w)
			}
		}
		return out
	})
}

// recognises reports whether a record is kept to tell a repeat: its key is named for that, is made from the arguments or is the id of an event, or its store is
// named for that. The id of an object selects what the tool works on.
func (p *Pass) recognises(t *flow.Tool, rec *flow.Record, key []*flow.Term) bool {
	if p.keyedByEvent(t, rec) {
		return true
	}
	return p.classify(t, rec, key) != 0 && (isDedupeStore(rec.Store) || isDedupeStore(rec.Table) || p.anyOrigin(key, func(o flow.Origin) bool {
		return isSuppliedKey(o) || isSupplied(o) && (o.Hashed != "" || o.Whole && (rec.Op == model.Lookup || len(rec.Set) == 0))
	}))
}

// leaves reports whether some way ends where the record was there, and nothing was done on it.
func (p *Pass) leaves(w *watch) bool {
	return slices.ContainsFunc(w.tool.Returns, func(r *flow.Return) bool {
		return (p.Outcome(r.Path, w.record.Call) == flow.Hit || p.answersWith(w.tool, r, w.record)) &&
			!slices.ContainsFunc(w.effects, func(e *flow.Effect) bool { return r.Path.Made(e.Call) })
	})
}

// leadsTo reports whether one of the ways to an effect is wanted.
func leadsTo(e *flow.Effect, want func(flow.Path) bool) bool {
	return slices.ContainsFunc(e.Paths, want)
}

// writtenBefore reports whether each way to an effect has written into the store.
func writtenBefore(t *flow.Tool, store string, e *flow.Effect) []*flow.Record {
	var out []*flow.Record
	for _, path := range e.Paths {
		found := false
		for _, rec := range t.Writes(store) {
			if rec.Call != e.Call && path.Made(rec.Call) {
				found = true
				if !slices.Contains(out, rec) {
					out = append(out, rec)
				}
			}
		}
		if !found {
			return nil
		}
	}
	return out
}

// movesMoney reports whether one of the effects moves or commits money.
func movesMoney(effects []*flow.Effect) bool {
	return slices.ContainsFunc(effects, func(e *flow.Effect) bool { return e.Money || e.Kind == model.Payment && e.Nature == model.Additive })
}

// guarded says in words what a watch stands before.
func (w *watch) guarded() string {
	if len(w.effects) == 0 {
		return "runs the handler"
	}
	return phrases(w.effects)
}

// uninterrupted reports whether nothing else runs between two operations on a store of this process: the language switches only where it waits, and
// nothing waits between them.
func uninterrupted(from, to *flow.Record) bool {
	if !from.Local || !to.Local || from.Fn == nil || to.Fn == nil || from.Fn.Unit.Language == model.Go {
		return false
	}
	if from.Fn != to.Fn {
		if encloses(from.Fn.Span, to.Span) || encloses(to.Fn.Span, from.Span) {
			return false // a function within the other, which runs when it is called back
		}
		return !waits(from.Fn, model.Span{}, model.Span{}) && !waits(to.Fn, model.Span{}, model.Span{})
	}
	return !waitsOnWay(from.Fn, from.Span, to.Span)
}

// waits reports whether a function waits between two of its places, or anywhere where no places are given.
func waits(fn *flow.Function, from, to model.Span) bool {
	if !from.IsValid() && fn.Async {
		return true
	}
	return slices.ContainsFunc(fn.Ops, func(op model.Op) bool {
		return op.Kind == model.Await && (!from.IsValid() || op.Span.EndOffset > from.EndOffset && op.Span.Offset < to.Offset)
	})
}

// placeOf gives the step at which a tool asks for a record: the lookup itself, or the call of the helper around it where the record is stored through another
// helper. What such a helper keeps, and for whom, is said where both are called.
func placeOf(t *flow.Tool, rec *flow.Record) (model.Span, *flow.Function) {
	common := -1
	for _, other := range t.Writes(rec.Store) {
		if other.Call == rec.Call {
			return rec.Span, rec.Fn
		}
		common = max(common, together(rec, other))
	}
	return stepOf(rec, common)
}

// placeBeside gives the step that leads to rec where that to another record of the same store is taken.
func placeBeside(other, rec *flow.Record) (model.Span, *flow.Function) {
	return stepOf(rec, together(rec, other))
}

// together gives how many steps lead to both of two records.
func together(a, b *flow.Record) int {
	n := 0
	for n < len(a.Chain) && n < len(b.Chain) && a.Chain[n].Span == b.Chain[n].Span {
		n++
	}
	return n
}

// stepOf gives the step of a number on the way to a record, the record itself where there is none.
func stepOf(rec *flow.Record, n int) (model.Span, *flow.Function) {
	if n < 0 || n >= len(rec.Chain)-1 {
		return rec.Span, rec.Fn
	}
	return rec.Chain[n].Span, rec.Chain[n].Function()
}
