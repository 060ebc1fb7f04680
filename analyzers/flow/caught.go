package flow

import (
	"slices"

	"github.com/retrysafe/retrysafe/analyzers/model"
)

// Caught reports whether the step is taken only after an exception was caught in the function in which it stands.
func (s Step) Caught() bool {
	if s.fn == nil {
		return false
	}
	block := s.fn.blockOfOp(s.op)
	return block != nil && !s.fn.plainly()[block]
}

// Tried reports whether the function in which the step stands catches what the step throws.
func (s Step) Tried() bool {
	if s.fn == nil {
		return false
	}
	block := s.fn.blockOfOp(s.op)
	return block != nil && block.Handler != model.NoBlock
}

// Handler is the place where the function in which the step stands catches what the step throws, invalid where it does not.
func (s Step) Handler() model.Span {
	if !s.Tried() {
		return model.Span{}
	}
	block := &s.fn.Blocks[s.fn.blockOfOp(s.op).Handler]
	for _, id := range block.Ops {
		if op := &s.fn.Ops[id]; op.Span.IsValid() {
			return op.Span
		}
	}
	return block.Span
}

// plainly gives the blocks of a function that are reached without an exception.
func (f *Function) plainly() map[*model.Block]bool {
	reached := map[*model.Block]bool{}
	if len(f.Blocks) == 0 {
		return reached
	}
	next := []*model.Block{&f.Blocks[0]}
	for len(next) > 0 {
		b := next[len(next)-1]
		next = next[:len(next)-1]
		if reached[b] {
			continue
		}
		reached[b] = true
		for _, s := range b.Succs {
			if s >= 0 && int(s) < len(f.Blocks) {
				next = append(next, &f.Blocks[s])
			}
		}
	}
	return reached
}

// ErrorMet reports whether a path goes on although the call gave an error that the path has looked at, and that is none of those by which the call says that
// there is nothing.
func (r *Result) ErrorMet(p Path, c *Call) bool {
	looked := slices.ContainsFunc(p.Before, func(b Before) bool { return b.Call == c && b.Failed })
	if !c.ReturnsError() || c.Result == nil || !looked && r.errorOutcome(p, c) != Hit {
		return false
	}
	for _, cond := range p.Conds {
		if !cond.Term.Contains(c.Result) {
			continue
		}
		t := cond.Term
		switch {
		case t.Kind == TCall && cond.True: // errors.Is(err, sentinel)
			return false
		case t.Kind == TOp && len(t.Args) == 2 && (t.Name == "==" || t.Name == "!=") && t.Args[0].Kind != TConst && t.Args[1].Kind != TConst && (t.Name == "==") == cond.True:
			return false
		}
	}
	return true
}
