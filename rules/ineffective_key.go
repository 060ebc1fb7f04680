package rules

import (
	"fmt"
	"strings"

	"github.com/retrysafe/retrysafe/analyzers/flow"
	"github.com/retrysafe/retrysafe/analyzers/model"
)

var ineffectiveKey = &Rule{
	Name: "ineffective-key", Title: "The key is given where the vendor does not read it",
	Severity: Medium, CWE: 837, Family: EffectFamily, Since: "0.1.0",
	Supersedes: []string{"unkeyed-payment", "undeduped-message", "unkeyed-vendor", "idempotent-lie", "missing-key"},
	Text: `A key is passed, but this SDK or API ignores it where it stands: in the body instead of the options, in an option that is never sent, as a nonce without the
flag that enforces it, as an id that is forgotten when the job is done. The code looks protected and is not.

HIGH for payments.

It is fine with a version of the SDK that reads the key there.`,
	Fix:   "Pass the key where this version of the SDK reads it.",
	Check: checkIneffectiveKey,
}

func checkIneffectiveKey(p *Pass) {
	for _, t := range p.Tools {
		for _, e := range p.mainEffects(t) {
			if e.IgnoredKey == nil || isAbsent(e.IgnoredKey) || e.Nature == model.Replacing {
				continue
			}
			if e.Key != nil && !isAbsent(e.Key) || p.ownRecord(e) {
				continue // another key works
			}
			if !strings.Contains(NormalName(e.IgnoredName), "idempoten") && !p.meantAsKey(e.IgnoredKey) {
				continue // an id that is there for other reasons
			}
			severity := Medium
			if e.Money {
				severity = High
			}
			p.Report(Report{
				At: e.Span, Event: e.Event, Effects: []*flow.Effect{e}, Severity: severity, Confidence: e.Confidence,
				Message: fmt.Sprintf("%s gives %s a key where it is not read: a repeated call %s again", quote(t.Name), quote(e.Callee), phrase(e)),
			})
		}
	}
}

// meantAsKey reports whether a value is there to recognise a repeat: a key that the caller sends, or one that is derived or generated.
func (p *Pass) meantAsKey(v *flow.Term) bool {
	return p.anyOrigin([]*flow.Term{v}, func(o flow.Origin) bool { return isSuppliedKey(o) || o.Hashed != "" || isFresh(o.Kind) })
}
