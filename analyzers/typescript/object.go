package typescript

import (
	"strconv"

	"github.com/retrysafe/retrysafe/analyzers/model"
	"github.com/retrysafe/retrysafe/analyzers/typescript/parse"
)

func itoa(i int) string { return strconv.Itoa(i) }

// key is a property key: a constant name, or a computed value.
type key struct {
	name string
	id   model.ID // None for a constant
}

// key evaluates a property key.
func (b *body) key(n parse.Node) key {
	t := b.t
	switch t.Kind(n) {
	case parse.KindComputedPropertyName:
		inner := b.inner(n)
		if s, ok := b.constantKey(inner); ok {
			return key{s, model.None}
		}
		return key{"", b.expr(inner)}
	case parse.KindString:
		s := b.stringValue(n)
		if s == "" {
			return key{"", b.constant(n, model.String, "")}
		}
		return key{s, model.None}
	case parse.KindNumber:
		_, s := numberValue(t.Text(n))
		return key{s, model.None}
	case parse.KindNone, parse.KindError, parse.KindMissing:
		return key{"", b.unknown(n, "key")}
	}
	return key{b.identifierText(n), model.None}
}

// keyLabel names a key for the names of functions, without evaluating it.
func (b *body) keyLabel(n parse.Node) string {
	t := b.t
	switch t.Kind(n) {
	case parse.KindComputedPropertyName:
		inner := b.inner(n)
		if s, ok := b.constantKey(inner); ok {
			return label(s)
		}
		return "[" + label(t.Text(inner)) + "]"
	case parse.KindString:
		return label(b.stringValue(n))
	}
	return b.identifierText(n)
}

func member(name, key string) string {
	if name == "" {
		return key
	}
	return name + "." + key
}

// object evaluates an object literal.
func (b *body) object(n parse.Node, name string) model.ID {
	t := b.t
	if name != "" && !b.isNamed(n) {
		if own := b.ownName(n); own != "" {
			name += "(" + label(own) + ")"
		}
	}
	op := model.Op{Kind: model.Object, Span: b.span(n)}
	add := func(c parse.Node, k key, v model.ID, part model.Part) {
		part.Key, part.KeyID, part.Span = k.name, k.id, b.span(c)
		op.Args = append(op.Args, v)
		op.Parts = append(op.Parts, part)
	}
	for c := range t.Children(n) {
		switch t.Kind(c) {
		case parse.KindPair:
			kn := t.Child(c, parse.FieldKey)
			k := b.key(kn)
			add(c, k, b.named(t.Child(c, parse.FieldValue), member(name, b.keyLabel(kn))), model.Part{})
		case parse.KindShorthandPropertyIdentifier, parse.KindIdentifier:
			add(c, key{b.identifierText(c), model.None}, b.expr(c), model.Part{})
		case parse.KindSpreadElement:
			add(c, key{"", model.None}, b.expr(b.inner(c)), model.Part{Spread: true})
		case parse.KindMethodDefinition:
			kn := t.Child(c, parse.FieldName)
			k := b.key(kn)
			label := member(name, b.keyLabel(kn))
			switch {
			case t.Has(c, parse.TokenGet):
				add(c, k, b.closure(c, label+".get"), model.Part{Getter: true})
			case t.Has(c, parse.TokenSet):
				v := b.closure(c, label+".set")
				if k.id == model.None {
					add(c, key{model.SetterKey(k.name), model.None}, v, model.Part{})
				}
			default:
				add(c, k, b.closure(c, label), model.Part{})
			}
		case parse.KindObjectAssignmentPattern, parse.KindAssignmentExpression:
			b.expr(t.Child(c, parse.FieldRight))
		case parse.KindError:
			add(c, key{"", model.None}, b.unknown(c, "syntax error"), model.Part{Spread: true})
		}
	}
	return b.op(op)
}

// isNamed reports whether an object literal has a place of its own, so that its name is unique without help.
func (b *body) isNamed(n parse.Node) bool {
	switch b.t.Kind(b.t.Parent(n)) {
	case parse.KindArray, parse.KindArguments:
		return false
	}
	return true
}

// ownName is the literal `name` or `id` of an object: what tells the rows of a table apart.
func (b *body) ownName(n parse.Node) string {
	t := b.t
	id := ""
	for c := range t.Children(n) {
		if t.Kind(c) != parse.KindPair {
			continue
		}
		v := t.Child(c, parse.FieldValue)
		if t.Kind(v) != parse.KindString {
			continue
		}
		switch b.keyLabel(t.Child(c, parse.FieldKey)) {
		case "name":
			return b.stringValue(v)
		case "id":
			id = b.stringValue(v)
		}
	}
	return id
}

// array evaluates an array literal.
func (b *body) array(n parse.Node, name string) model.ID {
	t := b.t
	op := model.Op{Kind: model.Array, Span: b.span(n)}
	spread := false
	var parts []model.Part
	for c := range t.Children(n) {
		part := model.Part{KeyID: model.None}
		switch t.Kind(c) {
		case parse.KindElision:
			op.Args = append(op.Args, model.None)
		case parse.KindMissing:
			continue
		case parse.KindSpreadElement:
			part.Spread, part.Span, spread = true, b.span(c), true
			op.Args = append(op.Args, b.named(b.inner(c), name))
		default:
			op.Args = append(op.Args, b.named(c, name))
		}
		parts = append(parts, part)
	}
	if spread {
		op.Parts = parts
	}
	return b.op(op)
}
