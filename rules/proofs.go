package rules

import (
	"slices"
	"strings"

	"github.com/retrysafe/retrysafe/analyzers/flow"
	"github.com/retrysafe/retrysafe/analyzers/lazyregexp"
	"github.com/retrysafe/retrysafe/analyzers/model"
)

// proof is a place at which a tool or route verifies a DPoP proof (RFC 9449): a token by which the sender shows that it has a key, made for one request.
type proof struct {
	tool  *flow.Tool
	event *flow.Event
	// library is true where a library verifies all of it; binds lists the claims that it compares then.
	library bool
	binds   []string
}

// proofType matches the type of such a token, proofHeader the header in which it comes.
var (
	proofType   = lazyregexp.New(`(?i)^dpop\+jwt$`)
	proofHeader = lazyregexp.New(`(?i)(^|\.)dpop$`)
)

// proofs lists where a tool or route verifies DPoP proofs.
func (p *Pass) proofs(t *flow.Tool) []*proof {
	var out []*proof
	for _, ev := range t.Events {
		if ev.CheckRow == nil || ev.CheckRow.Check == nil {
			continue
		}
		switch check := ev.CheckRow.Check; check.Kind {
		case "proof":
			if i := slices.IndexFunc(out, func(f *proof) bool { return f.library }); i >= 0 {
				out[i].binds = append(out[i].binds, check.Binds...) // what one call leaves the next one compares
				continue
			}
			out = append(out, &proof{tool: t, event: ev, library: true, binds: slices.Clone(check.Binds)})
		case "auth":
			if p.isProof(ev) {
				out = append(out, &proof{tool: t, event: ev})
			}
		}
	}
	return out
}

// isProof reports whether the token that a call verifies is a proof: it comes in the header of proofs, or the call or the function around it asks for their type.
func (p *Pass) isProof(ev *flow.Event) bool {
	if p.anyOrigin(ev.Args, func(o flow.Origin) bool { return o.Kind == flow.OriginHeader && proofHeader.MatchString(o.Name) }) {
		return true
	}
	return ev.Fn != nil && slices.ContainsFunc(ev.Fn.Ops, func(op model.Op) bool {
		return op.Kind == model.Constant && op.Const.Kind == model.String && proofType.MatchString(op.Const.Text)
	})
}

// opaque reports whether the verified proof is handed to something of which nothing is known, which may check what is left.
func (p *Pass) opaque(f *proof) bool {
	return f.event.Result != nil && slices.ContainsFunc(f.tool.Events, func(e *flow.Event) bool {
		return e.Unresolved && slices.ContainsFunc(e.Args, func(a *flow.Term) bool { return a.Contains(f.event.Result) })
	})
}

// presentsToken reports whether an access token comes with the proof.
func (p *Pass) presentsToken(f *proof) bool {
	if strings.HasSuffix(f.tool.Path, "/token") {
		return false // where tokens are given out there is none yet
	}
	if slices.ContainsFunc(p.reads(f.tool), func(r *flow.Read) bool {
		return r.Role == model.CredentialInput || r.Role == model.HeaderInput && strings.EqualFold(lastPart(r.Name), "authorization")
	}) {
		return true
	}
	return slices.ContainsFunc(f.tool.Events, func(e *flow.Event) bool {
		return e.Call != f.event.Call && e.CheckRow != nil && e.CheckRow.Check.Kind == "auth" && !p.isProof(e)
	})
}

// claimNames gives the names under which the program reads a claim, in lower case: its own, and those of the fields that stand for it.
func (p *Pass) claimNames(claim string) map[string]bool {
	names := map[string]bool{claim: true}
	switch claim {
	case "iat":
		names["issuedat"] = true
	case "jkt":
		names["thumbprint"] = true
	}
	for _, u := range p.Options.Units {
		for _, t := range u.Types {
			for i := range t.Members {
				if m := &t.Members[i]; m.Encoded == claim {
					names[strings.ToLower(m.Name)] = true
				}
			}
		}
	}
	return names
}

// comparesClaim reports whether some function of the program compares a claim with something, or hands it to a function together with something else.
func (p *Pass) comparesClaim(claim string) bool {
	names := p.claimNames(claim)
	return p.anyOp(func(fn *model.Func, op *model.Op) bool { return claimReader{fn, names}.compares(op) })
}

// claimReader looks in one function for uses of a claim that has one of some names.
type claimReader struct {
	fn    *model.Func
	names map[string]bool
}

func (r claimReader) compares(op *model.Op) bool {
	switch op.Kind {
	case model.Compare:
		for i, arg := range op.Args[:min(2, len(op.Args))] {
			if r.reads(arg, 0) && (!r.isConstant(op.Args[1-i]) || strings.ContainsAny(op.Name, "<>")) {
				return true
			}
		}
	case model.Call:
		given := 0
		for _, arg := range op.Args[1:] {
			if !r.isConstant(arg) {
				given++
			}
		}
		for _, arg := range op.Args[1:] {
			if r.namesClaim(arg) || given > 1 && r.reads(arg, 0) {
				return true
			}
		}
		if callee := op.Args[0]; callee >= 0 && given > 0 && r.fn.Ops[callee].Kind == model.Load && len(r.fn.Ops[callee].Args) > 0 {
			return r.reads(r.fn.Ops[callee].Args[0], 0) // a method of the claim: claims.IssuedAt.Before(t)
		}
	}
	return false
}

// namesClaim reports whether a value is the claim's own name: token.Get("htm").
func (r claimReader) namesClaim(id model.ID) bool {
	return id >= 0 && r.fn.Ops[id].Kind == model.Constant && r.fn.Ops[id].Const.Kind == model.String && r.names[r.fn.Ops[id].Const.Text]
}

func (r claimReader) isConstant(id model.ID) bool {
	return id < 0 || r.fn.Ops[id].Kind == model.Constant
}

// reads reports whether a value is made from the claim.
func (r claimReader) reads(id model.ID, depth int) bool {
	const most = 8
	if id < 0 || depth > most {
		return false
	}
	op := &r.fn.Ops[id]
	switch op.Kind {
	case model.Load:
		if r.names[strings.ToLower(op.Name)] || op.Name == "" && len(op.Args) > 1 && r.namesClaim(op.Args[1]) {
			return true
		}
	case model.Compare, model.Closure, model.Constant:
		return false
	}
	return slices.ContainsFunc(op.Args, func(arg model.ID) bool { return r.reads(arg, depth+1) })
}

// setsOption reports whether some call of the program is given an option of that name.
func (p *Pass) setsOption(name string) bool {
	return p.anyOp(func(_ *model.Func, op *model.Op) bool {
		return slices.ContainsFunc(op.Parts, func(part model.Part) bool { return part.Key == name })
	})
}

// anyOp reports whether an operation of the program is wanted.
func (p *Pass) anyOp(want func(*model.Func, *model.Op) bool) bool {
	for _, u := range p.Options.Units {
		for _, f := range u.Funcs {
			for i := range f.Ops {
				if want(f, &f.Ops[i]) {
					return true
				}
			}
		}
	}
	return false
}
