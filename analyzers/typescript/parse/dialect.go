package parse

import (
	"path"
	"strings"
)

// Dialect chooses the grammar of a file.
type Dialect uint8

const (
	// JavaScript includes JSX.
	JavaScript Dialect = iota
	// TypeScript has type assertions in angle brackets and therefore no JSX.
	TypeScript
	// TSX is TypeScript with JSX.
	TSX
)

// String gives the name of the dialect in lower case.
func (d Dialect) String() string {
	switch d {
	case JavaScript:
		return "javascript"
	case TypeScript:
		return "typescript"
	case TSX:
		return "tsx"
	default:
		return "unknown"
	}
}

// DialectOf tells the dialect from the extension of a path, in any letter case; false if it is not one of ours.
func DialectOf(name string) (Dialect, bool) {
	switch strings.ToLower(path.Ext(name)) {
	case ".js", ".jsx", ".mjs", ".cjs":
		return JavaScript, true
	case ".ts", ".mts", ".cts":
		return TypeScript, true
	case ".tsx":
		return TSX, true
	default:
		return 0, false
	}
}
