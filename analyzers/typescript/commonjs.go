package typescript

import (
	"slices"
	"strings"

	"github.com/retrysafe/retrysafe/analyzers/model"
	"github.com/retrysafe/retrysafe/analyzers/typescript/parse"
)

// isFree reports whether an identifier has the name and is not declared by the file.
func (b *body) isFree(n parse.Node, name string) bool {
	return b.t.Kind(n) == parse.KindIdentifier && b.sc.bound[n] == nil && b.t.Text(n) == name
}

// isExports reports whether a node is `exports` or `module.exports` of a CommonJS module.
func (b *body) isExports(n parse.Node) bool {
	if b.sc.esModule {
		return false
	}
	t := b.t
	if t.Kind(n) == parse.KindMemberExpression {
		return b.isFree(t.Child(n, parse.FieldObject), "module") && b.propertyName(n) == "exports"
	}
	return b.isFree(n, "exports")
}

// commonJSValue evaluates `require("x")` and `module.exports`, the identifier and the link behind it.
func (b *body) commonJSValue(id, link parse.Node) (model.ID, bool) {
	t := b.t
	switch t.Kind(link) {
	case parse.KindCallExpression:
		if t.Text(id) != "require" || !b.isRequire(id) {
			break
		}
		if name, ok := b.constantKey(t.Nth(t.Child(link, parse.FieldArguments), 0)); ok {
			if b.fn.Index == 0 {
				b.initialises(name)
			}
			return b.namespaceOf(name, link), true
		}
	case parse.KindMemberExpression:
		if b.isExports(link) {
			return b.emitNamed(link, model.Module, b.unit.Path), true
		}
	}
	return model.None, false
}

// isRequire reports whether an identifier is the platform's `require`, or one that createRequire made.
func (b *body) isRequire(id parse.Node) bool {
	bd := b.sc.bound[id]
	if bd == nil {
		return true
	}
	callee := b.t.Text(b.t.Child(bd.value, parse.FieldFunction))
	return callee == "createRequire" || strings.HasSuffix(callee, ".createRequire")
}

// isInterop reports whether a function is one of those that compilers put around `require`; they give a
// namespace for a namespace.
func isInterop(name string) bool {
	switch name {
	case "__importDefault", "__importStar", "__toESM", "_interopRequireDefault", "_interopRequireWildcard",
		"_interop_require_default", "_interop_require_wildcard", "__rewriteRelativeImportExtension":
		return true
	}
	return false
}

// compiled handles calls that compilers write for module syntax; false leaves the call to the caller.
func (b *body) compiled(n parse.Node) (model.ID, bool) {
	t := b.t
	args := t.Child(n, parse.FieldArguments)
	if t.Kind(args) != parse.KindArguments {
		return model.None, false
	}
	callee := t.Child(n, parse.FieldFunction)
	for t.Kind(callee) == parse.KindParenthesizedExpression || t.Kind(callee) == parse.KindSequenceExpression {
		callee = t.Nth(callee, t.Count(callee)-1)
	}
	name := ""
	switch t.Kind(callee) {
	case parse.KindIdentifier:
		name = t.Text(callee)
	case parse.KindMemberExpression:
		name = b.propertyName(callee)
	}
	switch {
	case isInterop(name):
		if arg := t.Nth(args, 0); t.Kind(arg) == parse.KindCallExpression {
			return b.expr(arg), true
		}
	case name == "__exportStar" && b.isExports(t.Nth(args, 1)):
		v := b.expr(t.Nth(args, 0))
		b.exportAllOf(v)
		return v, true
	case name == "defineProperty" && b.isExports(t.Nth(args, 0)):
		return b.defineExport(n, args), true
	case name == "__toCommonJS" && t.Count(args) == 1:
		return b.expr(t.Nth(args, 0)), true
	case (name == "__export" || name == "_export") && t.Kind(t.Nth(args, 1)) == parse.KindObject:
		return b.defineGetters(n, args), true
	}
	return model.None, false
}

// exportAllOf exports what another module exports, given its namespace object.
func (b *body) exportAllOf(v model.ID) bool {
	switch op := &b.fn.Ops[v]; op.Kind {
	case model.Module:
		if op.Name != b.unit.Path {
			b.export(model.Export{Name: "*", From: op.Name})
		}
		return true
	case model.External:
		b.export(model.Export{Name: "*", Extern: op.Name})
		return true
	}
	return false
}

// defineExport lowers Object.defineProperty(exports, "a", { get: () => x.a }): the getter's value is exported.
func (b *body) defineExport(n, args parse.Node) model.ID {
	t := b.t
	name, ok := b.constantKey(t.Nth(args, 1))
	self := b.emitNamed(t.Nth(args, 0), model.Module, b.unit.Path)
	if !ok || name == "__esModule" {
		return self
	}
	for c := range t.Children(t.Nth(args, 2)) {
		key := t.Child(c, parse.FieldKey)
		value := t.Child(c, parse.FieldValue)
		if t.Kind(c) == parse.KindMethodDefinition {
			key, value = t.Child(c, parse.FieldName), c
		}
		switch t.Text(key) {
		case "get":
			if result := b.onlyResult(value); result != parse.NoNode {
				value = result
			}
			b.exportResult(name, value, n)
			return self
		case "value":
			b.exportValue(name, b.named(value, name), n)
			return self
		}
	}
	return self
}

// defineGetters lowers __export(target, { a: () => a }): each getter's value becomes a member or an export.
func (b *body) defineGetters(n, args parse.Node) model.ID {
	t := b.t
	exports := b.isExports(t.Nth(args, 0))
	target := b.expr(t.Nth(args, 0))
	for c := range t.Children(t.Nth(args, 1)) {
		key, value := t.Child(c, parse.FieldKey), t.Child(c, parse.FieldValue)
		if t.Kind(c) == parse.KindMethodDefinition {
			key, value = t.Child(c, parse.FieldName), c
		}
		result := b.onlyResult(value)
		if result == parse.NoNode || t.Kind(key) == parse.KindComputedPropertyName {
			continue
		}
		name := b.keyLabel(key)
		if exports {
			b.exportResult(name, result, n)
		} else {
			b.emitNamed(c, model.Store, name, target, b.named(result, name))
		}
	}
	return target
}

// onlyResult is the expression that a function returns, if it does nothing else.
func (b *body) onlyResult(fn parse.Node) parse.Node {
	t := b.t
	body := t.Child(fn, parse.FieldBody)
	switch {
	case body == parse.NoNode:
		return parse.NoNode
	case t.Kind(body) != parse.KindStatementBlock:
		return body
	case t.Count(body) == 1 && t.Kind(t.Nth(body, 0)) == parse.KindReturnStatement:
		return t.Nth(t.Nth(body, 0), 0)
	}
	return parse.NoNode
}

// commonJSAssign lowers assignments to `module.exports`, `exports.a` and `module.exports.a`.
func (b *body) commonJSAssign(n, left, right parse.Node) (model.ID, bool) {
	t := b.t
	if b.sc.esModule {
		return model.None, false
	}
	if b.isExports(left) {
		if t.Kind(left) == parse.KindIdentifier {
			return b.expr(right), true // `exports = module.exports = …`: the variable itself is local
		}
		v := b.named(right, "exports")
		b.exportWhole(n, v)
		return v, true
	}
	k := t.Kind(left)
	if k != parse.KindMemberExpression && k != parse.KindSubscriptExpression || !b.isExports(t.Child(left, parse.FieldObject)) {
		return model.None, false
	}
	name, ok := "", k == parse.KindMemberExpression
	if ok {
		name = b.propertyName(left)
	} else {
		name, ok = b.constantKey(t.Child(left, parse.FieldIndex))
	}
	if !ok || name == "" {
		return model.None, false
	}
	if b.isVoid(right) {
		return b.undefined(right), true // compilers announce their exports so
	}
	v := b.named(right, name)
	if name != "__esModule" && !(b.fn.Ops[v].Kind == model.Constant && b.fn.Ops[v].Const.Kind == model.Undefined) {
		b.exportValue(name, v, n)
	}
	return v, true
}

func (b *body) isVoid(n parse.Node) bool {
	return b.t.Kind(n) == parse.KindUnaryExpression && b.t.Operator(n) == "void"
}

// exportResult exports what a getter gives: a variable of the module, whatever is assigned to it later, or a value.
func (b *body) exportResult(name string, result, n parse.Node) {
	if b.t.Kind(result) == parse.KindIdentifier {
		if bd := b.sc.bound[result]; bd != nil && bd.scope == b.sc.module {
			b.exportBinding(name, bd)
			return
		}
	}
	b.exportValue(name, b.named(result, name), n)
}

// exportValue gives an export a value that has no variable of its own.
func (b *body) exportValue(name string, v model.ID, n parse.Node) {
	g, ok := b.commonJS[name]
	if !ok {
		g = b.newGlobal("exports."+name, n)
		b.commonJS[name] = g
		b.export(model.Export{Name: name, Global: g + 1})
		b.unit.Globals[g].Const = b.fn.Index == 0
	} else {
		b.unit.Globals[g].Const = false
	}
	b.op(model.Op{Kind: model.StoreGlobal, Ref: int32(g), Args: []model.ID{v}, Span: b.span(n)})
}

// exportWhole replaces the namespace object: `module.exports = v` and `export = v`. The value is the default export,
// and what is known of its properties is exported by name.
func (b *body) exportWhole(n parse.Node, v model.ID) {
	op := b.fn.Ops[v]
	if b.exportAllOf(v) {
		b.exportValue("default", v, n)
		return
	}
	b.exportValue("default", v, n)
	if op.Kind != model.Object {
		return
	}
	for i, p := range op.Parts {
		switch {
		case p.Spread:
			b.exportAllOf(op.Args[i])
		case p.KeyID == model.None && p.Key != "" && p.Key != "default" && !p.Getter:
			last := slices.IndexFunc(op.Parts[i+1:], func(q model.Part) bool { return q.Key == p.Key }) < 0
			if last {
				b.exportValue(p.Key, op.Args[i], n)
			}
		}
	}
}
