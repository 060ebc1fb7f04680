package load

import (
	"cmp"
	"context"
	"fmt"
	"go/token"
	"io/fs"
	"os"
	"path"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/retrysafe/retrysafe/analyzers/golang"
)

// Options of Load. The zero value means the defaults, without a standard library and without a module cache.
type Options struct {
	Toolchain Toolchain
	// Root is the absolute path of the view, where it is a folder on disk; modules can be fetched for no other.
	Root string
	// Fetch lets the go command download missing modules of the program into the module cache of the user.
	Fetch bool
	Jobs  int // files and packages at once; GOMAXPROCS by default
	// GOOS and GOARCH select the files of the build; those of the host by default.
	GOOS, GOARCH string
	// Described reports whether what a package offers is known without its source. A module that a replace directive takes from a folder of the
	// context is then left out where its packages are: the folder holds a copy of a library.
	Described func(importPath string) bool
	// Progress is told how many bytes of the given files are read.
	Progress func(doneBytes int64)
}

// Degraded is a file or folder that was not read as well as it could be.
type Degraded struct {
	Place  string // relative to the context root
	Reason string
}

// Result is what Load found.
type Result struct {
	// Packages are those of the program, sorted by path: those of the given files, and those of the context that they import.
	Packages []*golang.Package
	Degraded []Degraded // sorted
	Files    int        // given files that were read
	Bytes    int64      // of these
	Limit    string     // the bound that cut the load short, "" where none did
	Copies   []string   // folders of modules that are copies of described libraries, sorted

	owners   map[string]*module // of the packages, by path
	resolver *resolver
}

// Has reports whether a unit is a package of the result.
func (r *Result) Has(unit string) bool { return r.owners[unit] != nil }

// Version gives the version of the module that holds an external package, as the module of a program package requires it; "" if
// it is unknown. It is not safe for concurrent use.
func (r *Result) Version(unit, importPath string) string {
	m := r.owners[unit]
	if m == nil {
		return ""
	}
	name := r.resolver.requiredBy(m, importPath)
	at := m.replaced(name, r.resolver.mods.versions(m)[name])
	return at.Version
}

// Load reads the packages of the given Go files, slash paths in view, and what they import. A package is always read in full: the other
// files of its folder too, except tests, which are read where they are given. What fails is a row of the result; the error is that of ctx.
func Load(ctx context.Context, view fs.FS, files []string, opts Options) (*Result, error) {
	l := newLoader(view, opts)
	for _, name := range slices.Sorted(slices.Values(files)) {
		l.give(name)
	}
	if err := l.gather(ctx); err != nil {
		return l.result(), err
	}
	if opts.Fetch && l.fetch(ctx) {
		again := opts
		again.Fetch = false
		res, err := Load(ctx, view, files, again)
		res.Degraded = append(res.Degraded, l.fetchRows...)
		sortRows(res.Degraded)
		return res, err
	}
	l.check(ctx)
	return l.result(), ctx.Err()
}

// loader holds one load.
type loader struct {
	opts    Options
	jobs    int
	fset    *token.FileSet
	budget  *budget
	context *tree
	res     *resolver
	build   *platform // cgo is on: files that import "C" are read, what they take from it has no type
	std     *platform // of the standard library, which has a pure twin of everything that uses cgo

	sources   map[place]*source
	program   []*source
	order     []*source // in the order in which they were met
	pending   []*source
	wanted    map[*source]bool // dependencies of which users may name more
	units     map[string]bool  // paths of program packages
	names     sync.Map         // by import path, what candidates gives
	guessed   bool             // the import path of the loose folders was looked for
	rows      []Degraded
	fetchRows []Degraded
	limit     string
	files     int
	bytes     int64
}

// source is a folder that is read.
type source struct {
	target
	path  string          // import path
	index int             // in the order in which they were met
	given map[string]bool // base names of the given files
	files []*file
	rows  []Degraded
	nodes []*node
	main  *node // what an import of the folder means; nil if it holds no package
	read  bool
	// of a dependency
	users   []user
	surface *surface
}

// node is a package.
type node struct {
	source *source
	path   string
	name   string
	files  []*file
	// imports are the packages that are at hand; missing gives names for those that are not.
	imports map[string]*source
	missing map[string]string
	checked
}

func newLoader(view fs.FS, opts Options) *loader {
	l := &loader{opts: opts, jobs: opts.Jobs, fset: token.NewFileSet(), budget: &budget{}, sources: map[place]*source{}, wanted: map[*source]bool{}, units: map[string]bool{}}
	if l.jobs <= 0 {
		l.jobs = runtime.GOMAXPROCS(0)
	}
	l.budget.left.Store(maxTotalBytes)
	l.context = newTree(view, "", false)
	var std, cache *tree
	if root := opts.Toolchain.Root; root != "" {
		std = newTree(os.DirFS(path.Join(root, "src")), "$GOROOT/src", true)
	}
	if dir := opts.Toolchain.Cache; dir != "" {
		cache = newTree(os.DirFS(dir), "$GOMODCACHE", true)
	}
	l.build, l.std = newPlatform(opts.GOOS, opts.GOARCH), newPlatform(opts.GOOS, opts.GOARCH)
	l.build.cgo = true
	l.res = &resolver{context: l.context, std: std, cache: cache, vendors: map[string]bool{},
		mods: newModules(l.context, cache, l.budget, l.row)}
	return l
}

func (l *loader) row(place, reason string) { l.rows = append(l.rows, Degraded{place, reason}) }

// give adds a file to what is read.
func (l *loader) give(name string) {
	dir := path.Dir(name)
	s := l.sources[place{l.context, dir}]
	if s == nil {
		s = l.add(target{place: place{l.context, dir}, owner: l.res.mods.of(dir), program: true}, "")
	}
	if s != nil {
		s.given[path.Base(name)] = true
	}
}

// add makes a source of a target that was not met before, nil beyond the bound.
func (l *loader) add(t target, importPath string) *source {
	if len(l.order) >= maxPackages {
		l.limit = "packages"
		return nil
	}
	s := &source{target: t, path: importPath, index: len(l.order)}
	if t.program {
		s.given = map[string]bool{}
		l.program = append(l.program, s)
	}
	l.sources[t.place] = s
	l.order = append(l.order, s)
	l.pending = append(l.pending, s)
	return s
}

// unit claims the path of a program package. Paths are unique: what is declared again (a copied module, a second package of a
// folder) is told apart by more.
func (l *loader) unit(p, more string) string {
	out := p
	if more != "" {
		out += " [" + more + "]"
	}
	for i := 2; l.units[out]; i++ {
		out = fmt.Sprintf("%s [%s]", p, strings.TrimPrefix(fmt.Sprintf("%s %d", more, i), " "))
	}
	l.units[out] = true
	return out
}

func (l *loader) result() *Result {
	r := &Result{Degraded: l.rows, Files: l.files, Bytes: l.bytes, Limit: l.limit, owners: map[string]*module{}, resolver: l.res}
	copies := l.copies()
	left := map[string]bool{}
	program := func(p string) bool { return l.units[p] && !left[p] }
	for _, s := range l.program {
		if copies[s.owner] {
			for _, n := range s.nodes {
				left[n.path] = true
			}
			continue
		}
		r.Degraded = append(r.Degraded, s.rows...)
		for _, n := range s.nodes {
			if n.types == nil {
				continue // cut short
			}
			p := &golang.Package{Path: n.path, Name: n.name, Fset: l.fset, Types: n.types, Info: n.info, Imports: n.missing, Program: program}
			for _, f := range n.files {
				p.Files, p.Names, p.Sources = append(p.Files, f.syntax), append(p.Names, f.name), append(p.Sources, f.source)
			}
			r.Packages = append(r.Packages, p)
			r.owners[p.Path] = s.owner
			r.Degraded = append(r.Degraded, n.rows...)
		}
	}
	for m := range copies {
		r.Copies = append(r.Copies, m.dir)
	}
	slices.Sort(r.Copies)
	r.Degraded = append(r.Degraded, l.unavailable()...)
	if l.limit != "" {
		r.Degraded = append(r.Degraded, Degraded{".", "the limit on " + l.limit + " is reached; the rest was not read"})
	}
	slices.SortFunc(r.Packages, func(a, b *golang.Package) int { return strings.Compare(a.Path, b.Path) })
	sortRows(r.Degraded)
	r.Degraded = slices.Compact(r.Degraded)
	return r
}

// copies finds the modules that stand in for a described library.
func (l *loader) copies() map[*module]bool {
	out := map[*module]bool{}
	if l.opts.Described == nil {
		return out
	}
	for _, s := range l.program {
		if s.owner.replaces && slices.ContainsFunc(s.nodes, func(n *node) bool { return l.opts.Described(n.path) }) {
			out[s.owner] = true
		}
	}
	return out
}

func sortRows(rows []Degraded) {
	slices.SortFunc(rows, func(a, b Degraded) int {
		return cmp.Or(strings.Compare(a.Place, b.Place), strings.Compare(a.Reason, b.Reason))
	})
}
