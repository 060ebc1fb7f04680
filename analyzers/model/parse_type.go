package model

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
	if p.take("as") {
		if m.Encoded, err = p.name(); err != nil {
			return err
		}
	}
	if p.take("about") {
		if m.About, err = p.name(); err != nil {
			return err
		}
	}
	m.Inline = p.take("inline")
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
