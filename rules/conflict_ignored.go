package rules

import (
	"fmt"
	"slices"

	"github.com/retrysafe/retrysafe/analyzers/flow"
	"github.com/retrysafe/retrysafe/analyzers/model"
)

var conflictIgnored = &Rule{
	Name: "conflict-ignored", Title: "A repeat is recognised and acts all the same",
	Severity: Medium, CWE: 754, Family: RecordFamily, Since: "0.1.0",
	Supersedes: []string{"fail-open-guard", "racy-claim", "late-record", "lossy-args-hash", "unordered-args-hash", "weak-args-hash"},
	Text: `The key was found, or the claim was lost, and the way goes on to the effect: a unique violation that is only logged, an insert that does nothing on a conflict
and whose outcome nobody reads, a duplicate in flight whose result is not there yet, arguments that differ from the stored ones. The record is kept, and keeps nothing away.

It is fine when the record is too old, or its status says that the first attempt failed and may be tried again.`,
	Fix:   "Leave with the stored answer, or refuse, on every way on which the record was there.",
	Check: checkConflictIgnored,
}

func checkConflictIgnored(p *Pass) {
	for _, t := range p.Tools {
		if !p.judged(t) {
			continue
		}
		for _, w := range p.watches(t) {
			if w.byRole {
				continue // a hit leads to none of its effects
			}
			var again []*flow.Effect
			at, why := w.record.Span, ""
			for _, e := range w.effects {
				if p.stableKey(e) || p.protection(e).Level == flow.Full || slices.ContainsFunc(e.Chain, func(s flow.Step) bool { return s.Caught() }) {
					continue // what goes on after an exception has met a failure, not a record
				}
				for _, path := range e.Paths {
					place, word, ok := p.fallsThrough(w, path)
					if !ok {
						continue
					}
					if len(again) == 0 {
						at, why = place, word
					}
					again = append(again, e)
					break
				}
			}
			if len(again) == 0 {
				continue
			}
			p.Report(Report{
				At: at, Event: w.record.Event, Records: []*flow.Record{w.record}, Confidence: min(w.record.Confidence, again[0].Confidence),
				Related: []Related{{w.record.Span, "the repeat is recognised here"}, {again[0].Span, "and acts here"}},
				Message: fmt.Sprintf("%s %s, and goes on: a repeat %s again", quote(t.Name), why, phrases(again)),
			})
		}
	}
}

// fallsThrough reports whether a way to an effect has met the record of an earlier call, and where that was decided.
func (p *Pass) fallsThrough(w *watch, path flow.Path) (at model.Span, why string, ok bool) {
	if !path.Made(w.record.Call) {
		return at, "", false
	}
	outcome := p.Outcome(path, w.record.Call)
	if w.record.Op == model.Lookup {
		if outcome != flow.Hit || !p.holdsKey(w) || anyFailed(path) || w.tried() || !p.leaves(w) && !p.answered(w, path) || p.mayTryAgain(w, path) {
			return at, "", false
		}
		return w.branch(path), "finds its key", true
	}
	if !p.refuses(w.record) {
		return at, "", false
	}
	switch outcome {
	case flow.Hit:
		if excludesConflict(path, w.record) || p.mayTryAgain(w, path) || w.record.Op == model.Swap && !isDedupeStore(w.record.Table) && !p.holdsKey(w) {
			return at, "", false // rows that were to be changed may be none
		}
		return w.branch(path), "loses the claim of its key", true
	case flow.Undecided:
		if w.record.Spec == nil || w.record.Spec.Fails == "throws" || !w.record.Spec.Atomic || w.record.Op != model.Claim || p.outcomeRead(w) || !p.holdsKey(w) {
			return at, "", false
		}
		return w.record.Span, "claims its key, reads nothing of the outcome", true
	}
	return at, "", false
}

// excludesConflict reports whether a way goes on with an error of a claim that was found to be another one than a certain one: `errors.Is(err, ErrDuplicatedKey)` has
// sent the repeat elsewhere.
func excludesConflict(path flow.Path, rec *flow.Record) bool {
	return slices.ContainsFunc(path.Conds, func(c flow.Cond) bool {
		if c.True || !c.Term.Contains(rec.Result) {
			return false
		}
		return c.Term.Kind == flow.TCall || c.Term.Kind == flow.TOp && c.Term.Name == "==" && len(c.Term.Args) == 2 && c.Term.Args[1].Kind != flow.TConst
	})
}

// branch is the last place on a way that depends on what the guard has said, which is where the repeat should have left.
func (w *watch) branch(path flow.Path) model.Span {
	at := w.record.Span
	for _, c := range path.Conds {
		if c.Term.Contains(w.record.Result) {
			at = c.Span
		}
	}
	return at
}

// holdsKey reports whether what is claimed is made to recognise a repeat: a key, an event or a nonce. A row that is there already and need not be added again,
// such as a member of a set, is no claim.
func (p *Pass) holdsKey(w *watch) bool {
	return p.anyOrigin(keyValues(w.record), func(o flow.Origin) bool {
		return isSuppliedKey(o) || isSupplied(o) && (isEventName(o.Name) || isNonceName(o.Name))
	})
}

// tried reports whether the lookup stands where exceptions are caught: what fails after a hit may then go on as well.
func (w *watch) tried() bool {
	_, fn := placeOf(w.tool, w.record)
	return slices.ContainsFunc(w.record.Chain, func(s flow.Step) bool { return s.Function() == fn && s.Tried() })
}

// anyFailed reports whether something has failed on the way.
func anyFailed(path flow.Path) bool {
	return slices.ContainsFunc(path.Before, func(b flow.Before) bool { return b.Failed })
}

// outcomeRead reports whether some way of the tool depends on how the claim ended.
func (p *Pass) outcomeRead(w *watch) bool {
	known := map[*flow.Term]bool{} // paths share most of their conditions
	reads := func(path flow.Path) bool {
		return slices.ContainsFunc(path.Conds, func(c flow.Cond) bool {
			return once(known, c.Term, func() bool { return asksOutcome(c.Term, w.record.Result) })
		})
	}
	return slices.ContainsFunc(w.tool.Events, func(e *flow.Event) bool { return slices.ContainsFunc(e.Paths, reads) }) ||
		slices.ContainsFunc(w.tool.Returns, func(r *flow.Return) bool { return reads(r.Path) })
}

// asksOutcome reports whether a condition asks for what a call gave, and not only for the error beside it.
func asksOutcome(cond, result *flow.Term) bool {
	if !cond.Contains(result) {
		return false
	}
	found := false
	cond.Walk(func(t *flow.Term) bool {
		if t.Kind == flow.TMember && t.Name == "#1" && len(t.Args) == 1 && t.Args[0] == result {
			return false
		}
		found = found || t == result
		return !found
	})
	return found
}

// answered reports whether a way has already replied with what was found.
func (p *Pass) answered(w *watch, path flow.Path) bool {
	return slices.ContainsFunc(w.tool.Returns, func(r *flow.Return) bool {
		return r.Reply != nil && path.Made(r.Reply.Call) && p.answersWith(w.tool, r, w.record)
	})
}

// refuses reports whether a claim is one that a second of the same key loses: it says so itself, or a unique constraint is known or met.
func (p *Pass) refuses(rec *flow.Record) bool {
	if rec.Spec == nil || rec.Spec.Fails != "throws" {
		return true
	}
	return p.RefusedByConstraint(rec.Tool, rec.Call) || len(p.Index.Unique(rec.Table)) > 0 || isDedupeStore(rec.Table)
}

// mayTryAgain reports whether a way on which the record was there has looked at its age or its state, or has claimed it anew.
func (p *Pass) mayTryAgain(w *watch, path flow.Path) bool {
	for _, rec := range w.tool.Records {
		if rec.Store != w.record.Store || !path.Made(rec.Call) || rec.Result == nil {
			continue
		}
		if p.judgesAge(path, rec.Result) || rec.FreshOnly || comparesState(path, rec.Result) {
			return true
		}
		if rec.Call != w.record.Call && rec.Op != model.Lookup && p.Outcome(path, rec.Call) == flow.Missed {
			return true
		}
	}
	return false
}

// comparesState reports whether a path compares something of what was found with a constant: a status, a count of attempts.
func comparesState(path flow.Path, found *flow.Term) bool {
	for _, c := range path.Conds {
		hit := false
		c.Term.Walk(func(t *flow.Term) bool {
			if t == found || hit {
				return false
			}
			if t.Kind == flow.TOp && len(t.Args) == 2 && t.Name != "&&" && t.Name != "||" {
				for i, side := range t.Args {
					text, constant := t.Args[1-i].IsConst()
					if constant && text != "" && !t.Args[1-i].IsNullish() && side != found && side.Contains(found) && side.Kind == flow.TMember &&
						side.Name != "length" && side.Name != "rowCount" {
						hit = true
					}
				}
			}
			return !hit
		})
		if hit {
			return true
		}
	}
	return false
}
