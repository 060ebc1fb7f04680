package model

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Parse reads the text of one unit, as Dump writes it. Written by hand, the text may
// leave out the positions of declarations (`func create`), the predecessors after the
// name of a block, and may refer to what it declares by name (`loadglobal #stripe`,
// `closure #"create.func1" v1`). Values and blocks keep their numbers: v0 and b0
// come first and none is missing. Predecessors that are given must be right.
//
// Parse checks the form only; whether the unit makes sense is asked of Validate. An error
// begins with line:column.
func Parse(text string) (*Unit, error) {
	units, err := ParseAll(text)
	switch {
	case err != nil:
		return nil, err
	case len(units) != 1:
		return nil, fmt.Errorf("1:1: the text holds %d units, not one", len(units))
	}
	return units[0], nil
}

// ParseAll reads a text of any number of units, each begun by its unit line, in order.
func ParseAll(text string) ([]*Unit, error) {
	p := &parser{}
	for line := range strings.SplitSeq(text, "\n") {
		p.line++
		file := ""
		if p.unit != nil && len(p.unit.Files) > 0 {
			file = p.unit.Files[0]
		}
		toks, err := lex(line, file)
		if err != nil {
			return nil, fmt.Errorf("%d:%w", p.line, err)
		}
		p.toks, p.pos = toks, 0
		if toks[0].kind == endToken {
			continue
		}
		if err := p.statement(); err != nil {
			return nil, err
		}
		if p.peek().kind != endToken {
			return nil, p.unexpected("the end of the line")
		}
	}
	if err := p.endUnit(); err != nil {
		return nil, err
	}
	return p.units, nil
}

type parser struct {
	units []*Unit
	line  int
	toks  []token
	pos   int

	// What the lines so far have begun; nil where nothing is open.
	unit *Unit
	typ  *TypeDecl
	body *body

	names []pendingName // references by name, resolved when the unit is complete
}

// body is a function under construction.
type body struct {
	f        *Func
	line     int
	ops      map[ID]Op
	block    BlockID // the open block, or NoBlock
	unplaced bool    // below "unplaced:"
	ended    bool    // the open block has its end
	heads    []header
}

// header is what the text says about the predecessors of a block.
type header struct {
	line           int
	given          bool
	preds, handled []BlockID
}

type pendingName struct {
	line, col int
	what      string
	name      string
	f         *Func // the function whose parameters or free variables are meant
	set       func(int)
}

// peek gives the next token without taking it.
func (p *parser) peek() token { return p.toks[p.pos] }

func (p *parser) next() token {
	t := p.toks[p.pos]
	if t.kind != endToken {
		p.pos++
	}
	return t
}

// take takes the next token if it is this word or mark.
func (p *parser) take(text string) bool {
	if !p.peek().is(text) {
		return false
	}
	p.pos++
	return true
}

func (p *parser) expect(text string) error {
	if !p.take(text) {
		return p.unexpected(strconv.Quote(text))
	}
	return nil
}

func (p *parser) unexpected(want string) error {
	return p.errorf("expected %s, found %s", want, p.peek())
}

func (p *parser) errorf(format string, args ...any) error {
	return fmt.Errorf("%d:%d: %s", p.line, p.peek().col, fmt.Sprintf(format, args...))
}

// errNoStatement is what a part of the grammar says about a line that is another's.
var errNoStatement = errors.New("no such statement")

func (p *parser) statement() error {
	if p.take("unit") {
		return p.beginUnit()
	}
	if p.unit == nil {
		return p.unexpected("unit")
	}
	for _, part := range []func() error{p.unitStatement, p.typeStatement, p.funcStatement} {
		if err := part(); !errors.Is(err, errNoStatement) {
			return err
		}
	}
	return p.unexpected("a statement")
}

func (p *parser) beginUnit() error {
	if err := p.endUnit(); err != nil {
		return err
	}
	path, err := p.str()
	if err != nil {
		return err
	}
	lang, err := p.name()
	if err != nil {
		return err
	}
	p.unit = &Unit{Path: path, Language: Language(lang)}
	p.units = append(p.units, p.unit)
	return nil
}

func (p *parser) endUnit() error {
	if err := p.endFunc(); err != nil {
		return err
	}
	p.typ = nil
	for _, n := range p.names {
		i := p.unit.find(n.f, n.what, n.name)
		if i < 0 {
			return fmt.Errorf("%d:%d: no %s is called %q", n.line, n.col, n.what, n.name)
		}
		n.set(i)
	}
	p.names = nil
	return nil
}

// find gives the index of the first thing of that name, or -1.
func (u *Unit) find(f *Func, what, name string) int {
	n, at := 0, func(int) string { return "" }
	switch what {
	case "function":
		n, at = len(u.Funcs), func(i int) string { return u.Funcs[i].Name }
	case "global":
		n, at = len(u.Globals), func(i int) string { return u.Globals[i].Name }
	case "type":
		n, at = len(u.Types), func(i int) string { return u.Types[i].Name }
	case "parameter":
		n, at = len(f.Params), func(i int) string { return f.Params[i].Name }
	case "free variable":
		n, at = len(f.FreeVars), func(i int) string { return f.FreeVars[i] }
	}
	for i := range n {
		if at(i) == name {
			return i
		}
	}
	return -1
}

func (p *parser) unitStatement() error {
	u := p.unit
	word := p.peek()
	switch {
	case p.take("package"):
		return p.into(&u.Package)
	case p.take("file"):
		u.Files = append(u.Files, "")
		return p.into(&u.Files[len(u.Files)-1])
	case p.take("import"):
		u.Imports = append(u.Imports, "")
		return p.into(&u.Imports[len(u.Imports)-1])
	case p.take("note"):
		what, err := p.str()
		u.Notes = append(u.Notes, Note{What: what, Span: p.span()})
		return err
	case p.take("global"):
		return p.global()
	case p.take("export"):
		return p.export()
	case p.take("type"), p.take("func"):
		if err := p.endFunc(); err != nil {
			return err
		}
		p.typ = nil
		if word.is("type") {
			return p.typeDecl()
		}
		return p.function()
	}
	return errNoStatement
}

// position takes the number of a declaration, if it is given.
func (p *parser) position(n int) error {
	if t := p.peek(); t.kind == refToken {
		if !t.index || t.text != strconv.Itoa(n) {
			return p.errorf("expected #%d, found %s", n, t)
		}
		p.next()
	}
	return nil
}

func (p *parser) global() error {
	if err := p.position(len(p.unit.Globals)); err != nil {
		return err
	}
	name, err := p.name()
	if err != nil {
		return err
	}
	g := &Global{Name: name}
	p.unit.Globals = append(p.unit.Globals, g)
	g.Const = p.take("const")
	g.Type, err = p.typed()
	g.Span = p.span()
	return err
}

func (p *parser) export() error {
	name, err := p.name()
	if err != nil {
		return err
	}
	p.unit.Exports = append(p.unit.Exports, Export{Name: name})
	// The slice may grow before a reference by name is resolved.
	u, i := p.unit, len(p.unit.Exports)-1
	if p.peek().kind == refToken {
		if err := p.ref("global", nil, func(g int) { u.Exports[i].Global = g + 1 }); err != nil {
			return err
		}
	}
	e := &u.Exports[i]
	if p.take("from") {
		if err := p.into(&e.From); err != nil {
			return err
		}
	}
	if p.take("extern") {
		if err := p.into(&e.Extern); err != nil {
			return err
		}
	}
	if p.take("as") {
		e.As, err = p.name()
	}
	return err
}

func (p *parser) typeDecl() error {
	if err := p.position(len(p.unit.Types)); err != nil {
		return err
	}
	t := &TypeDecl{}
	kind, ok := kindOf(typeNames[:], "type", p.word())
	if !ok {
		return p.unexpected("a kind of type")
	}
	p.next()
	t.Kind = TypeKind(kind)
	var err error
	if t.Name, err = p.name(); err != nil {
		return err
	}
	p.typ = t
	p.unit.Types = append(p.unit.Types, t)
	t.Abstract = p.take("abstract")
	for _, list := range []struct {
		word string
		to   *[]*TypeRef
	}{{"extends", &t.Extends}, {"implements", &t.Implements}} {
		if !p.take(list.word) {
			continue
		}
		for again := true; again; again = p.take(",") {
			ref, err := p.typeRef(0)
			if err != nil {
				return err
			}
			*list.to = append(*list.to, ref)
		}
	}
	if p.take("=") {
		if t.Underlying, err = p.typeRef(0); err != nil {
			return err
		}
	}
	t.Span = p.span()
	return nil
}

func (p *parser) typeStatement() error {
	t := p.typ
	if t == nil {
		return errNoStatement
	}
	switch {
	case p.take("ctor"):
		return p.ref("function", nil, func(f int) { t.Ctor = f })
	case p.take("fieldinit"):
		return p.ref("function", nil, func(f int) { t.FieldInit = f })
	case p.take("staticinit"):
		return p.ref("function", nil, func(f int) { t.StaticInit = f })
	case p.take("member"):
		t.Members = append(t.Members, Member{})
		i := len(t.Members) - 1
		// Members may grow before a reference by name is resolved.
		return p.member(&t.Members[i], 0, func(f int) { t.Members[i].Func = f })
	}
	return errNoStatement
}

func (p *parser) member(m *Member, depth int, setFunc func(int)) error {
	m.Static = p.take("static")
	kind, ok := kindOf(memberNames[:], "member", p.word())
	if !ok {
		return p.unexpected("a kind of member")
	}
	p.next()
	m.Kind = MemberKind(kind)
	var err error
	if m.Name, err = p.name(); err != nil {
		return err
	}
	m.Optional = p.take("?")
	if p.peek().kind == refToken {
		if err := p.ref("function", nil, setFunc); err != nil {
			return err
		}
	}
	if p.take(":") {
		if m.Type, err = p.typeRef(depth); err != nil {
			return err
		}
	}
	m.Span = p.span()
	return nil
}

// typed takes a colon and a type, if they are there.
func (p *parser) typed() (*TypeRef, error) {
	if !p.take(":") {
		return nil, nil
	}
	return p.typeRef(0)
}

func (p *parser) typeRef(depth int) (*TypeRef, error) {
	if depth > maxTypeDepth {
		return nil, p.errorf("a type is nested deeper than %d", maxTypeDepth)
	}
	if p.take("nil") {
		return nil, nil
	}
	t := &TypeRef{}
	start := p.pos
	if err := p.typeName(t); err != nil {
		return nil, err
	}
	if p.take("[") {
		for again := true; again; again = p.take(",") {
			arg, err := p.typeRef(depth + 1)
			if err != nil {
				return nil, err
			}
			t.Args = append(t.Args, arg)
		}
		if err := p.expect("]"); err != nil {
			return nil, err
		}
	}
	if p.take("{") {
		for !p.take("}") {
			t.Members = append(t.Members, Member{})
			i := len(t.Members) - 1
			if err := p.member(&t.Members[i], depth+1, func(f int) { t.Members[i].Func = f }); err != nil {
				return nil, err
			}
			if !p.take(",") && !p.peek().is("}") {
				return nil, p.unexpected(`"}"`)
			}
		}
	}
	if p.take("(") {
		for again := true; again; again = p.take("|") {
			arg, err := p.typeRef(depth + 1)
			if err != nil {
				return nil, err
			}
			t.Union = append(t.Union, arg)
		}
		if err := p.expect(")"); err != nil {
			return nil, err
		}
	}
	if p.take("literal") {
		if err := p.into(&t.Literal); err != nil {
			return nil, err
		}
	}
	if p.pos == start {
		return nil, p.unexpected("a type")
	}
	return t, nil
}

// typeName takes what stands before the arguments of a type: the package, the unit and the name.
func (p *parser) typeName(t *TypeRef) error {
	qualified := false
	for p.peek().kind == stringToken {
		text := p.next().text
		switch {
		case p.take("."):
			t.External = text
		case p.take("::"):
			t.Unit = text
		default:
			t.Name = text
			return nil
		}
		qualified = true
	}
	if t2 := p.peek(); t2.kind == wordToken && !t2.is("literal") {
		t.Name = p.next().text
	} else if qualified {
		return p.unexpected("the name of a type")
	}
	return nil
}

// word gives the next token's text if it is a word.
func (p *parser) word() string {
	if t := p.peek(); t.kind == wordToken {
		return t.text
	}
	return ""
}

// name takes a word, operator or quoted text.
func (p *parser) name() (string, error) {
	switch t := p.peek(); t.kind {
	case wordToken, operatorToken, stringToken:
		p.next()
		return t.text, nil
	}
	return "", p.unexpected("a name")
}

func (p *parser) str() (string, error) {
	if p.peek().kind != stringToken {
		return "", p.unexpected("a quoted text")
	}
	return p.next().text, nil
}

func (p *parser) into(to *string) (err error) {
	*to, err = p.str()
	return err
}

// span takes a span, if there is one.
func (p *parser) span() Span {
	if p.peek().kind == spanToken {
		return p.next().span
	}
	return Span{}
}

// ref takes a reference, by number or by name.
func (p *parser) ref(what string, f *Func, set func(int)) error {
	t := p.peek()
	if t.kind != refToken {
		return p.unexpected("a reference to a " + what)
	}
	if !t.index {
		p.names = append(p.names, pendingName{line: p.line, col: t.col, what: what, name: t.text, f: f, set: set})
		p.next()
		return nil
	}
	n, err := strconv.ParseInt(t.text, 10, 32)
	if err != nil {
		return p.errorf("%s is no index", t)
	}
	p.next()
	set(int(n))
	return nil
}
