package rules

import (
	"fmt"

	"github.com/retrysafe/retrysafe/analyzers/flow"
)

var stuckClaim = &Rule{
	Name: "stuck-claim", Title: "A claim stays behind when the effect fails",
	Severity: Low, CWE: 772, Family: RecordFamily, Since: "0.1.0", NeedsProgram: true,
	Text: `The key is claimed before the effect, and nothing takes the claim back when the effect fails: no release in a catch, a finally or a defer, no failed status, no lease
after which the claim counts for nothing. The client tries again, as it should after an error, and is told for ever that the call is in progress or done.

It is fine when the claim has a lifetime that is looked at, when a failure releases or completes it, or when it is rolled back together with the effect.`,
	Fix:   "Give the claim a lease, and release or complete it where the effect fails.",
	Check: checkStuckClaim,
}

func checkStuckClaim(p *Pass) {
	for _, t := range p.Tools {
		if !p.judged(t) {
			continue
		}
		for _, c := range p.claims(t) {
			if isRolledBack(t, c.entry) || p.ends(c) {
				continue
			}
			var left []*flow.Effect
			for _, e := range c.covered {
				if !p.settled(c, e) {
					left = append(left, e)
				}
			}
			if len(left) == 0 {
				continue
			}
			at, fn := placeOf(t, c.entry)
			p.Report(Report{
				At: at, Fn: fn, Event: c.entry.Event, Records: []*flow.Record{c.entry}, Confidence: min(c.entry.Confidence, left[0].Confidence),
				Related: []Related{{left[0].Span, "when this fails the claim stays"}},
				Message: fmt.Sprintf("%s claims the key before it %s, and keeps the claim when that fails: the next attempt finds it, for ever", quote(t.Name), phrases(left)),
			})
		}
	}
}
