package typescript

import (
	"strconv"

	"github.com/retrysafe/retrysafe/analyzers/model"
	"github.com/retrysafe/retrysafe/analyzers/typescript/parse"
)

// maxType bounds the nesting of types, in levels.
const maxType = 40

// declareTypes adds the interfaces, aliases and enums of the file, so that every type reference can tell the file's own
// names. Classes follow when they are evaluated; only their names are noted here.
func (l *lowering) declareTypes() {
	type named struct {
		node parse.Node
		name string
	}
	var found []named
	var visit func(n parse.Node, path string, depth int)
	visit = func(n parse.Node, path string, depth int) {
		if depth > maxType {
			return
		}
		t := l.t
		for c := range t.Children(n) {
			switch t.Kind(c) {
			case parse.KindExportStatement, parse.KindAmbientDeclaration, parse.KindExpressionStatement, parse.KindStatementBlock:
				visit(c, path, depth+1)
			case parse.KindInternalModule, parse.KindModule:
				name := t.Text(t.Child(c, parse.FieldName))
				if t.Kind(t.Child(c, parse.FieldName)) == parse.KindString {
					continue // describes another module
				}
				visit(t.Child(c, parse.FieldBody), joinType(path, name), depth+1)
			case parse.KindInterfaceDeclaration, parse.KindTypeAliasDeclaration, parse.KindEnumDeclaration,
				parse.KindClassDeclaration, parse.KindAbstractClassDeclaration:
				if name := t.Child(c, parse.FieldName); name != parse.NoNode {
					full := joinType(path, t.Text(name))
					l.types[full] = true
					found = append(found, named{c, full})
				}
			}
		}
	}
	visit(l.t.Root(), "", 0)
	for _, f := range found {
		l.declareType(f.node, f.name)
	}
}

func joinType(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

func (l *lowering) declareType(n parse.Node, name string) {
	t := l.t
	d := &model.TypeDecl{Name: name, Span: l.span(n)}
	switch t.Kind(n) {
	case parse.KindInterfaceDeclaration:
		d.Kind = model.InterfaceType
		d.Members = l.signatures(t.Child(n, parse.FieldBody), 0)
		ext := t.ChildOf(n, parse.KindExtendsTypeClause)
		for c := range t.Children(ext) {
			if ref := l.typeRef(c); ref != nil {
				d.Extends = append(d.Extends, ref)
			}
		}
		for _, other := range l.unit.Types {
			if !l.added[name] {
				break
			}
			if other.Name == name && other.Kind == model.InterfaceType { // declared in parts
				other.Extends = append(other.Extends, d.Extends...)
				other.Members = append(other.Members, d.Members...)
				sortMembers(other.Members)
				return
			}
		}
	case parse.KindTypeAliasDeclaration:
		d.Kind = model.AliasType
		d.Underlying = l.typeRef(t.Child(n, parse.FieldValue))
	case parse.KindEnumDeclaration:
		d.Kind = model.EnumType
		d.Members = l.enumMembers(n)
	default:
		if t.Kind(t.Parent(n)) != parse.KindAmbientDeclaration {
			return // a class with a body is evaluated
		}
		d.Kind = model.ClassType
		l.classBases(d, n)
		d.Members = l.signatures(t.Child(n, parse.FieldBody), 0)
	}
	d.Name = l.uniqueType(name)
	l.unit.Types = append(l.unit.Types, d)
}

// uniqueType makes a type name unique among the types that were added.
func (l *lowering) uniqueType(name string) string {
	unique := name
	for i := 2; l.added[unique]; i++ {
		unique = name + "#" + strconv.Itoa(i)
	}
	l.types[unique], l.added[unique] = true, true
	return unique
}

func (l *lowering) enumMembers(n parse.Node) []model.Member {
	t := l.t
	var out []model.Member
	next := 0
	for c := range t.Children(t.Child(n, parse.FieldBody)) {
		m := model.Member{Kind: model.FieldMember, Static: true, Span: l.span(c)}
		switch t.Kind(c) {
		case parse.KindEnumAssignment:
			m.Name = l.nameText(t.Child(c, parse.FieldName))
			v := t.Child(c, parse.FieldValue)
			switch t.Kind(v) {
			case parse.KindString:
				m.Type = &model.TypeRef{Literal: l.stringValue(v)}
			case parse.KindNumber:
				_, text := numberValue(t.Text(v))
				m.Type = &model.TypeRef{Literal: text}
				if i, err := strconv.Atoi(text); err == nil {
					next = i + 1
				}
			}
		case parse.KindPropertyIdentifier, parse.KindString, parse.KindIdentifier, parse.KindNumber:
			m.Name = l.nameText(c)
			m.Type = &model.TypeRef{Literal: strconv.Itoa(next)}
			next++
		default:
			continue
		}
		out = append(out, m)
	}
	sortMembers(out)
	return out
}

// nameText is the text of a property name.
func (l *lowering) nameText(n parse.Node) string {
	switch l.t.Kind(n) {
	case parse.KindString:
		return l.stringValue(n)
	case parse.KindComputedPropertyName:
		return "[" + label(l.t.Text(l.t.Nth(n, 0))) + "]"
	}
	return unescape(l.t.Text(n))
}

// classBases fills in what a class extends and implements.
func (l *lowering) classBases(d *model.TypeDecl, n parse.Node) {
	t := l.t
	for c := range t.Children(t.ChildOf(n, parse.KindClassHeritage)) {
		switch t.Kind(c) {
		case parse.KindExtendsClause:
			l.addBase(d, t.Child(c, parse.FieldValue), t.Child(c, parse.FieldTypeArguments))
		case parse.KindImplementsClause:
			for i := range t.Children(c) {
				if ref := l.typeRef(i); ref != nil {
					d.Implements = append(d.Implements, ref)
				}
			}
		default:
			l.addBase(d, c, parse.NoNode)
		}
	}
}

// addBase adds the type of a base class expression. A mixin call stands for the classes it is given.
func (l *lowering) addBase(d *model.TypeDecl, value, args parse.Node) {
	t := l.t
	if t.Kind(value) == parse.KindCallExpression {
		for a := range t.Children(t.Child(value, parse.FieldArguments)) {
			if k := t.Kind(a); k == parse.KindIdentifier || k == parse.KindMemberExpression {
				if ref := l.valueType(a); ref != nil {
					d.Extends = append(d.Extends, ref)
				}
			}
		}
		return
	}
	if ref := l.valueType(value); ref != nil {
		if args != parse.NoNode {
			ref.Args = l.typeArgs(args, 0)
		}
		d.Extends = append(d.Extends, ref)
	}
}

// valueType reads an expression that names a class.
func (l *lowering) valueType(n parse.Node) *model.TypeRef {
	path, ok := l.dotted(n)
	if !ok {
		return nil
	}
	return l.namedType(n, path)
}

// dotted reads `a.b.c`.
func (l *lowering) dotted(n parse.Node) ([]string, bool) {
	t := l.t
	var path []string
	for depth := 0; depth < maxType; depth++ {
		switch t.Kind(n) {
		case parse.KindIdentifier, parse.KindTypeIdentifier:
			path = append(path, t.Text(n))
			for i, j := 0, len(path)-1; i < j; i, j = i+1, j-1 {
				path[i], path[j] = path[j], path[i]
			}
			return path, true
		case parse.KindMemberExpression:
			path = append(path, t.Text(t.Child(n, parse.FieldProperty)))
			n = t.Child(n, parse.FieldObject)
		case parse.KindNestedTypeIdentifier:
			path = append(path, t.Text(t.Child(n, parse.FieldName)))
			n = t.Child(n, parse.FieldModule)
		default:
			return nil, false
		}
	}
	return nil, false
}

// namedType resolves a qualified name as it is seen from a node.
func (l *lowering) namedType(n parse.Node, path []string) *model.TypeRef {
	name := path[0]
	for _, s := range path[1:] {
		name += "." + s
	}
	if full, ok := l.localTypes[name]; ok {
		return &model.TypeRef{Unit: l.unit.Path, Name: full}
	}
	for i := len(l.typePath); i >= 0; i-- {
		full := name
		for j := i - 1; j >= 0; j-- {
			full = l.typePath[j] + "." + full
		}
		if l.types[full] {
			return &model.TypeRef{Unit: l.unit.Path, Name: full}
		}
	}
	if bd := l.sc.module.names[path[0]]; bd != nil && bd.kind == importBinding {
		return l.importedType(bd.imp, path[1:])
	}
	if len(path) == 1 {
		if c, ok := l.typeParameter(n, name); ok {
			if c == parse.NoNode {
				return nil
			}
			return l.typeRefAt(c, 1)
		}
	}
	return &model.TypeRef{Name: name}
}

// importedType is a type that an import names, or a member of what it names.
func (l *lowering) importedType(imp *imported, rest []string) *model.TypeRef {
	name := imp.name
	if name == "*" {
		name = ""
	}
	for _, s := range rest {
		name = joinType(name, s)
	}
	if name == "" {
		return nil // the namespace itself
	}
	switch t := l.target(imp.specifier); {
	case t.Unit != "":
		return &model.TypeRef{Unit: t.Unit, Name: name}
	case t.External != "":
		return &model.TypeRef{External: t.External, Name: name}
	}
	return nil
}

// typeParameter finds the type parameter that a name means, and its constraint.
func (l *lowering) typeParameter(n parse.Node, name string) (constraint parse.Node, ok bool) {
	t := l.t
	for p := t.Parent(n); p != parse.NoNode; p = t.Parent(p) {
		switch t.Kind(p) {
		case parse.KindProgram, parse.KindStatementBlock, parse.KindClassBody, parse.KindObject, parse.KindArguments, parse.KindObjectType:
			continue // long lists without type parameters
		}
		list := t.Child(p, parse.FieldTypeParameters)
		for c := range t.Children(list) {
			if t.Text(t.Child(c, parse.FieldName)) != name {
				continue
			}
			con := t.Child(c, parse.FieldConstraint)
			if t.Start(n) >= t.Start(list) && t.End(n) <= t.End(list) {
				return parse.NoNode, true // a parameter in terms of itself
			}
			return t.Nth(con, 0), true
		}
	}
	return parse.NoNode, false
}

// annotation is the type behind the colon of a declaration, or nil.
func (l *lowering) annotation(n parse.Node) *model.TypeRef {
	return l.annotated(l.t.Child(n, parse.FieldType), 0)
}

func (l *lowering) annotated(n parse.Node, depth int) *model.TypeRef {
	t := l.t
	switch t.Kind(n) {
	case parse.KindTypeAnnotation, parse.KindOptingTypeAnnotation, parse.KindOmittingTypeAnnotation, parse.KindAddingTypeAnnotation:
		return l.typeRefAt(t.Nth(n, 0), depth)
	case parse.KindTypePredicateAnnotation:
		return &model.TypeRef{Name: "boolean"}
	case parse.KindAssertsAnnotation:
		return &model.TypeRef{Name: "void"}
	}
	return l.typeRefAt(n, depth)
}

// resultType is the declared result of a function.
func (l *lowering) resultType(n parse.Node) *model.TypeRef {
	if ref := l.annotated(l.t.Child(n, parse.FieldReturnType), 0); ref != nil {
		return ref
	}
	return l.docOf(n).result()
}

// declaredType is the type that the declaration of a variable gives it.
func (l *lowering) declaredType(bd *binding) *model.TypeRef {
	t := l.t
	if bd.decl == parse.NoNode || bd.kind == thisBinding || bd.kind == argumentsBinding {
		return nil
	}
	p := t.Parent(bd.decl)
	switch t.Kind(p) {
	case parse.KindVariableDeclarator, parse.KindRequiredParameter, parse.KindOptionalParameter:
		if t.Child(p, parse.FieldName) != bd.decl && t.Child(p, parse.FieldPattern) != bd.decl {
			return nil
		}
		if ref := l.annotation(p); ref != nil {
			return ref
		}
		return l.docOf(p).typ()
	}
	return nil
}

func (l *lowering) typeRef(n parse.Node) *model.TypeRef { return l.typeRefAt(n, 0) }

// typeRefAt reads a type. nil means that nothing useful is known.
func (l *lowering) typeRefAt(n parse.Node, depth int) *model.TypeRef {
	t := l.t
	l.typeDepth++
	defer func() { l.typeDepth-- }()
	if depth > maxType || l.typeDepth > maxType || l.typeBudget <= 0 {
		return nil
	}
	l.typeBudget--
	switch t.Kind(n) {
	case parse.KindPredefinedType:
		switch name := t.Text(n); name {
		case "any":
			return nil
		default:
			return &model.TypeRef{Name: name}
		}
	case parse.KindTypeIdentifier, parse.KindIdentifier, parse.KindNestedTypeIdentifier:
		if path, ok := l.dotted(n); ok {
			return l.namedType(n, path)
		}
	case parse.KindMemberExpression:
		if path, ok := l.dotted(n); ok {
			return l.namedType(n, path)
		}
		return l.importType(n)
	case parse.KindGenericType:
		return l.genericType(n, depth)
	case parse.KindArrayType:
		return &model.TypeRef{Name: "Array", Args: l.refs(depth, t.Nth(n, 0))}
	case parse.KindTupleType:
		var elems []parse.Node
		for c := range t.Children(n) {
			switch t.Kind(c) {
			case parse.KindRequiredParameter, parse.KindOptionalParameter:
				c = t.Child(c, parse.FieldType)
			}
			elems = append(elems, c)
		}
		return &model.TypeRef{Name: "Array", Args: unionArgs(l.refs(depth, elems...))}
	case parse.KindUnionType, parse.KindIntersectionType:
		return l.unionType(n, depth)
	case parse.KindLiteralType:
		return l.literalType(t.Nth(n, 0))
	case parse.KindTemplateLiteralType:
		return &model.TypeRef{Name: "string"}
	case parse.KindParenthesizedType, parse.KindReadonlyType, parse.KindOptionalType, parse.KindRestType, parse.KindFlowMaybeType,
		parse.KindTypeAnnotation:
		return l.annotated(t.Nth(n, 0), depth+1)
	case parse.KindObjectType, parse.KindInterfaceBody:
		if t.ChildOf(n, parse.KindMappedTypeClause) != parse.NoNode || t.ChildOf(n, parse.KindIndexSignature) != parse.NoNode && t.Count(n) == 1 {
			return &model.TypeRef{Name: "object"}
		}
		members := l.signatures(n, depth)
		if len(members) == 0 {
			return &model.TypeRef{Name: "object"}
		}
		return &model.TypeRef{Members: members}
	case parse.KindFunctionType, parse.KindConstructorType:
		return &model.TypeRef{Name: "Function"}
	case parse.KindTypeQuery:
		return l.queryType(n)
	case parse.KindLookupType:
		return l.lookupType(n, depth)
	}
	return nil
}

func unionArgs(refs []*model.TypeRef) []*model.TypeRef {
	if len(refs) < 2 {
		return refs
	}
	return []*model.TypeRef{{Union: refs}}
}

// refs reads types and leaves out those of which nothing is known.
func (l *lowering) refs(depth int, nodes ...parse.Node) []*model.TypeRef {
	var out []*model.TypeRef
	for _, n := range nodes {
		if ref := l.annotated(n, depth+1); ref != nil {
			out = append(out, ref)
		}
	}
	return out
}

func (l *lowering) typeArgs(n parse.Node, depth int) []*model.TypeRef {
	var out []*model.TypeRef
	for c := range l.t.Children(n) {
		ref := l.typeRefAt(c, depth+1)
		if ref == nil {
			ref = &model.TypeRef{Name: "unknown"}
		}
		out = append(out, ref)
	}
	return out
}

// genericType reads `Name<Args>`. The helpers of the language that keep the members of a type stand for it.
func (l *lowering) genericType(n parse.Node, depth int) *model.TypeRef {
	t := l.t
	args := t.Child(n, parse.FieldTypeArguments)
	first := t.Nth(args, 0)
	ref := l.typeRefAt(t.Child(n, parse.FieldName), depth+1)
	if ref == nil {
		return nil
	}
	if ref.Unit == "" && ref.External == "" {
		switch ref.Name {
		case "Partial", "Required", "Readonly", "NonNullable", "Awaited", "Omit", "Pick", "Extract", "Exclude":
			return l.typeRefAt(first, depth+1)
		case "InstanceType":
			if t.Kind(first) == parse.KindTypeQuery {
				if path, ok := l.dotted(t.Nth(first, 0)); ok {
					return l.namedType(n, path)
				}
			}
			return nil
		case "ReturnType":
			return l.returnType(t.Nth(first, 0), depth)
		case "Parameters", "ConstructorParameters", "ThisParameterType":
			return nil
		case "ReadonlyArray":
			ref.Name = "Array"
		case "PromiseLike":
			ref.Name = "Promise"
		}
	}
	for c := range t.Children(args) {
		if t.Kind(c) == parse.KindTypeQuery {
			return nil // computed from a value, like the type of a schema
		}
	}
	ref.Args = l.typeArgs(args, depth)
	return ref
}

// returnType is the declared result of a function of the file.
func (l *lowering) returnType(id parse.Node, depth int) *model.TypeRef {
	t := l.t
	if t.Kind(id) != parse.KindIdentifier {
		return nil
	}
	bd := l.sc.module.names[t.Text(id)]
	if bd == nil || bd.kind == importBinding {
		return nil
	}
	fn := bd.value
	if bd.fn != nil {
		fn = bd.fn.node
	}
	return l.annotated(t.Child(fn, parse.FieldReturnType), depth+1)
}

// importType reads `import("x").Y.Z`.
func (l *lowering) importType(n parse.Node) *model.TypeRef {
	t := l.t
	var rest []string
	for t.Kind(n) == parse.KindMemberExpression && len(rest) < maxType {
		rest = append([]string{t.Text(t.Child(n, parse.FieldProperty))}, rest...)
		n = t.Child(n, parse.FieldObject)
	}
	if t.Kind(n) != parse.KindCallExpression || t.Kind(t.Child(n, parse.FieldFunction)) != parse.KindImport {
		return nil
	}
	arg := t.Nth(t.Child(n, parse.FieldArguments), 0)
	if t.Kind(arg) != parse.KindString {
		return nil
	}
	return l.importedType(&imported{specifier: specifier(t, arg), name: "*"}, rest)
}

// unionType reads unions and intersections, which nest to the left.
func (l *lowering) unionType(n parse.Node, depth int) *model.TypeRef {
	t := l.t
	var list []parse.Node
	stack := []parse.Node{n}
	for len(stack) > 0 {
		c := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if k := t.Kind(c); k != parse.KindUnionType && k != parse.KindIntersectionType {
			list = append(list, c)
			continue
		}
		at := len(stack)
		for d := range t.Children(c) {
			stack = append(stack, d)
		}
		for i, j := at, len(stack)-1; i < j; i, j = i+1, j-1 {
			stack[i], stack[j] = stack[j], stack[i]
		}
	}
	refs := l.refs(depth, list...)
	switch len(refs) {
	case 0:
		return nil
	case 1:
		return refs[0]
	}
	return &model.TypeRef{Union: refs}
}

func (l *lowering) literalType(n parse.Node) *model.TypeRef {
	t := l.t
	switch t.Kind(n) {
	case parse.KindString:
		if s := l.stringValue(n); s != "" {
			return &model.TypeRef{Literal: s}
		}
		return &model.TypeRef{Name: "string"}
	case parse.KindNumber, parse.KindUnaryExpression:
		_, s := numberValue(t.Text(n))
		return &model.TypeRef{Literal: s}
	case parse.KindNull, parse.KindUndefined:
		return &model.TypeRef{Name: t.Text(n)}
	case parse.KindTrue, parse.KindFalse:
		return &model.TypeRef{Literal: t.Text(n)}
	}
	return nil
}

// queryType reads `typeof x`: the declared type of the variable.
func (l *lowering) queryType(n parse.Node) *model.TypeRef {
	t := l.t
	id := t.Nth(n, 0)
	if t.Kind(id) != parse.KindIdentifier {
		return nil
	}
	if bd := l.sc.module.names[t.Text(id)]; bd != nil && bd.kind != importBinding && !l.querying {
		l.querying = true
		defer func() { l.querying = false }()
		return l.declaredType(bd)
	}
	return nil
}

// lookupType reads `T["key"]` where T is structural.
func (l *lowering) lookupType(n parse.Node, depth int) *model.TypeRef {
	t := l.t
	object, index := l.typeRefAt(t.Nth(n, 0), depth+1), l.typeRefAt(t.Nth(n, 1), depth+1)
	if object == nil || index == nil || index.Literal == "" {
		return nil
	}
	if m := object.Member(index.Literal); m != nil {
		return m.Type
	}
	return nil
}

// signatures reads the members of an interface, an object type or an ambient class.
func (l *lowering) signatures(n parse.Node, depth int) []model.Member {
	t := l.t
	var out []model.Member
	for c := range t.Children(n) {
		name := t.Child(c, parse.FieldName)
		if name == parse.NoNode {
			continue
		}
		m := model.Member{Name: l.nameText(name), Optional: t.Has(c, parse.TokenQuestion), Static: t.Has(c, parse.TokenStatic), Span: l.span(c)}
		switch t.Kind(c) {
		case parse.KindPropertySignature, parse.KindFieldDefinition:
			m.Kind, m.Type = model.FieldMember, l.annotated(t.Child(c, parse.FieldType), depth+1)
		case parse.KindMethodSignature, parse.KindAbstractMethodSignature, parse.KindMethodDefinition:
			m.Kind, m.Type = model.MethodMember, l.annotated(t.Child(c, parse.FieldReturnType), depth+1)
			if t.Has(c, parse.TokenGet) {
				m.Kind = model.GetterMember
			} else if t.Has(c, parse.TokenSet) {
				m.Kind = model.SetterMember
			}
		default:
			continue
		}
		out = append(out, m)
	}
	sortMembers(out)
	return out
}
