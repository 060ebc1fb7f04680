package model

// Graph questions over the blocks of a function. They hold for broken functions
// too: an edge to a block that does not exist is no edge.

// Preds gives for each block the blocks that it is a successor of, one entry an
// edge: a block whose If goes to the same block both ways is listed twice. The
// order is by BlockID, then by position in Succs: the order of a Phi's arguments.
// Edges to handlers are not listed, see HandlerPreds.
func (f *Func) Preds() [][]BlockID {
	preds := make([][]BlockID, len(f.Blocks))
	for i := range f.Blocks {
		for _, s := range f.Blocks[i].Succs {
			if f.hasBlock(s) {
				preds[s] = append(preds[s], BlockID(i))
			}
		}
	}
	return preds
}

// HandlerPreds gives for each block the blocks whose exceptions it handles, by BlockID.
func (f *Func) HandlerPreds() [][]BlockID {
	preds := make([][]BlockID, len(f.Blocks))
	for i := range f.Blocks {
		if h := f.Blocks[i].Handler; f.hasBlock(h) {
			preds[h] = append(preds[h], BlockID(i))
		}
	}
	return preds
}

// ReversePostorder lists the blocks that can be reached from the entry, edges to
// handlers included, each before its successors except around loops. Of two ways that
// do not lead to each other, that of Succs[0] comes before that of Succs[1], and a handler last.
func (f *Func) ReversePostorder() []BlockID {
	order, _ := f.walk()
	return order
}

// LoopHeaders reports for each block whether it is the head of a loop: the target
// of an edge that goes back to a block under way in a depth-first walk. Every
// cycle, one through a handler included, holds at least one head, so a fixed
// point that widens at heads ends.
func (f *Func) LoopHeaders() []bool {
	_, heads := f.walk()
	return heads
}

// walk visits the reachable blocks depth first, without recursion because a
// generated function can have any depth.
func (f *Func) walk() (order []BlockID, heads []bool) {
	heads = make([]bool, len(f.Blocks))
	if len(f.Blocks) == 0 {
		return nil, heads
	}
	const (
		fresh = iota
		open
		done
	)
	type frame struct {
		block BlockID
		next  int // the next edge, counted down: Succs[next-1], and 0 is past the last
		calls bool
	}
	state := make([]uint8, len(f.Blocks))
	stack := []frame{{block: 0, next: len(f.Blocks[0].Succs)}}
	state[0] = open
	for len(stack) > 0 {
		top := &stack[len(stack)-1]
		b := &f.Blocks[top.block]
		to := NoBlock
		switch {
		case !top.calls:
			top.calls, to = true, b.Handler
		case top.next > 0:
			top.next--
			to = b.Succs[top.next]
		default:
			state[top.block] = done
			order = append(order, top.block)
			stack = stack[:len(stack)-1]
			continue
		}
		if !f.hasBlock(to) {
			continue
		}
		switch state[to] {
		case fresh:
			state[to] = open
			stack = append(stack, frame{block: to, next: len(f.Blocks[to].Succs)})
		case open:
			heads[to] = true
		}
	}
	for i, j := 0, len(order)-1; i < j; i, j = i+1, j-1 {
		order[i], order[j] = order[j], order[i]
	}
	return order, heads
}

// Dominators gives for each block its immediate dominator: the nearest other
// block whose operations have all been executed on every path from the entry to it.
// An exception leaves a block before any of its operations counts as executed, so a
// block does not dominate its own handler by that edge. NoBlock stands where there
// is none: for the entry, for blocks that cannot be reached, and for the handler of the entry.
func (f *Func) Dominators() []BlockID {
	t := f.dominance()
	idom := make([]BlockID, len(f.Blocks))
	for b := range idom {
		idom[b] = NoBlock
		n := int32(2 * b)
		if t.idom[n] < 0 {
			continue
		}
		for n != t.idom[n] {
			n = t.idom[n]
			if n%2 == 1 {
				idom[b] = BlockID(n / 2)
				break
			}
		}
	}
	return idom
}

// Dominates reports whether a is b or one of its dominators, given the result of Func.Dominators.
func Dominates(idom []BlockID, a, b BlockID) bool {
	for b != NoBlock {
		if a == b {
			return true
		}
		b = idom[b]
	}
	return false
}

// domTree is a dominator tree over half blocks: 2b is the start of block b, 2b+1 its end.
// The edge to a handler leaves at the start, the edges to successors at the end.
type domTree struct {
	idom      []int32 // the root is its own; -1 for what cannot be reached
	pre, post []int32 // numbering of the tree: a dominates b if its interval holds b's
}

// startDominates reports whether every path to block b enters block a before or at b.
func (t *domTree) startDominates(a, b BlockID) bool { return t.dominates(int32(2*a), int32(2*b)) }

// endDominates reports whether every path to block b runs all of block a before it.
func (t *domTree) endDominates(a, b BlockID) bool { return t.dominates(int32(2*a+1), int32(2*b)) }

// reachable reports whether a path leads from the entry to block b.
func (t *domTree) reachable(b BlockID) bool { return t.idom[2*b] >= 0 }

func (t *domTree) dominates(a, b int32) bool {
	return t.idom[a] >= 0 && t.idom[b] >= 0 && t.pre[a] <= t.pre[b] && t.post[b] <= t.post[a]
}

// dominance computes the tree with the iterative algorithm of Cooper, Harvey and
// Kennedy, "A Simple, Fast Dominance Algorithm" (Rice University, 2001; revised 2006).
func (f *Func) dominance() *domTree {
	n := 2 * len(f.Blocks)
	t := &domTree{idom: make([]int32, n), pre: make([]int32, n), post: make([]int32, n)}
	for i := range t.idom {
		t.idom[i] = -1
	}
	if n == 0 {
		return t
	}
	order := f.ReversePostorder()
	// Positions in the order, doubled: a block's end follows its start.
	rank := make([]int32, n)
	for i, b := range order {
		rank[2*b], rank[2*b+1] = int32(2*i), int32(2*i+1)
	}
	preds, handled := f.Preds(), f.HandlerPreds()
	meet := func(a, b int32) int32 {
		for a != b {
			for rank[a] > rank[b] {
				a = t.idom[a]
			}
			for rank[b] > rank[a] {
				b = t.idom[b]
			}
		}
		return a
	}
	t.idom[0], t.idom[1] = 0, 0
	for changed := true; changed; {
		changed = false
		for _, b := range order[1:] {
			start, best := int32(2*b), int32(-1)
			add := func(p int32) {
				switch {
				case t.idom[p] < 0:
				case best < 0:
					best = p
				default:
					best = meet(best, p)
				}
			}
			for _, p := range preds[b] {
				add(int32(2*p + 1))
			}
			for _, p := range handled[b] {
				add(int32(2 * p))
			}
			if t.idom[start] != best {
				t.idom[start], t.idom[start+1] = best, start
				changed = true
			}
		}
	}
	t.number(order)
	return t
}

// number gives every node of the tree its interval. A node's dominator precedes it in the
// order, so sizes add up from the back and positions follow from the front.
func (t *domTree) number(order []BlockID) {
	size := make([]int32, len(t.idom))
	for i := len(order) - 1; i >= 0; i-- {
		for _, n := range [2]int32{int32(2*order[i] + 1), int32(2 * order[i])} {
			size[n]++
			if p := t.idom[n]; p != n {
				size[p] += size[n]
			}
		}
	}
	next := make([]int32, len(t.idom)) // the first free position below a node
	for _, b := range order {
		for _, n := range [2]int32{int32(2 * b), int32(2*b + 1)} {
			if p := t.idom[n]; p != n {
				t.pre[n] = next[p]
				next[p] += size[n]
			}
			next[n] = t.pre[n] + 1
			t.post[n] = t.pre[n] + size[n]
		}
	}
}

func (f *Func) hasBlock(b BlockID) bool { return b >= 0 && int(b) < len(f.Blocks) }
