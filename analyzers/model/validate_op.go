package model

import "slices"

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
	compareOps = []string{"==", "!=", "===", "!==", "<", "<=", ">", ">=", "in", "instanceof"}
	unaryOps   = []string{"!", "-", "+", "~", "typeof", "void"}
)

// arity gives the least and the greatest number of arguments; -1 is any number.
func arity(kind OpKind) (least, most int) {
	switch kind {
	case FuncRef:
		return 0, 1
	case Constant, Parameter, This, FreeVar, Module, External, Catch, Alloc, LoadGlobal:
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
	case Alloc, FuncRef, LoadGlobal, StoreGlobal, DecoratorCall, This:
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
