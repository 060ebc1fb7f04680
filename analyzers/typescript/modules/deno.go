package modules

import (
	"path"
	"strings"
)

// deno is what a deno.json or deno.jsonc says.
type deno struct {
	dir       string
	mapDir    string // directory that relative entries of imports start from
	imports   value
	scopes    value
	workspace value
	tasks     value
	file      string
	manifest  *manifest // its name and exports, seen as a package
}

// denoAt returns the Deno configuration of a directory, nil when it has none.
func (r *Resolver) denoAt(dir string) *deno {
	return r.denos.get(dir, func() *deno {
		entries := r.tree.list(dir)
		for _, base := range []string{"deno.json", "deno.jsonc"} {
			if entries[base] != file {
				continue
			}
			name := path.Join(dir, base)
			v := r.readJSON(name)
			d := &deno{dir: dir, mapDir: dir, file: name, imports: v.get("imports"), scopes: v.get("scopes"),
				workspace: v.get("workspace"), tasks: v.get("tasks"), manifest: newManifest(name, dir, v)}
			// The words below mean something else in a deno.json.
			d.manifest.imports, d.manifest.workspaces, d.manifest.custom = value{}, value{}, true
			d.manifest.scripts = d.tasks
			if members := d.workspace.get("members"); members.present() {
				d.workspace = members
			}
			if from := v.get("importMap"); from.isString() && !strings.Contains(from.text, "://") {
				if p, ok := join(dir, from.text); ok {
					m := r.readJSON(p)
					if !m.present() {
						r.problem(Missing, name, from.line, "import map "+quote(from.text)+" is not here")
					}
					d.imports, d.scopes, d.mapDir = m.get("imports"), m.get("scopes"), path.Dir(p)
				}
			}
			return d
		}
		// Functions of some hosts carry an import map without a configuration.
		if entries["import_map.json"] == file {
			name := path.Join(dir, "import_map.json")
			v := r.readJSON(name)
			return &deno{dir: dir, mapDir: dir, file: name, imports: v.get("imports"), scopes: v.get("scopes"), manifest: newManifest(name, dir, value{})}
		}
		return nil
	})
}

// mapped applies the import map to a specifier in a file. The result is a
// specifier again, relative ones already joined to the context ("/" first).
func (d *deno) mapped(fromFile, spec string) (string, bool) {
	bestScope := ""
	var table value
	for _, m := range d.scopes.members {
		scope, ok := join(d.mapDir, m.key)
		if !ok {
			continue
		}
		if _, inside := under(fromFile, scope); inside && len(scope) > len(bestScope) {
			bestScope, table = scope, m.value
		}
	}
	if to, ok := lookUp(table, spec); ok {
		return d.place(to)
	}
	if to, ok := lookUp(d.imports, spec); ok {
		return d.place(to)
	}
	return "", false
}

func (d *deno) place(to string) (string, bool) {
	if !isRelative(to) && !strings.HasPrefix(to, "/") {
		return to, true
	}
	p, ok := join(d.mapDir, to)
	return "/" + p, ok
}

func lookUp(table value, spec string) (string, bool) {
	if v := table.get(spec); v.isString() {
		return v.text, true
	}
	best := ""
	to := ""
	for _, m := range table.members {
		if rest, ok := strings.CutPrefix(spec, m.key); ok && strings.HasSuffix(m.key, "/") && m.value.isString() && len(m.key) > len(best) {
			best, to = m.key, m.value.text+rest
		}
	}
	if best != "" {
		return to, true
	}
	// Deno itself extends "zod": "npm:zod@3" to "zod/v4".
	name, sub := splitPackage(spec)
	if v := table.get(name); sub != "" && v.isString() && (strings.HasPrefix(v.text, "npm:") || strings.HasPrefix(v.text, "jsr:")) {
		return v.text + "/" + sub, true
	}
	return "", false
}

// version returns the range under which the import map names a package.
func (d *deno) version(pkg string) (string, bool) {
	for _, m := range d.imports.members {
		if res, ok := schemed(m.value.text); ok && res.Kind == External && res.Package == pkg && res.Version != "" {
			return res.Version, true
		}
	}
	return "", false
}
