package flow

import (
	"slices"

	"github.com/retrysafe/retrysafe/analyzers/model"
)

// The reasons why what a tool keeps beside what it reads does not count.
const (
	cachedAnswer = "cache of what was read"
	rateCounter  = "counter of a rate limit"
)

// markCached marks the records that a tool keeps for its own next call: an answer that was read elsewhere, under what was asked, and the number of calls in a
// period. Who asks again gets the same answer with them as without.
func (e *engine) markCached(t *Tool) {
	for _, x := range t.Effects {
		if x.Incidental != "" || x.Kind != model.Database && x.Kind != model.File {
			continue
		}
		r := e.recordOf(x.Call)
		switch {
		case r == nil || r.Key == nil:
		case (r.Op == model.Put || r.Op == model.Claim) && x.Nature != model.Destructive && e.keepsAnswer(t, x, r):
			x.Incidental = cachedAnswer
		case r.Op == model.Claim && r.Spec != nil && r.Spec.Fails == "many" && t.limits(r):
			x.Incidental = rateCounter
		}
	}
}

// keepsAnswer reports whether a record is filled with what the call read, under a key that is looked up before, and a hit is answered with what it holds.
func (e *engine) keepsAnswer(t *Tool, x *Effect, r *Record) bool {
	if r.Value == nil || !e.answerRead(t, x, r) {
		return false
	}
	return slices.ContainsFunc(t.Records, func(l *Record) bool {
		if l.Op != model.Lookup || l.Store != r.Store || l.Key != r.Key || l.Order >= x.Order || l.Result == nil {
			return false
		}
		return slices.ContainsFunc(t.Returns, func(ret *Return) bool {
			return !ret.Throws && ret.Value != nil && ret.Value.Contains(l.Result) || ret.Reply != nil && slices.ContainsFunc(ret.Reply.Args, func(a *Term) bool { return a.Contains(l.Result) })
		})
	})
}

// answerRead reports whether a stored value comes from calls that only read. What the caller sends is part of it only as far as it is part of the key.
func (e *engine) answerRead(t *Tool, x *Effect, r *Record) bool {
	read, ok := false, true
	r.Value.Walk(func(u *Term) bool {
		if !ok || r.Key.Contains(u) && u.HasInput() {
			return false
		}
		if u.Kind == TCall {
			switch c := e.calls[u]; {
			case c == nil:
			case e.changes(t, x, c), c.RecordRow != nil && e.recordOf(c) != nil && e.recordOf(c).Store == r.Store:
				ok = false // the answer to a change, or what was there before
				return false
			case c.EffectRow != nil || c.QueryRow != nil || c.RecordRow != nil || c.Unresolved || c.Unlisted:
				read = true
				return false
			}
		}
		if u.HasInput() && inputRoot(u) != nil {
			if role, name := e.inputRole(u); role == model.ArgumentsInput && name != "" {
				ok = false
				return false
			}
		}
		return true
	})
	return ok && read
}

// changes reports whether a call is an effect of the tool beside x.
func (e *engine) changes(t *Tool, x *Effect, c *Call) bool {
	return slices.ContainsFunc(t.Effects, func(y *Effect) bool {
		return y != x && y.Call == c && y.Incidental == "" && y.Nature.Rank() > 0 && !y.asked
	})
}

// limits reports whether a counter is given a lifetime, and decides on some way whether the tool goes on: as many calls as it allows are made in a period.
func (t *Tool) limits(r *Record) bool {
	expires := r.HasTTL || slices.ContainsFunc(t.Records, func(o *Record) bool { return o.Op == model.Expire && o.Store == r.Store && o.Key == r.Key })
	return expires && slices.ContainsFunc(t.Returns, func(ret *Return) bool {
		return slices.ContainsFunc(ret.Path.Conds, func(c Cond) bool {
			switch c.Term.Name {
			case "<", "<=", ">", ">=":
				return c.Term.Kind == TOp && c.Term.Contains(r.Result)
			}
			return false
		})
	})
}
