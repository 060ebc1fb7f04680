package parse

import (
	"errors"
	"fmt"
	"time"
)

// The ways in which Parse gives no tree at all. Each is wrapped in an *Error with the path. Broken syntax is not among
// them: it gives a tree with error nodes.
var (
	// ErrBinary: the bytes are not text.
	ErrBinary = errors.New("not a text file")
	// ErrTooLarge: the file is larger than Limits.Bytes.
	ErrTooLarge = errors.New("file too large")
	// ErrTooManyNodes: the tree has more than Limits.Nodes nodes.
	ErrTooManyNodes = errors.New("too many syntax nodes")
	// ErrTimeout: the parser worked longer than Limits.Time.
	ErrTimeout = errors.New("parsing took too long")
	// ErrLimit is matched by ErrTooLarge, ErrTooManyNodes and ErrTimeout errors alike.
	ErrLimit = errors.New("limit reached")
	// ErrUnsupported: this program was built without cgo, or the dialect is unknown.
	ErrUnsupported = errors.New("parsing is not supported")
	// ErrClosed: the parser was used after Close.
	ErrClosed = errors.New("parser is closed")
)

// Error says which file could not be parsed and why.
type Error struct {
	Path string
	Err  error // one of the Err values, perhaps with detail around it
}

// Error gives "path: reason".
func (e *Error) Error() string { return e.Path + ": " + e.Err.Error() }

// Unwrap gives the reason.
func (e *Error) Unwrap() error { return e.Err }

// Is makes every limit match ErrLimit.
func (e *Error) Is(target error) bool {
	return target == ErrLimit &&
		(errors.Is(e.Err, ErrTooLarge) || errors.Is(e.Err, ErrTooManyNodes) || errors.Is(e.Err, ErrTimeout))
}

// The most that a caller can ask for, because 62 bytes of parser memory per byte of source have been seen.
const maxBytes = 10 << 20

// Limits bound the work on one file.
type Limits struct {
	Bytes int           // size of the file, before UTF-16 decoding; at most 10 MB
	Nodes int           // nodes of the tree, tokens included
	Time  time.Duration // time in the parser, all attempts at the file together
}

// DefaultLimits are the limits of a parser made by New: 2 MB, 2 million nodes, 5 seconds.
func DefaultLimits() Limits {
	return Limits{Bytes: 2 << 20, Nodes: 2_000_000, Time: 5 * time.Second}
}

// bounded replaces zero and excessive values.
func (l Limits) bounded() Limits {
	d := DefaultLimits()
	if l.Bytes <= 0 {
		l.Bytes = d.Bytes
	}
	if l.Nodes <= 0 {
		l.Nodes = d.Nodes
	}
	if l.Time <= 0 {
		l.Time = d.Time
	}
	l.Bytes = min(l.Bytes, maxBytes)
	return l
}

func (l Limits) tooLarge(size int) error {
	return fmt.Errorf("%w: %d bytes, the limit is %d", ErrTooLarge, size, l.Bytes)
}

func (l Limits) timeout() error {
	return fmt.Errorf("%w: the limit is %v", ErrTimeout, l.Time)
}

func (l Limits) tooManyNodes() error {
	return fmt.Errorf("%w: the limit is %d", ErrTooManyNodes, l.Nodes)
}
