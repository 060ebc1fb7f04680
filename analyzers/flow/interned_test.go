package flow

import "testing"

func TestInterned(t *testing.T) {
	table := newInterned[int]()
	const n = 5000
	values := make([]*int, n)
	for i := range values {
		values[i] = new(int)
		table.add(uint64(i%7), values[i]) // hashes collide, and the table grows
	}
	for i, want := range values {
		found := false
		for at := table.first(uint64(i % 7)); table.slots[at].value != nil; at = table.next(at) {
			found = found || table.slots[at].value == want
		}
		if !found {
			t.Fatalf("value %d is not found", i)
		}
	}
}

func TestTermsAreOne(t *testing.T) {
	ts := newTerms()
	one, two := ts.text("one"), ts.text("two")
	different := []Term{
		{Kind: TConcat, Args: []*Term{one, two}},
		{Kind: TConcat, Args: []*Term{two, one}},
		{Kind: TArray, Args: []*Term{one}},
		{Kind: TArray, Args: []*Term{one}, Keys: []string{"..."}},
		{Kind: TArray, Args: []*Term{one}, Keys: []string{}},
		{Kind: TMember, Name: "a", Args: []*Term{one}},
		{Kind: TMember, Sym: "a", Args: []*Term{one}},
		{Kind: TMember, Name: "a", Args: []*Term{one}, ctx: 1},
		{Kind: TClosure, This: one},
		{Kind: TClosure, Args: []*Term{nil}},
	}
	seen := map[*Term]int{}
	for round := range 2 {
		for i, x := range different {
			got := ts.intern(x)
			if at, known := seen[got]; known && at != i || !known && round > 0 {
				t.Errorf("term %d is one with %d, or not with itself", i, at)
			}
			seen[got] = i
		}
	}
	h := newHeap()
	a, b := h.intern(object{kind: arrayObject, elems: []*Term{one}}), h.intern(object{kind: arrayObject, elems: []*Term{one}, lacks: 1})
	if a == b || a != h.intern(object{kind: arrayObject, elems: []*Term{one}}) {
		t.Error("contents are not told apart by what may be missing, or are not one")
	}
}
