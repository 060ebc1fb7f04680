package rules

import (
	"fmt"
	"slices"

	"github.com/retrysafe/retrysafe/analyzers/flow"
	"github.com/retrysafe/retrysafe/analyzers/lazyregexp"
	"github.com/retrysafe/retrysafe/analyzers/model"
	"github.com/retrysafe/retrysafe/analyzers/query"
)

var undedupedWebhook = &Rule{
	Name: "undeduped-webhook", Title: "A delivered event acts again when it is delivered again",
	Severity: Medium, CWE: 837, Family: EffectFamily, Since: "0.1.0",
	Supersedes: []string{"missing-key"},
	Text: `Senders of events deliver at least once: after a timeout, a deploy, or by hand. This handler acts on an event without recording its id, so every delivery acts.

It is fine when the event's id is stored or passed on as a key, when the effect is an upsert or stands under a unique id of the vendor's object, or when
the event is put into a queue under its own id. An insert of the id into a table whose constraints the program does not show leaves a finding that is only possible.`,
	Fix:   "Insert the event's id under a unique constraint before acting, and answer a known id with success.",
	Check: checkUndedupedWebhook,
}

func checkUndedupedWebhook(p *Pass) {
	for _, t := range p.Tools {
		if t.Kind != flow.Webhook && (t.Kind == flow.Exported || !p.VerifiesEvent(t)) {
			continue // what a library verifies, its users act on
		}
		for _, e := range p.unguarded(t, model.Additive) {
			if p.harmless(e) != "" || p.namedByEvent(e) {
				continue
			}
			confidence, why := p.absence(e), "the event's id is never recorded"
			if rec := p.mayRecord(t, e); rec != nil {
				confidence, why = model.Possible, fmt.Sprintf("nothing in the program says that %s takes the event's id only once", quote(rec.Table))
			}
			at, fn := actsAt(t, e)
			p.Report(Report{
				At: at, Fn: fn, Event: e.Event, Effects: []*flow.Effect{e}, Confidence: confidence, Related: []Related{{e.Span, phrase(e)}},
				Message: fmt.Sprintf("%s %s for every delivery of an event: %s", quote(t.Name), phrase(e), why),
			})
		}
	}
}

// actsAt gives the step to an effect that the webhook's own file takes: a helper of another file that sends for many is told nothing of events, and one
// that wraps handlers knows nothing of what they do.
func actsAt(t *flow.Tool, e *flow.Effect) (model.Span, *flow.Function) {
	for _, own := range []string{t.Span.File, t.Handler.File} {
		if e.Span.File == own {
			break
		}
		for _, s := range slices.Backward(e.Chain) {
			if s.Span.File == own {
				return s.Span, s.Function()
			}
		}
	}
	return e.Span, e.Fn
}

// eventID matches the column or field that holds the id of an event.
var eventID = lazyregexp.New(`(?i)^id$|(event|delivery|message|webhook|notification|external|stripe)_?id$`)

// mayRecord gives an insert of the event's id into a table of which the program says nothing, nil if there is none: the effect itself, or one
// that every way to it has passed. A constraint that stands elsewhere would refuse the second delivery.
func (p *Pass) mayRecord(t *flow.Tool, e *flow.Effect) *flow.Record {
	for _, rec := range t.Records {
		if rec.Statement == nil || rec.Statement.Verb != query.Insert || rec.Table == "" || p.Index.Declares(rec.Table) || !p.holdsEventID(rec) {
			continue
		}
		unchecked := func(path flow.Path) bool { return !p.Accepted(path, rec.Call) }
		if rec.Call == e.Call || len(e.Paths) > 0 && !slices.ContainsFunc(e.Paths, unchecked) {
			return rec
		}
	}
	return nil
}

func (p *Pass) holdsEventID(rec *flow.Record) bool {
	for column, value := range rec.Set {
		if value != nil && eventID.MatchString(column) && p.Stable(value) {
			return true
		}
	}
	return false
}

// namedByEvent reports whether the effect has a key that comes from the event.
func (p *Pass) namedByEvent(e *flow.Effect) bool {
	return e.Key != nil && !isAbsent(e.Key) && !p.freshValue(e.Key)
}
