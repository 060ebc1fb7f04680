package rules

import (
	"slices"

	"github.com/retrysafe/retrysafe/analyzers/flow"
	"github.com/retrysafe/retrysafe/analyzers/model"
)

// waitsOnWay reports whether a function waits on some way from one of its places to another. What it waits for on a way that ends before lets nobody in between.
func waitsOnWay(fn *flow.Function, from, to model.Span) bool {
	start, end := blockAt(fn, from), blockAt(fn, to)
	if start == model.NoBlock || end == model.NoBlock {
		return waits(fn, from, to)
	}
	onWay := between(fn, start, end)
	for b := range fn.Blocks {
		id := model.BlockID(b)
		for _, op := range fn.Blocks[b].Ops {
			at := &fn.Ops[op]
			if at.Kind != model.Await || id != start && id != end && !onWay[id] {
				continue
			}
			if id == start && at.Span.EndOffset <= from.EndOffset || id == end && at.Span.Offset >= to.Offset {
				continue // before the one place, or after the other
			}
			return true
		}
	}
	return false
}

// blockAt gives the block in which the operation at a place stands, NoBlock where none does.
func blockAt(fn *flow.Function, at model.Span) model.BlockID {
	for b := range fn.Blocks {
		if slices.ContainsFunc(fn.Blocks[b].Ops, func(id model.ID) bool { return fn.Ops[id].Span == at }) {
			return model.BlockID(b)
		}
	}
	return model.NoBlock
}

// between gives the blocks on the ways from one block to another, without these two.
func between(fn *flow.Function, from, to model.BlockID) map[model.BlockID]bool {
	after := spread(from, to, func(b model.BlockID) []model.BlockID { return fn.Blocks[b].Succs })
	preds := fn.Preds()
	before := spread(to, from, func(b model.BlockID) []model.BlockID { return preds[b] })
	out := map[model.BlockID]bool{}
	for b := range after {
		if before[b] {
			out[b] = true
		}
	}
	return out
}

// spread gives the blocks that are reached from a block, without passing another.
func spread(from, without model.BlockID, next func(model.BlockID) []model.BlockID) map[model.BlockID]bool {
	seen := map[model.BlockID]bool{}
	work := slices.Clone(next(from))
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if b == without || b == from || seen[b] {
			continue
		}
		seen[b] = true
		work = append(work, next(b)...)
	}
	return seen
}
