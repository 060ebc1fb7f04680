package flow

import (
	"slices"

	"github.com/retrysafe/retrysafe/analyzers/model"
)

// Skip is a condition under which a verification is left out, and control goes on as if it had succeeded.
type Skip struct {
	Span model.Span
	Name string // what is absent then: a variable, field, parameter or header
	Fn   *Function
}

// Skips lists the conditions that leave out what a comparison verifies, for want of a value whose name is wanted.
func (c *Comparison) Skips(wanted func(name string) bool) []Skip {
	return skips(append(slices.Clip(c.Chain), Step{Span: c.Span, fn: c.Fn, op: c.op}), wanted)
}

// Skips lists the conditions that leave the call out, which verifies something, for want of a value whose name is wanted.
func (ev *Event) Skips(wanted func(name string) bool) []Skip { return skips(ev.Chain, wanted) }

// skips asks each function on the way to a verification.
func skips(way []Step, wanted func(name string) bool) []Skip {
	var out []Skip
	for i, s := range way {
		if s.fn == nil || s.op < 0 || int(s.op) >= len(s.fn.Ops) {
			continue
		}
		v := verification{fn: s.fn, op: s.op, inner: i > 0}
		out = append(out, v.skips(wanted)...)
	}
	return out
}

// verification is a call or comparison of a function that verifies something.
type verification struct {
	fn    *Function
	op    model.ID
	inner bool // another function of the program is told what the function gives
	// refuses says that the operation holds for what is refused, not for what passes
	refuses bool
	// errors asks for conditions under which it is left out because something could not be read: an error is there
	errors bool
}

func (v *verification) skips(wanted func(name string) bool) []Skip {
	at := v.blockOf()
	if at == model.NoBlock {
		return nil
	}
	passed, refused := v.decided()
	served := v.reach(passed, at) // where control comes after a success alone
	for b := range v.reach(refused, at) {
		delete(served, b)
	}
	var out []Skip
	for i := range v.fn.Blocks {
		b := &v.fn.Blocks[i]
		if b.Term != model.If || len(b.Succs) != 2 || b.Value < 0 {
			continue
		}
		of, present := presence(v.fn, b.Value)
		name := nameOf(v.fn, of, 0)
		if v.errors {
			if !isError(v.fn, of) {
				continue
			}
			present = !present
		} else if name == "" || !wanted(name) {
			continue
		}
		with, without := b.Succs[0], b.Succs[1]
		if !present {
			with, without = without, with
		}
		if with == without || without == at || !v.reach(with, model.NoBlock)[at] {
			continue
		}
		around := v.reach(without, model.NoBlock)
		if around[at] {
			continue
		}
		reached := false
		for b := range around {
			reached = reached || served[b]
		}
		if reached || v.inner && v.approves(without, refused) {
			span := v.fn.Ops[b.Value].Span
			if !span.IsValid() || b.Span.IsValid() && span.Line != b.Span.Line {
				span = b.Span // the value was read before
			}
			out = append(out, Skip{Span: span, Name: name, Fn: v.fn})
		}
	}
	return out
}

func (v *verification) blockOf() model.BlockID {
	for i := range v.fn.Blocks {
		if slices.Contains(v.fn.Blocks[i].Ops, v.op) {
			return model.BlockID(i)
		}
	}
	return model.NoBlock
}

// decided finds the branch that the outcome of the verification decides: where control goes when it succeeds, and when it does not. A value says
// yes, an error says no.
func (v *verification) decided() (passed, refused model.BlockID) {
	for i := range v.fn.Blocks {
		b := &v.fn.Blocks[i]
		if b.Term != model.If || len(b.Succs) != 2 || b.Value < 0 {
			continue
		}
		if yes, ok := v.says(b.Value, 0); ok {
			if yes {
				return b.Succs[0], b.Succs[1]
			}
			return b.Succs[1], b.Succs[0]
		}
	}
	return model.NoBlock, model.NoBlock
}

// says reports whether a value follows from the outcome of the verification, and whether it is true for a success.
func (v *verification) says(id model.ID, depth int) (yes, ok bool) {
	if id < 0 || depth > maxTermDepth {
		return false, false
	}
	op := &v.fn.Ops[id]
	if id == v.op {
		if v.refuses {
			return false, true
		}
		return op.Kind != model.Compare || op.Name == "==" || op.Name == "===", true
	}
	switch op.Kind {
	case model.Unary:
		if op.Name == "!" {
			yes, ok = v.says(op.Args[0], depth+1)
			return !yes, ok
		}
	case model.Await, model.Convert, model.Load:
		if len(op.Args) > 0 {
			return v.says(op.Args[0], depth+1)
		}
	case model.Compare:
		for i, arg := range op.Args[:min(2, len(op.Args))] {
			other := op.Args[1-i]
			if other < 0 || v.fn.Ops[other].Kind != model.Constant {
				continue
			}
			if yes, ok = v.says(arg, depth+1); ok {
				equal := op.Name == "==" || op.Name == "==="
				switch c := v.fn.Ops[other].Const; {
				case c.Kind == model.Null || c.Kind == model.Undefined:
					return equal, true // no error
				case c.Text == "0" || c.Text == "false":
					return yes != equal, true
				}
				return yes == equal, true
			}
		}
	}
	return false, false
}

// reach gives the blocks that control can get to from a block, which is one of them, without passing another.
func (v *verification) reach(from, without model.BlockID) map[model.BlockID]bool {
	seen := map[model.BlockID]bool{}
	if from == model.NoBlock {
		return seen
	}
	work := []model.BlockID{from}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[b] || b == without {
			continue
		}
		seen[b] = true
		work = append(work, v.fn.Blocks[b].Succs...)
	}
	return seen
}

// approves reports whether control ends from a block with an answer that says yes, or with none where a refusal throws.
func (v *verification) approves(from, refused model.BlockID) bool {
	for n := 0; n < maxTermDepth && from != model.NoBlock; n++ {
		b := &v.fn.Blocks[from]
		switch {
		case b.Term == model.Jump && len(b.Succs) == 1:
			from = b.Succs[0]
			continue
		case b.Term != model.Return:
			return false
		case b.Value < 0:
			return refused != model.NoBlock && v.fn.Blocks[refused].Term == model.Throw
		}
		op := &v.fn.Ops[b.Value]
		return op.Kind == model.Constant && (op.Const.Kind == model.Bool && op.Const.Text == "true" ||
			op.Const.Kind == model.Null && v.fn.Unit.Language == model.Go && refused != model.NoBlock && v.fn.Blocks[refused].Term == model.Return)
	}
	return false
}

// presence reads a condition as a question whether a value is there: which one, and whether the condition holds if it is.
func presence(fn *Function, id model.ID) (of model.ID, present bool) {
	op := &fn.Ops[id]
	switch op.Kind {
	case model.Unary:
		if op.Name == "!" && op.Args[0] >= 0 {
			of, present = presence(fn, op.Args[0])
			return of, !present
		}
	case model.Compare:
		for i, arg := range op.Args[:min(2, len(op.Args))] {
			other := op.Args[1-i]
			if other < 0 || fn.Ops[other].Kind != model.Constant {
				continue
			}
			switch c := fn.Ops[other].Const; {
			case c.Kind == model.Null, c.Kind == model.Undefined, c.Kind == model.String && c.Text == "":
				return arg, op.Name == "!=" || op.Name == "!=="
			case c.Kind == model.Number && c.Text == "0": // a length
				return arg, op.Name == ">" || op.Name == "!=" || op.Name == "!=="
			}
		}
		return model.None, false
	}
	return id, true
}

// isError reports whether a value is an error that a call has given.
func isError(fn *Function, id model.ID) bool {
	if id < 0 {
		return false
	}
	op := &fn.Ops[id]
	return op.Kind == model.Load && op.Type != nil && op.Type.Name == "error" && len(op.Args) > 0 && op.Args[0] >= 0 && fn.Ops[op.Args[0]].Kind == model.Call
}

// nameOf gives the name under which a function reads a value, "" where it has none.
func nameOf(fn *Function, id model.ID, depth int) string {
	if id < 0 || depth > maxTermDepth {
		return ""
	}
	op := &fn.Ops[id]
	switch op.Kind {
	case model.Load:
		if op.Name == "length" && len(op.Args) > 0 {
			return nameOf(fn, op.Args[0], depth+1)
		}
		return op.Name
	case model.LoadGlobal:
		if op.Name == "" && int(op.Ref) < len(fn.Unit.Globals) {
			return fn.Unit.Globals[op.Ref].Name
		}
		return op.Name
	case model.Parameter:
		if int(op.Ref) < len(fn.Params) {
			return fn.Params[op.Ref].Name
		}
	case model.FreeVar:
		if int(op.Ref) < len(fn.FreeVars) {
			return fn.FreeVars[op.Ref]
		}
	case model.Await, model.Convert:
		return nameOf(fn, op.Args[0], depth+1)
	case model.Phi:
		for _, arg := range op.Args {
			if name := nameOf(fn, arg, depth+1); name != "" {
				return name
			}
		}
	case model.Call:
		for _, arg := range op.Args[1:] {
			if arg >= 0 && fn.Ops[arg].Kind == model.Constant && fn.Ops[arg].Const.Kind == model.String {
				return fn.Ops[arg].Const.Text // a header, a variable of the environment
			}
		}
		for _, arg := range op.Args[1:] {
			if name := nameOf(fn, arg, depth+1); name != "" {
				return name // len(secret)
			}
		}
	}
	return ""
}
