package rules

import (
	"fmt"
	"slices"

	"github.com/retrysafe/retrysafe/analyzers/flow"
	"github.com/retrysafe/retrysafe/analyzers/model"
)

var failOpenGuard = &Rule{
	Name: "fail-open-guard", Title: "The guard is left out when its store fails",
	Severity: Medium, CWE: 636, Family: RecordFamily, Since: "0.1.0",
	Text: `When the store of the keys cannot be reached, the error is caught or only logged, and the effect runs without a record. A store is least reachable when
clients time out and ask again, which is when repeats come.

HIGH where the effect moves money, and where what cannot be asked are the nonces of signed requests.

It is fine when the call is refused, so that the client comes back later, or when the vendor gets a key that is the same on a repeat.`,
	Fix:   "Refuse the call while the store cannot be asked, with an answer that tells the client to come back.",
	Check: checkFailOpenGuard,
}

func checkFailOpenGuard(p *Pass) {
	for _, t := range p.Tools {
		checkOpenNonces(p, t)
		if !p.judged(t) {
			continue
		}
		seen := map[model.Span]bool{}
		for _, w := range p.watches(t) {
			if w.record.Local || w.byRole || !p.leaves(w) {
				continue
			}
			at, fn := placeOf(t, w.record)
			var open []*flow.Effect
			place := model.Span{}
			for _, e := range w.effects {
				if p.stableKey(e) || p.protection(e).Level == flow.Full {
					continue
				}
				if where, ok := p.runsOnFailure(w, e, fn); ok {
					if len(open) == 0 {
						place = where
					}
					open = append(open, e)
				}
			}
			if len(open) == 0 {
				continue
			}
			if !place.IsValid() {
				place = at
			}
			if seen[place] {
				continue // one handler catches what several operations throw
			}
			seen[place] = true
			rep := Report{At: place, Fn: fn, Event: w.record.Event, Records: []*flow.Record{w.record}, Confidence: min(w.record.Confidence, open[0].Confidence),
				Related: []Related{{at, "when this fails the way goes on"}, {open[0].Span, "and comes here without a record"}},
				Message: fmt.Sprintf("%s goes on when the store of its keys fails: it %s unprotected", quote(t.Name), phrases(open)),
			}
			if movesMoney(open) {
				rep.Severity = High
			}
			p.Report(rep)
		}
	}
}

// runsOnFailure reports whether some way to the effect has met a failure of the guard's store, and where the function around the guard catches it.
func (p *Pass) runsOnFailure(w *watch, e *flow.Effect, guard *flow.Function) (model.Span, bool) {
	var handler model.Span
	for _, s := range w.record.Chain {
		if s.Function() == guard && guard != nil && s.Handler().IsValid() {
			handler = s.Handler()
		}
	}
	if handler.IsValid() && leadsTo(e, func(path flow.Path) bool { return path.Made(w.record.Call) }) {
		for _, s := range e.Chain {
			if s.Function() == guard && s.Caught() {
				return s.Span, true
			}
		}
	}
	return handler, leadsTo(e, func(path flow.Path) bool {
		return failed(path, w.record.Call) && !w.record.ReturnsError() || p.ErrorMet(path, w.record.Call) ||
			p.Outcome(path, w.record.Call) == flow.Missed && p.dropsError(w)
	})
}

// dropsError reports whether a lookup tells by its result alone that nothing is there, so that a failure looks the same, and nothing in the tool looks at the error
// beside it.
func (p *Pass) dropsError(w *watch) bool {
	rec := w.record
	if rec.Op != model.Lookup || !rec.ReturnsError() || rec.Spec == nil {
		return false
	}
	switch rec.Spec.Miss {
	case "zero", "false", "empty", "null", "Member[RowsAffected]=zero":
	default:
		return false // a missing row is an error too
	}
	looked := func(path flow.Path) bool {
		return slices.ContainsFunc(path.Conds, func(c flow.Cond) bool {
			return c.Term.Any(func(t *flow.Term) bool { return t != rec.Result && rec.GivesError(t) })
		})
	}
	return !slices.ContainsFunc(w.tool.Events, func(e *flow.Event) bool { return slices.ContainsFunc(e.Paths, looked) }) &&
		!slices.ContainsFunc(w.tool.Returns, func(r *flow.Return) bool { return looked(r.Path) || r.Error != nil && r.Error.Contains(rec.Result) })
}
