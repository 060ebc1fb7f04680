package query

import (
	"sort"
	"strconv"
	"strings"
)

// Piece is a part of a text that a program builds: literal text, or a hole where a value is interpolated.
//
// Mind the zero value: a Piece with Hole 0 is the first hole. Use [Text] and [Value].
type Piece struct {
	// Text is the literal text, after the host language's escapes; ignored for a hole.
	Text string
	// Hole is the number of the interpolated value, counted by the caller from 0; negative for literal text.
	Hole int
}

// Text makes a piece of literal text.
func Text(s string) Piece { return Piece{Text: s, Hole: -1} }

// Value makes a hole for the n-th interpolated value.
func Value(n int) Piece { return Piece{Hole: n} }

// Position is a place in a list of pieces.
type Position struct {
	// Piece is the index of the piece.
	Piece int
	// Offset is a byte offset into that piece's text; 0 or 1 (before, after) for a hole.
	Offset int
}

// Span is a stretch of a list of pieces, the end excluded.
type Span struct{ From, To Position }

// source is the joined text. A hole is one zero byte, so that offsets stay one-dimensional;
// zero bytes of the program's own text become spaces.
type source struct {
	text   string
	starts []int // offset at which each piece starts
	pieces []Piece
}

func join(pieces []Piece) *source {
	s := &source{pieces: pieces, starts: make([]int, len(pieces))}
	var b strings.Builder
	for i, p := range pieces {
		s.starts[i] = b.Len()
		if p.Hole >= 0 {
			b.WriteByte(holeByte)
			continue
		}
		if strings.IndexByte(p.Text, holeByte) >= 0 {
			b.WriteString(strings.ReplaceAll(p.Text, "\x00", " "))
			continue
		}
		b.WriteString(p.Text)
	}
	s.text = b.String()
	return s
}

const holeByte = 0

// pieceAt returns the index of the piece that holds the byte at off.
func (s *source) pieceAt(off int) int {
	return sort.Search(len(s.starts), func(i int) bool { return s.starts[i] > off }) - 1
}

func (s *source) holeAt(off int) int { return s.pieces[s.pieceAt(off)].Hole }

func (s *source) position(off int) Position {
	i := s.pieceAt(off)
	if i < 0 {
		return Position{}
	}
	return Position{Piece: i, Offset: off - s.starts[i]}
}

func (s *source) span(start, end int) Span {
	from := s.position(start)
	if end <= start {
		return Span{from, from}
	}
	// The end belongs to the piece of the last byte, not to the start of the next one.
	to := s.position(end - 1)
	to.Offset++
	return Span{from, to}
}

// hasHole says that a hole stands in a stretch of the pieces.
func (s *source) hasHole(span Span) bool {
	return strings.IndexByte(s.text[s.offset(span.From):s.offset(span.To)], holeByte) >= 0
}

// show returns a stretch of the text with holes written as ${n}.
func (s *source) show(start, end int) string {
	return s.showText(s.text[start:end], start)
}

func (s *source) showText(text string, start int) string {
	if strings.IndexByte(text, holeByte) < 0 {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] == holeByte {
			b.WriteString("${" + strconv.Itoa(s.holeAt(start+i)) + "}")
			continue
		}
		b.WriteByte(text[i])
	}
	return b.String()
}

// offset is the inverse of position.
func (s *source) offset(p Position) int {
	if p.Piece >= len(s.starts) {
		return 0
	}
	return s.starts[p.Piece] + p.Offset
}
