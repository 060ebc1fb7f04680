package typescript

import (
	"strings"

	"github.com/retrysafe/retrysafe/analyzers/typescript/parse"
)

// Reads reports whether a file is one that Load takes: TypeScript or JavaScript that is no declaration file.
func Reads(file string) bool {
	for _, ext := range []string{".d.ts", ".d.mts", ".d.cts"} {
		if strings.HasSuffix(file, ext) {
			return false
		}
	}
	_, ok := parse.DialectOf(file)
	return ok
}
