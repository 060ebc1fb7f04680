package audit

import (
	"io/fs"
	"path"
	"strings"
)

// Bounds of the search for files that tell about stores: what is beyond is not read, and questions about it are answered "unknown".
const (
	maxStoreFiles = 2000
	maxStoreBytes = 1 << 20
	maxStoreDepth = 12
)

// storeFiles lists, in the order of their names, the files of a context that declare tables, and those that may set up a store. The context is walked once.
func storeFiles(view fs.FS) (schemas, setups []string) {
	_ = fs.WalkDir(view, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return fs.SkipDir // an unreadable folder holds nothing for us
		}
		base := path.Base(name)
		if d.IsDir() {
			if name != "." && (base == "node_modules" || base == "vendor" || strings.HasPrefix(base, ".")) || strings.Count(name, "/") > maxStoreDepth {
				return fs.SkipDir
			}
			return nil
		}
		list := &setups
		if ext := path.Ext(name); ext == ".sql" || ext == ".prisma" {
			list = &schemas
		} else if !setsUpStores(base) {
			return nil
		}
		switch {
		case len(schemas) >= maxStoreFiles && len(setups) >= maxStoreFiles:
			return fs.SkipAll
		case len(*list) >= maxStoreFiles:
			return nil
		}
		if info, err := d.Info(); err == nil && info.Mode().IsRegular() && info.Size() <= maxStoreBytes {
			*list = append(*list, name)
		}
		return nil
	})
	return schemas, setups
}
