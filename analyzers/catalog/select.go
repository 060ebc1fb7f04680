package catalog

import (
	"cmp"
	"slices"
	"strings"

	"github.com/retrysafe/retrysafe/analyzers/model"
)

// SectionNames lists what a row may say, the most telling first.
func SectionNames() []string { return slices.Clone(sectionNames) }

// Select lists the rows that have the section, all where it is empty, and in which each of the texts occurs, whatever its case: in
// the id, the symbols and hosts, the library, or the source. They are sorted by their first section, their library, and then as they were read.
func (c *Catalog) Select(section string, texts ...string) []*model.Row {
	var out []*model.Row
	for _, row := range c.rows {
		if (section == "" || slices.Contains(sections(row), section)) && mentions(row, texts) {
			out = append(out, row)
		}
	}
	rank := func(row *model.Row) int {
		if section != "" {
			return 0
		}
		return slices.Index(sectionNames, sections(row)[0])
	}
	slices.SortStableFunc(out, func(a, b *model.Row) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(Library(a), Library(b)))
	})
	return out
}

func mentions(row *model.Row, texts []string) bool {
	var all strings.Builder
	for _, s := range append(append([]string{row.ID, row.Source, Library(row)}, row.Symbols...), row.Place) {
		all.WriteString(strings.ToLower(s))
		all.WriteByte('\n')
	}
	for _, h := range row.Hosts {
		all.WriteString(h.Name + h.Path + "\n")
	}
	return !slices.ContainsFunc(texts, func(text string) bool { return !strings.Contains(all.String(), strings.ToLower(text)) })
}

// Library names the library or service of which a row speaks: the package of its first symbol, or its first host. What belongs to no
// library is named for what it is.
func Library(row *model.Row) string {
	if len(row.Hosts) > 0 {
		if name := row.Hosts[0].Name; name != model.AnyHost {
			return name
		}
		return "any host"
	}
	parts, err := model.SplitPattern(row.Symbols[0])
	if err != nil || len(parts) == 0 {
		return row.Symbols[0]
	}
	switch pkg := parts[0].Package; pkg {
	case "js":
		return "JavaScript"
	case "export":
		return "exports of files"
	case "?":
		return "values of unknown origin"
	default:
		return strings.TrimSuffix(strings.TrimSuffix(pkg, "**"), "/")
	}
}
