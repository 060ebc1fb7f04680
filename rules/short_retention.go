package rules

import (
	"fmt"

	"github.com/retrysafe/retrysafe/analyzers/flow"
	"github.com/retrysafe/retrysafe/analyzers/model"
)

var shortRetention = &Rule{
	Name: "short-retention", Title: "A record is forgotten before the last retry",
	Severity: Low, CWE: 837, Family: RecordFamily, Since: "0.1.0", Experimental: true,
	Text: `The stored result lives less long than a client may still ask again: below 24 hours for a payment, below one hour for any other effect that adds something. A key
whose record has gone is a new key, and the call acts a second time.

How long is long enough: one hour for an agent with somebody in front of it, 24 hours for a task that runs by itself, 7 days for batches, 30 days for money. The
limits are set by ` + "`retention`" + ` in ` + "`.retrysafe.yaml`" + `.

It is fine for nonces and events, for the lease of a call in flight, and where a key of the vendor or a unique column recognises the repeat later on.`,
	Fix:   "Keep the record longer than the last retry can take.",
	Check: checkShortRetention,
}

func checkShortRetention(p *Pass) {
	for _, t := range p.Tools {
		if !p.judged(t) {
			continue
		}
		for _, w := range p.watches(t) {
			if p.keyedByEvent(t, w.record) {
				continue
			}
			for _, e := range w.effects {
				if e.Nature != model.Additive || p.stableKey(e) || p.refusedLater(e) {
					continue
				}
				need, what := p.Options.retention(movesMoney([]*flow.Effect{e}))
				rec, lives, ok := p.kept(w, e)
				if !ok || lives >= need {
					continue
				}
				at, fn := placeOf(t, rec)
				rep := Report{
					At: at, Fn: fn, Event: rec.Event, Records: []*flow.Record{rec}, Confidence: min(rec.Confidence, e.Confidence),
					Related: []Related{{e.Span, "after that time a repeat comes here again"}},
					Message: fmt.Sprintf("%s forgets the key after %s, and then %s again: %s needs %s", quote(t.Name), duration(lives), phrase(e), what, duration(need)),
				}
				p.Report(rep)
				break
			}
		}
	}
}

// kept finds the record that the end of an effect leaves behind, and for how many seconds it lives: what completes the record, or what entered it where nothing
// does. ok is false where one of several has no end that is known.
func (p *Pass) kept(w *watch, e *flow.Effect) (rec *flow.Record, seconds float64, ok bool) {
	stored := w.completions(e)
	if len(stored) == 0 {
		stored = writtenBefore(w.tool, w.record.Store, e)
	}
	for _, s := range stored {
		n, known := p.Lifetime(s)
		if !known {
			return nil, 0, false
		}
		if n > seconds {
			rec, seconds = s, n
		}
	}
	for _, s := range w.tool.Records {
		if s.Store == w.record.Store && s.Op == model.Expire {
			n, known := p.Lifetime(s)
			if !known {
				return nil, 0, false
			}
			if n > seconds {
				rec, seconds = s, n
			}
		}
	}
	return rec, seconds, rec != nil
}

// refusedLater reports whether a constraint of the effect itself refuses a repeat, whatever became of the record.
func (p *Pass) refusedLater(e *flow.Effect) bool {
	for _, g := range p.protection(e).By {
		if g.Kind == flow.ConstraintGuard || g.Kind == flow.ConditionGuard {
			return true
		}
	}
	return false
}
