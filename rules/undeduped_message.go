package rules

import (
	"fmt"

	"github.com/retrysafe/retrysafe/analyzers/flow"
	"github.com/retrysafe/retrysafe/analyzers/model"
)

var undedupedMessage = &Rule{
	Name: "undeduped-message", Title: "A message is sent again on a repeated call",
	Severity: Medium, CWE: 837, Family: EffectFamily, Since: "0.1.0",
	Supersedes: []string{"unkeyed-vendor", "idempotent-lie", "missing-key"},
	Text: `The tool sends an email, an SMS, a chat or a push message, and nothing recognises a repeat. People receive it twice, and no later step takes a message back.

It is fine when a vendor's key is passed, when a record is claimed or looked up first, or when the message is the reply to the caller itself.`,
	Fix:   "Claim a record under a key before sending, or pass the vendor's idempotency key where it has one.",
	Check: checkUndedupedMessage,
}

func checkUndedupedMessage(p *Pass) {
	for _, t := range p.Tools {
		if t.Kind == flow.Webhook || !p.judged(t) {
			continue // undeduped-webhook
		}
		for _, e := range p.unguarded(t, model.Additive) {
			if e.Kind != model.Email && e.Kind != model.Message || e.Spec != nil && e.Spec.Setup {
				continue // an address, a contact or a template is made, and nothing sent
			}
			if e.Key != nil && !isAbsent(e.Key) || p.harmless(e) != "" {
				continue // what the key is worth is another question; a draft is not sent
			}
			p.Report(Report{
				At: e.Span, Event: e.Event, Effects: []*flow.Effect{e}, Confidence: p.absence(e),
				Message: fmt.Sprintf("%s %s again on every repeated call%s", quote(t.Name), phrase(e), p.onlyWhen(e)),
			})
		}
	}
}

// onlyWhen says for which value of an argument alone the effect happens, "" where that does not matter.
func (p *Pass) onlyWhen(e *flow.Effect) string {
	words := ""
	for i, path := range e.Paths {
		found := map[string]bool{}
		first := ""
		for _, c := range path.Conds {
			s := p.equality(c)
			if s != "" && first == "" {
				first = s
			}
			found[s] = true
		}
		if i == 0 {
			words = first
		}
		if words == "" || !found[words] {
			return ""
		}
	}
	return words
}

// equality says that a condition compares an argument with a constant and finds them equal.
func (p *Pass) equality(c flow.Cond) string {
	t := c.Term
	if t.Kind != flow.TOp || len(t.Args) != 2 || !(t.Name == "==" && c.True || t.Name == "!=" && !c.True) {
		return ""
	}
	for i, v := range t.Args {
		text, ok := v.Text()
		if !ok || text == "" {
			continue
		}
		other := t.Args[1-i]
		for _, o := range p.Origins(other) {
			if o.Kind == flow.OriginArguments && o.Name != "" && o.Term == other {
				return fmt.Sprintf(" where %s is %s", quote(o.Name), quote(text))
			}
		}
	}
	return ""
}
