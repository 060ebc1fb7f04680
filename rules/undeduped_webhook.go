package rules

import (
	"fmt"

	"github.com/retrysafe/retrysafe/analyzers/flow"
	"github.com/retrysafe/retrysafe/analyzers/model"
)

var undedupedWebhook = &Rule{
	Name: "undeduped-webhook", Title: "A delivered event acts again when it is delivered again",
	Severity: Medium, CWE: 837, Family: EffectFamily, Since: "0.1.0",
	Supersedes: []string{"missing-key"},
	Text: `Senders of events deliver at least once: after a timeout, a deploy, or by hand. This handler acts on an event without recording its id, so every delivery acts.

It is fine when the event's id is stored or passed on as a key, when the effect is an upsert or stands under a unique id of the vendor's object, or when
the event is put into a queue under its own id.`,
	Fix:   "Insert the event's id under a unique constraint before acting, and answer a known id with success.",
	Check: checkUndedupedWebhook,
}

func checkUndedupedWebhook(p *Pass) {
	for _, t := range p.Tools {
		if t.Kind != flow.Webhook && !p.VerifiesEvent(t) {
			continue
		}
		for _, e := range p.unguarded(t, model.Additive) {
			if p.harmless(e) != "" || p.namedByEvent(e) {
				continue
			}
			p.Report(Report{
				At: e.Span, Event: e.Event, Effects: []*flow.Effect{e}, Confidence: p.absence(e),
				Message: fmt.Sprintf("%s %s for every delivery of an event: the event's id is never recorded", quote(t.Name), phrase(e)),
			})
		}
	}
}

// namedByEvent reports whether the effect has a key that comes from the event.
func (p *Pass) namedByEvent(e *flow.Effect) bool {
	return e.Key != nil && !isAbsent(e.Key) && !p.freshValue(e.Key)
}
