package golang

import (
	"go/ast"

	"github.com/retrysafe/retrysafe/analyzers/model"
)

// call lowers a call, or what looks like one: a conversion, a function of the language.
func (b *body) call(e *ast.CallExpr, kind model.OpKind) model.ID {
	fun := ast.Unparen(e.Fun)
	if kind == model.Call {
		if b.isType(fun) {
			return b.conversion(e, fun)
		}
		if name, ok := b.builtin(fun); ok {
			return b.builtinCall(e, name)
		}
		if v, ok := b.format(e, fun); ok {
			return v
		}
	}
	switch x := fun.(type) {
	case *ast.IndexExpr:
		if b.isInstance(x.X, x.Index) {
			fun = ast.Unparen(x.X)
		}
	case *ast.IndexListExpr:
		fun = ast.Unparen(x.X)
	}
	callee := b.expr(fun)
	args, parts, back := b.args(e)
	t := b.valueType(e)
	if t.kind == tupleKind {
		t = t.result(0)
	}
	v := b.op(model.Op{Kind: kind, Args: append([]model.ID{callee}, args...), Parts: parts, Type: t.ref(), Span: b.at(e)})
	for _, f := range back {
		f()
	}
	return v
}

// args gives the arguments of a call, and what is to be done after it.
func (b *body) args(e *ast.CallExpr) (args []model.ID, parts []model.Part, back []func()) {
	if len(e.Args) == 1 {
		if inner, ok := ast.Unparen(e.Args[0]).(*ast.CallExpr); ok {
			if t := b.valueType(inner); t.kind == tupleKind && len(t.results) > 1 {
				return b.tuple(inner, len(t.results)), nil, nil
			}
		}
	}
	for i, a := range e.Args {
		var v model.ID
		if u, ok := ast.Unparen(a).(*ast.UnaryExpr); ok && u.Op.String() == "&" {
			v = b.address(u.X, &back)
		} else {
			v = b.expr(a)
		}
		args = append(args, v)
		if e.Ellipsis.IsValid() && i == len(e.Args)-1 {
			parts = make([]model.Part, len(args))
			for j := range parts {
				parts[j].KeyID = model.None
			}
			parts[i].Spread = true
		}
	}
	return args, parts, back
}

// conversion is T(x).
func (b *body) conversion(e *ast.CallExpr, fun ast.Expr) model.ID {
	if len(e.Args) == 0 {
		return b.unknown(e, "conversion")
	}
	v := b.expr(e.Args[0])
	return b.emitTyped(e, model.Convert, "", b.typeOf(fun), v)
}

// builtinCall lowers the functions of the language itself.
func (b *body) builtinCall(e *ast.CallExpr, name string) model.ID {
	switch {
	case name == "recover":
		return b.unknown(e, "recover")
	case len(e.Args) == 0:
		return b.language(e, name, unknownType)
	}
	switch name {
	case "make":
		return b.made(e, b.typeOf(e.Args[0]))
	case "new":
		if !b.isType(e.Args[0]) {
			return b.boxed(e, b.expr(e.Args[0]))
		}
		t := b.typeOf(e.Args[0])
		v := b.zero(e, t, 0)
		if t.isObject() {
			return v
		}
		return b.boxed(e, v)
	case "panic":
		v := b.expr(e.Args[0])
		b.end(e, model.Throw, v)
		return v
	case "len", "cap":
		return b.emitTyped(e, model.Load, "length", intType, b.expr(e.Args[0]))
	case "append":
		op := model.Op{Kind: model.Array, Span: b.at(e), Type: b.valueType(e.Args[0]).ref()}
		for i, a := range e.Args {
			op.Args = append(op.Args, b.expr(a))
			spread := i == 0 || i == len(e.Args)-1 && e.Ellipsis.IsValid()
			op.Parts = append(op.Parts, model.Part{KeyID: model.None, Spread: spread})
		}
		return b.op(op)
	case "delete":
		object := b.expr(e.Args[0])
		if len(e.Args) < 2 {
			return object
		}
		if key, ok := b.constKey(e.Args[1]); ok {
			return b.emitNamed(e, model.Delete, key, object)
		}
		return b.emit(e, model.Delete, object, b.expr(e.Args[1]))
	}
	return b.language(e, name, b.valueType(e), b.exprs(e.Args)...)
}

// made is what make gives.
func (b *body) made(e *ast.CallExpr, t *typ) model.ID {
	b.exprs(e.Args[1:])
	switch t.underlying().kind {
	case mapKind:
		return b.emitTyped(e, model.Object, "", t, nil...)
	case sliceKind:
		return b.emitTyped(e, model.Array, "", t, nil...)
	case chanKind:
		return b.language(e, "channel", t)
	}
	return b.op(model.Op{Kind: model.Unknown, Name: "make", Type: t.ref(), Span: b.at(e)})
}
