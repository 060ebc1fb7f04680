package catalog

import (
	"slices"
	"strings"

	"github.com/retrysafe/retrysafe/analyzers/model"
)

// wordsOf lists the packages and the last names of the rows that register something or work on records.
func wordsOf(rows []*model.Row) (packages, names []string) {
	for _, row := range rows {
		if row.Tool == nil && row.Route == nil && row.Record == nil {
			continue
		}
		for _, text := range row.Symbols {
			pattern, err := model.ParsePattern(text)
			if err != nil {
				continue // the loader has refused it
			}
			for _, alternative := range pattern.Alternatives {
				switch root := alternative.Package[0]; root {
				case "js", "go":
					continue
				case "?", "export", "*", "**":
				default:
					packages = append(packages, packageWord(alternative))
				}
				if name := alternative.LiteralLast(); name != "" && name != "default" {
					names = append(names, name)
				}
			}
		}
	}
	for _, list := range []*[]string{&packages, &names} {
		slices.Sort(*list)
		*list = slices.Compact(*list)
	}
	return packages, names
}

// packageWord is what an import of the package certainly contains: its path up to the first wildcard, for a module of Node without "node:",
// for a package of npm without the subpath.
func packageWord(p model.SimplePattern) string {
	segments := p.Package
	if i := slices.IndexFunc(segments, func(s string) bool { return strings.Contains(s, "*") }); i >= 0 {
		segments = segments[:i]
	}
	if node, ok := strings.CutPrefix(segments[0], "node:"); ok {
		return node
	}
	switch {
	case strings.Contains(segments[0], "."): // an import path of Go
	case strings.HasPrefix(segments[0], "@"):
		segments = segments[:min(2, len(segments))]
	default:
		segments = segments[:1]
	}
	return strings.Join(segments, "/")
}

// globalTypes lists the types of the runtime that rows speak of: what members of js# symbols start with.
func globalTypes(rows []*model.Row) map[string]bool {
	out := map[string]bool{}
	for _, row := range rows {
		for _, text := range row.Symbols {
			if !strings.HasPrefix(text, "js#") && !strings.HasPrefix(text, "{") {
				continue
			}
			pattern, err := model.ParsePattern(text)
			if err != nil {
				continue // the loader has refused it
			}
			for _, alternative := range pattern.Alternatives {
				if alternative.Package[0] != "js" || len(alternative.Path) < 2 {
					continue
				}
				if name := alternative.Path[0].Text; len(name) > 2 && name[0] >= 'A' && name[0] <= 'Z' && !strings.ContainsAny(name, "*?") {
					out[name] = true
				}
			}
		}
	}
	return out
}

// GlobalType reports whether rows speak of members of a type of the runtime called name: KVNamespace, D1Database, Request.
func (c *Catalog) GlobalType(name string) bool { return c.types()[name] }

// ToolNames lists the last names of the methods that register tools, sorted: of conventions and of what the runtime has, and of the
// packages that imported tells a program uses, by a name as its imports begin with. What only changes a registered tool (update, remove) registers none.
func (c *Catalog) ToolNames(imported func(pkg string) bool) []string {
	return c.lastNames(imported, func(row *model.Row) bool { return row.Tool != nil && !row.Refines })
}

// RouteNames lists those of the methods that register routes. Much else is called by them: get, post, use.
func (c *Catalog) RouteNames(imported func(pkg string) bool) []string {
	return c.lastNames(imported, func(row *model.Row) bool { return row.Route != nil && !row.Route.Declares })
}

// Handlers lists the rows that declare types of handlers.
func (c *Catalog) Handlers() []*model.Row {
	var out []*model.Row
	for _, row := range c.rows {
		if row.Route != nil && row.Route.Declares {
			out = append(out, row)
		}
	}
	return out
}

func (c *Catalog) lastNames(imported func(pkg string) bool, of func(*model.Row) bool) []string {
	known := map[string]bool{}
	var out []string
	for _, row := range c.rows {
		if !of(row) {
			continue
		}
		for _, text := range row.Symbols {
			pattern, err := model.ParsePattern(text)
			if err != nil {
				continue // the loader has refused it
			}
			for _, alternative := range pattern.Alternatives {
				name := alternative.LiteralLast()
				if name == "" || name == "default" {
					continue
				}
				switch alternative.Package[0] {
				case "export":
					continue // nothing is called
				case "js":
					if first := alternative.Path[0].Text; len(alternative.Path) < 2 || first >= "a" && first <= "z~" {
						continue // a function of the runtime is called where a module starts
					}
				case "go", "?", "*", "**":
				default:
					word := packageWord(alternative)
					uses, asked := known[word]
					if !asked {
						uses = imported(word)
						known[word] = uses
					}
					if !uses {
						continue
					}
				}
				out = append(out, name)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
