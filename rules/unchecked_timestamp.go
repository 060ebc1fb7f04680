package rules

import (
	"fmt"

	"github.com/retrysafe/retrysafe/analyzers/flow"
	"github.com/retrysafe/retrysafe/analyzers/model"
)

var uncheckedTimestamp = &Rule{
	Name: "unchecked-timestamp", Title: "A signed request stays good for ever",
	Severity: High, CWE: 294, Family: EnvelopeFamily, Since: "0.1.0",
	Supersedes: []string{"undeduped-webhook"},
	Text: `The signature of a request is verified, but no time that it covers is compared with the clock, and nothing remembers the request. Whoever gets hold of one signed request, from a
log, a proxy or a queue, can send it again next year: the signature is as good as on the first day.

It is fine where a vendor's helper compares the time, where the vendor signs none (GitHub, Shopify, Twilio and others, of which only the id of the event tells a repeat), where the id
of the event or a nonce is recorded, and for cookies, links and tokens that the program has signed itself. Where neither the catalog nor the signed text shows a time, the finding is only
possible: the sender may have none.`,
	Fix:   "Sign a timestamp with the body and refuse the request when it is more than 300 s from the clock.",
	Check: checkUncheckedTimestamp,
}

func checkUncheckedTimestamp(p *Pass) {
	for _, t := range p.Tools {
		if len(p.skippedChecks(t)) > 0 || p.checksTime(t) || p.remembersRequest(t) {
			continue
		}
		for _, v := range p.signedRequests(t) {
			rep := Report{At: v.Span, Tool: t, Fn: v.Fn, Related: leadingTo(v), Confidence: model.Likely}
			scheme, signed := p.scheme(v), p.signedTime(t, v)
			switch {
			case v.By == flow.ByHelper:
				if !v.Call.CheckRow.Check.Untimed {
					continue
				}
				rep.Message = fmt.Sprintf("%s verifies a signed event with %s, which leaves its time unchecked", quote(t.Name), quote(v.Call.Callee))
			case scheme != nil && !scheme.Timed:
				continue
			case signed != "":
				rep.Message = fmt.Sprintf("%s verifies a signature over %s and never compares it with the clock", quote(t.Name), quote(signed))
			case scheme != nil:
				rep.Message = fmt.Sprintf("%s verifies a signature of %s and never compares the time that it covers with the clock", quote(t.Name), scheme.Vendor)
			case p.signsUnknown(v) || !p.signs(v, isSupplied):
				continue
			default:
				rep.Confidence = model.Possible
				rep.Message = fmt.Sprintf("%s verifies a signature that covers no time", quote(t.Name))
			}
			rep.WholeTool = rep.Confidence > model.Possible
			p.Report(rep)
		}
	}
}

// leadingTo shows the calls that lead to the function which verifies.
func leadingTo(v *flow.Verification) []Related {
	var out []Related
	for _, s := range v.Chain {
		if s.Span != v.Span {
			out = append(out, Related{s.Span, "calls " + quote(s.What)})
		}
	}
	return out
}
