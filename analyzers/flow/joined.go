package flow

import (
	"slices"

	"github.com/retrysafe/retrysafe/analyzers/model"
)

// maxJoins bounds the places that are kept of one text.
const maxJoins = 8

// joined notes where a text is put together: the value itself has no place.
func (e *engine) joined(t *Term, fn *Function, op model.ID) *Term {
	if t.Kind != TConcat && (t.Kind != TOp || t.Name != "+") {
		return t
	}
	if at := e.site(fn, op); len(e.joins[t]) < maxJoins && !slices.Contains(e.joins[t], at) {
		e.joins[t] = append(e.joins[t], at)
	}
	return t
}

// JoinPlace tells where a text that an event uses is put together: in one of the functions that lead to it, or in the one place that there is.
func (r *Result) JoinPlace(ev *Event, text *Term) (at model.Span, fn *Function, ok bool) {
	sites := r.engine.joins[text]
	for i := len(ev.Chain) - 1; i >= 0; i-- {
		for _, s := range sites {
			if s.Fn == ev.Chain[i].fn {
				return s.Span, s.Fn, true
			}
		}
	}
	if len(sites) == 0 {
		return at, nil, false
	}
	return sites[0].Span, sites[0].Fn, true
}
