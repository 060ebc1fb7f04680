package typescript

import (
	"github.com/retrysafe/retrysafe/analyzers/model"
	"github.com/retrysafe/retrysafe/analyzers/typescript/parse"
)

// closure evaluates a function expression, arrow function or method. The name is relative to the function around it.
func (b *body) closure(n parse.Node, name string) model.ID {
	info := b.sc.funcs[n]
	if info == nil {
		return b.unknown(n, "function")
	}
	self := info.decl
	if self != nil && self.kind == selfBinding && self.store == inCell {
		b.allocate(self)
	}
	v := b.bindClosure(n, info, b.function(n, name))
	if self != nil && self.kind == selfBinding && self.store == inCell {
		b.emit(self.decl, model.Store, b.values[self], v)
	}
	return v
}

// bindClosure is the value of a function at the place where it is evaluated.
func (b *body) bindClosure(n parse.Node, info *funcInfo, index int) model.ID {
	if len(info.captures.list) == 0 {
		return b.op(model.Op{Kind: model.FuncRef, Ref: int32(index), Span: b.span(n)})
	}
	return b.op(model.Op{Kind: model.Closure, Ref: int32(index), Args: b.captured(info.captures.list, n), Span: b.span(n)})
}

// captured evaluates captured bindings where the closure is made.
func (b *body) captured(list []*binding, n parse.Node) []model.ID {
	args := make([]model.ID, len(list))
	for i, c := range list {
		args[i] = b.held(c, n)
	}
	return args
}

// held is the value or cell of a local binding.
func (b *body) held(c *binding, n parse.Node) model.ID {
	switch c.kind {
	case thisBinding:
		return b.this(n)
	case argumentsBinding:
		return b.arguments(n)
	}
	if v, ok := b.values[c]; ok {
		return v
	}
	// Only broken or unreachable source gets here.
	return b.unknown(n, c.name)
}

// function lowers a function once and gives its index.
func (b *body) function(n parse.Node, name string) int {
	if i, ok := b.index[n]; ok {
		return i
	}
	f := b.reserve(n, joinName(b.path, name), b.outerOf(len(b.sc.funcs[n].captures.list)))
	b.index[n] = f.Index
	b.fill(f, n, b.sc.funcs[n])
	return f.Index
}

// outerOf is the Outer of a function that is made here. A function of the module that captures nothing has none.
func (b *body) outerOf(captures int) int {
	if b.fn.Index == 0 && captures == 0 {
		return 0
	}
	return b.fn.Index + 1
}

func joinName(outer, name string) string {
	switch {
	case name == "":
		name = "func"
	case len(name) > maxName:
		name = label(name)
	}
	switch {
	case outer == "":
		return name
	case len(outer) > maxName:
		return outer
	}
	return outer + "." + name
}

// fill lowers the parameters and the body of a reserved function.
func (b *body) fill(f *model.Func, n parse.Node, info *funcInfo) {
	t := b.t
	in := b.newBody(f, info)
	in.depth = b.depth
	captures := info.captures.list
	if info.class != nil {
		captures = info.class.captures.list
	}
	f.Async = t.Has(n, parse.TokenAsync)
	f.Generator = t.Has(n, parse.TokenStar) || t.Kind(n) == parse.KindGeneratorFunction || t.Kind(n) == parse.KindGeneratorFunctionDeclaration
	f.Result = b.resultType(n)
	f.This = !info.arrow && (info.this != nil || t.Kind(n) == parse.KindMethodDefinition)
	in.receive(captures, n)
	in.bounded(n)
	sc := b.sc.at[n]
	if sc != nil {
		in.allocateCells(sc)
	}
	in.parameters(n)
	if sc != nil {
		in.hoist(sc)
	}
	in.parameterProperties(n)
	switch body := t.Child(n, parse.FieldBody); {
	case body == parse.NoNode:
	case t.Kind(body) == parse.KindStatementBlock:
		in.statements(body)
	default:
		in.returnValue(body, body)
	}
	in.finish(n)
}

// receive emits what a function gets from outside: captures and receiver. A member of a class gets
// what any member captures, and takes what it uses.
func (b *body) receive(captures []*binding, n parse.Node) {
	if len(captures) > 0 {
		b.fn.FreeVars = make([]string, len(captures))
	}
	for i, c := range captures {
		b.fn.FreeVars[i] = c.name
		if b.info.captures.has[c] {
			b.values[c] = b.op(model.Op{Kind: model.FreeVar, Ref: int32(i), Span: b.span(n)})
		}
	}
	if b.info.this != nil && !b.info.arrow && b.fn.This {
		b.values[b.info.this] = b.op(model.Op{Kind: model.This, Span: b.span(n)})
	}
}

// bounded notes that some variables of a function are unknown.
func (b *body) bounded(n parse.Node) {
	if b.info.tooMany {
		b.note(n, "too many captured variables")
	}
}

// this is the receiver of the nearest function that has one.
func (b *body) this(n parse.Node) model.ID {
	f := b.info
	for f.arrow {
		f = f.outer
	}
	if v, ok := b.values[f.this]; ok && f.this != nil {
		return v
	}
	if f == b.sc.init {
		if b.sc.esModule {
			return b.undefined(n)
		}
		return b.emitNamed(n, model.Module, b.unit.Path)
	}
	return b.unknown(n, "this")
}

// arguments is the array-like object of everything that was passed to the function.
func (b *body) arguments(n parse.Node) model.ID {
	f := b.info
	for f.arrow {
		f = f.outer
	}
	if v, ok := b.values[f.args]; ok && f.args != nil {
		return v
	}
	return b.unknown(n, "arguments")
}

// parameters declares the parameters, then spells out defaults and patterns.
func (b *body) parameters(n parse.Node) {
	t := b.t
	type pattern struct{ pattern, value, node parse.Node }
	var list []pattern
	params := t.Child(n, parse.FieldParameters)
	if params == parse.NoNode {
		if p := t.Child(n, parse.FieldParameter); p != parse.NoNode {
			list = append(list, pattern{p, parse.NoNode, p})
			b.fn.Params = append(b.fn.Params, model.Param{Name: b.patternName(p), Span: b.span(p)})
		}
	}
	docs := b.docOf(n)
	for p := range t.Children(params) {
		pat, value := p, parse.NoNode
		param := model.Param{Span: b.span(p)}
		switch t.Kind(p) {
		case parse.KindRequiredParameter, parse.KindOptionalParameter:
			pat, value = t.Child(p, parse.FieldPattern), t.Child(p, parse.FieldValue)
			if t.Kind(pat) == parse.KindThis {
				continue
			}
			param.Type = b.annotation(p)
			param.Optional = t.Kind(p) == parse.KindOptionalParameter || value != parse.NoNode
			param.Decorators = b.parameterDecorators(p)
		case parse.KindAssignmentPattern:
			pat, value = t.Child(p, parse.FieldLeft), t.Child(p, parse.FieldRight)
			param.Optional = true
		case parse.KindDecorator, parse.KindError, parse.KindMissing:
			continue
		}
		if t.Kind(pat) == parse.KindRestPattern {
			param.Rest = true
			pat = t.Nth(pat, 0)
		}
		param.Name = b.patternName(pat)
		if param.Type == nil {
			param.Type = docs.param(param.Name)
		}
		b.fn.Params = append(b.fn.Params, param)
		list = append(list, pattern{pat, value, p})
	}
	for i := range b.fn.Params {
		// Broken source may have a rest parameter before others.
		b.fn.Params[i].Rest = b.fn.Params[i].Rest && i == len(b.fn.Params)-1
	}
	ids := make([]model.ID, len(list))
	for i, p := range list {
		ids[i] = b.op(model.Op{Kind: model.Parameter, Ref: int32(i), Name: "", Type: b.fn.Params[i].Type, Span: b.span(p.node)})
	}
	b.implicitArguments(ids, n)
	for i, p := range list {
		v := ids[i]
		if p.value != parse.NoNode {
			v = b.withDefault(v, p.value, p.node, b.patternName(p.pattern))
		}
		b.bind(p.pattern, v)
	}
}

// implicitArguments makes `arguments` of a function that mentions it.
func (b *body) implicitArguments(ids []model.ID, n parse.Node) {
	if b.info.args == nil || b.info.arrow {
		return
	}
	op := model.Op{Kind: model.Array, Args: append([]model.ID{}, ids...), Span: b.span(n)}
	rest := len(b.fn.Params)
	if rest > 0 && b.fn.Params[rest-1].Rest {
		rest--
	} else {
		b.fn.Params = append(b.fn.Params, model.Param{Name: "arguments", Rest: true})
		op.Args = append(op.Args, b.op(model.Op{Kind: model.Parameter, Ref: int32(rest), Span: b.span(n)}))
	}
	op.Parts = make([]model.Part, len(op.Args))
	for i := range op.Parts {
		op.Parts[i].KeyID = model.None
	}
	op.Parts[rest].Spread = true
	b.values[b.info.args] = b.op(op)
}

// patternName is the name of a pattern that is one.
func (b *body) patternName(p parse.Node) string {
	switch b.t.Kind(p) {
	case parse.KindIdentifier, parse.KindShorthandPropertyIdentifierPattern:
		return b.t.Text(p)
	}
	return ""
}

// parameterProperties stores constructor parameters that are declared as fields.
func (b *body) parameterProperties(n parse.Node) {
	t := b.t
	for p := range t.Children(t.Child(n, parse.FieldParameters)) {
		if k := t.Kind(p); k != parse.KindRequiredParameter && k != parse.KindOptionalParameter {
			continue
		}
		if !isParameterProperty(t, p) {
			continue
		}
		id := t.Child(p, parse.FieldPattern)
		if bd := b.sc.bound[id]; bd != nil && b.info.class != nil {
			b.emitNamed(p, model.Store, bd.name, b.receiver(p), b.load(bd, id))
		}
	}
}

// receiver is `this` in a function that has one, also where the source does not mention it.
func (b *body) receiver(n parse.Node) model.ID {
	bd := b.info.receiver()
	v, ok := b.values[bd]
	if !ok {
		v = b.op(model.Op{Kind: model.This, Span: b.span(n)})
		b.values[bd] = v
	}
	return v
}

func isParameterProperty(t *parse.Tree, p parse.Node) bool {
	return t.Has(p, parse.KindAccessibilityModifier) || t.Has(p, parse.TokenReadonly) || t.Has(p, parse.KindOverrideModifier)
}

// enterScope makes the cells of a scope and evaluates its function declarations.
func (b *body) enterScope(sc *scope) {
	b.allocateCells(sc)
	b.hoist(sc)
}

func (b *body) allocateCells(sc *scope) {
	for _, bd := range sc.bindings {
		if bd.store == inCell && bd.kind != selfBinding {
			b.allocate(bd)
		}
	}
}

func (b *body) allocate(bd *binding) {
	b.values[bd] = b.op(model.Op{Kind: model.Alloc, Name: bd.name, Type: b.declaredType(bd), Span: b.span(bd.decl)})
}

// hoist evaluates the function declarations of a scope. All names are given before any body is lowered,
// because the bodies refer to each other.
func (b *body) hoist(sc *scope) {
	type pending struct {
		f    *model.Func
		info *funcInfo
	}
	var bodies []pending
	for _, info := range sc.funcs {
		if _, done := b.index[info.node]; done {
			continue
		}
		name := "default"
		if info.decl != nil {
			name = info.decl.name
		}
		f := b.reserve(info.node, joinName(b.path, name), b.outerOf(len(info.captures.list)))
		b.index[info.node] = f.Index
		bodies = append(bodies, pending{f, info})
	}
	for _, info := range sc.funcs {
		v := model.None
		if info.decl == nil || info.decl.store != inFunc || info.decl.scope == b.sc.module {
			v = b.bindClosure(info.node, info, b.index[info.node])
		}
		switch {
		case info.decl == nil:
			b.defaultFunction(info.node, v)
		case info.decl.scope == b.sc.module:
			b.op(model.Op{Kind: model.StoreGlobal, Ref: int32(info.decl.global), Args: []model.ID{v}, Span: b.span(info.decl.decl)})
		case info.decl.store != inFunc:
			b.store(info.decl, v, info.decl.decl)
		}
	}
	for _, p := range bodies {
		b.fill(p.f, p.info.node, p.info)
	}
}
