package rules

import (
	"fmt"
	"slices"

	"github.com/retrysafe/retrysafe/analyzers/flow"
	"github.com/retrysafe/retrysafe/analyzers/model"
)

var racyNonce = &Rule{
	Name: "racy-nonce", Title: "Two copies of a request at once both use its nonce",
	Severity: Medium, CWE: 367, Family: EnvelopeFamily, Since: "0.1.0",
	Supersedes: []string{"early-nonce"},
	Text: `A nonce, a jti or a one-time token is looked up and stored, or read and removed, in two steps. Whoever has captured a signed request sends two copies at the same moment: both
pass the lookup before either is stored, and both are served. A password reset or an authorization code that is read first and deleted later is redeemed twice in the same way.

It is fine when one step decides: ` + "`SET NX`, `GETDEL`, `DELETE … RETURNING`" + `, an insert under a unique constraint, an update of unused rows whose count is checked, a lock that is
held from the lookup to the store, or, in JavaScript and in the memory of one process, a lookup and a store between which nothing is awaited.`,
	Fix:   "Store the nonce, or take the token away, in one atomic step, and refuse the request that loses it.",
	Check: checkRacyNonce,
}

func checkRacyNonce(p *Pass) {
	for _, t := range p.Tools {
		for _, n := range p.nonces(t) {
			if n.record.Op != model.Lookup || n.record.Spec != nil && n.record.Spec.Atomic {
				continue
			}
			if second := p.secondStep(n); second != nil {
				at, fn := placeBeside(second, n.record)
				rep := Report{At: at, Fn: fn, Event: n.record.Event, Records: []*flow.Record{n.record}, Confidence: min(n.confidence, second.Confidence)}
				if inTransaction(t, n.record) {
					rep.Confidence = model.Possible // its isolation decides
				}
				if len(n.stored) > 0 {
					rep.Message = fmt.Sprintf("%s looks the nonce %s up and stores it in two steps: two copies of a request at once both pass", quote(t.Name), n.quoted())
					rep.Related = []Related{{second.Span, "the nonce is stored here, in a second step"}}
				} else {
					rep.Message = fmt.Sprintf("%s reads the one-time value %s and removes it in two steps: two requests at once both use it", quote(t.Name), n.quoted())
					rep.Related = []Related{{second.Span, "it is removed here, in a second step"}}
				}
				p.Report(rep)
			}
		}
	}
}

// secondStep gives what stores the nonce, or takes it away, in a step of its own after the lookup; nil where one step decides who goes on.
func (p *Pass) secondStep(n *nonce) *flow.Record {
	steps := n.stored
	if len(steps) == 0 {
		steps = n.spent
	}
	for _, s := range steps {
		if p.decidesAlone(n.tool, s) || uninterrupted(n.record, s) || p.lockedAcross(n.tool, n.record, s) {
			return nil
		}
	}
	return steps[len(steps)-1]
}

// decidesAlone reports whether an operation tells who of two was first, and somebody listens: a claim, or a removal whose outcome is looked at.
func (p *Pass) decidesAlone(t *flow.Tool, rec *flow.Record) bool {
	switch rec.Op {
	case model.Claim, model.Swap:
		return rec.Spec != nil && rec.Spec.Atomic || p.RefusedByConstraint(t, rec.Call) || p.Index.Unique(rec.Table) != nil
	}
	if rec.Result == nil || rec.Op == model.Put && rec.Statement == nil {
		return false
	}
	return slices.ContainsFunc(t.Returns, func(r *flow.Return) bool {
		return slices.ContainsFunc(r.Path.Conds, func(c flow.Cond) bool { return c.Term.Contains(rec.Result) && !asksForError(rec, c.Term) })
	})
}

// asksForError reports whether a condition only asks whether something failed.
func asksForError(rec *flow.Record, cond *flow.Term) bool {
	if cond.Kind == flow.TMember {
		return cond.Name == "error"
	}
	return rec.ReturnsError() && cond.Kind == flow.TOp && len(cond.Args) == 2 && (cond.Name == "==" || cond.Name == "!=") && cond.Args[1].IsNullish()
}
