package rules

import (
	"fmt"
	"slices"

	"github.com/retrysafe/retrysafe/analyzers/flow"
	"github.com/retrysafe/retrysafe/analyzers/model"
)

var keyAsNonce = &Rule{
	Name: "key-as-nonce", Title: "A repeat is refused instead of answered",
	Severity: Low, CWE: 440, Family: EnvelopeFamily, Since: "0.1.0",
	Text: `The idempotency key is treated as a nonce: whoever sends it a second time gets an error, and nothing of what the first call gave. A client repeats a call because its answer was lost. It
learns from the refusal that the key was seen, and neither whether the effect happened nor what came of it; an agent then asks again under a new key, and acts twice.

It is fine to refuse a key that comes with other arguments, or whose first call is still running, and to name in the refusal what is there already.`,
	Fix:   "Store the answer under the key, and give it back to the repeat.",
	Check: checkKeyAsNonce,
}

func checkKeyAsNonce(p *Pass) {
	for _, t := range p.Tools {
		if !p.judged(t) {
			continue
		}
		for _, w := range p.watches(t) {
			if w.byRole || len(w.effects) == 0 || p.keyedByEvent(t, w.record) || !p.anyOrigin(w.key, isSuppliedKey) || p.endsWithCall(w) || p.keepsAnswer(w) {
				continue
			}
			refusal := p.refusesAll(w)
			if refusal == nil {
				continue
			}
			at := refusal.Span
			if !at.IsValid() {
				at = w.record.Span
			}
			p.Report(Report{
				At: at, Tool: t, Event: w.record.Event, Records: []*flow.Record{w.record}, Confidence: min(w.record.Confidence, model.Likely),
				Related: []Related{{w.record.Span, "the key is recognised here"}},
				Message: fmt.Sprintf("%s refuses a repeat of its key and keeps no answer for it: a client that lost the first one cannot learn what came of the call", quote(t.Name)),
			})
		}
	}
}

// refusesAll gives the answer of a way on which the key was there, where each of them is a refusal that looks at nothing but that; nil otherwise.
func (p *Pass) refusesAll(w *watch) *flow.Return {
	var refusal *flow.Return
	for _, r := range w.tool.Returns {
		if p.Outcome(r.Path, w.record.Call) != flow.Hit {
			continue
		}
		acted := slices.ContainsFunc(w.effects, func(e *flow.Effect) bool { return r.Path.Made(e.Call) })
		if acted || !r.Failure() || p.answersWith(w.tool, r, w.record) || comparesState(r.Path, w.record.Result) ||
			eachComparison(r.Path, w.record.Result, func(other *flow.Term) bool { _, constant := other.IsConst(); return !constant }) {
			return nil
		}
		if refusal == nil || !refusal.Span.IsValid() {
			refusal = r
		}
	}
	return refusal
}

// keepsAnswer reports whether something of what the effects give is stored where the keys are, or an answer is made of what some lookup there found.
func (p *Pass) keepsAnswer(w *watch) bool {
	for _, rec := range w.tool.Records {
		if rec.Store != w.record.Store {
			continue
		}
		if slices.ContainsFunc(w.effects, func(e *flow.Effect) bool { return e.Result != nil && e.Call != rec.Call && storesValue(rec, e.Result) }) {
			return true
		}
		if rec.Result != nil && slices.ContainsFunc(w.tool.Returns, func(r *flow.Return) bool { return !r.Failure() && p.answersWith(w.tool, r, rec) }) {
			return true
		}
	}
	return false
}
