package flow

import (
	"slices"

	"github.com/retrysafe/retrysafe/analyzers/model"
)

// A function may be handed to the call whose result it uses: `const socket = connect(port, () => socket.write(text))`. It runs once the variable holds the
// result, although the assignment stands after the call.

// holdResult lets a path on which such a function runs see the result of the call in the variable that is given it, if it uses that.
func (e *engine) holdResult(c *callSite, st *state, fn, result *Term) {
	if c.inner || c.id < 0 || len(fn.Args) == 0 {
		return
	}
	for _, cell := range c.a.fn.heldBy(c.id) {
		if target := e.value(st, cell); target.Kind == TRef && slices.Contains(fn.Args, target) && e.loadCell(st, target).IsNullish() {
			e.store(c.a, st, target, "", result)
		}
	}
}

// heldBy lists the variables to which the result of an operation is assigned.
func (f *Function) heldBy(id model.ID) []model.ID {
	var out []model.ID
	for i := int(id) + 1; i < len(f.Ops); i++ {
		op := &f.Ops[i]
		if op.Kind == model.Store && op.Name == "" && len(op.Args) == 2 && op.Args[1] == id && op.Args[0] >= 0 && f.Ops[op.Args[0]].Kind == model.Alloc {
			out = append(out, op.Args[0])
		}
	}
	return out
}
