package query

import "strings"

type tokenKind uint8

const (
	tokenEnd    tokenKind = iota
	tokenWord             // an unquoted name or keyword
	tokenQuoted           // a quoted name: "a", `a`, [a]
	tokenString           // 'a', N'a', E'a', $$a$$
	tokenNumber
	tokenParam // $1, ?, ?1, :a, @a, $a
	tokenHole  // one or more adjacent holes and nothing else
	tokenOp    // operators and punctuation
)

// token is one lexical element. A hole inside a name or a string is part of that token, listed in holes.
type token struct {
	kind tokenKind
	// text is the word as written, the content of a quoted name or string, the operator, the parameter's name.
	text string
	// upper is text in upper case for words, else empty: keywords are compared through it.
	upper      string
	start, end int
	holes      []int
	// quote is the opening quote of a quoted name.
	quote byte
	// index is the position of a parameter from 0, or -1 for a named one and one whose number is a hole.
	index int
	// line says that a line break stands before the token.
	line bool
}

func (t *token) is(words ...string) bool {
	if t.kind != tokenWord {
		return false
	}
	for _, w := range words {
		if t.upper == w {
			return true
		}
	}
	return false
}

func (t *token) op(ops ...string) bool {
	if t.kind != tokenOp {
		return false
	}
	for _, o := range ops {
		if t.text == o {
			return true
		}
	}
	return false
}

// name reports whether the token can stand for a name.
func (t *token) name() bool { return t.kind == tokenWord || t.kind == tokenQuoted }

// operators by length, longest first: the first match is taken.
var operators = [...]string{
	"!~~*",
	"<=>", "->>", "#>>", "!~~", "!~*", "~~*", "||/", "<->",
	"||", "<>", "!=", "<=", ">=", "::", ":=", "->", "#>", "#-", "@>", "<@", "@@", "@?", "&&", "!~", "~*", "~~",
	"<<", ">>", "==", "+=", "-=", "*=", "/=", "%=", "=>", "?|", "?&",
}

type lexer struct {
	src *source
	s   string
	at  int
	// marks counts the `?` read so far; numbering runs over the whole text, as drivers do it.
	marks int
	// versioned says that a MySQL /*!40101 … */ is open: its content is code.
	versioned bool
	line      bool
	out       []token
}

func lex(src *source) []token {
	l := &lexer{src: src, s: src.text, line: true}
	l.out = make([]token, 0, len(l.s)/5+4)
	for {
		l.space()
		if l.at >= len(l.s) {
			break
		}
		from := l.at
		t := l.next()
		if l.at <= from {
			l.at = from + 1
		}
		t.start, t.end, t.line = from, l.at, l.line
		l.line = false
		if t.kind != tokenEnd {
			l.out = append(l.out, t)
		}
	}
	return l.out
}

func (l *lexer) peek(n int) byte {
	if l.at+n < len(l.s) {
		return l.s[l.at+n]
	}
	return ' '
}

// space skips blanks and comments.
func (l *lexer) space() {
	for l.at < len(l.s) {
		c := l.s[l.at]
		switch {
		case c == '\n':
			l.line = true
			l.at++
		case c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v':
			l.at++
		case c == '-' && l.peek(1) == '-', c == '#' && l.hashComment():
			n := strings.IndexByte(l.s[l.at:], '\n')
			if n < 0 {
				l.at = len(l.s)
				return
			}
			l.at += n
		case c == '/' && l.peek(1) == '*':
			if l.peek(2) == '!' {
				l.at += 3
				for isDigit(l.peek(0)) {
					l.at++
				}
				l.versioned = true
				continue
			}
			l.blockComment()
		case c == '*' && l.peek(1) == '/' && l.versioned:
			l.versioned = false
			l.at += 2
		case c == 0xEF && strings.HasPrefix(l.s[l.at:], "\uFEFF"):
			l.at += 3
		case c == 0xC2 && l.peek(1) == 0xA0:
			l.at += 2
		default:
			return
		}
	}
}

func (l *lexer) blockComment() {
	n := strings.Index(l.s[l.at+2:], "*/")
	if n < 0 {
		l.at = len(l.s)
		return
	}
	if strings.IndexByte(l.s[l.at:l.at+n], '\n') >= 0 {
		l.line = true
	}
	l.at += n + 4
}

// hashComment tells MySQL's comment from PostgreSQL's operators and T-SQL's temporary tables.
func (l *lexer) hashComment() bool {
	return (l.line || l.at == 0 || isBlank(l.s[l.at-1])) && isBlank(l.peek(1))
}

func (l *lexer) next() token {
	c := l.s[l.at]
	switch {
	case c == holeByte:
		return l.holeOrWord()
	case isLetter(c) || c == '#' && (isLetter(l.peek(1)) || l.peek(1) == '#'):
		if n := l.stringPrefix(); n > 0 {
			escapes := c == 'e' || c == 'E'
			l.at += n
			return l.str(escapes)
		}
		return l.word()
	case isDigit(c), c == '.' && isDigit(l.peek(1)) && !l.afterName():
		return l.number()
	case c == '\'':
		return l.str(false)
	case c == '"' || c == '`':
		return l.quoted(c, c)
	case c == '[' && l.bracketName():
		return l.quoted('[', ']')
	case c == '$':
		return l.dollar()
	case c == '?':
		return l.mark()
	case c == ':':
		if l.peek(1) == ':' || l.peek(1) == '=' {
			break
		}
		if isLetter(l.peek(1)) || isDigit(l.peek(1)) {
			return l.param(1)
		}
		if l.peek(1) == holeByte {
			return l.holeParam()
		}
	case c == '@':
		if isLetter(l.peek(1)) || l.peek(1) == '_' {
			return l.param(1)
		}
		if l.peek(1) == '@' && isLetter(l.peek(2)) {
			return l.param(2)
		}
		if l.peek(1) == holeByte {
			return l.holeParam()
		}
	}
	for _, op := range operators {
		if strings.HasPrefix(l.s[l.at:], op) {
			l.at += len(op)
			return token{kind: tokenOp, text: op, index: -1}
		}
	}
	l.at++
	return token{kind: tokenOp, text: l.s[l.at-1 : l.at], index: -1}
}

// afterName says that the byte before belongs to a name, so that a dot is a separator.
func (l *lexer) afterName() bool {
	if l.at == 0 {
		return false
	}
	c := l.s[l.at-1]
	return isLetter(c) || isDigit(c) || c == '"' || c == '`' || c == ']' || c == holeByte
}

// stringPrefix returns the length of a prefix such as N, E, X, B, U& or _utf8 directly before a quote.
func (l *lexer) stringPrefix() int {
	switch l.s[l.at] {
	case 'n', 'N', 'e', 'E', 'x', 'X', 'b', 'B', 'r', 'R':
		if l.peek(1) == '\'' {
			return 1
		}
	case 'u', 'U':
		if l.peek(1) == '&' && l.peek(2) == '\'' {
			return 2
		}
	case '_':
		n := 1
		for isLetter(l.peek(n)) || isDigit(l.peek(n)) {
			n++
		}
		if l.peek(n) == '\'' {
			return n
		}
	}
	return 0
}

// word reads a name and the holes that touch it: user_${shard} is one name.
func (l *lexer) word() token {
	from := l.at
	for l.at < len(l.s) && (isLetter(l.s[l.at]) || isDigit(l.s[l.at]) || l.s[l.at] == '$' || l.s[l.at] == '#') {
		l.at++
	}
	t := token{kind: tokenWord, text: l.s[from:l.at], index: -1}
	t.upper = strings.ToUpper(t.text)
	if l.at < len(l.s) && l.s[l.at] == holeByte && !reserved[t.upper] {
		return l.glue(from)
	}
	return t
}

// holeOrWord reads holes, and the name that they are glued to unless it is a keyword.
func (l *lexer) holeOrWord() token {
	from := l.at
	t := token{kind: tokenHole, index: -1}
	for l.at < len(l.s) && l.s[l.at] == holeByte {
		t.holes = append(t.holes, l.src.holeAt(l.at))
		l.at++
	}
	n := l.at
	for n < len(l.s) && (isLetter(l.s[n]) || isDigit(l.s[n])) {
		n++
	}
	if n > l.at && !reserved[strings.ToUpper(l.s[l.at:n])] {
		return l.glue(from)
	}
	return t
}

// glue reads letters, digits and holes from the given place on as one word.
func (l *lexer) glue(from int) token {
	t := token{kind: tokenWord, index: -1}
	for l.at = from; l.at < len(l.s); l.at++ {
		c := l.s[l.at]
		if c == holeByte {
			t.holes = append(t.holes, l.src.holeAt(l.at))
			continue
		}
		if !isLetter(c) && !isDigit(c) && c != '$' {
			break
		}
	}
	t.text = l.s[from:l.at]
	return t
}

func (l *lexer) number() token {
	from := l.at
	t := token{kind: tokenNumber, index: -1}
	for l.at < len(l.s) {
		c := l.s[l.at]
		switch {
		case isDigit(c), c == '.', c == '_', isLetter(c) && c < 0x80:
		case (c == '+' || c == '-') && (l.s[l.at-1] == 'e' || l.s[l.at-1] == 'E') && !strings.HasPrefix(l.s[from:], "0x"):
		case c == holeByte:
			t.holes = append(t.holes, l.src.holeAt(l.at))
		default:
			t.text = l.s[from:l.at]
			return t
		}
		l.at++
	}
	t.text = l.s[from:l.at]
	return t
}

// str reads a string from its quote on. A doubled quote is a quote; a backslash escapes in E” strings, and elsewhere
// where the quote after it cannot be the end: MySQL's 'it\'s' against the standard's ESCAPE '\'.
func (l *lexer) str(escapes bool) token {
	t := token{kind: tokenString, index: -1}
	l.at++
	var b strings.Builder
	for l.at < len(l.s) {
		c := l.s[l.at]
		switch {
		case c == '\'' && l.peek(1) == '\'':
			b.WriteByte('\'')
			l.at += 2
			continue
		case c == '\'':
			l.at++
			t.text = b.String()
			return t
		case c == '\\' && l.at+1 < len(l.s) && (escapes || l.peek(1) == '\\' || l.peek(1) == '\'' && !endsAfter(l.s[l.at+2:])):
			b.WriteByte(l.s[l.at+1])
			if l.s[l.at+1] == holeByte {
				t.holes = append(t.holes, l.src.holeAt(l.at+1))
			}
			l.at += 2
			continue
		case c == holeByte:
			t.holes = append(t.holes, l.src.holeAt(l.at))
		}
		b.WriteByte(c)
		l.at++
	}
	t.text = b.String()
	return t
}

// endsAfter says that what follows a quote looks like the end of a string.
func endsAfter(rest string) bool {
	if rest == "" {
		return true
	}
	switch rest[0] {
	case ' ', '\t', '\n', '\r', ',', ';', ')':
		return true
	}
	return false
}

func (l *lexer) quoted(open, end byte) token {
	t := token{kind: tokenQuoted, quote: open, index: -1}
	l.at++
	from := l.at
	for l.at < len(l.s) {
		c := l.s[l.at]
		if c == end {
			if l.peek(1) == end && end != ']' {
				l.at += 2
				continue
			}
			t.text = l.s[from:l.at]
			if end != ']' {
				t.text = strings.ReplaceAll(t.text, string([]byte{end, end}), string(end))
			}
			l.at++
			return t
		}
		if c == holeByte {
			t.holes = append(t.holes, l.src.holeAt(l.at))
		}
		l.at++
	}
	t.text = l.s[from:]
	return t
}

// maxName is the length within which a bracketed name closes; T-SQL allows 128 characters.
const maxName = 600

// bracketName tells T-SQL's [name] from an array subscript.
func (l *lexer) bracketName() bool {
	if l.at > 0 && l.s[l.at-1] != '.' && l.afterName() {
		return false
	}
	if l.at > 0 && l.s[l.at-1] == ')' {
		return false
	}
	near := l.s[l.at:min(len(l.s), l.at+maxName)]
	n := strings.IndexByte(near, ']')
	if n < 2 {
		return false
	}
	content := l.s[l.at+1 : l.at+n]
	if isDigit(content[0]) {
		return false
	}
	for i := 0; i < len(content); i++ {
		c := content[i]
		if !isLetter(c) && !isDigit(c) && c != ' ' && c != holeByte && c != '$' && c != '#' && c != '-' && c != '.' {
			return false
		}
	}
	return true
}

// dollar reads $1, $name, $$text$$, $tag$text$tag$ and $${n}.
func (l *lexer) dollar() token {
	n := 1
	for isLetter(l.peek(n)) || n > 1 && isDigit(l.peek(n)) {
		n++
	}
	if l.peek(n) == '$' {
		tag := l.s[l.at : l.at+n+1]
		if end := strings.Index(l.s[l.at+len(tag):], tag); end >= 0 {
			t := token{kind: tokenString, index: -1, text: l.s[l.at+len(tag) : l.at+len(tag)+end]}
			for i := l.at; i < l.at+len(tag)+end; i++ {
				if l.s[i] == holeByte {
					t.holes = append(t.holes, l.src.holeAt(i))
				}
			}
			l.at += 2*len(tag) + end
			return t
		}
	}
	switch {
	case l.peek(1) == holeByte:
		return l.holeParam()
	case isDigit(l.peek(1)) || n > 1:
		return l.param(1)
	}
	l.at++
	return token{kind: tokenOp, text: "$", index: -1}
}

// holeParam reads a parameter whose number or name is interpolated: $${n}.
func (l *lexer) holeParam() token {
	t := token{kind: tokenParam, index: -1}
	for l.at++; l.at < len(l.s) && (l.s[l.at] == holeByte || isLetter(l.s[l.at]) || isDigit(l.s[l.at])); l.at++ {
		if l.s[l.at] == holeByte {
			t.holes = append(t.holes, l.src.holeAt(l.at))
		}
	}
	return t
}

// param reads a parameter behind its sigil: digits give an index, letters a name.
func (l *lexer) param(sigil int) token {
	l.at += sigil
	from := l.at
	t := token{kind: tokenParam, index: -1}
	digits := true
	for l.at < len(l.s) && (isLetter(l.s[l.at]) || isDigit(l.s[l.at])) {
		digits = digits && isDigit(l.s[l.at])
		l.at++
	}
	if t.text = l.s[from:l.at]; digits {
		t.index = small(t.text) - 1
		t.text = ""
	}
	return t
}

// mark reads `?`, `?1`, mysqljs' `??`, and PostgreSQL's JSON operators of the same spelling.
func (l *lexer) mark() token {
	if c := l.peek(1); c == '|' && l.peek(2) != '|' || c == '&' && l.peek(2) != '&' {
		l.at += 2
		return token{kind: tokenOp, text: l.s[l.at-2 : l.at], index: -1}
	}
	if l.jsonOperator() {
		l.at++
		return token{kind: tokenOp, text: "?", index: -1}
	}
	l.at++
	if isDigit(l.peek(0)) {
		return l.param(0)
	}
	t := token{kind: tokenParam, index: l.marks}
	l.marks++
	if l.peek(0) == '?' {
		l.at++
		t.text = "??"
	}
	return t
}

// jsonOperator says that the `?` stands between two operands: data ? 'key', data->'a' ? $1.
func (l *lexer) jsonOperator() bool {
	if len(l.out) == 0 {
		return false
	}
	prev := &l.out[len(l.out)-1]
	switch prev.kind {
	case tokenQuoted, tokenString, tokenNumber, tokenParam, tokenHole:
	case tokenWord:
		if reserved[prev.upper] {
			return false
		}
	default:
		if !prev.op(")", "]") {
			return false
		}
	}
	rest := strings.TrimLeft(l.s[l.at+1:], " \t\r\n")
	return strings.HasPrefix(rest, "'") || len(rest) > 1 && rest[0] == '$' && isDigit(rest[1])
}

// small reads a short decimal number; 0 where it is none or too long to be an index.
func small(s string) int {
	if len(s) > 6 {
		return 0
	}
	n := 0
	for i := 0; i < len(s); i++ {
		if !isDigit(s[i]) {
			return 0
		}
		n = n*10 + int(s[i]-'0')
	}
	return n
}

func isDigit(c byte) bool  { return c >= '0' && c <= '9' }
func isBlank(c byte) bool  { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }
func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' || c >= 0x80 }

// reserved are the words that never name a table or column here: a hole beside one is not part of a name.
var reserved = words(`SELECT INSERT UPDATE DELETE MERGE REPLACE FROM WHERE AND OR NOT SET VALUES INTO JOIN INNER LEFT RIGHT
FULL CROSS ON USING GROUP ORDER BY HAVING LIMIT OFFSET UNION INTERSECT EXCEPT RETURNING AS IN IS NULL LIKE ILIKE BETWEEN WITH
CASE WHEN THEN ELSE END DISTINCT EXISTS TOP FOR CONFLICT DO NOTHING OUTPUT ASC DESC FETCH INTERVAL TABLE ALL ANY
LATERAL NATURAL DEFAULT CREATE DROP ALTER`)

func words(s string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(s) {
		m[w] = true
	}
	return m
}
