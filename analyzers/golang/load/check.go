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
)

// checked is what the type checker says about a package.
type checked struct {
	types *types.Package
	info  *types.Info // of the program only
	rows  []Degraded
	cut   map[*source]bool // imports left out because they lead back here
	fakes map[string]*types.Package
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
					l.checkNode(n)
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

// checkNode type-checks one package. A defect of the type checker costs the package its types, not the load.
func (l *loader) checkNode(n *node) {
	program := n.source.program
	faults, first := 0, ""
	conf := types.Config{
		Importer:                 importer{n},
		FakeImportC:              true,
		IgnoreFuncBodies:         !program,
		DisableUnusedImportCheck: true,
		Sizes:                    types.SizesFor("gc", l.build.goarch),
		Error: func(err error) {
			e, ok := err.(types.Error)
			if !program || !ok || e.Soft || strings.HasPrefix(e.Msg, "could not import ") || strings.HasPrefix(e.Msg, "\t") {
				return
			}
			if faults++; faults == 1 {
				first = positionOf(e.Fset, e.Pos) + ": " + e.Msg
			}
		},
	}
	if program {
		n.info = newInfo()
	}
	files := make([]*ast.File, len(n.files))
	for i, f := range n.files {
		files[i] = f.syntax
	}
	defer func() {
		if e := recover(); e != nil {
			n.types = types.NewPackage(n.path, n.name)
			n.types.MarkComplete() // an incomplete one could not be imported
			if program {
				n.info = newInfo()
				n.rows = append(n.rows, Degraded{n.files[0].name, fmt.Sprintf("no types: internal error of the type checker: %v", e)})
			}
		}
		if !program {
			n.files, n.fakes = nil, nil
		}
	}()
	n.types, _ = conf.Check(n.path, l.fset, files, n.info)
	if faults > 0 && n.files[0].excluded == "" && !n.unsure(map[*node]bool{}) {
		n.rows = append(n.rows, Degraded{n.files[0].name, fmt.Sprintf("%s in the package, the first at %s", count(faults, "type error"), first)})
	}
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
type importer struct{ n *node }

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
	if pkg := i.n.fakes[p]; pkg != nil {
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
	if i.n.fakes == nil {
		i.n.fakes = map[string]*types.Package{}
	}
	i.n.fakes[p] = pkg
	return pkg, errMissing
}

var errMissing = fmt.Errorf("not at hand")

// unavailable gives a row for each module of which required packages are not at hand.
func (l *loader) unavailable() []Degraded {
	type lack struct {
		names map[string]bool
		first token.Pos
	}
	lacks := map[*module]*lack{}
	for _, s := range l.program {
		for _, n := range s.nodes {
			for _, f := range n.files {
				for _, i := range f.syntax.Imports {
					p := importPath(i)
					if _, missing := n.missing[p]; !missing {
						continue
					}
					k := lacks[s.owner]
					if k == nil {
						k = &lack{names: map[string]bool{}, first: i.Pos()}
						lacks[s.owner] = k
					}
					k.names[l.res.requiredBy(s.owner, p)] = true
				}
			}
		}
	}
	var out []Degraded
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
		out = append(out, Degraded{at, fmt.Sprintf("%s not at hand, types are missing: %s (the first at %s)", count(len(names), "dependency"), shown, positionOf(l.fset, k.first))})
	}
	return out
}
