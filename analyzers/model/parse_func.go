package model

import (
	"fmt"
	"slices"
	"strconv"
)

// function reads the line that begins a function.
func (p *parser) function() error {
	if err := p.position(len(p.unit.Funcs)); err != nil {
		return err
	}
	name, err := p.name()
	if err != nil {
		return err
	}
	f := &Func{Name: name, Index: len(p.unit.Funcs)}
	p.unit.Funcs = append(p.unit.Funcs, f)
	p.body = &body{f: f, line: p.line, ops: map[ID]Op{}, block: NoBlock}
	if p.take("index") {
		if err := p.ref("function", nil, func(i int) { f.Index = i }); err != nil {
			return err
		}
	}
	f.This = p.take("this")
	f.Async = p.take("async")
	f.Generator = p.take("generator")
	f.Partial = p.take("partial")
	if p.take("type") {
		if err := p.ref("type", nil, func(i int) { f.Type = i + 1 }); err != nil {
			return err
		}
	}
	if p.take("outer") {
		if err := p.ref("function", nil, func(i int) { f.Outer = i + 1 }); err != nil {
			return err
		}
	}
	f.Result, err = p.typed()
	f.Span = p.span()
	return err
}

func (p *parser) funcStatement() error {
	b := p.body
	if b == nil {
		return errNoStatement
	}
	if _, ok := number(p.word(), 'v'); ok && p.toks[1].is("=") {
		return p.operation()
	}
	switch {
	case p.take("param"):
		return p.param()
	case p.take("freevar"):
		name, err := p.name()
		b.f.FreeVars = append(b.f.FreeVars, name)
		return err
	case p.take("unplaced"):
		b.unplaced = true
		return p.expect(":")
	}
	if id, ok := number(p.word(), 'b'); ok {
		p.next()
		return p.beginBlock(BlockID(id))
	}
	if p.openBlock() == nil {
		return p.errorf("%s stands outside of a block", p.peek())
	}
	if id, ok := p.value(); ok {
		p.openBlock().Ops = append(p.openBlock().Ops, id)
		return nil
	}
	if kind, ok := kindOf(termNames[:], "term", p.word()); ok {
		p.next()
		return p.terminator(TermKind(kind))
	}
	return errNoStatement
}

// openBlock gives the block that operations go to, or nil.
func (p *parser) openBlock() *Block {
	if b := p.body; b.block != NoBlock && !b.ended && !b.unplaced {
		return &b.f.Blocks[b.block]
	}
	return nil
}

// number reads the name of a value or block: the letter and an index.
func number(word string, letter byte) (int32, bool) {
	if len(word) < 2 || word[0] != letter {
		return 0, false
	}
	n, err := strconv.ParseInt(word[1:], 10, 32)
	return int32(n), err == nil
}

func (p *parser) param() error {
	name, err := p.name()
	if err != nil {
		return err
	}
	param := Param{Name: name, Rest: p.take("rest"), Optional: p.take("optional")}
	if p.take("decorators") {
		if err := p.expect("("); err != nil {
			return err
		}
		for again := true; again; again = p.take(",") {
			name, err := p.name()
			if err != nil {
				return err
			}
			param.Decorators = append(param.Decorators, name)
		}
		if err := p.expect(")"); err != nil {
			return err
		}
	}
	param.Type, err = p.typed()
	param.Span = p.span()
	p.body.f.Params = append(p.body.f.Params, param)
	return err
}

func (p *parser) beginBlock(id BlockID) error {
	b := p.body
	if b.block != NoBlock && !b.ended {
		return p.errorf("b%d has no end", b.block)
	}
	if b.unplaced || int(id) != len(b.f.Blocks) {
		return p.errorf("expected b%d, found b%d", len(b.f.Blocks), id)
	}
	if err := p.expect(":"); err != nil {
		return err
	}
	h := header{line: p.line}
	if p.take("<-") {
		h.given, h.preds = true, p.blockList()
	}
	if p.take("catch") {
		h.given, h.handled = true, p.blockList()
	}
	b.heads = append(b.heads, h)
	b.block, b.ended = id, false
	b.f.Blocks = append(b.f.Blocks, Block{Value: None, Handler: NoBlock})
	if p.take("handler") {
		to := p.blockList()
		if len(to) != 1 {
			return p.errorf("expected one handler, found %d", len(to))
		}
		b.f.Blocks[id].Handler = to[0]
	}
	return nil
}

// blockList takes the names of blocks as long as there are any.
func (p *parser) blockList() []BlockID {
	var list []BlockID
	for {
		id, ok := number(p.word(), 'b')
		if !ok {
			return list
		}
		p.next()
		list = append(list, BlockID(id))
	}
}

func (p *parser) terminator(kind TermKind) error {
	b := p.openBlock()
	b.Term = kind
	if id, ok := p.value(); ok {
		b.Value = id
	}
	if p.take("->") {
		b.Succs = p.blockList()
	}
	b.Span = p.span()
	p.body.ended = true
	return nil
}

// endFunc completes the function under construction, if there is one.
func (p *parser) endFunc() error {
	b := p.body
	if b == nil {
		return nil
	}
	p.body = nil
	if b.block != NoBlock && !b.ended {
		return fmt.Errorf("%d:1: b%d of %q has no end", p.line, b.block, b.f.Name)
	}
	for i := range len(b.ops) {
		op, ok := b.ops[ID(i)]
		if !ok {
			return fmt.Errorf("%d:1: %q has %d values but no v%d", b.line, b.f.Name, len(b.ops), i)
		}
		b.f.Ops = append(b.f.Ops, op)
	}
	preds, handled := b.f.Preds(), b.f.HandlerPreds()
	for i, h := range b.heads {
		if h.given && (!slices.Equal(h.preds, preds[i]) || !slices.Equal(h.handled, handled[i])) {
			return fmt.Errorf("%d:1: b%d follows %v and handles %v, the text says %v and %v",
				h.line, i, preds[i], handled[i], h.preds, h.handled)
		}
	}
	return nil
}

// value takes the name of a value; _ is None.
func (p *parser) value() (ID, bool) {
	if p.take("_") {
		return None, true
	}
	id, ok := number(p.word(), 'v')
	if ok {
		p.next()
	}
	return ID(id), ok
}

func (p *parser) needValue() (ID, error) {
	id, ok := p.value()
	if !ok {
		return None, p.unexpected("a value")
	}
	return id, nil
}
