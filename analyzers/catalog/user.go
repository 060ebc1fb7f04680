package catalog

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/retrysafe/retrysafe/analyzers/model"
)

// UserRow is a row that does not come with the program, with what becomes of it beside the others.
type UserRow struct {
	*model.Row
	// Shadows are the built-in rows that say something of the same kind about the same symbols, and are not heard
	// where this row's conditions hold.
	Shadows []*model.Row
	// Idle says why the row, or a part of it, is never asked; "" where it may be.
	Idle string
}

// UserRows lists the rows of the sources that were given to Load, in their order.
func (c *Catalog) UserRows() []UserRow {
	out := make([]UserRow, 0, c.users)
	for order, row := range c.rows[:c.users] {
		out = append(out, UserRow{Row: row, Shadows: c.shadowed(row), Idle: c.idle(row, order)})
	}
	return out
}

// Asked reports whether some symbol or request that was looked up so far is one of which the row speaks.
func (c *Catalog) Asked(row *model.Row) bool {
	if _, asked := c.hosts.asked.Load(row); asked {
		return true
	}
	found := false
	c.index.cache.Range(func(_, rows any) bool {
		found = slices.Contains(rows.([]*model.Row), row)
		return !found
	})
	return found
}

// Told reports whether a row that does not come with the program speaks of the symbol, and names its package in full.
func (c *Catalog) Told(symbol string) bool {
	if c.users == 0 {
		return false
	}
	s, ok := model.ParseSymbol(symbol)
	if !ok {
		return false
	}
	return slices.ContainsFunc(c.index.in(c.index.packages[s.Package], s, nil), func(e indexed) bool { return e.user })
}

// Sections lists what a row says, the words being the keys under which it says so.
func Sections(row *model.Row) []string { return sections(row) }

// shadowed lists the built-in rows in whose place a user's row stands, in the order of the catalog.
func (c *Catalog) shadowed(row *model.Row) []*model.Row {
	if row.Refines {
		return nil
	}
	says := kindsOf(row)
	var mine []model.SimplePattern
	for _, text := range row.Symbols {
		if p, err := model.ParsePattern(text); err == nil {
			mine = append(mine, p.Alternatives...)
		}
	}
	var out []*model.Row
	for _, other := range c.rows[c.users:] {
		if !other.Refines && intersect(says, kindsOf(other)) && (sameHost(row, other) || slices.ContainsFunc(mine, func(p model.SimplePattern) bool { return covers(p, other) })) {
			out = append(out, other)
		}
	}
	if len(out) > 0 {
		return out
	}
	// a symbol that only a wildcard of the catalog contains
	for _, p := range mine {
		for _, other := range c.index.find(p.String()) {
			if !c.isUser(other) && !other.Refines && intersect(says, kindsOf(other)) && !slices.Contains(out, other) {
				out = append(out, other)
			}
		}
	}
	return out
}

// covers reports whether a pattern contains a symbol that the other row names in full.
func covers(p model.SimplePattern, other *model.Row) bool {
	for _, text := range other.Symbols {
		if pkg := p.LiteralPackage(); pkg != "" && !strings.ContainsAny(text, "*{") && !strings.Contains(text, p.LiteralLast()) {
			continue
		}
		parts, err := model.SplitPattern(text)
		if err != nil || p.LiteralPackage() != "" && !slices.ContainsFunc(parts, func(part model.PatternPart) bool { return part.Package == p.LiteralPackage() }) {
			continue
		}
		pattern, err := model.ParsePattern(text)
		if err != nil {
			continue
		}
		for _, a := range pattern.Alternatives {
			if symbol, ok := model.ParseSymbol(a.String()); ok && !strings.Contains(a.String(), "*") && p.Match(symbol) {
				return true
			}
		}
	}
	return false
}

func sameHost(a, b *model.Row) bool {
	return slices.ContainsFunc(a.Hosts, func(h model.Host) bool {
		return slices.ContainsFunc(b.Hosts, func(o model.Host) bool { return h.Name == o.Name && (h.Path == "" || h.Path == o.Path) })
	})
}

func (c *Catalog) isUser(row *model.Row) bool { return slices.Contains(c.rows[:c.users], row) }

// kindsOf lists the sections of a row by the groups of which one row counts.
func kindsOf(row *model.Row) []string {
	list := sections(row)
	for i, s := range list {
		if s == "query" || s == "safe" {
			list[i] = "effect" // the first row that gives an effect, a query or this counts
		}
	}
	return slices.Compact(list)
}

func intersect(a, b []string) bool {
	return slices.ContainsFunc(a, func(s string) bool { return slices.Contains(b, s) })
}

// idle says why a user's row is never asked, or never heard.
func (c *Catalog) idle(row *model.Row, order int) string {
	for _, text := range row.Symbols {
		p, err := model.ParsePattern(text)
		if err != nil {
			continue
		}
		for _, a := range p.Alternatives {
			if why := unaskable(a); why != "" {
				return fmt.Sprintf("nothing is called %s: %s", a, why)
			}
		}
	}
	if len(row.Symbols) == 0 || row.Refines {
		return ""
	}
	// where another row of the user holds without conditions wherever this one does, this one is not heard
	for _, text := range row.Symbols {
		p, err := model.ParsePattern(text)
		if err != nil {
			return ""
		}
		for _, a := range p.Alternatives {
			if c.before(a, row, order) == nil {
				return ""
			}
		}
	}
	first, _ := model.ParsePattern(row.Symbols[0])
	return fmt.Sprintf("the row at %s says it before, without conditions", c.before(first.Alternatives[0], row, order).Place)
}

// before finds a row of the user that is always heard in the place of row, where a symbol of the pattern a is asked for.
func (c *Catalog) before(a model.SimplePattern, row *model.Row, order int) *model.Row {
	for i, other := range c.rows[:c.users] {
		if other == row || len(other.When) > 0 || other.Versions != "" || len(other.Files) > 0 || other.Refines || !subset(kindsOf(row), kindsOf(other)) {
			continue
		}
		for _, text := range other.Symbols {
			p, err := model.ParsePattern(text)
			if err != nil {
				continue
			}
			for _, b := range p.Alternatives {
				if b.String() == a.String() && cmp.Or(cmp.Compare(a.Literals(), b.Literals()), cmp.Compare(i, order)) < 0 {
					return other
				}
			}
		}
	}
	return nil
}

// subset reports whether all of a are in b.
func subset(a, b []string) bool {
	return !slices.ContainsFunc(a, func(s string) bool { return !slices.Contains(b, s) })
}

// unaskable says why no value has a symbol of that pattern, "" where one may.
func unaskable(p model.SimplePattern) string {
	pkg := strings.Join(p.Package, "/")
	for _, ending := range [...]string{".ts", ".tsx", ".mts", ".cts", ".jsx", ".go"} {
		if cut, ok := strings.CutSuffix(pkg, ending); ok && strings.Contains(pkg, "/") {
			return fmt.Sprintf("a file stands without its ending, %s", cut)
		}
	}
	switch {
	case strings.HasPrefix(pkg, "../"):
		return "a file of the program is named from the root of the repository, ./src/pay"
	case strings.HasPrefix(pkg, "@") && len(p.Package) == 1 && !strings.Contains(pkg, "*"):
		return "a scope alone is no package"
	}
	for _, n := range p.Path {
		if n.Text == "prototype" {
			return "a method follows its class directly, " + strings.Replace(p.String(), ".prototype.", ".", 1)
		}
	}
	return ""
}
