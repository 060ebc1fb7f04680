package rules

import (
	"fmt"

	"github.com/retrysafe/retrysafe/analyzers/flow"
	"github.com/retrysafe/retrysafe/analyzers/model"
)

var retriedWithoutKey = &Rule{
	Name: "retried-without-key", Title: "A call is tried again without a key that its attempts share",
	Severity: Medium, CWE: 837, Family: QualityFamily, Since: "0.1.0",
	Supersedes: []string{"silent-sdk-retry"},
	Text: `The program tries a call again when it fails, and the call adds something each time it is processed. A time-out or a broken connection does not say that the
first attempt was not processed: the service may have done its work and only the answer is lost. Nothing tells it that the second attempt is the same operation. A key that the SDK makes
for each call is another one for each attempt of a loop around it.

HIGH for payments.

It is fine when one key goes with all attempts, when only what was refused before it was processed is tried again (a rate limit, a connection that was not made, a failed
authentication), when such requests are excluded from the retry, and when the service itself refuses the second one.`,
	Fix:   "Make one key before the first attempt and pass it with each of them, or do not retry calls that add something.",
	Check: checkRetriedWithoutKey,
}

func checkRetriedWithoutKey(p *Pass) {
	p.retried(func(t *flow.Tool, e *flow.Effect, retries []*flow.Retry) {
		for _, again := range retries {
			if again.Kind == flow.DefaultRetry || again.Kind == flow.StepRetry || again.Kind == flow.ClientRetry && e.Spec != nil && e.Spec.AutoKey {
				continue // silent-sdk-retry; what an engine repeats is the tool's to key; an SDK makes one key for all its attempts
			}
			if !isAbsent(e.Key) || e.Delivery != nil {
				return // whether it is the same for all attempts is another question
			}
			severity := Medium
			if e.Money {
				severity = High
			}
			var related []Related
			if again.Span != e.Span {
				related = []Related{{e.Span, "this is done again"}}
			}
			p.Report(Report{
				At: again.Span, Tool: t, Fn: again.Fn, Effects: []*flow.Effect{e}, Severity: severity, Confidence: min(p.keyless(e), again.Confidence, e.Confidence),
				Related: related,
				Message: fmt.Sprintf("%s calls %s again when it fails, without a key that its attempts share: if only the answer was lost, it %s twice",
					quote(t.Name), quote(e.Callee), phrase(e)),
			})
			return
		}
	})
}

// retried calls check for each effect that adds something where it is processed twice, and that something runs again when it fails.
func (p *Pass) retried(check func(t *flow.Tool, e *flow.Effect, retries []*flow.Retry)) {
	for _, t := range p.Tools {
		if !p.judged(t) {
			continue
		}
		for _, e := range p.mainEffects(t) {
			if e.Nature != model.Additive || ownTransaction(e) || p.harmless(e) != "" || p.refusedTwice(e) {
				continue
			}
			if retries := p.Retries(e); len(retries) > 0 {
				check(t, e, retries)
			}
		}
	}
}

// ownTransaction reports whether what failed leaves nothing behind, or nothing that counts: a database rolls back, a store keeps counters and lists for
// the server itself, and files and processes are those of the machine.
func ownTransaction(e *flow.Effect) bool {
	switch e.Kind {
	case model.File, model.Process, model.Database:
		return true
	}
	return false
}

// refusedTwice reports whether a constraint refuses the second run of an effect.
func (p *Pass) refusedTwice(e *flow.Effect) bool {
	for _, g := range p.protection(e).By {
		if g.Kind == flow.ConstraintGuard && g.Level == flow.Full {
			return true
		}
	}
	return false
}
