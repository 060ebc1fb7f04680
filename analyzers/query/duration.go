package query

import (
	"strconv"
	"strings"
)

// unitSeconds are the lengths of the units of time; a month counts 30 days and a year 365.
var unitSeconds = map[string]float64{
	"microsecond": 1e-6, "us": 1e-6, "mcs": 1e-6, "millisecond": 1e-3, "ms": 1e-3,
	"second": 1, "sec": 1, "s": 1, "ss": 1, "minute": 60, "min": 60, "mi": 60, "m": 60, "n": 60, "hour": 3600, "hr": 3600, "h": 3600, "hh": 3600,
	"day": 86400, "d": 86400, "dd": 86400, "week": 604800, "wk": 604800, "ww": 604800, "w": 604800,
	"month": 30 * 86400, "mon": 30 * 86400, "mm": 30 * 86400, "quarter": 91 * 86400, "year": 365 * 86400, "yr": 365 * 86400, "yy": 365 * 86400, "y": 365 * 86400, "yyyy": 365 * 86400,
}

// unit returns the seconds of a unit written in any case, in singular or plural, or with MySQL's SQL_TSI_ prefix.
func unit(name string) (float64, bool) {
	name = strings.TrimPrefix(strings.ToLower(name), "sql_tsi_")
	if s, ok := unitSeconds[name]; ok {
		return s, true
	}
	s, ok := unitSeconds[strings.TrimSuffix(name, "s")]
	return s, ok
}

// durationText reads the content of an interval literal: "24 hours", "1 day 02:00:00", "-1 day", "PT1H", and with a unit
// written behind the string ('1' day) just the number.
func durationText(s, unitName string) (float64, bool) {
	s = strings.TrimSpace(s)
	if unitName != "" {
		n, err := strconv.ParseFloat(s, 64)
		per, ok := unit(unitName)
		return n * per, err == nil && ok
	}
	if strings.HasPrefix(s, "P") {
		return isoDuration(s[1:])
	}
	total, sign, found := 0.0, 1.0, false
	if rest, ok := strings.CutSuffix(s, "ago"); ok {
		s, sign = rest, -1
	}
	fields := strings.Fields(s)
	for i := 0; i < len(fields); i++ {
		f := fields[i]
		if strings.IndexByte(f, ':') > 0 {
			n, ok := clockTime(f)
			if !ok {
				return 0, false
			}
			total, found = total+n, true
			continue
		}
		cut := len(f)
		for cut > 0 && !isDigit(f[cut-1]) {
			cut--
		}
		n, err := strconv.ParseFloat(f[:cut], 64)
		if err != nil {
			return 0, false
		}
		name := f[cut:]
		if name == "" {
			if i+1 >= len(fields) {
				return total + n, len(fields) == 1 // a bare number counts seconds
			}
			i++
			name = fields[i]
		}
		per, ok := unit(strings.TrimSuffix(name, ","))
		if !ok {
			return 0, false
		}
		total, found = total+n*per, true
	}
	return sign * total, found
}

// clockTime reads hh:mm[:ss].
func clockTime(s string) (float64, bool) {
	sign := 1.0
	if rest, ok := strings.CutPrefix(s, "-"); ok {
		s, sign = rest, -1
	}
	total, per := 0.0, 3600.0
	for _, part := range strings.Split(s, ":") {
		n, err := strconv.ParseFloat(part, 64)
		if err != nil {
			return 0, false
		}
		total += n * per
		per /= 60
	}
	return sign * total, true
}

// isoDuration reads the part of an ISO 8601 duration behind the P.
func isoDuration(s string) (float64, bool) {
	total, from, inTime := 0.0, 0, false
	for i := 0; i < len(s); i++ {
		c := s[i]
		if isDigit(c) || c == '.' || c == '-' {
			continue
		}
		if c == 'T' {
			inTime, from = true, i+1
			continue
		}
		n, err := strconv.ParseFloat(s[from:i], 64)
		if err != nil {
			return 0, false
		}
		per := map[byte]float64{'Y': 365 * 86400, 'M': 30 * 86400, 'W': 604800, 'D': 86400, 'H': 3600, 'S': 1}[c]
		if c == 'M' && inTime {
			per = 60
		}
		if per == 0 {
			return 0, false
		}
		total, from = total+n*per, i+1
	}
	return total, s != "" && from == len(s)
}

// interval reads INTERVAL '1 day', INTERVAL '1' DAY, INTERVAL 1 DAY and INTERVAL ? DAY; nil where INTERVAL is a name.
func (p *parser) interval() *expr {
	from := p.pos
	next := p.at(1)
	if next.kind == tokenString {
		p.pos += 2
		name := ""
		if p.peek().kind == tokenWord {
			if _, ok := unit(p.peek().text); ok {
				name = p.peek().text
				p.pos++
			}
		}
		value := p.stringLeaf(next)
		if s, ok := durationText(next.text, name); ok && len(next.holes) == 0 {
			return &expr{kind: exprSpan, seconds: s, from: from, to: p.pos}
		}
		return &expr{kind: exprOther, args: []*expr{value}, from: from, to: p.pos}
	}
	if next.op(".", ",", ")", "=") || next.kind == tokenEnd || next.kind == tokenWord && len(next.holes) == 0 && clauseWords[next.upper] {
		return nil
	}
	p.pos++
	amount := p.binary(precOther)
	if p.peek().kind != tokenWord {
		return &expr{kind: exprOther, args: []*expr{amount}, from: from, to: p.pos}
	}
	per, ok := unit(p.peek().text)
	if !ok && strings.IndexByte(p.peek().text, '_') < 0 {
		return &expr{kind: exprOther, args: []*expr{amount}, from: from, to: p.pos}
	}
	p.pos++
	if n, literal := number(amount); ok && literal {
		return &expr{kind: exprSpan, seconds: n * per, from: from, to: p.pos}
	}
	return &expr{kind: exprOther, args: []*expr{amount}, from: from, to: p.pos}
}

// number returns the value of a constant expression.
func number(e *expr) (float64, bool) {
	switch e.kind {
	case exprLeaf:
		if e.leaf.Kind != Literal {
			return 0, false
		}
		n, err := strconv.ParseFloat(strings.ReplaceAll(e.leaf.Text, "_", ""), 64)
		return n, err == nil
	case exprUnary:
		n, ok := number(e.args[0])
		return -n, ok && e.op == "-"
	case exprBinary:
		a, okA := number(e.args[0])
		b, okB := number(e.args[1])
		if !okA || !okB {
			return 0, false
		}
		switch e.op {
		case "+":
			return a + b, true
		case "-":
			return a - b, true
		case "*":
			return a * b, true
		case "/":
			return a / b, b != 0
		}
	}
	return 0, false
}

// makeInterval reads make_interval(hours => 24) and make_interval(0, 0, 0, 1).
func makeInterval(args []*expr) (float64, bool) {
	order := [...]string{"years", "months", "weeks", "days", "hours", "mins", "secs"}
	total := 0.0
	for i, a := range args {
		name := ""
		if a.kind == exprUnary && a.op == "=>" {
			name, a = a.name, a.args[0]
		} else if i < len(order) {
			name = order[i]
		}
		n, ok := number(a)
		per, known := unit(name)
		if !ok || !known {
			return 0, false
		}
		total += n * per
	}
	return total, len(args) > 0
}
