package model_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/retrysafe/retrysafe/analyzers/model"
)

// graph parses one function from the ends of its blocks.
func graph(t *testing.T, blocks string) *model.Func {
	t.Helper()
	u, err := model.Parse("unit \"a\" go\nfunc f\n" + blocks)
	if err != nil {
		t.Fatal(err)
	}
	return u.Funcs[0]
}

const none = model.NoBlock

func TestGraph(t *testing.T) {
	type ids = []model.BlockID
	for _, tt := range []struct {
		name, blocks string
		order, idom  ids
		heads        ids
	}{
		{"no blocks", "", nil, nil, nil},
		{"one", "b0:\n return", ids{0}, ids{none}, nil},
		{"diamond", "b0:\n if v0 -> b1 b2\nb1:\n jump -> b3\nb2:\n jump -> b3\nb3:\n return",
			ids{0, 1, 2, 3}, ids{none, 0, 0, 0}, nil},
		{"loop", "b0:\n jump -> b1\nb1:\n range v0 -> b2 b3\nb2:\n jump -> b1\nb3:\n return",
			ids{0, 1, 2, 3}, ids{none, 0, 1, 1}, ids{1}},
		{"out of reach", "b0:\n return\nb1:\n jump -> b2\nb2:\n return",
			ids{0}, ids{none, none, none}, nil},
		{"both ways to one block", "b0:\n if v0 -> b1 b1\nb1:\n return",
			ids{0, 1}, ids{none, 0}, nil},
		// b1 may be left before anything in it has run: b0 is what dominates the handler.
		{"try", "b0:\n jump -> b1\nb1: handler b3\n jump -> b2\nb2:\n return\nb3:\n jump -> b2",
			ids{0, 1, 3, 2}, ids{none, 0, 0, 0}, nil},
		{"second block of a try", "b0:\n jump -> b1\nb1:\n jump -> b2\nb2: handler b3\n return\nb3:\n return",
			ids{0, 1, 2, 3}, ids{none, 0, 1, 1}, nil},
		{"two blocks of a try", "b0:\n jump -> b1\nb1: handler b3\n jump -> b2\nb2: handler b3\n return\nb3:\n return",
			ids{0, 1, 2, 3}, ids{none, 0, 1, 0}, nil},
		{"entry of a try", "b0: handler b1\n return\nb1:\n return",
			ids{0, 1}, ids{none, none}, nil},
		{"retry through a handler", "b0:\n jump -> b1\nb1: handler b2\n return\nb2:\n jump -> b1",
			ids{0, 1, 2}, ids{none, 0, 0}, ids{1}},
		// Neither b1 nor b2 dominates the other; one of them must be a head all the same.
		{"irreducible", "b0:\n if v0 -> b1 b2\nb1:\n jump -> b2\nb2:\n jump -> b1",
			ids{0, 2, 1}, ids{none, 0, 0}, ids{2}},
		{"loop in a loop", "b0:\n jump -> b1\nb1:\n if v0 -> b2 b5\nb2:\n if v0 -> b3 b4\nb3:\n jump -> b2\nb4:\n jump -> b1\nb5:\n return",
			ids{0, 1, 2, 3, 4, 5}, ids{none, 0, 1, 2, 2, 1}, ids{1, 2}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := graph(t, tt.blocks)
			if diff := cmp.Diff(tt.idom, f.Dominators()); diff != "" && len(tt.idom) > 0 {
				t.Errorf("Dominators (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.order, f.ReversePostorder()); diff != "" {
				t.Errorf("ReversePostorder (-want +got):\n%s", diff)
			}
			var heads ids
			for b, is := range f.LoopHeaders() {
				if is {
					heads = append(heads, model.BlockID(b))
				}
			}
			if diff := cmp.Diff(tt.heads, heads); diff != "" {
				t.Errorf("LoopHeaders (-want +got):\n%s", diff)
			}
		})
	}
}

func TestPreds(t *testing.T) {
	f := graph(t, "b0:\n if v0 -> b2 b2\nb1: handler b3\n jump -> b2\nb2: handler b3\n return\nb3:\n return")
	if diff := cmp.Diff([][]model.BlockID{nil, nil, {0, 0, 1}, nil}, f.Preds()); diff != "" {
		t.Errorf("Preds (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([][]model.BlockID{nil, nil, nil, {1, 2}}, f.HandlerPreds()); diff != "" {
		t.Errorf("HandlerPreds (-want +got):\n%s", diff)
	}
}

// TestDominatorsAgainstPaths compares with the definition: a dominates b if b
// cannot be reached any more once a cannot be finished.
func TestDominatorsAgainstPaths(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 3))
		n := 1 + r.IntN(9)
		f := &model.Func{}
		for range n {
			b := model.Block{Handler: model.NoBlock}
			for range r.IntN(3) {
				b.Succs = append(b.Succs, model.BlockID(r.IntN(n)))
			}
			if r.IntN(3) == 0 {
				b.Handler = model.BlockID(r.IntN(n))
			}
			f.Blocks = append(f.Blocks, b)
		}
		idom := f.Dominators()
		all := reach(f, model.NoBlock)
		for a := range model.BlockID(n) {
			without := reach(f, a)
			for b := range model.BlockID(n) {
				if !all[b] || !all[a] || a == b {
					continue
				}
				if want, got := !without[b], model.Dominates(idom, a, b); want != got {
					t.Fatalf("seed %d: b%d dominates b%d is %v, want %v\n%s", seed, a, b, got, want, blocks(f))
				}
			}
		}
		order := f.ReversePostorder()
		count := 0
		for _, is := range all {
			if is {
				count++
			}
		}
		if len(order) != count {
			t.Fatalf("seed %d: %d blocks in order, %d can be reached", seed, len(order), count)
		}
		cutCycles(t, f, fmt.Sprint("seed ", seed))
	}
}

// reach walks from the entry; block stop is entered, but never left other than to its handler.
func reach(f *model.Func, stop model.BlockID) []bool {
	seen := make([]bool, len(f.Blocks))
	work := []model.BlockID{0}
	seen[0] = true
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		next := []model.BlockID{f.Blocks[b].Handler}
		if b != stop {
			next = append(next, f.Blocks[b].Succs...)
		}
		for _, s := range next {
			if s != model.NoBlock && !seen[s] {
				seen[s] = true
				work = append(work, s)
			}
		}
	}
	return seen
}

// cutCycles checks that no cycle is left without the loop heads, by peeling off blocks that lead nowhere.
func cutCycles(t *testing.T, f *model.Func, name string) {
	t.Helper()
	heads := f.LoopHeaders()
	left := map[model.BlockID]bool{}
	for _, b := range f.ReversePostorder() {
		if !heads[b] {
			left[b] = true
		}
	}
	for again := true; again; {
		again = false
		for b := range left {
			leads := left[f.Blocks[b].Handler]
			for _, s := range f.Blocks[b].Succs {
				leads = leads || left[s]
			}
			if !leads {
				delete(left, b)
				again = true
			}
		}
	}
	if len(left) > 0 {
		t.Fatalf("%s: a cycle without a head through %v\n%s", name, left, blocks(f))
	}
}

func blocks(f *model.Func) string {
	return (&model.Unit{Path: "a", Funcs: []*model.Func{f}}).String()
}

func TestGraphOfDeepFunction(t *testing.T) {
	const n = 200_000
	f := &model.Func{Blocks: make([]model.Block, n)}
	for i := range f.Blocks {
		f.Blocks[i] = model.Block{Term: model.Jump, Value: model.None, Succs: []model.BlockID{model.BlockID(i + 1)}, Handler: model.NoBlock}
	}
	idom := f.Dominators()
	if idom[n-1] != n-2 || len(f.ReversePostorder()) != n {
		t.Errorf("the last block is dominated by b%d", idom[n-1])
	}
}
