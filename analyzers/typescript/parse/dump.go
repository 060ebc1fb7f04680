package parse

import (
	"bufio"
	"io"
	"strconv"
	"strings"
)

// Dump writes the subtree as an indented S-expression, one node a line: field, kind, and the text of nodes without named
// children. It is meant for tests and contributors, works without recursion, and escapes everything that is not printable.
func (t *Tree) Dump(w io.Writer, n Node) error {
	out := bufio.NewWriter(w)
	depth := 0
	parent := t.Parent(n)
	for c := range t.Descendants(n) {
		for parent != t.Parent(c) { // climb to the node's parent, closing what is left
			out.WriteByte(')')
			parent = t.Parent(parent)
			depth--
		}
		if c != n {
			out.WriteByte('\n')
		}
		for range min(depth, deepestIndent) {
			out.WriteString("  ")
		}
		if f := t.Field(c); f != NoField {
			out.WriteString(f.String())
			out.WriteString(": ")
		}
		leaf := t.FirstChild(c) == NoNode
		kind := t.Kind(c)
		if !kind.IsToken() {
			out.WriteByte('(')
		}
		out.WriteString(kind.String())
		if leaf {
			if text := t.Text(c); text != "" && strconv.Quote(text) != kind.String() {
				out.WriteByte(' ')
				out.WriteString(shorten(text))
			}
			if !kind.IsToken() {
				out.WriteByte(')')
			}
			continue
		}
		parent = c
		depth++
	}
	out.WriteString(strings.Repeat(")", depth))
	out.WriteByte('\n')
	return out.Flush()
}

// longestText is how much of a leaf's text a dump shows, in bytes.
const longestText = 60

func shorten(text string) string {
	if len(text) > longestText {
		return strconv.Quote(text[:longestText]) + "…"
	}
	return strconv.Quote(text)
}

// deepestIndent keeps the dump of deeply nested source linear in its size.
const deepestIndent = 64
