package rules

import (
	"fmt"

	"github.com/retrysafe/retrysafe/analyzers/flow"
	"github.com/retrysafe/retrysafe/analyzers/model"
)

var perCallKey = &Rule{
	Name: "per-call-key", Title: "The vendor's key is made new on every call",
	Severity: Low, CWE: 837, Family: EffectFamily, Since: "0.1.0",
	Supersedes: []string{"unstable-derived-key", "predictable-key", "unkeyed-payment", "undeduped-message", "unkeyed-vendor", "idempotent-lie", "missing-key"},
	Text: `The key passed to the vendor is generated in the handler, in a wrapper around the client, or as the fallback of an optional key. It covers the retries that the
SDK makes inside this one call. When the agent calls again, another key is made and the vendor acts again.

MEDIUM for payments, and where the tool is annotated ` + "`idempotentHint: true`" + ` although no call has another key.

It is fine when the key is stored before it is used and found again by a repeat, or when a claim of the server's own stands before the call.`,
	Fix:   "Take the key from the caller, or derive it from the operation, so that a repeat gives the same one.",
	Check: checkPerCallKey,
}

func checkPerCallKey(p *Pass) {
	for _, t := range p.Tools {
		for _, e := range p.mainEffects(t) {
			if e.Key == nil || e.Nature != model.Additive && e.Nature != model.Transition {
				continue
			}
			fresh := p.generation(e.Key)
			if fresh == nil {
				continue
			}
			if p.ownRecord(e) || p.keptBefore(t, e, fresh) {
				continue // a claim stands before the call, or a repeat finds the key again
			}
			severity := Low
			related := []Related{{e.Span, "the key is passed here"}}
			if e.Money {
				severity = Medium
			}
			if hint, ok := t.Annotation("idempotentHint"); ok && hint.Value == "true" && !p.fallsBackToFresh(t, e) {
				severity = max(severity, idempotentLie.Severity) // clients take the hint at its word
				related = append(related, Related{annotationPlace(t, hint), "it is annotated as idempotent here"})
			}
			at, fn := e.KeySpan, e.Fn
			if fresh.Site != nil && fresh.Site.Span.IsValid() {
				at, fn = fresh.Site.Span, fresh.Site.Fn
			}
			if !at.IsValid() {
				at = e.Span
			}
			p.Report(Report{
				At: at, Event: e.Event, Fn: fn, Effects: []*flow.Effect{e}, Severity: severity, Confidence: keyConfidence(e),
				Related: related,
				Message: fmt.Sprintf("%s gives %s a key made new on every call: a repeated call is another operation to the vendor",
					quote(t.Name), quote(e.Callee)),
			})
		}
	}
}

// fallsBackToFresh reports whether the vendor gets the key that the caller sends, and a new one where it sends none, so that nothing knows the repeat.
func (p *Pass) fallsBackToFresh(t *flow.Tool, e *flow.Effect) bool {
	if e.Key == nil || !p.anyOrigin([]*flow.Term{e.Key}, isSupplied) {
		return false
	}
	fresh := p.generation(e.Key)
	return fresh != nil && !p.ownRecord(e) && !p.keptBefore(t, e, fresh)
}

// generation finds the call that makes a key, or one of the values that it may have, new; nil if there is none.
func (p *Pass) generation(key *flow.Term) *flow.Term {
	for _, alt := range alternatives(key) {
		if !p.freshValue(alt) {
			continue
		}
		for _, o := range p.Origins(alt) {
			if isFresh(o.Kind) {
				return o.Term
			}
		}
	}
	return nil
}

// keptBefore reports whether the fresh value is stored before the effect, and the key is otherwise what was stored earlier.
func (p *Pass) keptBefore(t *flow.Tool, e *flow.Effect, fresh *flow.Term) bool {
	if !p.from([]*flow.Term{e.Key}, flow.OriginRecord) {
		return false
	}
	for _, rec := range t.Records {
		if rec.Order < e.Order && rec.Writes() && storesValue(rec, fresh) {
			return true
		}
	}
	return false
}
