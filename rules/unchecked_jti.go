package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/retrysafe/retrysafe/analyzers/flow"
	"github.com/retrysafe/retrysafe/analyzers/model"
)

var uncheckedJTI = &Rule{
	Name: "unchecked-jti", Title: "A proof of possession can be sent again",
	Severity: High, CWE: 294, Family: EnvelopeFamily, Since: "0.1.0", Experimental: true, NeedsProgram: true,
	Text: `A DPoP proof is verified and its ` + "`jti`" + ` is never recorded. As long as the time of the proof is accepted, whoever has captured the request sends it again, with the same token and the same
proof: the call is made twice, and neither the token's binding nor the signature notices. That the claim is there, or is long enough, proves nothing.

It is fine when the jti is stored in one atomic step for as long as the proof is good, when a nonce of the server that is good once must be in the proof, or when the library records it.`,
	Fix:   "Store each jti with a lifetime of the accepted window in one atomic step, and refuse a proof whose jti is known.",
	Check: checkUncheckedJTI,
}

func checkUncheckedJTI(p *Pass) {
	for _, t := range p.Tools {
		for _, f := range p.proofs(t) {
			if f.library && slices.Contains(f.binds, "jti") || p.opaque(f) || p.recordsJTI(f) || !f.library && p.comparesClaim("nonce") {
				continue
			}
			p.Report(Report{At: f.event.Span, Event: f.event, Confidence: min(f.event.Confidence, model.Likely),
				Message: fmt.Sprintf("%s verifies a DPoP proof and never records its jti: a captured request is served again", quote(t.Name))})
		}
	}
}

// recordsJTI reports whether something may remember the jti of a proof: a store, another service, a collection of the program, or a function that is not known.
func (p *Pass) recordsJTI(f *proof) bool {
	isJTI := func(v *flow.Term) bool {
		return v != nil && p.anyOrigin([]*flow.Term{v}, func(o flow.Origin) bool {
			name := strings.ToLower(lastPart(o.Name))
			return name == "jti" || isClaim(o) && (name == "id" || name == "jwtid()")
		})
	}
	return mayRemember(f.tool, isJTI) || p.indexedBy("jti") || f.library && p.callsWith("jti")
}

// indexedBy reports whether some function of the program reads or writes an element of a collection under a claim.
func (p *Pass) indexedBy(claim string) bool {
	names := p.claimNames(claim)
	return p.anyOp(func(fn *model.Func, op *model.Op) bool {
		r := claimReader{fn, names}
		return op.Kind == model.Load && op.Name == "" && len(op.Args) > 1 && !r.namesClaim(op.Args[1]) && r.reads(op.Args[1], 0) ||
			op.Kind == model.Store && op.Name == "" && len(op.Args) > 2 && r.reads(op.Args[2], 0)
	})
}

// callsWith reports whether some function of the program hands a claim on.
func (p *Pass) callsWith(claim string) bool {
	names := p.claimNames(claim)
	return p.anyOp(func(fn *model.Func, op *model.Op) bool {
		r := claimReader{fn, names}
		return op.Kind == model.Call && slices.ContainsFunc(op.Args[1:], func(arg model.ID) bool { return r.reads(arg, 0) })
	})
}
