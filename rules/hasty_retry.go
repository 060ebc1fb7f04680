package rules

import (
	"fmt"

	"github.com/retrysafe/retrysafe/analyzers/flow"
)

var hastyRetry = &Rule{
	Name: "hasty-retry", Title: "A retry does not wait or does not end",
	Severity: Low, CWE: 799, Family: QualityFamily, Since: "0.1.0", Pedantic: true,
	Text: `A loop tries a call again as soon as it fails, or as often as it fails. A service that is overloaded gets more of what it cannot bear, and the tool never
answers while the failure lasts.

It is fine with a pause that grows between the attempts and a limit on their number or on the time they take.`,
	Fix:   "Wait longer before each attempt, and give up after a few.",
	Check: checkHastyRetry,
}

func checkHastyRetry(p *Pass) {
	for _, t := range p.Tools {
		if !p.judged(t) {
			continue
		}
		for _, e := range p.mainEffects(t) {
			for _, again := range p.Retries(e) {
				if again.Bounded && again.Waits {
					continue
				}
				how := "at once"
				switch {
				case !again.Bounded && !again.Waits:
					how = "at once and without end"
				case !again.Bounded:
					how = "without end"
				}
				p.Report(Report{
					At: again.Span, Tool: t, Fn: again.Fn, Effects: []*flow.Effect{e}, Confidence: min(again.Confidence, e.Confidence),
					Message: fmt.Sprintf("%s calls %s again %s when it fails", quote(t.Name), quote(e.Callee), how),
				})
			}
		}
	}
}
