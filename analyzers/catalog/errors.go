package catalog

import "fmt"

// Error is something wrong in a catalog file.
type Error struct {
	Place   string // file:line:column
	Message string
}

// Error gives place and message.
func (e *Error) Error() string { return e.Place + ": " + e.Message }

func errorAt(place, format string, args ...any) *Error {
	return &Error{Place: place, Message: fmt.Sprintf(format, args...)}
}
