package modules

import (
	"cmp"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"
)

// Kind is what a specifier turned out to be.
type Kind uint8

const (
	Unresolved  Kind = iota // nothing is known; Reason says why
	Unit                    // a source file of the context
	External                // a package, builtin or URL outside the context
	Asset                   // a file of the context that is not source (JSON, CSS, SQL, …)
	Declaration             // a declaration file without a source: types, and values that are made elsewhere
)

func (k Kind) String() string {
	switch k {
	case Unit:
		return "unit"
	case External:
		return "external"
	case Asset:
		return "asset"
	case Declaration:
		return "declaration"
	}
	return "unresolved"
}

// Resolution is the meaning of one specifier in one file.
type Resolution struct {
	Kind Kind
	// File is the path of a Unit, Asset or Declaration, relative to the context root.
	File string
	// Package names an External: "zod", "@scope/name", "node:fs",
	// "node:fs/promises", "bun:sqlite", "https://deno.land/x/oak". An npm alias
	// is given by the name it stands for. It is also set for a workspace package
	// whose source was not found.
	Package string
	// Subpath is the rest after the package, without a leading slash.
	Subpath string
	// Registry is "jsr" for JSR, "url" for an address that names no registry, ""
	// for npm and builtins.
	Registry string
	// Version is the version that the specifier itself names ("npm:zod@3"), or "".
	Version string
	// Reason says why a specifier is Unresolved.
	Reason string
}

// Module returns package and subpath joined: "@scope/sdk/server/mcp.js".
func (r Resolution) Module() string {
	if r.Subpath == "" {
		return r.Package
	}
	return r.Package + "/" + r.Subpath
}

// ProblemKind parts what is wrong from what is only absent before a build or
// an installation.
type ProblemKind string

const (
	Broken       ProblemKind = "broken"        // cannot be read
	Missing      ProblemKind = "missing"       // names a file that is not here
	NotInstalled ProblemKind = "not installed" // names a file of a package outside the context
	NoSource     ProblemKind = "no source"     // names output that leads to no source here
)

// Problem is something in the configuration of the program under audit that
// could not be used.
type Problem struct {
	Kind    ProblemKind
	File    string // slash path relative to the context root
	Line    int    // from 1
	Message string
}

// Resolver resolves the specifiers of one context.
type Resolver struct {
	tree      *tree
	files     []string // listed, sorted
	manifests cache[string, *manifest]
	denos     cache[string, *deno]
	configs   cache[string, *tsconfig]
	nearest   cache[string, []*tsconfig] // of a directory
	ordered   cache[string, []*tsconfig] // of a file
	results   cache[request, Resolution]
	scripts   cache[string, *scripts]

	names    map[string][]*manifest // workspace packages
	members  []*manifest            // every manifest known at construction, by directory
	catalogs map[string]catalogs    // pnpm workspace directory -> version catalogs

	mu       sync.Mutex
	problems map[Problem]bool
}

// New prepares resolution for the context that view shows. Files are the source
// files of the audit, as paths in view: they come first where several files
// could be meant. The problems are those of the configuration around files; see
// [Resolver.Problems] for what turns up later.
func New(view fs.FS, files []string) (*Resolver, []Problem) {
	r := &Resolver{
		tree:     newTree(view, files),
		problems: map[Problem]bool{},
		catalogs: map[string]catalogs{},
	}
	r.files = slices.Sorted(slices.Values(files))
	r.findPackages()
	for _, dir := range r.tree.listedDirs() {
		r.configsOf(dir)
		r.denoAt(dir)
	}
	return r, r.Problems()
}

// Problems returns what was found wrong so far, sorted by place. Resolving from
// a file that was not listed can add to it.
func (r *Resolver) Problems() []Problem {
	r.mu.Lock()
	defer r.mu.Unlock()
	out := make([]Problem, 0, len(r.problems))
	for p := range r.problems {
		out = append(out, p)
	}
	slices.SortFunc(out, func(a, b Problem) int {
		return cmp.Or(strings.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), strings.Compare(a.Message, b.Message),
			strings.Compare(string(a.Kind), string(b.Kind)))
	})
	return out
}

// maxProblems bounds what a broken context can make the resolver remember.
const maxProblems = 10_000

func (r *Resolver) problem(kind ProblemKind, file string, line int, message string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.problems) < maxProblems {
		r.problems[Problem{kind, file, max(line, 1), message}] = true
	}
}

// cache keeps what was computed for a key. Two goroutines may compute the same
// value; the functions given to it have no other effect than problems, which
// are a set.
type cache[K comparable, V any] struct {
	mu sync.RWMutex
	m  map[K]V
}

func (c *cache[K, V]) get(key K, compute func() V) V {
	c.mu.RLock()
	v, ok := c.m[key]
	c.mu.RUnlock()
	if ok {
		return v
	}
	v = compute()
	c.mu.Lock()
	defer c.mu.Unlock()
	if first, ok := c.m[key]; ok {
		return first
	}
	if c.m == nil {
		c.m = map[K]V{}
	}
	c.m[key] = v
	return v
}

// join joins slash paths inside the context; ok is false when the result lies
// outside it.
func join(elem ...string) (name string, ok bool) {
	name = path.Join(elem...)
	return name, fs.ValidPath(name)
}

// above yields dir and the directories above it, up to the context root.
func above(dir string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for yield(dir) && dir != "." && dir != "/" {
			dir = path.Dir(dir)
		}
	}
}

// under says whether name lies in dir or is dir, and its path relative to dir.
func under(name, dir string) (rel string, ok bool) {
	switch {
	case dir == ".":
		return name, true
	case name == dir:
		return ".", true
	}
	return strings.CutPrefix(name, dir+"/")
}
