//go:build cgo && linux && !treesitter_cursor

package parse

// #include "flatten.h"
import "C"

import (
	"errors"
	"runtime"
	"unsafe"
)

// nativeEngine parses, flattens and frees in one call into C, which costs about a sixth of what the parse costs.
type nativeEngine struct {
	parser *C.retrysafe_parser
}

var errNoMemory = errors.New("out of memory")

// newNativeEngine is nil if the program was linked in a way that the weak references of flatten.c do not survive.
func newNativeEngine() *nativeEngine {
	if !C.retrysafe_linked() {
		return nil
	}
	parser := C.retrysafe_parser_new()
	if parser == nil {
		return nil
	}
	return &nativeEngine{parser: parser}
}

func (e *nativeEngine) close() { C.retrysafe_parser_delete(e.parser) }

func (e *nativeEngine) parse(text []byte, d Dialect, limits Limits) ([]record, error) {
	g := grammars[d]()
	tables := (*C.retrysafe_tables)(unsafe.Pointer(g.tables))
	result := C.retrysafe_parse(e.parser, C.int(d), (*C.char)(unsafe.Pointer(unsafe.SliceData(text))), C.uint32_t(len(text)),
		tables, C.uint64_t(limits.Time.Microseconds()), C.uint32_t(limits.Nodes))
	runtime.KeepAlive(text)
	switch result {
	case C.RETRYSAFE_OK:
	case C.RETRYSAFE_TIMEOUT:
		return nil, limits.timeout()
	case C.RETRYSAFE_TOO_MANY_NODES:
		return nil, limits.tooManyNodes()
	case C.RETRYSAFE_NO_LANGUAGE:
		return nil, ErrUnsupported
	default:
		return nil, errNoMemory
	}
	var count C.uint32_t
	records := C.retrysafe_records(e.parser, &count)
	return append([]record(nil), unsafe.Slice((*record)(unsafe.Pointer(records)), int(count))...), nil
}

// The layouts that flatten.h declares a second time: these lines compile as long as the sizes agree.
var (
	_ [C.sizeof_retrysafe_record]byte = [unsafe.Sizeof(record{})]byte{}
	_ [C.sizeof_retrysafe_tables]byte = [unsafe.Sizeof(tables{})]byte{}
)

// newEngine prefers the native engine.
func newEngine() engine {
	if e := newNativeEngine(); e != nil {
		return e
	}
	return newCursorEngine()
}
