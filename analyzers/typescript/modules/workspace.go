package modules

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/goccy/go-yaml"
)

const (
	maxMembers       = 5000    // packages of one workspace
	maxWorkspaceDeep = 8       // directories that "**" descends
	maxSteps         = 200_000 // directories visited for one workspace, repeats included
	maxAlternatives  = 4       // braces in one glob; matching them doubles its work
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
		r.problem(Broken, name, 1, "cannot be read: not a regular file, or larger than 1 MiB")
		return nil
	}
	packages, versions, line, err := parsePnpm(text)
	if err != nil {
		r.problem(Broken, name, line, "not a valid workspace file: "+err.Error())
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
	var not []string
	for _, p := range patterns {
		if p, ok := strings.CutPrefix(p, "!"); ok && strings.Count(p, "{") <= maxAlternatives {
			not = append(not, path.Clean(strings.TrimPrefix(p, "/")))
		}
	}
	e := expansion{Resolver: r, root: dir, not: not, seen: map[string]bool{}}
	for _, p := range patterns {
		p = path.Clean(strings.TrimPrefix(p, "/"))
		if strings.HasPrefix(p, "!") || len(p) > 1000 || strings.Count(p, "{") > maxAlternatives {
			continue
		}
		e.visit(dir, slices.CompactFunc(strings.Split(p, "/"), func(a, b string) bool { return a == "**" && b == "**" }), maxWorkspaceDeep)
	}
	return e.out
}

// expansion is one workspace on its way from globs to directories.
type expansion struct {
	*Resolver
	root  string
	not   []string
	seen  map[string]bool
	out   []string
	steps int
}

// visit takes the directories below dir that the rest of a glob names. It
// returns false when a limit is reached.
func (r *expansion) visit(dir string, parts []string, deep int) bool {
	if r.steps++; r.steps > maxSteps {
		return false
	}
	if len(parts) == 0 {
		entries := r.tree.list(dir)
		if entries["package.json"] == file || entries["deno.json"] == file || entries["deno.jsonc"] == file {
			return r.take(dir)
		}
		return true
	}
	part := parts[0]
	switch {
	case part == "." || part == "":
		return r.visit(dir, parts[1:], deep)
	case part == "**":
		if !r.visit(dir, parts[1:], deep) {
			return false
		}
		if deep == 0 {
			return true
		}
		for _, name := range r.subdirs(dir, "*") {
			if !r.visit(path.Join(dir, name), parts, deep-1) {
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
		return r.visit(next, parts[1:], deep)
	}
	for _, name := range r.subdirs(dir, part) {
		if !r.visit(path.Join(dir, name), parts[1:], deep) {
			return false
		}
	}
	return true
}

func (r *expansion) take(dir string) bool {
	rel, ok := under(dir, r.root)
	if !ok || r.seen[dir] || slices.ContainsFunc(r.not, func(glob string) bool {
		ok, err := doublestar.Match(glob, rel)
		return ok && err == nil
	}) {
		return true
	}
	r.seen[dir] = true
	r.out = append(r.out, dir)
	return len(r.out) < maxMembers
}

// subdirs returns the names of the directories that match, sorted, without
// hidden and installed ones.
func (r *expansion) subdirs(dir, pattern string) []string {
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
