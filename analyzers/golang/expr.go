package golang

import (
	"go/ast"
	"go/token"
	"go/types"
	"strconv"

	"github.com/retrysafe/retrysafe/analyzers/model"
)

func (b *body) exprs(list []ast.Expr) []model.ID {
	values := make([]model.ID, len(list))
	for i, e := range list {
		values[i] = b.expr(e)
	}
	return values
}

// resultName is the name under which one of several results is read.
func resultName(i int) string { return "#" + strconv.Itoa(i) }

// expr gives the value of an expression.
func (b *body) expr(e ast.Expr) model.ID {
	b.nesting++
	defer func() { b.nesting-- }()
	if b.nesting > maxDepth {
		b.remark(e, "nested too deeply", true)
		return b.unknown(e, "nested too deeply")
	}
	if c, ok := b.constantOf(e); ok {
		return b.op(model.Op{Kind: model.Constant, Const: c, Span: b.at(e)})
	}
	switch e := e.(type) {
	case *ast.ParenExpr:
		return b.expr(e.X)
	case *ast.Ident:
		return b.name(e)
	case *ast.BasicLit:
		return b.unknown(e, "literal")
	case *ast.FuncLit:
		return b.literal(e)
	case *ast.CompositeLit:
		return b.composite(e, unknownType)
	case *ast.SelectorExpr:
		return b.selector(e)
	case *ast.IndexExpr:
		return b.index(e)
	case *ast.IndexListExpr:
		return b.expr(e.X)
	case *ast.SliceExpr:
		return b.slice(e)
	case *ast.TypeAssertExpr:
		v := b.expr(e.X)
		if e.Type == nil {
			return v
		}
		return b.emitTyped(e, model.Convert, "", b.typeOf(e.Type), v)
	case *ast.CallExpr:
		return b.call(e, model.Call)
	case *ast.StarExpr:
		v := b.expr(e.X)
		if b.pointsToObject(e.X) {
			return v
		}
		return b.emitTyped(e, model.Load, "", b.valueType(e), v)
	case *ast.UnaryExpr:
		return b.unary(e)
	case *ast.BinaryExpr:
		return b.binary(e)
	case *ast.KeyValueExpr:
		return b.expr(e.Value)
	case *ast.BadExpr:
		b.broken(e)
		return model.ID(len(b.fn.Ops) - 1)
	case nil:
		return b.unknown(nil, "nothing")
	}
	return b.unknown(e, "type")
}

// effect evaluates an expression whose value is not used.
func (b *body) effect(e ast.Expr) { b.expr(e) }

// name gives the value of an identifier.
func (b *body) name(id *ast.Ident) model.ID {
	if l := b.locals[id]; l != nil {
		if l.kind == varLocal {
			return b.read(l, id)
		}
		if l.kind == constLocal && l.expr != nil && b.spelling < maxSpelling {
			return b.spell(id, l.expr, b.scope)
		}
		return b.unknown(id, "name "+id.Name)
	}
	if o := b.object(id); o != nil {
		return b.declared(id, o)
	}
	if id.Name == "nil" {
		return b.null(id)
	}
	if info := b.pkg.Info; info != nil {
		if o := info.Uses[id]; o != nil && o.Pkg() != nil && o.Pkg() != b.pkg.Types && o.Parent() == o.Pkg().Scope() {
			return b.emitTyped(id, model.Load, id.Name, b.valueType(id), b.emitNamed(id, model.External, o.Pkg().Path()))
		}
	}
	if len(b.file.dots) == 1 && ast.IsExported(id.Name) && types.Universe.Lookup(id.Name) == nil {
		return b.emitNamed(id, model.Load, id.Name, b.emitNamed(id, model.External, b.file.dots[0]))
	}
	if path, ok := b.imported(id); ok {
		return b.emitNamed(id, model.External, path)
	}
	return b.unknown(id, "name "+id.Name)
}

// declared gives the value of what a package of the program declares.
func (b *body) declared(n ast.Node, o *object) model.ID {
	switch o.kind {
	case varObject:
		return b.op(model.Op{Kind: model.LoadGlobal, Name: b.unitName(o.pkg), Ref: int32(o.index), Type: o.typ.ref(), Span: b.at(n)})
	case funcObject:
		return b.op(model.Op{Kind: model.FuncRef, Name: b.unitName(o.pkg), Ref: int32(o.fn.index), Span: b.at(n)})
	case constObject:
		if o.expr != nil && b.spelling < maxSpelling {
			return b.spell(n, o.expr, scope{file: o.file})
		}
	}
	return b.unknown(n, "name "+o.name)
}

// maxSpelling bounds how far constants are spelled out that are made of others, in levels.
const maxSpelling = 2

// spell lowers the expression of a constant that cannot be computed, such as a multiple of a library's constant, where it is used.
func (b *body) spell(n ast.Node, e ast.Expr, in scope) model.ID {
	outer, place := b.scope, b.place
	if place == nil {
		at := b.at(n)
		b.place = &at
	}
	b.scope = in
	b.spelling++
	v := b.expr(e)
	b.spelling--
	b.scope, b.place = outer, place
	return v
}

// selector gives the value of x.f: a name of another package, a field, or a method with its receiver.
func (b *body) selector(e *ast.SelectorExpr) model.ID {
	if o, path, ok := b.qualified(e); ok {
		if o != nil {
			return b.declared(e, o)
		}
		return b.emitTyped(e, model.Load, e.Sel.Name, b.valueType(e), b.emitNamed(e.X, model.External, path))
	}
	if b.isType(e.X) {
		return b.methodExpression(e)
	}
	got := b.valueType(e.X).member(e.Sel.Name)
	if got.fn == nil {
		object := b.walk(e, b.expr(e.X), got.path)
		t := b.checkerType(e).or(func() *typ { return got.typ })
		return b.emitTyped(e, model.Load, e.Sel.Name, t, object)
	}
	return b.method(e, got.fn, b.walk(e, b.receiver(e, got), got.path))
}

// walk goes through embedded fields.
func (b *body) walk(n ast.Node, object model.ID, path []field) model.ID {
	for _, f := range path {
		object = b.emitTyped(n, model.Load, f.name, f.typ, object)
	}
	return object
}

// receiver is the value that a method is called on: a pointer to a variable where the method wants one.
func (b *body) receiver(e *ast.SelectorExpr, got found) model.ID {
	t := b.valueType(e.X)
	if len(got.path) == 0 && got.fn.pointer && t.kind == namedKind && !t.isObject() {
		return b.address(e.X, nil)
	}
	v := b.expr(e.X)
	if len(got.path) == 0 && !got.fn.pointer && t.kind == pointerKind && !t.elem.isObject() {
		return b.emitTyped(e.X, model.Load, "", t.elem, v)
	}
	return v
}

// method is a function with its receiver.
func (b *body) method(n ast.Node, fn *function, receiver model.ID) model.ID {
	return b.op(model.Op{Kind: model.FuncRef, Name: b.unitName(fn.pkg), Ref: int32(fn.index), Args: []model.ID{receiver}, Span: b.at(n)})
}

// methodExpression is T.Method as a function: one that calls the method of its first parameter.
func (b *body) methodExpression(e *ast.SelectorExpr) model.ID {
	t := b.typeOf(e.X)
	f := &model.Func{Name: unique(b.taken, embeddedName(e.X)+"."+e.Sel.Name+".expr"), Index: len(b.unit.Funcs), Span: b.at(e), Outer: b.fn.Index + 1}
	b.unit.Funcs = append(b.unit.Funcs, f)
	inner := b.newBody(b.file, f, b.names, &frame{})
	inner.arity = 1
	v := inner.param(e.X, "", t, false)
	rest := inner.param(e.Sel, "", unknownType, true)
	var callee model.ID
	if got := t.member(e.Sel.Name); got.fn != nil {
		callee = inner.method(e, got.fn, inner.walk(e, v, got.path))
	} else {
		callee = inner.emitNamed(e, model.Load, e.Sel.Name, v)
	}
	out := inner.op(model.Op{Kind: model.Call, Args: []model.ID{callee, rest}, Parts: []model.Part{{KeyID: model.None, Spread: true}}, Span: b.at(e)})
	inner.end(e, model.Return, out)
	inner.finish(e)
	return b.op(model.Op{Kind: model.Closure, Ref: int32(f.Index), Span: b.at(e)})
}

// index reads an element, or names an instance of a generic function.
func (b *body) index(e *ast.IndexExpr) model.ID {
	if b.isInstance(e.X, e.Index) {
		return b.expr(e.X)
	}
	object := b.expr(e.X)
	t := b.valueType(e)
	if t.kind == tupleKind {
		t = t.result(0)
	}
	if key, ok := b.constKey(e.Index); ok {
		return b.emitTyped(e, model.Load, key, t, object)
	}
	return b.emitTyped(e, model.Load, "", t, object, b.expr(e.Index))
}

// isInstance tells f[T] from an element.
func (b *body) isInstance(x, index ast.Expr) bool {
	return b.isType(index) || b.valueType(x).kind == funcKind
}

// constKey gives the name of a constant key.
func (b *body) constKey(e ast.Expr) (string, bool) {
	c, ok := b.constantOf(e)
	if !ok || c.Text == "" || c.Kind != model.String && c.Kind != model.Number && c.Kind != model.Bool {
		return "", false
	}
	return c.Text, true
}

// slice is x[i:j]. The whole of it is the thing itself.
func (b *body) slice(e *ast.SliceExpr) model.ID {
	v := b.expr(e.X)
	if e.Low == nil && e.High == nil {
		return v
	}
	args := []model.ID{v}
	for _, i := range []ast.Expr{e.Low, e.High} {
		if i == nil {
			args = append(args, model.None)
			continue
		}
		args = append(args, b.expr(i))
	}
	if args[2] == model.None {
		args = args[:2]
	}
	return b.language(e, "slice", b.valueType(e.X), args...)
}

// language calls a function that stands for what the language itself does.
func (b *body) language(n ast.Node, name string, t *typ, args ...model.ID) model.ID {
	callee := b.emitNamed(n, model.Load, name, b.emitNamed(n, model.External, "go"))
	return b.emitTyped(n, model.Call, "", t, append([]model.ID{callee}, args...)...)
}

// pointsToObject reports whether a pointer is the object itself. Of a pointer that is not known it is taken to be.
func (b *body) pointsToObject(e ast.Expr) bool {
	t := b.valueType(e)
	u := t.underlying()
	if u.kind != pointerKind {
		return true
	}
	return u.elem.isObject() || u.elem.kind == unknownKind
}

func (b *body) unary(e *ast.UnaryExpr) model.ID {
	switch e.Op {
	case token.AND:
		return b.address(e.X, nil)
	case token.ARROW:
		return b.language(e, "receive", b.valueType(e.X).element(), b.expr(e.X))
	case token.NOT:
		return b.emitNamed(e, model.Unary, "!", b.expr(e.X))
	case token.SUB, token.ADD:
		return b.emitNamed(e, model.Unary, e.Op.String(), b.expr(e.X))
	case token.XOR:
		return b.emitNamed(e, model.Unary, "~", b.expr(e.X))
	case token.TILDE:
		return b.unknown(e, "type")
	}
	return b.unknown(e, "operator", b.expr(e.X))
}

// address is &x. A pointer to a struct is the struct. A pointer to a variable is its cell; one to a field or element is a cell
// with the value, which goes back to its place by what is added to back.
func (b *body) address(x ast.Expr, back *[]func()) model.ID {
	x = ast.Unparen(x)
	if lit, ok := x.(*ast.CompositeLit); ok {
		v := b.composite(lit, unknownType)
		if t := b.typeOfLit(lit); t.isObject() || t.kind == unknownKind {
			return v
		}
		return b.boxed(x, v)
	}
	if id, ok := x.(*ast.Ident); ok {
		if l := b.locals[id]; l != nil && l.kind == varLocal {
			if cell, ok := b.values[l]; ok && l.cell && !l.typ.isObject() {
				return cell
			}
			return b.read(l, id)
		}
	}
	v := b.expr(x)
	if t := b.valueType(x); t.isObject() || t.kind == unknownKind {
		return v
	}
	cell := b.boxed(x, v)
	if back != nil {
		*back = append(*back, func() { b.store(x, b.emit(x, model.Load, cell)) })
	}
	return cell
}

func (b *body) boxed(n ast.Node, v model.ID) model.ID {
	cell := b.emitNamed(n, model.Alloc, "")
	b.emit(n, model.Store, cell, v)
	return cell
}

// isText reports whether + joins texts.
func (b *body) isText(e ast.Expr) bool {
	if t := b.valueType(e); t.kind != unknownKind {
		return t.isText()
	}
	return false
}

func isCompare(op token.Token) bool {
	switch op {
	case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
		return true
	}
	return false
}

func (b *body) binary(e *ast.BinaryExpr) model.ID {
	switch {
	case e.Op == token.LAND || e.Op == token.LOR:
		return b.logical(e)
	case isCompare(e.Op):
		return b.emitNamed(e, model.Compare, e.Op.String(), b.expr(e.X), b.expr(e.Y))
	}
	// A long sum leans to the left.
	var list []ast.Expr
	x := ast.Expr(e)
	for {
		y, ok := ast.Unparen(x).(*ast.BinaryExpr)
		if !ok || y.Op != e.Op {
			break
		}
		list = append(list, y.Y)
		x = y.X
	}
	list = append(list, x)
	text := false
	if e.Op == token.ADD {
		for _, part := range list {
			text = text || b.isText(part)
		}
	}
	v := b.expr(x)
	args := []model.ID{v}
	for i := len(list) - 2; i >= 0; i-- {
		y := b.expr(list[i])
		if text {
			args = append(args, y)
		} else {
			v = b.emitNamed(e, model.Binary, e.Op.String(), v, y)
		}
	}
	if text {
		return b.emitTyped(e, model.Concat, "", stringType, args...)
	}
	return v
}

// logical is the value of && and ||: control flow that meets.
func (b *body) logical(e *ast.BinaryExpr) model.ID {
	v := b.expr(e.X)
	next, done := b.newBlock(), b.newBlock()
	if b.cur == model.NoBlock {
		return v
	}
	from := []incoming{{b.cur, v}}
	if e.Op == token.LAND {
		b.branch(e, v, next, done)
	} else {
		b.branch(e, v, done, next)
	}
	b.enter(next)
	y := b.expr(e.Y)
	if b.cur != model.NoBlock {
		from = append(from, incoming{b.cur, y})
		b.jump(e, done)
	}
	return b.meet(e, done, from, boolType)
}

// cond evaluates an expression for its truth and goes to one of the blocks.
func (b *body) cond(e ast.Expr, yes, no model.BlockID) {
	b.nesting++
	defer func() { b.nesting-- }()
	if b.nesting <= maxDepth {
		switch e := e.(type) {
		case *ast.ParenExpr:
			b.cond(e.X, yes, no)
			return
		case *ast.UnaryExpr:
			if e.Op == token.NOT {
				b.cond(e.X, no, yes)
				return
			}
		case *ast.BinaryExpr:
			if e.Op == token.LAND || e.Op == token.LOR {
				next := b.newBlock()
				if e.Op == token.LAND {
					b.cond(e.X, next, no)
				} else {
					b.cond(e.X, yes, next)
				}
				b.resume(next)
				if b.cur != model.NoBlock {
					b.cond(e.Y, yes, no)
				}
				return
			}
		}
	}
	v := b.expr(e)
	b.branch(e, v, yes, no)
}
