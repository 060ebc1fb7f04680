package load

import (
	"fmt"
	"go/ast"
	"go/token"
	"time"
)

// Bounds of what is given to the type checker, which has none of its own: code that nobody trusts could keep it busy, or fill the
// memory, with a few lines.
const (
	maxNesting = 4000    // of syntax inside a declaration
	maxGrowth  = 1 << 28 // bytes of constants, and parts of aliased types, that mentions of them add up to

	checkTimeout = 30 * time.Second // of one package; a million lines take less
)

// prune removes the declarations that nest too deeply, the bodies only of functions, and counts them; first is where the first stands.
func prune(f *ast.File) (removed int, first token.Pos) {
	deep := func(n ast.Node) bool {
		if depth(n) <= maxNesting {
			return false
		}
		if removed++; removed == 1 {
			first = n.Pos()
		}
		return true
	}
	decls := f.Decls[:0]
	for _, d := range f.Decls {
		switch fn, ok := d.(*ast.FuncDecl); {
		case ok && fn.Body != nil && deep(fn.Body):
			fn.Body = &ast.BlockStmt{Lbrace: fn.Body.Lbrace, Rbrace: fn.Body.Lbrace}
			if depth(fn) > maxNesting {
				continue // a signature can nest as well
			}
		case deep(d):
			continue
		}
		decls = append(decls, d)
	}
	f.Decls = decls
	return removed, first
}

// depth gives the nesting of a tree.
func depth(n ast.Node) int {
	v := &nesting{}
	ast.Walk(v, n)
	return v.most
}

type nesting struct{ now, most int }

func (v *nesting) Visit(n ast.Node) ast.Visitor {
	if n == nil {
		v.now--
		return nil
	}
	v.now++
	v.most = max(v.most, v.now)
	return v
}

// growth adds up what mentions of constants and aliases stand for: a chain in which each mentions the one before twice
// doubles with every line.
func growth(files []*ast.File) error {
	g := &grower{specs: map[string][]ast.Expr{}, size: map[string]int{}}
	for _, f := range files {
		ast.Inspect(f, func(n ast.Node) bool {
			d, ok := n.(*ast.GenDecl)
			if !ok {
				return true
			}
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.ValueSpec:
					if d.Tok == token.CONST {
						for i, name := range s.Names {
							if i < len(s.Values) {
								g.specs[name.Name] = append(g.specs[name.Name], s.Values[i])
							}
						}
					}
				case *ast.TypeSpec:
					if s.Assign.IsValid() {
						g.specs[s.Name.Name] = append(g.specs[s.Name.Name], s.Type)
					}
				}
			}
			return true
		})
	}
	if len(g.specs) == 0 {
		return nil
	}
	total := 0
	var first token.Pos
	for _, f := range files {
		ast.Inspect(f, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && g.specs[id.Name] != nil && total <= maxGrowth {
				if total += g.of(id.Name, 0); total > maxGrowth {
					first = id.Pos()
				}
			}
			return true
		})
	}
	if total > maxGrowth {
		return &tooLarge{first}
	}
	return nil
}

// tooLarge says where constants or aliases become larger than the bound.
type tooLarge struct{ pos token.Pos }

func (e *tooLarge) Error() string { return "constants or aliases that grow beyond the limit" }

type grower struct {
	specs map[string][]ast.Expr
	size  map[string]int
}

// of gives the size of a constant in bytes, or of an alias in parts, at most a little over the bound. What leads back to itself is an
// error of the program, and counts once.
func (g *grower) of(name string, level int) int {
	if n, ok := g.size[name]; ok {
		return n
	}
	g.size[name] = 1
	if level > maxNesting {
		return maxGrowth // a chain of that length is no program
	}
	most := 1
	for _, x := range g.specs[name] {
		n := 1
		ast.Inspect(x, func(node ast.Node) bool {
			switch node := node.(type) {
			case *ast.BasicLit:
				n += len(node.Value)
			case *ast.Ident:
				if g.specs[node.Name] != nil {
					n = min(n+g.of(node.Name, level+1), maxGrowth+1)
				}
			}
			return true
		})
		most = max(most, n)
	}
	g.size[name] = most
	return most
}

// tooDeep says in a row what was left out of a file.
func tooDeep(n int, at string) string {
	return fmt.Sprintf("left out what nests deeper than the limit: %s, the first at %s", count(n, "declaration"), at)
}
