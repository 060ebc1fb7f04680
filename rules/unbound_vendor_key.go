package rules

import (
	"fmt"

	"github.com/retrysafe/retrysafe/analyzers/flow"
	"github.com/retrysafe/retrysafe/analyzers/model"
)

var unboundVendorKey = &Rule{
	Name: "unbound-vendor-key", Title: "Callers share one vendor account and choose its keys",
	Severity: Medium, CWE: 639, Family: KeyFamily, Since: "0.1.0", NeedsProgram: true,
	Text: `A vendor keeps keys apart by account. This server passes the caller's key on unchanged through one account that all its callers share, so two callers
who use the same key get one operation: the second receives the first one's stored answer, and their own request is never made.

HIGH for payments.

It is fine when the key is prefixed or hashed with the authenticated caller, when the vendor's client is made from the caller's own credential, or when the
program serves one local caller.`,
	Fix:   "Prefix the vendor's key with the authenticated caller's id, or hash both together.",
	Check: checkUnboundVendorKey,
}

func checkUnboundVendorKey(p *Pass) {
	if !p.severalCallers() {
		return
	}
	for _, t := range p.Tools {
		if t.Kind == flow.Webhook || !p.judged(t) {
			continue
		}
		for _, e := range p.mainEffects(t) {
			if e.Key == nil || !p.anyOrigin([]*flow.Term{e.Key}, isSuppliedKey) {
				continue // not the caller's key
			}
			if p.isCaller(e.Key) || p.ownAccount(e) {
				continue
			}
			severity := Medium
			if e.Money {
				severity = High
			}
			at := e.KeySpan
			if !at.IsValid() {
				at = e.Span
			}
			confidence := e.Confidence
			if e.Vendor == "" {
				confidence = model.Possible // nobody knows whether that host keeps keys at all
			}
			p.Report(Report{
				At: at, Event: e.Event, Effects: []*flow.Effect{e}, Severity: severity, Confidence: confidence,
				Message: fmt.Sprintf("%s passes the caller's key to %s unchanged: two callers with the same key share one answer",
					quote(t.Name), quote(e.Callee)),
			})
		}
	}
}

// ownAccount reports whether the call goes to the caller's own account: the client or an option is made from their credential or identity.
func (p *Pass) ownAccount(e *flow.Effect) bool {
	kinds := []flow.OriginKind{flow.OriginCredential, flow.OriginCaller, flow.OriginSession}
	if e.Recv != nil && (p.from([]*flow.Term{e.Recv}, kinds...) || p.from([]*flow.Term{e.Recv}, flow.OriginHeader, flow.OriginArguments)) {
		return true
	}
	return p.from(e.Args, flow.OriginCredential)
}
