package golang

import (
	"go/ast"
	"go/token"
	"go/types"
)

// Package is what is lowered: the files of one Go package, with what is known of its types.
type Package struct {
	// Path is the import path, or the folder relative to the context root where no module declares one. It is the path
	// of the unit, and unique in a program.
	Path string
	Name string // of the package clause

	Fset *token.FileSet
	// Files, Names and Sources are parallel. Names are relative to the context root, with forward slashes. A file with
	// syntax errors is there with the parts that could be read.
	Files   []*ast.File
	Names   []string
	Sources [][]byte

	// Types and Info are never nil, nor are the maps of Info that describe expressions and identifiers. Entries may be
	// missing, or of an invalid type, where a dependency or the code itself does not let the type checker know better.
	Types *types.Package
	Info  *types.Info

	// Imports gives names for the packages that are imported and were not loaded, by import path. They are guesses.
	Imports map[string]string
	// Program reports whether the package at an import path belongs to the program, so that it is lowered itself.
	Program func(path string) bool
}
