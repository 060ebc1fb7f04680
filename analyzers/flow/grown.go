package flow

import (
	"slices"

	"github.com/retrysafe/retrysafe/analyzers/model"
)

// A slice that a loop appends to is another array after each round, so a value that some rounds leave as it is would be one of as many arrays as
// there are rounds. Where such paths meet, the longest array stands for those that it continues: what it holds is what the loop may have
// appended, as it is where paths meet that push to one array.

// longest leaves out of the alternatives of a value the arrays that another of them continues.
func (e *engine) longest(st *state, t *Term) *Term {
	if t.Kind != TUnion || t.flags&hasRef == 0 {
		return t
	}
	var kept []*Term
	for i, alt := range t.Args {
		if !grows(alt) || !slices.ContainsFunc(t.Args, func(u *Term) bool { return u != alt && e.continues(st, u, alt) }) {
			if kept != nil {
				kept = append(kept, alt)
			}
			continue
		}
		if kept == nil {
			kept = append(make([]*Term, 0, len(t.Args)), t.Args[:i]...)
		}
	}
	if kept == nil {
		return t
	}
	return e.union(kept...)
}

// longestIn does so for what an object holds.
func (e *engine) longestIn(st *state, o *object) *object {
	if !o.grows {
		return o
	}
	var vals []*Term
	for i, v := range o.vals {
		if w := e.longest(st, v); w != v {
			if vals == nil {
				vals = slices.Clone(o.vals)
			}
			vals[i] = w
		}
	}
	if vals == nil {
		return o
	}
	n := *o
	n.vals = vals
	return e.heap.intern(n)
}

// mayGrow reports whether longest may leave something of a value out.
func mayGrow(t *Term) bool {
	return t != nil && t.Kind == TUnion && t.flags&hasRef != 0 && slices.ContainsFunc(t.Args, grows)
}

// grows reports whether a value is an array made by adding to another one.
func grows(t *Term) bool {
	if t.Kind != TRef || t.Site == nil || t.Site.Op < 0 || int(t.Site.Op) >= len(t.Site.Fn.Ops) {
		return false
	}
	op := &t.Site.Fn.Ops[t.Site.Op]
	return op.Kind == model.Array && len(op.Parts) > 0 && op.Parts[0].Spread
}

// continues reports whether an array begins with what another one holds, both made in one function. Of two equal arrays the later one continues the other.
func (e *engine) continues(st *state, long, short *Term) bool {
	if !grows(long) || long.Site.Fn != short.Site.Fn {
		return false
	}
	l, s := e.contents(st, long), e.contents(st, short)
	if l == nil || s == nil || l.rest != nil || s.rest != nil || len(s.elems) > len(l.elems) || len(s.elems) == len(l.elems) && long.id < short.id {
		return false
	}
	for i, el := range s.elems {
		for _, alt := range el.Alternatives() {
			if !slices.Contains(l.elems[i].Alternatives(), alt) {
				return false
			}
		}
	}
	return true
}
