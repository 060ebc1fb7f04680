package rules

import (
	"fmt"

	"github.com/retrysafe/retrysafe/analyzers/flow"
	"github.com/retrysafe/retrysafe/analyzers/lazyregexp"
	"github.com/retrysafe/retrysafe/analyzers/model"
)

var ambiguousResult = &Rule{
	Name: "ambiguous-result", Title: "The answer does not say whether the call is done",
	Severity: Low, CWE: 393, Family: EffectFamily, Since: "0.1.0", Pedantic: true,
	Text: `The tool answers with a fixed text such as "processing…", without an id or a final status. A model that cannot tell whether the work is done calls the tool again.

It is fine when the answer carries the object's id, or names the tool that tells its status.`,
	Fix:   "Answer with the object's id and its status.",
	Check: checkAmbiguousResult,
}

var pendingText = lazyregexp.New(`(?i)\b(processing|pending|queued|submitted|in progress|accepted|started|scheduled|being (sent|processed|created))\b|…|\.\.\.`)

func checkAmbiguousResult(p *Pass) {
	for _, t := range p.Tools {
		if !p.judged(t) {
			continue
		}
		var additive []*flow.Effect
		for _, e := range p.mainEffects(t) {
			if e.Nature == model.Additive {
				additive = append(additive, e)
			}
		}
		if len(additive) == 0 {
			continue
		}
		vague := (*flow.Return)(nil)
		for _, r := range t.Returns {
			if r.Throws || r.Failure() {
				continue
			}
			if !onlyPending(r.Value) {
				vague = nil
				break
			}
			vague = r
		}
		if vague == nil {
			continue
		}
		p.Report(Report{
			At: vague.Span, Tool: t, Confidence: model.Certain,
			Message: fmt.Sprintf("%s answers with a fixed text that does not say whether it is done", quote(t.Name)),
		})
	}
}

// onlyPending reports whether an answer holds constants alone, and one of them says that the work goes on.
func onlyPending(v *flow.Term) bool {
	if v == nil {
		return false
	}
	constant, pending := true, false
	v.Walk(func(t *flow.Term) bool {
		switch t.Kind {
		case flow.TConst:
			pending = pending || pendingText.MatchString(t.Const.Text)
		case flow.TObject, flow.TArray, flow.TConcat, flow.TUnion:
		default:
			constant = false
		}
		return constant
	})
	return constant && pending
}
