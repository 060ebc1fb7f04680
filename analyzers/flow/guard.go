package flow

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/retrysafe/retrysafe/analyzers/lazyregexp"
	"github.com/retrysafe/retrysafe/analyzers/model"
	"github.com/retrysafe/retrysafe/analyzers/query"
)

// abstract is what is assumed of a result while a condition over it is decided.
type abstract uint8

const (
	absUnknown abstract = iota
	absNull
	absFalse
	absTrue
	absZero
	absOne    // a number above zero
	absEmpty  // a sequence without elements
	absFilled // a sequence with elements
	absNoRows // an object whose rows are empty and whose count is zero
	absRows
	absNoPair // [rows, fields] without rows
	absPair
	absObject // something truthy
	absBlank  // the zero value of its type in Go, and so is each part of it
	absGiven  // another value than the zero value of its type in Go
)

// assumptions gives the results that stand for "not there" and "there".
func assumptions(word string) (miss, hit abstract) {
	switch word {
	case "false":
		return absFalse, absTrue
	case "true":
		return absTrue, absFalse
	case "zero":
		return absZero, absOne
	case "many":
		return absOne, absZero
	case "empty":
		return absEmpty, absFilled
	case "rows":
		return absNoRows, absRows
	case "pair":
		return absNoPair, absPair
	case "present":
		return absObject, absNull
	case "blank":
		return absBlank, absGiven
	}
	return absNull, absObject
}

// assume decides the value of t where result has the value val.
func assume(t, result *Term, val abstract) abstract {
	if t == result {
		return val
	}
	switch t.Kind {
	case TConst:
		switch {
		case t.IsNullish():
			return absNull
		case t.Const.Kind == model.Bool && t.Const.Text == "true":
			return absTrue
		case t.Const.Kind == model.Bool:
			return absFalse
		case t.Const.Kind == model.Number && t.Const.Text == "0":
			return absZero
		case t.Const.Kind == model.Number && !strings.HasPrefix(t.Const.Text, "-"):
			return absOne
		case t.Const.Kind == model.String && t.Const.Text != "":
			return absObject
		case t.Const.Kind == model.String && (val == absBlank || val == absGiven):
			return absBlank
		}
	case TMember:
		switch b := assume(t.Args[0], result, val); b {
		case absNull:
			return absNull
		case absBlank:
			if t.Name == "length" {
				return absZero
			}
			return absBlank
		case absEmpty:
			if t.Name == "length" || t.Name == "size" {
				return absZero
			}
			if _, err := strconv.Atoi(t.Name); err == nil {
				return absNull
			}
		case absFilled:
			if t.Name == "length" || t.Name == "size" {
				return absOne
			}
			if t.Name == "0" {
				return absObject
			}
		case absNoRows, absRows:
			switch t.Name {
			case "rows", "results", "data":
				return pick(b == absRows, absFilled, absEmpty)
			case "rowCount", "affectedRows", "changes", "count", "length", "modifiedCount", "matchedCount", "upsertedCount", "insertedCount":
				return pick(b == absRows, absOne, absZero)
			case "0":
				return pick(b == absRows, absObject, absNull)
			}
		case absNoPair, absPair:
			if t.Name == "0" {
				return pick(b == absPair, absFilled, absEmpty)
			}
			if t.Name == "affectedRows" {
				return pick(b == absPair, absOne, absZero)
			}
		}
	case TIndex, TElement:
		switch assume(t.Args[0], result, val) {
		case absNull, absEmpty, absNoRows:
			return absNull
		case absFilled, absRows:
			return absObject
		case absBlank:
			return absBlank
		}
	case TCast:
		return assume(t.Args[0], result, val)
	case TUnion:
		first := absUnknown
		for i, alt := range t.Args {
			v := assume(alt, result, val)
			if i > 0 && v != first {
				return absUnknown
			}
			first = v
		}
		return first
	case TOp:
		switch t.Name {
		case "!":
			if y, known := assume(t.Args[0], result, val).truth(); known {
				return pick(!y, absTrue, absFalse)
			}
		case "==", "!=":
			a, b := assume(t.Args[0], result, val), assume(t.Args[1], result, val)
			if same, known := equalAbs(a, b); known {
				return pick(same == (t.Name == "=="), absTrue, absFalse)
			}
		case ">", "<", ">=", "<=":
			a := assume(t.Args[0], result, val)
			n, err := strconv.ParseFloat(textOr(t.Args[1]), 64)
			if err != nil {
				break
			}
			switch {
			case a == absZero || a == absNull || a == absFalse || a == absBlank:
				ok := t.Name == ">" && 0 > n || t.Name == "<" && 0 < n || t.Name == ">=" && 0 >= n || t.Name == "<=" && 0 <= n
				return pick(ok, absTrue, absFalse)
			case a == absOne && (t.Name == ">" && n <= 0 || t.Name == ">=" && n <= 1):
				return absTrue
			case a == absOne && (t.Name == "<" && n <= 1 || t.Name == "<=" && n <= 0):
				return absFalse
			}
		}
	case TRef, TObject, TArray, TClosure, TSymbol: // what a package offers, such as sql.ErrNoRows, is there
		return absObject
	}
	return absUnknown
}

func pick(cond bool, yes, no abstract) abstract {
	if cond {
		return yes
	}
	return no
}

func (a abstract) truth() (yes, known bool) {
	switch a {
	case absUnknown:
		return false, false
	case absNull, absFalse, absZero, absBlank:
		return false, true
	}
	return true, true
}

func equalAbs(a, b abstract) (same, known bool) {
	if a == absUnknown || b == absUnknown {
		return false, false
	}
	empty := func(x abstract) bool { return x == absBlank || x == absNull || x == absZero || x == absFalse }
	if a == absBlank || a == absGiven || b == absBlank || b == absGiven {
		switch {
		case empty(a) && empty(b):
			return true, true
		case empty(a) || empty(b):
			return false, true
		}
		return false, false // two values
	}
	exact := func(x abstract) bool { return x == absNull || x == absFalse || x == absTrue || x == absZero }
	if a == b && exact(a) {
		return true, true
	}
	if a == b {
		return false, false // two objects, two numbers
	}
	if a == absTrue && b == absObject || a == absObject && b == absTrue || a == absTrue && b == absOne || a == absOne && b == absTrue {
		return false, false
	}
	return false, true
}

// Outcome tells what a path has decided about a lookup or claim.
func (r *Result) Outcome(p Path, c *Call) Outcome {
	rec := r.engine.recordOf(c)
	word := ""
	claim := false
	if rec != nil && rec.Spec != nil {
		word = rec.Spec.Miss
		if rec.Op == model.Claim || rec.Op == model.Swap || rec.Op == model.Lock {
			claim = true
			word = rec.Spec.Fails
		}
	}
	for _, b := range p.Before {
		if b.Call == c && b.Failed && !c.ReturnsError() {
			switch {
			case claim:
				return Hit
			case word == "throws":
				return Missed
			}
			return Undecided
		}
	}
	if word == "throws" {
		if claim {
			return r.raised(p, c)
		}
		if r.raised(p, c) == Missed { // it did not throw
			return Hit
		}
		return Undecided
	}
	miss, hit := assumptions(word)
	if member, w, ok := strings.Cut(word, "="); ok && strings.HasPrefix(member, "Member[") {
		// the outcome shows in a member of the result
		name := strings.TrimSuffix(strings.TrimPrefix(member, "Member["), "]")
		m, h := assumptions(w)
		if claim {
			m, h = h, m
		}
		return orEmpty(p, c, claim, r.decideAny(p, c, name, m, h))
	}
	if claim {
		miss, hit = hit, miss // the word speaks of failure
	}
	return orEmpty(p, c, claim, r.decideAny(p, c, "", miss, hit))
}

// raised tells what a path has decided about a call that refuses by an error.
func (r *Result) raised(p Path, c *Call) Outcome {
	if c.floating {
		return Undecided
	}
	if c.ReturnsError() {
		return r.errorOutcome(p, c)
	}
	for _, b := range p.Before {
		if b.Call == c {
			return Missed
		}
	}
	return Undecided
}

// Accepted reports whether a path goes on only where the call ended without an error.
func (r *Result) Accepted(p Path, c *Call) bool {
	for _, b := range p.Before {
		if b.Call == c && b.Failed && !c.ReturnsError() {
			return false
		}
	}
	return r.raised(p, c) == Missed
}

// orEmpty turns a hit whose value the path takes for the empty text into a miss: a helper in Go gives "" and no error where there is nothing.
func orEmpty(p Path, c *Call, claim bool, o Outcome) Outcome {
	if o != Hit || claim || !c.ReturnsError() {
		return o
	}
	for _, cond := range p.Conds {
		t := cond.Term
		if t.Kind != TOp || t.Name != "==" && t.Name != "!=" || (t.Name == "==") != cond.True {
			continue
		}
		v := t.Args[0]
		if v.Kind == TMember && v.Name == "0" {
			v = v.Args[0]
		}
		if text, ok := t.Args[1].Text(); ok && text == "" && (v == c.outcome() || v == c.Result) {
			return Missed
		}
	}
	return o
}

// ReturnsError reports whether a call that fails says so by its last result, which may be ignored, and does not throw.
func (c *Call) ReturnsError() bool {
	return c.Fn != nil && c.Fn.Unit.Language == model.Go && !strings.HasPrefix(lastName(c.Callee), "Must")
}

// errorOutcome tells what a path has decided about the error of a claim: its second result, or the error of what reads its row. An error
// that nobody looks at decides nothing.
func (r *Result) errorOutcome(p Path, c *Call) Outcome {
	result := c.outcome()
	if o := r.decide(p, r.engine.member(result, "#1"), absNull, absObject); o != Undecided {
		return o
	}
	for _, cond := range p.Conds {
		t := cond.Term
		if t.Kind != TOp || t.Name != "==" && t.Name != "!=" || !t.Args[1].IsNullish() {
			continue
		}
		if err := t.Args[0]; err.Kind == TCall && err.Contains(result) {
			if (t.Name == "==") == cond.True {
				return Missed
			}
			return Hit
		}
	}
	return Undecided
}

// decision is a question about one condition: what it tells of a result that is one thing after a miss and another after a hit.
type decision struct {
	cond, result *Term
	holds        bool
	miss, hit    abstract
}

// decideAny tells what the conditions of a path say about one of the values, or a member of it, that show how a call ended.
func (r *Result) decideAny(p Path, c *Call, member string, miss, hit abstract) Outcome {
	for _, at := range c.outcomes() {
		if member != "" {
			at = r.engine.member(at, member)
		}
		if o := r.decide(p, at, miss, hit); o != Undecided {
			return o
		}
	}
	return Undecided
}

// decide tells what the conditions of a path say about a result. Paths share most of their conditions, so each is asked once.
func (r *Result) decide(p Path, result *Term, miss, hit abstract) Outcome {
	for _, c := range p.Conds {
		if c.Term.id < result.id {
			continue // parts are made before what they are part of
		}
		q := decision{c.Term, result, c.True, miss, hit}
		o, known := r.decisions[q]
		if !known {
			o = q.answer()
			if r.decisions == nil {
				r.decisions = map[decision]Outcome{}
			}
			r.decisions[q] = o
		}
		if o != Undecided {
			return o
		}
	}
	return Undecided
}

func (q decision) answer() Outcome {
	if !q.cond.Contains(q.result) {
		return Undecided
	}
	if y, known := assume(q.cond, q.result, q.miss).truth(); known && y != q.holds {
		return Hit
	}
	if y, known := assume(q.cond, q.result, q.hit).truth(); known && y != q.holds {
		return Missed
	}
	return Undecided
}

// recordOf describes a call as a record operation, or gives nil.
func (e *engine) recordOf(c *Call) *Record {
	if c.RecordRow == nil && len(c.Statements) == 0 {
		return nil
	}
	if !c.recordKnown {
		c.recordKnown = true
		c.record = e.record(&Event{Call: c})
	}
	return c.record
}

// unique reports whether a unique constraint is known over columns that the insert fills with stable values.
func (r *Result) uniqueInsert(t *Tool, rec *Record) bool {
	for _, cols := range r.Index.Unique(strings.ToLower(rec.Table)) {
		ok := len(cols) > 0
		for _, c := range cols {
			v := rec.Set[c]
			if v == nil {
				for k, w := range rec.Set {
					if query.SameName(k, c) {
						v = w
					}
				}
			}
			if v == nil || !r.repeats(t, v) {
				ok = false
				break
			}
		}
		if ok {
			return true
		}
	}
	return false
}

// Stable reports whether a repeat of the call gives the same value: nothing in it is made anew, and something in it comes from the caller or from what is stored.
func (r *Result) Stable(t *Term) bool {
	any := false
	for _, o := range r.engine.origins(t) {
		switch o.Kind {
		case OriginClock:
			if !r.Period(t, o.Term) {
				return false
			}
		case OriginRandom, OriginWeakRandom, OriginTimeID, OriginCounter, OriginProtocol:
			return false
		case OriginArguments, OriginHeader, OriginBody, OriginRecord, OriginResult, OriginMeta:
			any = true
		}
	}
	return any
}

// repeats reports whether a repeat of the entry comes with the same value. What a function of a library is given is the same when it is called again
// for the same thing, though nobody is seen to give it.
func (r *Result) repeats(t *Tool, v *Term) bool {
	if r.Stable(v) {
		return true
	}
	if t.Kind != Exported {
		return false
	}
	given := false
	for _, o := range r.engine.origins(v) {
		switch o.Kind {
		case OriginConstant:
		case OriginUnknown:
			given = true
		case OriginClock:
			if !r.Period(v, o.Term) {
				return false
			}
		default:
			return false
		}
	}
	return given
}

// Protection tells what stands between an effect and its second run.
func (r *Result) Protection(x *Effect) Protection {
	if x.protection == nil {
		p := r.protect(x)
		x.protection = &p
	}
	return *x.protection
}

func (r *Result) protect(x *Effect) Protection {
	var out Protection
	own := r.ownGuards(x)
	level := Full
	if len(x.Paths) == 0 {
		level = Unprotected
	}
	seen := map[Guard]bool{}
	add := func(g Guard) {
		if g.Told = toldBy(g); g.Told != "" {
			g.Why += ", as " + g.Told + " says"
		}
		k := g
		k.Key = nil
		if !seen[k] {
			seen[k] = true
			out.By = append(out.By, g)
		}
	}
	for _, g := range own {
		add(g)
	}
	best := Unprotected
	for _, g := range own {
		best = max(best, g.Level)
	}
	for _, p := range x.Paths {
		at := best
		for _, g := range r.pathGuards(x, p) {
			at = max(at, g.Level)
			add(g)
		}
		level = min(level, at)
	}
	if level == Unprotected {
		return Protection{}
	}
	out.Level = level
	return out
}

// ownGuards are those of the call itself: a vendor key, a unique constraint, a condition.
func (r *Result) ownGuards(x *Effect) []Guard {
	var out []Guard
	if x.Key != nil {
		level := Unprotected
		all := true
		for _, alt := range x.Key.Alternatives() {
			switch {
			case alt.IsNullish():
				all = false
			case r.repeats(x.Tool, alt):
				level = Full
			default:
				all = false
			}
		}
		if level == Full && !all {
			level = Weak
		}
		if level > Unprotected {
			out = append(out, Guard{Kind: VendorGuard, Level: level, Call: x.Call, Key: x.Key, Span: x.KeySpan, Why: "passes a stable key to " + cmp.Or(x.Vendor, "the vendor")})
		}
	}
	if x.Spec != nil && x.Spec.Enforced && x.Nature != model.Read {
		out = append(out, Guard{Kind: ConstraintGuard, Level: Full, Call: x.Call, Span: x.Span, Why: "a repeat is refused by the object's own state or name"})
	}
	if r.swaps(x) {
		out = append(out, Guard{Kind: ConstraintGuard, Level: Full, Call: x.Call, Span: x.Span, Why: "a repeat finds no row that is as it asks for"})
	}
	if x.Nature == model.Additive && x.Kind != model.File && r.conflictMet(x) { // a file is refused only where the call asks for that
		out = append(out, Guard{Kind: ConstraintGuard, Level: Full, Call: x.Call, Span: x.Span, Why: "the tool meets the conflict by which a repeat is refused"})
	}
	if rec := r.engine.recordOf(x.Call); rec != nil && rec.Op == model.Claim && x.Nature == model.Additive {
		if r.RefusedByConstraint(x.Tool, x.Call) || r.uniqueInsert(x.Tool, rec) {
			out = append(out, Guard{Kind: ConstraintGuard, Level: Full, Record: rec, Call: x.Call, Span: x.Span, Why: "a unique constraint refuses the repeat"})
		}
	}
	return out
}

// pathGuards are what stands before the effect on one way to it.
func (r *Result) pathGuards(x *Effect, p Path) []Guard {
	var out []Guard
	for _, b := range p.Before {
		c := b.Call
		if c == x.Call || b.Failed && !c.ReturnsError() {
			continue
		}
		rec := r.engine.recordOf(c)
		if rec == nil {
			continue
		}
		switch rec.Op {
		case model.Txn:
			if rec.Spec != nil && rec.Spec.Library != "" {
				out = append(out, Guard{Kind: LibraryGuard, Level: Full, Record: rec, Call: c, Key: rec.Key, Span: c.Span, Why: rec.Spec.Library + " guards the call"})
			}
		case model.Claim, model.Swap:
			if rec.Key == nil || !r.repeats(x.Tool, rec.Key) || r.Outcome(p, c) != Missed {
				continue
			}
			if rec.Op == model.Claim && rec.refusedByKey() && r.engine.unconstrained(rec) {
				continue
			}
			if rec.Spec != nil && rec.Spec.Fails == "throws" && !(c.EffectRow != nil && c.EffectRow.Effect.Kind == model.File && c.EffectRow.Effect.Enforced) {
				if !r.RefusedByConstraint(x.Tool, c) && !r.uniqueInsert(x.Tool, rec) && !dedupeName.MatchString(rec.Table) {
					continue
				}
			}
			out = append(out, Guard{Kind: ClaimGuard, Level: Full, Record: rec, Call: c, Key: rec.Key, Span: c.Span, Why: "a record is claimed before"})
		case model.Lookup:
			if rec.Key == nil || !r.repeats(x.Tool, rec.Key) || r.Outcome(p, c) != Missed {
				continue
			}
			if x.Nature == model.Destructive && len(x.Tool.Writes(rec.Store)) == 0 {
				continue // what was not there before a deletion is not there after it
			}
			level, kind := Weak, LookupGuard
			if rec.Spec != nil && rec.Spec.Atomic || r.ClaimedLocked(p, rec) || x.Kind == model.Database && r.Serialized(p, c) {
				level, kind = Full, LockGuard
			}
			out = append(out, Guard{Kind: kind, Level: level, Record: rec, Call: c, Key: rec.Key, Span: c.Span, Why: "a lookup whose hit leaves stands before"})
		}
	}
	return out
}

var dedupeName = lazyregexp.New(`(?i)idempot|dedup|processed|replay|nonce|jti|seen_?events?|webhook_?events?`)

// Compared reports whether a condition decided on the path compares a value that satisfies a with one that satisfies b.
func (r *Result) Compared(p Path, a, b func(*Term) bool) bool {
	has := func(t *Term, f func(*Term) bool) bool {
		found := false
		t.Walk(func(u *Term) bool {
			if f(u) {
				found = true
			}
			return !found
		})
		return found
	}
	for _, c := range p.Conds {
		found := false
		c.Term.Walk(func(u *Term) bool {
			if found {
				return false
			}
			switch {
			case u.Kind == TOp && len(u.Args) == 2:
				switch u.Name {
				case "==", "!=", "includes":
					found = has(u.Args[0], a) && has(u.Args[1], b) || has(u.Args[1], a) && has(u.Args[0], b)
				}
			case u.Kind == TCall:
				k := r.engine.calls[u]
				if k != nil && k.CheckRow != nil && k.CheckRow.Check.Kind == "compare" && len(k.Args) >= 2 {
					found = has(k.Args[0], a) && has(k.Args[1], b) || has(k.Args[1], a) && has(k.Args[0], b)
				} else if k != nil && k.CheckRow == nil && len(k.Args) == 2 && k.EffectRow == nil && k.RecordRow == nil {
					// a comparison by a library: isEqual(a, b)
					found = has(k.Args[0], a) && has(k.Args[1], b) || has(k.Args[1], a) && has(k.Args[0], b)
				}
			}
			return !found
		})
		if found {
			return true
		}
	}
	return false
}

// Checked tells what is known about the format of a value on a path: from the tool's schema, from a validator called before, from conditions decided.
func (r *Result) Checked(t *Tool, p Path, value *Term) (CheckInfo, bool) {
	var info CheckInfo
	found := false
	merge := func(c CheckInfo) {
		found = true
		if c.Format != "" {
			info.Format = c.Format
		}
		if c.Pattern != "" {
			info.Pattern = c.Pattern
		}
		info.MinLength = max(info.MinLength, c.MinLength)
		if c.Span.IsValid() {
			info.Span = c.Span
		}
	}
	e := r.engine
	names := map[string]bool{}
	for _, o := range e.origins(value) {
		if o.Kind == OriginArguments && o.Name != "" {
			names[o.Name] = true
		}
	}
	for i := range t.Params {
		if names[t.Params[i].Name] {
			if c, ok := e.formatOf(t.Params[i].Schema); ok {
				merge(c)
			}
		}
	}
	isValue := func(u *Term) bool {
		if u == value {
			return true
		}
		if inputRoot(u) == nil {
			return false
		}
		for _, part := range value.Alternatives() {
			if part == u {
				return true
			}
		}
		return value.Contains(u) && u.Kind != TInput
	}
	contains := func(t *Term) bool {
		hit := false
		t.Walk(func(u *Term) bool {
			hit = hit || isValue(u)
			return !hit
		})
		return hit
	}
	schemaCall := func(c *Call) {
		if c.CheckRow == nil {
			return
		}
		acc := e.recorded(c)
		switch c.CheckRow.Check.Kind {
		case "schema":
			if c.Recv == nil {
				return
			}
			if shape, _, ok := e.shapeOf(c.Recv, 0); ok {
				for i, k := range shape.Keys {
					if names[k] {
						if f, ok := e.formatOf(shape.Args[i]); ok {
							merge(f)
						}
					}
				}
			}
			of := acc.first(c.CheckRow.Check.Of)
			if of != nil && isValue(of) {
				if f, ok := e.formatOf(c.Recv); ok {
					merge(f)
				}
			}
		case "format":
			of := acc.first(c.CheckRow.Check.Of)
			if of == nil || !contains(of) {
				return
			}
			f := CheckInfo{Format: c.CheckRow.Check.Format, Span: c.Span}
			if v := acc.first(c.CheckRow.Check.Pattern); v != nil && v.Kind == TConst {
				f.Pattern = v.Const.Text
				f.MinLength = minMatch(v.Const.Text)
			}
			if v := acc.first(c.CheckRow.Check.MinLength); v != nil {
				f.MinLength, _ = strconv.Atoi(textOr(v))
			}
			merge(f)
		}
	}
	for _, b := range p.Before {
		if b.Call.CheckRow != nil && (b.Call.CheckRow.Check.Throws || b.Call.CheckRow.Check.Kind == "schema") {
			schemaCall(b.Call)
		} else if r.parsed(p, b.Call) {
			schemaCall(b.Call)
		}
	}
	for _, c := range p.Conds {
		c.Term.Walk(func(u *Term) bool {
			switch u.Kind {
			case TCall:
				if k := e.calls[u]; k != nil {
					schemaCall(k)
					if k.CheckRow == nil && len(u.Args) > 1 && (u.Name == "test" || u.Name == "match") {
						pat, val := u.Args[0], u.Args[1]
						if u.Name == "match" {
							pat, val = val, pat
						}
						if pat.Kind == TConst && pat.Const.Kind == model.Regexp && contains(val) {
							merge(CheckInfo{Pattern: pat.Const.Text, MinLength: minMatch(pat.Const.Text), Span: k.Span})
						}
					}
				}
			case TOp:
				if len(u.Args) == 2 && u.Args[0].Kind == TMember && u.Args[0].Name == "length" && contains(u.Args[0].Args[0]) {
					if n, err := strconv.Atoi(textOr(u.Args[1])); err == nil {
						short := u.Name == "<" && !c.True || u.Name == ">=" && c.True || u.Name == "!=" && !c.True || u.Name == "==" && c.True
						if u.Name == "<=" && !c.True || u.Name == ">" && c.True {
							short = true
							n++
						}
						if short {
							merge(CheckInfo{MinLength: n, Span: c.Span})
						}
					}
				}
			}
			return true
		})
	}
	return info, found
}

// parsed reports whether a path goes on only where a call that gives its argument back in another form, and an error beside it, gave no error.
func (r *Result) parsed(p Path, c *Call) bool {
	if c.CheckRow == nil || c.OriginRow == nil || c.OriginRow.Origin.Kind != "argument" || !c.ReturnsError() {
		return false
	}
	of := r.engine.recorded(c).first(c.OriginRow.Origin.Of)
	return of != nil && r.decide(p, r.engine.member(of, "#1"), absNull, absObject) == Missed
}
