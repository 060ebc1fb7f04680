package flow

import (
	"slices"
	"strconv"
	"strings"

	"github.com/retrysafe/retrysafe/analyzers/model"
)

// Lifetime tells how long a record lives after the operation, in seconds: by the lifetime that is given, by the interval of the statement, or by the point
// in time that is stored beside it. Of several possible values the longest counts. ok is false where it has no end, or the end is not known.
func (r *Result) Lifetime(rec *Record) (seconds float64, ok bool) {
	e := r.engine
	if rec.Statement != nil {
		for _, in := range rec.Statement.Intervals {
			if in.Op == "=" && in.Seconds > 0 && expiryName.MatchString(in.Column) {
				return in.Seconds, true
			}
		}
	}
	if rec.TTL != nil {
		switch rec.Unit {
		case "column", "date", "unix":
			return e.ahead(rec.TTL)
		}
		n, known := e.quantity(rec.TTL, 0)
		return n * unitSeconds[rec.Unit], known && n > 0 && unitSeconds[rec.Unit] > 0
	}
	for name, v := range rec.Set {
		if v == nil || !expiryName.MatchString(name) {
			continue
		}
		if n, known := e.ahead(v); known {
			seconds, ok = max(seconds, n), true
		}
	}
	return seconds, ok
}

var unitSeconds = map[string]float64{"s": 1, "ms": 1e-3, "ns": 1e-9, "m": 60, "h": 3600}

// Deadline tells after how many seconds the program gives up waiting for a call, where one of its arguments says so: a context or signal with a timeout, or an
// option of that name. Of several the shortest counts.
func (r *Result) Deadline(ev *Event) (seconds float64, ok bool) {
	e := r.engine
	given := ev.Args
	if ev.Recv != nil {
		given = append([]*Term{ev.Recv}, given...)
	}
	shorter := func(n float64, known bool) {
		if known && n > 0 && (!ok || n < seconds) {
			seconds, ok = n, true
		}
	}
	for _, a := range given {
		shorter(e.deadline(a, ev.Call, 0))
	}
	if ev.Tool == nil {
		return seconds, ok
	}
	// a context that is given a timeout is the same value with another end
	for _, k := range ev.Tool.Events[:min(ev.Order, len(ev.Tool.Events))] {
		if k.OriginRow == nil || k.OriginRow.Origin.Timeout == "" || !slices.ContainsFunc(ev.Chain, func(s Step) bool { return s.fn == k.Fn }) {
			continue
		}
		of := e.recorded(k.Call).first(k.OriginRow.Origin.Of)
		if of == nil || !slices.ContainsFunc(given, func(a *Term) bool { return a.Contains(of) }) {
			continue
		}
		n, known := e.quantity(e.recorded(k.Call).first(k.OriginRow.Origin.Timeout), 0)
		shorter(n*hostUnit(k.Fn), known)
	}
	return seconds, ok
}

// deadline reads a timeout out of an argument of a call.
func (e *engine) deadline(t *Term, c *Call, depth int) (seconds float64, ok bool) {
	if t == nil || depth > 4 {
		return 0, false
	}
	switch t.Kind {
	case TCall:
		k := e.calls[t]
		if k == nil || k.OriginRow == nil {
			return 0, false
		}
		n, known := e.quantity(e.recorded(k).first(k.OriginRow.Origin.Timeout), 0)
		return n * hostUnit(c.Fn), known && n > 0
	case TMember, TCast:
		return e.deadline(t.Args[0], c, depth+1)
	case TObject:
		for i, key := range t.Keys {
			n, known := e.deadline(t.Args[i], c, depth+1)
			if !known && strings.EqualFold(key, "timeout") {
				if n, known = e.quantity(t.Args[i], 0); known {
					n *= hostUnit(c.Fn)
				}
			}
			if known && n > 0 && (!ok || n < seconds) {
				seconds, ok = n, true
			}
		}
	}
	return seconds, ok
}

// hostUnit is the unit in which a language counts durations, in seconds.
func hostUnit(fn *Function) float64 {
	if fn != nil && fn.Unit.Language == model.Go {
		return 1e-9
	}
	return 1e-3
}

// ahead tells how far a point in time lies after the clock, in seconds: a reading of the clock to which a number is added.
func (e *engine) ahead(t *Term) (seconds float64, ok bool) {
	t.Walk(func(u *Term) bool {
		switch {
		case ok:
		case u.Kind == TOp && u.Name == "+" && len(u.Args) == 2:
			for i, side := range u.Args {
				if n, known := e.quantity(u.Args[1-i], 0); known && n > 0 && e.timed(side) {
					seconds, ok = n*clockUnit(side), true
				}
			}
		case u.Kind == TCall && lastName(u.Name) == "Add" && len(u.Args) == 2 && e.timed(u.Args[0]):
			if n, known := e.quantity(u.Args[1], 0); known && n > 0 {
				seconds, ok = n*unitSeconds["ns"], true
			}
		}
		return !ok
	})
	return seconds, ok
}

// clockUnit is the unit in which a reading of the clock counts, in seconds.
func clockUnit(t *Term) float64 {
	unit := unitSeconds["ms"]
	if dividesByThousand(t) {
		return 1
	}
	t.Walk(func(u *Term) bool {
		if u.Kind == TCall {
			switch lastName(u.Name) {
			case "Unix":
				unit = 1
			case "UnixNano":
				unit = unitSeconds["ns"]
			}
		}
		return true
	})
	return unit
}

// quantity computes a number that is made of constants. Of several possible ones the largest counts.
func (e *engine) quantity(t *Term, depth int) (n float64, ok bool) {
	if t == nil || depth > maxTermDepth {
		return 0, false
	}
	switch t.Kind {
	case TConst:
		text, isText := t.Text()
		if !isText {
			return 0, false
		}
		n, err := strconv.ParseFloat(strings.ReplaceAll(text, "_", ""), 64)
		return n, err == nil
	case TCast:
		return e.quantity(t.Args[0], depth+1)
	case TUnion:
		for _, alt := range t.Args {
			m, known := e.quantity(alt, depth+1)
			if !known {
				return 0, false
			}
			n = max(n, m)
		}
		return n, len(t.Args) > 0
	case TOp:
		if len(t.Args) != 2 {
			return 0, false
		}
		x, okX := e.quantity(t.Args[0], depth+1)
		y, okY := e.quantity(t.Args[1], depth+1)
		if !okX || !okY {
			return 0, false
		}
		switch t.Name {
		case "+":
			return x + y, true
		case "-":
			return x - y, true
		case "*":
			return x * y, true
		case "/":
			return x / y, y != 0
		}
	case TCall:
		if of := e.rewritten(t); len(of) == 1 && of[0] != t {
			return e.quantity(of[0], depth+1)
		}
	}
	return 0, false
}
