package typescript

import (
	"strings"

	"github.com/retrysafe/retrysafe/analyzers/model"
	"github.com/retrysafe/retrysafe/analyzers/typescript/parse"
)

// chained evaluates members, subscripts and calls. Where the chain has a `?.`, what follows it is
// skipped when the value before it is null or undefined, and the whole chain is undefined then.
func (b *body) chained(n parse.Node, name string) model.ID {
	skip := model.NoBlock
	v := b.spine(n, name, &skip)
	if skip == model.NoBlock {
		return v
	}
	j := b.newJoin()
	b.arrive(j, n, v)
	b.enter(skip)
	b.arrive(j, n, b.undefined(n))
	return b.meet(j, n)
}

// spine evaluates a chain from its innermost part outwards, without recursion because builder chains
// get long. skip is the block to go to when a `?.` finds nothing; it is made if it is needed and missing.
func (b *body) spine(n parse.Node, name string, skip *model.BlockID) model.ID {
	t := b.t
	var links []parse.Node
	base, awaited := n, false
walk:
	for {
		next := parse.NoNode
		switch t.Kind(base) {
		case parse.KindMemberExpression, parse.KindSubscriptExpression:
			next = t.Child(base, parse.FieldObject)
		case parse.KindCallExpression:
			next = t.Child(base, parse.FieldFunction)
		case parse.KindNonNullExpression, parse.KindInstantiationExpression:
			next = b.inner(base)
		case parse.KindAwaitExpression:
			// The grammar reads `await f<T>(x)` as a call of `await f`; an await whose value is called stands in parentheses, which are a node of their own.
			if len(links) == 0 {
				break walk
			}
			awaited = true
			base = b.inner(base)
			continue
		default:
			break walk
		}
		links = append(links, base)
		base = next
	}
	v, done := b.chainStart(base, links)
	for i := len(links) - 1 - done; i >= 0; i-- {
		at := links[i]
		own := ""
		if i == 0 {
			own = name
		}
		optional := t.Has(at, parse.KindOptionalChain)
		if optional {
			if *skip == model.NoBlock {
				*skip = b.newBlock()
			}
			next := b.newBlock()
			b.branch(at, b.isNullish(at, v), *skip, next)
			b.enter(next)
		}
		var flags model.Flag
		if optional {
			flags = model.Optional
		}
		switch t.Kind(at) {
		case parse.KindMemberExpression:
			v = b.op(model.Op{Kind: model.Load, Flags: flags, Name: b.propertyName(at), Args: []model.ID{v}, Span: b.span(at)})
		case parse.KindSubscriptExpression:
			op := model.Op{Kind: model.Load, Flags: flags, Args: []model.ID{v}, Span: b.span(at)}
			if key, ok := b.constantKey(t.Child(at, parse.FieldIndex)); ok {
				op.Name = key
			} else {
				op.Args = append(op.Args, b.expr(t.Child(at, parse.FieldIndex)))
			}
			v = b.op(op)
		case parse.KindCallExpression:
			if c, ok := b.compiled(at); ok {
				v = c
			} else {
				v = b.call(at, v, flags, own)
			}
		}
	}
	if awaited {
		b.awaits()
		return b.emit(n, model.Await, v)
	}
	return v
}

// chainStart evaluates the base of a chain, and the links next to it where the two mean something together. It gives the
// number of links that it has used up.
func (b *body) chainStart(base parse.Node, links []parse.Node) (v model.ID, used int) {
	t := b.t
	first := parse.NoNode
	if len(links) > 0 {
		first = links[len(links)-1]
	}
	switch t.Kind(base) {
	case parse.KindSuper:
		switch t.Kind(first) {
		case parse.KindCallExpression:
			args, parts := b.callArguments(first, "super")
			return b.op(model.Op{Kind: model.Call, Flags: model.Super, Args: append([]model.ID{b.this(base)}, args...), Parts: parts, Span: b.span(first)}), 1
		case parse.KindMemberExpression:
			return b.op(model.Op{Kind: model.Load, Flags: model.SuperMember, Name: b.propertyName(first), Args: []model.ID{b.this(base)}, Span: b.span(first)}), 1
		case parse.KindSubscriptExpression:
			key, ok := b.constantKey(t.Child(first, parse.FieldIndex))
			op := model.Op{Kind: model.Load, Flags: model.SuperMember, Name: key, Args: []model.ID{b.this(base)}, Span: b.span(first)}
			if !ok {
				op.Args = append(op.Args, b.expr(t.Child(first, parse.FieldIndex)))
			}
			return b.op(op), 1
		}
	case parse.KindImport:
		if t.Kind(first) == parse.KindMemberExpression { // import.meta
			return b.emitNamed(first, model.Load, "import."+b.propertyName(first), b.emitNamed(base, model.External, "js")), 1
		}
		if ns, ok := b.dynamicImport(first); ok {
			// Code that keeps the promise sees one: Promise.resolve(namespace).
			promise := b.emitNamed(base, model.Load, "Promise", b.emitNamed(base, model.External, "js"))
			return b.emit(first, model.Call, b.emitNamed(base, model.Load, "resolve", promise), ns), 1
		}
		if t.Kind(first) == parse.KindCallExpression {
			b.callArguments(first, "import")
			return b.unknown(first, "import"), 1
		}
	case parse.KindIdentifier:
		if v, ok := b.commonJSValue(base, first); ok {
			return v, 1
		}
	}
	return b.expr(base), 0
}

// propertyName is the constant name in a member expression.
func (b *body) propertyName(n parse.Node) string {
	return b.identifierText(b.t.Child(n, parse.FieldProperty))
}

// identifierText reads a name, with its unicode escapes.
func (b *body) identifierText(n parse.Node) string { return unescape(b.t.Text(n)) }

// constantKey is the key of a subscript or computed property where it is a literal. The empty key counts
// as computed, because an empty Name means something else.
func (b *body) constantKey(n parse.Node) (string, bool) {
	switch b.t.Kind(n) {
	case parse.KindString:
		s := b.stringValue(n)
		return s, s != ""
	case parse.KindNumber:
		_, s := numberValue(b.t.Text(n))
		return s, true
	case parse.KindTemplateString:
		if texts, holes := b.templateParts(n); len(holes) == 0 {
			s := unescape(texts[0].text)
			return s, s != ""
		}
	}
	return "", false
}

// call emits a call of a value that has been evaluated.
func (b *body) call(n parse.Node, callee model.ID, flags model.Flag, name string) model.ID {
	args := b.t.Child(n, parse.FieldArguments)
	if b.t.Kind(args) == parse.KindTemplateString {
		return b.tagged(n, args, callee, flags)
	}
	if name == "" {
		name = b.callName(n)
	}
	values, parts := b.callArguments(n, name)
	return b.op(model.Op{Kind: model.Call, Flags: flags, Args: append([]model.ID{callee}, values...), Parts: parts, Span: b.span(n)})
}

func (b *body) tagged(n, tpl parse.Node, callee model.ID, flags model.Flag) model.ID {
	texts, holes := b.templateParts(tpl)
	pieces := make([]model.ID, len(texts))
	for i, p := range texts {
		pieces[i] = b.piece(p)
	}
	args := []model.ID{callee, b.emit(tpl, model.Array, pieces...)}
	for _, h := range holes {
		args = append(args, b.expr(b.inner(h)))
	}
	return b.op(model.Op{Kind: model.Call, Flags: flags | model.Tagged, Args: args, Span: b.span(n)})
}

// callArguments evaluates the arguments of a call or new expression.
func (b *body) callArguments(n parse.Node, name string) (values []model.ID, parts []model.Part) {
	t := b.t
	list := t.Child(n, parse.FieldArguments)
	for c := range t.Children(list) {
		switch t.Kind(c) {
		case parse.KindError, parse.KindMissing, parse.KindElision:
			continue
		case parse.KindSpreadElement:
			if parts == nil {
				parts = make([]model.Part, len(values), len(values)+1)
				for i := range parts {
					parts[i].KeyID = model.None
				}
			}
			parts = append(parts, model.Part{Spread: true, KeyID: model.None, Span: b.span(c)})
			values = append(values, b.named(b.inner(c), name))
			continue
		}
		if parts != nil {
			parts = append(parts, model.Part{KeyID: model.None})
		}
		values = append(values, b.named(c, name))
	}
	return values, parts
}

// callName is the name that functions among a call's arguments get: the last name of the callee, and the first
// argument where it is a literal text or a name.
func (b *body) callName(n parse.Node) string {
	t := b.t
	callee := t.Child(n, parse.FieldFunction)
	if callee == parse.NoNode {
		callee = t.Child(n, parse.FieldConstructor)
	}
	for {
		switch t.Kind(callee) {
		case parse.KindNonNullExpression, parse.KindInstantiationExpression, parse.KindParenthesizedExpression, parse.KindAsExpression:
			callee = b.inner(callee)
			continue
		}
		break
	}
	name := ""
	switch t.Kind(callee) {
	case parse.KindIdentifier:
		name = t.Text(callee)
	case parse.KindMemberExpression:
		name = b.propertyName(callee)
	case parse.KindSubscriptExpression:
		if key, ok := b.constantKey(t.Child(callee, parse.FieldIndex)); ok {
			name = key
		}
	}
	switch arg := t.Nth(t.Child(n, parse.FieldArguments), 0); t.Kind(arg) {
	case parse.KindString, parse.KindTemplateString:
		if text, ok := b.constantKey(arg); ok {
			name += "(" + label(text) + ")"
		}
	case parse.KindIdentifier:
		name += "(" + label(t.Text(arg)) + ")"
	case parse.KindMemberExpression:
		name += "(" + label(b.propertyName(arg)) + ")"
	}
	return name
}

// label shortens a text so that it can be a part of a function's name.
func label(s string) string {
	const most = 40
	clean := strings.Map(func(r rune) rune {
		if r < ' ' || r == '(' || r == ')' || r == '#' || r == 0x7f {
			return '_'
		}
		return r
	}, s)
	for i := range clean {
		if i >= most {
			return clean[:i]
		}
	}
	return clean
}

// construct evaluates `new F(...)`.
func (b *body) construct(n parse.Node, name string) model.ID {
	callee := b.expr(b.t.Child(n, parse.FieldConstructor))
	if name == "" {
		name = b.callName(n)
	}
	values, parts := b.callArguments(n, name)
	return b.op(model.Op{Kind: model.Call, Flags: model.New, Args: append([]model.ID{callee}, values...), Parts: parts, Span: b.span(n)})
}
