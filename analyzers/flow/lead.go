package flow

import (
	"strings"

	"github.com/retrysafe/retrysafe/analyzers/model"
)

// leading finds the units in which something leads to a call of one of the given names: the call itself, or a mention of a function that
// leads to one. What else a program initialises matters less, and is evaluated last.
func (p *Program) leading(names []string) map[*Unit]bool {
	hot := map[string]bool{}
	for _, n := range names {
		hot[n] = true
	}
	units := map[*Unit]bool{}
	for f := range p.mentioned().leadingTo(p, func(f *Function) bool { return calls(f, hot) }) {
		units[f.Unit] = true
	}
	return units
}

// calls reports whether a function calls, or hands on, a member of one of some names. Of names that much else has too, a call counts that is handed what
// may be a handler.
func calls(f *Function, names map[string]bool) bool {
	called := map[model.ID]*model.Op{}
	for i := range f.Ops {
		op := &f.Ops[i]
		if (op.Kind == model.Call || op.Kind == model.Spawn) && len(op.Args) > 0 && op.Args[0] >= 0 {
			called[op.Args[0]] = op
		}
	}
	for i := range f.Ops {
		op := &f.Ops[i]
		if op.Kind != model.Load || !names[op.Name] {
			continue
		}
		call := called[model.ID(i)]
		if !commonVerbs[op.Name] || call != nil && takesFunction(f, call) {
			return true
		}
	}
	return false
}

// mentions says which functions of a program mention which: by their name, or by themselves.
type mentions struct {
	byName map[string][]*Function    // the functions that mention a name
	users  map[*Function][]*Function // the functions that refer to a function by itself
}

// mentioned lists what the functions of a program mention. The cost is linear in the number of operations.
func (p *Program) mentioned() *mentions {
	m := &mentions{byName: map[string][]*Function{}, users: map[*Function][]*Function{}}
	mention := func(f *Function, name string) {
		if users := m.byName[name]; len(users) == 0 || users[len(users)-1] != f {
			m.byName[name] = append(users, f)
		}
	}
	for _, u := range p.units {
		for _, f := range u.funcs {
			for i := range f.Ops {
				op := &f.Ops[i]
				switch op.Kind {
				case model.Load:
					if op.Name == "" {
						continue
					}
					name := op.Name
					if of := op.Args[0]; name == "default" && of >= 0 && f.Ops[of].Kind == model.Module {
						name = defaultOf(f.Ops[of].Name)
					}
					mention(f, name)
				case model.LoadGlobal:
					if g := p.globalOf(u, op); g != "" {
						mention(f, g)
					}
				case model.FuncRef, model.Closure:
					if g := p.referred(u, op); g != nil {
						m.users[g] = append(m.users[g], f)
					}
				}
			}
		}
	}
	return m
}

// leadingTo finds the functions that are, or mention what leads to, one of those that are picked. Mentions are compared by name alone, across units, so
// the answer holds too many functions rather than too few.
func (m *mentions) leadingTo(p *Program, picked func(*Function) bool) map[*Function]bool {
	lead := map[*Function]bool{}
	var work []*Function
	mark := func(f *Function) {
		if !lead[f] {
			lead[f] = true
			work = append(work, f)
		}
	}
	for _, u := range p.units {
		for _, f := range u.funcs {
			if picked(f) {
				mark(f)
			}
		}
	}
	told := map[string]bool{}
	tell := func(name string) {
		if name == "" || told[name] || commonVerbs[name] {
			return
		}
		told[name] = true
		for _, f := range m.byName[name] {
			mark(f)
		}
	}
	for len(work) > 0 {
		f := work[len(work)-1]
		work = work[:len(work)-1]
		for _, user := range m.users[f] {
			mark(user)
		}
		if f.Type > 0 && f.Type <= len(f.Unit.types) {
			tell(f.Unit.types[f.Type-1].Name)
			if name := lastName(f.Name); name != "constructor" {
				tell(name)
			}
			continue
		}
		root, _, _ := strings.Cut(f.Name, ".")
		if f.Unit.declares(root) {
			tell(root)
		}
		for name, list := range f.Unit.exports {
			for _, x := range list {
				if g := x.Global - 1; g < 0 || g >= len(f.Unit.Globals) || f.Unit.Globals[g].Name != root {
					continue
				}
				if name == "default" {
					name = defaultOf(f.Unit.Path)
				}
				tell(name)
			}
		}
	}
	return lead
}

// Leads reports whether anything in the unit at a path leads to a call of one of the given names: whether an analysis can find a tool or a
// route that it registers.
func Leads(units []*model.Unit, class Classifier, path string, names []string) bool {
	p := NewProgram(units, class)
	return p.leading(names)[p.byPath[path]]
}

// defaultOf stands for the default export of a unit, whose importers call it as they like.
func defaultOf(unit string) string { return "default of " + unit }

// referred gives the function that a FuncRef or Closure operation of a unit names.
func (p *Program) referred(u *Unit, op *model.Op) *Function {
	if op.Kind == model.FuncRef && op.Name != "" {
		if u = p.byPath[op.Name]; u == nil {
			return nil
		}
	}
	if op.Ref < 0 || int(op.Ref) >= len(u.funcs) {
		return nil
	}
	return u.funcs[op.Ref]
}

// globalOf names the module variable that an operation reads.
func (p *Program) globalOf(u *Unit, op *model.Op) string {
	if op.Name != "" {
		if v := p.byPath[op.Name]; v != nil {
			u = v
		}
	}
	if op.Ref < 0 || int(op.Ref) >= len(u.Globals) {
		return ""
	}
	return u.Globals[op.Ref].Name
}

// declares reports whether a unit has a module variable or function of a name.
func (u *Unit) declares(name string) bool {
	for i := range u.Globals {
		if u.Globals[i].Name == name {
			return true
		}
	}
	for _, f := range u.funcs {
		if f.Name == name {
			return true
		}
	}
	return false
}
