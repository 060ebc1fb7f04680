package typescript

import (
	"slices"
	"strings"

	"github.com/retrysafe/retrysafe/analyzers/model"
	"github.com/retrysafe/retrysafe/analyzers/typescript/parse"
)

// classDeclaration lowers a class statement.
func (b *body) classDeclaration(n parse.Node) {
	name := b.t.Child(n, parse.FieldName)
	v := b.class(n, "")
	if name == parse.NoNode {
		return
	}
	if bd := b.sc.bound[name]; bd != nil {
		b.store(bd, v, name)
	}
	b.decorate(n, v)
}

// typeName is the name of the type that a class became.
func (b *body) typeName(n parse.Node) string {
	if i, ok := b.classes[n]; ok {
		return b.unit.Types[i].Name
	}
	return ""
}

// class evaluates a class. A class expression takes its name from its place if it has none.
func (b *body) class(n parse.Node, name string) model.ID {
	t := b.t
	info := b.sc.class[n]
	if info == nil {
		return b.unknown(n, "class")
	}
	base := b.baseClass(n)
	self := info.self
	inner := self != nil && self.kind == selfBinding && self.store == inCell
	if inner {
		b.allocate(self)
	}
	index, ok := b.classes[n]
	if !ok {
		if own := t.Child(n, parse.FieldName); own != parse.NoNode {
			name = t.Text(own)
		}
		index = b.declareClass(n, name, info)
	}
	args := append([]model.ID{base}, b.captured(info.captures.list, n)...)
	v := b.op(model.Op{Kind: model.Class, Ref: int32(index), Args: args, Span: b.span(n)})
	if inner {
		b.emit(n, model.Store, b.values[self], v)
	}
	if t.Kind(n) == parse.KindClass {
		b.decorate(n, v)
	}
	return v
}

// baseClass evaluates what a class extends.
func (b *body) baseClass(n parse.Node) model.ID {
	if base := b.heritage(n); base != parse.NoNode {
		return b.expr(base)
	}
	return model.None
}

// heritage is the expression behind `extends`.
func (l *lowering) heritage(n parse.Node) parse.Node {
	t := l.t
	h := t.ChildOf(n, parse.KindClassHeritage)
	for c := range t.Children(h) {
		switch t.Kind(c) {
		case parse.KindExtendsClause:
			return t.Child(c, parse.FieldValue)
		case parse.KindImplementsClause:
		default:
			return c
		}
	}
	return parse.NoNode
}

// declareClass adds the type of a class and lowers its members.
func (b *body) declareClass(n parse.Node, name string, info *classInfo) int {
	t := b.t
	full := joinName(b.path, orElse(name, "class"))
	decl, index := b.newClassType(full, n)
	b.classes[n] = index
	b.localTypes[name] = decl.Name
	decl.Abstract = t.Kind(n) == parse.KindAbstractClassDeclaration
	b.classBases(decl, n)

	type method struct {
		f    *model.Func
		node parse.Node
	}
	var methods []method
	var fields, statics []parse.Node
	var overloads []model.Member
	outer := b.outerOf(len(info.captures.list))
	for c := range t.Children(t.Child(n, parse.FieldBody)) {
		m := model.Member{Static: t.Has(c, parse.TokenStatic), Span: b.span(c), Optional: t.Has(c, parse.TokenQuestion)}
		switch t.Kind(c) {
		case parse.KindMethodDefinition:
			if b.sc.funcs[c] == nil {
				continue
			}
			m.Name, m.Kind = b.keyLabel(t.Child(c, parse.FieldName)), model.MethodMember
			suffix := ""
			switch {
			case t.Has(c, parse.TokenGet):
				m.Kind, suffix = model.GetterMember, ".get"
			case t.Has(c, parse.TokenSet):
				m.Kind, suffix = model.SetterMember, ".set"
			}
			f := b.reserve(c, decl.Name+"."+m.Name+suffix, outer)
			f.Type = index + 1
			b.index[c] = f.Index
			methods = append(methods, method{f, c})
			if m.Name == "constructor" && !m.Static {
				decl.Ctor = f.Index
				b.propertyMembers(decl, c)
				continue
			}
			m.Func, m.Type = f.Index, b.resultType(c)
			decl.Members = append(decl.Members, m)
		case parse.KindFieldDefinition:
			m.Name, m.Kind, m.Type = b.keyLabel(t.Child(c, parse.FieldName)), model.FieldMember, b.annotation(c)
			if m.Type == nil {
				m.Type = b.docOf(c).typ()
			}
			decl.Members = append(decl.Members, m)
			if t.Child(c, parse.FieldValue) == parse.NoNode {
				continue
			}
			if m.Static {
				statics = append(statics, c)
			} else {
				fields = append(fields, c)
			}
		case parse.KindClassStaticBlock:
			statics = append(statics, c)
		case parse.KindMethodSignature, parse.KindAbstractMethodSignature:
			m.Name, m.Kind, m.Type = b.keyLabel(t.Child(c, parse.FieldName)), model.MethodMember, b.resultType(c)
			if m.Name != "constructor" {
				overloads = append(overloads, m)
			}
		}
	}
	for _, m := range overloads {
		if !slices.ContainsFunc(decl.Members, func(o model.Member) bool { return o.Name == m.Name && o.Static == m.Static }) {
			decl.Members = append(decl.Members, m)
		}
	}
	sortMembers(decl.Members)
	for _, m := range methods {
		b.fill(m.f, m.node, b.sc.funcs[m.node])
	}
	if len(fields) > 0 {
		decl.FieldInit = b.initialiser(n, info.fields, decl.Name, "[fields]", index, fields)
	}
	if len(statics) > 0 {
		decl.StaticInit = b.initialiser(n, info.statics, decl.Name, "[static]", index, statics)
	}
	return index
}

func orElse(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

func sortMembers(m []model.Member) {
	slices.SortStableFunc(m, func(x, y model.Member) int {
		if c := strings.Compare(x.Name, y.Name); c != 0 {
			return c
		}
		return int(x.Kind) - int(y.Kind)
	})
}

// newClassType adds a type for a class. An interface of the same name describes the same values and merges.
func (l *lowering) newClassType(name string, n parse.Node) (*model.TypeDecl, int) {
	for i, d := range l.unit.Types {
		if !l.added[name] {
			break
		}
		if d.Name == name && d.Kind == model.InterfaceType {
			d.Kind, d.Span = model.ClassType, l.span(n)
			return d, i
		}
	}
	d := &model.TypeDecl{Name: l.uniqueType(name), Kind: model.ClassType, Span: l.span(n)}
	l.unit.Types = append(l.unit.Types, d)
	return d, len(l.unit.Types) - 1
}

// initialiser makes the function that stores the initial values of fields and runs static blocks.
func (b *body) initialiser(n parse.Node, info *funcInfo, class, name string, index int, members []parse.Node) int {
	t := b.t
	list := b.sc.class[n].captures.list
	f := b.reserve(n, class+"."+name, b.outerOf(len(list)))
	f.Type, f.This = index+1, true
	in := b.newBody(f, info)
	in.depth, in.path = b.depth, class
	in.receive(list, n)
	in.bounded(n)
	this := in.receiver(n)
	for _, m := range members {
		if t.Kind(m) == parse.KindClassStaticBlock {
			if sc := b.sc.at[m]; sc != nil {
				in.enterScope(sc)
			}
			if body := t.Child(m, parse.FieldBody); in.cur != model.NoBlock {
				in.block(body)
			}
			continue
		}
		kn := t.Child(m, parse.FieldName)
		first := len(in.fn.Ops)
		v := in.typed(in.named(t.Child(m, parse.FieldValue), in.keyLabel(kn)), in.annotation(m), first, m)
		if k := in.key(kn); k.id != model.None {
			in.emit(m, model.Store, this, v, k.id)
		} else {
			in.emitNamed(m, model.Store, k.name, this, v)
		}
	}
	in.finish(n)
	return f.Index
}

// propertyMembers adds the fields that a constructor declares by its parameters.
func (b *body) propertyMembers(decl *model.TypeDecl, ctor parse.Node) {
	t := b.t
	for p := range t.Children(t.Child(ctor, parse.FieldParameters)) {
		if id := t.Child(p, parse.FieldPattern); isParameterProperty(t, p) && t.Kind(id) == parse.KindIdentifier {
			decl.Members = append(decl.Members, model.Member{
				Name: t.Text(id), Kind: model.FieldMember, Type: b.annotation(p), Span: b.span(p),
			})
		}
	}
}

// decorate applies the decorators of a class and its members.
func (b *body) decorate(n parse.Node, class model.ID) {
	t := b.t
	defer func(path string) { b.path = path }(b.path)
	b.path = b.typeName(n)
	var pending []parse.Node
	for c := range t.Children(t.Child(n, parse.FieldBody)) {
		if t.Kind(c) == parse.KindDecorator {
			pending = append(pending, c)
			continue
		}
		own := append(pending, b.decorators(c)...)
		pending = nil
		name := t.Child(c, parse.FieldName)
		if name == parse.NoNode {
			continue
		}
		member := b.keyLabel(name)
		b.applyDecorators(own, class, member, 0)
		b.decorateParameters(c, class, member)
	}
	var own []parse.Node
	if p := t.Parent(n); t.Kind(p) == parse.KindExportStatement {
		own = b.decorators(p)
	}
	b.applyDecorators(append(own, b.decorators(n)...), class, "", 0)
}

// decorators lists the decorators that stand directly below a node, outermost first.
func (l *lowering) decorators(n parse.Node) []parse.Node {
	var list []parse.Node
	for c := range l.t.Children(n) {
		if l.t.Kind(c) == parse.KindDecorator {
			list = append(list, c)
		}
	}
	return list
}

// applyDecorators emits the calls in the order in which they happen: innermost first.
func (b *body) applyDecorators(list []parse.Node, class model.ID, member string, param int) {
	values := make([]model.ID, len(list))
	for i, d := range list {
		values[i] = b.named(b.inner(d), b.decoratorScope(member, d))
	}
	for i := len(list) - 1; i >= 0; i-- {
		b.op(model.Op{Kind: model.DecoratorCall, Name: member, Ref: int32(param), Args: []model.ID{values[i], class}, Span: b.span(list[i])})
	}
}

// decoratorScope names the functions among a decorator's arguments.
func (b *body) decoratorScope(member string, d parse.Node) string {
	name := b.decoratorName(d)
	if member != "" {
		return member + ".@" + name
	}
	return "@" + name
}

func (b *body) decorateParameters(m parse.Node, class model.ID, member string) {
	t := b.t
	i := 0
	for p := range t.Children(t.Child(m, parse.FieldParameters)) {
		if t.Kind(t.Child(p, parse.FieldPattern)) == parse.KindThis {
			continue
		}
		i++
		b.applyDecorators(b.decorators(p), class, member, i)
	}
}

// parameterDecorators names the decorators of a parameter.
func (b *body) parameterDecorators(p parse.Node) []string {
	var names []string
	for _, d := range b.decorators(p) {
		names = append(names, b.decoratorName(d))
	}
	return names
}

// decoratorName is the name of a decorator as written, without arguments.
func (b *body) decoratorName(d parse.Node) string {
	n := b.inner(d)
	for b.t.Kind(n) == parse.KindCallExpression {
		n = b.t.Child(n, parse.FieldFunction)
	}
	return label(b.t.Text(n))
}
