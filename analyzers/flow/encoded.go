package flow

import "github.com/retrysafe/retrysafe/analyzers/model"

// This file knows that the fields of a struct go by other names in the encoded form that a caller sends.

// loadEncoded reads the member name of a value. What a framework decoded into a declared struct is an input, whose members have the names that
// the caller gives them.
func (e *engine) loadEncoded(st *state, target *Term, fn *Function, op *model.Op, name string, site *Site) *Term {
	if fn.Unit.Language != model.Go {
		return e.load(st, target, name, site)
	}
	m := e.p.fieldOf(fn.Ops[op.Args[0]].Type, name)
	if m == nil || m.Encoded == "" && !m.Inline {
		return e.load(st, target, name, site)
	}
	alts := target.Alternatives()
	out := make([]*Term, 0, len(alts))
	for _, alt := range alts {
		alt = e.decoded(st, alt, name)
		switch {
		case alt.IsNullish() && len(alts) > 1:
			continue // reading it would fail
		case alt.Kind == TRef || alt.Kind == TObject || inputRoot(alt) == nil:
			out = append(out, e.load(st, alt, name, site))
		case m.Encoded == "":
			out = append(out, alt)
		default:
			out = append(out, e.load(st, alt, m.Encoded, site))
		}
	}
	return e.union(out...)
}

// decoded gives the input that a variable was filled with, where nothing has been stored under the name since; other values are themselves.
func (e *engine) decoded(st *state, t *Term, name string) *Term {
	if t.Kind != TRef {
		return t
	}
	obj := e.contents(st, t)
	if obj == nil || obj.base == nil || obj.get(name) != nil || inputRoot(obj.base) == nil {
		return t
	}
	return obj.base
}

// fieldOf finds a field of a struct that the program declares, by the name that its source gives it.
func (p *Program) fieldOf(typ *model.TypeRef, name string) *model.Member {
	if typ == nil {
		return nil
	}
	if m := typ.Member(name); m != nil {
		return m
	}
	if t := p.declared(typ); t != nil {
		for i := range t.Members {
			if m := &t.Members[i]; m.Name == name && m.Kind == model.FieldMember {
				return m
			}
		}
	}
	return nil
}

// structParams lists the fields of a struct into which a framework decodes the arguments, as parameters of the tool; false where the type is not
// known. The fields of embedded structs stand beside the others.
func (e *engine) structParams(typ *model.TypeRef, depth int) ([]Param, bool) {
	if typ == nil || depth > 8 {
		return nil, false
	}
	members := typ.Members
	if t := e.p.declared(typ); t != nil {
		members = t.Members
		if t.Kind == model.AliasType && t.Underlying != nil {
			members = t.Underlying.Members
		} else if t.Kind != model.ClassType && t.Kind != model.AliasType {
			return nil, false
		}
	} else if len(members) == 0 {
		return nil, false
	}
	var params []Param
	known := true
	for i := range members {
		m := &members[i]
		switch {
		case m.Kind != model.FieldMember:
		case m.Inline:
			more, ok := e.structParams(m.Type, depth+1)
			params, known = append(params, more...), known && ok
		default:
			name := m.Encoded
			if name == "" {
				name = m.Name
			}
			params = append(params, Param{Name: name, Required: !m.Optional, Description: m.About, Span: m.Span})
		}
	}
	return params, known
}

// argumentsType gives the type of the parameter through which a handler takes the decoded arguments, nil where there is none.
func (e *engine) argumentsType(reg *registration) *model.TypeRef {
	targets, _ := e.handlerTargets(reg.handler)
	if reg.row.Tool == nil || len(targets) != 1 {
		return nil
	}
	fn := closureOf(targets[0])
	if fn == nil || fn.Unit.Language != model.Go {
		return nil
	}
	for i, in := range reg.row.Tool.Parameters {
		if in.Role == model.ArgumentsInput && i < len(fn.Params) && fn.Params[i].Type != nil {
			return fn.Params[i].Type
		}
	}
	return nil
}
