package golang

import (
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
	u := &model.Unit{Path: k.Path, Language: model.Go}
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
