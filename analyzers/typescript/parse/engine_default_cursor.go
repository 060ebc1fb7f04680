//go:build cgo && (!linux || treesitter_cursor)

package parse

func newEngine() engine { return newCursorEngine() }
