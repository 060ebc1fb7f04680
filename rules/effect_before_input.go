package rules

import (
	"fmt"

	"github.com/retrysafe/retrysafe/analyzers/flow"
	"github.com/retrysafe/retrysafe/analyzers/model"
)

var effectBeforeInput = &Rule{
	Name: "effect-before-input", Title: "The handler acts, then asks for input and starts again",
	Severity: Medium, CWE: 837, Family: KeyFamily, Since: "0.1.0",
	Text: `The handler performs an effect and then asks the caller for more input in a way that ends this run: when the answer comes the handler starts again from
the top, and the effect runs a second time. Interrupts of agent graphs, steps of workflow engines and multi-round requests of the protocol all work so.

It is fine when the effect stands after the last such request, when it has a key or a memoised step of its own, or when the question is awaited in place.`,
	Fix:   "Ask for all input before the first effect.",
	Check: checkEffectBeforeInput,
}

func checkEffectBeforeInput(p *Pass) {
	for _, t := range p.Tools {
		for _, ask := range t.Events {
			if ask.CheckRow == nil || ask.CheckRow.Check.Kind != "restart" {
				continue
			}
			for _, e := range p.unguarded(t, model.Additive) {
				if !precedes(e.Call, ask) {
					continue
				}
				p.Report(Report{
					At: e.Span, Event: e.Event, Effects: []*flow.Effect{e}, Confidence: min(p.absence(e), ask.Confidence),
					Related: []Related{{ask.Span, "asks for input here and starts again with the answer"}},
					Message: fmt.Sprintf("%s %s before it asks for input, and again when the answer arrives", quote(t.Name), phrase(e)),
				})
			}
		}
	}
}

// precedes reports whether the call was made on some way to the event.
func precedes(c *flow.Call, e *flow.Event) bool {
	for _, path := range e.Paths {
		if path.Made(c) {
			return true
		}
	}
	return false
}
