package flow

import (
	"slices"
	"strconv"

	"github.com/retrysafe/retrysafe/analyzers/model"
)

// Window is a comparison of the distance between the clock and a time with a number.
type Window struct {
	// Seconds is how far the time may be from the clock.
	Seconds float64
	// Past and Future say on which sides of the clock the window lies.
	Past, Future bool
	// Time is what the clock is compared with.
	Time *Term
}

// Window reads a comparison as a window of time; ok is false where it is none. The unit is told by what the clock is divided by and by the size of the
// number: from 1e9 it counts nanoseconds, from 1e4 milliseconds.
func (r *Result) Window(c *Comparison) (w Window, ok bool) {
	distance, limit := c.X, c.Y
	if limit.Kind != TConst {
		distance, limit = limit, distance
	}
	if c.Op == BeforeOrAfter {
		return w, false
	}
	text, isNumber := limit.Text()
	if !isNumber {
		return w, false
	}
	size, err := strconv.ParseFloat(text, 64)
	if err != nil || size <= 0 {
		return w, false
	}
	e := r.engine
	distance, both := magnitude(distance)
	var from, to *Term
	switch {
	case distance.Kind == TOp && distance.Name == "-" && len(distance.Args) == 2:
		from, to = distance.Args[0], distance.Args[1]
	case distance.Kind == TCall && len(distance.Args) == 2 && e.readsClock(distance):
		to = distance.Args[1] // the time since then, or until then
	case distance.Kind == TCall && len(distance.Args) == 2:
		from, to = distance.Args[0], distance.Args[1] // one time is asked how far it is from another
	default:
		return w, false
	}
	before := from != nil && e.timed(from) || from == nil && !e.calls[distance].OriginRow.Origin.Ahead
	if from != nil && before == e.timed(to) {
		return w, false
	}
	w.Past, w.Future, w.Time = before || both, !before || both, to
	if !before && from != nil {
		w.Time = from
	}
	switch {
	case size >= 1e9:
		size /= 1e9
	case size >= 1e4 && !dividesByThousand(distance):
		size /= 1e3
	}
	w.Seconds = size
	return w, true
}

// magnitude gives the number of which a value is the absolute value; both is false where it is none.
func magnitude(t *Term) (of *Term, both bool) {
	switch {
	case t.Kind == TOp && t.Name == "abs":
		return t.Args[0], true
	case t.Kind == TUnion:
		for _, alt := range t.Args {
			if alt.Kind == TOp && alt.Name == "-" && len(alt.Args) == 1 && slices.Contains(t.Args, alt.Args[0]) {
				return alt.Args[0], true
			}
		}
	case t.Kind == TCall && len(t.Args) == 2 && t.Args[1].Kind == TOp && t.Args[1].Name == "abs":
		return t.Args[1].Args[0], true // rounded
	}
	return t, false
}

// dividesByThousand reports whether milliseconds are made seconds within a value.
func dividesByThousand(t *Term) bool {
	return t.Any(func(u *Term) bool {
		return u.Kind == TOp && u.Name == "/" && len(u.Args) == 2 && textOr(u.Args[1]) == "1000"
	})
}

// readsClock reports whether a call's result follows the clock.
func (e *engine) readsClock(t *Term) bool {
	c := e.calls[t]
	return c != nil && c.OriginRow != nil && c.OriginRow.Origin.Kind == "clock"
}

// ReadsClock reports whether a value is a reading of the clock, or in Go how far it is from a time. A date that is made from another value reads none.
func (r *Result) ReadsClock(t *Term) bool {
	c := r.engine.calls[t]
	return t.Kind == TCall && c != nil && r.engine.readsClock(t) && (len(c.Args) == 0 || c.Fn != nil && c.Fn.Unit.Language == model.Go)
}

// timed reports whether a value holds a reading of the clock.
func (e *engine) timed(t *Term) bool {
	return t.holdsCall(e.clocked, func(u *Term) bool { return u.Kind == TCall && e.readsClock(u) })
}

// recordWindow notes that something is compared with what follows the clock.
func (e *engine) recordWindow(a *activation, name string, x, y *Term, span model.Span, op model.ID) {
	if a == nil || !e.timed(x) && !e.timed(y) {
		return
	}
	e.addComparison(a, &Comparison{Op: name, X: x, Y: y, Span: span, Fn: a.fn, op: op})
}
