package flow

import (
	"math"
	"strconv"
	"strings"
)

// This file tells a business date from a moment.

// Period reports whether a value has of the clock nothing finer than a day: a date, a month, a number of days.
func (r *Result) Period(v, clock *Term) bool {
	fine := false
	r.Follow(v, func(t *Term) bool {
		if fine || dated(t) {
			return false
		}
		fine = fine || t == clock
		return !fine
	})
	return !fine
}

// dayParts are the methods that give a part of a date, or a date as text, of a day or more.
var dayParts = map[string]bool{"toDateString": true, "toLocaleDateString": true, "getFullYear": true, "getUTCFullYear": true, "getMonth": true, "getUTCMonth": true,
	"getDate": true, "getUTCDate": true, "getDay": true, "getUTCDay": true, "toISODate": true, "startOfDay": true, "endOfDay": true, "startOfMonth": true, "endOfMonth": true,
	"startOfWeek": true, "Year": true, "Month": true, "Day": true, "YearDay": true, "Weekday": true, "Date": true, "ISOWeek": true}

const day = 24 * 60 * 60 // seconds

// dated reports whether a value is a date made of a moment.
func dated(t *Term) bool {
	switch t.Kind {
	case TOp:
		return t.Name == "/" && unitsBy(t) >= day
	case TMember, TIndex:
		return t.Args[0].Kind == TCall && t.Args[0].Name == "split" // toISOString().split("T")[0]
	case TCall:
	default:
		return false
	}
	switch {
	case t.Name == "slice" || t.Name == "substring" || t.Name == "substr":
		if n := len(t.Args); n > 1 {
			end, err := strconv.Atoi(textOr(t.Args[n-1]))
			return err == nil && end > 0 && end <= len("2006-01-02")
		}
	case t.Name == "format" || t.Name == "Format" || t.Name == "toFormat":
		for _, a := range t.Args[1:] {
			if text := textOr(a); text != "" {
				return !finerThanDay(text)
			}
		}
	case t.Name == "startOf" || t.Name == "endOf":
		return len(t.Args) > 1 && strings.Contains("day week month quarter year", textOr(t.Args[1]))
	case t.Name == "Truncate" && len(t.Args) > 1:
		ns, err := strconv.ParseFloat(textOr(t.Args[1]), 64)
		return err == nil && ns >= day*1e9
	}
	return dayParts[t.Name]
}

// finerThanDay reports whether a layout of dates shows hours.
func finerThanDay(layout string) bool {
	return strings.Contains(layout, "15") || strings.Contains(layout, "03") || strings.ContainsAny(layout, "HhmsS") && !strings.HasPrefix(layout, "2006")
}

// unitsBy gives the seconds in one unit of a moment that is divided by constants, 0 where they are not known.
func unitsBy(t *Term) float64 {
	by := 1.0
	for t.Kind == TOp && t.Name == "/" && len(t.Args) == 2 {
		n, err := strconv.ParseFloat(textOr(t.Args[1]), 64)
		if err != nil {
			return 0
		}
		by *= n
		t = t.Args[0]
	}
	unit := 1e-3 // of what the clock of JavaScript gives
	if t.Kind == TCall {
		switch t.Name {
		case "Unix", "unix":
			unit = 1
		case "UnixNano":
			unit = 1e-9
		case "UnixMicro":
			unit = 1e-6
		}
	}
	return math.Round(by * unit)
}
