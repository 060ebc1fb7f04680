package rules

import (
	"fmt"
	"slices"

	"github.com/retrysafe/retrysafe/analyzers/lazyregexp"
	"github.com/retrysafe/retrysafe/analyzers/model"
)

var inertMarker = &Rule{
	Name: "inert-marker", Title: "A marker promises protection and nothing reads it",
	Severity: Low, CWE: 684, Family: KeyFamily, Since: "0.1.0", NeedsProgram: true,
	Text: "A decorator such as `@Idempotent()`, an option, or a field `Idempotent: true` says that repeats are safe. It only notes that down, and nothing in the program " +
		"looks the note up: the handler runs as it would without it.\n\nIt is fine when the marker comes from a dependency, which may read it itself, when it wraps what it stands on, or when an interceptor reads it.",
	Fix:   "Read the marker in an interceptor that claims the key, or delete it.",
	Check: checkInertMarker,
}

var markerName = lazyregexp.New(`(?i)idempot|retry_?safe|exactly_?once|at_?most_?once|dedup|replay_?protect`)

func checkInertMarker(p *Pass) {
	checkInertFields(p)
	m := newMarkers(p.Options.Units)
	for _, u := range p.Options.Units {
		for _, f := range u.Funcs {
			for i := range f.Ops {
				op := &f.Ops[i]
				if op.Kind != model.DecoratorCall || len(op.Args) == 0 {
					continue
				}
				name, fn := m.definition(u, f, op.Args[0])
				if fn == nil || !markerName.MatchString(name) {
					continue // another's marker, or one that promises nothing
				}
				if m.acts(fn) || m.isRead(fn) {
					continue
				}
				p.Report(Report{
					At: op.Span, Bound: name,
					Message: fmt.Sprintf("%s promises that a repeat is safe, and nothing in the program reads it", quote("@"+name)),
					Related: []Related{{fn.fn.Span, "the marker is defined here"}},
				})
			}
		}
	}
}

// markers finds what decorators do, in the text of the program alone.
type markers struct {
	units map[string]*model.Unit
	// uses counts the functions in which a text or a variable of the program occurs.
	texts   map[string]int
	globals map[globalRef]int
}

type globalRef struct {
	unit string
	ref  int32
}

// defined is a function with the unit that it stands in.
type defined struct {
	unit *model.Unit
	fn   *model.Func
}

func newMarkers(units []*model.Unit) *markers {
	m := &markers{units: map[string]*model.Unit{}, texts: map[string]int{}, globals: map[globalRef]int{}}
	for _, u := range units {
		m.units[u.Path] = u
		for _, f := range u.Funcs {
			texts, globals := mentions(u, f)
			for t := range texts {
				m.texts[t]++
			}
			for g := range globals {
				m.globals[g]++
			}
		}
	}
	return m
}

// mentions lists the texts and variables of a function.
func mentions(u *model.Unit, f *model.Func) (map[string]bool, map[globalRef]bool) {
	texts, globals := map[string]bool{}, map[globalRef]bool{}
	for i := range f.Ops {
		switch op := &f.Ops[i]; op.Kind {
		case model.Constant:
			if op.Const.Kind == model.String && op.Const.Text != "" {
				texts[op.Const.Text] = true
			}
		case model.LoadGlobal:
			unit := op.Name
			if unit == "" {
				unit = u.Path
			}
			globals[globalRef{unit, op.Ref}] = true
		}
	}
	return texts, globals
}

// definition finds the function of the program that a decorator is, or that makes it, and its name; nil for one from outside.
func (m *markers) definition(u *model.Unit, f *model.Func, id model.ID) (string, *defined) {
	for range 8 { // through the calls, conversions and variables that lead to a function
		if id < 0 || int(id) >= len(f.Ops) {
			return "", nil
		}
		op := &f.Ops[id]
		switch op.Kind {
		case model.Call, model.Convert, model.Await:
			if len(op.Args) == 0 {
				return "", nil
			}
			id = op.Args[0]
		case model.FuncRef:
			at := u
			if op.Name != "" {
				at = m.units[op.Name]
			}
			return named(at, int(op.Ref))
		case model.Closure:
			return named(u, int(op.Ref))
		case model.LoadGlobal:
			at := u
			if op.Name != "" {
				at = m.units[op.Name]
			}
			return m.global(at, op.Ref)
		case model.Load:
			if len(op.Args) == 0 || op.Name == "" || f.Ops[op.Args[0]].Kind != model.Module {
				return "", nil
			}
			return m.export(m.units[f.Ops[op.Args[0]].Name], op.Name)
		default:
			return "", nil
		}
	}
	return "", nil
}

func named(u *model.Unit, index int) (string, *defined) {
	if u == nil || index < 0 || index >= len(u.Funcs) {
		return "", nil
	}
	return u.Funcs[index].Name, &defined{u, u.Funcs[index]}
}

// global finds the function that a variable holds.
func (m *markers) global(u *model.Unit, ref int32) (string, *defined) {
	if u == nil || int(ref) >= len(u.Globals) || len(u.Funcs) == 0 {
		return "", nil
	}
	init := u.Funcs[0]
	for i := range init.Ops {
		op := &init.Ops[i]
		if op.Kind != model.StoreGlobal || op.Ref != ref || op.Name != "" && op.Name != u.Path || len(op.Args) == 0 {
			continue
		}
		switch v := &init.Ops[op.Args[0]]; v.Kind {
		case model.FuncRef, model.Closure:
			_, fn := named(u, int(v.Ref))
			return u.Globals[ref].Name, fn
		}
	}
	return "", nil
}

func (m *markers) export(u *model.Unit, name string) (string, *defined) {
	for range 4 {
		if u == nil {
			return "", nil
		}
		i := slices.IndexFunc(u.Exports, func(e model.Export) bool { return e.Name == name })
		if i < 0 {
			return "", nil
		}
		e := u.Exports[i]
		if e.Global > 0 {
			return m.global(u, int32(e.Global-1))
		}
		if e.From == "" {
			return "", nil
		}
		u, name = m.units[e.From], e.As
	}
	return "", nil
}

// family lists a function and those inside it.
func (d *defined) family() []*model.Func {
	out := []*model.Func{d.fn}
	for _, f := range d.unit.Funcs {
		for o := f; o.Outer > 0 && o.Outer-1 < len(d.unit.Funcs); {
			o = d.unit.Funcs[o.Outer-1]
			if o == d.fn {
				out = append(out, f)
				break
			}
			if o == f {
				break
			}
		}
	}
	return out
}

// acts reports whether a decorator replaces or wraps what it stands on.
func (m *markers) acts(d *defined) bool {
	for _, f := range d.family() {
		for i := range f.Ops {
			op := &f.Ops[i]
			if op.Kind == model.Store && (op.Name == "value" || op.Name == "get" || op.Name == "prototype") {
				return true
			}
			if op.Kind == model.Load && (op.Name == "apply" || op.Name == "value") {
				return true
			}
		}
	}
	return false
}

// isRead reports whether what a decorator notes down is mentioned anywhere else in the program: its metadata key or a variable of its own.
func (m *markers) isRead(d *defined) bool {
	texts, globals := map[string]int{}, map[globalRef]int{}
	for _, f := range d.family() {
		ts, gs := mentions(d.unit, f)
		for t := range ts {
			texts[t]++
		}
		for g := range gs {
			globals[g]++
		}
	}
	for t, n := range texts {
		if m.texts[t] > n {
			return true
		}
	}
	for g, n := range globals {
		if m.globals[g] > n {
			return true
		}
	}
	return false
}
