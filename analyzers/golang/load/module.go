package load

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
	mod "golang.org/x/mod/module"
	"golang.org/x/mod/semver"
)

// goMod is what is read of a go.mod file.
type goMod struct {
	path    string // of the module, "" where it cannot be read
	pruned  bool   // lists every module that its packages need (Go 1.17 and later)
	require map[string]string
	replace []replacement
}

// replacement is a replace directive.
type replacement struct {
	old mod.Version // Version "" stands for all
	new mod.Version // Version "" makes Path a folder
}

// parseMod reads a go.mod. What an unknown or broken line leaves of it is given beside the error, which carries file:line.
func parseMod(name string, data []byte) (*goMod, error) {
	f, err := modfile.Parse(name, data, nil)
	if err != nil {
		lax, laxErr := modfile.ParseLax(name, data, nil)
		if laxErr != nil {
			return &goMod{path: modfile.ModulePath(data), require: map[string]string{}}, firstError(err)
		}
		f = lax
	}
	m := &goMod{require: map[string]string{}}
	if f.Module != nil {
		m.path = f.Module.Mod.Path
	}
	if f.Go != nil {
		m.pruned = semver.Compare("v"+f.Go.Version, "v1.17") >= 0
	}
	for _, r := range f.Require {
		raise(m.require, r.Mod.Path, r.Mod.Version)
	}
	m.replace = replacements(f.Replace)
	if err == nil && m.path == "" {
		err = fmt.Errorf("%s: no module path", name)
	}
	return m, firstError(err)
}

// goWork is what is read of a go.work file.
type goWork struct {
	use     []string // folders, relative to the file
	replace []replacement
}

// parseWork reads a go.work. The error carries file:line.
func parseWork(name string, data []byte) (*goWork, error) {
	f, err := modfile.ParseWork(name, data, nil)
	if err != nil {
		return &goWork{}, firstError(err)
	}
	w := &goWork{replace: replacements(f.Replace)}
	for _, u := range f.Use {
		w.use = append(w.use, u.Path)
	}
	return w, nil
}

func replacements(list []*modfile.Replace) []replacement {
	var out []replacement
	for _, r := range list {
		out = append(out, replacement{old: r.Old, new: r.New})
	}
	return out
}

// firstError gives the first of a list of errors of modfile, in one line.
func firstError(err error) error {
	if list, ok := err.(modfile.ErrorList); ok && len(list) > 0 {
		first := list[0]
		return &first
	}
	return err
}

// raise keeps the higher of two versions of a module.
func raise(versions map[string]string, modulePath, version string) {
	if old, ok := versions[modulePath]; !ok || semver.Compare(version, old) > 0 {
		versions[modulePath] = version
	}
}

// module is a module of the context, or what lies outside of all modules.
type module struct {
	dir  string // folder in the context
	path string // "" outside of modules
	*goMod
	links []*module         // modules of the context whose packages it sees beside its own
	list  map[string]string // versions in use, by module path; nil until it is asked for
	work  *workspace
	// replaces says that a replace directive of a module beside or above it takes it in place of a library.
	replaces bool
	// guessed is the import path of the context root, where nothing declares one and the imports tell it.
	guessed string
}

// file gives the path of the go.mod, "" where there is none.
func (m *module) file() string {
	if m.goMod == nil {
		return ""
	}
	return join(m.dir, "go.mod")
}

// importPath gives the import path of a folder of the module.
func (m *module) importPath(dir string) string {
	if m.path == "" {
		if m.guessed != "" {
			return join(m.guessed, dir)
		}
		return dir
	}
	return path.Join(m.path, relativeTo(m.dir, dir))
}

// holds reports whether an import path lies in the module, so that its package is no dependency.
func (m *module) holds(importPath string) bool {
	return m.path != "" && (importPath == m.path || strings.HasPrefix(importPath, m.path+"/"))
}

// relativeTo gives a folder below base relative to it.
func relativeTo(base, dir string) string {
	if base == "." {
		return dir
	}
	if dir == base {
		return "."
	}
	return strings.TrimPrefix(dir, base+"/")
}

// workspace is a go.work and the modules it uses.
type workspace struct {
	dir string
	*goWork
	modules []*module
}

// modules reads the modules of a context, each when it is first met. It is not safe for concurrent use.
type modules struct {
	context *tree
	budget  *budget
	cache   *tree // of modules, or nil

	byDir   map[string]*module // nil where a folder has no go.mod
	byWork  map[string]*workspace
	all     []*module // in the order in which they were met
	loose   *module
	problem func(file, reason string)
}

func newModules(context, cache *tree, b *budget, problem func(file, reason string)) *modules {
	return &modules{context: context, cache: cache, budget: b, byDir: map[string]*module{}, byWork: map[string]*workspace{},
		loose: &module{dir: "."}, problem: problem}
}

// of gives the module that a folder belongs to.
func (s *modules) of(dir string) *module {
	for d := dir; ; d = path.Dir(d) {
		if m := s.at(d, ""); m != nil {
			return m
		}
		if d == "." {
			return s.loose
		}
	}
}

// at gives the module whose go.mod stands in dir, nil where there is none. A folder that a directive names is a module called
// name even without a file.
func (s *modules) at(dir, name string) *module {
	if m, ok := s.byDir[dir]; ok && (m != nil || name == "") {
		return m
	}
	file := join(dir, "go.mod")
	m := &module{dir: dir}
	switch {
	case s.context.isFile(file):
		data, err := s.context.read(file, maxModFile, s.budget)
		if err == nil {
			m.goMod, err = parseMod(file, data)
			m.path = m.goMod.path
		} else {
			m.goMod = &goMod{}
			err = fmt.Errorf("%s: %w", file, err)
		}
		if err != nil {
			s.problem(file, "not read in full: "+err.Error())
		}
		if m.path == "" {
			m.path = name
		}
	case name != "":
		m.path, m.goMod = name, &goMod{}
	default:
		s.byDir[dir] = nil
		return nil
	}
	s.byDir[dir] = m
	s.all = append(s.all, m)
	m.work = s.workOf(m)
	if m.work != nil {
		m.links = append(m.links, m.work.modules...)
		s.link(m, m.work.replace, m.work.dir)
	}
	s.link(m, m.replace, m.dir)
	return m
}

// link adds the folders of the context that replace other modules.
func (s *modules) link(m *module, list []replacement, base string) {
	for _, r := range list {
		if r.new.Version != "" || path.IsAbs(r.new.Path) || strings.Contains(r.new.Path, `\`) {
			continue
		}
		dir := join(base, r.new.Path)
		if dir == ".." || strings.HasPrefix(dir, "../") || !s.context.hasFolder(dir) {
			continue // outside of the context, or not there
		}
		to := s.at(dir, r.old.Path)
		if to == nil {
			continue
		}
		if !slices.Contains(m.links, to) {
			m.links = append(m.links, to)
		}
		// the examples of a library replace it by the folder that they lie in
		to.replaces = to.replaces || !(dir == "." || base == dir || strings.HasPrefix(base, dir+"/"))
	}
}

// workOf gives the workspace that uses a module, or nil. As for the go command, the nearest go.work decides.
func (s *modules) workOf(m *module) *workspace {
	for d := m.dir; ; d = path.Dir(d) {
		if w := s.work(d); w != nil {
			for _, u := range w.use {
				if join(d, u) == m.dir {
					if !slices.Contains(w.modules, m) {
						w.modules = append(w.modules, m)
					}
					return w
				}
			}
			return nil
		}
		if d == "." {
			return nil
		}
	}
}

func (s *modules) work(dir string) *workspace {
	if w, ok := s.byWork[dir]; ok {
		return w
	}
	file := join(dir, "go.work")
	if !s.context.isFile(file) {
		s.byWork[dir] = nil
		return nil
	}
	w := &workspace{dir: dir, goWork: &goWork{}}
	s.byWork[dir] = w
	data, err := s.context.read(file, maxModFile, s.budget)
	if err == nil {
		w.goWork, err = parseWork(file, data)
	} else {
		err = fmt.Errorf("%s: %w", file, err)
	}
	if err != nil {
		s.problem(file, "not read: "+err.Error())
	}
	for _, u := range w.use {
		used := join(dir, u)
		if path.IsAbs(u) || used == ".." || strings.HasPrefix(used, "../") {
			s.problem(file, "uses "+path.Base(u)+", which lies outside of what is read")
			continue
		}
		if m := s.at(used, ""); m != nil && !slices.Contains(w.modules, m) {
			w.modules = append(w.modules, m)
		}
	}
	return w
}

// visible lists the modules of the context that a module sees, itself first.
func (m *module) visible() []*module {
	out := []*module{m}
	add := func(list []*module) {
		for _, l := range list {
			if !slices.Contains(out, l) {
				out = append(out, l)
			}
		}
	}
	add(m.links)
	if m.work != nil {
		add(m.work.modules)
	}
	return out
}

// versions gives the versions of required modules that are in use, as far as they can be known without a network.
func (s *modules) versions(m *module) map[string]string {
	if m.list != nil || m.goMod == nil {
		return m.list
	}
	m.list = map[string]string{}
	pruned := true
	for _, v := range m.visible() {
		if v.goMod == nil {
			continue
		}
		pruned = pruned && v.pruned
		for p, version := range v.require {
			raise(m.list, p, version)
		}
	}
	if !pruned && s.cache != nil {
		s.complete(m)
	}
	return m.list
}

// complete adds what the required modules require themselves: before Go 1.17 a go.mod did not list it.
func (s *modules) complete(m *module) {
	done := map[mod.Version]bool{}
	for {
		var next []mod.Version
		for p, v := range m.list {
			if at := m.replaced(p, v); at.Version != "" && !done[at] {
				next = append(next, at)
			}
		}
		if len(next) == 0 || len(done) > maxPackages {
			return
		}
		mod.Sort(next)
		for _, at := range next {
			done[at] = true
			escaped, err1 := mod.EscapePath(at.Path)
			version, err2 := mod.EscapeVersion(at.Version)
			if err1 != nil || err2 != nil {
				continue
			}
			data, err := s.cache.read(path.Join("cache/download", escaped, "@v", version+".mod"), maxModFile, s.budget)
			if err != nil {
				continue // not downloaded: nothing of it is needed from here
			}
			f, err := modfile.ParseLax("go.mod", data, nil)
			if err != nil {
				continue
			}
			for _, r := range f.Require {
				raise(m.list, r.Mod.Path, r.Mod.Version)
			}
		}
	}
}

// replaced gives the module that stands for another. A folder has no version; "" for both says that there is none to look up.
func (m *module) replaced(modulePath, version string) mod.Version {
	var lists [][]replacement
	if m.work != nil {
		lists = append(lists, m.work.replace)
		for _, v := range m.work.modules {
			lists = append(lists, v.replace)
		}
	}
	if m.goMod != nil {
		lists = append(lists, m.replace)
	}
	at := mod.Version{Path: modulePath, Version: version}
	for _, list := range lists {
		for _, r := range list {
			if r.old.Path == modulePath && (r.old.Version == "" || r.old.Version == version) {
				if r.new.Version == "" {
					return mod.Version{}
				}
				return r.new
			}
		}
	}
	return at
}
