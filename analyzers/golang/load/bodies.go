package load

import "bytes"

// withoutBodies empties the bodies of the functions that a source declares, so that the parser need not read what nobody outside can see: most of a
// dependency. Positions after the first body are no longer those of the file. Sources that are not as gofmt leaves them may keep some bodies; where
// braces do not match, the rest stays as it is.
//
// It knows of the grammar just enough to pass over comments, literals and brackets (Go specification, "Lexical elements"). Linear in the source.
func withoutBodies(source []byte) []byte {
	var out []byte
	kept := 0 // how much of the source is in out
	i := 0
	for i < len(source) {
		if (i == 0 || source[i-1] == '\n') && bytes.HasPrefix(source[i:], []byte("func ")) {
			open, next := bodyOf(source, i+len("func "))
			if next < 0 {
				break
			}
			if open < 0 {
				i = next
				continue
			}
			end := pass(source, open)
			if end < 0 {
				break
			}
			if out == nil {
				out = make([]byte, 0, len(source)/2)
			}
			out = append(out, source[kept:open+1]...)
			kept = end - 1 // the closing brace
			i = end
			continue
		}
		if i = passToken(source, i); i < 0 {
			break
		}
	}
	if out == nil {
		return source
	}
	return append(out, source[kept:]...)
}

// bodyOf gives the offset of the brace that opens the body of a function whose name or receiver begins at i, -1 where the declaration has none, and where
// the declaration without its body ends, -1 where that cannot be told.
func bodyOf(source []byte, i int) (open, end int) {
	for i >= 0 && i < len(source) {
		switch c := source[i]; {
		case c == '\n':
			return -1, i // lists of parameters are passed as a whole
		case c == '(' || c == '[':
			i = pass(source, i)
		case c == '{':
			if word := lastWord(source[:i]); word != "struct" && word != "interface" {
				return i, i
			}
			i = pass(source, i)
		default:
			i = passToken(source, i)
		}
	}
	return -1, i
}

// lastWord gives the identifier at the end of a text, blanks aside.
func lastWord(text []byte) string {
	text = bytes.TrimRight(text, " \t")
	i := len(text)
	for i > 0 && (text[i-1] == '_' || text[i-1] >= 'a' && text[i-1] <= 'z' || text[i-1] >= 'A' && text[i-1] <= 'Z' || text[i-1] >= '0' && text[i-1] <= '9') {
		i--
	}
	return string(text[i:])
}

// pass gives the offset after the bracket that closes the one at i, -1 where there is none.
func pass(source []byte, i int) int {
	for depth := 0; i >= 0 && i < len(source); {
		switch source[i] {
		case '(', '[', '{':
			depth++
			i++
		case ')', ']', '}':
			i++
			if depth--; depth == 0 {
				return i
			}
		default:
			i = passToken(source, i)
		}
	}
	return -1
}

// passToken gives the offset after the comment, literal or other byte at i, -1 where a comment or literal has no end.
func passToken(source []byte, i int) int {
	after := func(n int) int {
		if n < 0 {
			return -1
		}
		return i + n
	}
	rest := source[i:]
	switch rest[0] {
	case '/':
		switch {
		case bytes.HasPrefix(rest, []byte("//")):
			return after(bytes.IndexByte(rest, '\n')) // the line break stays: it ends a declaration
		case bytes.HasPrefix(rest, []byte("/*")):
			if n := bytes.Index(rest[2:], []byte("*/")); n >= 0 {
				return i + n + 4
			}
			return -1
		}
	case '`':
		if n := bytes.IndexByte(rest[1:], '`'); n >= 0 {
			return i + n + 2
		}
		return -1
	case '"', '\'':
		for j := 1; j < len(rest); j++ {
			switch rest[j] {
			case '\\':
				j++
			case '\n':
				return -1
			case rest[0]:
				return i + j + 1
			}
		}
		return -1
	}
	return i + 1
}
