package golang

import (
	"strings"

	"github.com/retrysafe/retrysafe/analyzers/model"
)

// addUnit takes what a package declares from its unit, where its source is not at hand: in separate analysis, package by package.
func (p *Program) addUnit(u *model.Unit) {
	k := &pkg{Package: &Package{Path: u.Path}, program: p, names: map[string]*object{}, methods: map[string]map[string]*function{}}
	p.pkgs[u.Path] = k
	for i, t := range u.Types {
		o := &object{kind: typeObject, name: t.Name, pkg: k, index: i, typ: unknownType, state: resolved}
		k.types = append(k.types, o)
		if k.names[t.Name] == nil {
			k.names[t.Name] = o
		}
	}
	for i, g := range u.Globals {
		o := &object{kind: varObject, name: g.Name, pkg: k, index: i, typ: unknownType, state: resolved, written: !g.Const}
		k.vars = append(k.vars, o)
		if k.names[g.Name] == nil {
			k.names[g.Name] = o
		}
	}
	for i, f := range u.Funcs {
		if i == 0 || f.Outer > 0 {
			continue // the initialiser, and closures
		}
		fn := &function{pkg: k, name: f.Name, index: i, sig: unknownType}
		switch {
		case f.Type > 0 && f.Type <= len(u.Types):
			recv := u.Types[f.Type-1].Name
			fn.recv = k.types[f.Type-1]
			if k.methods[recv] == nil {
				k.methods[recv] = map[string]*function{}
			}
			if name := strings.TrimPrefix(f.Name, recv+"."); k.methods[recv][name] == nil {
				k.methods[recv][name] = fn
			}
		case k.names[f.Name] == nil:
			k.names[f.Name] = &object{kind: funcObject, name: f.Name, pkg: k, fn: fn, typ: unknownType, state: resolved}
		}
	}
}

// resolveUnit reads the types of what the package declares, once all packages are there.
func (p *Program) resolveUnit(u *model.Unit) {
	k := p.pkgs[u.Path]
	for i, t := range u.Types {
		k.types[i].typ = p.declared(t)
	}
	for i, g := range u.Globals {
		k.vars[i].typ = p.fromRef(g.Type, 0)
	}
	sig := func(f *model.Func) *typ {
		s := &typ{kind: funcKind}
		for i := range f.Params {
			s.params = append(s.params, p.fromRef(f.Params[i].Type, 0))
			s.variadic = s.variadic || f.Params[i].Rest
		}
		return s
	}
	for _, o := range k.names {
		if o.kind == funcObject {
			o.fn.sig = sig(u.Funcs[o.fn.index])
			o.typ = o.fn.sig
		}
	}
	for _, set := range k.methods {
		for _, fn := range set {
			fn.sig = sig(u.Funcs[fn.index])
		}
	}
}

// declared is what a declared type is made of.
func (p *Program) declared(t *model.TypeDecl) *typ {
	switch t.Kind {
	case model.AliasType:
		return p.fromRef(t.Underlying, 0)
	case model.InterfaceType:
		s := &typ{kind: interfaceKind}
		for i := range t.Members {
			s.fields = append(s.fields, field{name: t.Members[i].Name, typ: &typ{kind: funcKind}})
		}
		for _, ref := range t.Extends {
			s.embeds = append(s.embeds, p.fromRef(ref, 0))
		}
		return s
	}
	s := &typ{kind: structKind}
	embedded := map[string]bool{}
	for _, ref := range t.Extends {
		embedded[ref.Name] = true
	}
	for i := range t.Members {
		if m := &t.Members[i]; m.Kind == model.FieldMember {
			t := p.fromRef(m.Type, 0)
			if t.kind == namedKind || t.kind == externalKind {
				t = &typ{kind: pointerKind, elem: t} // it may be one: nothing is claimed of what it is at first
			}
			s.fields = append(s.fields, field{name: m.Name, typ: t, embedded: embedded[m.Name], optional: m.Optional,
				encoded: m.Encoded, about: m.About, inline: m.Inline})
		}
	}
	return s
}

// fromRef reads a type as a unit mentions it. Pointers are not mentioned there.
func (p *Program) fromRef(ref *model.TypeRef, depth int) *typ {
	if ref == nil || depth > maxNesting {
		return unknownType
	}
	arg := func(i int) *typ {
		if i < len(ref.Args) {
			return p.fromRef(ref.Args[i], depth+1)
		}
		return unknownType
	}
	switch {
	case ref.External != "":
		return &typ{kind: externalKind, path: ref.External, name: ref.Name}
	case ref.Unit != "":
		if k := p.pkgs[ref.Unit]; k != nil {
			if o := k.names[ref.Name]; o != nil && o.kind == typeObject {
				return &typ{kind: namedKind, decl: o}
			}
		}
		return unknownType
	case len(ref.Members) > 0:
		s := &typ{kind: structKind}
		for i := range ref.Members {
			m := &ref.Members[i]
			s.fields = append(s.fields, field{name: m.Name, typ: p.fromRef(m.Type, depth+1), optional: m.Optional, encoded: m.Encoded, about: m.About, inline: m.Inline})
		}
		return s
	case ref.Name == "Array":
		return &typ{kind: sliceKind, elem: arg(0)}
	case ref.Name == "Map":
		return &typ{kind: mapKind, key: arg(0), elem: arg(1)}
	case ref.Name != "":
		return universe(ref.Name)
	}
	return unknownType
}
