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
// A line of the body of a function is one of
//
//	b2: <- b0 b1 catch b4 handler b6       predecessors, the blocks whose exceptions it handles, its own handler
//	v1 = const "text" | 12 | true | null | undefined | regexp "/a/g" | bigint "12"
//	v1 = param #0 : string                 also this, freevar #0, catch
//	v1 = funcref #3                        of this unit; funcref "src/db.ts" #3 of another; also loadglobal, storeglobal #0 v4
//	v1 = module "src/db.ts"                also external stripe, alloc name, unknown "what"
//	v1 = load v0.name | v0[v2] | v0        also delete; store v0.name = v3 | v0[v2] = v3 | v0 = v3
//	v1 = object {key: v0, [v2]: v3, get lazy: v4, ...v5}
//	v1 = array [v0, ...v2, _]
//	v1 = binary + v0, v2                   also compare ==, unary typeof, element value, element key
//	v1 = phi v0, v2                        also concat, convert v0 : T, await v0, yield v0
//	v1 = closure #4 v0, v2                 also class #0 base, v0, with _ for no base
//	v1 = call v0(v2, ...v3) new optional   also spawn, defer; decorate "member" #1 v0(v2)
//	jump -> b1
//	if v0 -> b1 b2
//	range v0 -> b1 b2
//	return v0                              or return alone; also throw v0, unreachable
//
// Types are string, Array[string], "package".Name, "src/db.ts"::Name, {field a? : T, method b #3},
// (T | U) and literal "text"; a span is @line:col-line:col+offset:offset, after @"file":
// where the file is not the unit's first.
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
