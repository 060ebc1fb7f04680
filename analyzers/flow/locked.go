package flow

import "github.com/retrysafe/retrysafe/analyzers/model"

// region is what a way holds locked where it makes its calls. A lock that a helper takes and gives back inside is held for what the helper does and no longer.
type region struct {
	locks []*Record // held at the end of the way, in the order in which they were taken
	at    map[*Call][]*Record
}

// region follows the locks of a way. A lock around a callback is held for the rest of the way: where the callback ends is not told.
func (r *Result) region(p Path) *region {
	var g region
	for _, b := range p.Before {
		rec := r.engine.recordOf(b.Call)
		if rec == nil || b.Failed && !b.Call.ReturnsError() {
			continue
		}
		switch rec.Op {
		case model.Lock:
			if r.Outcome(p, b.Call) != Hit { // somebody else has it
				g.locks = append(g.locks[:len(g.locks):len(g.locks)], rec)
			}
		case model.Unlock:
			g.locks = unlocked(g.locks, rec)
		default:
			if len(g.locks) > 0 {
				if g.at == nil {
					g.at = map[*Call][]*Record{}
				}
				if g.at[b.Call] == nil {
					g.at[b.Call] = g.locks
				}
			}
		}
	}
	return &g
}

// unlocked gives the locks without the one that is given back.
func unlocked(locks []*Record, by *Record) []*Record {
	for i := len(locks) - 1; i >= 0; i-- {
		if l := locks[i]; l.Store == by.Store && (l.Key == nil || by.Key == nil || l.Key == by.Key) {
			return append(locks[:i:i], locks[i+1:]...)
		}
	}
	return locks
}

// LockedFrom gives the lock that a way holds at a call and, without giving it back, at another one after it, or at the way's end where to is nil; nil where
// there is none. What counts is a lock that a repeat takes too.
func (r *Result) LockedFrom(p Path, from, to *Call) *Record {
	g := r.region(p)
	after := g.locks
	if to != nil {
		after = g.at[to]
	}
	for _, l := range g.at[from] {
		for _, m := range after {
			if l == m && (l.Key == nil || r.Stable(l.Key) || len(r.engine.origins(l.Key)) == 0) {
				return l
			}
		}
	}
	return nil
}

// ClaimedLocked reports whether a way holds a lock from a lookup to its end, or to where it has stored what the lookup asked for.
func (r *Result) ClaimedLocked(p Path, lookup *Record) bool {
	if r.LockedFrom(p, lookup.Call, nil) != nil {
		return true
	}
	for _, b := range p.Before {
		rec := r.engine.recordOf(b.Call)
		if rec != nil && !b.Failed && rec.Writes() && rec.Store == lookup.Store &&
			r.LockedFrom(p, lookup.Call, b.Call) != nil {
			return true
		}
	}
	return false
}
