package flow

import (
	"hash/maphash"
	"slices"
)

// objectKind is what an object is.
type objectKind uint8

const (
	plainObject objectKind = iota
	arrayObject
	mapObject // also Set, Headers, URLSearchParams: keyed by value
	cellObject
	instanceObject
	channelObject // what was sent over it is rest, nil where that is not known
)

// object is the contents of a reference at one moment. Objects are immutable and interned per engine, so
// that equal contents are the same pointer.
type object struct {
	id    int32
	kind  objectKind
	class *Term // of an instance
	keys  []string
	vals  []*Term // parallel to keys; a getter is an operator term "getter" over its closure
	elems []*Term // of an array, in order
	rest  *Term   // some further element (array) or value under a key that is not constant; nil if there is none
	base  *Term   // an opaque value that was spread into the object; reading a missing key reads it there
	grows bool    // one of vals may be one of several arrays that continue each other, see longest
	lacks int32   // so many of an array's elements may be missing: those at its end, or some of them
	open  bool    // handed to code that we do not see, which may have added to it; of an array: loose, see mergeSequences
}

func (o *object) get(key string) *Term {
	for i := len(o.keys) - 1; i >= 0; i-- {
		if o.keys[i] == key {
			return o.vals[i]
		}
	}
	return nil
}

// least is the number of elements that an array surely has.
func (o *object) least() int { return max(0, len(o.elems)-int(o.lacks)) }

// each visits the values that an object holds, and its class. Some of them are nil.
func (o *object) each(visit func(*Term)) {
	for _, v := range o.vals {
		visit(v)
	}
	for _, v := range o.elems {
		visit(v)
	}
	visit(o.rest)
	visit(o.base)
	visit(o.class)
}

// heap interns objects and holds the contents of what outlives an entry: what initialisers made.
type heap struct {
	table   interned[object]
	seed    maphash.Seed
	next    int32
	global  map[*Term]*object
	version int // grows whenever the global contents change
}

func newHeap() *heap {
	return &heap{table: newInterned[object](), seed: maphash.MakeSeed(), global: map[*Term]*object{}}
}

// setGlobal gives a reference the contents that outlive entries.
func (h *heap) setGlobal(ref *Term, o *object) {
	h.global[ref] = o
	h.version++
}

// intern gives the one object with these contents.
func (h *heap) intern(o object) *object {
	sum := h.hash(&o)
	for i := h.table.first(sum); ; i = h.table.next(i) {
		slot := &h.table.slots[i]
		if slot.value == nil {
			break
		}
		if slot.hash == sum && equalObjects(slot.value, &o) {
			return slot.value
		}
	}
	h.next++
	o.id = h.next
	o.grows = slices.ContainsFunc(o.vals, mayGrow)
	p := new(object)
	*p = o
	h.table.add(sum, p)
	return p
}

func (h *heap) hash(o *object) uint64 {
	sum := mix(uint64(o.kind)|uint64(uint32(o.lacks))<<8, uint64(len(o.elems))<<32|uint64(len(o.keys))<<1|uint64(word(o.open)))
	put := func(t *Term) {
		if t != nil {
			sum ^= uint64(t.id)
		}
		sum = mix(sum, 1)
	}
	o.each(put)
	for _, key := range o.keys {
		sum = mix(sum, maphash.String(h.seed, key))
	}
	return sum
}

// equalObjects reports whether two contents are to be one.
func equalObjects(a, b *object) bool {
	return a.kind == b.kind && a.open == b.open && a.lacks == b.lacks && a.class == b.class && a.rest == b.rest && a.base == b.base &&
		slices.Equal(a.elems, b.elems) && slices.Equal(a.vals, b.vals) && slices.Equal(a.keys, b.keys)
}

// with gives o with key set to val.
func (h *heap) with(o *object, key string, val *Term) *object {
	n := *o
	n.keys = append([]string(nil), o.keys...)
	n.vals = append([]*Term(nil), o.vals...)
	for i := range n.keys {
		if n.keys[i] == key {
			n.vals[i] = val
			return h.intern(n)
		}
	}
	n.keys = append(n.keys, key)
	n.vals = append(n.vals, val)
	return h.intern(n)
}

// without gives o without key.
func (h *heap) without(o *object, key string) *object {
	n := *o
	n.keys, n.vals = nil, nil
	for i := range o.keys {
		if o.keys[i] != key {
			n.keys = append(n.keys, o.keys[i])
			n.vals = append(n.vals, o.vals[i])
		}
	}
	return h.intern(n)
}

// merge joins two contents of one reference: what it holds when either may be the case.
func (h *heap) merge(ts *terms, a, b *object) *object {
	if a == b || b == nil {
		return a
	}
	if a == nil {
		return b
	}
	n := object{kind: a.kind, class: a.class, open: a.open || b.open}
	if a.rest != nil || b.rest != nil {
		n.rest = ts.union(a.rest, b.rest)
	}
	if a.base != nil || b.base != nil {
		n.base = ts.union(a.base, b.base)
	}
	for i, key := range a.keys {
		other := b.get(key)
		if other == nil && b.kind == plainObject && !b.open && b.base == nil {
			other = ts.undefined
		}
		n.keys = append(n.keys, key)
		n.vals = append(n.vals, ts.union(a.vals[i], other))
	}
	for i, key := range b.keys {
		if a.get(key) != nil {
			continue
		}
		other := (*Term)(nil)
		if a.kind == plainObject && !a.open && a.base == nil {
			other = ts.undefined
		}
		n.keys = append(n.keys, key)
		n.vals = append(n.vals, ts.union(b.vals[i], other))
	}
	var loose bool
	n.elems, loose = mergeSequences(ts, a.elems, b.elems)
	n.open = n.open || loose
	n.lacks = int32(len(n.elems) - min(a.least(), b.least()))
	return h.intern(n)
}

// mergeSequences joins what an array holds on two paths: the longer sequence where it continues the other one. What are things with an identity of
// their own, such as the rows of a table of which a loop appends some, each stand once, and the array is loose: where in it they stand is not
// known. Everything else is joined position by position.
func mergeSequences(ts *terms, a, b []*Term) (elems []*Term, loose bool) {
	short, long := a, b
	if len(short) > len(long) {
		short, long = long, short
	}
	same := 0
	for same < len(short) && short[same] == long[same] {
		same++
	}
	if same == len(short) {
		return long, false
	}
	if !identified(short[same:]) || !identified(long[same:]) {
		elems = slices.Clone(long)
		for i := same; i < len(short); i++ {
			elems[i] = ts.union(long[i], short[i])
		}
		return elems, false
	}
	// those of a stand in their order; those of b alone stand before the next one that both have
	elems = slices.Clone(a[:same])
	next := same
	for _, t := range a[same:] {
		if at := slices.Index(b[next:], t); at >= 0 {
			elems = appendNew(elems, b[next:next+at]...)
			next += at + 1
		}
		elems = appendNew(elems, t)
	}
	return appendNew(elems, b[next:]...), true
}

func appendNew(elems []*Term, more ...*Term) []*Term {
	for _, t := range more {
		if !slices.Contains(elems, t) {
			elems = append(elems, t)
		}
	}
	return elems
}

// identified reports whether all values are things with an identity of their own.
func identified(elems []*Term) bool {
	return !slices.ContainsFunc(elems, func(t *Term) bool {
		return t.Kind != TRef && t.Kind != TClosure && t.Kind != TClass
	})
}

// overlay is the contents of references as one path sees them, above those of its parent.
type overlay struct {
	parent *overlay
	own    map[*Term]*object // of this layer; nil until the first is set
	depth  int
}

// set gives a reference its contents as the path sees them from here on.
func (o *overlay) set(ref *Term, obj *object) {
	if o.own == nil {
		o.own = map[*Term]*object{}
	}
	o.own[ref] = obj
}

func (o *overlay) get(ref *Term) *object {
	for l := o; l != nil; l = l.parent {
		if l.own != nil {
			if obj := l.own[ref]; obj != nil {
				return obj
			}
		}
	}
	return nil
}

// child gives a new layer above o; layers that got deep are flattened down to base.
func (o *overlay) child(base *overlay) *overlay {
	if o != nil && o != base && len(o.own) == 0 {
		return &overlay{parent: o.parent, depth: o.depth}
	}
	depth := 0
	if o != nil {
		depth = o.depth + 1
	}
	if depth > 24 && o != base {
		flat := o.since(base)
		d := 0
		if base != nil {
			d = base.depth + 1
		}
		return &overlay{parent: &overlay{parent: base, own: flat, depth: d}, depth: d + 1}
	}
	return &overlay{parent: o, depth: depth}
}

// since collects what o's layers above base hold.
func (o *overlay) since(base *overlay) map[*Term]*object {
	n := 0
	for l := o; l != nil && l != base; l = l.parent {
		n += len(l.own)
	}
	if n == 0 {
		return nil
	}
	out := make(map[*Term]*object, n)
	for l := o; l != nil && l != base; l = l.parent {
		for ref, obj := range l.own {
			if out[ref] == nil {
				out[ref] = obj
			}
		}
	}
	return out
}

// sortedRefs lists the references of a delta in order of creation.
func sortedRefs(m map[*Term]*object) []*Term {
	if len(m) == 0 {
		return nil
	}
	refs := make([]*Term, 0, len(m))
	for ref := range m {
		refs = append(refs, ref)
	}
	slices.SortFunc(refs, func(a, b *Term) int { return int(a.id - b.id) })
	return refs
}

// sharedLayer finds the uppermost layer that both overlays stand on.
func sharedLayer(a, b *overlay) *overlay {
	for a != b && a != nil && b != nil {
		deeper := a.depth - b.depth
		if deeper >= 0 {
			a = a.parent
		}
		if deeper <= 0 {
			b = b.parent
		}
	}
	if a != b {
		return nil
	}
	return a
}
