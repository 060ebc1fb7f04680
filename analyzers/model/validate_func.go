package model

// funcValidator checks one function; block and op say where it is.
type funcValidator struct {
	*validator
	f     *Func
	block BlockID
	op    ID

	preds, handled [][]BlockID
	home           []BlockID // the block of each operation, or NoBlock
	rank           []int     // and its position there
	dom            *domTree
}

func (v *funcValidator) fault(format string, args ...any) { v.validator.fault(Span{}, format, args...) }

// place gives the span of the operation, the end of the block or the function, the nearest that is known.
func (v *funcValidator) place() Span {
	if v.hasOp(v.op) && v.f.Ops[v.op].Span.IsValid() {
		return v.f.Ops[v.op].Span
	}
	if v.f.hasBlock(v.block) && v.f.Blocks[v.block].Span.IsValid() {
		return v.f.Blocks[v.block].Span
	}
	return v.f.Span
}

func (v *funcValidator) hasOp(id ID) bool { return id >= 0 && int(id) < len(v.f.Ops) }

func (v *funcValidator) check() {
	v.declaration()
	before := len(v.defects)
	v.graph()
	v.placement()
	for id := range v.f.Ops {
		v.at(ID(id))
		v.shape(&v.f.Ops[id])
		v.values(&v.f.Ops[id])
	}
	v.block, v.op = NoBlock, None
	if len(v.defects) > before {
		return // order means nothing while edges and values do not hold
	}
	v.dom = v.f.dominance()
	v.order()
}

func (v *funcValidator) at(id ID) { v.op, v.block = id, v.home[id] }

func (v *funcValidator) declaration() {
	f := v.f
	v.span(f.Span, "func "+f.Name)
	v.typeRef(f.Result, f.Span, 0)
	for i := range f.Params {
		p := &f.Params[i]
		v.span(p.Span, "parameter "+p.Name)
		v.typeRef(p.Type, f.Span, 0)
		if p.Rest && i < len(f.Params)-1 {
			v.fault("parameter %q collects the rest, but is not the last", p.Name)
		}
	}
	if f.Outer != 0 && !v.hasFunc(f.Outer-1) {
		v.fault("outer function %d does not exist", f.Outer-1)
	}
	if f.Type < 0 || f.Type > len(v.unit.Types) {
		v.fault("type %d does not exist", f.Type-1)
	}
}

// succCount gives how many successors each end of a block has.
var succCount = [...]int{Jump: 1, If: 2, Return: 0, Throw: 0, Range: 2, Unreachable: 0}

func (v *funcValidator) graph() {
	f := v.f
	if len(f.Blocks) == 0 {
		v.fault("no blocks")
		return
	}
	v.preds, v.handled = f.Preds(), f.HandlerPreds()
	for i := range f.Blocks {
		v.block = BlockID(i)
		b := &f.Blocks[i]
		v.span(b.Span, "end of block")
		switch {
		case b.Term == 0 || int(b.Term) >= len(succCount):
			v.fault("the block has no end")
		case len(b.Succs) != succCount[b.Term]:
			v.fault("%v has %d successors, not %d", b.Term, len(b.Succs), succCount[b.Term])
		}
		for _, s := range b.Succs {
			if !f.hasBlock(s) {
				v.fault("successor b%d does not exist", s)
			}
		}
		switch {
		case b.Handler == BlockID(i):
			v.fault("the block handles its own exceptions")
		case b.Handler != NoBlock && !f.hasBlock(b.Handler):
			v.fault("handler b%d does not exist", b.Handler)
		}
		switch b.Term {
		case If, Throw, Range:
			if b.Value == None {
				v.fault("%v needs a value", b.Term)
			}
		case Jump, Unreachable:
			if b.Value != None {
				v.fault("%v has no value, yet v%d is given (None is %d)", b.Term, b.Value, None)
			}
		}
		if b.Value != None && !v.hasOp(b.Value) {
			v.fault("%v: v%d does not exist", b.Term, b.Value)
		}
		if b.Term == Range && len(b.Succs) == 2 && b.Succs[0] == b.Succs[1] {
			v.fault("the body of the range is what follows it")
		}
	}
	v.block = 0
	if len(v.preds[0]) > 0 || len(v.handled[0]) > 0 {
		v.fault("the entry has predecessors or handles exceptions")
	}
	v.block = NoBlock
}

// placement finds the block of every operation, and checks what comes first in a block.
func (v *funcValidator) placement() {
	f := v.f
	v.home, v.rank = make([]BlockID, len(f.Ops)), make([]int, len(f.Ops))
	for i := range v.home {
		v.home[i] = NoBlock
	}
	for i := range f.Blocks {
		phis := true
		for j, id := range f.Blocks[i].Ops {
			v.block, v.op = BlockID(i), id
			if !v.hasOp(id) {
				v.fault("the operation does not exist")
				continue
			}
			if v.home[id] != NoBlock {
				v.fault("the operation is in b%d too", v.home[id])
				continue
			}
			v.home[id], v.rank[id] = BlockID(i), j
			switch f.Ops[id].Kind {
			case Phi:
				if !phis {
					v.fault("a phi follows another operation")
				}
				v.phi(&f.Ops[id])
			case Catch:
				if j > 0 || len(v.handled[i]) == 0 || len(v.preds[i]) > 0 {
					v.fault("a catch is the first operation of a block that only exceptions lead to")
				}
				phis = false
			default:
				phis = false
			}
		}
	}
	v.block = NoBlock
	for id, home := range v.home {
		if home == NoBlock {
			v.op = ID(id)
			v.fault("the operation is in no block")
		}
	}
	v.op = None
}

func (v *funcValidator) phi(op *Op) {
	switch {
	case len(v.handled[v.block]) > 0:
		v.fault("a handler has a phi")
	case len(op.Args) != len(v.preds[v.block]):
		v.fault("the phi has %d values for %d edges", len(op.Args), len(v.preds[v.block]))
	}
}

// order checks that values are defined before they are used.
func (v *funcValidator) order() {
	f := v.f
	for i := range f.Blocks {
		b := &f.Blocks[i]
		v.block = BlockID(i)
		if !v.dom.reachable(v.block) {
			continue
		}
		for j, id := range b.Ops {
			op := &f.Ops[id]
			v.op = id
			if op.Kind == Phi {
				for k, a := range op.Args {
					v.phiValue(v.preds[i][k], a)
				}
				continue
			}
			for _, a := range op.Args {
				v.defined(a, j)
			}
			for k := range op.Parts {
				v.defined(op.Parts[k].KeyID, j)
			}
			if op.Kind == Element {
				v.element(op)
			}
		}
		v.op = None
		v.defined(b.Value, len(b.Ops))
	}
	v.block, v.op = NoBlock, None
}

// defined checks that a value is there at a position of the current block.
func (v *funcValidator) defined(id ID, position int) {
	if id == None {
		return
	}
	if home := v.home[id]; home == v.block {
		if v.rank[id] >= position {
			v.fault("v%d is used before it is defined", id)
		}
	} else if !v.dom.endDominates(home, v.block) {
		v.fault("v%d of b%d is not defined on every path", id, home)
	}
}

// phiValue checks that a value is there at the end of the predecessor that it comes from.
func (v *funcValidator) phiValue(from BlockID, id ID) {
	home := v.home[id]
	if v.dom.reachable(from) && home != from && !v.dom.endDominates(home, from) {
		v.fault("v%d of b%d is not defined at the end of b%d", id, home, from)
	}
}

// element checks that the operation lies in the body of a range over the same value.
func (v *funcValidator) element(op *Op) {
	for i := range v.f.Blocks {
		b := &v.f.Blocks[i]
		if b.Term == Range && b.Value == op.Args[0] && v.dom.startDominates(b.Succs[0], v.block) {
			return
		}
	}
	v.fault("no range over v%d is around the element", op.Args[0])
}
