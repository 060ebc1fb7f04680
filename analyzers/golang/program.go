package golang

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/retrysafe/retrysafe/analyzers/model"
)

// Program is what a set of packages declares, so that each can refer to the functions, variables and types of the others. Nothing
// changes it after NewProgram: its packages may be lowered side by side.
type Program struct {
	pkgs map[string]*pkg
}

// NewProgram reads the declarations of the packages of a program. Their paths are different; of two with one path the first counts.
// The packages below that are there as units only are referred to, not lowered.
func NewProgram(pkgs []*Package, below ...*model.Unit) *Program {
	p := &Program{pkgs: make(map[string]*pkg, len(pkgs))}
	var order []*pkg
	for _, src := range pkgs {
		if src == nil || p.pkgs[src.Path] != nil {
			continue
		}
		k := &pkg{Package: src, program: p}
		p.pkgs[src.Path] = k
		order = append(order, k)
	}
	var units []*model.Unit
	for _, u := range below {
		if p.pkgs[u.Path] == nil {
			p.addUnit(u)
			units = append(units, u)
		}
	}
	for _, u := range units {
		p.resolveUnit(u)
	}
	for _, k := range order {
		k.declare()
	}
	for _, k := range order {
		k.resolve()
	}
	for _, k := range order {
		k.findWrites()
	}
	return p
}

// Lower gives the unit of a package of the program. What the package uses of packages that are not in the program is external.
func (p *Program) Lower(src *Package) (*model.Unit, error) {
	if src == nil {
		return nil, errors.New("no package")
	}
	k := p.pkgs[src.Path]
	if k == nil || k.Package != src {
		return nil, fmt.Errorf("package %s is not a part of the program", src.Path)
	}
	return k.lower(), nil
}

// Lower gives the unit of a package that stands alone.
func Lower(src *Package) (*model.Unit, error) { return NewProgram([]*Package{src}).Lower(src) }

// Link says of each type which interfaces of the units it implements, by the names of its methods. The interfaces are sorted by unit and name.
// A test double implements only what nothing else does.
func Link(units []*model.Unit) {
	types := map[string]*model.TypeDecl{}
	owner := map[*model.TypeDecl]string{}
	type contract struct {
		ref     model.TypeRef
		methods []string
	}
	byMethod := map[string][]contract{}
	for _, u := range units {
		for _, t := range u.Types {
			types[u.Path+"#"+t.Name], owner[t] = t, u.Path
		}
	}
	for _, u := range units {
		for _, t := range u.Types {
			if t.Kind != model.InterfaceType {
				continue
			}
			set := map[string]bool{}
			if whole := methodNames(types, t, set, 0); !whole || len(set) == 0 {
				continue
			}
			c := contract{ref: model.TypeRef{Unit: u.Path, Name: t.Name}}
			for name := range set {
				c.methods = append(c.methods, name)
			}
			slices.Sort(c.methods)
			byMethod[c.methods[0]] = append(byMethod[c.methods[0]], c)
		}
	}
	for t := range owner {
		if t.Kind == model.InterfaceType {
			continue
		}
		set := map[string]bool{}
		methodNames(types, t, set, 0)
		t.Implements = nil
		for name := range set {
			for _, c := range byMethod[name] {
				if !slices.ContainsFunc(c.methods, func(m string) bool { return !set[m] }) {
					ref := c.ref
					t.Implements = append(t.Implements, &ref)
				}
			}
		}
		slices.SortFunc(t.Implements, func(a, b *model.TypeRef) int {
			return cmp.Or(cmp.Compare(a.Unit, b.Unit), cmp.Compare(a.Name, b.Name))
		})
	}
	leaveDoubles(owner)
}

// maxEmbedding bounds how deep types are looked for in the types that they embed, in levels.
const maxEmbedding = 8

// methodNames collects the methods of a type and of what it embeds; false if it embeds what is not known.
func methodNames(types map[string]*model.TypeDecl, t *model.TypeDecl, into map[string]bool, depth int) bool {
	if depth > maxEmbedding {
		return false
	}
	for i := range t.Members {
		if t.Members[i].Kind == model.MethodMember {
			into[t.Members[i].Name] = true
		}
	}
	whole := true
	for _, ref := range t.Extends {
		base := types[ref.Unit+"#"+ref.Name]
		if base == nil || !methodNames(types, base, into, depth+1) {
			whole = false
		}
	}
	return whole
}
