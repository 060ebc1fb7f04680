package load

import (
	"go/ast"
	"go/token"
)

// surface leaves of a dependency's files what those who import it can come by: what is exported, and what that mentions, however far. Packages that
// only the rest mentions need then not be read.
//
// Fields and methods that are not exported go too, apart from embedded fields, which others can reach through, and methods that an interface of the
// package asks for. A type may then seem to be comparable that is not: nothing is refused for that. Linear in the files.
func surface(files []*file) {
	type declaration struct {
		names map[string]bool // it mentions
		taken bool
	}
	of := map[any]*declaration{} // of *ast.FuncDecl and ast.Spec
	byName := map[string][]*declaration{}
	var work []*declaration
	take := func(d *declaration) {
		if d != nil && !d.taken {
			d.taken = true
			work = append(work, d)
		}
	}
	add := func(key any, n ast.Node, names ...*ast.Ident) {
		d := &declaration{names: mentions(n)}
		of[key] = d
		for _, id := range names {
			byName[id.Name] = append(byName[id.Name], d)
			if id.IsExported() {
				take(d)
			}
		}
	}
	sealed := sealedMethods(files)
	for _, f := range files {
		for _, d := range f.syntax.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				switch {
				case d.Recv == nil:
					add(d, d, d.Name)
				case len(d.Recv.List) == 1 && (d.Name.IsExported() || sealed[d.Name.Name]):
					// a method comes with its type
					m := &declaration{names: mentions(d)}
					of[d] = m
					name := receiver(d.Recv.List[0].Type)
					byName[name] = append(byName[name], m)
					if ast.IsExported(name) {
						take(m)
					}
				}
			case *ast.GenDecl:
				for _, s := range d.Specs {
					switch s := s.(type) {
					case *ast.TypeSpec:
						hideFields(s.Type)
						add(s, s, s.Name)
					case *ast.ValueSpec:
						if d.Tok == token.VAR {
							add(s, s, s.Names...)
							continue
						}
						// constants of a group build on each other
						if of[d] == nil {
							add(d, d)
						}
						for _, id := range s.Names {
							byName[id.Name] = append(byName[id.Name], of[d])
							if id.IsExported() {
								take(of[d])
							}
						}
					}
				}
			}
		}
	}
	for len(work) > 0 {
		d := work[len(work)-1]
		work = work[:len(work)-1]
		for name := range d.names {
			for _, other := range byName[name] {
				take(other)
			}
		}
	}
	for _, f := range files {
		decls := f.syntax.Decls[:0]
		for _, d := range f.syntax.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if m := of[d]; m == nil || !m.taken {
					continue
				}
			case *ast.GenDecl:
				switch d.Tok {
				case token.CONST:
					if m := of[d]; m == nil || !m.taken {
						continue
					}
				case token.VAR, token.TYPE:
					specs := d.Specs[:0]
					for _, s := range d.Specs {
						if m := of[s]; m != nil && m.taken {
							specs = append(specs, s)
						}
					}
					if d.Specs = specs; len(specs) == 0 {
						continue
					}
				}
			}
			decls = append(decls, d)
		}
		f.syntax.Decls = decls
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

// mentions collects the identifiers in a tree.
func mentions(n ast.Node) map[string]bool {
	out := map[string]bool{}
	ast.Inspect(n, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			out[id.Name] = true
		}
		return true
	})
	return out
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
