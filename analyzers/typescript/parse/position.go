package parse

import (
	"bytes"
	"sort"
)

// lineTable holds the offset where each line begins. A line ends at "\n", "\r\n" or a lone "\r".
type lineTable struct {
	starts []uint32
	bom    uint32 // length of the byte order mark, which no editor counts as a column
}

func newLineTable(source []byte) lineTable {
	table := lineTable{bom: uint32(bomLength(source))}
	table.starts = make([]uint32, 1, 1+bytes.Count(source, newline)+bytes.Count(source, carriageReturn)/64)
	hasReturns := bytes.IndexByte(source, '\r') >= 0
	for at := 0; at < len(source); {
		var i int
		if hasReturns {
			i = bytes.IndexAny(source[at:], "\r\n")
		} else {
			i = bytes.IndexByte(source[at:], '\n')
		}
		if i < 0 {
			break
		}
		at += i + 1
		if source[at-1] == '\r' && at < len(source) && source[at] == '\n' {
			at++
		}
		table.starts = append(table.starts, uint32(at))
	}
	return table
}

var (
	newline        = []byte{'\n'}
	carriageReturn = []byte{'\r'}
)

// PositionAt turns a byte offset into a line and a column in bytes, both from 1. An offset outside of the file is moved
// to its nearest end.
func (t *Tree) PositionAt(offset int) (line, column int) {
	offset = min(max(offset, 0), len(t.source))
	starts := t.lines.starts
	line = sort.Search(len(starts), func(i int) bool { return int(starts[i]) > offset })
	column = offset - int(starts[line-1]) + 1
	if line == 1 {
		column = max(column-int(t.lines.bom), 1)
	}
	return line, column
}

// LineCount is the number of lines; a file that ends in a newline has an empty last one.
func (t *Tree) LineCount() int { return len(t.lines.starts) }

// LineText is the text of a line, counted from 1, without its line break and without a byte order mark; empty if there is
// no such line.
func (t *Tree) LineText(line int) string {
	if line < 1 || line > len(t.lines.starts) {
		return ""
	}
	start := int(t.lines.starts[line-1])
	end := len(t.source)
	if line < len(t.lines.starts) {
		end = int(t.lines.starts[line])
	}
	if line == 1 {
		start += int(t.lines.bom)
	}
	return string(bytes.TrimRight(t.source[start:end], "\r\n"))
}
