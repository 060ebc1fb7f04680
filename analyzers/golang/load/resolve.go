package load

import (
	"path"
	"slices"
	"strings"

	mod "golang.org/x/mod/module"
)

// place is a folder that holds a package.
type place struct {
	tree *tree
	dir  string
}

// target is what an import leads to.
type target struct {
	place
	// owner is the module of the context on whose behalf the package is read: its versions hold for what the package imports.
	owner   *module
	program bool // belongs to the program
}

// resolver finds packages by import path. It is not safe for concurrent use.
type resolver struct {
	context, std, cache *tree // the latter two may be nil
	mods                *modules
	vendors             map[string]bool // folders with a vendor folder
}

// resolve finds the package that an import in a folder means; ok is false where it is not at hand.
func (r *resolver) resolve(from target, importPath string) (target, bool) {
	if !validImport(importPath) {
		return target{}, false
	}
	if from.tree == r.std && r.std != nil {
		if in := path.Join("vendor", importPath); r.std.hasPackage(in) {
			return target{place: place{r.std, in}}, true
		}
		return r.inStd(importPath)
	}
	if t, ok := r.inProgram(from, importPath); ok {
		return t, true
	}
	if t, ok := r.inStd(importPath); ok {
		return t, true
	}
	if t, ok := r.inVendor(from, importPath); ok {
		return t, true
	}
	return r.inCache(from.owner, importPath)
}

// validImport refuses what can lead out of a tree.
func validImport(p string) bool {
	return p != "" && !path.IsAbs(p) && !strings.ContainsAny(p, "\\\x00:*?<>|\"") && len(p) < 1024 && !slices.Contains(strings.Split(p, "/"), "")
}

func (r *resolver) inStd(importPath string) (target, bool) {
	if r.std == nil || strings.HasPrefix(importPath, ".") {
		return target{}, false
	}
	first, _, _ := strings.Cut(importPath, "/")
	if !strings.Contains(first, ".") && r.std.hasPackage(path.Clean(importPath)) {
		return target{place: place{r.std, path.Clean(importPath)}}, true
	}
	return target{}, false
}

// inProgram looks in the modules of the context that the importing one sees, by the longest module path.
func (r *resolver) inProgram(from target, importPath string) (target, bool) {
	if from.tree == r.context && (strings.HasPrefix(importPath, "./") || strings.HasPrefix(importPath, "../")) {
		return r.folder(from.owner, join(from.dir, importPath))
	}
	m := from.owner
	if m == nil {
		return target{}, false
	}
	if m.path == "" {
		rest, ok := beneath(m.guessed, importPath)
		if !ok {
			return target{}, false
		}
		return r.folder(m, rest)
	}
	for _, list := range [][]*module{m.visible(), r.relatives(m)} {
		best := target{}
		longest := -1
		for _, v := range list {
			rest, ok := beneath(v.path, importPath)
			if !ok || len(v.path) <= longest {
				continue
			}
			if t, ok := r.folder(v, join(v.dir, rest)); ok {
				best, longest = t, len(v.path)
			}
		}
		if longest >= 0 {
			return best, true
		}
	}
	return target{}, false
}

// relatives lists the modules of the context that were met and come from the same origin (host and owner), so that they are most
// likely the source of what is required from there, though no directive says so.
func (r *resolver) relatives(m *module) []*module {
	var out []*module
	for _, other := range r.mods.all {
		if other != m && other.path != "" && origin(other.path) != "" && origin(other.path) == origin(m.path) {
			out = append(out, other)
		}
	}
	return out
}

func origin(modulePath string) string {
	parts := strings.SplitN(modulePath, "/", 3)
	if len(parts) < 3 || !strings.Contains(parts[0], ".") {
		return ""
	}
	return parts[0] + "/" + parts[1]
}

// beneath gives the part of an import path below a module path, "." for the module itself.
func beneath(modulePath, importPath string) (string, bool) {
	if modulePath == "" {
		return "", false
	}
	if importPath == modulePath {
		return ".", true
	}
	return strings.CutPrefix(importPath, modulePath+"/")
}

// folder gives a folder of the context as a package of the program.
func (r *resolver) folder(m *module, dir string) (target, bool) {
	if !r.context.hasPackage(dir) {
		return target{}, false
	}
	if at := r.mods.of(dir); at != r.mods.loose {
		m = at
	}
	return target{place: place{r.context, dir}, owner: m, program: true}, true
}

// inVendor looks in the vendor folders above the importing package, up to the module or workspace.
func (r *resolver) inVendor(from target, importPath string) (target, bool) {
	if strings.HasPrefix(importPath, ".") {
		return target{}, false
	}
	m := from.owner
	if m == nil {
		return target{}, false
	}
	top := m.dir
	if m.work != nil {
		top = m.work.dir
	}
	dir := m.dir
	if from.tree == r.context {
		dir = from.dir
	}
	for {
		if r.vendored(dir) {
			if in := join(dir, "vendor", importPath); r.context.hasPackage(in) {
				return target{place: place{r.context, in}, owner: m}, true
			}
		}
		if dir == top || dir == "." {
			return target{}, false
		}
		dir = path.Dir(dir)
	}
}

// vendored reports whether a folder has a vendor folder.
func (r *resolver) vendored(dir string) bool {
	has, ok := r.vendors[dir]
	if !ok {
		has = r.context.hasFolder(join(dir, "vendor"))
		r.vendors[dir] = has
	}
	return has
}

// inCache looks in the module cache, by the versions that a module requires.
func (r *resolver) inCache(m *module, importPath string) (target, bool) {
	if r.cache == nil || m == nil {
		return target{}, false
	}
	versions := r.mods.versions(m)
	for p := path.Clean(importPath); p != "." && p != "/"; p = path.Dir(p) {
		version, ok := versions[p]
		if !ok {
			continue
		}
		at := m.replaced(p, version)
		escaped, err1 := mod.EscapePath(at.Path)
		v, err2 := mod.EscapeVersion(at.Version)
		if err1 != nil || err2 != nil || at.Version == "" {
			continue
		}
		dir := escaped + "@" + v
		if rest, _ := beneath(p, importPath); rest != "." {
			dir = join(dir, rest)
		}
		if r.cache.hasPackage(dir) {
			return target{place: place{r.cache, dir}, owner: m}, true
		}
	}
	return target{}, false
}

// requiredBy gives the required module that an import path belongs to, or the path itself.
func (r *resolver) requiredBy(m *module, importPath string) string {
	if m != nil {
		versions := r.mods.versions(m)
		for p := importPath; p != "." && p != "/"; p = path.Dir(p) {
			if _, ok := versions[p]; ok {
				return p
			}
		}
	}
	return importPath
}
