package query

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/vektah/gqlparser/v2/ast"
	tok "github.com/vektah/gqlparser/v2/lexer"
)

// standIn is the name that stands for a hole.
func (g *filled) standIn(hole int) string { return g.mark + strconv.Itoa(hole) + "_" }

// holes returns a text with its stand-ins written as ${n}, and their numbers.
func (g *filled) holes(s string) (string, []int) {
	if !strings.Contains(s, g.mark) {
		return s, nil
	}
	var b strings.Builder
	var holes []int
	for {
		before, after, found := strings.Cut(s, g.mark)
		b.WriteString(before)
		if !found {
			return b.String(), holes
		}
		digits, rest, _ := strings.Cut(after, "_")
		n, err := strconv.Atoi(digits)
		if err == nil {
			holes = append(holes, n)
			b.WriteString("${" + digits + "}")
		}
		s = rest
	}
}

// filler walks a document and replaces each hole by what is legal in its place.
type filler struct {
	*filled
	src *source
	out strings.Builder
	// open are the brackets that are open.
	open []byte
	// prev is the last significant token: a punctuation mark, or 'a' for a name or value; word is that name.
	prev byte
	word string
	line bool // a line break stands since prev
	// ended says that an operation may start here.
	ended bool
}

func fill(src *source) *filled {
	mark := "hole_"
	for strings.Contains(src.text, mark) {
		mark = "h" + mark
	}
	f := &filler{filled: &filled{mark: mark, kindHoles: map[int]bool{}}, src: src, ended: true}
	s := src.text
	for i := 0; i < len(s); {
		i = f.step(s, i)
	}
	f.text = f.out.String()
	return f.filled
}

// step writes the token at i and returns the place behind it.
func (f *filler) step(s string, i int) int {
	c := s[i]
	switch {
	case c == holeByte:
		f.hole(s, i)
		return i + 1
	case c == '#':
		n := strings.IndexByte(s[i:], '\n')
		if n < 0 {
			return len(s)
		}
		return i + n
	case c == '"':
		return f.str(s, i)
	case c == '\n':
		f.line = true
		f.out.WriteByte(c)
		return i + 1
	case isBlank(c) || c == ',':
		f.out.WriteByte(c)
		return i + 1
	case isLetter(c) || isDigit(c):
		from := i
		for i < len(s) && (isLetter(s[i]) || isDigit(s[i])) {
			i++
		}
		f.out.WriteString(s[from:i])
		f.saw('a', s[from:i])
		return i
	}
	switch c {
	case '{', '(', '[':
		f.open = append(f.open, c)
		f.depth = max(f.depth, len(f.open))
	case '}', ')', ']':
		if len(f.open) > 0 {
			f.open = f.open[:len(f.open)-1]
		}
	}
	f.out.WriteByte(c)
	f.saw(c, "")
	f.ended = c == '}' && len(f.open) == 0
	return i + 1
}

func (f *filler) saw(prev byte, word string) {
	f.prev, f.word, f.line, f.ended = prev, word, false, false
}

// str writes a string. A hole inside becomes its stand-in, and line breaks that a template may hold are escaped.
func (f *filler) str(s string, i int) int {
	quote := `"`
	if strings.HasPrefix(s[i:], `"""`) {
		quote = `"""`
	}
	f.out.WriteString(quote)
	i += len(quote)
	for i < len(s) && !strings.HasPrefix(s[i:], quote) {
		switch c := s[i]; {
		case c == holeByte:
			f.out.WriteString(f.standIn(f.src.holeAt(i)))
		case c == '\\' && len(quote) == 1 && i+1 < len(s) && s[i+1] != holeByte:
			f.out.WriteString(s[i : i+2])
			i++
		case c == '\n' && len(quote) == 1:
			f.out.WriteString(`\n`)
		default:
			f.out.WriteByte(c)
		}
		i++
	}
	f.out.WriteString(quote)
	f.saw('a', "")
	return min(i+len(quote), len(s))
}

// hole writes what stands for the hole at i.
func (f *filler) hole(s string, i int) {
	name := f.standIn(f.src.holeAt(i))
	next, word := ahead(s[i+1:])
	glued := i > 0 && (isLetter(s[i-1]) || isDigit(s[i-1])) ||
		i+1 < len(s) && (isLetter(s[i+1]) || isDigit(s[i+1])) && len(f.open) > 0
	var bracket byte
	if len(f.open) > 0 {
		bracket = f.open[len(f.open)-1]
	}
	switch {
	case glued, f.prev == '$', f.prev == '@':
	case bracket == 0:
		f.topLevel(i, name, next, word)
		return
	case bracket == '[', f.prev == ':', f.prev == '=', f.prev == '.':
	case bracket == '(' || bracket == '{' && f.insideValue():
		if next == ':' {
			break
		}
		// Arguments or members that are built elsewhere.
		f.partial = true
		if f.header() {
			f.out.WriteByte('$')
		}
		f.out.WriteString(name + ": " + name)
		f.saw('a', "")
		return
	case f.prev == 'a' && !f.line && next == '{':
		// The arguments of the field before.
		f.partial = true
		f.out.WriteByte(' ')
		return
	case next != ':' && next != '(' && next != '{':
		// One field, or any selection.
		f.partial = true
	}
	f.out.WriteString(name)
	f.saw('a', name)
}

// topLevel writes a hole outside all brackets: a fragment, an operation's kind or name, or its variables.
func (f *filler) topLevel(i int, name string, next byte, word string) {
	switch {
	case f.prev == 'a' && (f.word == "query" || f.word == "mutation" || f.word == "subscription"):
		f.out.WriteString(name)
		f.saw('a', name)
	case f.ended && (next == '{' || next == 'a' && !operationWord(word)):
		f.kindHoles[utf8.RuneCountInString(f.out.String())] = true
		f.out.WriteString("query ")
		f.saw('a', "query")
	default:
		if !f.ended {
			f.partial = true
		}
		f.out.WriteByte(' ')
	}
}

// insideValue says that the innermost brace is an object value, not a selection.
func (f *filler) insideValue() bool {
	for i := len(f.open) - 1; i >= 0; i-- {
		if f.open[i] == '(' {
			return true
		}
	}
	return false
}

// header says that the innermost parenthesis declares variables.
func (f *filler) header() bool { return len(f.open) == 1 && f.open[0] == '(' }

// ahead returns the next significant byte, 'a' for a name, with that name.
func ahead(s string) (byte, string) {
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case isBlank(c) || c == ',':
		case c == '#':
			n := strings.IndexByte(s[i:], '\n')
			if n < 0 {
				return 0, ""
			}
			i += n
		case isLetter(c):
			from := i
			for i < len(s) && (isLetter(s[i]) || isDigit(s[i])) {
				i++
			}
			return 'a', s[from:i]
		default:
			return c, ""
		}
	}
	return 0, ""
}

func operationWord(w string) bool {
	return w == "query" || w == "mutation" || w == "subscription" || w == "fragment"
}

// scan reads the operations and their root fields from the tokens alone, where the grammar refused the text.
func (g *filled) scan() Document {
	doc := Document{Partial: true}
	tokens := tok.New(&ast.Source{Input: g.text})
	var op *Operation
	var prev, before tok.Token
	braces, parens := 0, 0
	fragment := false
	for {
		t, err := tokens.ReadToken()
		if err != nil || t.Kind == tok.EOF {
			return doc
		}
		if t.Kind == tok.Comment {
			continue
		}
		switch {
		case t.Kind == tok.ParenL || t.Kind == tok.BracketL || t.Kind == tok.BraceL && parens > 0:
			parens++
		case parens > 0 && (t.Kind == tok.ParenR || t.Kind == tok.BracketR || t.Kind == tok.BraceR):
			parens--
		case parens > 0:
			if op != nil && braces == 1 && parens == 1 && prev.Kind == tok.Colon && before.Kind == tok.Name && len(op.Fields) > 0 {
				g.scanArgument(op, before.Value, t)
			}
			if op != nil && braces == 0 && parens == 1 && prev.Kind == tok.Dollar && t.Kind == tok.Name {
				op.Variables = append(op.Variables, t.Value)
			}
			if op != nil && braces == 1 && parens == 1 && before.Kind == tok.Colon && prev.Kind == tok.Dollar && t.Kind == tok.Name {
				g.scanVariable(op, t.Value)
			}
		case t.Kind == tok.BraceL:
			if braces == 0 && op == nil && !fragment && prev.Kind != tok.Invalid && prev.Kind != tok.BraceR {
				fragment = true // a definition that is no operation
			}
			if braces == 0 && op == nil && !fragment {
				doc.Operations = append(doc.Operations, Operation{Kind: Query})
				op = &doc.Operations[len(doc.Operations)-1]
			}
			braces++
		case t.Kind == tok.BraceR:
			if braces--; braces <= 0 {
				braces, op, fragment = 0, nil, false
			}
		case braces == 0 && t.Kind == tok.Name && operationWord(t.Value) && prev.Kind != tok.Name:
			if fragment = t.Value == "fragment"; !fragment {
				o := Operation{Kind: OperationKind(t.Value)}
				if g.kindHoles[t.Pos.Start] {
					o.Kind = UnknownOperation
				}
				doc.Operations = append(doc.Operations, o)
				op = &doc.Operations[len(doc.Operations)-1]
			}
		case braces == 0 && t.Kind == tok.Name && op != nil && op.Name == "" && prev.Kind == tok.Name:
			if _, holes := g.holes(t.Value); len(holes) == 0 {
				op.Name = t.Value
			}
		case braces == 1 && t.Kind == tok.Name && op != nil:
			g.scanField(op, prev.Kind, t.Value)
		}
		before, prev = prev, t
	}
}

// scanField adds a root field; a name behind a colon replaces the alias before it.
func (g *filled) scanField(op *Operation, prev tok.Type, name string) {
	f := Field{Name: name, Hole: -1}
	if _, holes := g.holes(name); len(holes) > 0 {
		f.Name, f.Hole = "", holes[0]
	}
	switch prev {
	case tok.Spread, tok.At:
	case tok.Colon:
		if n := len(op.Fields); n > 0 {
			f.Alias = op.Fields[n-1].Name
			op.Fields[n-1] = f
		}
	default:
		op.Fields = append(op.Fields, f)
	}
}

func (g *filled) scanArgument(op *Operation, name string, t tok.Token) {
	f := &op.Fields[len(op.Fields)-1]
	switch t.Kind {
	case tok.Name, tok.Int, tok.Float, tok.String, tok.BlockString:
		f.Arguments = append(f.Arguments, Argument{Name: name, Operand: g.literal(t.Value, t.Kind == tok.String || t.Kind == tok.BlockString)})
	case tok.Dollar:
		f.Arguments = append(f.Arguments, Argument{Name: name, Operand: Operand{Kind: Placeholder, Index: -1}})
	}
}

// scanVariable names the variable whose dollar sign was read before.
func (g *filled) scanVariable(op *Operation, name string) {
	if len(op.Fields) == 0 {
		return
	}
	args := op.Fields[len(op.Fields)-1].Arguments
	if n := len(args); n > 0 && args[n-1].Operand.Kind == Placeholder && args[n-1].Operand.Name == "" {
		args[n-1].Operand.Name = name
	}
}
