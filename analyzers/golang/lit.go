package golang

import (
	"go/ast"
	"strconv"

	"github.com/retrysafe/retrysafe/analyzers/model"
)

// typeOfLit is the type of a composite literal.
func (b *body) typeOfLit(e *ast.CompositeLit) *typ {
	if e.Type != nil {
		return b.typeOf(e.Type)
	}
	return b.checkerType(e)
}

// composite lowers a composite literal; hint is the type that it leaves out.
func (b *body) composite(e *ast.CompositeLit, hint *typ) model.ID {
	t := b.typeOfLit(e).or(func() *typ { return hint })
	if t.kind == pointerKind {
		t = t.elem
	}
	u := t.underlying()
	switch {
	case u.kind == sliceKind:
		return b.arrayLit(e, t, u.elem)
	case u.kind == mapKind:
		return b.mapLit(e, t, u)
	case u.kind == unknownKind && !fieldsOnly(e):
		return b.mapLit(e, t, &typ{kind: mapKind, key: unknownType, elem: unknownType})
	}
	return b.structLit(e, t, u)
}

// fieldsOnly reports whether a literal of a type that is not known can be a struct: its keys are names, or it has none.
func fieldsOnly(e *ast.CompositeLit) bool {
	for _, x := range e.Elts {
		if kv, ok := x.(*ast.KeyValueExpr); ok {
			if _, name := kv.Key.(*ast.Ident); !name {
				return false
			}
		}
	}
	return true
}

// element is a value in a literal, which may leave its type out.
func (b *body) element(e ast.Expr, t *typ) model.ID {
	if lit, ok := e.(*ast.CompositeLit); ok && lit.Type == nil {
		return b.composite(lit, t)
	}
	return b.expr(e)
}

func (b *body) arrayLit(e *ast.CompositeLit, t, elem *typ) model.ID {
	op := model.Op{Kind: model.Array, Type: t.ref(), Span: b.at(e)}
	for _, x := range e.Elts {
		if kv, ok := x.(*ast.KeyValueExpr); ok {
			at := -1
			if key, ok := b.constKey(kv.Key); ok {
				at, _ = strconv.Atoi(key)
			}
			v := b.element(kv.Value, elem)
			for at > len(op.Args) && at < maxZero {
				op.Args = append(op.Args, model.None)
			}
			op.Args = append(op.Args, v)
			continue
		}
		op.Args = append(op.Args, b.element(x, elem))
	}
	return b.op(op)
}

func (b *body) mapLit(e *ast.CompositeLit, t, u *typ) model.ID {
	op := model.Op{Kind: model.Object, Type: t.ref(), Span: b.at(e)}
	if t.kind == namedKind {
		op.Type = u.ref()
	}
	for i, x := range e.Elts {
		part := model.Part{KeyID: model.None, Span: b.at(x)}
		kv, ok := x.(*ast.KeyValueExpr)
		if !ok {
			part.Key = strconv.Itoa(i)
			op.Args = append(op.Args, b.element(x, u.elem))
			op.Parts = append(op.Parts, part)
			continue
		}
		if key, ok := b.constKey(kv.Key); ok {
			part.Key = key
		} else {
			part.KeyID = b.element(kv.Key, u.key)
		}
		op.Args = append(op.Args, b.element(kv.Value, u.elem))
		op.Parts = append(op.Parts, part)
	}
	return b.op(op)
}

func (b *body) structLit(e *ast.CompositeLit, t, u *typ) model.ID {
	op := model.Op{Kind: model.Object, Type: t.ref(), Span: b.at(e)}
	given := map[string]bool{}
	fieldType := func(name string) *typ {
		for i := range u.fields {
			if u.fields[i].name == name {
				return u.fields[i].typ
			}
		}
		return unknownType
	}
	for i, x := range e.Elts {
		name, value := strconv.Itoa(i), x
		if kv, ok := x.(*ast.KeyValueExpr); ok {
			value = kv.Value
			if id, ok := kv.Key.(*ast.Ident); ok {
				name = id.Name
			}
		} else if i < len(u.fields) {
			name = u.fields[i].name
		}
		given[name] = true
		op.Args = append(op.Args, b.element(value, fieldType(name)))
		op.Parts = append(op.Parts, model.Part{Key: name, KeyID: model.None, Span: b.at(x)})
	}
	b.missing(e, &op, t, u, given, 0)
	return b.op(op)
}

// missing adds the zero values that a struct of the program has where a literal says nothing.
func (b *body) missing(n ast.Node, op *model.Op, t, u *typ, given map[string]bool, depth int) {
	if t.kind == externalKind || u.kind != structKind || len(u.fields) > maxZero {
		return
	}
	for i := range u.fields {
		f := &u.fields[i]
		if given[f.name] || f.name == "_" || f.name == "" {
			continue
		}
		fu := f.typ.underlying()
		if fu.kind != basicKind && !f.typ.isObject() || f.typ == errorType || fu.name == "error" {
			continue
		}
		if f.typ.isObject() && depth >= maxZeroDepth {
			continue
		}
		given[f.name] = true
		op.Args = append(op.Args, b.zero(n, f.typ, depth+1))
		op.Parts = append(op.Parts, model.Part{Key: f.name, KeyID: model.None})
	}
}

// maxZeroDepth bounds how deep structs in structs are spelled out, in levels.
const maxZeroDepth = 3

// zero is the value of a variable that nothing was assigned to.
func (b *body) zero(n ast.Node, t *typ, depth int) model.ID {
	u := t.underlying()
	switch {
	case t.isObject():
		op := model.Op{Kind: model.Object, Type: t.ref(), Span: b.at(n)}
		b.missing(n, &op, t, u, map[string]bool{}, depth)
		return b.op(op)
	case u.kind == sliceKind:
		return b.emitTyped(n, model.Array, "", t)
	case u.kind == basicKind:
		switch u.name {
		case "string":
			return b.constant(n, model.String, "")
		case "bool":
			return b.constant(n, model.Bool, "false")
		case "error", "Pointer", "unsafe.Pointer":
			return b.null(n)
		}
		return b.constant(n, model.Number, "0")
	case u.kind == unknownKind:
		return b.op(model.Op{Kind: model.Unknown, Name: "zero value", Type: t.ref(), Span: b.at(n)})
	}
	return b.null(n)
}

// assigned is a value that a variable with a declared type begins with.
func (b *body) assigned(e, declared ast.Expr) model.ID {
	first := model.ID(len(b.fn.Ops))
	v := b.expr(e)
	if declared == nil || v < first {
		return v
	}
	op := &b.fn.Ops[v]
	if op.Type == nil {
		switch op.Kind {
		case model.Call, model.Load, model.Unknown, model.Array, model.Phi:
			op.Type = b.typeOf(declared).ref()
		}
	}
	return v
}
