package flow

import "slices"

// TimeCheck is a place at which a time is compared with the clock.
type TimeCheck struct {
	*Comparison
	// Times are the values that do not follow the clock themselves: the time, and a limit that is no constant.
	Times []*Term
}

// TimeChecks lists where a tool or route compares a time with the clock, in order of evaluation.
func (r *Result) TimeChecks(t *Tool) []*TimeCheck {
	var out []*TimeCheck
	for _, c := range t.Comparisons {
		if c.Op == "==" {
			continue
		}
		if times := r.engine.besideClock(c.X, c.Y); len(times) > 0 {
			out = append(out, &TimeCheck{c, times})
		}
	}
	return out
}

// besideClock gives what values are made of, as far as it does not follow the clock and is no constant.
func (e *engine) besideClock(values ...*Term) []*Term {
	var out []*Term
	var walk func(t *Term, depth int)
	walk = func(t *Term, depth int) {
		switch {
		case t == nil || t.Kind == TConst || depth > maxTermDepth || e.readsClock(t) && len(t.Args) < 2:
		case e.timed(t):
			for _, part := range t.Args {
				walk(part, depth+1)
			}
		case t.Kind != TSymbol && !slices.Contains(out, t):
			out = append(out, t)
		}
	}
	for _, v := range values {
		walk(v, 0)
	}
	return out
}
