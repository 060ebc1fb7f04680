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

// clocks are functions that return the present time.
var clocks = map[string]bool{
	"now": true, "clock_timestamp": true, "statement_timestamp": true, "transaction_timestamp": true, "timeofday": true,
	"getdate": true, "getutcdate": true, "sysdatetime": true, "sysutcdatetime": true, "sysdatetimeoffset": true,
	"curdate": true, "curtime": true, "sysdate": true, "localtimestamp": true, "current_timestamp": true,
}

// sqliteTime are SQLite's functions over a time and modifiers, with the seconds of one unit of their result (0 for a timestamp).
var sqliteTime = map[string]float64{"datetime": 0, "date": 0, "time": 0, "unixepoch": 1, "julianday": 86400, "strftime": 0}

// isClock says that a call is the present time and nothing else. A call over 'now' with modifiers only marks the statement.
func (p *parser) isClock(e *expr) bool {
	if clocks[e.name] || e.name == "unix_timestamp" && len(e.args) == 0 {
		return true
	}
	if _, ok := sqliteTime[e.name]; !ok {
		return false
	}
	args := e.args
	if e.name == "strftime" && len(args) > 0 {
		args = args[1:]
	}
	if len(args) == 0 {
		return e.name == "datetime" || e.name == "unixepoch" || e.name == "julianday"
	}
	if !isNowText(args[0]) {
		return false
	}
	p.st.UsesNow = true
	for _, a := range args[1:] {
		if !neutralModifier(a) {
			return false
		}
	}
	return true
}

// readsSQLiteNow says that a call takes 'now' as its time: datetime('now', '-1 day').
func readsSQLiteNow(e *expr) bool {
	if e.kind != exprCall || !sqliteCall(e) {
		return false
	}
	args := e.args
	if e.name == "strftime" && len(args) > 0 {
		args = args[1:]
	}
	return len(args) > 0 && isNowText(args[0])
}

func isNowText(e *expr) bool {
	return e.kind == exprLeaf && e.leaf.Kind == Literal && strings.EqualFold(e.leaf.Text, "now")
}

// neutralModifier says that a SQLite modifier leaves the time as it is.
func neutralModifier(e *expr) bool {
	if e.kind != exprLeaf || e.leaf.Kind != Literal {
		return false
	}
	switch strings.ToLower(e.leaf.Text) {
	case "utc", "localtime", "subsec", "subsecond", "unixepoch", "auto":
		return true
	}
	return false
}

// linear is a time as now·clock + col·column + seconds, with scale the seconds of one unit of the value (0: a timestamp).
// A plain number is carried in count until it meets a scale.
type linear struct {
	now, col float64
	column   string
	seconds  float64
	count    float64
	scale    float64
	plain    bool
}

func (p *parser) linear(e *expr) (linear, bool) {
	switch e.kind {
	case exprSpan:
		return linear{seconds: e.seconds}, true
	case exprLeaf:
		switch e.leaf.Kind {
		case Now:
			return linear{now: 1, scale: clockScale(e)}, true
		case Column:
			return linear{col: 1, column: e.leaf.Name, plain: true}, true
		case Literal:
			if n, ok := number(e); ok && !e.leaf.Quoted {
				return linear{count: n, plain: true}, true
			}
		}
	case exprUnary:
		if l, ok := p.linear(e.args[0]); ok && e.op == "-" {
			return l.times(-1), true
		}
	case exprBinary:
		return p.linearBinary(e)
	case exprCall:
		return p.linearCall(e)
	}
	return linear{}, false
}

// clockScale returns the unit of a clock's value.
func clockScale(e *expr) float64 {
	switch e.name {
	case "unix_timestamp":
		return 1
	case "strftime":
		if len(e.args) > 0 && strings.TrimSpace(e.args[0].leaf.Text) == "%s" {
			return 1
		}
	}
	return sqliteTime[e.name]
}

func (l linear) times(n float64) linear {
	l.now, l.col, l.seconds, l.count = l.now*n, l.col*n, l.seconds*n, l.count*n
	return l
}

func (l linear) constant() (float64, bool) {
	return l.count, l.now == 0 && l.col == 0 && l.seconds == 0
}

func (p *parser) linearBinary(e *expr) (linear, bool) {
	a, okA := p.linear(e.args[0])
	b, okB := p.linear(e.args[1])
	if !okA || !okB {
		return linear{}, false
	}
	switch e.op {
	case "+":
		return add(a, b)
	case "-":
		return add(a, b.times(-1))
	case "*", "/":
		n, ok := b.constant()
		if !ok && e.op == "*" {
			a, b = b, a
			n, ok = b.constant()
		}
		if !ok || n == 0 {
			return linear{}, false
		}
		if e.op == "/" {
			n = 1 / n
		}
		if a.now != 0 || a.col != 0 {
			// Another unit of the same time: epoch * 1000.
			a.count *= n
			if a.scale != 0 {
				a.scale /= n
			}
			return a, true
		}
		return a.times(n), true
	}
	return linear{}, false
}

// add sums two terms. A number beside a time counts in that time's unit, in days beside a timestamp.
func add(a, b linear) (linear, bool) {
	if a.column != "" && b.column != "" && a.column != b.column {
		return linear{}, false
	}
	if a.scale != 0 && b.scale != 0 && a.scale != b.scale {
		return linear{}, false
	}
	sum := linear{now: a.now + b.now, col: a.col + b.col, column: a.column + b.column, seconds: a.seconds + b.seconds, count: a.count + b.count, scale: a.scale + b.scale, plain: a.plain && b.plain}
	if a.column == b.column {
		sum.column = a.column
	}
	if a.scale == b.scale {
		sum.scale = a.scale
	}
	return sum, true
}

// total returns the seconds with the plain number counted in its unit.
func (l linear) total() float64 {
	switch {
	case l.scale != 0:
		return l.seconds + l.count*l.scale
	case l.seconds == 0:
		return l.count * 86400
	}
	return l.seconds
}

func (p *parser) linearCall(e *expr) (linear, bool) {
	args := e.args
	arg := func(i int) (linear, bool) {
		if i >= len(args) {
			return linear{}, false
		}
		return p.linear(args[i])
	}
	switch e.name {
	case "date_sub", "subdate", "date_add", "adddate":
		a, okA := arg(0)
		b, okB := arg(1)
		if !okA || !okB {
			return linear{}, false
		}
		if strings.Contains(e.name, "sub") {
			b = b.times(-1)
		}
		return add(a, b)
	case "dateadd", "timestampadd":
		if len(args) != 3 {
			return linear{}, false
		}
		per, ok := unit(unitName(args[0]))
		n, literal := number(args[1])
		base, okBase := p.linear(args[2])
		if !ok || !literal || !okBase {
			return linear{}, false
		}
		base.seconds += n * per
		return base, true
	case "datediff", "datediff_big", "timestampdiff", "date_diff":
		if len(args) == 2 {
			return p.difference(args[1], args[0], 86400) // MySQL: DATEDIFF(later, earlier) in days
		}
		if len(args) != 3 {
			return linear{}, false
		}
		per, ok := unit(unitName(args[0]))
		if !ok {
			return linear{}, false
		}
		return p.difference(args[1], args[2], per)
	case "age":
		if len(args) == 2 {
			return p.difference(args[1], args[0], 0)
		}
		if l, ok := arg(0); ok && len(args) == 1 {
			l = l.times(-1)
			l.now++
			return l, true
		}
	case "extract", "date_part":
		i := len(args) - 1
		if l, ok := arg(i); ok && (e.op == "epoch" || i == 1 && strings.EqualFold(args[0].leaf.Text, "epoch")) {
			l.scale, l.plain = 1, false
			return l, true
		}
	case "unix_timestamp", "to_unixtime":
		if l, ok := arg(0); ok {
			l.scale, l.plain = 1, false
			return l, true
		}
	case "timestamp", "to_timestamp", "from_unixtime", "date_trunc", "coalesce", "ifnull", "floor", "round", "trunc":
		i := 0
		if e.name == "date_trunc" {
			i = 1
		}
		if len(args) > i {
			return p.linear(args[i])
		}
	}
	return p.linearSQLite(e)
}

// linearSQLite reads datetime('now', '-1 day') and datetime(column, '+1 hour').
func (p *parser) linearSQLite(e *expr) (linear, bool) {
	scale, ok := sqliteTime[e.name]
	args := e.args
	if e.name == "strftime" && len(args) > 0 {
		if args[0].leaf.Text == "%s" {
			scale = 1
		}
		args = args[1:]
	}
	if !ok || len(args) == 0 {
		return linear{}, false
	}
	var l linear
	if isNowText(args[0]) {
		l.now = 1
	} else if l, ok = p.linear(args[0]); !ok {
		return linear{}, false
	}
	l.scale = scale
	for _, a := range args[1:] {
		if neutralModifier(a) {
			continue
		}
		s, ok := durationText(a.leaf.Text, "")
		if a.kind != exprLeaf || a.leaf.Kind != Literal || !ok {
			return linear{}, false
		}
		l.seconds += s
	}
	return l, true
}

// difference is later minus earlier, in the given unit.
func (p *parser) difference(earlier, later *expr, per float64) (linear, bool) {
	a, okA := p.linear(earlier)
	b, okB := p.linear(later)
	if !okA || !okB {
		return linear{}, false
	}
	d, ok := add(b, a.times(-1))
	d.scale, d.plain = per, false
	return d, ok
}

func unitName(e *expr) string {
	if e.kind == exprLeaf && (e.leaf.Kind == Column || e.leaf.Kind == Literal) {
		return e.leaf.Text + e.leaf.Name
	}
	return ""
}

var flipped = map[string]string{"<": ">", "<=": ">=", ">": "<", ">=": "<=", "=": "=", "<>": "<>"}

// compareTimes records the durations of a comparison of two times.
func (p *parser) compareTimes(left *expr, op string, right *expr) {
	if !hasDuration(left) && !hasDuration(right) && !(hasClock(left) || hasClock(right)) {
		return
	}
	a, okA := p.linear(left)
	b, okB := p.linear(right)
	if okA && okB && flipped[op] != "" {
		if d, ok := add(a, b.times(-1)); ok && d.col != 0 && d.now == -d.col {
			seconds := -d.total()
			if d.col < 0 {
				seconds, op = -seconds, flipped[op]
			}
			if seconds != 0 {
				p.st.Intervals = append(p.st.Intervals, Interval{Seconds: seconds, Column: d.column, Op: op})
			}
			return
		}
	}
	p.looseTimes(soleColumn(left, right), left, right)
}

// assignTime records the durations of a value that is stored in a column.
func (p *parser) assignTime(column string, value *expr) {
	if !hasDuration(value) && !hasClock(value) {
		return
	}
	if l, ok := p.linear(value); ok && l.now == 1 && l.col == 0 && column != "" {
		if s := l.total(); s != 0 {
			p.st.Intervals = append(p.st.Intervals, Interval{Seconds: s, Column: column, Op: "="})
		}
		return
	}
	p.looseTimes(column, value)
}

// looseTimes records interval literals whose relation to the clock is not understood. One that is multiplied by something
// that is not constant is no literal duration.
func (p *parser) looseTimes(column string, es ...*expr) {
	for _, e := range es {
		if e.kind == exprSpan {
			p.st.Intervals = append(p.st.Intervals, Interval{Seconds: e.seconds, Column: column})
			continue
		}
		if e.kind == exprBinary && (e.op == "*" || e.op == "/") {
			if l, ok := p.linear(e); ok && l.seconds != 0 && l.now == 0 && l.col == 0 {
				p.st.Intervals = append(p.st.Intervals, Interval{Seconds: l.seconds, Column: column})
			}
			continue
		}
		p.looseTimes(column, e.args...)
	}
}

func hasDuration(e *expr) bool {
	found := false
	e.walk(func(x *expr) {
		found = found || x.kind == exprSpan
	})
	return found
}

// hasClock says that the present time is part of an expression.
func hasClock(e *expr) bool {
	found := false
	e.walk(func(x *expr) {
		found = found || x.kind == exprLeaf && x.leaf.Kind == Now || x.kind == exprCall && (x.name == "age" || sqliteCall(x))
	})
	return found
}

func sqliteCall(e *expr) bool {
	_, ok := sqliteTime[e.name]
	return ok
}

// soleColumn returns the column in the expressions where there is exactly one.
func soleColumn(es ...*expr) string {
	name := ""
	for _, e := range es {
		many := false
		e.walk(func(x *expr) {
			if x.kind == exprLeaf && x.leaf.Kind == Column {
				many = many || name != "" && name != x.leaf.Name
				name = x.leaf.Name
			}
		})
		if many {
			return ""
		}
	}
	return name
}
