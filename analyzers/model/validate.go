package model

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
)

// Defect is a rule of the model that a unit breaks, and where.
type Defect struct {
	Unit  string
	Func  string  // name of the function; meaningless where InFunc is false
	Block BlockID // NoBlock where no block is meant
	Op    ID      // None where no operation is meant
	Span  Span    // of the operation, the block or the declaration, where known
	What  string

	InFunc bool
}

// Error gives "file:line:col: unit, function, block, operation: what".
func (d *Defect) Error() string {
	var b strings.Builder
	if d.Span.IsValid() {
		fmt.Fprintf(&b, "%v: ", d.Span)
	}
	fmt.Fprintf(&b, "unit %q", d.Unit)
	if d.InFunc {
		fmt.Fprintf(&b, ", func %q", d.Func)
	}
	if d.Block != NoBlock {
		fmt.Fprintf(&b, ", b%d", d.Block)
	}
	if d.Op != None {
		fmt.Fprintf(&b, ", v%d", d.Op)
	}
	return b.String() + ": " + d.What
}

// Validate checks that a unit keeps the rules of the model, which every reader
// relies on. The error joins one *Defect for each breach; nil means that the unit is sound.
//
// Beyond the comments of the types, the rules are these:
//   - every operation is in exactly one block; a block may be out of reach, and then order is not asked of what it uses
//   - the entry has no predecessors and handles nothing
//   - Phi operations come first, with one value for each edge in the order of Preds; a handler
//     has no Phi, because an exception may leave a block at any operation
//   - a Catch is the first operation of a block that exceptions alone lead to
//   - an operation's values are defined before it on every path; what a block defines is not defined in its handler
//   - None stands only for a hole of an Array, an omitted argument, a bare Yield and the absent base of a Class
//   - a part without computed key has KeyID None, in calls and arrays too
//
// References into other units are not followed, see ValidateProgram.
func Validate(u *Unit) error {
	v := &validator{unit: u}
	v.checkUnit()
	return errors.Join(v.defects...)
}

// ValidateProgram validates each unit, and what units refer to in each other: functions,
// variables, modules and re-exports. A type may name what is not there, nothing relies on it.
func ValidateProgram(units []*Unit) error {
	byPath := make(map[string]*Unit, len(units))
	var all []error
	for _, u := range units {
		v := &validator{unit: u}
		if byPath[u.Path] != nil {
			v.fault(Span{}, "another unit has the same path")
		}
		byPath[u.Path] = u
		v.checkUnit()
		all = append(all, v.defects...)
	}
	for _, u := range units {
		v := &validator{unit: u}
		v.checkLinks(byPath)
		all = append(all, v.defects...)
	}
	return errors.Join(all...)
}

type validator struct {
	unit    *Unit
	defects []error
	// endless is set by the first type that does not end. One that holds itself twice
	// would be walked for ever, so that no type is looked at any more.
	endless bool
	// within is the function that is being checked, or nil.
	within *funcValidator
}

// fault adds a defect. One within a function is where the function's check has arrived,
// and has the place of that unless it has its own.
func (v *validator) fault(span Span, format string, args ...any) {
	d := &Defect{Unit: v.unit.Path, Block: NoBlock, Op: None, Span: span, What: fmt.Sprintf(format, args...)}
	if c := v.within; c != nil {
		d.Func, d.InFunc, d.Block, d.Op = c.f.Name, true, c.block, c.op
		if !span.IsValid() {
			d.Span = c.place()
		}
	}
	v.defects = append(v.defects, d)
}

// enter begins the check of a function; the result ends it.
func (v *validator) enter(f *Func) (*funcValidator, func()) {
	c := &funcValidator{validator: v, f: f, block: NoBlock, op: None}
	v.within = c
	return c, func() { v.within = nil }
}

func (v *validator) checkUnit() {
	u := v.unit
	if u.Path == "" {
		v.fault(Span{}, "a unit needs a path")
	}
	switch u.Language {
	case TypeScript, JavaScript, Go:
	default:
		v.fault(Span{}, "language %q does not exist", u.Language)
	}
	if !increasing(u.Files) {
		v.fault(Span{}, "files are not sorted, or one is there twice")
	}
	for i := range u.Notes {
		v.span(u.Notes[i].Span, "note")
		if i > 0 && u.Notes[i-1].Span.Compare(u.Notes[i].Span) > 0 {
			v.fault(u.Notes[i].Span, "notes are not sorted by place")
		}
	}
	for i, g := range u.Globals {
		if g == nil {
			v.fault(Span{}, "global %d is nil", i)
			continue
		}
		v.span(g.Span, "global "+g.Name)
		v.typeRef(g.Type, g.Span, 0)
	}
	v.checkTypes()
	v.checkExports()
	v.checkFuncs()
}

func increasing(names []string) bool {
	for i := range names {
		if i > 0 && names[i-1] >= names[i] {
			return false
		}
	}
	return true
}

// span checks a place: nothing at all, or a range in a file of the unit that does not end before it begins.
func (v *validator) span(s Span, what string) {
	if s == (Span{}) {
		return
	}
	switch {
	case s.Line < 1 || s.Col < 1 || s.EndLine < 1 || s.EndCol < 1 || s.Offset < 0:
		v.fault(s, "%s: a line, column or offset is too small", what)
	case cmp.Or(cmp.Compare(s.EndLine, s.Line), cmp.Compare(s.EndCol, s.Col)) < 0 || s.EndOffset < s.Offset:
		v.fault(s, "%s: the span ends before it begins", what)
	case !fs.ValidPath(s.File) || s.File == ".":
		v.fault(s, "%s: %q is no relative path of a file", what, s.File)
	case len(v.unit.Files) > 0 && !slices.Contains(v.unit.Files, s.File):
		v.fault(s, "%s: %q is none of the unit's files", what, s.File)
	}
}

func (v *validator) hasFunc(i int) bool {
	return i >= 0 && i < len(v.unit.Funcs) && v.unit.Funcs[i] != nil
}

func (v *validator) checkTypes() {
	seen := map[string]bool{}
	for i, t := range v.unit.Types {
		if t == nil {
			v.fault(Span{}, "type %d is nil", i)
			continue
		}
		v.span(t.Span, "type "+t.Name)
		if t.Kind < ClassType || t.Kind > EnumType {
			v.fault(t.Span, "type %q is of no kind", t.Name)
		}
		if seen[t.Name] {
			v.fault(t.Span, "type %q is there twice", t.Name)
		}
		seen[t.Name] = true
		if t.Underlying != nil && t.Kind != AliasType {
			v.fault(t.Span, "type %q is no alias, yet has an underlying type", t.Name)
		}
		for _, list := range [][]*TypeRef{t.Extends, t.Implements, {t.Underlying}} {
			for _, ref := range list {
				v.typeRef(ref, t.Span, 0)
			}
		}
		for _, f := range []int{t.Ctor, t.FieldInit, t.StaticInit} {
			if f != 0 && !v.hasFunc(f) {
				v.fault(t.Span, "type %q: function %d does not exist", t.Name, f)
			}
		}
		v.members(t.Members, t.Span, 0)
		v.captures(t)
	}
}

func (v *validator) members(list []Member, at Span, depth int) {
	for i := range list {
		m := &list[i]
		v.span(m.Span, "member "+m.Name)
		if m.Kind < FieldMember || m.Kind > SetterMember {
			v.fault(at, "member %q is of no kind", m.Name)
		}
		if depth == 0 && i > 0 && list[i-1].Name > m.Name {
			v.fault(at, "members are not sorted: %q", m.Name)
		}
		if m.Func != 0 && !v.hasFunc(m.Func) {
			v.fault(at, "member %q: function %d does not exist", m.Name, m.Func)
		}
		v.typeRef(m.Type, at, depth)
	}
}

// methods lists the functions of a class that exist.
func (v *validator) methods(t *TypeDecl) []*Func {
	var list []*Func
	add := func(i int) {
		if i != 0 && v.hasFunc(i) {
			list = append(list, v.unit.Funcs[i])
		}
	}
	add(t.Ctor)
	add(t.FieldInit)
	add(t.StaticInit)
	for i := range t.Members {
		add(t.Members[i].Func)
	}
	return list
}

func (v *validator) captures(t *TypeDecl) {
	methods := v.methods(t)
	for _, f := range methods {
		if !slices.Equal(f.FreeVars, methods[0].FreeVars) {
			v.fault(t.Span, "methods of type %q capture different variables: %q %v, %q %v",
				t.Name, methods[0].Name, methods[0].FreeVars, f.Name, f.FreeVars)
		}
	}
}

func (v *validator) typeRef(t *TypeRef, at Span, depth int) {
	if t == nil || v.endless {
		return
	}
	if depth > maxTypeDepth {
		v.endless = true
		v.fault(at, "a type is nested deeper than %d, or holds itself", maxTypeDepth)
		return
	}
	shapes := 0
	for _, is := range []bool{t.External != "", t.Unit != "", len(t.Members) > 0, len(t.Union) > 0, t.Literal != ""} {
		if is {
			shapes++
		}
	}
	named := t.External != "" || t.Unit != ""
	if shapes > 1 || t.Name != "" && shapes > 0 && !named {
		v.fault(at, "a type is more than one of external, of a unit, builtin, members, union and literal")
	}
	if named && t.Name == "" {
		v.fault(at, "a type of %q has no name", t.External+t.Unit)
	}
	for _, list := range [][]*TypeRef{t.Args, t.Union} {
		for _, a := range list {
			if a == nil {
				v.fault(at, "a type has a nil argument or alternative")
			}
			v.typeRef(a, at, depth+1)
		}
	}
	v.members(t.Members, at, depth+1)
}

func (v *validator) checkExports() {
	u := v.unit
	seen := map[string]bool{}
	for i := range u.Exports {
		e := &u.Exports[i]
		targets := 0
		for _, is := range []bool{e.Global != 0, e.From != "", e.Extern != ""} {
			if is {
				targets++
			}
		}
		star := e.Name == "*"
		switch {
		case targets != 1:
			v.fault(Span{}, "export %q has %d targets, not one", e.Name, targets)
		case e.Global != 0 && (e.Global < 0 || e.Global > len(u.Globals)):
			v.fault(Span{}, "export %q: global %d does not exist", e.Name, e.Global-1)
		case e.Global != 0 && (star || e.As != ""):
			v.fault(Span{}, "export %q: a variable is exported under one name", e.Name)
		case !star && e.Global == 0 && e.As == "":
			v.fault(Span{}, "export %q does not say what it re-exports", e.Name)
		case e.Name == "":
			v.fault(Span{}, "an export has no name")
		case !star && seen[e.Name]:
			v.fault(Span{}, "export %q is there twice", e.Name)
		}
		seen[e.Name] = true
		if i > 0 {
			before := u.Exports[i-1].Name
			if before == "*" && !star || !star && before > e.Name {
				v.fault(Span{}, "exports are not sorted: %q after %q", e.Name, before)
			}
		}
	}
}

func (v *validator) checkFuncs() {
	u := v.unit
	if len(u.Funcs) == 0 {
		v.fault(Span{}, "a unit needs an initialiser")
	}
	seen := map[string]bool{}
	for i, f := range u.Funcs {
		if f == nil {
			v.fault(Span{}, "function %d is nil", i)
			continue
		}
		c, leave := v.enter(f)
		switch {
		case f.Index != i:
			c.fault("index is %d at position %d", f.Index, i)
		case i == 0 && f.Name != "":
			c.fault("the initialiser has a name")
		case seen[f.Name]:
			c.fault("the name is there twice")
		}
		seen[f.Name] = true
		c.check()
		leave()
	}
	v.outer()
}

// outer checks that functions lie within each other without a circle.
func (v *validator) outer() {
	funcs := v.unit.Funcs
	depth := make([]int, len(funcs)) // 1 while under way, 2 when known to end
	for i := range funcs {
		var way []int
		for at := i; v.hasFunc(at) && depth[at] == 0; at = funcs[at].Outer - 1 {
			depth[at] = 1
			way = append(way, at)
			if next := funcs[at].Outer - 1; v.hasFunc(next) && depth[next] == 1 {
				c, leave := v.enter(funcs[at])
				c.fault("the function lies within itself")
				leave()
			}
		}
		for _, at := range way {
			depth[at] = 2
		}
	}
}

func (v *validator) checkLinks(units map[string]*Unit) {
	u := v.unit
	for _, path := range u.Imports {
		if units[path] == nil {
			v.fault(Span{}, "import %q is no unit", path)
		}
	}
	for i := range u.Exports {
		if e := &u.Exports[i]; e.From != "" && units[e.From] == nil {
			v.fault(Span{}, "export %q: %q is no unit", e.Name, e.From)
		}
	}
	for _, f := range u.Funcs {
		if f == nil {
			continue
		}
		c, leave := v.enter(f)
		for id := range f.Ops {
			c.op = ID(id)
			c.link(&f.Ops[id], units)
		}
		leave()
	}
}
