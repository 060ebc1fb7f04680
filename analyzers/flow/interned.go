package flow

import "math/bits"

// interned is a table of values of which equal ones are one, found by their hash: open addressing with linear probing. It has no order, and its keys
// cost nothing beside the values.
type interned[T any] struct {
	slots []slot[T] // a power of two, never full
	used  int
}

type slot[T any] struct {
	hash  uint64
	value *T
}

func newInterned[T any]() interned[T] { return interned[T]{slots: make([]slot[T], 1024)} }

// first gives the slot at which a search for a hash begins, next the one after it. An empty slot ends the search.
func (t *interned[T]) first(hash uint64) int { return int(hash & uint64(len(t.slots)-1)) }

func (t *interned[T]) next(i int) int { return (i + 1) & (len(t.slots) - 1) }

// add puts a value in that is not there.
func (t *interned[T]) add(hash uint64, value *T) {
	if 3*t.used >= 2*len(t.slots) {
		old := t.slots
		t.slots = make([]slot[T], 2*len(old))
		for _, s := range old {
			if s.value != nil {
				t.put(s)
			}
		}
	}
	t.put(slot[T]{hash, value})
	t.used++
}

func (t *interned[T]) put(s slot[T]) {
	i := t.first(s.hash)
	for t.slots[i].value != nil {
		i = t.next(i)
	}
	t.slots[i] = s
}

// mix folds a number into a hash.
func mix(h, x uint64) uint64 {
	hi, lo := bits.Mul64(h^0x9e3779b97f4a7c15, x^0xd6e8feb86659fd93)
	return hi ^ lo
}
