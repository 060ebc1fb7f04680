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
	return once(p.shared.requests, t, func() []*flow.Verification {
		var out []*flow.Verification
		for _, v := range p.Verifications(t) {
			if (p.Incoming(v) || isOffered(t) && v.Presented != nil) && !p.ownToken(t, v) {
				out = append(out, v)
			}
		}
		return out
	})
}

var (
	cookieNames = lazyregexp.New(`(?i)cookie|session|csrf|xsrf|jwt|bearer`)
	tokenHeader = lazyregexp.New(`(?i)^(proxy-)?authorization$`)
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
			if cookieNames.MatchString(o.Name) || fromCookies(o.Term) || tokenHeader.MatchString(o.Name) && !p.signs(v, func(of flow.Origin) bool { return !sameName(o, of) && ofRequest(of) }) {
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

// fromCookies reports whether a value was taken out of what a call gives whose name says that it holds cookies.
func fromCookies(v *flow.Term) bool {
	return v.Any(func(t *flow.Term) bool { return t.Kind == flow.TCall && cookieNames.MatchString(t.Sym) })
}

// ofRequest reports whether an origin is part of a request, its method and URL included.
func ofRequest(o flow.Origin) bool {
	return isSupplied(o) || o.Kind == flow.OriginKind(model.RequestInput) || o.Kind == flow.OriginKind(model.OtherInput)
}

// isOffered reports whether a tool is what a library offers to programs: what is sent comes through its parameters.
func isOffered(t *flow.Tool) bool {
	switch t.Kind {
	case flow.MCPTool, flow.AgentTool, flow.HTTPRoute, flow.Webhook:
		return false
	}
	return true
}

// signatureHeader gives the header in which a signature comes, "" if it is not known.
func (p *Pass) signatureHeader(v *flow.Verification) string {
	for _, o := range p.Origins(v.Presented) {
		if o.Kind == flow.OriginHeader && o.Name != "" {
			return strings.TrimSuffix(o.Name, ".0") // the first of several
		}
		for _, name := range namesWithin(o) {
			if p.Scheme(name) != nil {
				return name
			}
		}
	}
	return ""
}

// namesWithin lists the names by which something of which nothing is known is read: of its members, and its own.
func namesWithin(o flow.Origin) (names []string) {
	if o.Kind != flow.OriginUnknown {
		return nil
	}
	for t := o.Term; t != nil; t = t.Args[0] {
		if t.Name != "" {
			names = append(names, t.Name)
		}
		if t.Kind != flow.TMember && t.Kind != flow.TCast {
			break
		}
	}
	return names
}

// signedTime names the time that a signature covers, "" if there is none. In a library the names of parameters and fields tell.
func (p *Pass) signedTime(t *flow.Tool, v *flow.Verification) string {
	if name := p.timeOf(v.Signed); name != "" || !isOffered(t) {
		return name
	}
	for _, piece := range v.Signed {
		for _, o := range p.Origins(piece) {
			for _, name := range namesWithin(o) {
				if timeNames.MatchString(name) {
					return name
				}
			}
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
	return slices.ContainsFunc(v.Signed, func(piece *flow.Term) bool {
		unknown := piece.HasUnknown()
		for _, o := range p.Origins(piece) {
			if isSupplied(o) {
				return false // what it is where it is something else does not matter
			}
			unknown = unknown || o.Kind == flow.OriginUnknown || o.Kind == flow.OriginResult
		}
		return unknown
	})
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

// checksTime reports whether a tool compares a time that it may have been sent with the clock. Of what a library offers another part may do so.
func (p *Pass) checksTime(t *flow.Tool) bool {
	if isOffered(t) {
		if slices.ContainsFunc(p.Comparisons(), func(c *flow.Comparison) bool { return c.Op != "==" && c.Span.File == t.Span.File }) {
			return true
		}
		for _, other := range p.Tools {
			if isOffered(other) && other.Span.File == t.Span.File && p.comparesTime(other) {
				return true
			}
		}
	}
	return p.comparesTime(t)
}

// comparesTime reports whether a tool itself compares a time that it may have been sent with the clock.
func (p *Pass) comparesTime(t *flow.Tool) bool {
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
