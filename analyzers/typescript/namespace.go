package typescript

import (
	"strconv"

	"github.com/retrysafe/retrysafe/analyzers/model"
	"github.com/retrysafe/retrysafe/analyzers/typescript/parse"
)

// enum lowers an enum to an object of its members.
func (b *body) enum(n parse.Node) {
	t := b.t
	name := t.Child(n, parse.FieldName)
	outer := b.members
	b.members = make(map[string]model.ID)
	op := model.Op{Kind: model.Object, Span: b.span(n)}
	next, counted := 0, true // the value of a member without initialiser
	for c := range t.Children(t.Child(n, parse.FieldBody)) {
		key, v := c, model.None
		switch t.Kind(c) {
		case parse.KindEnumAssignment:
			key = t.Child(c, parse.FieldName)
			v = b.expr(t.Child(c, parse.FieldValue))
			k := b.fn.Ops[v].Const
			i, err := strconv.Atoi(k.Text)
			counted = k.Kind == model.Number && err == nil
			next = i + 1
		case parse.KindPropertyIdentifier, parse.KindString, parse.KindComputedPropertyName, parse.KindIdentifier, parse.KindNumber:
			if counted {
				v = b.constant(c, model.Number, itoa(next))
			} else {
				v = b.unknown(c, "enum member")
			}
			next++
		default:
			continue
		}
		k := b.keyLabel(key)
		b.members[k] = v
		op.Args = append(op.Args, v)
		op.Parts = append(op.Parts, model.Part{Key: k, KeyID: model.None, Span: b.span(c)})
	}
	b.members = outer
	v := b.op(op)
	if bd := b.sc.bound[name]; bd != nil {
		b.store(bd, v, name)
	}
}

// namespaceRoot is the identifier A of a namespace A.B.
func (l *lowering) namespaceRoot(n parse.Node) parse.Node {
	id := l.t.Child(n, parse.FieldName)
	for l.t.Kind(id) == parse.KindMemberExpression {
		id = l.t.Child(id, parse.FieldObject)
	}
	return id
}

// space is a namespace whose body is being lowered.
type space struct {
	object model.ID
}

// namespace lowers the body of a namespace in place: its variables are locals, and what it
// exports is stored into the namespace object as well.
func (b *body) namespace(n parse.Node) {
	t := b.t
	var names []parse.Node // A.B.C
	id := t.Child(n, parse.FieldName)
	for t.Kind(id) == parse.KindMemberExpression {
		names = append([]parse.Node{t.Child(id, parse.FieldProperty)}, names...)
		id = t.Child(id, parse.FieldObject)
	}
	bd := b.sc.bound[id]
	if bd == nil {
		b.unknown(n, "namespace")
		return
	}
	var object model.ID
	if bd.decl == id {
		object = b.emit(n, model.Object)
		b.store(bd, object, id)
	} else {
		object = b.load(bd, id)
	}
	path, types := b.path, len(b.spaces)
	b.path = joinName(b.path, t.Text(id))
	b.typePath = append(b.typePath, t.Text(id))
	if len(b.spaces) > 0 && t.Kind(t.Parent(n)) == parse.KindExportStatement {
		b.emitNamed(n, model.Store, bd.name, b.spaces[len(b.spaces)-1].object, object)
	}
	for _, c := range names {
		inner := b.emit(c, model.Object)
		b.emitNamed(c, model.Store, t.Text(c), object, inner)
		object = inner
		b.path = joinName(b.path, t.Text(c))
		b.typePath = append(b.typePath, t.Text(c))
	}
	b.spaces = append(b.spaces, space{object})
	if body := t.Child(n, parse.FieldBody); body != parse.NoNode {
		b.block(body)
	}
	b.spaces = b.spaces[:types]
	b.path = path
	b.typePath = b.typePath[:len(b.typePath)-1-len(names)]
}
