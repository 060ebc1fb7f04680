package rules

import (
	"fmt"

	"github.com/retrysafe/retrysafe/analyzers/flow"
	"github.com/retrysafe/retrysafe/analyzers/model"
)

var keyPerAttempt = &Rule{
	Name: "key-per-attempt", Title: "Each attempt has a key of its own",
	Severity: Medium, CWE: 837, Family: QualityFamily, Since: "0.1.0",
	Supersedes: []string{"per-call-key", "unstable-derived-key", "predictable-key", "retried-without-key", "silent-sdk-retry"},
	Text: `A key is passed, and it is made inside the loop, the function or the step of a workflow that is run again when the call fails. To the service each attempt is another operation: the
key protects nothing, least of all the case that it is there for, an attempt that was processed and whose answer was lost.

HIGH for payments.

It is fine when the key is made before the first attempt, or in a step of its own whose result the engine keeps, and when it is stored before its use and read back by the next attempt.`,
	Fix:   "Make the key once, outside what is tried again, and pass it in.",
	Check: checkKeyPerAttempt,
}

func checkKeyPerAttempt(p *Pass) {
	p.retried(func(t *flow.Tool, e *flow.Effect, retries []*flow.Retry) {
		key, confidence := e.Key, keyConfidence(e)
		if key == nil {
			key, confidence = e.Delivery, min(e.Confidence, model.Likely)
		}
		fresh := p.generation(key)
		if fresh == nil || fresh.Site == nil || e.Key != nil && p.keptBefore(t, e, fresh) {
			return
		}
		for _, again := range retries {
			if !again.Renews(fresh.Site) {
				continue
			}
			severity := Medium
			if e.Money {
				severity = High
			}
			p.Report(Report{
				At: fresh.Site.Span, Event: e.Event, Fn: fresh.Site.Fn, Effects: []*flow.Effect{e}, Severity: severity, Confidence: min(confidence, again.Confidence),
				Related: []Related{{again.Span, "this tries again"}, {e.Span, "the key is passed here"}},
				Message: fmt.Sprintf("%s gives %s a new key on each attempt: an attempt whose answer was lost is not recognised", quote(t.Name), quote(e.Callee)),
			})
			return
		}
	})
}
