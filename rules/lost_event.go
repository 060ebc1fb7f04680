package rules

import (
	"fmt"
	"slices"

	"github.com/retrysafe/retrysafe/analyzers/flow"
	"github.com/retrysafe/retrysafe/analyzers/model"
)

var lostEvent = &Rule{
	Name: "lost-event", Title: "An event that fails once is dropped for good",
	Severity: Medium, CWE: 755, Family: EffectFamily, Since: "0.1.0",
	Text: `The event's id is recorded before the effect and stays recorded when the effect fails. The sender delivers again, the handler finds the id and answers that all
is done: the effect never happens.

It is fine when the record is released or rolled back on failure, when it is marked failed and the lookup honours the mark, or when the effect is the hand-over to a
durable queue that retries by itself.`,
	Fix:   "Record the id in the effect's own transaction, or release it when the effect fails.",
	Check: checkLostEvent,
}

func checkLostEvent(p *Pass) {
	for _, t := range p.Tools {
		if t.Kind != flow.Webhook && !p.VerifiesEvent(t) {
			continue
		}
		for _, rec := range t.Records {
			if rec.Op != model.Claim && rec.Op != model.Put || !p.keyedByEvent(t, rec) || isRolledBack(t, rec) {
				continue
			}
			var lost []*flow.Effect
			for _, e := range p.mainEffects(t) {
				if e.Call != rec.Call && e.Nature != model.Replacing && e.Kind != model.Queue && !e.Spawned && precedes(rec.Call, e.Event) && !p.undone(t, rec, e) {
					lost = append(lost, e)
				}
			}
			if len(lost) == 0 {
				continue
			}
			p.Report(Report{
				At: rec.Span, Event: rec.Event, Records: []*flow.Record{rec}, Confidence: min(rec.Confidence, lost[0].Confidence),
				Related: []Related{{lost[0].Span, "when this fails the id stays recorded"}},
				Message: fmt.Sprintf("%s records the event's id before it %s: when that fails, the redelivery is dropped", quote(t.Name), phrase(lost[0])),
			})
		}
	}
}

// keyedByEvent reports whether the record is kept under the id of an event.
func (p *Pass) keyedByEvent(t *flow.Tool, rec *flow.Record) bool {
	values := keyValues(rec)
	for name, v := range rec.Set {
		if isEventName(name) {
			values = append(values, v)
			break
		}
	}
	return p.anyOrigin(values, func(o flow.Origin) bool { return isEventName(o.Name) }) ||
		slices.ContainsFunc(values, func(v *flow.Term) bool { return isVerifiedID(t, v) })
}

// isVerifiedID reports whether a value is the id of an event that a verification gave back.
func isVerifiedID(t *flow.Tool, v *flow.Term) bool {
	found := false
	v.Walk(func(u *flow.Term) bool {
		if u.Kind == flow.TMember && NormalName(u.Name) == "id" && len(u.Args) == 1 {
			found = found || slices.ContainsFunc(t.Events, func(e *flow.Event) bool {
				return e.CheckRow != nil && e.CheckRow.Check.Kind == "webhook" && e.Result == u.Args[0]
			})
		}
		return !found
	})
	return found
}

// isRolledBack reports whether the record is written inside a transaction.
func isRolledBack(t *flow.Tool, rec *flow.Record) bool {
	return slices.ContainsFunc(t.Records, func(o *flow.Record) bool { return o.Op == model.Txn && precedes(o.Call, rec.Event) })
}

// undone reports whether something is done to the record on a way on which the effect failed.
func (p *Pass) undone(t *flow.Tool, rec *flow.Record, e *flow.Effect) bool {
	for _, other := range t.Records {
		if other.Call == rec.Call || other.Store != rec.Store {
			continue
		}
		if other.Op != model.Release && other.Op != model.Put && other.Op != model.Swap && other.Op != model.Expire {
			continue
		}
		caught := slices.ContainsFunc(other.Chain, flow.Step.Caught)
		for _, path := range other.Paths {
			if failed(path, e.Call) || caught && path.Made(e.Call) { // it was made, and what it answered was thrown as an error
				return true
			}
		}
	}
	return false
}
