package modules

import (
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
)

// maxHops bounds how often one specifier may be replaced by another.
const maxHops = 8

// request is what a result depends on. Files of one directory share it unless a
// directory has several configurations.
type request struct {
	dir    string
	config *tsconfig
	scope  string // the file, where an import map has scopes
	spec   string
}

// Resolve says what a specifier means in a file. The file need not be one of
// the listed ones. Query and fragment ("./a.sql?raw") are ignored.
func (r *Resolver) Resolve(fromFile, specifier string) Resolution {
	fromFile = path.Clean(fromFile)
	configs := r.configsFor(fromFile)
	key := request{dir: path.Dir(fromFile), spec: specifier}
	if len(configs) > 0 {
		key.config = configs[0]
	}
	for dir := range above(key.dir) {
		if d := r.denoAt(dir); d != nil && len(d.scopes.members) > 0 {
			key.scope = fromFile
		}
	}
	return r.results.get(key, func() Resolution {
		return r.resolve(importer{fromFile, configs}, specifier, 0)
	})
}

type importer struct {
	file    string
	configs []*tsconfig
}

func (i importer) dir() string { return path.Dir(i.file) }

func (r *Resolver) resolve(from importer, spec string, hops int) Resolution {
	if hops > maxHops {
		return unresolved("replaced by another specifier too often: " + quote(spec))
	}
	if spec == "" || len(spec) > 4096 || strings.ContainsRune(spec, 0) {
		return unresolved("not a specifier")
	}
	if to, ok := r.importMapped(from.file, spec); ok && to != spec {
		if inside, ok := strings.CutPrefix(to, "/"); ok {
			return r.local(from, inside, spec)
		}
		return r.resolve(from, to, hops+1)
	}
	if isRelative(spec) {
		p, ok := join(from.dir(), withoutQuery(spec))
		if !ok {
			return unresolved("leads out of the context: " + quote(spec))
		}
		return r.local(from, p, spec)
	}
	if res, ok := schemed(spec); ok {
		return res
	}
	res, found, meant := r.alias(from, withoutQuery(spec))
	if found {
		return res
	}
	switch {
	case strings.HasPrefix(spec, "#"):
		return r.private(from, spec, hops)
	case strings.HasPrefix(spec, "/"):
		return r.rooted(from, spec)
	}
	if name, ok := builtin(spec); ok {
		return Resolution{Kind: External, Package: name}
	}
	return r.bare(from, withoutQuery(spec), meant)
}

func (r *Resolver) importMapped(fromFile, spec string) (string, bool) {
	for dir := range above(path.Dir(fromFile)) {
		if d := r.denoAt(dir); d != nil {
			if to, ok := d.mapped(fromFile, spec); ok {
				return to, true
			}
		}
	}
	return "", false
}

// local resolves a path inside the context.
func (r *Resolver) local(from importer, name, spec string) Resolution {
	if res, ok := r.target(name); ok {
		return res
	}
	for _, c := range from.configs { // several roots laid over each other
		for _, dir := range c.rootDirs {
			rel, ok := under(name, dir)
			if !ok {
				continue
			}
			for _, other := range c.rootDirs {
				if res, ok := r.target(path.Join(other, rel)); ok && other != dir {
					return res
				}
			}
		}
	}
	if found, ok := r.declaration(name); ok {
		return Resolution{Kind: Declaration, File: found}
	}
	if installed(name) {
		return unresolved("a file of an installed package: " + quote(spec))
	}
	return unresolved("no such file: " + quote(spec))
}

// declaration finds the declaration file that a path means when it has no source.
func (r *Resolver) declaration(name string) (string, bool) {
	stem, _ := emittedStem(name)
	for _, n := range []string{name, name + ".d.ts", stem + ".d.ts", stem + ".d.mts", stem + ".d.cts", path.Join(name, "index.d.ts")} {
		if found, ok := r.tree.file(n); ok && isDeclaration(n) && !installed(found) {
			return found, true
		}
	}
	return "", false
}

// alias applies compilerOptions.paths and baseUrl. Meant says that paths speak
// of such names, also when no file is found.
func (r *Resolver) alias(from importer, spec string) (res Resolution, found, meant bool) {
	var declared string
	for _, c := range from.configs {
		paths, forThis := c.mapped(spec)
		meant = meant || forThis
		for _, p := range paths {
			if res, ok := r.target(p); ok {
				return res, true, true
			}
			if d, ok := r.declaration(p); ok && declared == "" && forThis {
				declared = d
			}
		}
	}
	if declared != "" {
		return Resolution{Kind: Declaration, File: declared}, true, true
	}
	if _, ok := builtin(spec); ok {
		return Resolution{}, false, false
	}
	for _, c := range from.configs {
		if c.baseURL == "" {
			continue
		}
		if p, ok := join(c.baseURL, spec); ok {
			if res, ok := r.target(p); ok {
				return res, true, true
			}
		}
	}
	return Resolution{}, false, meant
}

// private resolves "#x" through the imports field of the nearest package.
func (r *Resolver) private(from importer, spec string, hops int) Resolution {
	m := r.manifestOf(from.file)
	if m == nil {
		return unresolved("no package.json declares " + quote(spec))
	}
	if entry, star, ok := matchKeys(m.imports, spec); ok {
		if entry.isNull() {
			return unresolved("imports of " + m.file + " forbid " + quote(spec))
		}
		for _, t := range targets(entry, star, conditions(from.configs)) {
			if isRelative(t) {
				if p, ok := join(m.dir, t); ok {
					if res, ok := r.target(p); ok {
						return res
					}
				}
				continue
			}
			if res := r.resolve(from, t, hops+1); res.Kind != Unresolved {
				return res
			}
		}
	}
	if res, ok := r.customary(m, strings.TrimPrefix(strings.TrimPrefix(spec, "#"), "/")); ok {
		return res
	}
	return unresolved("imports of " + m.file + " name no file for " + quote(spec))
}

// rooted resolves "/x", which bundlers take from the package's directory.
func (r *Resolver) rooted(from importer, spec string) Resolution {
	root := "."
	if m := r.manifestOf(from.file); m != nil {
		root = m.dir
	}
	if p, ok := join(root, withoutQuery(spec)); ok {
		if res, ok := r.target(p); ok {
			return res
		}
	}
	return unresolved("an absolute path: " + quote(spec))
}

// bare resolves a package name with an optional subpath. Aliased says that the
// paths of a configuration speak of such names and led to no file.
func (r *Resolver) bare(from importer, spec string, aliased bool) Resolution {
	name, sub := splitPackage(spec)
	own := r.manifestOf(from.file)
	if !isPackageName(name) {
		if rest, ok := aliasRest(spec); ok && own != nil {
			if res, ok := r.customary(own, rest); ok {
				return res
			}
		}
		if aliased {
			return unresolved("no such file: " + quote(spec))
		}
		return unresolved("an alias that no configuration here explains: " + quote(spec))
	}
	if own != nil && own.name == name {
		return r.inPackage(from, own, sub)
	}
	if m := r.workspacePackage(from.dir(), name); m != nil {
		return r.inPackage(from, m, sub)
	}
	declared, isDeclared := r.declares(from.dir(), name)
	if real, version, ok := npmAlias(declared); ok && isPackageName(real) {
		return Resolution{Kind: External, Package: real, Subpath: sub, Version: version}
	}
	if !isDeclared && own != nil {
		// Nobody declares it, so that it may be a path from the package's root
		// ("src/db") or a package of the context without a workspace file.
		if res, ok := r.target(path.Join(own.dir, spec)); ok && sub != "" {
			return res
		}
		for _, m := range r.members {
			if m.name == name {
				if res := r.inPackage(from, m, sub); res.Kind == Unit {
					return res
				}
			}
		}
	}
	if aliased && !isDeclared && own != nil {
		return unresolved("no such file: " + quote(spec))
	}
	return Resolution{Kind: External, Package: name, Subpath: sub}
}

func (r *Resolver) declares(dir, name string) (string, bool) {
	for at := range above(dir) {
		if m := r.manifestAt(at); m != nil {
			if v, ok := m.depends(name); ok {
				return v.text, true
			}
		}
	}
	return "", false
}

// aliasRest takes the customary aliases for a package's root apart.
func aliasRest(spec string) (string, bool) {
	for _, prefix := range []string{"@/", "~/", "@@/", "~~/", "$/", "@src/", "~"} {
		if rest, ok := strings.CutPrefix(spec, prefix); ok && rest != "" {
			return rest, true
		}
	}
	if rest, ok := strings.CutPrefix(spec, "$"); ok && rest != "" { // $lib of SvelteKit
		return rest, true
	}
	return "", false
}

// customary tries the folders that aliases for a package's root mean when the
// configuration that says so is absent or is a program.
func (r *Resolver) customary(m *manifest, rest string) (Resolution, bool) {
	for _, dir := range []string{"src", ".", "app"} {
		p, ok := join(m.dir, dir, rest)
		if !ok {
			continue
		}
		if res, ok := r.target(p); ok {
			return res, true
		}
	}
	return Resolution{}, false
}

// inPackage resolves a subpath ("" for the package itself) of a package of the context.
func (r *Resolver) inPackage(from importer, m *manifest, sub string) Resolution {
	var asset Resolution
	try := func(text string) (Resolution, bool) {
		p, ok := join(m.dir, text)
		if !ok {
			return Resolution{}, false
		}
		res, ok := r.target(p)
		if ok && res.Kind == Asset && sub == "" {
			asset = res // package.json in "main" is no program
			return Resolution{}, false
		}
		return res, ok
	}
	named, declared := "", ""
	if entry, star, ok := matchExports(m.exports, sub); ok {
		if entry.isNull() {
			return Resolution{Kind: Unresolved, Package: m.name, Subpath: sub, Reason: "exports of " + m.file + " forbid " + quote("./"+sub)}
		}
		for _, t := range targets(entry, star, conditions(from.configs)) {
			if res, ok := try(t); ok {
				return res
			}
			p, ok := join(m.dir, t)
			if ok && named == "" {
				named = p
			}
			if d, found := r.declaration(p); ok && found && declared == "" {
				declared = d
			}
		}
	}
	if sub != "" {
		for _, text := range []string{sub, path.Join("src", sub)} {
			if res, ok := try(text); ok {
				return res
			}
		}
		if named != "" {
			if found, ok := r.scriptsOf(m).bundled(named); ok {
				return Resolution{Kind: Unit, File: found}
			}
		}
		if declared != "" {
			return Resolution{Kind: Declaration, File: declared}
		}
		return Resolution{Kind: Unresolved, Package: m.name, Subpath: sub, Reason: "no source in " + m.dir + " for " + quote(m.name+"/"+sub)}
	}
	for _, v := range []value{m.source, m.module, m.main, m.browser, m.types} {
		if !v.isString() {
			continue
		}
		if res, ok := try(v.text); ok {
			return res
		}
		p, ok := join(m.dir, v.text)
		if ok && named == "" {
			named = p
		}
		if d, found := r.declaration(p); ok && found && declared == "" {
			declared = d
		}
	}
	if found, ok := r.mainSource(m, named); ok {
		return Resolution{Kind: Unit, File: found}
	}
	if declared != "" {
		return Resolution{Kind: Declaration, File: declared}
	}
	if asset.Kind == Asset {
		return asset
	}
	return Resolution{Kind: Unresolved, Package: m.name, Reason: "no source in " + m.dir + " for " + quote(m.name)}
}

func conditions(configs []*tsconfig) []string {
	for _, c := range configs {
		if len(c.conditions) > 0 {
			return c.conditions
		}
	}
	return nil
}

func unresolved(reason string) Resolution { return Resolution{Kind: Unresolved, Reason: reason} }

func isRelative(spec string) bool {
	return spec == "." || spec == ".." || strings.HasPrefix(spec, "./") || strings.HasPrefix(spec, "../")
}

func withoutQuery(spec string) string {
	if i := strings.IndexByte(spec, '?'); i > 0 {
		spec = spec[:i]
	}
	if i := strings.IndexByte(spec, '#'); i > 0 {
		spec = spec[:i]
	}
	return spec
}

func quote(text string) string {
	if len(text) > 120 {
		text = text[:120] + "…"
	}
	return strconv.Quote(text)
}

func sortedKeys[V any](m map[string]V) []string {
	return slices.Sorted(maps.Keys(m))
}
