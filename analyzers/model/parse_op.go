package model

import (
	"slices"
	"strconv"
)

func (p *parser) operation() error {
	b := p.body
	id, ok := number(p.word(), 'v')
	if !ok || id < 0 {
		return p.unexpected("the name of a value")
	}
	if _, twice := b.ops[ID(id)]; twice {
		return p.errorf("v%d is defined twice", id)
	}
	p.next()
	p.next() // the =
	kind, ok := kindOf(opNames[:], "op", p.word())
	if !ok {
		return p.unexpected("an operation")
	}
	p.next()
	op := Op{Kind: OpKind(kind)}
	if err := p.operands(ID(id), &op); err != nil {
		return err
	}
	if b.unplaced {
		b.ops[ID(id)] = op
		return nil
	}
	block := p.openBlock()
	if block == nil {
		return p.errorf("v%d stands outside of a block", id)
	}
	block.Ops = append(block.Ops, ID(id))
	b.ops[ID(id)] = op
	return nil
}

// operands takes what follows the kind of an operation.
func (p *parser) operands(id ID, op *Op) error {
	var err error
	switch {
	case op.Kind.isNamed():
		if op.Name, err = p.name(); err != nil {
			return err
		}
	case op.Kind == Constant:
		if err := p.constant(&op.Const); err != nil {
			return err
		}
		if p.take("name") {
			if err := p.into(&op.Name); err != nil {
				return err
			}
		}
	case p.peek().kind == stringToken:
		op.Name = p.next().text
	}
	if p.peek().kind == refToken {
		if err := p.opRef(id, op); err != nil {
			return err
		}
	}
	if err := p.args(op); err != nil {
		return err
	}
	if p.take("const") {
		if err := p.constant(&op.Const); err != nil {
			return err
		}
	}
	p.flags(op)
	if p.take("parts") {
		if err := p.expect("("); err != nil {
			return err
		}
		if _, op.Parts, err = p.list(")"); err != nil {
			return err
		}
	}
	op.Type, err = p.typed()
	op.Span = p.span()
	return err
}

func (p *parser) opRef(id ID, op *Op) error {
	f := p.body.f
	what := "function"
	switch op.Kind {
	case Parameter:
		what = "parameter"
	case FreeVar:
		what = "free variable"
	case LoadGlobal, StoreGlobal:
		what = "global"
	case Class:
		what = "type"
	}
	if t := p.peek(); !t.index && op.Name != "" && op.Kind != Closure && op.Kind != Class {
		return p.errorf("what another unit holds is referred to by number, not as %s", t)
	}
	return p.ref(what, f, func(i int) {
		if int(id) < len(f.Ops) {
			f.Ops[id].Ref = int32(i) // resolved after the function was completed
			return
		}
		op.Ref = int32(i)
	})
}

// flags takes the words of flags, as Flag.String writes them.
func (p *parser) flags(op *Op) {
	for {
		word := p.word()
		if i := slices.Index(flagNames[:], word); i >= 0 {
			op.Flags |= 1 << i
		} else if bits, ok := kindOf(nil, "flag", word); ok {
			op.Flags |= Flag(bits)
		} else {
			return
		}
		p.next()
	}
}

func (p *parser) args(op *Op) (err error) {
	switch {
	case op.Kind == Object && p.take("{"):
		op.Args, op.Parts, err = p.list("}")
		return err
	case op.Kind == Array && p.take("["):
		op.Args, op.Parts, err = p.list("]")
		return err
	}
	first, ok := p.value()
	if !ok {
		return nil
	}
	op.Args = []ID{first}
	switch {
	case op.Kind.isCall():
		if err := p.expect("("); err != nil {
			return err
		}
		args, parts, err := p.list(")")
		op.Args, op.Parts = append(op.Args, args...), parts
		return err
	case op.Kind == Load, op.Kind == Delete, op.Kind == Store:
		if !p.peek().is(",") {
			return p.access(op)
		}
	}
	for p.take(",") {
		id, err := p.needValue()
		if err != nil {
			return err
		}
		op.Args = append(op.Args, id)
	}
	return nil
}

// access takes what follows the object of a Load, Store or Delete.
func (p *parser) access(op *Op) (err error) {
	if p.take(".") {
		if op.Name, err = p.name(); err != nil {
			return err
		}
	}
	key, computed := None, p.take("[")
	if computed {
		if key, err = p.needValue(); err != nil {
			return err
		}
		if err := p.expect("]"); err != nil {
			return err
		}
	}
	if op.Kind == Store && p.take("=") {
		id, err := p.needValue()
		if err != nil {
			return err
		}
		op.Args = append(op.Args, id)
	}
	if computed {
		op.Args = append(op.Args, key)
	}
	return nil
}

// list takes arguments up to the closing mark. The parts are nil if no argument has one.
func (p *parser) list(end string) (args []ID, parts []Part, err error) {
	special := false
	for !p.take(end) {
		part := Part{KeyID: None}
		id, marked, err := p.part(&part)
		if err != nil {
			return nil, nil, err
		}
		args, parts = append(args, id), append(parts, part)
		special = special || marked
		if !p.take(",") && !p.peek().is(end) {
			return nil, nil, p.unexpected(strconv.Quote(end))
		}
	}
	if !special {
		parts = nil
	}
	return args, parts, nil
}

// part takes one argument and reports whether it carries more than its value.
func (p *parser) part(part *Part) (id ID, marked bool, err error) {
	if p.peek().is("get") && !p.toks[p.pos+1].is(":") {
		p.next()
		part.Getter, marked = true, true
	}
	if p.take("[") {
		if part.KeyID, err = p.needValue(); err != nil {
			return None, false, err
		}
		for _, mark := range []string{"]", ":"} {
			if err := p.expect(mark); err != nil {
				return None, false, err
			}
		}
		marked = true
	}
	if p.peek().kind != endToken && p.toks[p.pos+1].is(":") {
		if part.Key, err = p.name(); err != nil {
			return None, false, err
		}
		p.next()
		marked = true
	}
	if p.take("...") {
		part.Spread, marked = true, true
	}
	if id, err = p.needValue(); err != nil {
		return None, false, err
	}
	if p.peek().kind == spanToken {
		part.Span, marked = p.next().span, true
	}
	return id, marked, nil
}

// constant takes a literal, if there is one.
func (p *parser) constant(c *Const) error {
	t := p.peek()
	switch {
	case t.kind == stringToken:
		*c = Const{Kind: String, Text: t.text}
	case t.is("true"), t.is("false"):
		*c = Const{Kind: Bool, Text: t.text}
	case t.kind == wordToken && isNumber(t.text):
		*c = Const{Kind: Number, Text: t.text}
	default:
		kind, ok := kindOf(constNames[:], "literal", p.word())
		if !ok {
			return nil
		}
		p.next()
		c.Kind = ConstKind(kind)
		if p.peek().kind == stringToken {
			c.Text = p.next().text
		}
		return nil
	}
	p.next()
	return nil
}
