package rules

import (
	"fmt"

	"github.com/retrysafe/retrysafe/analyzers/flow"
	"github.com/retrysafe/retrysafe/analyzers/model"
)

var missingAnnotation = &Rule{
	Name: "missing-annotation", Title: "A tool does not say whether it changes something",
	Severity: Low, CWE: 1053, Family: AnnotationFamily, Pedantic: true, Since: "0.1.0",
	Text: "A tool that changes something carries no hint about it, or one that only reads is not marked `readOnlyHint: true`. Clients then assume the worst of both: they ask before " +
		"every harmless call, and people learn to approve without reading.\n\nIt is fine where the SDK has no annotations.",
	Fix:   "Annotate the tool: readOnlyHint for one that only reads, destructiveHint and idempotentHint for one that writes.",
	Check: checkMissingAnnotation,
}

func checkMissingAnnotation(p *Pass) {
	for _, t := range p.Tools {
		if t.Kind != flow.MCPTool || t.Row == nil || t.Row.Tool == nil || t.Row.Tool.Annotations == "" && len(t.Row.Tool.Hints) == 0 {
			continue // the SDK has none
		}
		if _, ok := t.Annotation("readOnlyHint"); ok {
			continue
		}
		rep := Report{At: t.Span, Tool: t}
		switch effects := p.mainEffects(t); {
		case len(effects) > 0:
			if hints(t) {
				continue
			}
			rep.Message = fmt.Sprintf("%s %s, and has no annotation that says so", quote(t.Name), phrases(effects))
			rep.Confidence = surest(effects)
			rep.Related = p.effectPlaces(effects)
		case t.Nature == model.Read:
			rep.Message = fmt.Sprintf("%s only reads, and is not annotated as read-only", quote(t.Name))
		default:
			continue // not followed to the end
		}
		p.Report(rep)
	}
}

// hints reports whether a tool says anything about how it may be called.
func hints(t *flow.Tool) bool {
	for _, a := range t.Annotations {
		if a.Name != "title" {
			return true
		}
	}
	return false
}
