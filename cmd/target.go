package cmd

import (
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/mod/modfile"
)

// importFolder gives the folder of a package of the module around the current folder, by its import path; "" where the path lies in no such module.
func importFolder(importPath string) string {
	dir, err := os.Getwd()
	if err != nil {
		return ""
	}
	for {
		if data, err := os.ReadFile(filepath.Join(dir, "go.mod")); err == nil {
			rest, ok := strings.CutPrefix(importPath, modfile.ModulePath(data))
			if !ok || rest == importPath || rest != "" && rest[0] != '/' {
				return ""
			}
			return filepath.Join(dir, filepath.FromSlash(rest))
		}
		above := filepath.Dir(dir)
		if above == dir {
			return ""
		}
		dir = above
	}
}
