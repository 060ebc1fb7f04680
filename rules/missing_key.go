package rules

import (
	"fmt"

	"github.com/retrysafe/retrysafe/analyzers/flow"
	"github.com/retrysafe/retrysafe/analyzers/lazyregexp"
	"github.com/retrysafe/retrysafe/analyzers/model"
)

var missingKey = &Rule{
	Name: "missing-key", Title: "A tool that changes something cannot recognise a repeated call",
	Severity: Low, CWE: 837, Family: KeyFamily, Since: "0.1.0",
	Text: `An agent calls a tool again when an answer is late, unclear or lost. This tool then acts again: it takes no key that
would tell a repeat from a new request, derives none, looks nothing up, and nothing in the database or at the vendor refuses the second run.

MEDIUM where the effect moves money, changes a balance, or sends a transaction to a chain.

It is fine without a key when the second run leaves the same state: whole values overwritten, an upsert by id, a unique constraint that answers with the
row that is there, a delete that does not mind a missing object, a step that the vendor's own state machine refuses, a draft.
Of a delete or step at a vendor, the second run is the vendor's answer: a refusal may look to the agent as if the first one had failed.`,
	Fix:   "Take a required idempotency key, claim it before the effect and answer a repeat with the stored result, or derive the key from the arguments.",
	Check: checkMissingKey,
}

func checkMissingKey(p *Pass) {
	for _, t := range p.Tools {
		if t.Kind == flow.Webhook || t.Kind == flow.Exported || !p.judged(t) {
			continue // an event has an id: undeduped-webhook
		}
		if p.takesKey(t) {
			continue // what becomes of the key is the question of other rules
		}
		var repeated []*flow.Effect
		for _, e := range p.unguarded(t, model.Additive, model.Destructive, model.Transition) {
			if p.harmless(e) == "" {
				repeated = append(repeated, e)
			}
		}
		if len(repeated) == 0 {
			continue
		}
		report := func(effects []*flow.Effect) Report {
			r := Report{
				At: t.Span, Tool: t, Effects: effects, Severity: Low,
				Message: fmt.Sprintf("%s %s again on every repeated call: it takes no idempotency key and %s",
					quote(t.Name), phrases(effects), secondRun(effects)),
			}
			for _, e := range effects {
				r.Severity = max(r.Severity, repeatSeverity(e))
				confidence := p.absence(e)
				if answeredElsewhere(e) {
					confidence = min(confidence, model.Likely)
				}
				r.Confidence = max(r.Confidence, confidence) // one effect that surely repeats is enough
				r.Related = append(r.Related, Related{e.Span, phrase(e)})
			}
			return r
		}
		whole := report(repeated)
		whole.Restate = report
		p.Report(whole)
	}
}

// secondRun says what is known of the second run of effects that no key keeps away.
func secondRun(effects []*flow.Effect) string {
	for _, e := range effects {
		if !answeredElsewhere(e) {
			return "nothing else stops the second run"
		}
	}
	return "what the second run does is the service's answer"
}

// answeredElsewhere reports whether the service that keeps an object decides what a second run does: a delete or a step of an object that is named by
// its id may be refused, or answered as if it were the first.
func answeredElsewhere(e *flow.Effect) bool {
	if e.Nature != model.Destructive && e.Nature != model.Transition {
		return false
	}
	switch e.Kind {
	case model.Database, model.File, model.Process, model.Chain:
		return false
	}
	return true
}

var balanceColumn = lazyregexp.New(`(?i)balance|credit|debit|amount|points|wallet|funds|ledger`)

// repeatSeverity is how much a second run of an effect matters where no key is taken.
func repeatSeverity(e *flow.Effect) Severity {
	if e.Money || e.Kind == model.Chain || e.Kind == model.Payment && e.Nature == model.Additive && (e.Spec == nil || !e.Spec.Setup) {
		return Medium
	}
	if e.Kind == model.Database && e.Nature == model.Additive {
		for _, s := range e.Statements {
			for _, a := range s.Set {
				if a.Increment && balanceColumn.MatchString(a.Column) {
					return Medium
				}
			}
		}
	}
	return Low
}
