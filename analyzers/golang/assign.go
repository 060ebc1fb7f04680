package golang

import (
	"go/ast"
	"go/token"
	"strings"

	"github.com/retrysafe/retrysafe/analyzers/model"
)

// assign lowers =, := and the operators with =.
func (b *body) assign(s *ast.AssignStmt) {
	if s.Tok != token.DEFINE && s.Tok != token.ASSIGN {
		if len(s.Lhs) == 1 && len(s.Rhs) == 1 {
			b.update(s, s.Lhs[0], strings.TrimSuffix(s.Tok.String(), "="), func() model.ID { return b.expr(s.Rhs[0]) })
		}
		return
	}
	var values []model.ID
	types := make([]*typ, len(s.Lhs))
	if len(s.Rhs) == 1 && len(s.Lhs) > 1 {
		values = b.tuple(s.Rhs[0], len(s.Lhs))
		t := b.tupleType(s.Rhs[0])
		for i := range types {
			types[i] = t.result(i)
		}
	} else {
		values = b.exprs(s.Rhs)
		for i := range types {
			types[i] = unknownType
			if i < len(s.Rhs) {
				types[i] = b.valueType(s.Rhs[i])
			}
		}
	}
	for i, e := range s.Lhs {
		if i >= len(values) {
			return
		}
		if id, ok := e.(*ast.Ident); ok && s.Tok == token.DEFINE {
			if l := b.locals[id]; l != nil && l.decl == id {
				b.declare(id, values[i], types[i].or(func() *typ { return b.checkerType(id) }))
				continue
			}
		}
		b.store(e, values[i])
	}
}

// store writes a value to where an expression says.
func (b *body) store(e ast.Expr, v model.ID) {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		if e.Name == "_" {
			return
		}
		if l := b.locals[e]; l != nil {
			b.write(l, e, v)
			return
		}
		if o := b.object(e); o != nil && o.kind == varObject {
			b.storeGlobal(e, o, v)
			return
		}
		b.unknown(e, "assignment to "+e.Name, v)
	case *ast.SelectorExpr:
		if o, path, ok := b.qualified(e); ok {
			if o != nil && o.kind == varObject {
				b.storeGlobal(e, o, v)
				return
			}
			b.emitNamed(e, model.Store, e.Sel.Name, b.emitNamed(e.X, model.External, path), v)
			return
		}
		object := b.expr(e.X)
		for _, f := range b.valueType(e.X).member(e.Sel.Name).path {
			object = b.emitTyped(e, model.Load, f.name, f.typ, object)
		}
		b.emitNamed(e, model.Store, e.Sel.Name, object, v)
	case *ast.IndexExpr:
		object := b.expr(e.X)
		if key, ok := b.constKey(e.Index); ok {
			b.emitNamed(e, model.Store, key, object, v)
			return
		}
		b.emit(e, model.Store, object, v, b.expr(e.Index))
	case *ast.StarExpr:
		p := b.expr(e.X)
		if b.pointsToObject(e.X) {
			b.emit(e, model.Call, b.emitNamed(e, model.Load, "assign", b.emitNamed(e, model.External, "go")), p, v)
			return
		}
		b.emit(e, model.Store, p, v)
	default:
		b.unknown(e, "assignment", v)
	}
}

func (b *body) storeGlobal(n ast.Node, o *object, v model.ID) {
	b.op(model.Op{Kind: model.StoreGlobal, Name: b.unitName(o.pkg), Ref: int32(o.index), Args: []model.ID{v}, Span: b.at(n)})
}

// unitName is how the model refers to a package from this one.
func (b *body) unitName(k *pkg) string {
	if k == b.pkg {
		return ""
	}
	return k.Path
}

// update lowers `x op= value`.
func (b *body) update(n ast.Node, x ast.Expr, op string, value func() model.ID) {
	before := b.expr(x)
	v := value()
	if op == "+" && b.isText(x) {
		v = b.emit(n, model.Concat, before, v)
	} else {
		v = b.emitNamed(n, model.Binary, op, before, v)
	}
	b.store(x, v)
}

// tuple gives the n values of an expression that has several.
func (b *body) tuple(e ast.Expr, n int) []model.ID {
	values := make([]model.ID, n)
	switch e := ast.Unparen(e).(type) {
	case *ast.IndexExpr:
		object := b.expr(e.X)
		var v, key model.ID
		if name, ok := b.constKey(e.Index); ok {
			key = b.expr(e.Index)
			v = b.emitTyped(e, model.Load, name, b.valueType(e.X).element(), object)
		} else {
			key = b.expr(e.Index)
			v = b.emitTyped(e, model.Load, "", b.valueType(e.X).element(), object, key)
		}
		return b.pair(e, values, v, func() model.ID { return b.emitNamed(e, model.Compare, "in", key, object) })
	case *ast.TypeAssertExpr:
		x := b.expr(e.X)
		v := x
		if e.Type != nil {
			v = b.emitTyped(e, model.Convert, "", b.typeOf(e.Type), x)
		}
		return b.pair(e, values, v, func() model.ID { return b.emitNamed(e, model.Compare, "!=", x, b.null(e)) })
	case *ast.UnaryExpr:
		if e.Op == token.ARROW {
			v := b.expr(e)
			return b.pair(e, values, v, func() model.ID { return b.unknown(e, "ok", v) })
		}
	}
	call := b.expr(e)
	types := b.tupleType(e)
	for i := range values {
		values[i] = b.emitTyped(e, model.Load, resultName(i), types.result(i), call)
	}
	return values
}

// pair is a value with what says whether it is there.
func (b *body) pair(e ast.Expr, values []model.ID, v model.ID, ok func() model.ID) []model.ID {
	for i := range values {
		switch i {
		case 0:
			values[i] = v
		case 1:
			values[i] = ok()
		default:
			values[i] = b.unknown(e, "value")
		}
	}
	return values
}

// tupleType gives the types of an expression with several values.
func (b *body) tupleType(e ast.Expr) *typ {
	switch x := ast.Unparen(e).(type) {
	case *ast.IndexExpr, *ast.TypeAssertExpr, *ast.UnaryExpr:
		t := b.valueType(x)
		if t.kind == tupleKind {
			t = t.result(0)
		}
		return &typ{kind: tupleKind, results: []*typ{t, boolType}}
	}
	t := b.valueType(e)
	if t.kind != tupleKind {
		return unknownType
	}
	return t
}
