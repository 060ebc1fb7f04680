package flow

import (
	"slices"

	"github.com/retrysafe/retrysafe/analyzers/model"
)

// OnHangup tells where the program waits for the caller to go away, or asks whether it has, where an event happens only then.
func (r *Result) OnHangup(ev *Event) (at model.Span, ok bool) {
	for _, s := range ev.Chain {
		if s.fn != nil && r.engine.hangups[siteKey{s.fn, s.op}] {
			return s.Span, true
		}
	}
	told := func(path Path) bool {
		return slices.ContainsFunc(path.Conds, func(c Cond) bool {
			tells := c.Term.Any(func(t *Term) bool {
				call := r.engine.calls[t]
				return call != nil && call.Hangup
			})
			if tells {
				at = c.Span
			}
			return tells
		})
	}
	ok = len(ev.Paths) > 0 && !slices.ContainsFunc(ev.Paths, func(p Path) bool { return !told(p) })
	return at, ok
}
