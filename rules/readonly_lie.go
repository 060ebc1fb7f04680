package rules

import (
	"fmt"

	"github.com/retrysafe/retrysafe/analyzers/flow"
	"github.com/retrysafe/retrysafe/analyzers/model"
)

var readonlyLie = &Rule{
	Name: "readonly-lie", Title: "A tool that calls itself read-only changes something",
	Severity: High, CWE: 451, Family: AnnotationFamily, Since: "0.1.0",
	Supersedes: []string{"idempotent-lie", "destructive-lie", "missing-key"},
	Text:       "The tool is annotated `readOnlyHint: true` and has an effect. Clients run such tools without asking anyone, and run them again when an answer is late.",
	Fix:        "Set readOnlyHint to false.",
	Check:      checkReadonlyLie,
}

func checkReadonlyLie(p *Pass) {
	for _, t := range p.Tools {
		hint, ok := t.Annotation("readOnlyHint")
		effects := p.mainEffects(t)
		if !ok || hint.Value != "true" || len(effects) == 0 {
			continue
		}
		p.Report(Report{
			At: annotationPlace(t, hint), Tool: t, Event: effects[0].Event, WholeTool: true, Effects: effects, Confidence: surest(effects),
			Related: effectPlaces(effects),
			Message: fmt.Sprintf("%s is annotated as read-only, but it %s", quote(t.Name), phrases(effects)),
		})
	}
}

// annotationPlace is where an annotation stands, or the registration where that is not known.
func annotationPlace(t *flow.Tool, a flow.Annotation) model.Span {
	if a.Span.IsValid() {
		return a.Span
	}
	return t.Span
}

func effectPlaces(effects []*flow.Effect) []Related {
	var out []Related
	for _, e := range effects {
		out = append(out, Related{e.Span, phrase(e)})
	}
	return out
}

// surest gives the confidence of the effect that is known best: one suffices.
func surest(effects []*flow.Effect) model.Confidence {
	best := model.Possible
	for _, e := range effects {
		best = max(best, e.Confidence)
	}
	return best
}
