package golang

import (
	"go/ast"
	"go/constant"
	"go/token"
	"path"
	"strconv"
	"strings"

	"github.com/retrysafe/retrysafe/analyzers/model"
)

// pkg is a package and what it declares.
type pkg struct {
	*Package
	program *Program
	files   []*file
	names   map[string]*object
	types   []*object // named types, in the order of the unit
	vars    []*object
	consts  []*object
	funcs   []*function // FuncDecls, in the order of the unit, which begins with the initialiser
	methods map[string]map[string]*function
	inits   []*function
}

// file is a file of a package.
type file struct {
	*ast.File
	pkg     *pkg
	name    string
	tok     *token.File
	imports map[string]string // by the name that the file gives to a package: its path
	dots    []string          // packages whose names are those of the file
}

// objectKind says what a name stands for.
type objectKind uint8

const (
	varObject objectKind = iota + 1
	constObject
	typeObject
	funcObject
)

// object is what a package declares under a name.
type object struct {
	kind     objectKind
	name     string
	pkg      *pkg
	file     *file
	index    int // of a variable or type in its unit
	ident    *ast.Ident
	fn       *function
	spec     *ast.TypeSpec
	value    *ast.ValueSpec
	at       int      // of the name among those of the value
	expr     ast.Expr // the value itself; of a constant that which is repeated
	iota     int64
	typ      *typ // of a variable, or what a type is made of
	state    uint8
	constant constant.Value // of a constant
	folded   bool
	written  bool // a variable is assigned to after its declaration
}

const (
	unresolved uint8 = iota
	resolving
	resolved
)

// function is a declared function or method.
type function struct {
	pkg     *pkg
	file    *file
	decl    *ast.FuncDecl
	name    string // in the unit
	index   int
	recv    *object // the type that it is a method of
	pointer bool    // its receiver is a pointer
	sig     *typ
}

func (k *pkg) declare() {
	k.names = map[string]*object{}
	k.methods = map[string]map[string]*function{}
	for i, f := range k.Files {
		if f == nil || i >= len(k.Names) {
			continue
		}
		fl := &file{File: f, pkg: k, name: k.Names[i], imports: map[string]string{}}
		if k.Fset != nil && f.Package.IsValid() {
			fl.tok = k.Fset.File(f.Package)
		}
		k.files = append(k.files, fl)
		for _, spec := range f.Imports {
			fl.addImport(spec)
		}
	}
	taken := map[string]bool{"": true}
	for _, f := range k.files {
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.GenDecl:
				k.declareGen(f, d)
			case *ast.FuncDecl:
				k.declareFunc(f, d, taken)
			}
		}
	}
}

func (f *file) addImport(spec *ast.ImportSpec) {
	to := importPath(spec)
	if to == "" {
		return
	}
	name := ""
	if spec.Name != nil {
		name = spec.Name.Name
	}
	switch name {
	case "_":
	case ".":
		f.dots = append(f.dots, to)
	case "":
		f.imports[f.pkg.importName(to)] = to
	default:
		f.imports[name] = to
	}
}

// importPath is the path that is imported, "" where it cannot be read.
func importPath(spec *ast.ImportSpec) string {
	if spec == nil || spec.Path == nil {
		return ""
	}
	to, err := strconv.Unquote(spec.Path.Value)
	if err != nil {
		return ""
	}
	return to
}

// importName gives the name of an imported package.
func (k *pkg) importName(to string) string {
	if p := k.program.pkgs[to]; p != nil && p.Name != "" {
		return p.Name
	}
	if name := k.Imports[to]; name != "" {
		return name
	}
	if k.Types != nil {
		for _, p := range k.Types.Imports() {
			if p.Path() == to && p.Name() != "" {
				return p.Name()
			}
		}
	}
	return guessName(to)
}

// guessName is how a package at a path is usually called.
func guessName(to string) string {
	base := path.Base(to)
	if len(base) > 1 && base[0] == 'v' && strings.Trim(base[1:], "0123456789") == "" {
		base = path.Base(path.Dir(to))
	}
	if strings.HasPrefix(to, "gopkg.in/") {
		base, _, _ = strings.Cut(base, ".")
	}
	base = strings.TrimPrefix(base, "go-")
	base = strings.TrimSuffix(strings.TrimSuffix(base, "-go"), ".go")
	return strings.ReplaceAll(base, "-", "_")
}

func (k *pkg) declareGen(f *file, d *ast.GenDecl) {
	var repeated *ast.ValueSpec
	for i, spec := range d.Specs {
		switch spec := spec.(type) {
		case *ast.TypeSpec:
			if spec.Name == nil || spec.Name.Name == "_" || k.names[spec.Name.Name] != nil {
				continue
			}
			o := &object{kind: typeObject, name: spec.Name.Name, pkg: k, file: f, ident: spec.Name, spec: spec, index: len(k.types)}
			k.types = append(k.types, o)
			k.names[o.name] = o
		case *ast.ValueSpec:
			if d.Tok == token.CONST && (len(spec.Values) > 0 || spec.Type != nil) {
				repeated = spec
			}
			for at, id := range spec.Names {
				o := &object{kind: varObject, name: id.Name, pkg: k, file: f, ident: id, value: spec, at: at, iota: int64(i)}
				values := spec.Values
				if d.Tok == token.CONST {
					o.kind = constObject
					if len(values) == 0 && repeated != nil {
						values = repeated.Values
						o.value = repeated
					}
				}
				if at < len(values) && (o.kind == constObject || len(values) == len(spec.Names)) {
					o.expr = values[at]
				}
				if id.Name == "_" || k.names[id.Name] != nil {
					continue
				}
				if o.kind == varObject {
					o.index = len(k.vars)
					k.vars = append(k.vars, o)
				}
				if o.kind == constObject {
					k.consts = append(k.consts, o)
				}
				k.names[o.name] = o
			}
		}
	}
}

func (k *pkg) declareFunc(f *file, d *ast.FuncDecl, taken map[string]bool) {
	if d.Name == nil {
		return
	}
	name := d.Name.Name
	fn := &function{pkg: k, file: f, decl: d, index: len(k.funcs) + 1}
	recv := receiverName(d)
	if recv != "" {
		fn.name = recv + "." + name
		_, fn.pointer = ast.Unparen(d.Recv.List[0].Type).(*ast.StarExpr)
	} else {
		fn.name = name
	}
	fn.name = unique(taken, fn.name)
	k.funcs = append(k.funcs, fn)
	switch {
	case recv != "":
		if k.methods[recv] == nil {
			k.methods[recv] = map[string]*function{}
		}
		if k.methods[recv][name] == nil {
			k.methods[recv][name] = fn
		}
	case name == "init":
		k.inits = append(k.inits, fn)
	case name == "_" || d.Recv != nil:
	case k.names[name] == nil:
		k.names[name] = &object{kind: funcObject, name: name, pkg: k, file: f, ident: d.Name, fn: fn}
	}
}

// unique gives a name a number where it is there already, as the init functions of a package are.
func unique(taken map[string]bool, name string) string {
	as := name
	for i := 2; taken[as]; i++ {
		as = name + "." + strconv.Itoa(i)
	}
	taken[as] = true
	return as
}

// receiverName gives the type whose method a function is, "" for none.
func receiverName(d *ast.FuncDecl) string {
	if d.Recv == nil || len(d.Recv.List) == 0 {
		return ""
	}
	e := d.Recv.List[0].Type
	for {
		switch x := e.(type) {
		case *ast.StarExpr:
			e = x.X
		case *ast.ParenExpr:
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.IndexListExpr:
			e = x.X
		case *ast.Ident:
			return x.Name
		default:
			return ""
		}
	}
}

// resolve finds out what the declared types, variables and functions are made of.
func (k *pkg) resolve() {
	for _, o := range k.types {
		o.resolve()
	}
	for _, fn := range k.funcs {
		fn.signature()
		if o := k.names[fn.decl.Name.Name]; o != nil && o.fn == fn {
			o.resolve()
		}
		if name := receiverName(fn.decl); name != "" {
			if o := k.names[name]; o != nil && o.kind == typeObject {
				fn.recv = o
			}
		}
	}
	for _, o := range k.consts {
		o.fold()
		o.resolve()
	}
	for _, o := range k.vars {
		o.resolve()
	}
}

// signature gives the type of a function.
func (fn *function) signature() *typ {
	if fn.sig == nil {
		s := &scope{file: fn.file}
		s.typeParams(fn.decl)
		fn.sig = s.funcType(fn.decl.Type)
	}
	return fn.sig
}

// resolve gives the type of a variable, or what a type is made of. What depends on itself is unknown.
func (o *object) resolve() *typ {
	if o.state == resolving {
		return unknownType
	}
	if o.state == resolved {
		return o.typ
	}
	o.state = resolving
	o.typ = unknownType
	s := &scope{file: o.file}
	switch {
	case o.kind == typeObject:
		if o.spec.TypeParams != nil {
			s.params(o.spec.TypeParams)
		}
		o.typ = s.typeOf(o.spec.Type)
	case o.kind == funcObject:
		o.typ = o.fn.signature()
	case o.value != nil && o.value.Type != nil:
		o.typ = s.typeOf(o.value.Type)
	case o.expr != nil:
		o.typ = s.infer(o.expr)
	case o.value != nil && len(o.value.Values) == 1:
		o.typ = s.infer(o.value.Values[0]).result(o.at)
	}
	o.state = resolved
	return o.typ
}

// findWrites marks the variables that the package assigns to, its own and those of others.
func (k *pkg) findWrites() {
	for _, f := range k.files {
		write := func(e ast.Expr) {
			var o *object
			switch e := ast.Unparen(e).(type) {
			case *ast.Ident:
				o = k.names[e.Name]
			case *ast.SelectorExpr:
				if id, ok := e.X.(*ast.Ident); ok {
					if p := k.program.pkgs[f.imports[id.Name]]; p != nil {
						o = p.names[e.Sel.Name]
					}
				}
			}
			if o != nil {
				o.written = true
			}
		}
		ast.Inspect(f.File, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.AssignStmt:
				if n.Tok != token.DEFINE {
					for _, e := range n.Lhs {
						write(e)
					}
				}
			case *ast.IncDecStmt:
				write(n.X)
			case *ast.RangeStmt:
				if n.Tok == token.ASSIGN {
					write(n.Key)
					write(n.Value)
				}
			case *ast.UnaryExpr:
				if n.Op == token.AND {
					write(n.X)
				}
			}
			return true
		})
	}
}

// typeDecls adds the types of the package to its unit.
func (l *lowering) typeDecls() {
	for _, o := range l.pkg.types {
		l.typeDecl(o)
	}
}

func (l *lowering) typeDecl(o *object) {
	d := &model.TypeDecl{Name: o.name, Span: l.span(o.file, o.spec)}
	l.unit.Types = append(l.unit.Types, d)
	methods := l.pkg.methods[o.name]
	d.Kind = model.AliasType
	switch under := o.typ; {
	case o.spec.Assign.IsValid():
	case under.kind == interfaceKind:
		d.Kind = model.InterfaceType
	case under.underlying().kind == structKind, under.kind == funcKind && len(methods) > 0, under.kind == unknownKind:
		d.Kind = model.ClassType
	}
	if d.Kind == model.AliasType {
		d.Underlying = o.typ.ref()
	}
	l.members(d, o.typ)
	for _, fn := range l.pkg.funcs {
		if fn.recv == o && methods[fn.decl.Name.Name] == fn {
			d.Members = append(d.Members, model.Member{Name: fn.decl.Name.Name, Kind: model.MethodMember,
				Type: fn.sig.result(0).ref(), Func: fn.index, Span: l.span(fn.file, fn.decl.Name)})
		}
	}
	sortMembers(d.Members)
}
