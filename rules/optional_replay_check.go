package rules

import (
	"fmt"
	"slices"

	"github.com/retrysafe/retrysafe/analyzers/flow"
	"github.com/retrysafe/retrysafe/analyzers/lazyregexp"
	"github.com/retrysafe/retrysafe/analyzers/model"
)

var optionalReplayCheck = &Rule{
	Name: "optional-replay-check", Title: "A signature is verified only where a secret or header is there",
	Severity: High, CWE: 636, Family: EnvelopeFamily, Since: "0.1.0",
	Text: `The verification of a request is skipped when the secret is not set or the header is missing, and the request is served all the same. A deployment that forgot the
variable, or a sender who leaves the header out, passes.

LOW where the branch asks in which environment the program runs.

It is fine where the absence is refused on every path, or where the program does not start without the secret.`,
	Fix:   "Refuse the request when the secret or the header is missing.",
	Check: checkOptionalReplayCheck,
}

// verifying matches the names of what a verification needs: a signature, a secret of hooks, a switch that turns it on.
var (
	signatureNames = lazyregexp.New(`(?i)signature|hmac|^key$|(verify|validate|check|require|enable)\w*(signature|webhook|hook)`)
	hookNames      = lazyregexp.New(`(?i)hook|callback|signature|signing|event`)
)

func checkOptionalReplayCheck(p *Pass) {
	for _, t := range p.Tools {
		for _, s := range p.skippedChecks(t) {
			rep := Report{At: s.Span, Tool: t, Fn: s.Fn, Confidence: model.Likely,
				Message: fmt.Sprintf("%s serves a request without verifying it where %s is absent", quote(t.Name), quote(s.Name))}
			if asksEnvironment(s.Fn) {
				rep.Severity = Low
			}
			p.Report(rep)
		}
	}
}

// skippedChecks lists the conditions under which a tool leaves a verification out.
func (p *Pass) skippedChecks(t *flow.Tool) []flow.Skip {
	return once(p.shared.skips, t, func() []flow.Skip {
		wanted := func(name string) bool { return signatureNames.MatchString(name) || flow.IsCredentialName(name) }
		var skips []flow.Skip
		for _, c := range t.Comparisons {
			what, _ := p.comparedSecret(c)
			if kind, name := p.secretOf(c); what != "" && (kind == flow.MAC || hookNames.MatchString(name+" "+t.Path+" "+t.Span.File)) {
				skips = append(skips, c.Skips(wanted)...)
			}
		}
		for _, ev := range t.Events {
			if p.verifies(ev) {
				skips = append(skips, ev.Skips(wanted)...)
			}
		}
		return skips
	})
}

// secretOf gives the secret among two values that are compared.
func (p *Pass) secretOf(c *flow.Comparison) (flow.Secrecy, string) {
	kind, name := p.Secret(c.X)
	if k, n := p.Secret(c.Y); k > kind {
		return k, n
	}
	return kind, name
}

// verifies reports whether a call verifies a signature: it is one for that, or it compares a MAC.
func (p *Pass) verifies(ev *flow.Event) bool {
	if ev.CheckRow == nil || ev.CheckRow.Check == nil {
		return false
	}
	switch ev.CheckRow.Check.Kind {
	case "webhook", "signature":
		return true
	case "compare":
		return !ev.CheckRow.Check.Early && slices.ContainsFunc(ev.Args, func(a *flow.Term) bool {
			kind, _ := p.Secret(a)
			return kind == flow.MAC
		})
	}
	return false
}

// asksEnvironment reports whether a function compares something with the name of an environment.
func asksEnvironment(fn *flow.Function) bool {
	return slices.ContainsFunc(fn.Ops, func(op model.Op) bool {
		return op.Kind == model.Compare && slices.ContainsFunc(op.Args, func(arg model.ID) bool {
			return arg >= 0 && fn.Ops[arg].Kind == model.Constant && slices.Contains(environments, fn.Ops[arg].Const.Text)
		})
	})
}
