package golang

import (
	"cmp"
	"go/ast"
	"go/token"
	"slices"

	"github.com/retrysafe/retrysafe/analyzers/model"
)

// initialiser lowers what happens when the package is loaded: its variables get their values, then its init functions run.
func (l *lowering) initialiser() {
	names := newNames()
	var b *body
	in := func(f *file) {
		if b == nil {
			b = l.newBody(f, l.unit.Funcs[0], names, names.frame)
		}
		b.scope.file = f
	}
	for _, v := range l.inOrder() {
		in(v.file)
		names.addressed, names.typeOf = b.takesAddress, b.typeOf
		names.exprs(v.exprs)
		b.globals(v)
	}
	for _, fn := range l.pkg.inits {
		in(fn.file)
		b.emit(fn.decl.Name, model.Call, b.op(model.Op{Kind: model.FuncRef, Ref: int32(fn.index), Span: b.at(fn.decl.Name)}))
	}
	if main := l.pkg.names["main"]; l.pkg.Name == "main" && main != nil && main.kind == funcObject {
		in(main.file)
		b.emit(main.ident, model.Call, b.op(model.Op{Kind: model.FuncRef, Ref: int32(main.fn.index), Span: b.at(main.ident)}))
	}
	if b == nil {
		b = l.newBody(&file{pkg: l.pkg}, l.unit.Funcs[0], names, names.frame)
	}
	b.finish(nil)
}

// initial is the declaration of variables with their values.
type initial struct {
	file  *file
	spec  *ast.ValueSpec
	names []*ast.Ident
	exprs []ast.Expr
	pos   token.Pos
}

// inOrder lists the variables in the order in which they are initialised; by the source where the type checker does not know.
func (l *lowering) inOrder() []initial {
	var all []initial
	byExpr := map[ast.Expr]int{}
	for _, f := range l.pkg.files {
		for _, d := range f.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok || g.Tok != token.VAR {
				continue
			}
			for _, s := range g.Specs {
				spec, ok := s.(*ast.ValueSpec)
				if !ok {
					continue
				}
				if len(spec.Values) == len(spec.Names) {
					for i := range spec.Names {
						byExpr[spec.Values[i]] = len(all)
						all = append(all, initial{f, spec, spec.Names[i : i+1], spec.Values[i : i+1], spec.Pos()})
					}
					continue
				}
				for _, e := range spec.Values {
					byExpr[e] = len(all)
				}
				all = append(all, initial{f, spec, spec.Names, spec.Values, spec.Pos()})
			}
		}
	}
	rank := map[int]int{}
	if l.pkg.Info == nil || len(l.pkg.Info.InitOrder) == 0 {
		return l.byNeed(all)
	}
	for i, in := range l.pkg.Info.InitOrder {
		if at, ok := byExpr[in.Rhs]; ok {
			rank[at] = i + 1 // those without a value come first
		}
	}
	order := make([]int, len(all))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(x, y int) int { return cmp.Compare(rank[x], rank[y]) })
	out := make([]initial, len(all))
	for i, at := range order {
		out[i] = all[at]
	}
	return out
}

// globals gives package variables their first values.
func (b *body) globals(v initial) {
	set := func(id *ast.Ident, value model.ID) {
		if o := b.pkg.names[id.Name]; o != nil && o.kind == varObject && o.ident == id {
			b.op(model.Op{Kind: model.StoreGlobal, Ref: int32(o.index), Args: []model.ID{value}, Span: b.at(id)})
		}
	}
	switch {
	case len(v.exprs) == 0:
		if v.spec.Type == nil {
			return
		}
		t := b.typeOf(v.spec.Type)
		for _, id := range v.names {
			set(id, b.zero(id, t, 0))
		}
	case len(v.exprs) == len(v.names):
		for i, e := range v.exprs {
			set(v.names[i], b.assigned(e, v.spec.Type))
		}
	default:
		values := b.tuple(v.exprs[0], len(v.names))
		for i, id := range v.names {
			if i < len(values) {
				set(id, values[i])
			}
		}
	}
}

// byNeed orders variables so that each comes after those that its value needs, directly or through functions.
func (l *lowering) byNeed(all []initial) []initial {
	n := &needs{pkg: l.pkg, of: map[*object][]*object{}, at: map[*object]int{}, done: make([]bool, len(all)), all: all}
	for i, v := range all {
		for _, id := range v.names {
			if o := l.pkg.names[id.Name]; o != nil && o.ident == id {
				n.at[o] = i
			}
		}
	}
	for i := range all {
		n.place(i)
	}
	return n.order
}

// needs is the state of byNeed.
type needs struct {
	pkg   *pkg
	of    map[*object][]*object // what a function mentions
	at    map[*object]int       // by variable: its declaration
	all   []initial
	done  []bool
	order []initial
}

func (n *needs) place(i int) {
	if n.done[i] {
		return
	}
	n.done[i] = true
	seen := map[*object]bool{}
	for _, e := range n.all[i].exprs {
		n.follow(n.mentioned(e), seen)
	}
	n.order = append(n.order, n.all[i])
}

func (n *needs) follow(list []*object, seen map[*object]bool) {
	for _, o := range list {
		if seen[o] {
			continue
		}
		seen[o] = true
		if o.kind == varObject {
			if at, ok := n.at[o]; ok {
				n.place(at)
			}
			continue
		}
		of, known := n.of[o]
		if !known && o.fn.decl.Body != nil {
			of = n.mentioned(o.fn.decl.Body)
			n.of[o] = of
		}
		n.follow(of, seen)
	}
}

// mentioned lists the variables and functions of the package whose names occur; a local of the same name counts too.
func (n *needs) mentioned(node ast.Node) (list []*object) {
	ast.Inspect(node, func(x ast.Node) bool {
		switch x := x.(type) {
		case *ast.SelectorExpr:
			if _, plain := x.X.(*ast.Ident); !plain {
				list = append(list, n.mentioned(x.X)...)
			} else if o := n.pkg.names[x.X.(*ast.Ident).Name]; o != nil && o.kind == varObject {
				list = append(list, o)
			}
			return false
		case *ast.Ident:
			if o := n.pkg.names[x.Name]; o != nil && (o.kind == varObject || o.kind == funcObject) {
				list = append(list, o)
			}
		}
		return true
	})
	return list
}
