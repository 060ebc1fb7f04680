package flow

import (
	"slices"

	"github.com/retrysafe/retrysafe/analyzers/model"
)

// additions lists the calls that add to a hasher or builder, in order: those along the chain that gives it, and those of statements of their own.
//
// A hasher that is made and used in one chain is the same value wherever the helper around it is called from; then the chain alone says what was added. One to which
// statements add is another value in each activation.
func (e *engine) additions(t *Term) []*Call {
	var chain []*Term
	for i := 0; t != nil && i < 24; i++ {
		if t.Kind == TUnion && len(t.Args) > 0 || t.Kind == TCast {
			t = t.Args[0]
			continue
		}
		chain = append(chain, t)
		if t.Kind != TCall {
			break
		}
		t = t.Args[0]
	}
	var out []*Call
	for i := len(chain) - 1; i >= 0; i-- {
		if i > 0 && chain[i].ctx == 0 && chain[i].Kind == TCall {
			if next := e.calls[chain[i-1]]; next != nil && next.OriginRow != nil && next.OriginRow.Origin.Update {
				out = append(out, next)
				continue
			}
		}
		for _, c := range e.updates[chain[i]] {
			if !slices.Contains(out, c) {
				out = append(out, c)
			}
		}
	}
	return out
}

// chains reports whether what an operation gives is used once, as the object of a method call: `createHmac(…).update(…)`.
func (f *Function) chains(id model.ID) bool {
	uses := 0
	for i := range f.Ops {
		op := &f.Ops[i]
		for j, arg := range op.Args {
			if arg != id {
				continue
			}
			uses++
			if uses > 1 || op.Kind != model.Load || j > 0 {
				return false
			}
		}
	}
	return uses == 1
}
