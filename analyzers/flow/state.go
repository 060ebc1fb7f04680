package flow

import (
	"slices"

	"github.com/retrysafe/retrysafe/analyzers/model"
)

// fact is one thing that holds on a path: a decided condition, or a call that was made. Facts form a list that
// paths share up to where they part.
type fact struct {
	prev   *fact
	n      int32
	failed bool
	summed bool
	// weighed: it was asked whether the condition says that a value is not a certain constant; other is the answer
	weighed, other bool
	cond           Cond
	call           *Call
	sums           factSums // of the facts up to this one, once they were asked for: summed
}

// factSums stand for the sets of facts up to one of them that keep paths apart: equal sets have equal sums.
type factSums struct {
	all   uint64 // facts of interest: calls that matter and conditions about them
	calls uint64 // calls that matter
	// calls that matter, and conditions about what was found in a record
	records uint64
	asked   uint64 // those conditions alone
	seen    uint64 // a Bloom filter over the facts of interest
}

func (f *fact) length() int32 {
	if f == nil {
		return 0
	}
	return f.n
}

// list gives the facts oldest first.
func (f *fact) list() []*fact {
	out := make([]*fact, f.length())
	for x := f; x != nil; x = x.prev {
		out[x.n-1] = x
	}
	return out
}

func pushFact(prev *fact, x fact) *fact {
	x.prev, x.summed = prev, false
	x.n = prev.length() + 1
	return &x
}

// again reports whether a walk has come to an equal fact before, and notes that it has now.
func (f *fact) again(walk int64) bool {
	at := f.mark()
	if at == nil {
		return false
	}
	before := *at
	*at = walk
	return before == walk
}

// met reports whether a walk has come to an equal fact.
func (f *fact) met(walk int64) bool {
	at := f.mark()
	return at != nil && *at == walk
}

// mark is where walks note that they came to a fact or one that says the same.
func (f *fact) mark() *int64 {
	switch {
	case f.call != nil:
		return &f.call.told[word(f.failed)]
	case f.cond.Term != nil:
		return &f.cond.Term.told[word(f.cond.True)]
	}
	return nil
}

func word(b bool) int {
	if b {
		return 1
	}
	return 0
}

// hash mixes the fact's identity, by numbers that are the same on every run.
func (f *fact) hash() uint64 {
	var h uint64
	if f.call != nil {
		h = uint64(f.call.seq)<<2 | 1
	} else {
		h = uint64(uint32(f.cond.Term.id)) << 2
	}
	if f.failed || f.cond.True {
		h |= 2
	}
	// the finaliser of splitmix64
	h += 0x9e3779b97f4a7c15
	h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>27) * 0x94d049bb133111eb
	return h ^ h>>31
}

// repeated reports whether an earlier fact of the path says the same.
func (f *fact) repeated() bool {
	for x := f.prev; x != nil; x = x.prev {
		if x.call == f.call && x.failed == f.failed && x.cond.Term == f.cond.Term && x.cond.True == f.cond.True {
			return true
		}
	}
	return false
}

// meet gives the facts that hold on both paths, in the order of a.
func (e *engine) meet(a, b *fact) *fact {
	if a == b {
		return a
	}
	common := sharedTail(a, b)
	if a == common || b == common {
		return common
	}
	e.walks++
	for x := b; x != common; x = x.prev {
		x.again(e.walks)
	}
	var keep []*fact
	for x := a; x != common; x = x.prev {
		if x.met(e.walks) {
			keep = append(keep, x)
		}
	}
	out := common
	for i := len(keep) - 1; i >= 0; i-- {
		out = pushFact(out, *keep[i])
	}
	for _, l := range e.jointLimits(a, b, common) {
		if cond := (Cond{Term: e.oneOf(l), True: true, Span: l.at}); !out.says(cond) {
			out = pushFact(out, fact{cond: cond})
		}
	}
	return out
}

func sharedTail(a, b *fact) *fact {
	for a != b {
		switch {
		case a.length() > b.length():
			a = a.prev
		case b.length() > a.length():
			b = b.prev
		default:
			a, b = a.prev, b.prev
		}
	}
	return a
}

// holds finds whether a condition, or its opposite, was decided on the path.
func (f *fact) holds(t *Term) (yes, decided bool) {
	opposite := ""
	if t.Kind == TOp && len(t.Args) == 2 {
		switch t.Name {
		case "==":
			opposite = "!="
		case "!=":
			opposite = "=="
		}
	}
	for x, i := f, 0; x != nil && i < 256; x, i = x.prev, i+1 {
		c := x.cond.Term
		if c == t {
			return x.cond.True, true
		}
		if opposite != "" && c != nil && c.Kind == TOp && c.Name == opposite && c.Args[0] == t.Args[0] && c.Args[1] == t.Args[1] {
			return !x.cond.True, true
		}
	}
	return false, false
}

// says reports whether a condition was decided on the path in this way.
func (f *fact) says(c Cond) bool {
	yes, decided := f.holds(c.Term)
	return decided && yes == c.True
}

// state is what is known at a point of one path through a function.
type state struct {
	env    values
	heap   *overlay
	facts  *fact
	visits entries[model.BlockID, int] // how often it came to the heads of the loops that it is in
	cur    entries[model.ID, element]  // the current elements of the sequences that it walks
	caught *Term
	came   model.BlockID // the block that control comes from, NoBlock at the start and after joins
	// the calls that are made when the function ends, the last one first; a list is never written in place
	deferred []model.ID
}

type element struct {
	key, value *Term
	next       int
	made       int // registrations before the first round
}

func (s *state) fork(base *overlay) *state {
	n := &state{env: s.env.fork(), facts: s.facts, caught: s.caught, came: s.came, deferred: s.deferred,
		visits: slices.Clone(s.visits), cur: slices.Clone(s.cur)}
	old := s.heap
	s.heap = old.child(base)
	n.heap = old.child(base)
	return n
}

// entries is a map of few keys: what a path keeps of its loops is copied with each fork. It has no order of its own.
type entries[K comparable, V any] []entry[K, V]

type entry[K comparable, V any] struct {
	key K
	val V
}

func (m entries[K, V]) of(key K) (val V, ok bool) {
	for _, x := range m {
		if x.key == key {
			return x.val, true
		}
	}
	return val, false
}

func (m *entries[K, V]) set(key K, val V) {
	for i := range *m {
		if (*m)[i].key == key {
			(*m)[i].val = val
			return
		}
	}
	*m = append(*m, entry[K, V]{key, val})
}

func (m *entries[K, V]) drop(key K) {
	*m = slices.DeleteFunc(*m, func(x entry[K, V]) bool { return x.key == key })
}

// values are the values of a function's operations as one path knows them, in chunks that forked paths share until one writes.
type values struct {
	chunks []*chunk
	owner  *int // chunks of this owner may be written in place
}

const chunkSize = 32

type chunk struct {
	owner *int
	v     [chunkSize]*Term
}

func newValues(n int) values {
	return values{chunks: make([]*chunk, (n+chunkSize-1)/chunkSize), owner: new(int)}
}

func (e *values) get(id model.ID) *Term {
	if c := e.chunks[int(id)/chunkSize]; c != nil {
		return c.v[int(id)%chunkSize]
	}
	return nil
}

func (e *values) set(id model.ID, t *Term) {
	i := int(id) / chunkSize
	c := e.chunks[i]
	if c == nil {
		c = &chunk{owner: e.owner}
		e.chunks[i] = c
	} else if c.owner != e.owner {
		n := *c
		n.owner = e.owner
		c = &n
		e.chunks[i] = c
	}
	c.v[int(id)%chunkSize] = t
}

// fork gives a copy; from here on neither side writes the shared chunks in place.
func (e *values) fork() values {
	n := values{chunks: append([]*chunk(nil), e.chunks...), owner: new(int)}
	e.owner = new(int)
	return n
}
