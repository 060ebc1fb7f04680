package model

import (
	"fmt"
	"strconv"
	"strings"
)

// The text form has one statement a line. Its tokens are words, quoted strings,
// operators, references (#3, #name), spans (@…) and single marks.

type tokenKind uint8

const (
	endToken tokenKind = iota
	wordToken
	stringToken
	operatorToken
	refToken
	spanToken
	markToken
)

type token struct {
	kind  tokenKind
	text  string // unquoted; of a reference what follows #
	index bool   // of a reference: text is a number
	span  Span
	col   int // counted in bytes from 1
}

// is reports whether the token is this word, operator or mark. Quoted text never is.
func (t token) is(text string) bool {
	return t.text == text && (t.kind == wordToken || t.kind == operatorToken || t.kind == markToken)
}

func (t token) String() string {
	switch t.kind {
	case endToken:
		return "the end of the line"
	case stringToken:
		return strconv.Quote(t.text)
	case refToken:
		return "#" + t.text
	case spanToken:
		return "a span"
	}
	return t.text
}

const operatorChars = "!-+~*/%&|^<>="

func isWordByte(c byte) bool {
	return c == '_' || c == '$' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// isWord reports whether text is one word token.
func isWord(text string) bool {
	if text == "" || isDigit(text[0]) {
		return false
	}
	for i := range len(text) {
		if !isWordByte(text[i]) {
			return false
		}
	}
	return true
}

// isOperator reports whether text is one operator token.
func isOperator(text string) bool { return text != "" && strings.Trim(text, operatorChars) == "" }

// isNumber reports whether text is one word token that is a plain decimal.
func isNumber(text string) bool {
	whole, frac, dot := strings.Cut(text, ".")
	for _, digits := range []string{whole, frac} {
		for i := range len(digits) {
			if !isDigit(digits[i]) {
				return false
			}
		}
	}
	return whole != "" && (!dot || frac != "")
}

// lex splits a line. A span without a file of its own gets the given one. The
// last token is always an endToken.
func lex(line, file string) ([]token, error) {
	var toks []token
	for pos := 0; ; {
		for pos < len(line) && (line[pos] == ' ' || line[pos] == '\t' || line[pos] == '\r') {
			pos++
		}
		if pos == len(line) || line[pos] == ';' {
			return append(toks, token{kind: endToken, col: pos + 1}), nil
		}
		t, n, err := lexToken(line[pos:], file)
		if err != nil {
			return nil, fmt.Errorf("%d: %w", pos+1, err)
		}
		t.col = pos + 1
		toks = append(toks, t)
		pos += n
	}
}

// lexToken reads the token that text begins with and gives its length.
func lexToken(text, file string) (token, int, error) {
	c := text[0]
	switch {
	case c == '"':
		s, n, err := lexString(text)
		return token{kind: stringToken, text: s}, n, err
	case c == '#':
		return lexRef(text)
	case c == '@':
		return lexSpan(text, file)
	case isWordByte(c):
		n := wordLen(text)
		return token{kind: wordToken, text: text[:n]}, n, nil
	case strings.IndexByte(operatorChars, c) >= 0:
		n := len(text) - len(strings.TrimLeft(text, operatorChars))
		return token{kind: operatorToken, text: text[:n]}, n, nil
	}
	for _, mark := range []string{"...", "::", ".", ",", ":", "?", "(", ")", "[", "]", "{", "}"} {
		if strings.HasPrefix(text, mark) {
			return token{kind: markToken, text: mark}, len(mark), nil
		}
	}
	return token{}, 0, fmt.Errorf("unexpected %q", c)
}

// wordLen gives the length of a word. A word that begins with a digit may be a decimal,
// and the names of values and blocks may be negative.
func wordLen(text string) int {
	n := 0
	for n < len(text) {
		c := text[n]
		more := n+1 < len(text) && isDigit(text[n+1])
		switch {
		case isWordByte(c):
		case c == '.' && isDigit(text[0]) && more:
		case c == '-' && n == 1 && (text[0] == 'v' || text[0] == 'b') && more:
		default:
			return n
		}
		n++
	}
	return n
}

func lexString(text string) (string, int, error) {
	quoted, err := strconv.QuotedPrefix(text)
	if err != nil {
		return "", 0, fmt.Errorf("a quoted text does not end or has a wrong escape")
	}
	s, err := strconv.Unquote(quoted)
	return s, len(quoted), err
}

func lexRef(text string) (token, int, error) {
	rest := text[1:]
	switch {
	case rest == "":
	case rest[0] == '"':
		s, n, err := lexString(rest)
		return token{kind: refToken, text: s}, n + 1, err
	case rest[0] == '-' || isDigit(rest[0]):
		n := intLen(rest)
		return token{kind: refToken, text: rest[:n], index: true}, n + 1, nil
	case isWordByte(rest[0]):
		n := wordLen(rest)
		return token{kind: refToken, text: rest[:n]}, n + 1, nil
	}
	return token{}, 0, fmt.Errorf("# needs a number or a name")
}

func intLen(text string) int {
	n := 0
	if text[0] == '-' {
		n++
	}
	for n < len(text) && isDigit(text[n]) {
		n++
	}
	return n
}

func lexSpan(text, file string) (token, int, error) {
	pos := 1
	s := Span{File: file}
	if strings.HasPrefix(text[pos:], `"`) {
		name, n, err := lexString(text[pos:])
		if err != nil {
			return token{}, 0, err
		}
		pos += n
		if !strings.HasPrefix(text[pos:], ":") {
			return token{}, 0, fmt.Errorf("a span needs : after its file")
		}
		pos++
		s.File = name
	}
	for i, field := range []*int32{&s.Line, &s.Col, &s.EndLine, &s.EndCol, &s.Offset, &s.EndOffset} {
		if i > 0 {
			if pos == len(text) || text[pos] != " :-:+:"[i] {
				return token{}, 0, fmt.Errorf("a span is @line:col-line:col+offset:offset")
			}
			pos++
		}
		if pos == len(text) {
			return token{}, 0, fmt.Errorf("a span is @line:col-line:col+offset:offset")
		}
		n := intLen(text[pos:])
		v, err := strconv.ParseInt(text[pos:pos+n], 10, 32)
		if err != nil {
			return token{}, 0, fmt.Errorf("a span is @line:col-line:col+offset:offset")
		}
		*field = int32(v)
		pos += n
	}
	return token{kind: spanToken, span: s}, pos, nil
}
