package golang

import "go/types"

// fromChecker reads a type that the type checker found. An invalid one is unknown.
func (p *Program) fromChecker(t types.Type) *typ { return p.fromCheckerAt(t, 0) }

// maxNesting bounds how deep types are read, in levels.
const maxNesting = 30

func (p *Program) fromCheckerAt(t types.Type, depth int) *typ {
	if t == nil || depth > maxNesting {
		return unknownType
	}
	in := func(t types.Type) *typ { return p.fromCheckerAt(t, depth+1) }
	switch t := types.Unalias(t).(type) {
	case *types.Basic:
		if t.Kind() == types.Invalid || t.Kind() == types.UntypedNil {
			return unknownType
		}
		return &typ{kind: basicKind, name: t.Name()}
	case *types.Named:
		o := t.Obj()
		if o.Pkg() == nil {
			return &typ{kind: basicKind, name: o.Name()}
		}
		if k := p.pkgs[o.Pkg().Path()]; k != nil {
			if d := k.names[o.Name()]; d != nil && d.kind == typeObject && o.Parent() == o.Pkg().Scope() {
				return &typ{kind: namedKind, decl: d}
			}
			return unknownType // local to a function: its syntax tells
		}
		if _, bad := t.Underlying().(*types.Basic); bad && t.Underlying() == types.Typ[types.Invalid] {
			return &typ{kind: externalKind, path: o.Pkg().Path(), name: o.Name()}
		}
		return &typ{kind: externalKind, path: o.Pkg().Path(), name: o.Name(), known: &checked{t, p}}
	case *types.Pointer:
		return &typ{kind: pointerKind, elem: in(t.Elem())}
	case *types.Slice:
		return &typ{kind: sliceKind, elem: in(t.Elem())}
	case *types.Array:
		return &typ{kind: sliceKind, elem: in(t.Elem())}
	case *types.Map:
		return &typ{kind: mapKind, key: in(t.Key()), elem: in(t.Elem())}
	case *types.Chan:
		return &typ{kind: chanKind, elem: in(t.Elem())}
	case *types.Signature:
		f := &typ{kind: funcKind, variadic: t.Variadic()}
		for v := range t.Params().Variables() {
			f.params = append(f.params, in(v.Type()))
		}
		for v := range t.Results().Variables() {
			f.results = append(f.results, in(v.Type()))
		}
		return f
	case *types.Tuple:
		f := &typ{kind: tupleKind}
		for v := range t.Variables() {
			f.results = append(f.results, in(v.Type()))
		}
		return f
	case *types.Struct:
		s := &typ{kind: structKind}
		for v := range t.Fields() {
			s.fields = append(s.fields, field{name: v.Name(), typ: in(v.Type()), embedded: v.Embedded()})
		}
		return s
	case *types.Interface:
		s := &typ{kind: interfaceKind}
		for m := range t.ExplicitMethods() {
			s.fields = append(s.fields, field{name: m.Name(), typ: in(m.Type())})
		}
		for e := range t.EmbeddedTypes() {
			if _, union := e.(*types.Union); !union {
				s.embeds = append(s.embeds, in(e))
			}
		}
		return s
	}
	return unknownType
}

// checked is a library's type together with the program that asks.
type checked struct {
	*types.Named
	program *Program
}

// madeOf is what the type checker knows a library's type to be made of.
func madeOf(t *typ) *typ { return t.known.program.fromChecker(t.known.Underlying()) }

// knownMember finds a field or method of a library's type. The embedded fields on the way are not spelled out, because its own
// promotion is a matter of the library.
func knownMember(t *typ, name string) (found, bool) {
	o, _, _ := types.LookupFieldOrMethod(t.known.Named, true, t.known.Obj().Pkg(), name)
	switch o := o.(type) {
	case *types.Var:
		return found{typ: t.known.program.fromChecker(o.Type()), value: true}, true
	case *types.Func:
		return found{typ: t.known.program.fromChecker(o.Type())}, true
	}
	return found{}, false
}
