package rules

import (
	"fmt"
	"slices"

	"github.com/retrysafe/retrysafe/analyzers/flow"
	"github.com/retrysafe/retrysafe/analyzers/lazyregexp"
	"github.com/retrysafe/retrysafe/analyzers/model"
)

var unsignedBody = &Rule{
	Name: "unsigned-body", Title: "The signature of a request does not cover its body",
	Severity: High, CWE: 353, Family: EnvelopeFamily, Since: "0.1.0",
	Text: `The signed text holds a header, the time or the path, but not the body that the handler acts on. Whoever captured one signed request sends it again with a body of their own: another
amount, another recipient.

It is fine where no body is read, where the text holds a digest of the body which is compared with the body, and where the vendor signs chosen fields of a form.`,
	Fix:   "Sign the raw body, or a digest of it, together with the time.",
	Check: checkUnsignedBody,
}

var (
	signatureHeaders = lazyregexp.New(`(?i)sign|hmac|(^|[-_])(mac|sig|digest)$|^(proxy-)?authorization$`)
	digestHeaders    = lazyregexp.New(`(?i)digest|sha(1|256|512)|md5|hash|checksum`)
)

func checkUnsignedBody(p *Pass) {
	for _, t := range p.Tools {
		if t.Method == "GET" || t.Method == "HEAD" || t.Method == "DELETE" || !p.readsBody(t) && !p.handsOn(t) {
			continue
		}
		signed := p.signedRequests(t)
		if slices.ContainsFunc(signed, func(v *flow.Verification) bool {
			return v.By == flow.ByHelper || p.signsUnknown(v) || p.signs(v, isBody)
		}) {
			continue
		}
		verb := "reads"
		if !p.readsBody(t) {
			verb = "lets pass"
		}
		for _, v := range signed {
			header := p.signatureHeader(v)
			if s := p.Scheme(header); !signatureHeaders.MatchString(header) || s != nil && s.Fields ||
				p.signs(v, func(o flow.Origin) bool { return isSupplied(o) && digestHeaders.MatchString(o.Name) }) {
				continue
			}
			p.Report(Report{At: v.Span, Tool: t, Fn: v.Fn, Confidence: model.Likely, Related: leadingTo(v),
				Message: fmt.Sprintf("%s %s a body that the signature in %s does not cover", quote(t.Name), verb, quote(header))})
		}
	}
}

// isBody reports whether an origin is the body of a request or part of it.
func isBody(o flow.Origin) bool {
	return o.Kind == flow.OriginBody || o.Kind == flow.OriginArguments && !inURL(o.Term)
}

// urlNames matches the members and methods of requests through which programs read the URL.
var urlNames = lazyregexp.New(`^(?i:query|params?|path|pathname|url|nexturl|originalurl|search|searchparams|rawquery|requesturi|pathvalue|urlparam|queryparams?|host|hostname|method)$`)

// inURL reports whether an argument comes in the URL.
func inURL(t *flow.Term) bool {
	return t != nil && t.Any(func(u *flow.Term) bool {
		return (u.Kind == flow.TMember || u.Kind == flow.TCall) && urlNames.MatchString(u.Name)
	})
}

// handsOn reports whether a tool is middleware of a library, which verifies the head of a request and lets a handler that is not seen act on the body.
func (p *Pass) handsOn(t *flow.Tool) bool {
	return isOffered(t) && slices.ContainsFunc(p.signedRequests(t), func(v *flow.Verification) bool {
		return p.signs(v, func(o flow.Origin) bool { return ofRequest(o) && !isSupplied(o) })
	})
}

// readsBody reports whether a tool or route reads the body of its request.
func (p *Pass) readsBody(t *flow.Tool) bool {
	return slices.ContainsFunc(p.reads(t), func(r *flow.Read) bool {
		return isBody(flow.Origin{Kind: flow.OriginKind(r.Role), Name: r.Name, Term: r.Term})
	})
}
