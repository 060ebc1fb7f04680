package model

import "strings"

// PackageSet is a set of external packages, in canonical form.
type PackageSet map[string]bool

// Externals collects the external packages that units take values or types from.
func Externals(units []*Unit) PackageSet {
	out := PackageSet{}
	add := func(name string) {
		if name != "" {
			out[CanonicalPackage(name)] = true
		}
	}
	var addType func(t *TypeRef, depth int)
	addType = func(t *TypeRef, depth int) {
		if t == nil || depth > 4 {
			return
		}
		add(t.External)
		for _, list := range [][]*TypeRef{t.Args, t.Union} {
			for _, u := range list {
				addType(u, depth+1)
			}
		}
		for i := range t.Members {
			addType(t.Members[i].Type, depth+1)
		}
	}
	for _, u := range units {
		for _, x := range u.Exports {
			add(x.Extern)
		}
		for _, g := range u.Globals {
			addType(g.Type, 0)
		}
		for _, d := range u.Types {
			addType(d.Underlying, 0)
			for _, t := range d.Extends {
				addType(t, 0)
			}
			for i := range d.Members {
				addType(d.Members[i].Type, 0)
			}
		}
		for _, f := range u.Funcs {
			for i := range f.Params {
				addType(f.Params[i].Type, 0)
			}
			for i := range f.Ops {
				op := &f.Ops[i]
				if op.Kind == External {
					add(op.Name)
				}
				addType(op.Type, 0)
			}
		}
	}
	return out
}

// Uses reports whether the package called word, or a part of it, is in the set.
func (pkgs PackageSet) Uses(word string) bool {
	if pkgs[word] {
		return true
	}
	for p := range pkgs {
		if strings.HasPrefix(p, word+"/") || strings.TrimPrefix(p, "node:") == word {
			return true
		}
	}
	return false
}
