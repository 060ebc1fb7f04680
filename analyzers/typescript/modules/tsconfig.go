package modules

import (
	"path"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

const (
	maxExtends    = 64 // configurations read for one, all branches of extends
	maxReferences = 64 // configurations that one refers to, all levels
	maxPatterns   = 1000
)

// tsconfig is the part of a tsconfig.json or jsconfig.json that resolution
// needs, with extends applied. Paths are relative to the context root.
type tsconfig struct {
	file, dir  string
	baseURL    string // "" when unset
	paths      []pathRule
	outDirs    []string // outDir and declarationDir
	rootDir    string
	rootDirs   []string
	include    []fileGlob // nil when unset
	exclude    []fileGlob
	bases      []string // directories that include starts from
	files      []string
	hasFiles   bool
	references []string // files
	conditions []string
}

// pathRule is one entry of compilerOptions.paths.
type pathRule struct {
	pattern string
	targets []string // may hold one star, like pattern
}

// settings is a tsconfig before "${configDir}" is known: each path beside the
// directory it is relative to.
type settings struct {
	values map[string]setting // option -> value
	reads  int
}

type setting struct {
	dir string // of the file that says it
	v   value
}

// tsconfigAt loads a configuration file, nil when it does not exist.
func (r *Resolver) tsconfigAt(name string) *tsconfig {
	return r.configs.get(name, func() *tsconfig {
		if _, ok := r.tree.file(name); !ok {
			return nil
		}
		s := settings{values: map[string]setting{}}
		r.readSettings(name, &s, map[string]bool{})
		return s.finish(name)
	})
}

var inherited = []string{"baseUrl", "paths", "outDir", "declarationDir", "rootDir", "rootDirs", "customConditions"}

// readSettings applies extends first, so that what is nearer overwrites it.
func (r *Resolver) readSettings(name string, s *settings, seen map[string]bool) {
	if s.reads++; s.reads > maxExtends {
		return
	}
	seen[name] = true
	root := r.readJSON(name)
	dir := path.Dir(name)
	for _, ext := range root.get("extends").strings() {
		base, ok := r.extended(dir, ext.text)
		if !ok {
			kind := Missing
			if !isRelative(ext.text) && !path.IsAbs(ext.text) {
				kind = NotInstalled
			}
			r.problem(kind, name, ext.line, "extends "+quote(ext.text)+", which is not here")
			continue
		}
		if seen[base] {
			r.problem(Broken, name, ext.line, "extends "+quote(ext.text)+" in a circle")
			continue
		}
		r.readSettings(base, s, seen)
	}
	delete(seen, name) // a base may be shared by two branches
	options := root.get("compilerOptions")
	for _, option := range inherited {
		if v := options.get(option); v.present() {
			s.values[option] = setting{dir, v}
		}
	}
	for _, option := range []string{"include", "exclude", "files"} {
		if v := root.get(option); v.present() {
			s.values[option] = setting{dir, v}
		}
	}
	// References are not inherited.
	s.values["references"] = setting{dir, root.get("references")}
}

// extended finds the file that extends names, by TypeScript's rules, with
// workspace packages in the place of installed ones.
func (r *Resolver) extended(dir, spec string) (string, bool) {
	tryFile := func(name string, ok bool) (string, bool) {
		if !ok {
			return "", false
		}
		for _, n := range []string{name, name + ".json"} {
			if found, ok := r.tree.file(n); ok && strings.HasSuffix(n, ".json") {
				return found, true
			}
		}
		found, ok := r.tree.file(path.Join(name, "tsconfig.json"))
		return found, ok
	}
	if spec == "" || path.IsAbs(spec) {
		return "", false
	}
	if isRelative(spec) {
		if found, ok := tryFile(join(dir, spec)); ok {
			return found, true
		}
		// A link into node_modules that an installation would make.
		_, rest, ok := strings.Cut(spec, "node_modules/")
		if !ok {
			return "", false
		}
		spec = rest
	}
	name, sub := splitPackage(spec)
	if m := r.workspacePackage(dir, name); m != nil {
		if target, _, ok := matchExports(m.exports, sub); ok {
			for _, t := range targets(target, "", nil) {
				if found, ok := tryFile(join(m.dir, t)); ok {
					return found, true
				}
			}
		}
		if found, ok := tryFile(join(m.dir, sub)); ok {
			return found, true
		}
	}
	for at := range above(dir) {
		if found, ok := tryFile(join(at, "node_modules", spec)); ok {
			return found, true
		}
	}
	return "", false
}

func (s *settings) finish(name string) *tsconfig {
	c := &tsconfig{file: name, dir: path.Dir(name)}
	// at returns a path setting relative to the context root.
	at := func(from setting, text string) (string, bool) {
		if rest, ok := strings.CutPrefix(text, "${configDir}"); ok {
			return join(c.dir, strings.TrimPrefix(rest, "/"))
		}
		if path.IsAbs(text) {
			return "", false
		}
		return join(from.dir, text)
	}
	one := func(option string) string {
		if v := s.values[option]; v.v.isString() {
			if p, ok := at(v, v.v.text); ok {
				return p
			}
		}
		return ""
	}
	many := func(option string) []string {
		var out []string
		v := s.values[option]
		for _, item := range v.v.items {
			if len(out) == maxPatterns {
				break
			}
			if p, ok := at(v, item.text); ok && item.isString() {
				out = append(out, p)
			}
		}
		return out
	}
	c.baseURL = one("baseUrl")
	c.rootDir = one("rootDir")
	c.rootDirs = many("rootDirs")
	for _, option := range []string{"outDir", "declarationDir"} {
		if dir := one(option); dir != "" {
			c.outDirs = append(c.outDirs, dir)
		}
	}
	include := many("include")
	c.include, c.exclude, c.bases = compileGlobs(include), compileGlobs(many("exclude")), globBases(include)
	c.files = many("files")
	c.hasFiles = s.values["files"].v.present()
	for _, item := range s.values["customConditions"].v.strings() {
		c.conditions = append(c.conditions, item.text)
	}
	for _, item := range s.values["references"].v.items {
		if p, ok := at(s.values["references"], item.get("path").text); ok && len(c.references) < maxReferences {
			c.references = append(c.references, p)
		}
	}
	paths := s.values["paths"]
	base := paths
	if c.baseURL != "" {
		base.dir = c.baseURL
	}
	for _, m := range paths.v.members {
		if len(c.paths) == maxPatterns {
			break
		}
		rule := pathRule{pattern: m.key}
		for _, t := range m.value.strings() {
			if p, ok := at(base, t.text); ok {
				rule.targets = append(rule.targets, p)
			}
		}
		c.paths = append(c.paths, rule)
	}
	return c
}

// mapped returns the paths that the rules give for a specifier: those of the
// exact pattern, else those of the one with the longest part before its star.
// Meant says that the rule was written for such names, and not for all.
func (c *tsconfig) mapped(spec string) (paths []string, meant bool) {
	var best *pathRule
	var star string
	for i := range c.paths {
		p := &c.paths[i]
		prefix, suffix, hasStar := strings.Cut(p.pattern, "*")
		switch {
		case !hasStar && p.pattern == spec:
			return p.targets, true
		case hasStar && len(spec) >= len(prefix)+len(suffix) && strings.HasPrefix(spec, prefix) && strings.HasSuffix(spec, suffix):
			if best == nil || len(prefix) > strings.IndexByte(best.pattern, '*') {
				best, star = p, spec[len(prefix):len(spec)-len(suffix)]
			}
		}
	}
	if best == nil {
		return nil, false
	}
	for _, t := range best.targets {
		if p, ok := join(strings.Replace(t, "*", star, 1)); ok {
			paths = append(paths, p)
		}
	}
	return paths, !strings.HasPrefix(best.pattern, "*")
}

// covers says whether a file belongs to the compilation of this configuration.
func (c *tsconfig) covers(name string) bool {
	if slices.Contains(c.files, name) {
		return true
	}
	if c.include == nil {
		if c.hasFiles {
			return false
		}
		_, ok := under(name, c.dir)
		return ok && !c.excludes(name)
	}
	return coveredBy(c.include, name) && !c.excludes(name)
}

func (c *tsconfig) excludes(name string) bool {
	return coveredBy(c.exclude, name)
}

// fileGlob is an entry of include or exclude, ready to match a file or a
// directory above it.
type fileGlob struct {
	dir  string // set for an entry without a star
	glob string
}

func compileGlobs(globs []string) []fileGlob {
	var out []fileGlob
	for _, g := range globs {
		if !strings.ContainsAny(g, "*?") {
			out = append(out, fileGlob{dir: g})
			continue
		}
		// TypeScript has no alternatives; to the matcher they would be costly ones.
		out = append(out, fileGlob{glob: strings.NewReplacer("{", `\{`, "}", `\}`).Replace(g)})
	}
	return out
}

func coveredBy(globs []fileGlob, name string) bool {
	for _, g := range globs {
		if g.dir != "" {
			if _, ok := under(name, g.dir); ok {
				return true
			}
			continue
		}
		for at := range above(name) { // a folder stands for what is in it
			if at == "." {
				break
			}
			if ok, err := doublestar.Match(g.glob, at); ok && err == nil {
				return true
			}
		}
	}
	return false
}

// configsOf returns the configurations that speak for the files of a directory:
// the nearest tsconfig.json or jsconfig.json, what it refers to, its siblings
// (tsconfig.app.json, …), and then the same further up. Only the first is
// TypeScript's own choice; the others are asked where it has no answer, since
// bundlers and runners often read another file than the compiler.
func (r *Resolver) configsOf(dir string) []*tsconfig {
	return r.nearest.get(dir, func() []*tsconfig {
		var out []*tsconfig
		add := func(c *tsconfig) bool {
			if c == nil || slices.Contains(out, c) {
				return false
			}
			out = append(out, c)
			return true
		}
		entries := r.tree.list(dir)
		for _, name := range []string{"tsconfig.json", "jsconfig.json"} {
			if entries[name] == file {
				r.addReferenced(r.tsconfigAt(path.Join(dir, name)), add, maxReferences)
			}
		}
		for _, name := range sortedKeys(entries) {
			if strings.HasPrefix(name, "tsconfig.") && strings.HasSuffix(name, ".json") && entries[name] == file {
				add(r.tsconfigAt(path.Join(dir, name)))
			}
		}
		if dir != "." {
			for _, c := range r.configsOf(path.Dir(dir)) {
				add(c)
			}
		}
		return out
	})
}

func (r *Resolver) addReferenced(c *tsconfig, add func(*tsconfig) bool, left int) {
	if c == nil || left == 0 || !add(c) {
		return
	}
	for _, ref := range c.references {
		if !strings.HasSuffix(ref, ".json") {
			ref = path.Join(ref, "tsconfig.json")
		}
		// References to other packages matter to the compiler's order of work
		// and say nothing about aliases here.
		if path.Dir(ref) == c.dir || strings.HasPrefix(path.Dir(ref), c.dir+"/") || c.dir == "." {
			r.addReferenced(r.tsconfigAt(ref), add, left-1)
		}
	}
}

// configsFor orders the configurations that can speak for a file: the nearest
// first, and among those of one directory the ones that compile the file.
func (r *Resolver) configsFor(name string) []*tsconfig {
	return r.ordered.get(name, func() []*tsconfig { return r.orderConfigs(name) })
}

func (r *Resolver) orderConfigs(name string) []*tsconfig {
	type ranked struct {
		config *tsconfig
		depth  int
		covers bool
	}
	var all []ranked
	for _, c := range r.configsOf(path.Dir(name)) {
		_, inside := under(name, c.dir)
		if covers := c.covers(name); covers || inside {
			all = append(all, ranked{c, len(strings.Split(c.dir, "/")), covers})
		}
	}
	slices.SortStableFunc(all, func(a, b ranked) int {
		if a.depth != b.depth {
			return b.depth - a.depth
		}
		switch {
		case a.covers == b.covers:
			return 0
		case a.covers:
			return -1
		}
		return 1
	})
	out := make([]*tsconfig, len(all))
	for i, c := range all {
		out[i] = c.config
	}
	return out
}
