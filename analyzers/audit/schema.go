package audit

import (
	"io/fs"
	"path"
	"strings"

	"github.com/retrysafe/retrysafe/analyzers/query"
)

// Bounds of the search for schema files: what is beyond is not read, and questions about it are answered "unknown".
const (
	maxSchemaFiles = 2000
	maxSchemaBytes = 1 << 20
	maxSchemaDepth = 12
)

// uniqueKeys reads the migrations and schema files of a context, in the order in which migration tools run them, and
// gives the unique constraints of each table, by lower-case name of the table and of its Prisma model.
func uniqueKeys(view fs.FS) map[string][][]string {
	var names []string
	_ = fs.WalkDir(view, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return fs.SkipDir // an unreadable folder holds nothing for us
		}
		if d.IsDir() {
			base := path.Base(name)
			if name != "." && (base == "node_modules" || base == "vendor" || strings.HasPrefix(base, ".")) || strings.Count(name, "/") > maxSchemaDepth {
				return fs.SkipDir
			}
			return nil
		}
		if len(names) >= maxSchemaFiles {
			return fs.SkipAll
		}
		if ext := path.Ext(name); ext == ".sql" || ext == ".prisma" {
			if info, err := d.Info(); err == nil && info.Mode().IsRegular() && info.Size() <= maxSchemaBytes {
				names = append(names, name)
			}
		}
		return nil
	})
	query.MigrationOrder(names)
	var tables query.Catalog
	for _, name := range names {
		if text, err := fs.ReadFile(view, name); err == nil {
			tables.Apply(name, text)
		}
	}
	out := map[string][][]string{}
	for _, t := range tables.Tables() {
		for _, k := range t.Keys() {
			if k.Where != "" {
				continue // holds for some rows only
			}
			for _, n := range []string{t.Name, t.Model} {
				if n != "" {
					out[strings.ToLower(n)] = append(out[strings.ToLower(n)], k.Columns)
				}
			}
		}
	}
	return out
}
