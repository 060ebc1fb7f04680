package audit

import (
	"io/fs"
	"strings"

	"github.com/retrysafe/retrysafe/analyzers/flow"
	"github.com/retrysafe/retrysafe/analyzers/query"
)

// tableKeys reads the migrations and schema files of a context, in the order in which migration tools run them, and
// gives the unique constraints of each table, by lower-case name of the table and of its Prisma model, and the tables of which they
// declare everything. Of two tables of one name neither is declared for good where one is not.
func tableKeys(view fs.FS, names []string) (unique map[string][][]string, declared map[string]flow.DeclaredTable) {
	query.MigrationOrder(names)
	var tables query.Catalog
	for _, name := range names {
		if text, err := fs.ReadFile(view, name); err == nil {
			tables.Apply(name, text)
		}
	}
	unique, declared = map[string][][]string{}, map[string]flow.DeclaredTable{}
	partly := map[string]bool{}
	for _, t := range tables.Tables() {
		whole := declaredTable(&t)
		for _, n := range []string{t.Name, t.Model} {
			if n == "" {
				continue
			}
			n = strings.ToLower(n)
			for _, k := range t.Keys() {
				if k.Where == "" { // otherwise it holds for some rows only
					unique[n] = append(unique[n], k.Columns)
				}
			}
			partly[n] = partly[n] || t.Partial
			d := declared[n]
			declared[n] = flow.DeclaredTable{Keys: append(d.Keys, whole.Keys...), Filled: append(d.Filled, whole.Filled...)}
		}
	}
	for n := range partly {
		if partly[n] {
			delete(declared, n)
		}
	}
	return unique, declared
}

// declaredTable gives the keys of a table under the names of its columns and of its fields, and the columns with a constant or computed default.
func declaredTable(t *query.TableDef) flow.DeclaredTable {
	var d flow.DeclaredTable
	for _, k := range t.Keys() {
		fields := make([]string, len(k.Columns))
		for i, name := range k.Columns {
			fields[i] = name
			if c, ok := t.Column(name); ok && c.Field != "" {
				fields[i] = c.Field
			}
		}
		d.Keys = append(d.Keys, k.Columns, fields)
	}
	for _, c := range t.Columns {
		if c.Default == query.ConstantDefault || c.Default == query.ExpressionDefault {
			d.Filled = append(d.Filled, c.Name)
			if c.Field != "" {
				d.Filled = append(d.Filled, c.Field)
			}
		}
	}
	return d
}
