package model

import "fmt"

// Span is a half-open range of source text. Lines and columns start at 1 and
// columns count bytes; the zero Span means that no place is known.
type Span struct {
	File              string // relative to the context root, with forward slashes
	Line, Col         int32
	EndLine, EndCol   int32 // the first position after the range
	Offset, EndOffset int32 // byte offsets of the range in File
}

// IsValid reports whether the span names a place.
func (s Span) IsValid() bool { return s.Line > 0 }

// String gives file:line:col.
func (s Span) String() string {
	if !s.IsValid() {
		return "-"
	}
	return fmt.Sprintf("%s:%d:%d", s.File, s.Line, s.Col)
}

// Compare orders spans by file, then by start, then by end.
func (s Span) Compare(t Span) int {
	switch {
	case s.File != t.File:
		if s.File < t.File {
			return -1
		}
		return 1
	case s.Line != t.Line:
		return int(s.Line - t.Line)
	case s.Col != t.Col:
		return int(s.Col - t.Col)
	case s.EndLine != t.EndLine:
		return int(s.EndLine - t.EndLine)
	}
	return int(s.EndCol - t.EndCol)
}
