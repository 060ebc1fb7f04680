package rules

import (
	"slices"

	"github.com/retrysafe/retrysafe/analyzers/flow"
	"github.com/retrysafe/retrysafe/analyzers/model"
)

// keyClass says how a key under which results are kept comes about.
type keyClass uint8

const (
	suppliedKey keyClass = iota + 1 // the caller chooses it: a parameter or header
	derivedKey                      // made from the arguments
)

// replay is a stored result that a repeat is answered with: a lookup, the answers that give its hit, and the effects that are left
// out then.
type replay struct {
	tool    *flow.Tool
	lookup  *flow.Record
	answers []*flow.Return
	effects []*flow.Effect
	class   keyClass
	// key holds the key and the other conditions of the lookup.
	key []*flow.Term
}

// replays finds the stored results that a tool answers repeats with.
//
// A tool that reads an object by its id and returns it is none: the hit must keep the call from an effect, and what is looked up must
// be a key, by its name, by being made from the arguments, or because results of effects are kept under it.
func (p *Pass) replays(t *flow.Tool) []*replay {
	return once(p.shared.replays, t, func() []*replay {
		var out []*replay
		for _, rec := range t.Records {
			if r := p.replay(t, rec); r != nil {
				out = append(out, r)
			}
		}
		return out
	})
}

func (p *Pass) replay(t *flow.Tool, rec *flow.Record) *replay {
	if rec.Op != model.Lookup && rec.Op != model.Claim && rec.Op != model.Swap || rec.Result == nil {
		return nil
	}
	r := &replay{tool: t, lookup: rec, key: keyValues(rec)}
	if r.class = p.classify(t, rec, r.key); r.class == 0 {
		return nil
	}
	for _, ret := range t.Returns {
		if !ret.Throws && p.answersWith(t, ret, rec) && p.Outcome(ret.Path, rec.Call) != flow.Missed && !ret.Failure() {
			r.answers = append(r.answers, ret)
		}
	}
	if slices.ContainsFunc(r.answers, hasPlace) { // a reply and the return after it are one answer
		r.answers = slices.DeleteFunc(r.answers, func(a *flow.Return) bool { return !hasPlace(a) })
	}
	if len(r.answers) == 0 {
		return nil // a hit tells at most that the key was seen
	}
	for _, e := range p.mainEffects(t) {
		if e.Call != rec.Call && !keeps(t, e, rec) && p.skipped(t, e, rec) && !slices.ContainsFunc(r.answers, func(a *flow.Return) bool { return a.Path.Made(e.Call) }) {
			r.effects = append(r.effects, e)
		}
	}
	if len(r.effects) == 0 && !p.guardsRoute(r) {
		return nil // nothing is kept from running: an ordinary read
	}
	return r
}

// keeps reports whether an effect is no more than the storing of what the lookup is to find the next time, as in a cache.
func keeps(t *flow.Tool, e *flow.Effect, rec *flow.Record) bool {
	return e.Nature == model.Replacing &&
		slices.ContainsFunc(t.Records, func(other *flow.Record) bool { return other.Call == e.Call && other.Store == rec.Store })
}

// guardsRoute reports whether the lookup stands in a route before whatever the route does: the key is named for the purpose, the request is one that changes
// something, and a miss goes on.
func (p *Pass) guardsRoute(r *replay) bool {
	t := r.tool
	if t.Kind != flow.HTTPRoute && t.Kind != flow.Webhook && t.Kind != flow.Exported || t.Method == "GET" || t.Method == "HEAD" {
		return false
	}
	if !p.anyOrigin(r.key, func(o flow.Origin) bool {
		return isSuppliedKey(o) && plainKeyName.MatchString(NormalName(lastPart(o.Name)))
	}) {
		return false
	}
	return slices.ContainsFunc(t.Returns, func(ret *flow.Return) bool {
		if o := p.Outcome(ret.Path, r.lookup.Call); o != flow.Undecided {
			return o == flow.Missed && !ret.Failure()
		}
		return ret.Path.Made(r.lookup.Call) && !ret.Failure() && !p.answersWith(t, ret, r.lookup)
	})
}

func hasPlace(r *flow.Return) bool { return r.Span.IsValid() }

// keyValues gives the values that select a record.
func keyValues(rec *flow.Record) []*flow.Term {
	var out []*flow.Term
	if rec.Key != nil {
		out = append(out, rec.Key)
	}
	names := make([]string, 0, len(rec.Cols))
	for name := range rec.Cols {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		if v := rec.Cols[name]; v != nil && !slices.Contains(out, v) {
			out = append(out, v)
		}
	}
	return out
}

// answersWith reports whether an answer carries what a lookup found.
func (p *Pass) answersWith(t *flow.Tool, ret *flow.Return, rec *flow.Record) bool {
	if p.carries(t, ret.Value, rec) {
		return true
	}
	return ret.Reply != nil && slices.ContainsFunc(ret.Reply.Args, func(a *flow.Term) bool { return p.carries(t, a, rec) })
}

// carries reports whether a value is made from what a lookup found. What an effect or another lookup gives is another thing, even where it was asked with
// what was found, and so is what an object kept in the process, a client or a connection, gives when it is used.
func (p *Pass) carries(t *flow.Tool, v *flow.Term, rec *flow.Record) bool {
	if v == nil {
		return false
	}
	calls := once(p.shared.results, t, func() map[*flow.Term]*flow.Call {
		m := map[*flow.Term]*flow.Call{}
		for _, e := range t.Events {
			if e.Result != nil {
				m[e.Result] = e.Call
			}
		}
		return m
	})
	found := false
	v.Walk(func(u *flow.Term) bool {
		if u == rec.Result {
			found = true
		}
		if c := calls[u]; c != nil && u != rec.Result && !continues(u, rec) {
			if c.EffectRow != nil || c.RecordRow != nil || c.QueryRow != nil || rec.Local && c.OriginRow == nil {
				return c.EffectRow != nil && c.EffectRow.Effect.Reply // `return res.json(stored)`
			}
		}
		return !found
	})
	return found
}

// continues reports whether a call goes on building the query whose first call is the lookup's: select().from(t).where(…).limit(1).
func continues(u *flow.Term, rec *flow.Record) bool {
	for range 16 {
		if rec.Local || u.Kind != flow.TCall || len(u.Args) == 0 {
			return false
		}
		if u = u.Args[0]; u == rec.Result {
			return true
		}
	}
	return false
}

// skipped reports whether a hit of the lookup keeps the tool from the effect: some way to the effect has missed in the same store, and none has hit.
func (p *Pass) skipped(t *flow.Tool, e *flow.Effect, rec *flow.Record) bool {
	own := p.met(e, rec.Call)
	if own.hit || own.missed {
		return !own.hit
	}
	return slices.ContainsFunc(t.Records, func(other *flow.Record) bool { return other.Store == rec.Store && p.met(e, other.Call).missed })
}

// encounter is an effect and the call of a record.
type encounter struct {
	effect *flow.Effect
	call   *flow.Call
}

// met tells whether some way to the effect has hit the record of a call, and whether some way has missed it.
type met struct{ hit, missed bool }

func (p *Pass) met(e *flow.Effect, c *flow.Call) met {
	return once(p.shared.met, encounter{e, c}, func() (m met) {
		for _, path := range e.Paths {
			switch p.Outcome(path, c) {
			case flow.Hit:
				if p.outdated(path, c) {
					m.missed = true // what is too old is not there
				} else {
					m.hit = true
				}
			case flow.Missed:
				m.missed = true
			}
		}
		return m
	})
}

// outdated reports whether a way goes on after a hit because what was found is too old.
func (p *Pass) outdated(path flow.Path, hit *flow.Call) bool {
	return hit.Result != nil && slices.ContainsFunc(path.Conds, func(c flow.Cond) bool {
		t := c.Term
		if t.Kind != flow.TOp || len(t.Args) != 2 || !t.Contains(hit.Result) {
			return false
		}
		left, right := p.isClock(t.Args[0]), p.isClock(t.Args[1])
		if left == right {
			return false
		}
		switch t.Name {
		case ">", ">=":
			return c.True == left // the clock is beyond
		case "<", "<=":
			return c.True == right
		}
		return false
	})
}

// classify tells what kind of key selects the record, 0 if it is none.
func (p *Pass) classify(t *flow.Tool, rec *flow.Record, key []*flow.Term) keyClass {
	plain := map[string]bool{}
	derived := false
	for _, v := range key {
		for _, o := range p.Origins(v) {
			switch {
			case isNonceName(o.Name) || isEventName(o.Name):
				return 0 // seen once: another family's question
			case isSuppliedKey(o):
				return suppliedKey
			case !isSupplied(o): // decides nothing
			case o.Hashed != "" || o.Whole:
				derived = true
			default:
				plain[o.Name] = true
			}
		}
	}
	switch {
	case derived:
		return derivedKey
	case len(plain) == 0 || !p.keepsResults(t, rec):
		return 0
	case len(plain) == 1 && !slices.ContainsFunc(key, func(v *flow.Term) bool { return repeatsPart(v) }):
		return suppliedKey
	}
	return derivedKey
}

// repeatsPart reports whether a text is put together from parts one of which is there twice: a key that was meant to hold something else too.
func repeatsPart(v *flow.Term) bool {
	if v.Kind != flow.TConcat {
		return false
	}
	for i, part := range v.Args {
		if part.Kind != flow.TConst && slices.Contains(v.Args[:i], part) {
			return true
		}
	}
	return false
}

// keepsResults reports whether results of effects are stored where the lookup looks, and nothing but them: a business table is an effect itself.
func (p *Pass) keepsResults(t *flow.Tool, rec *flow.Record) bool {
	return once(p.shared.keeps, t, func() map[string]bool { return keptResults(t, p.mainEffects(t)) })[rec.Store]
}

// keptResults says of the stores into which a tool writes results of effects whether it writes nothing else there.
func keptResults(t *flow.Tool, effects []*flow.Effect) map[string]bool {
	results := map[*flow.Term]bool{}
	calls := map[*flow.Call]bool{}
	for _, e := range effects {
		calls[e.Call] = true
		if e.Result != nil {
			results[e.Result] = true
		}
	}
	isResult := func(v *flow.Term) bool { return results[v] }
	only := map[string]bool{}
	for _, rec := range t.Records {
		if !rec.Writes() {
			continue
		}
		switch known, seen := only[rec.Store]; {
		case calls[rec.Call]:
			only[rec.Store] = false
		case seen && !known:
		case stores(rec, func(v *flow.Term) bool { return v.Any(isResult) }):
			only[rec.Store] = true
		}
	}
	return only
}

// storesValue reports whether a record operation stores a value.
func storesValue(rec *flow.Record, v *flow.Term) bool {
	return stores(rec, func(stored *flow.Term) bool { return stored.Contains(v) })
}

// stores reports whether one of the values that a record operation stores is such.
func stores(rec *flow.Record, such func(*flow.Term) bool) bool {
	if rec.Value != nil && such(rec.Value) {
		return true
	}
	for _, v := range rec.Set {
		if v != nil && such(v) {
			return true
		}
	}
	return false
}

// boundToCaller says how the lookup is bound to the caller, "" if it is not: by its key, by the store it looks in, or by what is compared
// before the answer.
func (p *Pass) boundToCaller(r *replay) string {
	for _, v := range r.key {
		if p.isCaller(v) {
			return "the key carries the caller"
		}
	}
	if r.lookup.Recv != nil && p.isCaller(r.lookup.Recv) {
		return "the store is the caller's own"
	}
	if p.tenantScoped(r.lookup) {
		return "the session is bound to the caller"
	}
	if claimed, ok := p.claim(r.key); ok && p.verified(r.lookup.Event, claimed.Term) {
		return "the name in the key was compared with the caller"
	}
	for _, a := range r.answers {
		if !eachComparison(a.Path, r.lookup.Result, p.isCaller) {
			return ""
		}
	}
	return "the owner is compared before the answer"
}

// tenantScoped reports whether, on every way to the lookup, a setting of the database session was made from the caller's identity, as row-level
// security reads it.
func (p *Pass) tenantScoped(rec *flow.Record) bool {
	if len(rec.Paths) == 0 {
		return false
	}
	for _, path := range rec.Paths {
		if !slices.ContainsFunc(path.Before, func(b flow.Before) bool { return p.setsCaller(b.Call) }) {
			return false
		}
	}
	return true
}

func (p *Pass) setsCaller(c *flow.Call) bool {
	for i := range c.Statements {
		s := &c.Statements[i].Statement
		if s.Verb != "set" && !slices.Contains(s.Functions, "set_config") && s.Verb != "other" {
			continue
		}
		if slices.ContainsFunc(c.Args, p.isCaller) {
			return true
		}
	}
	return false
}

// contains makes a test for terms that part is in.
func contains(part *flow.Term) func(*flow.Term) bool {
	return func(t *flow.Term) bool { return part != nil && t.Contains(part) }
}

// keyed is a value that recognises a repeat, where it is used: the key of a record operation, or the key passed to a vendor.
type keyed struct {
	event  *flow.Event
	values []*flow.Term
	record *flow.Record // nil for a vendor's key
	effect *flow.Effect // nil for a record
}

// keys lists the keys that a tool works with, in order.
func (p *Pass) keys(t *flow.Tool) []keyed {
	var out []keyed
	for _, rec := range t.Records {
		if rec.Op != model.Lookup && rec.Op != model.Claim && rec.Op != model.Swap {
			continue
		}
		values := keyValues(rec)
		if !p.isEffect(t, rec) && p.classify(t, rec, values) != 0 {
			out = append(out, keyed{rec.Event, values, rec, nil})
		}
	}
	for _, e := range p.mainEffects(t) {
		if e.Key != nil && !isAbsent(e.Key) {
			out = append(out, keyed{e.Event, []*flow.Term{e.Key}, nil, e})
		}
	}
	return out
}

// about fills in what a finding about a key concerns.
func (k keyed) about(r Report) Report {
	r.Event = k.event
	if k.record != nil {
		r.Records = append(r.Records, k.record)
	}
	if k.effect != nil {
		r.Effects = append(r.Effects, k.effect)
	}
	return r
}

// isEffect reports whether the record operation is an effect that counts: then its key is a column of a business row.
func (p *Pass) isEffect(t *flow.Tool, rec *flow.Record) bool {
	return slices.ContainsFunc(p.mainEffects(t), func(e *flow.Effect) bool { return e.Call == rec.Call })
}

// compared lists what the answers of a replay compare with what was found.
func (r *replay) compared() []*flow.Term {
	var out []*flow.Term
	for _, a := range r.answers {
		eachComparison(a.Path, r.lookup.Result, func(other *flow.Term) bool {
			if !slices.Contains(out, other) {
				out = append(out, other)
			}
			return false
		})
	}
	return out
}

// eachComparison calls visit with what a path compares with something made from found, until it gives true, and reports whether it did. A comparison is
// an operator or a call of two or more arguments: timingSafeEqual(a, b), isEqual(a, b), a.equals(b), or an assertion that has passed.
func eachComparison(path flow.Path, found *flow.Term, visit func(other *flow.Term) bool) bool {
	done := false
	sides := func(list []*flow.Term) {
		for i, side := range list {
			if done || !side.Contains(found) {
				continue
			}
			for j, other := range list {
				if i != j && !other.Contains(found) && !done {
					done = visit(other)
				}
			}
		}
	}
	for _, b := range path.Before {
		if row := b.Call.CheckRow; row != nil && row.Check.Kind == "compare" && row.Check.Throws && !b.Failed {
			sides(b.Call.Args)
		}
	}
	for _, c := range path.Conds {
		c.Term.Walk(func(t *flow.Term) bool {
			switch {
			case t == found || done:
				return false // what the lookup was made with is compared with nothing
			case t.Kind == flow.TOp && (t.Name == "==" || t.Name == "!=" || t.Name == "includes"):
				sides(t.Args)
			case t.Kind == flow.TCall && len(t.Args) > 1:
				sides(t.Args)
			}
			return !done
		})
	}
	return done
}

// judgesAge reports whether a path decides something about what was found and the clock together.
func (p *Pass) judgesAge(path flow.Path, found *flow.Term) bool {
	for _, c := range path.Conds {
		if !c.Term.Contains(found) {
			continue
		}
		clock := false
		c.Term.Walk(func(t *flow.Term) bool {
			if t == found || clock {
				return false
			}
			clock = p.ReadsClock(t) || t.Kind == flow.TCall && p.isClock(t) || t.Kind == flow.TSymbol && p.isClock(t)
			return !clock
		})
		if clock {
			return true
		}
	}
	return false
}
