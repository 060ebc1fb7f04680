package rules

import (
	"fmt"

	"github.com/retrysafe/retrysafe/analyzers/flow"
	"github.com/retrysafe/retrysafe/analyzers/model"
)

var lateRecord = &Rule{
	Name: "late-record", Title: "Only a lock stands before the effect, and the record comes after it",
	Severity: Medium, CWE: 837, Family: RecordFamily, Since: "0.1.0",
	Text: `A lock keeps two calls with one key from running at once, and the key is stored when the effect is over. What ends the process in between, a deployment, a crash or a timeout of the
platform, takes the lock away and leaves no record: the client gets no answer, asks again, and the effect runs a second time.

It is fine when the key is claimed before the effect and completed after it, when the record and the effect are committed in one transaction, or when the vendor gets a key that is the
same on a repeat.`,
	Fix:   "Store the key as running before the effect, and complete the record after it.",
	Check: checkLateRecord,
}

func checkLateRecord(p *Pass) {
	for _, t := range p.Tools {
		if !p.judged(t) {
			continue
		}
		for _, w := range p.watches(t) {
			if w.record.Op != model.Lookup || w.record.Local || !p.leaves(w) {
				continue // what lives in the process ends with it
			}
			var late []*flow.Effect
			for _, e := range w.effects {
				if !p.stableKey(e) && p.onlyLocked(w, e) {
					late = append(late, e)
				}
			}
			stored := p.storedAfter(w, late)
			if stored == nil {
				continue
			}
			at, fn := placeBeside(w.record, stored)
			rep := Report{At: at, Fn: fn, Event: stored.Event, Records: []*flow.Record{w.record}, Confidence: min(w.confidence(), stored.Confidence),
				Related: []Related{{w.record.Span, "the key is looked up here, under a lock"}}}
			for _, e := range late {
				rep.Related = append(rep.Related, Related{e.Span, "nothing is stored before this"})
				rep.Confidence = min(rep.Confidence, e.Confidence)
			}
			if len(late) == 0 {
				rep.Confidence = min(rep.Confidence, model.Likely) // what the rest of the route does is not seen
			}
			rep.Message = fmt.Sprintf("%s stores its key only after the effect, under a lock that a crash takes away: a repeat after it %s again", quote(t.Name),
				(&watch{effects: late}).guarded())
			p.Report(rep)
		}
	}
}

// onlyLocked reports whether some way to an effect holds the lock under which it has looked for the record, and has stored nothing yet. A row that is locked in the
// transaction in which the effect is made goes with it.
func (p *Pass) onlyLocked(w *watch, e *flow.Effect) bool {
	return leadsTo(e, func(path flow.Path) bool {
		return p.lockedWithoutRecord(w, path, e.Call) && !(e.Kind == model.Database && begunTransaction(w.tool, path))
	})
}

// lockedWithoutRecord reports whether a way on which the record was missing still holds a lock from the lookup on, and has stored nothing but by the given call.
func (p *Pass) lockedWithoutRecord(w *watch, path flow.Path, but *flow.Call) bool {
	if !path.Made(w.record.Call) || p.Outcome(path, w.record.Call) == flow.Hit {
		return false
	}
	if p.LockedFrom(path, w.record.Call, nil) == nil && !(w.record.Spec != nil && w.record.Spec.Atomic) {
		return false
	}
	for _, rec := range w.tool.Writes(w.record.Store) {
		if rec.Call != but && path.Made(rec.Call) {
			return false
		}
	}
	return true
}

// storedAfter gives the operation that stores the record once one of the effects is over, nil where there is none. Without effects it is what a route does when the
// rest of it has run.
func (p *Pass) storedAfter(w *watch, effects []*flow.Effect) *flow.Record {
	for _, rec := range w.tool.Writes(w.record.Store) {
		if rec.Call == w.record.Call {
			continue
		}
		for _, path := range rec.Paths {
			if len(w.effects) == 0 && p.lockedWithoutRecord(w, path, rec.Call) {
				return rec
			}
			for _, e := range effects {
				if e.Call != rec.Call && path.Made(e.Call) {
					return rec
				}
			}
		}
	}
	return nil
}

// begunTransaction reports whether a way has begun a transaction.
func begunTransaction(t *flow.Tool, path flow.Path) bool {
	for _, rec := range t.Records {
		if rec.Op == model.Txn && path.Made(rec.Call) {
			return true
		}
	}
	return false
}
