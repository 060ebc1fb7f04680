package load

import (
	"go/ast"
	"go/token"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// guessName gives the name that a package most likely has, by its import path: the last part without a major version, and
// without the "go" that the name of a repository carries.
func guessName(importPath string) string { return candidates(importPath)[0] }

// candidates lists names that a package may have, the likeliest first. There is always one.
func candidates(importPath string) []string {
	parts := strings.Split(importPath, "/")
	last := len(parts) - 1
	for last > 0 && isMajor(parts[last]) {
		last--
	}
	base := parts[last]
	if i := strings.LastIndex(base, ".v"); i > 0 && isMajor(base[i+1:]) {
		base = base[:i] // gopkg.in/yaml.v3
	}
	short := strings.TrimPrefix(base, "go-")
	for _, suffix := range []string{"-go", ".go", "-golang", ".golang"} {
		short = strings.TrimSuffix(short, suffix)
	}
	short = strings.TrimPrefix(short, "golang-")
	var out []string
	add := func(name string) {
		if token.IsIdentifier(name) && !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	if short != "" {
		add(short)
		add(strings.NewReplacer("-", "", ".", "").Replace(short))
		add(strings.NewReplacer("-", "_", ".", "_").Replace(short))
		for _, cut := range []string{"-", "."} {
			if i := strings.LastIndex(short, cut); i >= 0 {
				add(short[i+1:])
			}
			if i := strings.Index(short, cut); i >= 0 {
				add(short[:i])
			}
		}
	}
	add(base)
	if len(out) == 0 {
		out = append(out, "_"+strings.Map(func(r rune) rune {
			if r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
				return r
			}
			return '_'
		}, base))
	}
	return out
}

// isMajor reports whether a part of an import path is a major version: v2, v10.
func isMajor(part string) bool {
	if len(part) < 2 || part[0] != 'v' {
		return false
	}
	n, err := strconv.Atoi(part[1:])
	return err == nil && n > 0 && part[1] != '0'
}

// qualifiers collects the identifiers in front of a dot that no declaration of the file explains at first sight: the names of
// packages are among them.
func qualifiers(file *ast.File) map[string]bool {
	used := map[string]bool{}
	ast.Inspect(file, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok {
			if id, ok := sel.X.(*ast.Ident); ok {
				used[id.Name] = true
			}
		}
		return true
	})
	return used
}

// namesOf gives a name for each missing import of a file. known maps the other imports without a name of their own to the
// names of their packages. A name that the file uses in front of a dot is preferred: the guess that is used, or else a used
// one that nothing explains and that the path contains (package gitlab in …/gitlab-org/api/client-go).
func namesOf(file *ast.File, missing []string, known map[string]bool) map[string]string {
	used := qualifiers(file)
	taken := maps.Clone(known)
	if taken == nil {
		taken = map[string]bool{}
	}
	out := map[string]string{}
	var open []string
	for _, importPath := range missing {
		found := false
		for _, name := range candidates(importPath) {
			if used[name] && !taken[name] {
				out[importPath], taken[name], found = name, true, true
				break
			}
		}
		if !found {
			open = append(open, importPath)
		}
	}
	if len(open) == 0 {
		return out
	}
	free := map[string]bool{}
	for name := range used {
		free[name] = !taken[name]
	}
	for name := range declared(file) {
		free[name] = false
	}
	for _, importPath := range open {
		best := ""
		for _, name := range slices.Sorted(maps.Keys(free)) {
			if free[name] && len(name) > 1 && len(name) > len(best) && strings.Contains(strings.ToLower(importPath), name) {
				best = name
			}
		}
		if best == "" {
			best = guessName(importPath)
		}
		out[importPath] = best
		free[best] = false
	}
	return out
}

// declared collects the names that a file declares, in any scope.
func declared(file *ast.File) map[string]bool {
	out := map[string]bool{}
	add := func(ids ...*ast.Ident) {
		for _, id := range ids {
			if id != nil {
				out[id.Name] = true
			}
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Field:
			add(n.Names...)
		case *ast.ValueSpec:
			add(n.Names...)
		case *ast.TypeSpec:
			add(n.Name)
		case *ast.FuncDecl:
			add(n.Name)
		case *ast.AssignStmt:
			if n.Tok == token.DEFINE {
				for _, x := range n.Lhs {
					if id, ok := x.(*ast.Ident); ok {
						add(id)
					}
				}
			}
		case *ast.RangeStmt:
			for _, x := range []ast.Expr{n.Key, n.Value} {
				if id, ok := x.(*ast.Ident); ok && n.Tok == token.DEFINE {
					add(id)
				}
			}
		}
		return true
	})
	return out
}

// importPath gives the path of an import, "" where it cannot be read.
func importPath(spec *ast.ImportSpec) string {
	if spec.Path == nil {
		return ""
	}
	p, err := strconv.Unquote(spec.Path.Value)
	if err != nil {
		return ""
	}
	return p
}
