package golang

import (
	"go/ast"
	"strconv"

	"github.com/retrysafe/retrysafe/analyzers/model"
)

// takesAddress reports whether a method call takes the address of the variable that it is made on: a method with a pointer as
// its receiver, of a type that is no struct.
func (b *body) takesAddress(e *ast.SelectorExpr) bool {
	t := b.valueType(e.X)
	if t.kind != namedKind || t.isObject() {
		return false
	}
	fn := t.decl.pkg.methods[t.decl.name][e.Sel.Name]
	return fn != nil && fn.pointer
}

// function lowers a declared function.
func (l *lowering) function(fn *function) {
	f := l.unit.Funcs[fn.index]
	d := fn.decl
	names := newNames()
	b := l.newBody(fn.file, f, names, names.frame)
	names.addressed, names.typeOf = b.takesAddress, b.typeOf
	names.signature(d.Recv, d.Type)
	names.body(d.Body)
	b.begin()
	if fn.recv != nil {
		f.Type = fn.recv.index + 1
	}
	if receiverName(d) != "" {
		f.This = true
		recv := d.Recv.List[0]
		t := b.typeOf(recv.Type)
		op := model.Op{Kind: model.This, Type: t.ref(), Span: b.at(recv.Type)}
		if len(recv.Names) > 0 && recv.Names[0].Name != "_" {
			op.Name = recv.Names[0].Name
		}
		this := b.op(op)
		if len(recv.Names) > 0 {
			b.declare(recv.Names[0], this, t)
		}
	}
	b.params(d.Type)
	if d.Body == nil {
		b.unknown(d, "body elsewhere")
		b.finish(d)
		return
	}
	b.list(d.Body.List)
	b.finish(d.Body)
}

// params declares parameters and results.
func (b *body) params(t *ast.FuncType) {
	if t == nil {
		return
	}
	if t.Params != nil {
		for _, p := range t.Params.List {
			pt := b.typeOf(p.Type)
			_, rest := p.Type.(*ast.Ellipsis)
			if len(p.Names) == 0 {
				b.param(p, "", pt, rest)
			}
			for _, id := range p.Names {
				v := b.param(id, id.Name, pt, rest)
				b.declare(id, v, pt)
			}
		}
	}
	// Only the last parameter collects the rest; of a broken declaration none does.
	for i := range b.fn.Params {
		if i < len(b.fn.Params)-1 {
			b.fn.Params[i].Rest = false
		}
	}
	if t.Results == nil {
		return
	}
	for _, r := range t.Results.List {
		rt := b.typeOf(r.Type)
		if b.arity == 0 {
			b.fn.Result = rt.ref()
		}
		b.arity += max(1, len(r.Names))
		for _, id := range r.Names {
			b.declare(id, b.zero(id, rt, 0), rt)
			b.results = append(b.results, b.locals[id])
		}
	}
}

func (b *body) param(n ast.Node, name string, t *typ, rest bool) model.ID {
	ref := t.ref()
	i := len(b.fn.Params)
	b.fn.Params = append(b.fn.Params, model.Param{Name: name, Type: ref, Rest: rest, Span: b.at(n)})
	return b.op(model.Op{Kind: model.Parameter, Ref: int32(i), Type: ref, Span: b.at(n)})
}

// declare gives a local its first value.
func (b *body) declare(id *ast.Ident, v model.ID, t *typ) {
	l := b.locals[id]
	if l == nil || id.Name == "_" {
		return
	}
	b.bind(l, id, v, t)
}

func (b *body) bind(l *local, n ast.Node, v model.ID, t *typ) {
	l.typ = t
	l.cell = l.written > 0 || l.address && !t.isObject() || l.result && l.shared || len(l.fn.jumps) > 0
	if !l.cell {
		b.values[l] = v
		return
	}
	cell := b.cellOf(l, n)
	b.values[l] = cell
	b.emit(n, model.Store, cell, v)
}

// begin makes the cells of a function with a goto, which may pass over declarations in broken code.
func (b *body) begin() {
	if len(b.frame.jumps) == 0 {
		return
	}
	for _, l := range b.frame.locals {
		if l.kind == varLocal {
			b.values[l], l.cell, l.typ = b.emitNamed(l.decl, model.Alloc, l.name), true, unknownType
		}
	}
}

// cellOf makes the cell of a local.
func (b *body) cellOf(l *local, n ast.Node) model.ID {
	if cell, ok := b.values[l]; ok && len(l.fn.jumps) > 0 {
		return cell
	}
	return b.emitNamed(n, model.Alloc, l.name)
}

// read gives the value of a local.
func (b *body) read(l *local, n ast.Node) model.ID {
	v, ok := b.values[l]
	if !ok {
		return b.unknown(n, "variable "+l.name)
	}
	if !l.cell {
		return v
	}
	return b.emitTyped(n, model.Load, "", l.typ, v)
}

// write gives a local a new value.
func (b *body) write(l *local, n ast.Node, v model.ID) {
	if cell, ok := b.values[l]; ok && l.cell {
		b.emit(n, model.Store, cell, v)
	}
}

// literal lowers a function literal to a closure over the variables that it uses.
func (b *body) literal(e *ast.FuncLit) model.ID {
	fr := b.names.frames[e]
	if fr == nil {
		return b.unknown(e, "function literal")
	}
	b.literals++
	outer := b.fn.Name
	if outer == "" {
		outer = "init"
	}
	name := unique(b.taken, outer+".func"+strconv.Itoa(b.literals))
	f := &model.Func{Name: name, Index: len(b.unit.Funcs), Span: b.at(e), Outer: b.fn.Index + 1}
	b.unit.Funcs = append(b.unit.Funcs, f)
	inner := b.newBody(b.file, f, b.names, fr)
	inner.generic, inner.nesting = b.generic, b.nesting
	var bindings []model.ID
	for _, l := range fr.captures {
		v, ok := b.values[l]
		if !ok {
			continue
		}
		if len(bindings) >= maxCaptures {
			b.remark(e, "too many captured variables", true)
			break
		}
		bindings = append(bindings, v)
		f.FreeVars = append(f.FreeVars, l.name)
		free := model.Op{Kind: model.FreeVar, Ref: int32(len(f.FreeVars) - 1), Span: b.at(e)}
		if !l.cell {
			free.Type = l.typ.ref()
		}
		inner.values[l] = inner.op(free)
	}
	inner.begin()
	inner.params(e.Type)
	if e.Body != nil {
		inner.list(e.Body.List)
		inner.finish(e.Body)
	} else {
		inner.finish(e)
	}
	return b.op(model.Op{Kind: model.Closure, Ref: int32(f.Index), Args: bindings, Span: b.at(e)})
}
