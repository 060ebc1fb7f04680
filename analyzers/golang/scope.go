package golang

import (
	"go/ast"
	"go/token"
	"go/types"
)

// scope is where the names of types and expressions are looked up: a file and, in a function body, its locals.
type scope struct {
	file    *file
	generic map[string]bool // type parameters
	locals  map[*ast.Ident]*local
	depth   int
}

// typeParams makes the type parameters of a function known.
func (s *scope) typeParams(d *ast.FuncDecl) {
	if d.Type != nil && d.Type.TypeParams != nil {
		s.params(d.Type.TypeParams)
	}
	if d.Recv == nil || len(d.Recv.List) == 0 {
		return
	}
	e := d.Recv.List[0].Type
	if p, ok := e.(*ast.StarExpr); ok {
		e = p.X
	}
	switch x := e.(type) {
	case *ast.IndexExpr:
		s.param(x.Index)
	case *ast.IndexListExpr:
		for _, i := range x.Indices {
			s.param(i)
		}
	}
}

func (s *scope) params(list *ast.FieldList) {
	for _, f := range list.List {
		for _, id := range f.Names {
			s.param(id)
		}
	}
}

func (s *scope) param(e ast.Expr) {
	if id, ok := e.(*ast.Ident); ok {
		if s.generic == nil {
			s.generic = map[string]bool{}
		}
		s.generic[id.Name] = true
	}
}

// checkerType is what the type checker knows about an expression.
func (s *scope) checkerType(e ast.Expr) *typ {
	info := s.file.pkg.Info
	if info == nil {
		return unknownType
	}
	if tv, ok := info.Types[e]; ok {
		return s.file.pkg.program.fromChecker(tv.Type)
	}
	if id, ok := e.(*ast.Ident); ok {
		o := info.Uses[id]
		if o == nil {
			o = info.Defs[id]
		}
		if o != nil {
			return s.file.pkg.program.fromChecker(o.Type())
		}
	}
	return unknownType
}

// local finds the binding of a name, nil outside of functions and for other names.
func (s *scope) local(id *ast.Ident) *local { return s.locals[id] }

// object finds what the package declares under a name.
func (s *scope) object(id *ast.Ident) *object {
	if s.local(id) != nil || s.generic[id.Name] {
		return nil
	}
	if o := s.file.pkg.names[id.Name]; o != nil {
		return o
	}
	for _, path := range s.file.dots {
		if k := s.file.pkg.program.pkgs[path]; k != nil && ast.IsExported(id.Name) && k.names[id.Name] != nil {
			return k.names[id.Name]
		}
	}
	return nil
}

// imported gives the path of the package that an expression names.
func (s *scope) imported(e ast.Expr) (path string, ok bool) {
	id, is := e.(*ast.Ident)
	if !is || s.local(id) != nil || s.file.pkg.names[id.Name] != nil {
		return "", false
	}
	if path, ok = s.file.imports[id.Name]; ok {
		return path, true
	}
	if info := s.file.pkg.Info; info != nil {
		if o, is := info.Uses[id].(*types.PkgName); is {
			return o.Imported().Path(), true
		}
	}
	return "", false
}

// member finds what a selector names in another package of the program; external is the path of one that is not.
func (s *scope) qualified(e *ast.SelectorExpr) (o *object, external string, ok bool) {
	path, ok := s.imported(e.X)
	if !ok {
		return nil, "", false
	}
	if k := s.file.pkg.program.pkgs[path]; k != nil {
		return k.names[e.Sel.Name], path, true
	}
	return nil, path, true
}

// typeOf reads a type expression.
func (s *scope) typeOf(e ast.Expr) *typ {
	s.depth++
	defer func() { s.depth-- }()
	if s.depth > maxNesting {
		return unknownType
	}
	switch e.(type) {
	case *ast.Ident, *ast.SelectorExpr:
	default:
		return s.spelled(e) // within a composed type, only a part may be unknown to the type checker
	}
	t := unknownType
	if info := s.file.pkg.Info; info != nil {
		if tv, ok := info.Types[e]; ok && tv.IsType() {
			t = s.file.pkg.program.fromChecker(tv.Type)
		}
	}
	return t.or(func() *typ { return s.spelled(e) })
}

// spelled reads a type from its syntax alone.
func (s *scope) spelled(e ast.Expr) *typ {
	switch e := e.(type) {
	case *ast.Ident:
		if b := s.local(e); b != nil {
			if b.kind == typeLocal {
				return b.typ
			}
			return unknownType
		}
		if s.generic[e.Name] {
			return unknownType
		}
		if o := s.object(e); o != nil {
			return o.asType()
		}
		return universe(e.Name)
	case *ast.SelectorExpr:
		o, path, ok := s.qualified(e)
		switch {
		case o != nil:
			return o.asType()
		case ok && s.file.pkg.program.pkgs[path] == nil:
			return &typ{kind: externalKind, path: path, name: e.Sel.Name}
		}
	case *ast.StarExpr:
		return &typ{kind: pointerKind, elem: s.typeOf(e.X)}
	case *ast.ParenExpr:
		return s.typeOf(e.X)
	case *ast.ArrayType:
		return &typ{kind: sliceKind, elem: s.typeOf(e.Elt)}
	case *ast.Ellipsis:
		if e.Elt != nil {
			return &typ{kind: sliceKind, elem: s.typeOf(e.Elt)}
		}
	case *ast.MapType:
		return &typ{kind: mapKind, key: s.typeOf(e.Key), elem: s.typeOf(e.Value)}
	case *ast.ChanType:
		return &typ{kind: chanKind, elem: s.typeOf(e.Value)}
	case *ast.FuncType:
		return s.funcType(e)
	case *ast.StructType:
		return s.structType(e)
	case *ast.InterfaceType:
		return s.interfaceType(e)
	case *ast.IndexExpr:
		return s.typeOf(e.X)
	case *ast.IndexListExpr:
		return s.typeOf(e.X)
	}
	return unknownType
}

// asType is the type that a name stands for.
func (o *object) asType() *typ {
	if o.kind != typeObject {
		return unknownType
	}
	if o.spec != nil && o.spec.Assign.IsValid() {
		return o.resolve()
	}
	return &typ{kind: namedKind, decl: o}
}

// universe gives the types that are declared everywhere.
func universe(name string) *typ {
	switch name {
	case "any":
		return anyType
	case "error":
		return errorType
	case "comparable":
		return unknownType
	}
	if t, ok := types.Universe.Lookup(name).(*types.TypeName); ok {
		return &typ{kind: basicKind, name: t.Name()}
	}
	return unknownType
}

func (s *scope) funcType(e *ast.FuncType) *typ {
	t := &typ{kind: funcKind}
	if e == nil {
		return t
	}
	t.params, t.variadic = s.fieldTypes(e.Params)
	t.results, _ = s.fieldTypes(e.Results)
	return t
}

// fieldTypes gives a type for each parameter.
func (s *scope) fieldTypes(list *ast.FieldList) (out []*typ, variadic bool) {
	if list == nil {
		return nil, false
	}
	for _, f := range list.List {
		t := s.typeOf(f.Type)
		for range max(1, len(f.Names)) {
			out = append(out, t)
		}
		_, variadic = f.Type.(*ast.Ellipsis)
	}
	return out, variadic
}

func (s *scope) structType(e *ast.StructType) *typ {
	t := &typ{kind: structKind}
	if e.Fields == nil {
		return t
	}
	for _, f := range e.Fields.List {
		ft := s.typeOf(f.Type)
		for _, id := range f.Names {
			one := field{name: id.Name, typ: ft, file: s.file, node: id}
			one.readTag(f.Tag)
			t.fields = append(t.fields, one)
		}
		if len(f.Names) == 0 {
			one := field{name: embeddedName(f.Type), typ: ft, embedded: true, file: s.file, node: f.Type}
			one.readTag(f.Tag)
			t.fields = append(t.fields, one)
		}
	}
	return t
}

// embeddedName is the name of a field that is only a type.
func embeddedName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return e.Sel.Name
	case *ast.StarExpr:
		return embeddedName(e.X)
	case *ast.ParenExpr:
		return embeddedName(e.X)
	case *ast.IndexExpr:
		return embeddedName(e.X)
	case *ast.IndexListExpr:
		return embeddedName(e.X)
	}
	return ""
}

func (s *scope) interfaceType(e *ast.InterfaceType) *typ {
	t := &typ{kind: interfaceKind}
	if e.Methods == nil {
		return t
	}
	for _, f := range e.Methods.List {
		if len(f.Names) == 0 {
			switch f.Type.(type) {
			case *ast.Ident, *ast.SelectorExpr, *ast.IndexExpr, *ast.IndexListExpr:
				t.embeds = append(t.embeds, s.typeOf(f.Type))
			}
			continue
		}
		for _, id := range f.Names {
			t.fields = append(t.fields, field{name: id.Name, typ: s.typeOf(f.Type)})
		}
	}
	return t
}

// isType reports whether an expression is a type.
func (s *scope) isType(e ast.Expr) bool {
	if info := s.file.pkg.Info; info != nil {
		if tv, ok := info.Types[e]; ok && tv.Type != nil && tv.Type != types.Typ[types.Invalid] {
			return tv.IsType()
		}
	}
	switch e := e.(type) {
	case *ast.Ident:
		if b := s.local(e); b != nil {
			return b.kind == typeLocal
		}
		if s.generic[e.Name] {
			return true
		}
		if o := s.object(e); o != nil {
			return o.kind == typeObject
		}
		_, ok := types.Universe.Lookup(e.Name).(*types.TypeName)
		return ok
	case *ast.SelectorExpr:
		o, _, _ := s.qualified(e)
		return o != nil && o.kind == typeObject
	case *ast.StarExpr:
		return s.isType(e.X)
	case *ast.ParenExpr:
		return s.isType(e.X)
	case *ast.IndexExpr:
		return s.isType(e.X)
	case *ast.IndexListExpr:
		return s.isType(e.X)
	case *ast.ArrayType, *ast.MapType, *ast.ChanType, *ast.FuncType, *ast.StructType, *ast.InterfaceType:
		return true
	}
	return false
}

// valueType gives the type of a value: the type checker's word, or what the syntax tells.
func (s *scope) valueType(e ast.Expr) *typ {
	if e == nil {
		return unknownType
	}
	return s.checkerType(e).or(func() *typ { return s.infer(e) })
}

// infer finds the type of a value from the syntax and the declarations.
func (s *scope) infer(e ast.Expr) *typ {
	s.depth++
	defer func() { s.depth-- }()
	if s.depth > maxNesting {
		return unknownType
	}
	switch e := e.(type) {
	case *ast.ParenExpr:
		return s.valueType(e.X)
	case *ast.BasicLit:
		switch e.Kind {
		case token.STRING:
			return stringType
		case token.INT, token.CHAR:
			return intType
		case token.FLOAT:
			return &typ{kind: basicKind, name: "float64"}
		}
	case *ast.Ident:
		if b := s.local(e); b != nil {
			if b.kind != typeLocal && b.typ != nil {
				return b.typ
			}
			return unknownType
		}
		if o := s.object(e); o != nil && o.kind != typeObject {
			return o.resolve()
		}
		if e.Name == "true" || e.Name == "false" {
			return boolType
		}
	case *ast.CompositeLit:
		if e.Type != nil {
			return s.typeOf(e.Type)
		}
	case *ast.FuncLit:
		return s.funcType(e.Type)
	case *ast.UnaryExpr:
		switch e.Op {
		case token.AND:
			return &typ{kind: pointerKind, elem: s.valueType(e.X)}
		case token.NOT:
			return boolType
		case token.ARROW:
			return s.valueType(e.X).element()
		}
		return s.valueType(e.X)
	case *ast.StarExpr:
		return s.valueType(e.X).deref()
	case *ast.SelectorExpr:
		o, path, ok := s.qualified(e)
		switch {
		case o != nil && o.kind != typeObject:
			return o.resolve()
		case ok:
			_ = path
			return unknownType
		}
		return s.valueType(e.X).member(e.Sel.Name).typ
	case *ast.IndexExpr:
		t := s.valueType(e.X)
		if t.kind == funcKind {
			return t
		}
		if t.isText() {
			return byteType
		}
		return t.element()
	case *ast.IndexListExpr:
		return s.valueType(e.X)
	case *ast.SliceExpr:
		return s.valueType(e.X)
	case *ast.TypeAssertExpr:
		if e.Type != nil {
			return s.typeOf(e.Type)
		}
	case *ast.CallExpr:
		return s.inferCall(e)
	case *ast.BinaryExpr:
		switch e.Op {
		case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ, token.LAND, token.LOR:
			return boolType
		case token.SHL, token.SHR:
			return s.valueType(e.X)
		}
		x := s.valueType(e.X)
		if x.kind == unknownKind || isLiteral(e.X) {
			if y := s.valueType(e.Y); y.kind != unknownKind {
				return y
			}
		}
		return x
	}
	return unknownType
}

func isLiteral(e ast.Expr) bool {
	_, ok := ast.Unparen(e).(*ast.BasicLit)
	return ok
}

func (s *scope) inferCall(e *ast.CallExpr) *typ {
	fun := ast.Unparen(e.Fun)
	if s.isType(fun) {
		return s.typeOf(fun)
	}
	if name, ok := s.builtin(fun); ok {
		switch {
		case (name == "make" || name == "new") && len(e.Args) > 0:
			t := s.typeOf(e.Args[0])
			if name == "new" {
				t = &typ{kind: pointerKind, elem: t}
			}
			return t
		case (name == "append" || name == "min" || name == "max") && len(e.Args) > 0:
			return s.valueType(e.Args[0])
		case name == "len" || name == "cap" || name == "copy":
			return intType
		case name == "recover":
			return anyType
		}
		return unknownType
	}
	return s.valueType(fun).call()
}

// builtin gives the name of a function of the language itself.
func (s *scope) builtin(e ast.Expr) (string, bool) {
	id, ok := e.(*ast.Ident)
	if !ok || s.local(id) != nil || s.object(id) != nil {
		return "", false
	}
	_, ok = types.Universe.Lookup(id.Name).(*types.Builtin)
	return id.Name, ok
}
