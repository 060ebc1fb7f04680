package parse

import (
	"bytes"
	"encoding/binary"
	"unicode/utf16"
	"unicode/utf8"
)

var (
	bomUTF8    = []byte{0xEF, 0xBB, 0xBF}
	bomUTF16LE = []byte{0xFF, 0xFE}
	bomUTF16BE = []byte{0xFE, 0xFF}
)

// bomLength is 3 if the text begins with a UTF-8 byte order mark, else 0.
func bomLength(source []byte) int {
	if bytes.HasPrefix(source, bomUTF8) {
		return len(bomUTF8)
	}
	return 0
}

// decode turns UTF-16 with a byte order mark into UTF-8 and refuses what is not text.
func decode(source []byte) ([]byte, error) {
	switch {
	case bytes.HasPrefix(source, bomUTF16LE):
		source = decodeUTF16(source[2:], binary.LittleEndian)
	case bytes.HasPrefix(source, bomUTF16BE):
		source = decodeUTF16(source[2:], binary.BigEndian)
	}
	if isBinary(source) {
		return nil, ErrBinary
	}
	return source, nil
}

// decodeUTF16 gives UTF-8; unpaired surrogates and an odd last byte become the replacement character.
func decodeUTF16(source []byte, order binary.ByteOrder) []byte {
	units := make([]uint16, 0, len(source)/2)
	for i := 0; i+1 < len(source); i += 2 {
		units = append(units, order.Uint16(source[i:]))
	}
	text := make([]byte, 0, len(source))
	for _, r := range utf16.Decode(units) {
		text = utf8.AppendRune(text, r)
	}
	if len(source)%2 == 1 {
		text = utf8.AppendRune(text, utf8.RuneError)
	}
	return text
}

const (
	binaryBlock = 32 << 10 // looked at separately, so that a long readable part does not hide the rest
	binaryFew   = 16       // control characters that are allowed in any block
	binaryShare = 32       // a block is binary if one byte in this many is a control character
)

// isBinary tells whether some block of the file has many control characters: about one byte in nine of random data is
// one, and about none of any text, in whatever encoding. The grammars need ten seconds for a megabyte of noise.
func isBinary(source []byte) bool {
	for len(source) > 0 {
		block := source[:min(binaryBlock, len(source))]
		source = source[len(block):]
		count := 0
		for _, b := range block {
			if control[b] {
				count++
			}
		}
		if count > binaryFew && count*binaryShare > len(block) {
			return true
		}
	}
	return false
}

// control marks the C0 characters that no text editor writes; white space, backspace and escape may stand in a literal.
var control = func() (table [256]bool) {
	for b := range 0x20 {
		table[b] = true
	}
	for _, b := range "\b\t\n\v\f\r\x1b" {
		table[b] = false
	}
	table[0x7F] = true
	return table
}()

// readable gives a text of the same length that the grammars can read: a NUL, which ends a tree-sitter token even in a
// string, becomes a space, and a lone carriage return, which does not end their line comments, becomes a newline. The
// source itself is given back if it has neither.
func readable(source []byte) []byte {
	text := source
	change := func(i int, b byte) {
		if &text[0] == &source[0] {
			text = bytes.Clone(source)
		}
		text[i] = b
	}
	for at := 0; ; {
		i := bytes.IndexByte(source[at:], 0)
		if i < 0 {
			break
		}
		change(at+i, ' ')
		at += i + 1
	}
	for at := 0; ; {
		i := bytes.IndexByte(source[at:], '\r')
		if i < 0 {
			break
		}
		at += i + 1
		if at == len(source) || source[at] != '\n' {
			change(at-1, '\n')
		}
	}
	return text
}
