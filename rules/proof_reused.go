package rules

import (
	"fmt"
	"slices"

	"github.com/retrysafe/retrysafe/analyzers/flow"
	"github.com/retrysafe/retrysafe/analyzers/lazyregexp"
	"github.com/retrysafe/retrysafe/analyzers/model"
)

var proofReused = &Rule{
	Name: "proof-reused", Title: "One proof is sent with every attempt",
	Severity: Medium, CWE: 573, Family: EnvelopeFamily, Since: "0.1.0",
	Text: `A request is tried again when it fails, and the DPoP proof, or the signature over a nonce, is made once for all attempts. A server that takes each proof once refuses the second attempt
as a replay: what failed for a moment fails for good, and where the first attempt was processed and its answer lost, the caller is told that it was refused.

It is fine when the proof is made for each attempt, and when only what was never sent is tried again.`,
	Fix:   "Make the proof inside what is tried again, with a new jti and time for each attempt; keep the idempotency key the same.",
	Check: checkProofReused,
}

var (
	dpopHeader   = lazyregexp.New(`(?i)^dpop$`)
	signedHeader = lazyregexp.New(`(?i)(^|[-_])(signature|sig|hmac)([-_]\w+)?$`)
)

func checkProofReused(p *Pass) {
	for _, t := range p.Tools {
		for _, e := range t.Effects {
			retries := p.Retries(e)
			if len(retries) == 0 {
				continue
			}
			what, proof := "the DPoP proof", (*flow.Term)(nil)
			if _, proof = p.SentHeader(e, dpopHeader.MatchString); proof == nil {
				if proof = p.signedNonce(e); proof == nil {
					continue
				}
				what = "the signature over a nonce"
			}
			made := p.MadeAt(proof)
			if len(made) == 0 {
				continue
			}
			for _, again := range retries {
				if slices.ContainsFunc(made, again.Renews) {
					continue
				}
				p.Report(Report{
					At: again.Span, Tool: t, Fn: again.Fn, Effects: []*flow.Effect{e}, Confidence: min(again.Confidence, e.Confidence, model.Likely),
					Related: []Related{{made[0].Span, "it is made here, once"}, {e.Span, "and sent here with each attempt"}},
					Message: fmt.Sprintf("%s tries again with %s of the first attempt: a server that takes each once refuses the repeat", quote(t.Name), what),
				})
				break
			}
		}
	}
}

// signedNonce gives the signature that a request carries in a header, if it covers something that was made at random; nil if there is none.
func (p *Pass) signedNonce(e *flow.Effect) *flow.Term {
	_, signature := p.SentHeader(e, signedHeader.MatchString)
	if signature == nil {
		return nil
	}
	if kind, _ := p.Secret(signature); kind != flow.MAC || !p.from([]*flow.Term{signature}, flow.OriginRandom) {
		return nil
	}
	return signature
}
