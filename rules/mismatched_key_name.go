package rules

import (
	"fmt"

	"github.com/retrysafe/retrysafe/analyzers/flow"
)

var mismatchedKeyName = &Rule{
	Name: "mismatched-key-name", Title: "The handler reads the key under another name than the schema declares",
	Severity: Medium, CWE: 233, Family: KeyFamily, Since: "0.1.0",
	Supersedes: []string{"ignored-key", "optional-key", "missing-key"},
	Text: "The schema declares `idempotencyKey` and the handler reads `idempotency_key`, or the like. What the caller sends is never seen, the value read is always " +
		"empty, and the guard behind it never meets a repeat.\n\nIt is fine when an alias or a normaliser maps the one to the other.",
	Fix:   "Use one name in the schema and in the handler.",
	Check: checkMismatchedKeyName,
}

func checkMismatchedKeyName(p *Pass) {
	for _, t := range p.Tools {
		if !t.ParamsKnown || t.HandlerFn == nil {
			continue
		}
		for _, param := range t.Params {
			if !isKeyName(param.Name) || p.usesArgument(t, param.Name) || p.isRead(t, param.Name) {
				continue
			}
			other := readsOther(t, param.Name)
			if other == nil {
				continue // ignored-key
			}
			p.Report(Report{
				At: other.Span, Tool: t, Fn: other.Fn, Effects: p.repeatable(t), Param: param.Name,
				Related: []Related{{param.Span, quote(param.Name) + " is declared here"}},
				Message: fmt.Sprintf("%s declares %s but reads %s, which no call carries", quote(t.Name), quote(param.Name), quote(other.Name)),
			})
		}
	}
}

// isRead reports whether the handler reads the argument under its own name.
func (p *Pass) isRead(t *flow.Tool, name string) bool {
	return p.lastRead(t, func(r *flow.Read) bool { return r.Name == name }) != nil
}
