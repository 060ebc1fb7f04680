//go:build !cgo

package parse

// noEngine stands in a program that was built without cgo: the grammars are C.
type noEngine struct{}

func newEngine() engine { return noEngine{} }

func (noEngine) parse([]byte, Dialect, Limits) ([]record, error) { return nil, ErrUnsupported }

func (noEngine) close() {}
