package rules

import (
	"fmt"

	"github.com/retrysafe/retrysafe/analyzers/flow"
)

var shortLease = &Rule{
	Name: "short-lease", Title: "A claim ends before the effect that it covers",
	Severity: Low, CWE: 837, Family: RecordFamily, Since: "0.1.0", Experimental: true, Pedantic: true,
	Supersedes: []string{"stuck-claim"},
	Text: `The claim of a call in flight has a lease, and the effect that it covers may take longer: its own timeout says so. While the first call still waits for its answer,
the claim is gone, and a repeat claims the key and acts at the same time.

It is fine when the effect carries a key of the vendor that is the same for both.`,
	Fix:   "Make the lease longer than the timeout of what it covers, or renew it while the call runs.",
	Check: checkShortLease,
}

func checkShortLease(p *Pass) {
	for _, t := range p.Tools {
		if !p.judged(t) {
			continue
		}
		for _, c := range p.claims(t) {
			lease, ok := p.Lifetime(c.entry)
			if !ok {
				continue
			}
			for _, e := range c.covered {
				wait, known := p.Deadline(e.Event)
				if !known || wait <= lease || p.stableKey(e) {
					continue
				}
				at, fn := placeOf(t, c.entry)
				p.Report(Report{
					At: at, Fn: fn, Event: c.entry.Event, Records: []*flow.Record{c.entry}, Confidence: min(c.entry.Confidence, e.Confidence),
					Related: []Related{{e.Span, "this may take " + duration(wait)}},
					Message: fmt.Sprintf("%s claims the key for %s, and waits up to %s where it %s: a repeat in between acts too", quote(t.Name), duration(lease), duration(wait), phrase(e)),
				})
				break
			}
		}
	}
}
