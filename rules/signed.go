package rules

import (
	"slices"
	"strings"

	"github.com/retrysafe/retrysafe/analyzers/flow"
	"github.com/retrysafe/retrysafe/analyzers/lazyregexp"
	"github.com/retrysafe/retrysafe/analyzers/model"
)

// signedRequests lists the verifications of a tool or route that are about the request: their signature comes in a header or in the body. Those of cookies, links,
// and tokens that the program has given out itself are about something else.
func (p *Pass) signedRequests(t *flow.Tool) []*flow.Verification {
	var out []*flow.Verification
	for _, v := range p.Verifications(t) {
		if p.Incoming(v) && !p.ownToken(t, v) {
			out = append(out, v)
		}
	}
	return out
}

var (
	cookieNames = lazyregexp.New(`(?i)cookie|session|csrf|xsrf|jwt|authorization|bearer`)
	linkNames   = lazyregexp.New(`(?i)(^|[._])(query|params|path)(\(\))?[._]|(^|[-_.])(state|token|otp|code|link|unsubscribe|reset|invite|download)$`)
)

// ownToken reports whether what is verified is something that the program has signed for itself: a cookie, a session, a link, a state.
func (p *Pass) ownToken(t *flow.Tool, v *flow.Verification) bool {
	if v.Presented == nil {
		return false
	}
	for _, o := range p.Origins(v.Presented) {
		switch o.Kind {
		case flow.OriginCredential:
			return true
		case flow.OriginHeader:
			if cookieNames.MatchString(o.Name) {
				return true
			}
		case flow.OriginArguments, flow.OriginBody:
			if t.Method == "GET" || t.Method == "HEAD" || linkNames.MatchString(o.Name) || cookieNames.MatchString(o.Name) {
				return true
			}
		}
	}
	return false
}

// signatureHeader gives the header in which a signature comes, "" if it is not known.
func (p *Pass) signatureHeader(v *flow.Verification) string {
	for _, o := range p.Origins(v.Presented) {
		if o.Kind == flow.OriginHeader && o.Name != "" {
			return o.Name
		}
	}
	return ""
}

// scheme gives what the catalog knows of the way in which a request was signed, nil if nothing.
func (p *Pass) scheme(v *flow.Verification) *model.Scheme { return p.Scheme(p.signatureHeader(v)) }

// signs reports whether the text that is signed holds something of an origin that is wanted.
func (p *Pass) signs(v *flow.Verification, wanted func(flow.Origin) bool) bool {
	return p.anyOrigin(v.Signed, wanted)
}

// signsUnknown reports whether it is not known all of what is signed.
func (p *Pass) signsUnknown(v *flow.Verification) bool {
	if len(v.Signed) == 0 {
		return true
	}
	return slices.ContainsFunc(v.Signed, func(piece *flow.Term) bool { return piece.HasUnknown() }) ||
		p.signs(v, func(o flow.Origin) bool { return o.Kind == flow.OriginUnknown || o.Kind == flow.OriginResult })
}

// isTime reports whether an origin is a time that the caller sends, by its name.
func isTime(o flow.Origin) bool { return isSupplied(o) && timeNames.MatchString(lastPart(o.Name)) }

// timeOf names the time that a caller sends within some values, "" if there is none.
func (p *Pass) timeOf(values []*flow.Term) string {
	for _, v := range values {
		for _, o := range p.Origins(v) {
			if isTime(o) {
				return o.Name
			}
		}
	}
	return ""
}

// checksTime reports whether a tool compares a time that it may have been sent with the clock.
func (p *Pass) checksTime(t *flow.Tool) bool {
	return slices.ContainsFunc(p.TimeChecks(t), func(c *flow.TimeCheck) bool {
		return p.anyOrigin(c.Times, func(o flow.Origin) bool {
			return isSupplied(o) || o.Kind == flow.OriginUnknown || o.Kind == flow.OriginCredential || o.Kind == flow.OriginResult
		})
	})
}

// deliveryNames matches the names of what is different in every delivery.
var deliveryNames = lazyregexp.New(`(?i)nonce|jti|delivery|event|message|request|(^|[-_.])id$|signature|digest`)

// remembersRequest reports whether a tool looks up, or stores, what tells this request from others.
func (p *Pass) remembersRequest(t *flow.Tool) bool {
	return slices.ContainsFunc(t.Records, func(rec *flow.Record) bool {
		switch rec.Op {
		case model.Lookup, model.Claim, model.Swap, model.Put:
			return p.anyOrigin(keyValues(rec), func(o flow.Origin) bool {
				return isSupplied(o) && deliveryNames.MatchString(o.Name)
			})
		}
		return false
	})
}

// sameName reports whether two origins are the same header or field, however it is written.
func sameName(a, b flow.Origin) bool {
	return a.Kind == b.Kind && strings.EqualFold(a.Name, b.Name)
}
