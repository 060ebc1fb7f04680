package rules

import (
	"fmt"

	"github.com/retrysafe/retrysafe/analyzers/flow"
	"github.com/retrysafe/retrysafe/analyzers/model"
)

var stickyKey = &Rule{
	Name: "sticky-key", Title: "Different requests go out under one key",
	Severity: Medium, CWE: 694, Family: QualityFamily, Since: "0.1.0", Experimental: true,
	Supersedes: []string{"per-call-key", "predictable-key"},
	Text: `The key is a constant, or was made once and is kept by a client that all requests share. To the service the second request is a repeat of the first: it is answered with the first
one's result, the customer of the second gets nothing, and the program believes that it was done.

HIGH for payments.

It is fine when the key is set for each request, and for an operation that has no arguments and is meant to happen once.`,
	Fix:   "Give each request the key of its own operation.",
	Check: checkStickyKey,
}

func checkStickyKey(p *Pass) {
	for _, t := range p.Tools {
		if !p.judged(t) {
			continue
		}
		for _, e := range p.mainEffects(t) {
			if e.Key == nil || isAbsent(e.Key) || e.Nature != model.Additive && e.Nature != model.Transition || len(p.arguments(e.Call)) == 0 {
				continue
			}
			at, fn, what := e.KeySpan, e.Fn, ""
			if made := p.madeBefore(t, e.Key); made != nil {
				at, fn, what = made.Site.Span, made.Site.Fn, "a key that is made once and kept"
			} else if p.isConstant(e.Key) {
				what = "the same key"
				if text, _ := e.Key.Text(); text != "" {
					if span, ok := p.TextPlace(e.Event, text); ok {
						at, fn = span, nil
					}
				}
			} else {
				continue
			}
			if !at.IsValid() {
				at = e.Span
			}
			severity := Medium
			if e.Money {
				severity = High
			}
			p.Report(Report{
				At: at, Fn: fn, Event: e.Event, Effects: []*flow.Effect{e}, Severity: severity, Confidence: keyConfidence(e),
				Related: []Related{{e.Span, "the key is passed here"}},
				Message: fmt.Sprintf("%s gives every request of %s %s: the second is taken for a repeat of the first", quote(t.Name), quote(e.Callee), what),
			})
		}
	}
}

// isConstant reports whether a value is a text of the program.
func (p *Pass) isConstant(v *flow.Term) bool {
	for _, alt := range alternatives(v) {
		if text, ok := alt.Text(); !ok || text == "" {
			return false
		}
	}
	return true
}

// madeBefore finds the call that made a value when the program started, nil where it is made in the run of the tool or holds something else that tells
// requests apart.
func (p *Pass) madeBefore(t *flow.Tool, key *flow.Term) *flow.Term {
	var made *flow.Term
	for _, o := range p.Origins(key) {
		switch {
		case isFresh(o.Kind):
			c := p.Made(o.Term)
			if c == nil || o.Term.Site == nil || p.runs(t, c) {
				return nil
			}
			made = o.Term
		case o.Kind != flow.OriginConstant && o.Kind != flow.OriginEnv:
			return nil
		}
	}
	return made
}

// runs reports whether the tool makes a call each time it is called.
func (p *Pass) runs(t *flow.Tool, c *flow.Call) bool {
	for _, ev := range t.Events {
		if ev.Call == c || ev.Call.Result == c.Result {
			return true
		}
	}
	return false
}
