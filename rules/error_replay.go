package rules

import (
	"fmt"
	"slices"

	"github.com/retrysafe/retrysafe/analyzers/flow"
	"github.com/retrysafe/retrysafe/analyzers/lazyregexp"
	"github.com/retrysafe/retrysafe/analyzers/model"
)

var errorReplay = &Rule{
	Name: "error-replay", Title: "Failed results are kept, or forgotten, against the project's policy",
	Severity: Low, CWE: 755, Family: RecordFamily, Since: "0.1.0", Experimental: true,
	Text: `What becomes of a failed result is a matter of policy. Some store it, so that a new attempt needs a new key; others discard it, so that the same key may be tried again.
Both are sound, as long as all tools of a program do the same. The rule is off until ` + "`errors`" + ` in ` + "`.retrysafe.yaml`" + ` says which it is: with ` + "`discard`" + ` it reports
results that are stored although the effect failed, or without a look at how the answer ended; with ` + "`store`" + ` it reports effects whose failure leaves no record.

It is fine when a stored failure is only a mark that lets the next attempt go on.`,
	Fix:   "Do with failed results what the policy says: store them with the key, or release the key.",
	Check: checkErrorReplay,
}

func checkErrorReplay(p *Pass) {
	policy := p.Options.Policy.Errors
	if policy == "" {
		return
	}
	for _, t := range p.Tools {
		if !p.judged(t) {
			continue
		}
		var done []string
		for _, w := range p.watches(t) {
			if slices.Contains(done, w.record.Store) || p.keyedByEvent(t, w.record) || !p.replayed(w) {
				continue
			}
			rec, message := p.keptFailure(w), "%s stores the result of a call that failed: the same key gets the failure again, and the policy is to discard it"
			if policy == "store" {
				rec, message = p.lostFailure(w), "%s stores nothing when the call fails: the same key acts again, and the policy is to store failures"
			}
			if rec == nil {
				continue
			}
			done = append(done, w.record.Store)
			at, fn := placeOf(t, rec)
			p.Report(Report{
				At: at, Fn: fn, Event: rec.Event, Records: []*flow.Record{rec}, Confidence: min(rec.Confidence, w.record.Confidence),
				Related: []Related{{w.record.Span, "the key is looked up here"}}, Message: fmt.Sprintf(message, quote(t.Name)),
			})
		}
	}
}

// keptFailure finds where the result of a call is stored that failed, or whose end nobody looked at.
func (p *Pass) keptFailure(w *watch) *flow.Record {
	for _, rec := range w.tool.Writes(w.record.Store) {
		if rec.Call == w.record.Call || len(w.effects) > 0 && !w.acted(rec) {
			continue
		}
		if len(w.effects) == 0 {
			if !asksStatus(rec) {
				return rec
			}
			continue
		}
		for _, e := range w.effects {
			if slices.ContainsFunc(rec.Paths, func(path flow.Path) bool { return failed(path, e.Call) }) && !p.triesAgain(w, e) {
				return rec
			}
		}
	}
	return nil
}

var statusNames = lazyregexp.New(`(?i)^(status(code)?|ok|code)(\(\))?$`)

// asksStatus reports whether each way to a record operation has looked at how an answer ended.
func asksStatus(rec *flow.Record) bool {
	return !slices.ContainsFunc(rec.Paths, func(path flow.Path) bool {
		return !slices.ContainsFunc(path.Conds, func(c flow.Cond) bool {
			return c.Term.Any(func(u *flow.Term) bool {
				return (u.Kind == flow.TMember || u.Kind == flow.TCall) && statusNames.MatchString(u.Name)
			})
		})
	})
}

// triesAgain reports whether an effect is reached on a way on which the record was there: a mark that lets the next attempt go on.
func (p *Pass) triesAgain(w *watch, e *flow.Effect) bool {
	return leadsTo(e, func(path flow.Path) bool { return p.Outcome(path, w.record.Call) == flow.Hit || p.mayTryAgain(w, path) })
}

// lostFailure finds the record of an effect whose failure leaves none: where it is completed.
func (p *Pass) lostFailure(w *watch) *flow.Record {
	for _, e := range w.effects {
		stored := w.completions(e)
		if len(stored) == 0 {
			continue
		}
		keeps := slices.ContainsFunc(w.tool.Writes(w.record.Store), func(rec *flow.Record) bool {
			return rec.Op != model.Claim && onFailure(p, rec, e)
		})
		if !keeps {
			return stored[len(stored)-1]
		}
	}
	return nil
}
