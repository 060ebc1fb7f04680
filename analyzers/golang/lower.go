package golang

import (
	"cmp"
	"go/ast"
	"go/token"
	"slices"

	"github.com/retrysafe/retrysafe/analyzers/model"
)

// The bounds of what is read. What lies beyond them is noted.
const (
	maxDepth    = 400 // nesting of expressions and statements, in levels
	maxCaptures = 300 // variables that one function literal uses
	maxZero     = 32  // fields of a struct that are spelled out where a literal leaves them out
)

// lowering is the state of one package.
type lowering struct {
	pkg   *pkg
	unit  *model.Unit
	taken map[string]bool // names of functions
	types map[string]bool // names of types
}

func (k *pkg) lower() *model.Unit {
	l := &lowering{pkg: k, taken: map[string]bool{"": true}, types: map[string]bool{}}
	u := &model.Unit{Path: k.Path, Language: model.Go, Package: k.Name}
	l.unit = u
	for _, f := range k.files {
		u.Files = append(u.Files, f.name)
	}
	slices.Sort(u.Files)
	u.Files = slices.Compact(u.Files)
	for _, o := range k.vars {
		u.Globals = append(u.Globals, &model.Global{Name: o.name, Span: l.span(o.file, o.ident), Type: o.typ.ref(), Const: !o.written})
	}
	u.Funcs = append(u.Funcs, &model.Func{})
	for _, fn := range k.funcs {
		l.taken[fn.name] = true
		u.Funcs = append(u.Funcs, &model.Func{Name: fn.name, Index: fn.index, Span: l.span(fn.file, fn.decl)})
	}
	for _, o := range k.types {
		l.types[o.name] = true
	}
	l.typeDecls()
	for _, f := range k.files {
		for _, d := range f.Decls {
			if bad, ok := d.(*ast.BadDecl); ok {
				l.note(f, bad, "syntax error")
			}
		}
		for _, spec := range f.File.Imports {
			l.importOf(f, spec)
		}
	}
	l.initialiser()
	for _, fn := range k.funcs {
		l.function(fn)
	}
	slices.SortStableFunc(u.Notes, func(a, b model.Note) int { return a.Span.Compare(b.Span) })
	return u
}

func (l *lowering) importOf(f *file, spec *ast.ImportSpec) {
	to := importPath(spec)
	if to != "" && l.pkg.program.pkgs[to] != nil && to != l.pkg.Path && !slices.Contains(l.unit.Imports, to) {
		l.unit.Imports = append(l.unit.Imports, to)
		slices.Sort(l.unit.Imports)
	}
}

// span is the place of a node. Comments that rename files and lines are not followed.
func (l *lowering) span(f *file, n ast.Node) model.Span {
	if n == nil || f.tok == nil {
		return model.Span{}
	}
	from, to := n.Pos(), n.End()
	inside := func(p token.Pos) bool {
		return p.IsValid() && int(p) >= f.tok.Base() && int(p) <= f.tok.Base()+f.tok.Size()
	}
	if !inside(from) {
		return model.Span{}
	}
	if !inside(to) || to < from {
		to = from
	}
	a, z := f.tok.PositionFor(from, false), f.tok.PositionFor(to, false)
	return model.Span{File: f.name, Line: int32(a.Line), Col: int32(a.Column), EndLine: int32(z.Line), EndCol: int32(z.Column),
		Offset: int32(a.Offset), EndOffset: int32(z.Offset)}
}

func (l *lowering) note(f *file, n ast.Node, what string) {
	l.unit.Notes = append(l.unit.Notes, model.Note{Span: l.span(f, n), What: what})
}

func (l *lowering) newBody(f *file, fn *model.Func, names *names, fr *frame) *body {
	b := &body{lowering: l, scope: scope{file: f, locals: names.locals}, fn: fn, frame: fr, names: names, values: map[*local]model.ID{}}
	b.enter(b.newBlock())
	return b
}

// initialiser lowers what happens when the package is loaded: its variables get their values, then its init functions run.
func (l *lowering) initialiser() {
	names := newNames(func(*ast.SelectorExpr) bool { return false })
	var b *body
	in := func(f *file) {
		if b == nil {
			b = l.newBody(f, l.unit.Funcs[0], names, names.frame)
		}
		b.scope.file = f
	}
	for _, v := range l.inOrder() {
		in(v.file)
		names.addressed = b.takesAddress
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
	if l.pkg.Info == nil {
		return all
	}
	rank := map[int]int{}
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
