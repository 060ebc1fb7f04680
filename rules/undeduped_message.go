package rules

import (
	"fmt"

	"github.com/retrysafe/retrysafe/analyzers/flow"
	"github.com/retrysafe/retrysafe/analyzers/model"
)

var undedupedMessage = &Rule{
	Name: "undeduped-message", Title: "A message is sent again on a repeated call",
	Severity: Medium, CWE: 837, Family: EffectFamily, Since: "0.1.0",
	Supersedes: []string{"unkeyed-vendor", "idempotent-lie", "missing-key"},
	Text: `The tool sends an email, an SMS, a chat or a push message, and nothing recognises a repeat. People receive it twice, and no later step takes a message back.

It is fine when a vendor's key is passed, when a record is claimed or looked up first, or when the message is the reply to the caller itself.`,
	Fix:   "Claim a record under a key before sending, or pass the vendor's idempotency key where it has one.",
	Check: checkUndedupedMessage,
}

func checkUndedupedMessage(p *Pass) {
	for _, t := range p.Tools {
		if t.Kind == flow.Webhook || !p.judged(t) {
			continue // undeduped-webhook
		}
		for _, e := range p.unguarded(t, model.Additive) {
			if e.Kind != model.Email && e.Kind != model.Message {
				continue
			}
			if e.Key != nil && !isAbsent(e.Key) || harmless(e) != "" {
				continue // what the key is worth is another question; a draft is not sent
			}
			p.Report(Report{
				At: e.Span, Event: e.Event, Effects: []*flow.Effect{e}, Confidence: p.absence(e),
				Message: fmt.Sprintf("%s %s again on every repeated call", quote(t.Name), phrase(e)),
			})
		}
	}
}
