package typescript

import (
	"github.com/retrysafe/retrysafe/analyzers/model"
	"github.com/retrysafe/retrysafe/analyzers/typescript/parse"
)

// expr evaluates an expression.
func (b *body) expr(n parse.Node) model.ID { return b.named(n, "") }

// named evaluates an expression that will be known under a name: functions in it take their names from it.
func (b *body) named(n parse.Node, name string) model.ID {
	b.depth++
	defer func() { b.depth-- }()
	if b.depth > maxDepth {
		b.tooDeep(n)
		return b.unknown(n, "nested too deeply")
	}
	t := b.t
	switch k := t.Kind(n); k {
	case parse.KindIdentifier, parse.KindShorthandPropertyIdentifier, parse.KindShorthandPropertyIdentifierPattern:
		return b.identifier(n)
	case parse.KindUndefined:
		return b.undefined(n)
	case parse.KindThis, parse.KindSuper:
		return b.this(n)
	case parse.KindTrue, parse.KindFalse:
		return b.constant(n, model.Bool, t.Text(n))
	case parse.KindNull:
		return b.constant(n, model.Null, "")
	case parse.KindNumber:
		return b.number(n, t.Text(n))
	case parse.KindString:
		return b.constant(n, model.String, b.stringValue(n))
	case parse.KindTemplateString:
		return b.template(n)
	case parse.KindRegex:
		return b.constant(n, model.Regexp, t.Text(n))
	case parse.KindPrivatePropertyIdentifier, parse.KindPropertyIdentifier:
		return b.constant(n, model.String, t.Text(n))

	case parse.KindArray:
		return b.array(n, name)
	case parse.KindObject:
		return b.object(n, name)
	case parse.KindFunctionExpression, parse.KindGeneratorFunction:
		if own := t.Child(n, parse.FieldName); own != parse.NoNode && name == "" {
			name = t.Text(own)
		}
		return b.closure(n, name)
	case parse.KindArrowFunction:
		return b.closure(n, name)
	case parse.KindFunctionDeclaration, parse.KindGeneratorFunctionDeclaration:
		// Only error recovery puts a declaration where an expression belongs.
		if i, ok := b.index[n]; ok {
			return b.bindClosure(n, b.sc.funcs[n], i)
		}
		return b.closure(n, name)
	case parse.KindClass, parse.KindClassDeclaration, parse.KindAbstractClassDeclaration:
		return b.class(n, name)

	case parse.KindMemberExpression, parse.KindSubscriptExpression, parse.KindCallExpression, parse.KindNonNullExpression,
		parse.KindInstantiationExpression:
		return b.chained(n, name)
	case parse.KindNewExpression:
		return b.construct(n, name)
	case parse.KindAwaitExpression:
		return b.await(n, name)
	case parse.KindYieldExpression:
		return b.yield(n)

	case parse.KindBinaryExpression:
		return b.binary(n, name)
	case parse.KindUnaryExpression:
		return b.unary(n)
	case parse.KindUpdateExpression:
		return b.update(n)
	case parse.KindTernaryExpression:
		return b.ternary(n, name)
	case parse.KindAssignmentExpression:
		return b.assign(n)
	case parse.KindAugmentedAssignmentExpression:
		return b.augment(n)
	case parse.KindSequenceExpression:
		return b.sequence(n)
	case parse.KindParenthesizedExpression:
		return b.named(b.inner(n), name)
	case parse.KindAsExpression, parse.KindSatisfiesExpression, parse.KindTypeAssertion:
		return b.convert(n, name)
	case parse.KindSpreadElement:
		return b.expr(b.inner(n))

	case parse.KindJSXElement, parse.KindJSXSelfClosingElement:
		return b.jsx(n)
	case parse.KindJSXExpression:
		if c := b.inner(n); c != parse.NoNode {
			return b.expr(c)
		}
		return b.undefined(n)
	case parse.KindMetaProperty:
		return b.unknown(n, t.Text(n))
	case parse.KindImport:
		return b.unknown(n, "import")
	case parse.KindInternalModule:
		b.namespace(n)
		return b.undefined(n)
	case parse.KindNone:
		return b.unknown(n, "missing")
	case parse.KindError, parse.KindMissing:
		return b.unknown(n, "syntax error")
	default:
		b.note(n, "not understood: "+k.String())
		return b.unknown(n, k.String())
	}
}

// inner is the first child that is an expression.
func (b *body) inner(n parse.Node) parse.Node {
	for c := range b.t.Children(n) {
		if k := b.t.Kind(c); k != parse.KindError && k != parse.KindMissing && k != parse.KindTypeArguments {
			return c
		}
	}
	return b.t.Nth(n, 0)
}

// identifier is the value of a name.
func (b *body) identifier(n parse.Node) model.ID {
	bd := b.sc.bound[n]
	if bd == nil {
		name := b.t.Text(n)
		if v, ok := b.members[name]; ok {
			return v
		}
		return b.platform(n, name)
	}
	return b.load(bd, n)
}

// platform is a name that the file does not declare.
func (b *body) platform(n parse.Node, name string) model.ID {
	switch name {
	case "globalThis", "global", "window", "self":
		return b.emitNamed(n, model.External, "js")
	case "exports":
		if !b.sc.esModule {
			return b.emitNamed(n, model.Module, b.unit.Path)
		}
	}
	return b.emitNamed(n, model.Load, name, b.emitNamed(n, model.External, "js"))
}

// load reads a variable.
func (b *body) load(bd *binding, n parse.Node) model.ID {
	switch {
	case bd.kind == thisBinding:
		return b.this(n)
	case bd.kind == argumentsBinding:
		return b.arguments(n)
	case bd.store == inImport:
		return b.imported(bd.imp, n)
	case bd.store == inGlobal:
		return b.op(model.Op{Kind: model.LoadGlobal, Ref: int32(bd.global), Span: b.span(n)})
	case bd.store == inCell:
		return b.emit(n, model.Load, b.held(bd, n))
	case bd.store == inFunc:
		i, ok := b.index[bd.fn.node]
		if !ok {
			i = b.function(bd.fn.node, bd.name)
		}
		return b.op(model.Op{Kind: model.FuncRef, Ref: int32(i), Span: b.span(n)})
	}
	return b.held(bd, n)
}

// store writes a variable, also where it is declared.
func (b *body) store(bd *binding, v model.ID, n parse.Node) {
	switch bd.store {
	case inValue:
		b.values[bd] = v
	case inCell:
		b.emit(n, model.Store, b.held(bd, n), v)
	case inGlobal:
		b.op(model.Op{Kind: model.StoreGlobal, Ref: int32(bd.global), Args: []model.ID{v}, Span: b.span(n)})
	}
}

// awaits marks a module that awaits at its top level.
func (b *body) awaits() {
	if b.fn.Index == 0 {
		b.fn.Async = true
	}
}

func (b *body) await(n parse.Node, name string) model.ID {
	b.awaits()
	arg := b.inner(n)
	if ns, ok := b.dynamicImport(arg); ok {
		return b.emit(n, model.Await, ns)
	}
	return b.emit(n, model.Await, b.named(arg, name))
}

func (b *body) yield(n parse.Node) model.ID {
	arg := b.inner(n)
	if arg == parse.NoNode {
		return b.emit(n, model.Yield, model.None)
	}
	v := b.expr(arg)
	if !b.t.Has(n, parse.TokenStar) {
		return b.emit(n, model.Yield, v)
	}
	// yield* hands on each element; its own value is what the inner generator returns.
	head, inner, after := b.newBlock(), b.newBlock(), b.newBlock()
	b.jump(n, head)
	b.enter(head)
	b.end(arg, model.Range, v, inner, after)
	b.enter(inner)
	b.emit(n, model.Yield, b.emitNamed(arg, model.Element, "value", v))
	b.jump(n, head)
	b.enter(after)
	return b.unknown(n, "yield*")
}

func (b *body) sequence(n parse.Node) model.ID {
	// Sequences nest to the left or the right, depending on the grammar; both are flattened.
	list := b.flattenSequence(n)
	for _, c := range list[:len(list)-1] {
		b.effect(c)
	}
	return b.expr(list[len(list)-1])
}

func (b *body) flattenSequence(n parse.Node) []parse.Node {
	var out []parse.Node
	stack := []parse.Node{n}
	for len(stack) > 0 {
		c := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if b.t.Kind(c) != parse.KindSequenceExpression {
			out = append(out, c)
			continue
		}
		at := len(stack)
		for d := range b.t.Children(c) {
			stack = append(stack, d)
		}
		for i, j := at, len(stack)-1; i < j; i, j = i+1, j-1 {
			stack[i], stack[j] = stack[j], stack[i]
		}
	}
	if len(out) == 0 {
		return []parse.Node{parse.NoNode}
	}
	return out
}

// convert handles `as`, `satisfies` and `<T>x`.
func (b *body) convert(n parse.Node, name string) model.ID {
	t := b.t
	value, typ, how := t.Nth(n, 0), t.Nth(n, 1), ""
	switch t.Kind(n) {
	case parse.KindSatisfiesExpression:
		how = "satisfies"
	case parse.KindTypeAssertion:
		value, typ = t.Nth(n, 1), t.Nth(t.Nth(n, 0), 0)
	}
	v := b.named(value, name)
	if typ == parse.NoNode { // `as const`
		return v
	}
	ref := b.typeRef(typ)
	if ref == nil || ref.Name == "unknown" {
		return v
	}
	return b.op(model.Op{Kind: model.Convert, Name: how, Args: []model.ID{v}, Type: ref, Span: b.span(n)})
}

func (b *body) unary(n parse.Node) model.ID {
	t := b.t
	op, arg := t.Operator(n), t.Child(n, parse.FieldArgument)
	switch op {
	case "delete":
		return b.delete(n, arg)
	case "-", "+":
		if t.Kind(arg) == parse.KindNumber {
			if op == "-" {
				return b.number(n, "-"+t.Text(arg))
			}
			return b.number(n, t.Text(arg))
		}
	}
	return b.emitNamed(n, model.Unary, op, b.expr(arg))
}

func (b *body) delete(n, arg parse.Node) model.ID {
	for b.t.Kind(arg) == parse.KindParenthesizedExpression || b.t.Kind(arg) == parse.KindNonNullExpression {
		arg = b.inner(arg)
	}
	switch b.t.Kind(arg) {
	case parse.KindMemberExpression, parse.KindSubscriptExpression:
		p := b.place(arg)
		if p.key != model.None {
			return b.emit(n, model.Delete, p.object, p.key)
		}
		return b.emitNamed(n, model.Delete, p.name, p.object)
	}
	return b.emitNamed(n, model.Unary, "void", b.expr(arg))
}

// compareName spells a comparison as the model does, or gives "".
func compareName(op string) string {
	switch op {
	case "===", "==":
		return "=="
	case "!==", "!=":
		return "!="
	case "<", "<=", ">", ">=", "in", "instanceof":
		return op
	}
	return ""
}

// comparison spells a comparison of two values: a strict one stays so where one of them is null or undefined, of which the loose one makes no
// difference.
func (b *body) comparison(op string, x, y model.ID) string {
	if (op == "===" || op == "!==") && (b.isMissing(x) || b.isMissing(y)) {
		return op
	}
	return compareName(op)
}

// isMissing reports whether a value is written as null or undefined.
func (b *body) isMissing(v model.ID) bool {
	c := b.fn.Ops[v].Const
	return b.fn.Ops[v].Kind == model.Constant && (c.Kind == model.Null || c.Kind == model.Undefined)
}

// binary evaluates operators. A long chain nests to the left, so it is walked without recursion.
func (b *body) binary(n parse.Node, name string) model.ID {
	t := b.t
	if isLogical(t.Operator(n)) {
		return b.logical(n, name)
	}
	var spine []parse.Node
	left := n
	for t.Kind(left) == parse.KindBinaryExpression && !isLogical(t.Operator(left)) {
		spine = append(spine, left)
		left = t.Child(left, parse.FieldLeft)
	}
	v := b.expr(left)
	var pieces []model.ID // of a text under construction, v being its first part
	flush := func(at parse.Node) {
		if pieces != nil {
			v = b.emit(at, model.Concat, pieces...)
			pieces = nil
		}
	}
	for i := len(spine) - 1; i >= 0; i-- {
		at := spine[i]
		op := t.Operator(at)
		if op != "+" {
			flush(t.Child(at, parse.FieldLeft))
		}
		right := b.expr(t.Child(at, parse.FieldRight))
		switch {
		case compareName(op) != "":
			v = b.emitNamed(at, model.Compare, b.comparison(op, v, right), v, right)
		case op == "+" && pieces != nil:
			pieces = append(pieces, right)
		case op == "+" && (b.isText(v) || b.isText(right)):
			pieces = append(pieces, v, right)
		case op == "":
			b.note(at, "operator not understood")
			v = b.unknown(at, "operator")
		default:
			v = b.emitNamed(at, model.Binary, op, v, right)
		}
	}
	flush(n)
	return v
}

// isText reports whether a value is certainly a string.
func (b *body) isText(v model.ID) bool {
	op := &b.fn.Ops[v]
	switch op.Kind {
	case model.Constant:
		return op.Const.Kind == model.String
	case model.Concat:
		return true
	case model.Unary:
		return op.Name == "typeof"
	}
	return op.Type != nil && op.Type.Name == "string" && op.Type.Unit == "" && op.Type.External == ""
}

func (b *body) update(n parse.Node) model.ID {
	t := b.t
	arg := t.Child(n, parse.FieldArgument)
	p := b.place(arg)
	old := b.read(p)
	op := "+"
	if t.Operator(n) == "--" {
		op = "-"
	}
	v := b.emitNamed(n, model.Binary, op, old, b.constant(n, model.Number, "1"))
	b.write(p, v)
	if t.Start(arg) == t.Start(n) {
		return old
	}
	return v
}

func (b *body) number(n parse.Node, text string) model.ID {
	kind, text := numberValue(text)
	return b.constant(n, kind, text)
}
