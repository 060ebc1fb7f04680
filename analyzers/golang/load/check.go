package load

import (
	"context"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"
)

// checked is what the type checker says about a package.
type checked struct {
	types *types.Package
	info  *types.Info // of the program only
	rows  []Degraded
	cut   map[*source]bool // imports left out because they lead back here
}

// check type-checks all packages, each after what it imports, several at once.
func (l *loader) check(ctx context.Context) {
	order := l.sorted()
	waiting := make(map[*node]int, len(order))
	users := make(map[*node][]*node, len(order))
	for _, n := range order {
		for _, s := range n.imports {
			if s.main != nil && !n.cut[s] {
				waiting[n]++
				users[s.main] = append(users[s.main], n)
			}
		}
	}
	ready := make(chan *node, len(order))
	left := len(order)
	for _, n := range order {
		if waiting[n] == 0 {
			ready <- n
		}
	}
	if left == 0 {
		return
	}
	var mu sync.Mutex
	var workers sync.WaitGroup
	for range min(l.jobs, len(order)) {
		workers.Go(func() {
			for n := range ready {
				if ctx.Err() == nil {
					l.checkNode(ctx, n)
				}
				mu.Lock()
				for _, u := range users[n] {
					if waiting[u]--; waiting[u] == 0 {
						ready <- u
					}
				}
				if left--; left == 0 {
					close(ready)
				}
				mu.Unlock()
			}
		})
	}
	workers.Wait()
}

// sorted lists the packages so that each comes after what it imports; an import that leads back is cut.
func (l *loader) sorted() []*node {
	const (
		open = iota + 1
		done
	)
	state := map[*node]int{}
	var out []*node
	var visit func(n *node)
	visit = func(n *node) {
		state[n] = open
		for _, p := range slices.Sorted(maps.Keys(n.imports)) {
			s := n.imports[p]
			switch {
			case s.main == nil:
			case state[s.main] == open:
				if n.cut == nil {
					n.cut = map[*source]bool{}
				}
				n.cut[s] = true
				if n.source.program {
					n.rows = append(n.rows, Degraded{n.files[0].name, "import cycle: " + p + " imports this package too; what it takes from there has no type"})
				}
			case state[s.main] == 0:
				visit(s.main)
			}
		}
		state[n] = done
		out = append(out, n)
	}
	for _, s := range l.order {
		for _, n := range s.nodes {
			if state[n] == 0 {
				visit(n)
			}
		}
	}
	return out
}

// checkNode type-checks one package, and goes on without its types where that takes too long.
func (l *loader) checkNode(ctx context.Context, n *node) {
	v := verdict{}
	files := make([]*ast.File, len(n.files))
	for i, f := range n.files {
		files[i] = f.syntax
	}
	if err := growth(files); err != nil {
		at := ""
		if e, ok := err.(*tooLarge); ok {
			at = positionOf(l.fset, e.pos) + ": "
		}
		v.fault = at + err.Error()
	} else {
		done := make(chan verdict, 1)
		go func() { done <- l.typeCheck(n, files) }()
		timer := time.NewTimer(checkTimeout)
		defer timer.Stop()
		select {
		case v = <-done:
		case <-timer.C:
			v.fault = "the type checker takes too long"
		case <-ctx.Done():
			return
		}
	}
	n.types, n.info = v.types, v.info
	if n.types == nil {
		n.types = types.NewPackage(n.path, n.name)
		n.types.MarkComplete() // an incomplete one could not be imported
		n.info = newInfo()
	}
	if !n.source.program {
		n.files, n.info = nil, nil
		return
	}
	if v.fault != "" {
		n.rows = append(n.rows, Degraded{n.files[0].name, "no types in the package: " + v.fault})
	}
	if v.errors > 0 && n.files[0].excluded == "" && !n.unsure(map[*node]bool{}) {
		n.rows = append(n.rows, Degraded{n.files[0].name, fmt.Sprintf("%s in the package, the first at %s", count(v.errors, "type error"), v.first)})
	}
}

// verdict is what the type checker says.
type verdict struct {
	types  *types.Package // nil where it failed altogether
	info   *types.Info
	errors int
	first  string // of the errors, with file:line:col
	fault  string // why there are no types
}

// typeCheck runs the type checker. It touches nothing of the node: nobody may be waiting for it any more. A defect of the type
// checker costs the package its types, not the load.
func (l *loader) typeCheck(n *node, files []*ast.File) (v verdict) {
	program := n.source.program
	defer func() {
		if e := recover(); e != nil {
			v = verdict{fault: fmt.Sprintf("internal error of the type checker: %v", e)}
		}
	}()
	conf := types.Config{
		Importer:                 importer{n, map[string]*types.Package{}},
		FakeImportC:              true,
		IgnoreFuncBodies:         !program,
		DisableUnusedImportCheck: true,
		Sizes:                    types.SizesFor("gc", l.build.goarch),
		Error: func(err error) {
			e, ok := err.(types.Error)
			if !program || !ok || e.Soft || strings.HasPrefix(e.Msg, "could not import ") || strings.HasPrefix(e.Msg, "\t") {
				return
			}
			if v.errors++; v.errors == 1 {
				v.first = positionOf(e.Fset, e.Pos) + ": " + e.Msg
			}
		},
	}
	if program {
		v.info = newInfo()
	}
	v.types, _ = conf.Check(n.path, l.fset, files, v.info)
	return v
}

func newInfo() *types.Info {
	return &types.Info{
		Types:      map[ast.Expr]types.TypeAndValue{},
		Instances:  map[*ast.Ident]types.Instance{},
		Defs:       map[*ast.Ident]types.Object{},
		Uses:       map[*ast.Ident]types.Object{},
		Implicits:  map[ast.Node]types.Object{},
		Selections: map[*ast.SelectorExpr]*types.Selection{},
		Scopes:     map[ast.Node]*types.Scope{},
	}
}

// importer gives the packages that one package imports.
type importer struct {
	n     *node
	fakes map[string]*types.Package
}

// Import implements types.Importer. A package that is not at hand comes with an error: the type checker then takes it for
// a fake, and lets everything pass that is taken from it.
func (i importer) Import(p string) (*types.Package, error) {
	if p == "unsafe" {
		return types.Unsafe, nil
	}
	s := i.n.imports[p]
	if s != nil && s.main != nil && !i.n.cut[s] && s.main.types != nil {
		return s.main.types, nil
	}
	if pkg := i.fakes[p]; pkg != nil {
		return pkg, errMissing
	}
	name, missing := i.n.missing[p]
	if !missing {
		name = guessName(p)
		if s != nil && s.main != nil {
			name = s.main.name
		}
	}
	pkg := types.NewPackage(p, name)
	i.fakes[p] = pkg
	return pkg, errMissing
}

var errMissing = fmt.Errorf("not at hand")

// unavailable gives a row for each module of which required packages are not at hand.
func (l *loader) unavailable() []Degraded {
	type lack struct {
		names map[string]bool
		first token.Pos
	}
	lacks := map[*module]*lack{} // dependencies
	own := map[*module]*lack{}   // packages of the module itself
	for _, s := range l.program {
		for _, n := range s.nodes {
			for _, f := range n.files {
				for _, i := range f.syntax.Imports {
					p := importPath(i)
					if _, missing := n.missing[p]; !missing {
						continue
					}
					in, name := lacks, l.res.requiredBy(s.owner, p)
					if s.owner.holds(p) {
						in, name = own, p
					}
					k := in[s.owner]
					if k == nil {
						k = &lack{names: map[string]bool{}, first: i.Pos()}
						in[s.owner] = k
					}
					k.names[name] = true
				}
			}
		}
	}
	var out []Degraded
	tell := func(lacks map[*module]*lack, one, what string) {
		for m, k := range lacks {
			names := slices.Sorted(maps.Keys(k.names))
			shown := strings.Join(names[:min(len(names), 5)], ", ")
			if rest := len(names) - 5; rest > 0 {
				shown += fmt.Sprintf(" and %d more", rest)
			}
			at := m.file()
			if at == "" {
				at = m.dir
			}
			out = append(out, Degraded{at, fmt.Sprintf("%s %s: %s (the first at %s)", count(len(names), one), what, shown, positionOf(l.fset, k.first))})
		}
	}
	tell(lacks, "dependency", "not at hand, types are missing")
	tell(own, "package", "of this module imported and not there")
	return out
}
