package typescript

import (
	"github.com/retrysafe/retrysafe/analyzers/model"
	"github.com/retrysafe/retrysafe/analyzers/typescript/parse"
)

// place is something that can be assigned to, with its parts evaluated.
type place struct {
	node    parse.Node
	binding *binding // a variable, or …
	global  bool     // … a name that nothing declares, or …
	object  model.ID // … a member of this
	name    string
	key     model.ID // None if the name says it
	flags   model.Flag
}

// place evaluates the parts of an assignment target. A target that is none is read only.
func (b *body) place(n parse.Node) place {
	t := b.t
	for {
		switch t.Kind(n) {
		case parse.KindParenthesizedExpression, parse.KindNonNullExpression, parse.KindAsExpression, parse.KindSatisfiesExpression,
			parse.KindTypeAssertion:
			n = b.inner(n)
			continue
		}
		break
	}
	p := place{node: n, object: model.None, key: model.None}
	switch t.Kind(n) {
	case parse.KindIdentifier, parse.KindShorthandPropertyIdentifierPattern, parse.KindShorthandPropertyIdentifier:
		p.binding = b.sc.bound[n]
		if p.binding == nil {
			p.global, p.name = true, t.Text(n)
		}
	case parse.KindMemberExpression, parse.KindSubscriptExpression:
		object := t.Child(n, parse.FieldObject)
		if t.Kind(object) == parse.KindSuper {
			p.flags = model.SuperMember
		}
		p.object = b.expr(object)
		if t.Kind(n) == parse.KindMemberExpression {
			p.name = b.propertyName(n)
		} else if key, ok := b.constantKey(t.Child(n, parse.FieldIndex)); ok {
			p.name = key
		} else {
			p.key = b.expr(t.Child(n, parse.FieldIndex))
		}
		if p.name == "" && p.key == model.None {
			p.key = b.constant(n, model.String, "")
		}
	default:
		b.note(n, "assignment target not understood")
		p.object = b.expr(n)
		p.key = b.unknown(n, "key")
	}
	return p
}

func (b *body) read(p place) model.ID {
	switch {
	case p.binding != nil:
		return b.load(p.binding, p.node)
	case p.global:
		return b.platform(p.node, p.name)
	}
	op := model.Op{Kind: model.Load, Flags: p.flags, Name: p.name, Args: []model.ID{p.object}, Span: b.span(p.node)}
	if p.key != model.None {
		op.Args = append(op.Args, p.key)
	}
	return b.op(op)
}

func (b *body) write(p place, v model.ID) {
	switch {
	case p.binding != nil:
		b.store(p.binding, v, p.node)
	case p.global:
		b.emitNamed(p.node, model.Store, p.name, b.emitNamed(p.node, model.External, "js"), v)
	case p.key != model.None:
		b.emit(p.node, model.Store, p.object, v, p.key)
	default:
		b.emitNamed(p.node, model.Store, p.name, p.object, v)
	}
}

// assign evaluates `left = right`.
func (b *body) assign(n parse.Node) model.ID {
	t := b.t
	left, right := t.Child(n, parse.FieldLeft), t.Child(n, parse.FieldRight)
	if v, ok := b.commonJSAssign(n, left, right); ok {
		return v
	}
	switch t.Kind(left) {
	case parse.KindObjectPattern, parse.KindArrayPattern, parse.KindObject, parse.KindArray:
		v := b.expr(right)
		b.bind(left, v)
		return v
	}
	p := b.place(left)
	v := b.named(right, b.targetName(left))
	b.write(p, v)
	return v
}

// targetName is the name that a function gets from the target it is assigned to.
func (b *body) targetName(left parse.Node) string {
	t := b.t
	switch t.Kind(left) {
	case parse.KindIdentifier:
		return t.Text(left)
	case parse.KindMemberExpression:
		name := b.propertyName(left)
		if object := b.targetName(t.Child(left, parse.FieldObject)); object != "" {
			return object + "." + name
		}
		return name
	case parse.KindSubscriptExpression:
		if key, ok := b.constantKey(t.Child(left, parse.FieldIndex)); ok {
			if object := b.targetName(t.Child(left, parse.FieldObject)); object != "" {
				return object + "." + label(key)
			}
			return label(key)
		}
	}
	return ""
}

// augment evaluates `left op= right`; the logical ones assign on one path only.
func (b *body) augment(n parse.Node) model.ID {
	t := b.t
	left, right := t.Child(n, parse.FieldLeft), t.Child(n, parse.FieldRight)
	op := t.Operator(n)
	p := b.place(left)
	old := b.read(p)
	if len(op) < 2 || op[len(op)-1] != '=' {
		b.note(n, "operator not understood")
		return b.unknown(n, "operator")
	}
	op = op[:len(op)-1]
	if !isLogical(op) {
		v := b.expr(right)
		if op == "+" && (b.isText(old) || b.isText(v)) {
			v = b.emit(n, model.Concat, old, v)
		} else {
			v = b.emitNamed(n, model.Binary, op, old, v)
		}
		b.write(p, v)
		return v
	}
	j, next := b.newJoin(), b.newBlock()
	j.from = append(j.from, incoming{b.cur, old})
	b.shortcut(n, op, old, next, j.block)
	b.enter(next)
	v := b.named(right, b.targetName(left))
	b.write(p, v)
	b.arrive(j, n, v)
	return b.meet(j, n)
}

// bind takes a value apart along a pattern, declaring or assigning its names.
func (b *body) bind(p parse.Node, v model.ID) {
	b.depth++
	defer func() { b.depth-- }()
	if b.depth > maxDepth {
		b.tooDeep(p)
		return
	}
	t := b.t
	switch t.Kind(p) {
	case parse.KindIdentifier, parse.KindShorthandPropertyIdentifierPattern, parse.KindShorthandPropertyIdentifier:
		if bd := b.sc.bound[p]; bd != nil {
			b.store(bd, v, p)
		} else {
			b.write(b.place(p), v)
		}
	case parse.KindObjectPattern, parse.KindObject:
		b.bindObject(p, v)
	case parse.KindArrayPattern, parse.KindArray:
		b.bindArray(p, v)
	case parse.KindAssignmentPattern, parse.KindObjectAssignmentPattern, parse.KindAssignmentExpression:
		left := t.Child(p, parse.FieldLeft)
		b.bind(left, b.withDefault(v, t.Child(p, parse.FieldRight), p, b.patternName(left)))
	case parse.KindRestPattern, parse.KindSpreadElement:
		b.bind(b.inner(p), v)
	case parse.KindError, parse.KindMissing, parse.KindElision, parse.KindNone:
	case parse.KindUndefined: // a parameter of that name, which old scripts declare
	default:
		b.write(b.place(p), v)
	}
}

func (b *body) bindObject(p parse.Node, v model.ID) {
	t := b.t
	var taken []string // the constant keys so far, for a rest element
	for c := range t.Children(p) {
		switch t.Kind(c) {
		case parse.KindShorthandPropertyIdentifierPattern, parse.KindShorthandPropertyIdentifier, parse.KindIdentifier:
			name := b.identifierText(c)
			taken = append(taken, name)
			b.bind(c, b.emitNamed(c, model.Load, name, v))
		case parse.KindObjectAssignmentPattern, parse.KindAssignmentPattern, parse.KindAssignmentExpression:
			name := b.identifierText(t.Child(c, parse.FieldLeft))
			taken = append(taken, name)
			b.bind(c, b.emitNamed(t.Child(c, parse.FieldLeft), model.Load, name, v))
		case parse.KindPairPattern, parse.KindPair:
			key := b.key(t.Child(c, parse.FieldKey))
			op := model.Op{Kind: model.Load, Name: key.name, Args: []model.ID{v}, Span: b.span(t.Child(c, parse.FieldKey))}
			if key.id != model.None {
				op.Args = append(op.Args, key.id)
			} else {
				taken = append(taken, key.name)
			}
			b.bind(t.Child(c, parse.FieldValue), b.op(op))
		case parse.KindRestPattern, parse.KindSpreadElement:
			b.bind(b.inner(c), b.rest(c, v, taken))
		}
	}
}

// rest is a copy of an object without some of its properties: they are spread and then undefined.
func (b *body) rest(n parse.Node, v model.ID, taken []string) model.ID {
	op := model.Op{Kind: model.Object, Args: []model.ID{v}, Parts: []model.Part{{Spread: true, KeyID: model.None, Span: b.span(n)}}, Span: b.span(n)}
	for _, name := range taken {
		op.Args = append(op.Args, b.undefined(n))
		op.Parts = append(op.Parts, model.Part{Key: name, KeyID: model.None, Span: b.span(n)})
	}
	return b.op(op)
}

func (b *body) bindArray(p parse.Node, v model.ID) {
	t := b.t
	i := 0
	for c := range t.Children(p) {
		switch t.Kind(c) {
		case parse.KindError, parse.KindMissing:
			continue
		case parse.KindElision:
		case parse.KindRestPattern, parse.KindSpreadElement:
			rest := b.op(model.Op{Kind: model.Array, Args: []model.ID{v}, Parts: []model.Part{{Spread: true, KeyID: model.None, Span: b.span(c)}}, Span: b.span(c)})
			b.bind(b.inner(c), rest)
		default:
			b.bind(c, b.emitNamed(c, model.Load, itoa(i), v))
		}
		i++
	}
}
