package rules

import (
	"fmt"

	"github.com/retrysafe/retrysafe/analyzers/flow"
	"github.com/retrysafe/retrysafe/analyzers/model"
)

var unkeyedPayment = &Rule{
	Name: "unkeyed-payment", Title: "Money moves again on a repeated call",
	Severity: High, CWE: 837, Family: EffectFamily, Since: "0.1.0",
	Supersedes: []string{"undeduped-message", "unkeyed-vendor", "undeduped-webhook", "retried-without-key", "silent-sdk-retry", "idempotent-lie", "missing-key"},
	Text: `The call moves or commits money, the vendor takes an idempotency key there, and none is passed. A repeat of the tool call charges, refunds, pays
out or bills a second time. The key that an SDK makes by itself is another one on every call: it covers the SDK's own retries and nothing else.

LOW where a record of the server's own guards the call: the vendor's key would still close the gap between the charge and the record.

It is fine for reads, deletes and steps that the vendor's state machine refuses the second time: capture, cancel, void, confirm, a full refund.`,
	Fix:   "Pass the vendor an idempotency key that is the same on a repeat: the caller's key with the caller's id, or a hash of the operation.",
	Check: checkUnkeyedPayment,
}

func checkUnkeyedPayment(p *Pass) {
	for _, t := range p.Tools {
		for _, e := range p.mainEffects(t) {
			if !e.Money || e.Nature != model.Additive || !e.HasKey || e.Kind == model.Chain {
				continue // no money, a step that the vendor refuses twice, or nobody who takes keys: missing-key
			}
			if !isAbsent(e.Key) || e.IgnoredKey != nil {
				continue // a key is passed: whether it is worth anything is another question
			}
			if p.harmless(e) != "" {
				continue
			}
			severity, note := High, "nothing else recognises the repeat"
			if p.ownRecord(e) {
				severity, note = Low, "only the server's own record stands before it"
			}
			p.Report(Report{
				At: e.Span, Event: e.Event, Effects: []*flow.Effect{e}, Severity: severity, Confidence: p.keyless(e),
				Message: fmt.Sprintf("%s %s without an idempotency key, and %s", quote(t.Name), phrase(e), note),
			})
		}
	}
}

// keyless gives the confidence that no key is passed: an argument that is not known may hold one.
func (p *Pass) keyless(e *flow.Effect) model.Confidence {
	c := p.absence(e)
	for i, a := range e.Args {
		if e.Spread != nil && i < len(e.Spread) && e.Spread[i] && a.HasUnknown() {
			return min(c, model.Possible)
		}
		if a.Kind == flow.TUnknown && i > 0 && i == len(e.Args)-1 {
			return min(c, model.Possible) // the options
		}
	}
	return c
}
