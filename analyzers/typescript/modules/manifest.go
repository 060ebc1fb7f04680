package modules

import (
	"path"
	"slices"
	"strings"
)

// manifest is what a package.json says.
type manifest struct {
	file, dir string
	name      string
	version   string
	main      value
	module    value
	types     value
	source    value
	browser   value
	exports   value
	imports   value
	bin       value
	scripts   value
	// deps by the strength of the promise: a dev dependency is asked last.
	deps       [4]value
	workspaces value
	custom     bool // from deno.json
	private    bool // never published
}

// manifestAt returns the package.json of a directory, nil when it has none. A
// broken one counts as one that says nothing: it still marks a package.
func (r *Resolver) manifestAt(dir string) *manifest {
	return r.manifests.get(dir, func() *manifest {
		if r.tree.list(dir)["package.json"] != file {
			return nil
		}
		name := path.Join(dir, "package.json")
		return newManifest(name, dir, r.readJSON(name))
	})
}

func newManifest(name, dir string, v value) *manifest {
	m := &manifest{
		file: name, dir: dir,
		name:    v.get("name").text,
		version: v.get("version").text,
		main:    v.get("main"),
		module:  v.get("module"),
		types:   v.get("types"),
		source:  v.get("source"),
		browser: v.get("browser"),
		exports: v.get("exports"),
		imports: v.get("imports"),
		bin:     v.get("bin"),
		scripts: v.get("scripts"),
		deps: [4]value{v.get("dependencies"), v.get("peerDependencies"),
			v.get("optionalDependencies"), v.get("devDependencies")},
		workspaces: v.get("workspaces"),
		private:    v.get("private").kind == 't',
	}
	if !m.types.present() {
		m.types = v.get("typings")
	}
	if packages := m.workspaces.get("packages"); packages.present() {
		m.workspaces = packages
	}
	return m
}

// depends returns the range under which the manifest itself declares pkg.
func (m *manifest) depends(pkg string) (value, bool) {
	for _, d := range m.deps {
		if v := d.get(pkg); v.isString() {
			return v, true
		}
	}
	return value{}, false
}

// manifestOf returns the package that a path belongs to, nil outside all.
func (r *Resolver) manifestOf(name string) *manifest {
	for dir := range above(path.Dir(name)) {
		if m := r.manifestAt(dir); m != nil {
			return m
		}
	}
	return nil
}

// Dependency returns the version range under which the package of a file, or
// one above it, declares pkg: "^1.2.0". References to a pnpm catalog, to a
// workspace package and npm aliases are replaced by the range they stand for.
// With deno.json, ranges inside its imports count as well.
func (r *Resolver) Dependency(file, pkg string) (versionRange string, ok bool) {
	for dir := range above(path.Dir(file)) {
		if m := r.manifestAt(dir); m != nil {
			if v, ok := m.depends(pkg); ok {
				return r.rangeOf(m, pkg, v.text), true
			}
			for _, d := range m.deps { // declared under another name
				for _, e := range d.members {
					if name, version, ok := npmAlias(e.value.text); ok && name == pkg {
						return version, true
					}
				}
			}
		}
		if d := r.denoAt(dir); d != nil {
			if version, ok := d.version(pkg); ok {
				return version, true
			}
		}
	}
	return "", false
}

func (r *Resolver) rangeOf(m *manifest, pkg, declared string) string {
	if _, version, ok := npmAlias(declared); ok {
		return version
	}
	if rest, ok := strings.CutPrefix(declared, "workspace:"); ok {
		switch rest {
		case "*", "^", "~", "":
			if target := r.workspacePackage(m.dir, pkg); target != nil && target.version != "" {
				return strings.TrimSuffix(rest, "*") + target.version
			}
			return "*"
		}
		return rest
	}
	if catalog, ok := strings.CutPrefix(declared, "catalog:"); ok {
		if catalog == "" {
			catalog = "default"
		}
		for dir := range above(m.dir) {
			if version, ok := r.catalogs[dir][catalog][pkg]; ok {
				return version
			}
		}
	}
	return declared
}

// npmAlias reads "npm:name@range".
func npmAlias(declared string) (name, version string, ok bool) {
	rest, ok := strings.CutPrefix(declared, "npm:")
	if !ok {
		return "", "", false
	}
	name, version, _ = splitVersion(rest)
	return name, version, name != ""
}

// splitVersion takes "@scope/name@1.2/sub" apart.
func splitVersion(spec string) (name, version, sub string) {
	name, sub = splitPackage(spec)
	if at := strings.LastIndexByte(name, '@'); at > 0 {
		name, version = name[:at], name[at+1:]
	}
	return name, version, sub
}

// splitPackage parts a bare specifier into package name and subpath.
func splitPackage(spec string) (name, sub string) {
	end := strings.IndexByte(spec, '/')
	if strings.HasPrefix(spec, "@") && end >= 0 {
		if next := strings.IndexByte(spec[end+1:], '/'); next >= 0 {
			end += 1 + next
		} else {
			end = -1
		}
	}
	if end < 0 {
		return spec, ""
	}
	return spec[:end], strings.TrimSuffix(spec[end+1:], "/")
}

// isPackageName says whether npm could carry a package of this name. It keeps
// aliases such as "@/lib" and "~/lib" from being taken for packages.
func isPackageName(name string) bool {
	scope, base, scoped := strings.Cut(name, "/")
	if scoped {
		if len(scope) < 2 || scope[0] != '@' {
			return false
		}
		scope = scope[1:]
	} else {
		base, scope = scope, ""
	}
	if strings.HasPrefix(name, "@") != scoped || base == "" || len(name) > 214 {
		return false
	}
	return !strings.ContainsFunc(base+scope, func(c rune) bool {
		return !(c == '-' || c == '_' || c == '.' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z')
	}) && base[0] != '.'
}

// sortManifests orders by directory and removes doubles.
func sortManifests(list []*manifest) []*manifest {
	slices.SortFunc(list, func(a, b *manifest) int {
		if c := strings.Compare(a.dir, b.dir); c != 0 {
			return c
		}
		return strings.Compare(a.file, b.file)
	})
	return slices.CompactFunc(list, func(a, b *manifest) bool { return a.file == b.file })
}
