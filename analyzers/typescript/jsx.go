package typescript

import (
	"strings"

	"github.com/retrysafe/retrysafe/analyzers/model"
	"github.com/retrysafe/retrysafe/analyzers/typescript/parse"
)

// jsx evaluates an element as a call of its component with an object of properties. An element of
// the platform is a call of js#JSX.NAME, a fragment the array of its children.
func (b *body) jsx(n parse.Node) model.ID {
	t := b.t
	open := n
	if t.Kind(n) == parse.KindJSXElement {
		open = t.Child(n, parse.FieldOpenTag)
	}
	tag := t.Child(open, parse.FieldName)
	if tag == parse.NoNode && t.Kind(n) == parse.KindJSXElement {
		return b.emit(n, model.Array, b.jsxChildren(n, open)...)
	}
	var component model.ID
	name := t.Text(tag)
	switch {
	case t.Kind(tag) == parse.KindIdentifier && isIntrinsic(name), t.Kind(tag) == parse.KindJSXNamespaceName:
		ns := b.emitNamed(tag, model.Load, "JSX", b.emitNamed(tag, model.External, "js"))
		component = b.emitNamed(tag, model.Load, name, ns)
	default:
		component = b.expr(tag)
	}
	props := model.Op{Kind: model.Object, Span: b.span(open)}
	add := func(c parse.Node, v model.ID, part model.Part) {
		part.KeyID, part.Span = model.None, b.span(c)
		props.Args = append(props.Args, v)
		props.Parts = append(props.Parts, part)
	}
	for a := range t.Children(open) {
		switch t.Kind(a) {
		case parse.KindJSXAttribute:
			key := t.Text(t.Nth(a, 0))
			v := t.Nth(a, 1)
			if v == parse.NoNode {
				add(a, b.constant(a, model.Bool, "true"), model.Part{Key: key})
				continue
			}
			add(a, b.jsxValue(v, name+"."+key), model.Part{Key: key})
		case parse.KindJSXExpression:
			add(a, b.expr(b.inner(b.inner(a))), model.Part{Spread: true})
		}
	}
	if children := b.jsxChildren(n, open); len(children) == 1 {
		add(n, children[0], model.Part{Key: "children"})
	} else if len(children) > 1 {
		add(n, b.emit(n, model.Array, children...), model.Part{Key: "children"})
	}
	return b.emit(n, model.Call, component, b.op(props))
}

func (b *body) jsxValue(n parse.Node, name string) model.ID {
	if b.t.Kind(n) == parse.KindJSXExpression {
		if c := b.inner(n); c != parse.NoNode {
			return b.named(c, name)
		}
	}
	return b.named(n, name)
}

func (b *body) jsxChildren(n, open parse.Node) []model.ID {
	if n == open {
		return nil
	}
	t := b.t
	var out []model.ID
	for c := range t.Children(n) {
		switch t.Kind(c) {
		case parse.KindJSXOpeningElement, parse.KindJSXClosingElement, parse.KindError, parse.KindMissing:
		case parse.KindJSXText, parse.KindHTMLCharacterReference:
			if text := strings.TrimSpace(t.Text(c)); text != "" {
				out = append(out, b.constant(c, model.String, entities(text)))
			}
		case parse.KindJSXExpression:
			if inner := b.inner(c); inner != parse.NoNode {
				out = append(out, b.expr(inner))
			}
		default:
			out = append(out, b.expr(c))
		}
	}
	return out
}
