package flow

import (
	"strconv"
	"strings"

	"github.com/retrysafe/retrysafe/analyzers/model"
)

// Outside reports whether a check holds for the times that lie too far from the clock, so that what is no number, for which no comparison holds, is taken to
// lie near it. known is false where that cannot be told.
func (c *TimeCheck) Outside(r *Result) (outside, known bool) {
	e := r.engine
	var d distance
	d.add(e, c.X, 1, 0)
	d.add(e, c.Y, -1, 0)
	greater := strings.HasPrefix(c.Op, ">")
	switch {
	case c.Op == BeforeOrAfter || d.lost:
		return false, false
	case d.apart != 0:
		return (d.apart > 0) == greater, true // how far apart they are, on either side
	case d.clock == 0 || d.time == 0 || (d.clock > 0) == (d.time > 0):
		return false, false
	}
	if d.clock < 0 {
		greater, d.rest = !greater, -d.rest
	}
	// now - time > limit, or <
	limit := -d.rest
	switch {
	case greater:
		return limit > 0, true
	case limit <= 0:
		return true, true
	}
	return false, true
}

// distance is a sum of the clock, a time and a limit: how often each is in it. Where the limit is no constant it counts as one second.
type distance struct {
	clock, time, apart int
	rest               float64
	lost               bool
}

// add adds a value to the sum, sign times.
func (d *distance) add(e *engine, t *Term, sign, depth int) {
	if depth > maxTermDepth {
		d.lost = true
		return
	}
	if text, ok := t.Text(); ok {
		n, err := strconv.ParseFloat(text, 64)
		d.rest += float64(sign) * n
		d.lost = d.lost || err != nil
		return
	}
	if of, both := magnitude(t); both {
		if e.timed(of) {
			d.apart += sign
		} else {
			d.lost = true
		}
		return
	}
	switch {
	case t.Kind == TOp && len(t.Args) == 2 && (t.Name == "-" || t.Name == "+"):
		second := sign
		if t.Name == "-" {
			second = -sign
		}
		d.add(e, t.Args[0], sign, depth+1)
		d.add(e, t.Args[1], second, depth+1)
	case t.Kind == TOp && len(t.Args) == 2 && (t.Name == "*" || t.Name == "/") && t.Args[1].Kind == TConst:
		d.add(e, t.Args[0], sign, depth+1)
	case t.Kind == TOp && len(t.Args) == 1 && t.Name == "-":
		d.add(e, t.Args[0], -sign, depth+1)
	case t.Kind == TCall && len(t.Args) == 2 && e.readsClock(t):
		ahead := e.calls[t].OriginRow.Origin.Ahead
		if ahead {
			sign = -sign
		}
		d.clock += sign
		d.time -= sign
	case e.timed(t):
		if parts := e.besideClock(t); len(parts) > 0 {
			d.lost = true // a time and the clock, in a way that is not understood
		}
		d.clock += sign
	case e.mayBeTime(t):
		d.time += sign
	default:
		d.rest += float64(sign)
	}
}

// mayBeTime reports whether a value comes from what the program was sent, or from where nothing is known of; a limit comes from its configuration.
func (e *engine) mayBeTime(t *Term) bool {
	for _, o := range e.origins(t) {
		if o.Kind.sent() || o.Kind == OriginUnknown || o.Kind == OriginRecord || o.Kind == OriginResult {
			return true
		}
	}
	return false
}

// SkippedOnError reports whether the check is left out for a time that cannot be parsed, and control goes on as if it lay near the clock; span is the condition.
func (c *TimeCheck) SkippedOnError(outside bool) (span model.Span, skipped bool) {
	v := verification{fn: c.Fn, op: c.op, inner: len(c.Chain) > 0, refuses: outside, errors: true}
	if v.fn == nil || v.op < 0 || int(v.op) >= len(v.fn.Ops) {
		return span, false
	}
	for _, s := range v.skips(func(string) bool { return true }) {
		return s.Span, true
	}
	return span, false
}
