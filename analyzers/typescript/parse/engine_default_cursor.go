//go:build cgo

package parse

func newEngine() engine { return newCursorEngine() }
