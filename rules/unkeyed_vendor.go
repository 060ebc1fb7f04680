package rules

import (
	"fmt"

	"github.com/retrysafe/retrysafe/analyzers/flow"
	"github.com/retrysafe/retrysafe/analyzers/model"
)

var unkeyedVendor = &Rule{
	Name: "unkeyed-vendor", Title: "A vendor's idempotency token is left out",
	Severity: Low, CWE: 837, Family: EffectFamily, Since: "0.1.0",
	Supersedes: []string{"idempotent-lie", "missing-key"},
	Text: `The vendor or cloud API recognises a repeat by a token, a request id or an id that the client chooses, and this call passes none, so that every repeat makes
another object. A token that the SDK fills in is a new one on every call and counts as none.

It is fine when a record or a constraint of the server's own protects or guards the call, and for model inference.`,
	Fix:   "Pass the token, derived from the caller's key or from the arguments.",
	Check: checkUnkeyedVendor,
}

func checkUnkeyedVendor(p *Pass) {
	for _, t := range p.Tools {
		if t.Kind == flow.Webhook || !p.judged(t) {
			continue
		}
		for _, e := range p.unguarded(t, model.Additive) {
			if !e.HasKey || e.Money || !isAbsent(e.Key) || e.IgnoredKey != nil || p.harmless(e) != "" {
				continue
			}
			vendor := e.Vendor
			if vendor == "" {
				vendor = "the vendor"
			}
			p.Report(Report{
				At: e.Span, Event: e.Event, Effects: []*flow.Effect{e}, Confidence: p.keyless(e),
				Message: fmt.Sprintf("%s calls %s without the token by which %s recognises a repeat", quote(t.Name), quote(e.Callee), vendor),
			})
		}
	}
}
