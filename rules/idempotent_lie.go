package rules

import (
	"fmt"

	"github.com/retrysafe/retrysafe/analyzers/flow"
	"github.com/retrysafe/retrysafe/analyzers/model"
)

var idempotentLie = &Rule{
	Name: "idempotent-lie", Title: "A tool that calls itself idempotent acts again",
	Severity: Medium, CWE: 684, Family: AnnotationFamily, Since: "0.1.0",
	Supersedes: []string{"missing-key"},
	Text: "The tool is annotated `idempotentHint: true` and has an additive effect that nothing protects or guards, or only on the calls that give an optional key. Clients take the " +
		"hint at its word and repeat the call after a timeout.\n\nIt is fine when a key is required and used in a guard, and where `readOnlyHint` is true as well: then that is the lie.",
	Fix:   "Set idempotentHint to false, or make the tool recognise a repeat.",
	Check: checkIdempotentLie,
}

func checkIdempotentLie(p *Pass) {
	for _, t := range p.Tools {
		hint, ok := t.Annotation("idempotentHint")
		if !ok || hint.Value != "true" {
			continue
		}
		if readOnly, ok := t.Annotation("readOnlyHint"); ok && readOnly.Value == "true" {
			continue // readonly-lie
		}
		var repeated []*flow.Effect
		fallsBack := false // a key that the caller may give is right: the hint speaks of the calls that give none
		for _, e := range p.mainEffects(t) {
			fresh := p.fallsBackToFresh(t, e)
			if e.Nature == model.Additive && (fresh || p.repeats(e)) && p.harmless(e) == "" {
				repeated = append(repeated, e)
				fallsBack = fallsBack || fresh
			}
		}
		if len(repeated) == 0 {
			continue
		}
		report := func(effects []*flow.Effect) Report {
			r := Report{
				At: annotationPlace(t, hint), Tool: t, WholeTool: true, Effects: effects, Severity: Medium, Related: p.effectPlaces(effects),
				Message: fmt.Sprintf("%s is annotated as idempotent, but a repeated call %s again", quote(t.Name), phrases(effects)),
			}
			for _, e := range effects {
				r.Severity = max(r.Severity, repeatSeverity(e))
				r.Confidence = max(r.Confidence, p.absence(e))
			}
			return r
		}
		whole := report(repeated)
		whole.Restate, whole.OwnPlace = report, fallsBack
		p.Report(whole)
	}
}
