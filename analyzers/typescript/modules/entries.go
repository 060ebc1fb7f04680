package modules

import (
	"bufio"
	"bytes"
	"cmp"
	"path"
	"slices"
	"strings"
)

// EntryKind is how a program is started.
type EntryKind string

const (
	Bin      EntryKind = "bin"      // a command of package.json
	Main     EntryKind = "main"     // main, module or source
	Exports  EntryKind = "exports"  // an entry of exports
	Script   EntryKind = "script"   // run by a script, a Deno task, a container or a Procfile
	Worker   EntryKind = "worker"   // main of a Cloudflare Worker
	Function EntryKind = "function" // a route or function that a host finds by its path
)

// EntryPoint is a file that a program can start with.
type EntryPoint struct {
	Kind    EntryKind
	Name    string // command, script, exported subpath or route pattern; may be ""
	Unit    string // the source file
	Package string // directory of the package, "." for the context root
	File    string // where it is declared
	Line    int
}

// EntryPoints returns the programs that the packages of the context declare,
// led back to sources and sorted by package, kind, unit and name. Entries whose
// source is not in the context are problems.
func (r *Resolver) EntryPoints() []EntryPoint {
	e := entryFinder{Resolver: r}
	for _, m := range r.members {
		e.declared(m)
		e.byScripts(m)
	}
	for _, dir := range r.tree.listedDirs() {
		e.workers(dir)
		e.images(dir)
		if d := r.denoAt(dir); d != nil {
			e.declared(d.manifest)
			e.byScripts(d.manifest)
		}
	}
	e.conventions()
	slices.SortFunc(e.out, func(a, b EntryPoint) int {
		return cmp.Or(strings.Compare(a.Package, b.Package), strings.Compare(string(a.Kind), string(b.Kind)),
			strings.Compare(a.Unit, b.Unit), strings.Compare(a.Name, b.Name), strings.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line))
	})
	return slices.CompactFunc(e.out, func(a, b EntryPoint) bool {
		return a.Kind == b.Kind && a.Name == b.Name && a.Unit == b.Unit && a.Package == b.Package
	})
}

type entryFinder struct {
	*Resolver
	out []EntryPoint
}

func (e *entryFinder) declared(m *manifest) {
	add := func(kind EntryKind, name string, v value, main bool) bool {
		p, ok := join(m.dir, v.text)
		if !ok || v.text == "" {
			return false
		}
		unit := ""
		if res, ok := e.target(p); ok && res.Kind == Unit {
			unit = res.File
		} else if ok {
			return false // styles, package.json, a binary
		} else if found, ok := e.scriptsOf(m).bundled(p); ok {
			unit = found
		} else if main {
			unit, _ = e.mainSource(m, p)
		}
		if unit == "" {
			e.problem(NoSource, m.file, v.line, string(kind)+" names "+quote(v.text)+", which has no source here")
			return false
		}
		e.out = append(e.out, EntryPoint{kind, name, unit, m.dir, m.file, v.line})
		return true
	}
	if m.bin.isString() {
		name := m.name[strings.LastIndexByte(m.name, '/')+1:]
		add(Bin, name, m.bin, true)
	}
	for _, b := range m.bin.members {
		if b.value.isString() {
			add(Bin, b.key, b.value, len(m.bin.members) == 1)
		}
	}
	for _, v := range []value{m.source, m.main, m.module} {
		if v.isString() && add(Main, "", v, true) {
			break
		}
	}
	switch {
	case !m.exports.present():
	case hasSubpaths(m.exports):
		for _, x := range m.exports.members {
			if !strings.Contains(x.key, "*") && x.key != "./package.json" {
				e.exported(m, x.key, x.value)
			}
		}
	default:
		e.exported(m, ".", m.exports)
	}
}

// exported takes the first target of an entry that has a source.
func (e *entryFinder) exported(m *manifest, key string, v value) {
	all := targets(v, "", nil)
	for _, t := range all {
		p, ok := join(m.dir, t)
		if !ok {
			continue
		}
		res, ok := e.target(p)
		if ok && res.Kind == Unit {
			e.out = append(e.out, EntryPoint{Exports, key, res.File, m.dir, m.file, v.line})
		}
		if ok {
			return
		}
	}
	for _, t := range all {
		if p, ok := join(m.dir, t); ok {
			found, ok := e.scriptsOf(m).bundled(p)
			if !ok && key == "." {
				found, ok = e.mainSource(m, p)
			}
			if ok {
				e.out = append(e.out, EntryPoint{Exports, key, found, m.dir, m.file, v.line})
				return
			}
		}
	}
	if len(all) > 0 {
		e.problem(NoSource, m.file, v.line, "exports names "+quote(all[0])+", which has no source here")
	}
}

func (e *entryFinder) byScripts(m *manifest) {
	for _, run := range e.scriptsOf(m).runs {
		kind := Script
		if run.worker {
			kind = Worker
		}
		if run.unit != "" {
			e.out = append(e.out, EntryPoint{kind, run.script, run.unit, m.dir, m.file, run.line})
		} else if isSource(run.target) {
			e.problem(NoSource, m.file, run.line, "script "+quote(run.script)+" runs "+quote(run.target)+", which has no source here")
		}
	}
}

// workers reads the main of Wrangler's configuration.
func (e *entryFinder) workers(dir string) {
	entries := e.tree.list(dir)
	add := func(name, target string, line int) {
		p, ok := join(dir, target)
		if !ok || target == "" {
			return
		}
		if res, ok := e.target(p); ok && res.Kind == Unit {
			e.out = append(e.out, EntryPoint{Worker, "", res.File, dir, name, line})
			return
		}
		e.problem(NoSource, name, line, "main names "+quote(target)+", which has no source here")
	}
	for _, base := range []string{"wrangler.json", "wrangler.jsonc"} {
		if entries[base] == file {
			name := path.Join(dir, base)
			root := e.readJSON(name)
			if v := root.get("main"); v.isString() {
				add(name, v.text, v.line)
			}
			for _, env := range root.get("env").members {
				if v := env.value.get("main"); v.isString() {
					add(name, v.text, v.line)
				}
			}
		}
	}
	if entries["wrangler.toml"] == file {
		name := path.Join(dir, "wrangler.toml")
		text, err := e.tree.read(name)
		if err != nil {
			e.problem(Broken, name, 1, "cannot be read: not a regular file, or larger than 1 MiB")
			return
		}
		for _, m := range tomlMains(text) {
			add(name, m.text, m.line)
		}
	}
}

// tomlMains returns the values of main at the top and in the environments of a
// wrangler.toml. One string key is all that is wanted of the format.
func tomlMains(text []byte) []value {
	var out []value
	wanted := true
	lines := bufio.NewScanner(bytes.NewReader(text))
	lines.Buffer(nil, maxConfig+1)
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		if strings.HasPrefix(line, "[") {
			section := strings.Trim(line, "[] \t")
			name, ok := strings.CutPrefix(section, "env.")
			wanted = ok && !strings.Contains(name, ".") && !strings.HasPrefix(line, "[[")
			continue
		}
		key, rest, ok := strings.Cut(line, "=")
		rest = strings.TrimSpace(rest)
		if !wanted || !ok || strings.Trim(strings.TrimSpace(key), `"'`) != "main" || rest == "" {
			continue
		}
		if q := rest[0]; q == '"' || q == '\'' {
			if end := strings.IndexByte(rest[1:], q); end > 0 {
				out = append(out, value{kind: '"', text: rest[1 : 1+end], line: n})
			}
		}
	}
	return out
}
