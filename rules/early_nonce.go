package rules

import (
	"fmt"
	"slices"

	"github.com/retrysafe/retrysafe/analyzers/flow"
	"github.com/retrysafe/retrysafe/analyzers/model"
)

var earlyNonce = &Rule{
	Name: "early-nonce", Title: "A nonce is used up before its signature is verified",
	Severity: Medium, CWE: 696, Family: EnvelopeFamily, Since: "0.1.0", Experimental: true,
	Text: `The nonce of a request is stored before the signature that covers it is verified. Anybody can send a nonce with a signature that is wrong: the store fills with what nobody signed, and
whoever sees or guesses the nonce of a request under way sends it first, so that the true request is refused as a repeat.

It is fine when the nonce is only looked up before, and stored after the signature is verified.`,
	Fix:   "Verify the signature first, then store the nonce.",
	Check: checkEarlyNonce,
}

func checkEarlyNonce(p *Pass) {
	for _, t := range p.Tools {
		verified := slices.DeleteFunc(slices.Clone(p.Verifications(t)), func(v *flow.Verification) bool { return !p.Incoming(v) })
		if len(verified) == 0 {
			continue
		}
		for _, n := range p.nonces(t) {
			for _, stored := range n.stored {
				v := verifiedLater(t, stored, verified)
				if v == nil {
					continue
				}
				p.Report(Report{
					At: stored.Span, Event: stored.Event, Records: []*flow.Record{n.record}, Confidence: min(n.confidence, stored.Confidence, model.Likely),
					Related: []Related{{v.Span, "the signature is verified here, later"}},
					Message: fmt.Sprintf("%s stores the nonce %s before the signature is verified: a request that nobody signed uses it up", quote(t.Name), n.quoted()),
				})
				break
			}
		}
	}
}

// verifiedLater gives a verification to which control comes after a nonce was stored, where no way to the store has passed any before.
func verifiedLater(t *flow.Tool, stored *flow.Record, verified []*flow.Verification) *flow.Verification {
	for _, path := range stored.Paths {
		if slices.ContainsFunc(verified, func(v *flow.Verification) bool { return v.Passed(path) }) {
			return nil
		}
	}
	for _, r := range t.Returns {
		if !r.Path.Made(stored.Call) {
			continue
		}
		for _, v := range verified {
			if v.Passed(r.Path) {
				return v
			}
		}
	}
	return nil
}
