package parse

import "bytes"

// Repair is one spelling that the grammars cannot read and that was replaced by another of the same length for parsing.
type Repair struct {
	Start, End int    // byte offsets of what was replaced
	What       string // the spelling, such as "export type *"

	replacement string // what stands there instead, at most as long
}

var usingWord = []byte("using")

// findRepairs lists the replacements that could help, in order of position and without overlap.
func findRepairs(tree *Tree, text []byte) []Repair { return nil }

// applyRepairs gives a changed copy of the text.
func applyRepairs(text []byte, repairs []Repair) []byte {
	text = bytes.Clone(text)
	for _, r := range repairs {
		n := copy(text[r.Start:r.End], r.replacement)
		for i := r.Start + n; i < r.End; i++ {
			text[i] = ' '
		}
	}
	return text
}

func restoreTokens(tree *Tree) {}
