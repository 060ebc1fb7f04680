package model

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// DumpOptions chooses what Dump writes.
type DumpOptions struct {
	// Spans adds the place of everything that has one. With spans, a valid unit that is
	// dumped and parsed is the same unit again; without, it is the same unit without places.
	Spans bool
}

// Dump writes a unit as text, without spans. See DumpOptions.Dump.
func Dump(w io.Writer, u *Unit) error { return DumpOptions{}.Dump(w, u) }

// Dump writes a unit as text: one line for each declaration, operation and end
// of a block. The text is stable, Parse reads it back, and units that Validate refuses are
// written too, so that they can be looked at. For example
//
//	func #1 create async
//	  param id : string
//	b0:
//	  v0 = param #0 : string ; id
//	  v1 = loadglobal #0 ; db
//	  v2 = load v1.insert
//	  v3 = call v2(v0, ...v0)
//	  if v3 -> b1 b2
//	b1: <- b0 handler b3
//	  return v3
//
// What follows a semicolon is for the reader only. An error is one of w, or a
// type that does not end.
func (o DumpOptions) Dump(w io.Writer, u *Unit) error {
	d := &dumper{w: bufio.NewWriter(w), spans: o.Spans, unit: u}
	d.unitLines()
	if err := d.w.Flush(); err != nil {
		return err
	}
	return d.err
}

// String gives the unit as Dump writes it.
func (u *Unit) String() string {
	var b strings.Builder
	if err := Dump(&b, u); err != nil {
		fmt.Fprintf(&b, "; %v\n", err)
	}
	return b.String()
}

// maxTypeDepth bounds how deep a TypeRef is written, read and checked. Types
// that people write stay far below; a front end that ties a knot must not hang a reader.
const maxTypeDepth = 64

type dumper struct {
	w     *bufio.Writer
	spans bool
	unit  *Unit
	err   error
}

// put writes a piece; the buffer keeps the first error of the writer for Flush.
func (d *dumper) put(pieces ...string) {
	for _, p := range pieces {
		d.w.WriteString(p)
	}
}

func (d *dumper) unitLines() {
	u := d.unit
	d.put("unit ", strconv.Quote(u.Path), " ", bare(string(u.Language)), "\n")
	if u.Package != "" {
		d.put("package ", strconv.Quote(u.Package), "\n")
	}
	for _, file := range u.Files {
		d.put("file ", strconv.Quote(file), "\n")
	}
	for _, path := range u.Imports {
		d.put("import ", strconv.Quote(path), "\n")
	}
	for i := range u.Notes {
		d.put("note ", strconv.Quote(u.Notes[i].What))
		d.end(u.Notes[i].Span)
	}
	for i, g := range u.Globals {
		g = orZero(g)
		d.put("global ", ref(i), " ", bare(g.Name))
		d.flag(g.Const, "const")
		d.typed(g.Type)
		d.end(g.Span)
	}
	for i, t := range u.Types {
		t = orZero(t)
		d.typeDecl(i, t)
	}
	for i := range u.Exports {
		d.export(&u.Exports[i])
	}
	for i, f := range u.Funcs {
		f = orZero(f)
		d.put("\n")
		d.function(i, f)
	}
}

func (d *dumper) typeDecl(i int, t *TypeDecl) {
	d.put("type ", ref(i), " ", t.Kind.String(), " ", bare(t.Name))
	d.flag(t.Abstract, "abstract")
	d.typeList(" extends ", t.Extends)
	d.typeList(" implements ", t.Implements)
	if t.Underlying != nil {
		d.put(" = ")
		d.typeRef(t.Underlying, 0)
	}
	d.end(t.Span)
	for _, part := range []struct {
		word string
		f    int
	}{{"ctor", t.Ctor}, {"fieldinit", t.FieldInit}, {"staticinit", t.StaticInit}} {
		if part.f != 0 {
			d.put("  ", part.word, " ", ref(part.f), d.note(d.funcName(part.f)), "\n")
		}
	}
	for j := range t.Members {
		d.put("  member ")
		d.member(&t.Members[j], 0)
		if f := t.Members[j].Func; f != 0 {
			d.put(d.note(d.funcName(f)))
		}
		d.put("\n")
	}
}

func (d *dumper) export(e *Export) {
	d.put("export ", bare(e.Name))
	if e.Global != 0 {
		d.put(" ", ref(e.Global-1))
	}
	if e.From != "" {
		d.put(" from ", strconv.Quote(e.From))
	}
	if e.Extern != "" {
		d.put(" extern ", strconv.Quote(e.Extern))
	}
	if e.As != "" {
		d.put(" as ", bare(e.As))
	}
	if g := e.Global - 1; g >= 0 && g < len(d.unit.Globals) {
		d.put(d.note(orZero(d.unit.Globals[g]).Name))
	}
	d.put("\n")
}

func (d *dumper) function(i int, f *Func) {
	d.put("func ", ref(i), " ", bare(f.Name))
	if f.Index != i {
		d.put(" index ", ref(f.Index))
	}
	d.flag(f.This, "this")
	d.flag(f.Async, "async")
	d.flag(f.Generator, "generator")
	d.flag(f.Partial, "partial")
	if f.Type != 0 {
		d.put(" type ", ref(f.Type-1))
	}
	if f.Outer != 0 {
		d.put(" outer ", ref(f.Outer-1))
	}
	d.typed(f.Result)
	d.end(f.Span)
	for j := range f.Params {
		p := &f.Params[j]
		d.put("  param ", bare(p.Name))
		d.flag(p.Rest, "rest")
		d.flag(p.Optional, "optional")
		for k, name := range p.Decorators {
			d.put(pick(k == 0, " decorators(", ", "), bare(name))
		}
		if len(p.Decorators) > 0 {
			d.put(")")
		}
		d.typed(p.Type)
		d.end(p.Span)
	}
	for _, name := range f.FreeVars {
		d.put("  freevar ", bare(name), "\n")
	}
	d.blocks(f)
}

func (d *dumper) blocks(f *Func) {
	preds, handled := f.Preds(), f.HandlerPreds()
	placed := make([]bool, len(f.Ops))
	for i := range f.Blocks {
		b := &f.Blocks[i]
		d.put(block(BlockID(i)), ":")
		for j, p := range preds[i] {
			d.put(pick(j == 0, " <- ", " "), block(p))
		}
		for j, p := range handled[i] {
			d.put(pick(j == 0, " catch ", " "), block(p))
		}
		if b.Handler != NoBlock {
			d.put(" handler ", block(b.Handler))
		}
		d.put("\n")
		for _, id := range b.Ops {
			if id < 0 || int(id) >= len(f.Ops) || placed[id] {
				d.put("  ", val(id), "\n") // an error, told to the reader
				continue
			}
			placed[id] = true
			d.op(f, id)
		}
		d.put("  ", b.Term.String())
		if b.Value != None {
			d.put(" ", val(b.Value))
		}
		for j, s := range b.Succs {
			d.put(pick(j == 0, " -> ", " "), block(s))
		}
		d.end(b.Span)
	}
	unplaced := false
	for id := range f.Ops {
		if placed[id] {
			continue
		}
		if !unplaced {
			d.put("unplaced:\n")
			unplaced = true
		}
		d.op(f, ID(id))
	}
}

func (d *dumper) op(f *Func, id ID) {
	op := &f.Ops[id]
	d.put("  ", val(id), " = ", op.Kind.String())
	member := false // the name is written behind the object
	switch {
	case op.Kind.isNamed():
		d.put(" ", bare(op.Name))
	case op.Kind == Constant:
		if op.Const != (Const{}) {
			d.put(" ", literal(op.Const))
		}
		if op.Name != "" {
			d.put(" name ", strconv.Quote(op.Name))
		}
	case isAccess(op):
		member = true
	case op.Name != "":
		d.put(" ", strconv.Quote(op.Name))
	}
	if op.Kind.usesRef() || op.Ref != 0 {
		d.put(" ", ref(int(op.Ref)))
	}
	inline := d.args(op, member)
	if op.Kind != Constant && op.Const != (Const{}) {
		d.put(" const ", literal(op.Const))
	}
	d.flag(op.Flags != 0, op.Flags.String())
	if !inline {
		d.put(" parts(")
		for i := range op.Parts {
			d.put(pick(i == 0, "", ", "))
			d.part(&op.Parts[i], None, true)
		}
		d.put(")")
	}
	d.typed(op.Type)
	d.span(op.Span)
	if name := d.refName(f, op); name != "" {
		d.put(d.note(name))
	}
	d.put("\n")
}

// isAccess reports whether the operation has the shape of an access to a cell or member.
func isAccess(op *Op) bool {
	switch op.Kind {
	case Load, Delete:
		return len(op.Args) == 1 || len(op.Args) == 2
	case Store:
		return len(op.Args) == 2 || len(op.Args) == 3
	}
	return false
}

// args writes the arguments of an operation and reports whether Parts was written with them.
func (d *dumper) args(op *Op, access bool) bool {
	switch {
	case access:
		d.put(" ", val(op.Args[0]))
		if op.Name != "" {
			d.put(".", bare(op.Name))
		}
		if op.Kind != Store && len(op.Args) == 2 {
			d.put("[", val(op.Args[1]), "]")
		}
		if op.Kind == Store {
			if len(op.Args) == 3 {
				d.put("[", val(op.Args[2]), "]")
			}
			d.put(" = ", val(op.Args[1]))
		}
	case op.Kind.isCall() && len(op.Args) > 0:
		d.put(" ", val(op.Args[0]))
		return d.list("(", op.Args[1:], op, ")")
	case op.Kind == Object:
		return d.list(" {", op.Args, op, "}")
	case op.Kind == Array:
		return d.list(" [", op.Args, op, "]")
	default:
		for i, a := range op.Args {
			d.put(pick(i == 0, " ", ", "), val(a))
		}
	}
	return len(op.Parts) == 0
}

func (d *dumper) list(open string, args []ID, op *Op, end string) bool {
	parts := op.Parts
	inline := len(parts) == 0 || len(parts) == len(op.partsOf())
	d.put(open)
	for i, a := range args {
		d.put(pick(i == 0, "", ", "))
		if inline && len(parts) > 0 {
			d.part(&parts[i], a, op.Kind == Object)
		} else {
			d.put(val(a))
		}
	}
	d.put(end)
	return inline
}

// part writes an argument with what its part says. In an object a key is never
// left out, so that a reader can tell an empty key from no part at all.
func (d *dumper) part(p *Part, arg ID, keyed bool) {
	if p.Getter {
		d.put("get ")
	}
	if p.KeyID != None {
		d.put("[", val(p.KeyID), "]: ")
	}
	if p.Key != "" || keyed && p.KeyID == None && !p.Spread {
		d.put(bare(p.Key), ": ")
	}
	if p.Spread {
		d.put("...")
	}
	d.put(val(arg))
	d.span(p.Span)
}

func (d *dumper) typed(t *TypeRef) {
	if t != nil {
		d.put(" : ")
		d.typeRef(t, 0)
	}
}

func (d *dumper) typeList(word string, types []*TypeRef) {
	for i, t := range types {
		d.put(pick(i == 0, word, ", "))
		d.typeRef(t, 0)
	}
}

func (d *dumper) typeRef(t *TypeRef, depth int) {
	switch {
	case t == nil:
		d.put("nil")
		return
	case d.err != nil: // a type that holds itself twice would be written for ever
		d.put("nil")
		return
	case depth > maxTypeDepth:
		d.err = fmt.Errorf("unit %q: a type is nested deeper than %d", d.unit.Path, maxTypeDepth)
		d.put("nil")
		return
	}
	start := 0 // how many pieces stand before the shape
	if t.External != "" {
		d.put(strconv.Quote(t.External), ".")
		start++
	}
	if t.Unit != "" {
		d.put(strconv.Quote(t.Unit), "::")
		start++
	}
	if t.Name != "" || start > 0 {
		d.put(typeName(t.Name))
		start++
	}
	if len(t.Args) > 0 {
		d.put("[")
		for i, a := range t.Args {
			d.put(pick(i == 0, "", ", "))
			d.typeRef(a, depth+1)
		}
		d.put("]")
		start++
	}
	hasMore := len(t.Union) > 0 || t.Literal != ""
	if len(t.Members) > 0 || start == 0 && !hasMore {
		d.put("{")
		for i := range t.Members {
			d.put(pick(i == 0, "", ", "))
			d.member(&t.Members[i], depth+1)
		}
		d.put("}")
	}
	if len(t.Union) > 0 {
		d.put("(")
		for i, a := range t.Union {
			d.put(pick(i == 0, "", " | "))
			d.typeRef(a, depth+1)
		}
		d.put(")")
	}
	if t.Literal != "" {
		d.put(pick(start > 0 || len(t.Members)+len(t.Union) > 0, " ", ""), "literal ", strconv.Quote(t.Literal))
	}
}

func (d *dumper) member(m *Member, depth int) {
	d.put(pick(m.Static, "static ", ""), m.Kind.String(), " ", bare(m.Name), pick(m.Optional, "?", ""))
	if m.Func != 0 {
		d.put(" ", ref(m.Func))
	}
	if m.Encoded != "" {
		d.put(" as ", bare(m.Encoded))
	}
	if m.About != "" {
		d.put(" about ", strconv.Quote(m.About))
	}
	d.flag(m.Inline, "inline")
	if m.Type != nil {
		d.put(" : ")
		d.typeRef(m.Type, depth)
	}
	d.span(m.Span)
}

func (d *dumper) flag(set bool, word string) {
	if set {
		d.put(" ", word)
	}
}

func (d *dumper) end(s Span) {
	d.span(s)
	d.put("\n")
}

// span writes @line:col-line:col+offset:offset; the file stands before it unless it is the unit's first.
func (d *dumper) span(s Span) {
	if !d.spans || s == (Span{}) {
		return
	}
	d.put(" @")
	if len(d.unit.Files) == 0 || s.File != d.unit.Files[0] {
		d.put(strconv.Quote(s.File), ":")
	}
	fmt.Fprintf(d.w, "%d:%d-%d:%d+%d:%d", s.Line, s.Col, s.EndLine, s.EndCol, s.Offset, s.EndOffset)
}

// refName gives what an operation refers to by index, for the reader.
func (d *dumper) refName(f *Func, op *Op) string {
	i := int(op.Ref)
	switch {
	case i < 0:
	case op.Kind == Parameter && i < len(f.Params):
		return f.Params[i].Name
	case op.Kind == FreeVar && i < len(f.FreeVars):
		return f.FreeVars[i]
	case op.Kind == Closure, op.Kind == FuncRef && op.Name == "":
		return d.funcName(i)
	case op.Kind == Class && i < len(d.unit.Types):
		return orZero(d.unit.Types[i]).Name
	case (op.Kind == LoadGlobal || op.Kind == StoreGlobal) && op.Name == "" && i < len(d.unit.Globals):
		return orZero(d.unit.Globals[i]).Name
	}
	return ""
}

func (d *dumper) funcName(i int) string {
	if i < 0 || i >= len(d.unit.Funcs) || d.unit.Funcs[i] == nil {
		return ""
	}
	return d.unit.Funcs[i].Name
}

func (d *dumper) note(name string) string {
	if name == "" {
		return ""
	}
	return " ; " + bare(name)
}

// orZero stands in for a hole in a broken unit.
func orZero[T any](p *T) *T {
	if p == nil {
		return new(T)
	}
	return p
}

func ref(i int) string { return "#" + strconv.Itoa(i) }

func val(id ID) string {
	if id == None {
		return "_"
	}
	return "v" + strconv.Itoa(int(id))
}

func block(b BlockID) string { return "b" + strconv.Itoa(int(b)) }

func pick(cond bool, yes, no string) string {
	if cond {
		return yes
	}
	return no
}

// bare writes a name without quotes where it is one token of the text form.
func bare(name string) string {
	if isWord(name) || isOperator(name) {
		return name
	}
	return strconv.Quote(name)
}

// typeName is bare except for the two words that mean something among types.
func typeName(name string) string {
	if isWord(name) && name != "nil" && name != "literal" {
		return name
	}
	return strconv.Quote(name)
}

// literal writes a constant so that its text can be told from its kind.
func literal(c Const) string {
	switch {
	case c.Kind == String:
		return strconv.Quote(c.Text)
	case c.Kind == Number && isNumber(c.Text),
		c.Kind == Bool && (c.Text == "true" || c.Text == "false"):
		return c.Text
	case (c.Kind == Null || c.Kind == Undefined) && c.Text == "":
		return c.Kind.String()
	}
	return c.Kind.String() + " " + strconv.Quote(c.Text)
}
