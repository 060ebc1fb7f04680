package rules

import (
	"fmt"
	"slices"

	"github.com/retrysafe/retrysafe/analyzers/flow"
	"github.com/retrysafe/retrysafe/analyzers/model"
)

var unsignedTimestamp = &Rule{
	Name: "unsigned-timestamp", Title: "The time or nonce that is checked is not signed",
	Severity: Medium, CWE: 345, Family: EnvelopeFamily, Since: "0.1.0",
	Text: `The signature of a request is verified and its time, or its nonce, is checked; but the signature does not cover what is checked. Whoever captured a request sends it
again under a new time or nonce, and both checks pass.

It is fine where the time is read out of the signed body, and where the signed text holds the header.`,
	Fix:   "Read the time and the nonce from what is signed, or add them to the signed text.",
	Check: checkUnsignedTimestamp,
}

func checkUnsignedTimestamp(p *Pass) {
	for _, t := range p.Tools {
		signed := p.signedRequests(t)
		if len(signed) == 0 || slices.ContainsFunc(signed, func(v *flow.Verification) bool {
			return v.By == flow.ByHelper || p.signsUnknown(v)
		}) {
			continue
		}
		related := []Related{{signed[0].Span, "verified here"}}
		for _, c := range p.TimeChecks(t) {
			if o := p.uncovered(c.Times, signed, isTime); o != nil {
				p.Report(Report{At: c.Span, Tool: t, Fn: c.Fn, Confidence: model.Likely, Related: append(stepsTo(c.Comparison), related...),
					Message: fmt.Sprintf("%s compares %s with the clock, which its signature does not cover", quote(t.Name), quote(o.Name))})
			}
		}
		for _, rec := range t.Records {
			if rec.Op != model.Lookup && rec.Op != model.Claim {
				continue
			}
			if o := p.uncovered(keyValues(rec), signed, isNonce); o != nil {
				p.Report(Report{At: rec.Span, Event: rec.Event, Confidence: model.Likely, Related: related,
					Message: fmt.Sprintf("%s looks up the nonce %s, which its signature does not cover", quote(t.Name), quote(o.Name))})
			}
		}
	}
}

func isNonce(o flow.Origin) bool { return isSupplied(o) && isNonceName(o.Name) }

// uncovered gives an origin of some values that is wanted and that no signature covers, nil if there is none.
func (p *Pass) uncovered(values []*flow.Term, signed []*flow.Verification, wanted func(flow.Origin) bool) *flow.Origin {
	for _, value := range values {
		for _, o := range p.Origins(value) {
			if wanted(o) && !slices.ContainsFunc(signed, func(v *flow.Verification) bool { return p.coveredBy(v, o) }) {
				return &o
			}
		}
	}
	return nil
}

// coveredBy reports whether the signed text holds what an origin names: itself, all headers, or the body that it is read from.
func (p *Pass) coveredBy(v *flow.Verification, of flow.Origin) bool {
	return p.signs(v, func(o flow.Origin) bool {
		switch {
		case sameName(o, of), o.Name == "" && o.Kind == of.Kind:
			return true
		case of.Kind == flow.OriginHeader:
			return false
		}
		return o.Kind == flow.OriginBody || o.Kind == flow.OriginArguments && (o.Whole || lastPart(o.Name) == lastPart(of.Name))
	})
}
