package model

import (
	"fmt"
	"slices"
)

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

func (v *funcValidator) fault(format string, args ...any) {
	d := &Defect{
		Unit: v.unit.Path, Func: v.f.Name, InFunc: true, Block: v.block, Op: v.op,
		Span: v.f.Span, What: fmt.Sprintf(format, args...),
	}
	if v.f.hasBlock(v.block) && v.f.Blocks[v.block].Span.IsValid() {
		d.Span = v.f.Blocks[v.block].Span
	}
	if v.hasOp(v.op) && v.f.Ops[v.op].Span.IsValid() {
		d.Span = v.f.Ops[v.op].Span
	}
	v.defects = append(v.defects, d)
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

// values checks that what an operation uses is there.
func (v *funcValidator) values(op *Op) {
	for i, a := range op.Args {
		switch {
		case v.hasOp(a):
		case a != None:
			v.fault("argument %d: v%d does not exist", i, a)
		case !mayOmit(op.Kind, i):
			v.fault("argument %d is absent", i)
		}
	}
	for i := range op.Parts {
		p := &op.Parts[i]
		v.span(p.Span, "part")
		switch {
		case op.Kind != Object && (p.KeyID != None || p.Key != "" || p.Getter):
			v.fault("part %d: only the properties of an object have keys (KeyID is None without one, which is %d)", i, None)
		case p.KeyID != None && !v.hasOp(p.KeyID):
			v.fault("part %d: key v%d does not exist", i, p.KeyID)
		case p.KeyID != None && p.Key != "":
			v.fault("part %d has a constant and a computed key", i)
		case p.Spread && (p.KeyID != None || p.Key != "" || p.Getter):
			v.fault("part %d is spread and has a key", i)
		}
	}
	v.span(op.Span, op.Kind.String())
	v.typeRef(op.Type, op.Span, 0)
}

// mayOmit reports whether argument i may be None.
func mayOmit(kind OpKind, i int) bool {
	switch kind {
	case Array, Yield:
		return true
	case Call, Spawn, Defer:
		return i > 0
	case Class:
		return i == 0
	}
	return false
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

// link checks what an operation refers to in other units.
func (v *funcValidator) link(op *Op, units map[string]*Unit) {
	n, what := 0, ""
	switch op.Kind {
	case FuncRef, LoadGlobal, StoreGlobal, Module:
		if op.Name == "" {
			return
		}
	default:
		return
	}
	u := units[op.Name]
	switch {
	case u == nil:
		v.fault("%q is no unit", op.Name)
		return
	case op.Kind == Module:
		return
	case op.Kind == FuncRef:
		n, what = len(u.Funcs), "function"
	default:
		n, what = len(u.Globals), "global"
	}
	if int(op.Ref) >= n {
		v.fault("%s %d of %q does not exist", what, op.Ref, op.Name)
		return
	}
	if op.Kind == FuncRef && u.Funcs[op.Ref] != nil && len(u.Funcs[op.Ref].FreeVars) > 0 {
		v.fault("function %d of %q captures variables", op.Ref, op.Name)
	}
}

// The operators that an operation can have; Binary takes any.
var (
	compareOps = []string{"==", "!=", "<", "<=", ">", ">=", "in", "instanceof"}
	unaryOps   = []string{"!", "-", "+", "~", "typeof", "void"}
)

// arity gives the least and the greatest number of arguments; -1 is any number.
func arity(kind OpKind) (least, most int) {
	switch kind {
	case Constant, Parameter, This, FreeVar, FuncRef, Module, External, Catch, Alloc, LoadGlobal:
		return 0, 0
	case StoreGlobal, Unary, Convert, Await, Yield, Element:
		return 1, 1
	case Load, Delete:
		return 1, 2
	case Binary, Compare, DecoratorCall:
		return 2, 2
	case Store:
		return 2, 3
	case Class, Call, Spawn, Defer:
		return 1, -1
	}
	return 0, -1
}

// shape checks what each kind of operation says about itself.
func (v *funcValidator) shape(op *Op) {
	if op.Kind == Invalid || int(op.Kind) >= len(opNames) {
		v.fault("%v is no operation", op.Kind)
		return
	}
	if least, most := arity(op.Kind); len(op.Args) < least || most >= 0 && len(op.Args) > most {
		v.fault("%v has %d arguments", op.Kind, len(op.Args))
		return
	}
	if (op.Const.Kind != NoConst) != (op.Kind == Constant) {
		v.fault("%v: a constant is exactly what const has", op.Kind)
	}
	if len(op.Parts) > 0 && len(op.Parts) != len(op.partsOf()) {
		v.fault("%v has %d parts for %d arguments", op.Kind, len(op.Parts), len(op.partsOf()))
	}
	if bad := op.Flags &^ flagsOf(op.Kind); bad != 0 {
		v.fault("%v has flags %v", op.Kind, bad)
	}
	v.name(op)
	v.ref(op)
	switch op.Kind {
	case This:
		if !v.f.This {
			v.fault("the function has no receiver of its own")
		}
	case Object:
		if len(op.Args) > 0 && len(op.Parts) == 0 {
			v.fault("an object needs a part for each argument")
		}
	case Constant:
		v.constant(op.Const)
	}
}

func (v *funcValidator) constant(c Const) {
	switch {
	case int(c.Kind) >= len(constNames):
		v.fault("%v is no constant", c.Kind)
	case c.Kind == Bool && c.Text != "true" && c.Text != "false":
		v.fault("%q is no truth value", c.Text)
	case (c.Kind == Null || c.Kind == Undefined) && c.Text != "":
		v.fault("%v has the text %q", c.Kind, c.Text)
	case (c.Kind == Number || c.Kind == BigInt || c.Kind == Regexp) && c.Text == "":
		v.fault("%v has no text", c.Kind)
	}
}

func flagsOf(kind OpKind) Flag {
	switch kind {
	case Call, Spawn, Defer:
		return New | Optional | Super | Tagged
	case Load:
		return Optional | SuperMember
	case Delete:
		return Optional
	}
	return 0
}

func (v *funcValidator) name(op *Op) {
	switch op.Kind {
	case Compare:
		if !slices.Contains(compareOps, op.Name) {
			v.fault("%q compares nothing", op.Name)
		}
	case Unary:
		if !slices.Contains(unaryOps, op.Name) {
			v.fault("%q is no operator of one value", op.Name)
		}
	case Element:
		if op.Name != "key" && op.Name != "value" {
			v.fault("an element is a key or a value, not %q", op.Name)
		}
	case Convert:
		if op.Name != "" && op.Name != "satisfies" {
			v.fault("%q is no conversion", op.Name)
		}
	case Unknown, Module, External, Binary:
		if op.Name == "" {
			v.fault("%v needs a name", op.Kind)
		}
	case Load, Delete:
		if op.Name != "" && len(op.Args) > 1 {
			v.fault("%v has a constant and a computed key", op.Kind)
		}
		if op.Kind == Delete && op.Name == "" && len(op.Args) < 2 {
			v.fault("delete needs a key")
		}
	case Store:
		if op.Name != "" && len(op.Args) > 2 {
			v.fault("store has a constant and a computed key")
		}
	case Alloc, FuncRef, LoadGlobal, StoreGlobal, DecoratorCall:
	default:
		if op.Name != "" {
			v.fault("%v has the name %q", op.Kind, op.Name)
		}
	}
}

func (v *funcValidator) ref(op *Op) {
	i, n, what := int(op.Ref), 1, ""
	switch op.Kind {
	case Parameter:
		n, what = len(v.f.Params), "parameter"
	case FreeVar:
		n, what = len(v.f.FreeVars), "free variable"
	case Closure:
		n, what = len(v.unit.Funcs), "function"
	case FuncRef:
		n, what = len(v.unit.Funcs), "function"
	case LoadGlobal, StoreGlobal:
		n, what = len(v.unit.Globals), "global"
	case Class:
		n, what = len(v.unit.Types), "type"
	case DecoratorCall:
		if i < 0 {
			v.fault("decorate: parameter %d does not exist", i-1)
		}
		return
	default:
		if i != 0 {
			v.fault("%v has the reference %d", op.Kind, i)
		}
		return
	}
	elsewhere := op.Name != "" && (op.Kind == FuncRef || op.Kind == LoadGlobal || op.Kind == StoreGlobal)
	if i < 0 || i >= n && !elsewhere {
		v.fault("%v: %s %d does not exist", op.Kind, what, i)
		return
	}
	if elsewhere {
		return
	}
	switch op.Kind {
	case FuncRef:
		if v.hasFunc(i) && len(v.unit.Funcs[i].FreeVars) > 0 {
			v.fault("function %q captures variables, so a closure binds it", v.unit.Funcs[i].Name)
		}
	case Closure:
		if v.hasFunc(i) && len(v.unit.Funcs[i].FreeVars) != len(op.Args) {
			v.fault("the closure binds %d values to the %d variables that %q captures",
				len(op.Args), len(v.unit.Funcs[i].FreeVars), v.unit.Funcs[i].Name)
		}
	case Class:
		v.classRef(op, v.unit.Types[i])
	}
}

func (v *funcValidator) classRef(op *Op, t *TypeDecl) {
	if t == nil {
		return
	}
	if t.Kind != ClassType {
		v.fault("type %q is no class", t.Name)
	}
	if methods := v.methods(t); len(methods) > 0 && len(methods[0].FreeVars) != len(op.Args)-1 {
		v.fault("the class binds %d values to the %d variables that the methods of %q capture",
			len(op.Args)-1, len(methods[0].FreeVars), t.Name)
	}
}
