package query

import "strings"

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
