package flow

import (
	"slices"

	"github.com/retrysafe/retrysafe/analyzers/model"
)

// Verification is a place at which the program finds out whether what it was sent comes from somebody who knows a secret.
type Verification struct {
	By   Verifier
	Span model.Span
	Fn   *Function // the function that verifies
	// Chain leads from the handler to the place; of a call it ends with the call.
	Chain []Step
	// Call compares or verifies; nil where an operator compares.
	Call *Call
	// MAC is the call that computes the code which the caller's is compared with, nil where a call verifies on its own.
	MAC *Call
	// Signed holds the pieces of the text that is signed, the program's own texts included, in their order where it is known: nil if nothing is known of it.
	Signed []*Term
	// Presented is the signature that the caller sent, nil where the call reads it by itself.
	Presented *Term

	skips func(wanted func(name string) bool) []Skip
}

// Verifier says how a verification works.
type Verifier uint8

// The ways to verify.
const (
	ByMAC       Verifier = iota + 1 // the program computes a code and compares it
	BySignature                     // the program has a signature verified with a key
	ByHelper                        // the library of a vendor verifies all of it
)

// Verifications lists where a tool or route verifies what it was sent, in order of evaluation. What it signs itself is none: a code is compared with
// what the caller sent, not with what was stored.
func (r *Result) Verifications(t *Tool) []*Verification {
	if known, ok := r.verified[t]; ok {
		return known
	}
	out := r.engine.verifications(t)
	if r.verified == nil {
		r.verified = map[*Tool][]*Verification{}
	}
	r.verified[t] = out
	return out
}

func (e *engine) verifications(t *Tool) []*Verification {
	var out []*Verification
	for _, c := range t.Comparisons {
		if c.Op != "==" {
			continue
		}
		if v := e.comparedMAC(c.X, c.Y); v != nil {
			v.Span, v.Fn, v.Chain, v.skips = c.Span, c.Fn, c.Chain, c.Skips
			v.Call = e.comparingCall(t, c)
			out = append(out, v)
		}
	}
	for _, ev := range t.Events {
		if ev.CheckRow == nil || slices.ContainsFunc(out, func(v *Verification) bool { return v.Call == ev.Call }) {
			continue
		}
		var v *Verification
		acc := e.recorded(ev.Call)
		switch check := ev.CheckRow.Check; check.Kind {
		case "webhook":
			v = &Verification{By: ByHelper}
			if of := acc.first(check.Of); of != nil {
				v.Signed = e.textPieces(of)
			}
		case "signature":
			v = &Verification{By: BySignature, Signed: e.verifiedText(ev.Call), Presented: acc.first(check.Signature)}
		case "compare":
			if !check.Early {
				v = e.comparedByCall(ev.Call)
			}
		}
		if v != nil {
			v.Span, v.Fn, v.Chain, v.Call, v.skips = ev.Span, ev.Fn, ev.Chain, ev.Call, ev.Skips
			out = append(out, v)
		}
	}
	return out
}

// comparingCall finds the call that a comparison was noted of, nil where an operator compares.
func (e *engine) comparingCall(t *Tool, c *Comparison) *Call {
	for _, ev := range t.Events {
		if ev.Span == c.Span && ev.CheckRow != nil && ev.CheckRow.Check.Kind == "compare" {
			return ev.Call
		}
	}
	return nil
}

// comparedByCall reads a call that compares two values as a verification.
func (e *engine) comparedByCall(c *Call) *Verification {
	for i, x := range c.Args {
		for _, y := range c.Args[i+1:] {
			if v := e.comparedMAC(x, y); v != nil {
				return v
			}
		}
	}
	return nil
}

// comparedMAC reads a comparison of two values as a verification: one is a code that the program computes, the other what somebody sent. Two codes are compared
// so that the time of the comparison tells nothing: then the one over what is itself a code counts.
func (e *engine) comparedMAC(x, y *Term) *Verification {
	for _, side := range [2][2]*Term{{x, y}, {y, x}} {
		mac, other := e.macOf(side[0]), side[1]
		if mac == nil {
			continue
		}
		if second := e.macOf(other); second != nil {
			inner := e.comparedAgain(mac, second)
			if inner == nil {
				continue
			}
			return inner
		}
		if e.comesFromStore(other) {
			continue
		}
		return &Verification{By: ByMAC, MAC: mac, Signed: e.signedText(mac), Presented: other}
	}
	return nil
}

// comparedAgain reads a comparison of the codes of two values: the code of a code, and the code of what was presented.
func (e *engine) comparedAgain(a, b *Call) *Verification {
	of, other := e.signedText(a), e.signedText(b)
	if len(of) != 1 || len(other) != 1 {
		return nil
	}
	if mac := e.macOf(of[0]); mac != nil && e.macOf(other[0]) == nil {
		return &Verification{By: ByMAC, MAC: mac, Signed: e.signedText(mac), Presented: other[0]}
	}
	return nil
}

// macOf gives the call that computes the code which a value is on some way.
func (e *engine) macOf(t *Term) *Call {
	for _, alt := range t.Alternatives() {
		if c := e.mac(alt, 0); c != nil {
			return c
		}
	}
	return nil
}

// comesFromStore reports whether all of a value was read back from a store: it is recognised, not verified.
func (e *engine) comesFromStore(t *Term) bool {
	origins := e.origins(t)
	return len(origins) > 0 && !slices.ContainsFunc(origins, func(o Origin) bool { return o.Kind != OriginRecord && o.Kind != OriginConstant })
}

// signedText gives the pieces of the text over which a call computes a code: its argument, or what was added to the hasher, in order.
func (e *engine) signedText(c *Call) []*Term {
	if spec := c.OriginRow.Origin; spec.Of != "" {
		if of := e.recorded(c).first(spec.Of); of != nil {
			return e.textPieces(of)
		}
		return nil
	}
	return e.addedTo(c.Recv)
}

// verifiedText gives the pieces of the text whose signature a call verifies.
func (e *engine) verifiedText(c *Call) []*Term {
	of := e.recorded(c).first(c.CheckRow.Check.Of)
	switch {
	case of == nil:
		return nil
	case of == c.Recv:
		return e.addedTo(of)
	}
	return e.textPieces(of)
}

// addedTo gives the pieces of what was added to a hasher, a verifier or a builder of text.
func (e *engine) addedTo(t *Term) []*Term {
	var out []*Term
	for _, c := range e.additions(t) {
		if of := e.recorded(c).first(c.OriginRow.Origin.Of); of != nil {
			out = append(out, e.textPieces(of)...)
		}
	}
	return out
}

// textPieces takes a text apart: what was joined, in order, without what only writes it in another way.
func (e *engine) textPieces(t *Term) []*Term {
	var out []*Term
	var walk func(t *Term, depth int)
	walk = func(t *Term, depth int) {
		if depth > 2*maxTermDepth {
			out = append(out, t)
			return
		}
		switch t.Kind {
		case TCast:
			walk(t.Args[0], depth+1)
			return
		case TConcat, TArray:
			// joined, or added one after the other
			for _, part := range t.Args {
				walk(part, depth+1)
			}
			return
		case TOp:
			if t.Name == "+" && len(t.Args) == 2 {
				walk(t.Args[0], depth+1)
				walk(t.Args[1], depth+1)
				return
			}
		case TCall:
			if of := e.sameText(t); of != nil {
				walk(of, depth+1)
				return
			}
			if c := e.calls[t]; c != nil && c.OriginRow != nil && c.OriginRow.Origin.Kind == "text" && c.OriginRow.Origin.Digest {
				if parts := e.addedTo(c.Recv); len(parts) > 0 {
					out = append(out, parts...) // a builder of text
					return
				}
			}
		}
		out = append(out, t)
	}
	walk(t, 0)
	return out
}

// sameText gives the text or bytes that a call gives in another form: a buffer of a text, an encoded text. JSON of a value is another text.
func (e *engine) sameText(t *Term) *Term {
	c := e.calls[t]
	if c == nil || c.OriginRow == nil || c.OriginRow.Origin.Digest || c.OriginRow.Primitive != nil && c.OriginRow.Primitive.Name == "stringify" {
		return nil
	}
	switch c.OriginRow.Origin.Kind {
	case "encode", "argument", "text":
		of := e.recorded(c).first(c.OriginRow.Origin.Of)
		if of == nil && len(c.Args) > 0 {
			of = c.Args[0]
		}
		if of != nil && (of.Kind == TConcat || of.Kind == TArray || of.Kind == TCall || of.Kind == TCast) {
			return of
		}
	}
	return nil
}

// Incoming reports whether what is verified was sent to the program: a framework hands the signature in, or the text that is signed where a call reads the
// signature by itself.
func (r *Result) Incoming(v *Verification) bool {
	if v.By == ByHelper {
		return true
	}
	values := []*Term{v.Presented}
	if v.Presented == nil {
		values = v.Signed
	}
	return slices.ContainsFunc(values, func(t *Term) bool {
		return slices.ContainsFunc(r.Origins(t), func(o Origin) bool { return o.Kind.sent() })
	})
}

// sent reports whether values of an origin are part of a request.
func (k OriginKind) sent() bool {
	switch k {
	case OriginArguments, OriginHeader, OriginBody, OriginCredential:
		return true
	}
	return false
}

// Passed reports whether a path has come by a verification: the call was made, or the outcome of the comparison was looked at.
func (v *Verification) Passed(p Path) bool {
	if v.Call != nil && p.passes(v.Call) {
		return true
	}
	return slices.ContainsFunc(p.Conds, func(c Cond) bool { return v.Decides(c.Term) })
}

// Decides reports whether a condition asks for the outcome of the verification.
func (v *Verification) Decides(cond *Term) bool {
	return v.Call != nil && v.Call.Result != nil && cond.Contains(v.Call.Result) || v.MAC != nil && v.MAC.Result != nil && cond.Contains(v.MAC.Result)
}

// Skips lists the conditions that leave the verification out, for want of a value whose name is wanted.
func (v *Verification) Skips(wanted func(name string) bool) []Skip { return v.skips(wanted) }
