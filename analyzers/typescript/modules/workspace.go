package modules

import (
	"fmt"
	"path"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/goccy/go-yaml"
)

const (
	maxMembers       = 5000 // packages of one workspace
	maxWorkspaceDeep = 8    // directories that "**" descends
)

// catalogs are the named version catalogs of a pnpm workspace: catalog name ->
// package -> range.
type catalogs map[string]map[string]string

// findPackages loads every manifest around the listed files and in the
// workspaces they belong to.
func (r *Resolver) findPackages() {
	r.names = map[string][]*manifest{}
	var all, named []*manifest
	for _, dir := range r.tree.listedDirs() {
		m := r.manifestAt(dir)
		if m != nil {
			all = append(all, m)
		}
		patterns := r.workspacePatterns(dir, m)
		if len(patterns) == 0 {
			continue
		}
		if m != nil {
			named = append(named, m)
		}
		for _, member := range r.expand(dir, patterns) {
			if m := r.manifestAt(member); m != nil {
				all, named = append(all, m), append(named, m)
			}
			if d := r.denoAt(member); d != nil && d.manifest.name != "" {
				named = append(named, d.manifest)
			}
		}
	}
	r.members = sortManifests(all)
	for _, m := range sortManifests(named) {
		if m.name != "" {
			r.names[m.name] = append(r.names[m.name], m)
		}
	}
}

// workspacePatterns returns the globs of the members that a directory declares.
func (r *Resolver) workspacePatterns(dir string, m *manifest) []string {
	var out []string
	take := func(v value) {
		for _, s := range v.strings() {
			out = append(out, s.text)
		}
	}
	if m != nil {
		take(m.workspaces)
	}
	entries := r.tree.list(dir)
	if entries["lerna.json"] == file {
		take(r.readJSON(path.Join(dir, "lerna.json")).get("packages"))
	}
	if entries["rush.json"] == file {
		for _, project := range r.readJSON(path.Join(dir, "rush.json")).get("projects").items {
			take(project.get("projectFolder"))
		}
	}
	if d := r.denoAt(dir); d != nil {
		take(d.workspace)
	}
	for _, name := range []string{"pnpm-workspace.yaml", "pnpm-workspace.yml"} {
		if entries[name] == file {
			out = append(out, r.pnpm(dir, path.Join(dir, name))...)
		}
	}
	return out
}

// pnpm reads a workspace file and keeps its version catalogs.
func (r *Resolver) pnpm(dir, name string) []string {
	text, err := r.tree.read(name)
	if err != nil {
		r.problem(name, 1, "cannot be read: not a regular file, or larger than 1 MiB")
		return nil
	}
	packages, versions, line, err := parsePnpm(text)
	if err != nil {
		r.problem(name, line, "not a valid workspace file: "+err.Error())
		return nil
	}
	r.catalogs[dir] = versions
	return packages
}

func parsePnpm(text []byte) (packages []string, versions catalogs, line int, err error) {
	// The decoder is handed files that nobody vouches for, and has panicked on
	// odd documents; what it cannot read costs the workspace, not the run.
	defer func() {
		if p := recover(); p != nil {
			packages, versions, line, err = nil, nil, 1, fmt.Errorf("%v", p)
		}
	}()
	var doc struct {
		Packages []any                     `yaml:"packages"`
		Catalog  map[string]any            `yaml:"catalog"`
		Catalogs map[string]map[string]any `yaml:"catalogs"`
	}
	if err := yaml.Unmarshal(text, &doc); err != nil {
		line = 1
		if e, ok := err.(yaml.Error); ok && e.GetToken() != nil && e.GetToken().Position != nil {
			line = e.GetToken().Position.Line
			err = fmt.Errorf("%s", e.GetMessage())
		}
		return nil, nil, line, err
	}
	for _, p := range doc.Packages {
		if s, ok := p.(string); ok {
			packages = append(packages, s)
		}
	}
	versions = catalogs{}
	add := func(name string, rows map[string]any) {
		if versions[name] == nil {
			versions[name] = map[string]string{}
		}
		for pkg, version := range rows {
			versions[name][pkg] = fmt.Sprint(version)
		}
	}
	for name, rows := range doc.Catalogs {
		add(name, rows)
	}
	add("default", doc.Catalog)
	return packages, versions, 0, nil
}

// expand returns the directories below dir that the globs name, with a manifest in them.
func (r *Resolver) expand(dir string, patterns []string) []string {
	var out []string
	var not []string
	for _, p := range patterns {
		if p, ok := strings.CutPrefix(p, "!"); ok {
			not = append(not, path.Clean(p))
		}
	}
	seen := map[string]bool{}
	for _, p := range patterns {
		p = path.Clean(strings.TrimPrefix(p, "/"))
		if strings.HasPrefix(p, "!") || len(p) > 1000 {
			continue
		}
		r.expandOne(dir, strings.Split(p, "/"), maxWorkspaceDeep, func(found string) bool {
			rel, _ := under(found, dir)
			for _, n := range not {
				if ok, _ := doublestar.Match(n, rel); ok {
					return true
				}
			}
			if !seen[found] {
				seen[found] = true
				out = append(out, found)
			}
			return len(out) < maxMembers
		})
	}
	return out
}

func (r *Resolver) expandOne(dir string, parts []string, deep int, found func(string) bool) bool {
	if len(parts) == 0 {
		entries := r.tree.list(dir)
		if entries["package.json"] == file || entries["deno.json"] == file || entries["deno.jsonc"] == file {
			return found(dir)
		}
		return true
	}
	part := parts[0]
	switch {
	case part == "." || part == "":
		return r.expandOne(dir, parts[1:], deep, found)
	case part == "**":
		if !r.expandOne(dir, parts[1:], deep, found) {
			return false
		}
		if deep == 0 {
			return true
		}
		for _, name := range r.subdirs(dir, "*") {
			if !r.expandOne(path.Join(dir, name), parts, deep-1, found) {
				return false
			}
		}
		return true
	case !strings.ContainsAny(part, "*?[{"):
		next, ok := join(dir, part)
		if !ok {
			return true
		}
		if next = r.tree.dir(next); next == "" {
			return true
		}
		return r.expandOne(next, parts[1:], deep, found)
	}
	for _, name := range r.subdirs(dir, part) {
		if !r.expandOne(path.Join(dir, name), parts[1:], deep, found) {
			return false
		}
	}
	return true
}

// subdirs returns the names of the directories that match, sorted, without
// hidden and installed ones.
func (r *Resolver) subdirs(dir, pattern string) []string {
	var out []string
	for _, name := range sortedKeys(r.tree.list(dir)) {
		if r.tree.list(dir)[name] != directory || strings.HasPrefix(name, ".") || name == "node_modules" {
			continue
		}
		if ok, err := doublestar.Match(pattern, name); ok && err == nil {
			out = append(out, name)
		}
	}
	return out
}

// workspacePackage returns the package of the context that name means when it
// is imported below dir, nil when none is.
func (r *Resolver) workspacePackage(dir, name string) *manifest {
	candidates := r.names[name]
	if len(candidates) == 0 {
		return r.linkedPackage(dir, name)
	}
	// Several workspaces may hold a package of one name: take the one that
	// shares the longest way with the importer.
	best, length := candidates[0], -1
	for _, m := range candidates {
		if n := shared(m.dir, dir); n > length {
			best, length = m, n
		}
	}
	return best
}

// linkedPackage finds a folder that a manifest above dir links by path, or by
// the workspace protocol without a workspace file that says so.
func (r *Resolver) linkedPackage(dir, name string) *manifest {
	for at := range above(dir) {
		m := r.manifestAt(at)
		if m == nil {
			continue
		}
		declared, ok := m.depends(name)
		if !ok {
			continue
		}
		for _, prefix := range []string{"file:", "link:", "portal:", "workspace:"} {
			rest, ok := strings.CutPrefix(declared.text, prefix)
			if !ok {
				continue
			}
			if to, ok := join(m.dir, rest); ok {
				if found := r.manifestAt(r.tree.dir(to)); found != nil && r.tree.dir(to) != m.dir {
					return found
				}
			}
			for _, other := range r.members {
				if prefix == "workspace:" && other.name == name {
					return other
				}
			}
		}
		return nil
	}
	return nil
}

// shared counts the leading components that two directories have in common.
func shared(a, b string) int {
	as, bs := strings.Split(a, "/"), strings.Split(b, "/")
	n := 0
	for n < len(as) && n < len(bs) && as[n] == bs[n] {
		n++
	}
	return n
}
