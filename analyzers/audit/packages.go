package audit

import (
	"strings"

	"github.com/retrysafe/retrysafe/analyzers/model"
)

// packages collects the external packages that units take values or types from.
func packages(units []*model.Unit) map[string]bool {
	out := map[string]bool{}
	add := func(name string) {
		if name != "" {
			out[model.CanonicalPackage(name)] = true
		}
	}
	var addType func(t *model.TypeRef, depth int)
	addType = func(t *model.TypeRef, depth int) {
		if t == nil || depth > 4 {
			return
		}
		add(t.External)
		for _, list := range [][]*model.TypeRef{t.Args, t.Union} {
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
				if op.Kind == model.External {
					add(op.Name)
				}
				addType(op.Type, 0)
			}
		}
	}
	return out
}

// within reports whether the package called word, or a part of it, is among the packages.
func within(pkgs map[string]bool, word string) bool {
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
