package load

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
)

// gather reads the syntax of all packages, round by round: those given, those that they import, and so on. Of a dependency that is what those who
// import it name; it grows as they do.
func (l *loader) gather(ctx context.Context) error {
	var done atomic.Int64
	for len(l.pending) > 0 || len(l.wanted) > 0 {
		round := l.pending
		l.pending = nil
		each(ctx, len(round), l.jobs, func(i int) {
			s := round[i]
			if !s.program {
				l.readDependency(s)
				return
			}
			l.readProgram(s)
			for _, f := range s.files {
				if s.given[path.Base(f.name)] {
					done.Add(int64(len(f.source)))
				}
			}
			if l.opts.Progress != nil {
				l.opts.Progress(done.Load())
			}
		})
		if err := ctx.Err(); err != nil {
			return err
		}
		if !l.guessed {
			l.guessed = true
			l.guessRoot()
		}
		for _, s := range round {
			l.group(s)
			if !s.program {
				continue
			}
			for _, n := range s.nodes {
				l.follow(n)
			}
		}
		l.grow(ctx)
	}
	var dependencies []*source
	for _, s := range l.order {
		if !s.program && s.main != nil {
			dependencies = append(dependencies, s)
		}
	}
	each(ctx, len(dependencies), l.jobs, func(i int) {
		s := dependencies[i]
		if s.surface == nil {
			s.surface = newSurface(s.main.files)
		}
		s.surface.finish()
		s.surface, s.users = nil, nil
	})
	for _, s := range dependencies {
		l.nameMissing(s.main)
	}
	return ctx.Err()
}

// grow takes what the users of dependencies name of them since the last time, and adds what that imports to what is read next.
func (l *loader) grow(ctx context.Context) {
	more := slices.SortedFunc(maps.Keys(l.wanted), func(a, b *source) int { return a.index - b.index })
	l.wanted = map[*source]bool{}
	more = slices.DeleteFunc(more, func(s *source) bool {
		if !s.read {
			l.wanted[s] = true
		}
		return s.main == nil
	})
	each(ctx, len(more), l.jobs, func(i int) {
		s := more[i]
		if s.surface == nil {
			s.surface = newSurface(s.main.files)
		}
		s.surface.take(s.users, s.main.name)
	})
	for _, s := range more {
		for _, f := range s.main.files {
			if f.fresh != nil {
				l.needs(s, f)
			}
		}
	}
}

// needs follows the imports that what was taken of a dependency's file mentions.
func (l *loader) needs(s *source, f *file) {
	fresh := f.fresh
	f.fresh = nil
	follow := map[*ast.ImportSpec]bool{}
	for of := range fresh {
		claimed := s.surface.byName[of] != nil
		for _, i := range f.syntax.Imports {
			if slices.Contains(l.namesFor(i), of) {
				follow[i], claimed = true, true
			}
		}
		for _, i := range f.syntax.Imports {
			// something stands for an import whose name cannot be guessed
			if !claimed && i.Name == nil {
				follow[i] = true
			}
		}
	}
	if f.uses == nil {
		f.uses = uses{}
	}
	f.uses.merge(fresh)
	if f.follows == nil {
		f.follows = map[*ast.ImportSpec]bool{}
	}
	for _, i := range f.syntax.Imports {
		p := importPath(i)
		if f.follows[i] {
			l.want(s.main.imports[p])
			continue
		}
		if !follow[i] && (i.Name == nil || i.Name.Name != ".") || p == "" || p == "C" || p == "unsafe" {
			f.follows[i] = p == "unsafe" || p == "C"
			continue
		}
		f.follows[i] = true
		l.imported(s.main, p)
		l.use(s.main.imports[p], f, i)
	}
}

// use notes that a file imports a package.
func (l *loader) use(s *source, f *file, i *ast.ImportSpec) {
	if s == nil || s.program {
		return
	}
	u := user{file: f}
	if i.Name != nil {
		u.name = i.Name.Name
	}
	s.users = append(s.users, u)
	l.want(s)
}

// want sees to it that it is looked for what users name of a dependency.
func (l *loader) want(s *source) {
	if s != nil && !s.program {
		l.wanted[s] = true
	}
}

// each calls f for 0 to n-1, several at once.
func each(ctx context.Context, n, jobs int, f func(i int)) {
	var next atomic.Int64
	var workers sync.WaitGroup
	for range min(n, jobs) {
		workers.Go(func() {
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				f(i)
			}
		})
	}
	workers.Wait()
}

// readProgram reads the files of a folder of the program.
func (l *loader) readProgram(s *source) {
	for _, base := range s.tree.goFiles(s.dir) {
		test := strings.HasSuffix(base, "_test.go")
		if test && !s.given[base] {
			continue
		}
		name := join(s.dir, base)
		data, err := s.tree.read(name, maxFileBytes, l.budget)
		if err != nil {
			if s.given[base] || errors.Is(err, errTooLarge) || errors.Is(err, errBudget) {
				s.rows = append(s.rows, Degraded{name, "not read: " + err.Error()})
			}
			continue
		}
		f := &file{name: name, source: data, test: test}
		f.syntax, f.errors, f.first, err = parse(l.fset, name, data, parser.ParseComments|parser.AllErrors)
		if err != nil {
			s.rows = append(s.rows, Degraded{name, "not read: " + err.Error()})
			continue
		}
		if n, at := prune(f.syntax); n > 0 {
			s.rows = append(s.rows, Degraded{name, tooDeep(n, positionOf(l.fset, at))})
		}
		f.imports, f.uses = imports(f.syntax), usesOf(f.syntax)
		if f.errors > 0 {
			s.rows = append(s.rows, Degraded{name, fmt.Sprintf("%s, the first at %s; the rest of the file was analysed", count(f.errors, "syntax error"), f.first)})
		}
		if !l.build.builds(base, data) {
			f.excluded = constraintOf(base, data)
			if f.excluded == "" {
				f.excluded = "its name"
			}
			s.rows = append(s.rows, Degraded{name, fmt.Sprintf("not part of a build for %s/%s (%s); read on its own", l.build.goos, l.build.goarch, f.excluded)})
		}
		s.files = append(s.files, f)
	}
}

// readDependency reads what others can see of a package outside the program.
func (l *loader) readDependency(s *source) {
	build := l.build
	if s.tree == l.res.std {
		build = l.std
	}
	for _, base := range s.tree.goFiles(s.dir) {
		if strings.HasSuffix(base, "_test.go") {
			continue
		}
		name := join(s.dir, base)
		data, err := s.tree.read(name, maxFileBytes, l.budget)
		if err != nil || !build.builds(base, data) {
			continue
		}
		f := &file{name: name}
		shown, errors := s.tree.name(name), 0
		if f.syntax, errors, _, err = parse(l.fset, shown, withoutBodies(data), 0); errors > 0 {
			f.syntax, _, _, err = parse(l.fset, shown, data, 0)
		}
		if err != nil || !build.cgo && importsC(f.syntax) {
			continue
		}
		strip(f.syntax)
		s.files = append(s.files, f)
	}
}

func importsC(f *ast.File) bool {
	return slices.ContainsFunc(f.Imports, func(i *ast.ImportSpec) bool { return importPath(i) == "C" })
}

// group makes packages of the files of a folder.
func (l *loader) group(s *source) {
	s.read = true
	byName := map[string][]*file{}
	excluded := map[string][]*file{}
	for _, f := range s.files {
		if f.excluded != "" {
			key := f.syntax.Name.Name + " " + f.excluded
			excluded[key] = append(excluded[key], f)
			continue
		}
		byName[f.syntax.Name.Name] = append(byName[f.syntax.Name.Name], f)
	}
	main := mainOf(byName)
	if !s.program {
		if main != "" {
			s.main = &node{source: s, path: s.path, name: main, files: byName[main], imports: map[string]*source{}, missing: map[string]string{}}
			s.nodes = []*node{s.main}
		}
		s.files = nil
		return
	}
	for _, f := range s.files {
		if s.given[path.Base(f.name)] {
			l.files++
			l.bytes += int64(len(f.source))
		}
	}
	s.path = s.owner.importPath(s.dir)
	if s.owner.path == "" && l.res.std != nil && l.res.std.hasPackage(s.path) {
		s.path = "./" + s.path // a folder with the name of a package of the standard library
	}
	add := func(more string, files []*file) *node {
		n := &node{source: s, path: l.unit(s.path, more), name: files[0].syntax.Name.Name, files: files}
		s.nodes = append(s.nodes, n)
		return n
	}
	if main != "" {
		again := ""
		if l.units[s.path] {
			again = s.dir
		}
		s.main = add(again, byName[main])
	}
	for _, name := range slices.Sorted(maps.Keys(byName)) {
		if name != main {
			add(name, byName[name])
		}
	}
	for _, key := range slices.Sorted(maps.Keys(excluded)) {
		if files := excluded[key]; len(files) == 1 || clash(files) {
			for _, f := range files {
				add(path.Base(f.name), []*file{f})
			}
		} else {
			add(files[0].excluded, files)
		}
	}
}

// mainOf chooses the package that an import of a folder means: the one with the most files, rather a library than a
// program, never that of the tests.
func mainOf(byName map[string][]*file) string {
	best, bestRank := "", -1
	for _, name := range slices.Sorted(maps.Keys(byName)) {
		rank := 4 * len(byName[name])
		if name == "main" || name == "documentation" {
			rank = 2
		}
		if strings.HasSuffix(name, "_test") && byName[name][0].test {
			rank = 1
		}
		if rank > bestRank {
			best, bestRank = name, rank
		}
	}
	return best
}

// clash reports whether files declare a name twice, so that they are not one package.
func clash(files []*file) bool {
	seen := map[string]bool{}
	for _, f := range files {
		for _, name := range topLevel(f.syntax) {
			if seen[name] {
				return true
			}
			seen[name] = true
		}
	}
	return false
}

// topLevel lists the names that a file declares for its package; methods come with their type.
func topLevel(f *ast.File) []string {
	var out []string
	add := func(name string) {
		if name != "_" && name != "init" {
			out = append(out, name)
		}
	}
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil {
				add(d.Name.Name)
			} else if len(d.Recv.List) == 1 {
				add(receiver(d.Recv.List[0].Type) + "." + d.Name.Name)
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.ValueSpec:
					for _, n := range s.Names {
						add(n.Name)
					}
				case *ast.TypeSpec:
					add(s.Name.Name)
				}
			}
		}
	}
	return out
}

func receiver(x ast.Expr) string {
	for {
		switch y := x.(type) {
		case *ast.StarExpr:
			x = y.X
		case *ast.ParenExpr:
			x = y.X
		case *ast.IndexExpr:
			x = y.X
		case *ast.IndexListExpr:
			x = y.X
		case *ast.Ident:
			return y.Name
		default:
			return ""
		}
	}
}

// follow resolves the imports of a package of the program and adds what was not met before to what is read next.
func (l *loader) follow(n *node) {
	n.imports, n.missing = map[string]*source{}, map[string]string{}
	paths := map[string]bool{}
	for _, f := range n.files {
		for _, p := range f.imports {
			paths[p] = true
		}
	}
	for _, p := range slices.Sorted(maps.Keys(paths)) {
		l.imported(n, p)
	}
	for _, f := range n.files {
		for _, i := range f.syntax.Imports {
			l.use(n.imports[importPath(i)], f, i)
		}
	}
	l.nameMissing(n)
}

// imported resolves one import of a package.
func (l *loader) imported(n *node, p string) {
	if _, missing := n.missing[p]; missing || n.imports[p] != nil {
		return
	}
	t, ok := l.res.resolve(n.source.target, p)
	if !ok {
		n.missing[p] = ""
		return
	}
	s := l.sources[t.place]
	if s == nil {
		s = l.add(t, p)
	}
	if s == nil || s == n.source && n == s.main {
		n.missing[p] = ""
		return
	}
	n.imports[p] = s
}

// unsure reports whether a package takes something from what is not at hand, itself or through packages of the program: what does not fit
// there is most likely a consequence.
func (n *node) unsure(seen map[*node]bool) bool {
	if len(n.missing) > 0 {
		return true
	}
	if seen[n] {
		return false
	}
	seen[n] = true
	for _, s := range n.imports {
		if s.main == nil || s.program && s.main.unsure(seen) {
			return true
		}
	}
	return false
}

// imports lists the packages that a file imports, "C" and unsafe apart.
func imports(f *ast.File) []string {
	var out []string
	for _, i := range f.Imports {
		if p := importPath(i); p != "" && p != "C" && p != "unsafe" {
			out = append(out, p)
		}
	}
	return out
}

// namesFor lists the names that an import may have in its file.
func (l *loader) namesFor(i *ast.ImportSpec) []string {
	if i.Name != nil {
		return []string{i.Name.Name}
	}
	p := importPath(i)
	if names, known := l.names.Load(p); known {
		return names.([]string)
	}
	names := candidates(p)
	l.names.Store(p, names)
	return names
}

// nameMissing gives names to the packages that are not at hand.
func (l *loader) nameMissing(n *node) {
	if len(n.missing) == 0 {
		return
	}
	for _, f := range n.files {
		var open []string
		known := map[string]bool{}
		for _, i := range f.syntax.Imports {
			p := importPath(i)
			name, missing := n.missing[p]
			switch {
			case i.Name != nil:
				known[i.Name.Name] = true
			case !missing:
				known[guessName(p)] = true // as good as its name for what it is used for
			case name == "":
				open = append(open, p)
			default:
				known[name] = true
			}
		}
		if len(open) > 0 && n.source.program {
			maps.Copy(n.missing, namesOf(f.syntax, open, known))
		}
	}
	for p, name := range n.missing {
		if name == "" {
			n.missing[p] = guessName(p)
		}
	}
}

// guessRoot looks for the import path of the context root where no module declares one: a prefix with which several packages
// import each other, and nothing that is not there. Such code was written for a GOPATH.
func (l *loader) guessRoot() {
	loose := l.res.mods.loose
	if loose.path != "" {
		return
	}
	hits, misses := map[string]map[string]bool{}, map[string]bool{}
	for _, s := range l.program {
		if s.owner != loose {
			continue
		}
		for _, f := range s.files {
			for _, i := range f.syntax.Imports {
				l.vote(importPath(i), hits, misses)
			}
		}
	}
	best := ""
	for _, prefix := range slices.Sorted(maps.Keys(hits)) {
		if len(hits[prefix]) >= 2 && !misses[prefix] && (best == "" || len(hits[prefix]) > len(hits[best]) || len(hits[prefix]) == len(hits[best]) && len(prefix) > len(best)) {
			best = prefix
		}
	}
	loose.guessed = best
}

// vote counts for each short prefix of an import path whether the rest of it is a folder.
func (l *loader) vote(p string, hits map[string]map[string]bool, misses map[string]bool) {
	if !validImport(p) || p[0] == '.' || l.res.std != nil && l.res.std.hasPackage(p) {
		return
	}
	parts := strings.Split(p, "/")
	for n := 1; n <= min(3, len(parts)-1); n++ {
		prefix, rest := strings.Join(parts[:n], "/"), strings.Join(parts[n:], "/")
		if !l.context.hasPackage(rest) {
			misses[prefix] = true
			continue
		}
		if hits[prefix] == nil {
			hits[prefix] = map[string]bool{}
		}
		hits[prefix][rest] = true
	}
}

// count gives a number and what it counts.
func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	if stem, ok := strings.CutSuffix(what, "y"); ok {
		what = stem + "ie"
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// positionOf gives file:line:col as the file is, whatever its line directives say.
func positionOf(fset *token.FileSet, pos token.Pos) string {
	return fset.PositionFor(pos, false).String()
}
