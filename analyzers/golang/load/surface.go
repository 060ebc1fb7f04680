package load

import (
	"go/ast"
	"go/token"
	"maps"
	"slices"
)

// surface is what of a dependency is needed: the declarations that the program names, and what those mention, however far. What nobody asks for is
// neither type-checked nor a reason to read other packages.
//
// Fields and methods that are not exported are no part of it, apart from embedded fields, which others can reach through, and methods that an interface
// of the package asks for. A type may then seem to be comparable that is not: nothing is refused for that.
type surface struct {
	files  []*file
	byName map[string][]*declaration
	of     map[any]*declaration // by *ast.FuncDecl, ast.Spec and, for constants, *ast.GenDecl
	asked  map[string]bool
}

// declaration is a part of a surface. The constants of a group build on each other: they are one. A method comes with its type.
type declaration struct {
	node  ast.Node
	file  *file
	taken bool
}

// user is a file that imports a package.
type user struct {
	file *file
	name string // by which it calls it, "" for the package's own, "." where it takes all names
}

// newSurface lists the declarations of a dependency. Linear in the files.
func newSurface(files []*file) *surface {
	s := &surface{files: files, byName: map[string][]*declaration{}, of: map[any]*declaration{}, asked: map[string]bool{}}
	sealed := sealedMethods(files)
	for _, f := range files {
		add := func(node ast.Node, names ...string) {
			d := s.of[node]
			if d == nil {
				d = &declaration{node: node, file: f}
				s.of[node] = d
			}
			for _, name := range names {
				s.byName[name] = append(s.byName[name], d)
			}
		}
		for _, d := range f.syntax.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				switch {
				case d.Recv == nil:
					add(d, d.Name.Name)
				case len(d.Recv.List) == 1 && (d.Name.IsExported() || sealed[d.Name.Name]):
					add(d, receiver(d.Recv.List[0].Type))
				}
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					switch spec := spec.(type) {
					case *ast.TypeSpec:
						add(spec, spec.Name.Name)
					case *ast.ValueSpec:
						var node ast.Node = spec
						if d.Tok == token.CONST {
							node = d
						}
						for _, id := range spec.Names {
							add(node, id.Name)
						}
					}
				}
			}
		}
	}
	return s
}

// take adds what the users of a package name that was not asked for before, and what that mentions. What the declarations use of other packages is noted
// with their files. The package is known as name to users that do not give it another one.
func (s *surface) take(users []user, name string) {
	var work []*declaration
	ask := func(name string) {
		if s.asked[name] {
			return
		}
		s.asked[name] = true
		for _, d := range s.byName[name] {
			if !d.taken {
				d.taken = true
				work = append(work, d)
			}
		}
	}
	for _, u := range users {
		switch u.name {
		case ".":
			for name := range s.byName {
				if ast.IsExported(name) {
					ask(name)
				}
			}
		case "":
			for used := range u.file.uses[name] {
				ask(used)
			}
		default:
			for used := range u.file.uses[u.name] {
				ask(used)
			}
		}
	}
	for len(work) > 0 {
		d := work[len(work)-1]
		work = work[:len(work)-1]
		if t, ok := d.node.(*ast.TypeSpec); ok {
			hideFields(t.Type)
		}
		if d.file.fresh == nil {
			d.file.fresh = uses{}
		}
		mentions(d.node, ask, d.file.fresh.add)
	}
}

// finish leaves of the files what was taken, and the imports that are kept.
func (s *surface) finish() {
	taken := func(node any) bool {
		d := s.of[node]
		return d != nil && d.taken
	}
	for _, f := range s.files {
		decls := f.syntax.Decls[:0]
		for _, d := range f.syntax.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if !taken(d) {
					continue
				}
			case *ast.GenDecl:
				switch d.Tok {
				case token.CONST:
					if !taken(d) {
						continue
					}
				case token.VAR, token.TYPE:
					if d.Specs = slices.DeleteFunc(d.Specs, func(s ast.Spec) bool { return !taken(s) }); len(d.Specs) == 0 {
						continue
					}
				case token.IMPORT:
					if d.Specs = slices.DeleteFunc(d.Specs, func(s ast.Spec) bool { return !f.follows[s.(*ast.ImportSpec)] }); len(d.Specs) == 0 {
						continue
					}
				}
			}
			decls = append(decls, d)
		}
		clear(f.syntax.Decls[len(decls):])
		f.syntax.Decls = decls
		prune(f.syntax)
	}
}

// sealedMethods collects the methods that interfaces ask for and that are not exported.
func sealedMethods(files []*file) map[string]bool {
	out := map[string]bool{}
	for _, f := range files {
		ast.Inspect(f.syntax, func(n ast.Node) bool {
			i, ok := n.(*ast.InterfaceType)
			if !ok || i.Methods == nil {
				return true
			}
			for _, m := range i.Methods.List {
				for _, id := range m.Names {
					if !id.IsExported() {
						out[id.Name] = true
					}
				}
			}
			return true
		})
	}
	return out
}

// uses are the names that a file has after a dot, by what stands before it: a package, or a value.
type uses map[string]map[string]bool

func (u uses) add(of, name string) {
	names := u[of]
	if names == nil {
		names = map[string]bool{}
		u[of] = names
	}
	names[name] = true
}

// merge adds other uses.
func (u uses) merge(more uses) {
	for of, names := range more {
		if u[of] == nil {
			u[of] = names
		} else {
			maps.Copy(u[of], names)
		}
	}
}

// usesOf collects the uses of a file.
func usesOf(f *ast.File) uses {
	out := uses{}
	ast.Inspect(f, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok {
			if id, ok := sel.X.(*ast.Ident); ok {
				out.add(id.Name, sel.Sel.Name)
			}
		}
		return true
	})
	return out
}

// mentions gives the names that a declaration without bodies may mean something of its package by, and what it takes of what stands before a dot.
func mentions(n ast.Node, name func(string), use func(of, name string)) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			if n.Recv != nil {
				mentions(n.Recv, name, use)
			}
			mentions(n.Type, name, use)
			return false
		case *ast.Field:
			if n.Type != nil {
				mentions(n.Type, name, use)
			}
			return false
		case *ast.SelectorExpr:
			if id, ok := n.X.(*ast.Ident); ok {
				use(id.Name, n.Sel.Name)
			}
			mentions(n.X, name, use)
			return false
		case *ast.Ident:
			name(n.Name)
		}
		return true
	})
}

// hideFields removes the fields of structures that nobody outside can name.
func hideFields(x ast.Expr) {
	ast.Inspect(x, func(n ast.Node) bool {
		s, ok := n.(*ast.StructType)
		if !ok || s.Fields == nil {
			return true
		}
		fields := s.Fields.List[:0]
		for _, f := range s.Fields.List {
			if len(f.Names) > 0 {
				names := f.Names[:0]
				for _, id := range f.Names {
					if id.IsExported() {
						names = append(names, id)
					}
				}
				if f.Names = names; len(names) == 0 {
					continue
				}
			}
			fields = append(fields, f)
		}
		s.Fields.List = fields
		return true
	})
}
