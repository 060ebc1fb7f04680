package modules

import (
	"path"
	"slices"
	"strings"
)

// sourceExtensions in the order in which TypeScript tries them.
var sourceExtensions = [...]string{".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs"}

// spellings are the names of the source that an import of name can mean, best
// first: the source of an emitted extension, the file itself, an added extension.
func spellings(name string) []string {
	var out []string
	stem := strings.TrimSuffix(name, path.Ext(name))
	switch path.Ext(name) {
	case ".js":
		out = append(out, stem+".ts", stem+".tsx", name, stem+".jsx", stem+".mts", stem+".cts")
	case ".jsx":
		out = append(out, stem+".tsx", name, stem+".ts", stem+".js")
	case ".mjs":
		out = append(out, stem+".mts", name, stem+".ts")
	case ".cjs":
		out = append(out, stem+".cts", name, stem+".ts")
	default:
		out = append(out, name)
	}
	for _, ext := range sourceExtensions {
		out = append(out, name+ext)
	}
	return out
}

// probe finds the source file that a path means by TypeScript's and Node's
// rules: a file, then a directory. With listed set, only files of the audit count.
func (r *Resolver) probe(name string, listed bool) (string, bool) {
	if installed(name) {
		return "", false
	}
	for _, s := range spellings(name) {
		if found, ok := r.unit(s, listed); ok {
			return found, true
		}
	}
	dir := r.tree.dir(name)
	if dir == "" {
		return "", false
	}
	if m := r.manifestAt(dir); m != nil && dir != "." {
		for _, v := range []value{m.source, m.module, m.main} {
			if p, ok := join(dir, v.text); ok && v.isString() && p != dir {
				if found, ok := r.fileOrIndex(p, listed); ok {
					return found, true
				}
			}
		}
	}
	return r.index(dir, listed)
}

func (r *Resolver) fileOrIndex(name string, listed bool) (string, bool) {
	for _, s := range spellings(name) {
		if found, ok := r.unit(s, listed); ok {
			return found, true
		}
	}
	return r.index(name, listed)
}

func (r *Resolver) index(dir string, listed bool) (string, bool) {
	for _, ext := range sourceExtensions {
		if found, ok := r.unit(path.Join(dir, "index"+ext), listed); ok {
			return found, true
		}
	}
	return "", false
}

func (r *Resolver) unit(name string, listed bool) (string, bool) {
	if !isSource(name) || installed(name) {
		return "", false
	}
	if listed {
		if r.tree.listed[name] {
			return name, true
		}
		// A listed file can be meant through a link.
		found, ok := r.tree.file(name)
		return found, ok && r.tree.listed[found]
	}
	found, ok := r.tree.file(name)
	return found, ok && !installed(found)
}

// target resolves a path that may name build output: a file of the audit, else
// the source that the output is made from, else whatever lies there.
func (r *Resolver) target(name string) (Resolution, bool) {
	if installed(name) {
		return Resolution{}, false
	}
	if found, ok := r.probe(name, true); ok {
		return Resolution{Kind: Unit, File: found}, true
	}
	if found, ok := r.sourceOf(name); ok {
		return Resolution{Kind: Unit, File: found}, true
	}
	if found, ok := r.probe(name, false); ok {
		return Resolution{Kind: Unit, File: found}, true
	}
	if found, ok := r.tree.file(name); ok && !isSource(found) && !isDeclaration(found) && !installed(found) {
		return Resolution{Kind: Asset, File: found}, true
	}
	return Resolution{}, false
}

// outputFolder says whether a folder at the root of a package is customarily
// written by a build.
func outputFolder(name string) bool {
	switch name {
	case "dist", "build", "out", "lib", "output", "es", "esm", "cjs", "umd", "types", "typings", "target", "compiled", ".build", ".output", ".smithery":
		return true
	}
	return strings.HasPrefix(name, "dist-") || strings.HasPrefix(name, "build-") || strings.HasPrefix(name, "dist_") || strings.HasPrefix(name, "lib-")
}

// formatFolder says whether a folder below the output only tells the module format.
func formatFolder(name string) bool {
	switch name {
	case "esm", "cjs", "es", "umd", "mjs", "module", "commonjs", "node", "types", "dts", "development", "production", "bundle":
		return true
	}
	return false
}

// emittedStem removes the extension that a compiler or bundler gave a file:
// "index.d.ts", "index.cjs.js" and "index.mjs" all become "index".
func emittedStem(name string) (string, bool) {
	for _, ext := range []string{".d.ts", ".d.mts", ".d.cts", ".js", ".mjs", ".cjs", ".jsx"} {
		if stem, ok := strings.CutSuffix(name, ext); ok {
			for _, format := range []string{".esm", ".cjs", ".umd", ".module", ".es", ".node", ".min", ".modern", ".bundle"} {
				if s, ok := strings.CutSuffix(stem, format); ok && path.Base(s) != "" {
					return s, true
				}
			}
			return stem, true
		}
	}
	return name, path.Ext(name) == ""
}

// sourceOf finds the source that a file of build output is made from.
func (r *Resolver) sourceOf(name string) (string, bool) {
	if m := r.manifestOf(name); m != nil {
		if made, ok := r.scriptsOf(m).made(name); ok && made != name {
			return made, true
		}
	}
	return r.compiledFrom(name)
}

// compiledFrom leads output back by the settings of the compiler, then by the
// customary names of folders.
func (r *Resolver) compiledFrom(name string) (string, bool) {
	stem, emitted := emittedStem(name)
	if !emitted {
		return "", false
	}
	root := "."
	if m := r.manifestOf(name); m != nil {
		root = m.dir
	}
	try := func(dir, rest string) (string, bool) {
		p, ok := join(dir, rest)
		if !ok || p == name {
			return "", false
		}
		if found, ok := r.probe(p, true); ok {
			return found, true
		}
		return r.probe(p, false)
	}
	for _, c := range r.configsFor(name) {
		for _, out := range c.outDirs {
			rest, ok := under(stem, out)
			if !ok || out == c.dir {
				continue
			}
			dirs := []string{c.rootDir}
			if c.rootDir == "" {
				dirs = slices.Concat(c.bases, []string{c.dir, path.Join(c.dir, "src")})
			}
			for _, dir := range dirs {
				if found, ok := try(dir, rest); ok {
					return found, true
				}
			}
		}
	}
	rest, ok := under(stem, root)
	if !ok {
		return "", false
	}
	first, rest, ok := strings.Cut(rest, "/")
	if !ok || !outputFolder(first) {
		return "", false
	}
	rests := []string{rest}
	if format, deeper, ok := strings.Cut(rest, "/"); ok && (formatFolder(format) || outputFolder(format)) {
		rests = append(rests, deeper)
	}
	// A compilation of several packages repeats the way to each.
	if i := strings.Index(rest, "/src/"); i >= 0 {
		rests = append(rests, rest[i+1:])
	}
	for _, rest := range rests {
		for _, dir := range []string{"src", "source", "lib", "app", "."} {
			if dir == first {
				continue
			}
			if found, ok := try(root, path.Join(dir, rest)); ok {
				return found, true
			}
		}
	}
	return "", false
}

// globBases returns the directories of globs up to their first special component.
func globBases(globs []string) []string {
	var out []string
	for _, g := range globs {
		if i := strings.IndexAny(g, "*?[{"); i >= 0 {
			g = path.Dir(g[:i] + "x")
		} else if path.Ext(g) != "" {
			g = path.Dir(g)
		}
		if !slices.Contains(out, g) {
			out = append(out, g)
		}
	}
	return out
}

// mainSource guesses the entry of a package whose manifest names output that
// cannot be led back: bundlers rename freely, and packages seldom have two.
func (r *Resolver) mainSource(m *manifest, named string) (string, bool) {
	if found, ok := r.scriptsOf(m).bundled(named); ok {
		return found, true
	}
	base := ""
	if named != "" {
		stem, _ := emittedStem(path.Base(named))
		base = stem
	}
	for _, dir := range []string{"src", ".", "source", "lib", "app"} {
		for _, name := range []string{base, "index", "main", "mod", "server"} {
			if name == "" {
				continue
			}
			p, ok := join(m.dir, dir, name)
			if !ok {
				continue
			}
			for _, ext := range sourceExtensions {
				if found, ok := r.unit(p+ext, false); ok && found != named {
					return found, true
				}
			}
		}
	}
	return "", false
}
