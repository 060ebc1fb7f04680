package rules

import (
	"fmt"
	"slices"

	"github.com/retrysafe/retrysafe/analyzers/model"
)

var unboundProof = &Rule{
	Name: "unbound-proof", Title: "A proof of possession is accepted for another request, time or key",
	Severity: High, CWE: 294, Family: EnvelopeFamily, Since: "0.1.0", Experimental: true, NeedsProgram: true,
	Text: `A DPoP proof is verified, but what binds it is not compared: the method and URL it was made for (` + "`htm`, `htu`" + `), when it was made (` + "`iat`" + `), or whose key it is (the
thumbprint in the access token's ` + "`cnf.jkt`" + `). Whoever has captured one proof then sends it with another request, next week, or makes one with a key of his own for a token that he stole.

It is fine where a library is given the method and the URL and compares the rest, and, for the key, at the endpoint that gives tokens out.`,
	Fix:   "Compare htm and htu with the request, refuse an iat that is more than a minute from the clock, and compare the key's thumbprint with the token's cnf.jkt.",
	Check: checkUnboundProof,
}

func checkUnboundProof(p *Pass) {
	for _, t := range p.Tools {
		for _, f := range p.proofs(t) {
			if p.opaque(f) {
				continue
			}
			compared := func(claim string) bool {
				if f.library {
					return slices.Contains(f.binds, claim)
				}
				return p.comparesClaim(claim)
			}
			var missing []string
			if !compared("htm") {
				missing = append(missing, "the method (htm)")
			}
			if !compared("htu") {
				missing = append(missing, "the URL (htu)")
			}
			if !compared("iat") && !p.setsOption("maxTokenAge") {
				missing = append(missing, "the time (iat)")
			}
			if !compared("jkt") && p.presentsToken(f) {
				missing = append(missing, "the token's key (cnf.jkt)")
			}
			if len(missing) == 0 {
				continue
			}
			p.Report(Report{At: f.event.Span, Event: f.event, Confidence: min(f.event.Confidence, model.Likely),
				Message: fmt.Sprintf("%s verifies a DPoP proof and does not compare %s", quote(t.Name), list(missing))})
		}
	}
}
