package rules

import (
	"fmt"
	"strings"

	"github.com/retrysafe/retrysafe/analyzers/flow"
	"github.com/retrysafe/retrysafe/analyzers/model"
)

var destructiveLie = &Rule{
	Name: "destructive-lie", Title: "A tool that calls itself harmless destroys something",
	Severity: Medium, CWE: 684, Family: AnnotationFamily, Since: "0.1.0",
	Text: "The tool is annotated `destructiveHint: false` and deletes, drops, cancels or revokes. Clients that ask before destructive calls do not ask here.\n\n" +
		"It is fine for an archive that can be undone, and for temporary objects and sessions of the tool's own; where `readOnlyHint` is true as well, that is the lie.",
	Fix:   "Set destructiveHint to true.",
	Check: checkDestructiveLie,
}

func checkDestructiveLie(p *Pass) {
	for _, t := range p.Tools {
		hint, ok := t.Annotation("destructiveHint")
		if !ok || hint.Value != "false" {
			continue
		}
		if readOnly, ok := t.Annotation("readOnlyHint"); ok && readOnly.Value == "true" {
			continue // readonly-lie
		}
		var destroyed []*flow.Effect
		for _, e := range p.mainEffects(t) {
			if e.Nature == model.Destructive && !reversible(e) {
				destroyed = append(destroyed, e)
			}
		}
		if len(destroyed) == 0 {
			continue
		}
		p.Report(Report{
			At: annotationPlace(t, hint), Tool: t, Effects: destroyed, Confidence: surest(destroyed), Related: p.effectPlaces(destroyed),
			Message: fmt.Sprintf("%s is annotated as not destructive, but it %s", quote(t.Name), phrases(destroyed)),
		})
	}
}

// reversible reports whether a destructive effect can be undone: it only puts the object aside.
func reversible(e *flow.Effect) bool {
	if e.Aside {
		return true
	}
	name := strings.ToLower(lastPart(e.Callee) + " " + e.Object)
	return strings.Contains(name, "archive") || strings.Contains(name, "softdelete") || strings.Contains(name, "soft_delete") || strings.Contains(name, "trash")
}
