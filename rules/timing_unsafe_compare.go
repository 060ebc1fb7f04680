package rules

import (
	"fmt"
	"slices"

	"github.com/retrysafe/retrysafe/analyzers/flow"
	"github.com/retrysafe/retrysafe/analyzers/lazyregexp"
	"github.com/retrysafe/retrysafe/analyzers/model"
)

var timingUnsafeCompare = &Rule{
	Name: "timing-unsafe-compare", Title: "A signature or secret is compared in a time that tells how much of it was right",
	Severity: Medium, CWE: 208, Family: EnvelopeFamily, Since: "0.1.0",
	Text: "A MAC, a signature or a long-lived credential is compared with `==`, `===`, `bytes.Equal` or the like. These stop at the first byte that differs, so the time of the answer\n" +
		`tells how many of the first bytes were right, and a caller who measures it can find the rest one by one.

It is fine where the comparison takes the same time whatever the values are, where both values are hashed under a key before, and where no secret is compared: a hash of the
arguments, an ETag, a file's digest, a value with nothing.`,
	Fix:   "Compare with crypto.timingSafeEqual over equal lengths, or with hmac.Equal or subtle.ConstantTimeCompare in Go.",
	Check: checkTimingUnsafeCompare,
}

func checkTimingUnsafeCompare(p *Pass) {
	for _, t := range p.Tools {
		for _, c := range t.Comparisons {
			if what, confidence := p.comparedSecret(c); what != "" {
				p.Report(Report{
					At: c.Span, Tool: t, Fn: c.Fn, Confidence: confidence, Related: stepsTo(c),
					Message: fmt.Sprintf("%s compares %s in a time that depends on how much of it was right", quote(t.Name), what),
				})
			}
		}
	}
	for _, c := range p.Comparisons() {
		if what, confidence := p.comparedSecret(c); what != "" {
			p.Report(Report{At: c.Span, Fn: c.Fn, Confidence: confidence,
				Message: fmt.Sprintf("this compares %s in a time that depends on how much of it was right", what)})
		}
	}
}

// stepsTo shows the calls that lead to the function which compares.
func stepsTo(c *flow.Comparison) []Related {
	var out []Related
	for _, s := range c.Chain {
		out = append(out, Related{s.Span, "calls " + quote(s.What)})
	}
	return out
}

// comparedSecret says which secret a caller's value is compared with, "" where none is.
func (p *Pass) comparedSecret(c *flow.Comparison) (what string, confidence model.Confidence) {
	if c.Op != "==" {
		return "", 0
	}
	for _, side := range [][2]*flow.Term{{c.X, c.Y}, {c.Y, c.X}} {
		secret, other := side[0], side[1]
		kind, name := p.Secret(secret)
		with, _ := p.Secret(other)
		switch kind {
		case flow.MAC:
			if with != flow.MAC && !p.isStored(other) {
				return "a computed MAC", model.Certain
			}
		case flow.ConfiguredSecret:
			if p.presented(other, name) {
				return "the secret " + quote(name), model.Certain
			}
		case flow.StoredSecret:
			if with <= kind && p.presented(other, name) {
				return "the stored secret " + quote(name), model.Likely
			}
		}
	}
	return "", 0
}

// isStored reports whether all of a value was read back from a store: it is recognised, not verified.
func (p *Pass) isStored(v *flow.Term) bool {
	origins := p.Origins(v)
	return len(origins) > 0 && !slices.ContainsFunc(origins, func(o flow.Origin) bool { return o.Kind != flow.OriginRecord && o.Kind != flow.OriginConstant })
}

// authorization matches the headers by which a caller presents a credential.
var authorization = lazyregexp.New(`(?i)authorization|token|secret|api-?_?key|auth|password|signature`)

// presented reports whether a caller sends the value as a credential: in a header or field of such a name.
func (p *Pass) presented(v *flow.Term, name string) bool {
	for _, o := range p.Origins(v) {
		if o.Hashed != "" {
			continue
		}
		switch {
		case o.Kind == flow.OriginCredential:
			return true
		case isSupplied(o) && (authorization.MatchString(o.Name) || o.Name == ""):
			return true
		}
	}
	return false
}
