package rules

import (
	"fmt"
	"slices"

	"github.com/retrysafe/retrysafe/analyzers/flow"
	"github.com/retrysafe/retrysafe/analyzers/lazyregexp"
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
		confidence := surest(p.certainlyWrites(effects))
		if asksQuestion(t) && !slices.ContainsFunc(effects, func(e *flow.Effect) bool { return e.Kind != model.HTTP || e.Nature != model.Additive }) {
			confidence = model.Possible // a POST may carry a question too long for a GET, and the name agrees with the annotation
		}
		p.Report(Report{
			At: annotationPlace(t, hint), Tool: t, WholeTool: true, Effects: effects, Confidence: confidence,
			Related: p.effectPlaces(effects),
			Message: fmt.Sprintf("%s is annotated as read-only, but it %s", quote(t.Name), phrases(effects)),
		})
	}
}

var (
	questionName = lazyregexp.New(`(?i)(^|[^a-z])(get|list|fetch|search|find|query|read|show|describe|lookup|count|check|view)([^a-z]|$)|(^|[^a-z])(?-i:[gG]et|[lL]ist|[fF]etch|[sS]earch|[fF]ind|[qQ]uery|[rR]ead|[sS]how)(?-i:[A-Z])`)
	actName      = lazyregexp.New(`(?i)(^|[^a-z])(create|add|update|delete|remove|set|send|run|start|stop|insert|write|post|put|patch|import|upload|submit|execute|mark|archive|book|order|pay)([^a-z]|$)|(?-i:([cC]reate|[uU]pdate|[dD]elete|[rR]emove|[sS]end|[uU]psert)[A-Z])`)
)

// asksQuestion reports whether a tool is named for a question and for no act.
func asksQuestion(t *flow.Tool) bool {
	return questionName.MatchString(t.Name) && !actName.MatchString(t.Name)
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
