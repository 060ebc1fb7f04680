package rules

import (
	"slices"

	"github.com/retrysafe/retrysafe/analyzers/flow"
)

// Policy is what a project has decided where good sources disagree, and what it knows and the source does not tell. The zero Policy decides nothing.
type Policy struct {
	// Errors says what becomes of failed results: "store", "discard", or "" for either.
	Errors string
	// PaymentRetention and Retention are how long the records of payments and of other effects must live, in seconds; zero stands for 24 hours and one hour.
	PaymentRetention, Retention float64
	// KeyLength is the least number of characters of a key; zero stands for 16.
	KeyLength int
	// TrustedHeaders are set by a proxy that a client cannot pass by, in any case of their letters.
	TrustedHeaders []string
	// Identities are headers or values of the request's context that hold a verified caller.
	Identities []string
}

// keyLength is the length from which on a key cannot be guessed or met by accident, in characters.
func (o *Options) keyLength() int {
	if o.Policy.KeyLength > 0 {
		return o.Policy.KeyLength
	}
	return shortestKey
}

// Origins gives where a value comes from, as flow sees it and the project says: a header that a trusted proxy sets, or a value that holds a verified caller, is
// the caller's identity.
func (p *Pass) Origins(v *flow.Term) []flow.Origin {
	found := p.Result.Origins(v)
	if len(p.Options.Policy.TrustedHeaders) == 0 && len(p.Options.Policy.Identities) == 0 {
		return found
	}
	out := slices.Clone(found)
	for i, o := range out {
		if p.Options.Policy.identifies(o) {
			out[i].Kind = flow.OriginCaller
		}
	}
	return out
}

// identifies reports whether the project says that a value holds a verified caller.
func (p *Policy) identifies(o flow.Origin) bool {
	named := func(list []string) bool {
		return slices.ContainsFunc(list, func(name string) bool { return NormalName(name) == NormalName(lastPart(o.Name)) })
	}
	switch o.Kind {
	case flow.OriginHeader:
		return named(p.TrustedHeaders) || named(p.Identities)
	case flow.OriginArguments, flow.OriginBody, flow.OriginConstant, flow.OriginEnv:
		return false // what the caller sends, or nobody
	}
	return named(p.Identities)
}

// retention gives how many seconds a record must live, and of what.
func (o *Options) retention(money bool) (seconds float64, what string) {
	switch {
	case money && o.Policy.PaymentRetention > 0:
		return o.Policy.PaymentRetention, "a payment"
	case money:
		return 24 * 3600, "a payment"
	case o.Policy.Retention > 0:
		return o.Policy.Retention, "an effect"
	}
	return 3600, "an effect"
}
