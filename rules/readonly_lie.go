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
			At: annotationPlace(t, hint), Tool: t, WholeTool: true, Effects: effects, Confidence: surest(p.certainlyWrites(effects)),
			Related: p.effectPlaces(effects),
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

// effectPlaces shows each effect, and where what it does is written if that is elsewhere: the text of a statement, a URL.
func (p *Pass) effectPlaces(effects []*flow.Effect) []Related {
	var out []Related
	for _, e := range effects {
		if at, ok := p.Written(e); ok {
			out = append(out, Related{at, "with this text it " + phrase(e)})
		}
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

// certainlyWrites leaves out the effects that may only read: a program that is run may do either, and its name alone does not tell which. Where the
// caller says what is run, it may be anything.
func (p *Pass) certainlyWrites(effects []*flow.Effect) []*flow.Effect {
	var out []*flow.Effect
	for _, e := range effects {
		if e.Kind != model.Process || len(e.Args) > 0 && p.fromCaller(e.Args[:1]) {
			out = append(out, e)
		}
	}
	return out
}
