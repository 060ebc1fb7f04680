package flow

import (
	"slices"
	"strings"
)

// entered is a handler as one registration of a tool gives it.
type entered struct {
	reg     *registration
	handler *Term
}

// withoutCovered leaves out the handlers that tell no more than another one does. A server that is built in several ways registers the function of
// a tool with surroundings that differ only in how much is known of them: where one way is a function that nobody is seen to call, its parameters
// are unknowns of a declared type, and what another way hands it are the values. The order is kept. Quadratic in the handlers of one tool, which
// are few (maxHandlers).
func (e *engine) withoutCovered(all []entered) []entered {
	if len(all) < 2 {
		return all
	}
	gone := make([]bool, len(all))
	for i, other := range all {
		for j, known := range all {
			if i == j || gone[j] || known.reg.assume != other.reg.assume || known.reg != other.reg && !slices.Equal(e.entryArgs(known.reg), e.entryArgs(other.reg)) {
				continue
			}
			c := covering{e: e, asked: map[[2]*Term]bool{}}
			if c.covers(known.handler, other.handler, maxCovering) {
				gone[i] = true
				break
			}
		}
	}
	var kept []entered
	for i, one := range all {
		if !gone[i] {
			kept = append(kept, one)
		}
	}
	return kept
}

// maxCovering bounds how deep surroundings are compared: what lies deeper tells two handlers apart.
const maxCovering = 12

// covering compares values with what outlives entries.
type covering struct {
	e     *engine
	asked map[[2]*Term]bool // pairs that are being compared, or are known to be covered
}

// covers reports whether other is what known is, or less is known of it: objects that one place makes twice are the same if what they hold is, and a
// value of which only the type is known is any value of that type. Types of the program do not count for the latter: what implements them
// may do something else.
func (c *covering) covers(known, other *Term, depth int) bool {
	if known == other {
		return true
	}
	if known == nil || other == nil || depth == 0 {
		return false
	}
	if onlyTyped(other) && known.Sym == other.Sym && (!onlyTyped(known) || known.id < other.id) || anyArray(other) && known.Kind == TUnion {
		return true
	}
	if other.Kind == TUnion || known.Kind == TUnion {
		for _, alt := range other.Alternatives() {
			if !slices.ContainsFunc(known.Alternatives(), func(k *Term) bool { return c.covers(k, alt, depth-1) }) {
				return false
			}
		}
		return true
	}
	if known.Kind != other.Kind {
		return false
	}
	switch known.Kind {
	case TRef:
		return c.sameContents(known, other, depth)
	case TClosure, TClass, TOp, TCall, TCast, TMember:
	default:
		return false // interned: equal ones are one
	}
	return known.Name == other.Name && known.Sym == other.Sym && known.Const == other.Const && known.Site == other.Site && known.Fn == other.Fn && known.Decl == other.Decl &&
		known.ctx == other.ctx && slices.Equal(known.Keys, other.Keys) && c.covers(known.This, other.This, depth-1) && c.list(known.Args, other.Args, depth-1)
}

func (c *covering) list(known, other []*Term, depth int) bool {
	return slices.EqualFunc(known, other, func(a, b *Term) bool { return c.covers(a, b, depth) })
}

// sameContents compares two references by what they hold. An instance of which the program is not seen to make any holds what is known of it.
func (c *covering) sameContents(known, other *Term, depth int) bool {
	pair := [2]*Term{known, other}
	if c.asked[pair] {
		return true
	}
	imagined := other.Site == nil && other.Decl != nil
	if !imagined && (known.Site != other.Site || known.Name != other.Name || known.Decl != other.Decl) {
		return false
	}
	a, b := c.e.heap.global[known], c.e.heap.global[other]
	if a == nil || b == nil {
		return a == b && !imagined
	}
	if a.kind != b.kind || a.class != b.class || b.open && !a.open || a.lacks != b.lacks || len(a.elems) != len(b.elems) || !imagined && len(a.keys) != len(b.keys) {
		return false
	}
	c.asked[pair] = true
	ok := c.list(a.elems, b.elems, depth-1) && c.covers(a.rest, b.rest, depth-1) && c.covers(a.base, b.base, depth-1)
	for i := 0; ok && i < len(b.keys); i++ {
		ok = c.covers(a.get(b.keys[i]), b.vals[i], depth-1)
	}
	if !ok {
		delete(c.asked, pair)
	}
	return ok
}

// onlyTyped reports whether nothing but the type, one that the program does not declare itself, is known of a value: a parameter of a function that
// nobody is seen to call, or what an object of the program was taken to hold before that was known.
func onlyTyped(t *Term) bool {
	if t.Sym == "" || strings.HasPrefix(t.Sym, "?#") || strings.HasPrefix(t.Sym, "js#") {
		return false
	}
	if t.Kind == TCast {
		held := t.Args[0]
		for held.Kind == TMember {
			held = held.Args[0]
		}
		return held.Kind == TRef || held.Kind == TUnknown
	}
	return t.Kind == TUnknown
}

// anyArray reports whether a value is some array that nobody is seen to hand in. Where one of several arrays is known to be handed in elsewhere, what
// is asked of them has either answer there too.
func anyArray(t *Term) bool { return t.Kind == TUnknown && t.Sym == "js#Array" }
