package flow

import (
	"slices"
	"strconv"
	"strings"

	"github.com/retrysafe/retrysafe/analyzers/model"
)

// A library calls methods of the program's own objects where no call of them is written: Write of what is printed to, String of what is printed, Less of what is
// sorted. Rows say which, and of which of the values that a call is given. A value that another library wraps (a buffered writer, an encoder) leads to what is in it.

const (
	maxWithin = 4 // how deep objects are looked for in what holds them
	maxHidden = 3 // such calls within each other
	maxRuns   = 8 // objects of one call whose methods are followed
)

// runHidden calls the methods that a call outside the program calls by its rows.
func (e *engine) runHidden(c *callSite, st *state, rows []*model.Row) {
	for _, r := range rows {
		for i := range r.Runs {
			e.runEach(c, st, &r.Runs[i])
		}
	}
}

func (e *engine) runEach(c *callSite, st *state, run *model.Run) {
	if e.hidden >= maxHidden {
		return // a method that prints its own object
	}
	acc := &accessor{e: e, st: st, recv: c.recv, args: c.args, rest: c.rest, name: c.name, fn: c.a.fn}
	var found []*Term
	for _, path := range e.paths(run.Of) {
		if v, _ := acc.path(path); v != nil {
			found = e.objectsIn(st, v, found, 0)
		}
	}
	e.hidden++
	outer := e.through
	defer func() { e.hidden, e.through = e.hidden-1, outer }()
	for _, obj := range found {
		for _, name := range run.Methods {
			if run.Through {
				e.through = name
			}
			for _, fn := range e.methodOf(st, obj, name) {
				e.behind(c.a, st, c.op, c.id, fn, obj, e.givenToMethod(fn))
			}
		}
	}
	for i, v := range c.args {
		if !covers(run.Of, i) {
			continue
		}
		for _, name := range run.Methods {
			if fn := e.methodOfType(c, i, v, name); fn != nil && !slices.Contains(found, v) {
				e.behind(c.a, st, c.op, c.id, fn, v, e.givenToMethod(fn))
			}
		}
	}
}

// covers reports whether an access names an argument by its number, or all from a number on.
func covers(of model.Access, i int) bool {
	inside, ok := strings.CutPrefix(string(of), "Argument[")
	if inside, ok = strings.CutSuffix(inside, "]"); !ok || strings.Contains(inside, "]") {
		return false
	}
	from, all := strings.CutSuffix(inside, "..")
	n, err := strconv.Atoi(from)
	return err == nil && (i == n || all && i > n)
}

// givenToMethod gives what a library hands to a method: nothing is known of it but its type.
func (e *engine) givenToMethod(fn *Term) []*Term {
	args := make([]*Term, len(fn.Fn.Params))
	for i := range args {
		p := &fn.Fn.Params[i]
		args[i] = e.ofType(p.Type, p.Name, e.site(fn.Fn, model.ID(-2-i)))
	}
	return args
}

// objectsIn lists the objects of the program in a value: itself, what it holds, and what made it was given.
func (e *engine) objectsIn(st *state, v *Term, found []*Term, depth int) []*Term {
	if v == nil || depth > maxWithin || len(found) >= maxRuns {
		return found
	}
	add := func(t *Term) {
		if !slices.Contains(found, t) {
			found = append(found, t)
		}
	}
	switch v.Kind {
	case TUnion, TArray, TCast:
		for _, t := range v.Args {
			found = e.objectsIn(st, t, found, depth+1)
		}
	case TObject:
		add(v)
		for _, t := range v.Args {
			found = e.objectsIn(st, t, found, depth+1)
		}
	case TCall:
		for _, t := range v.Args {
			found = e.objectsIn(st, t, found, depth+1)
		}
	case TRef:
		obj := e.contents(st, v)
		if obj == nil {
			return found
		}
		if obj.kind == instanceObject || obj.kind == plainObject {
			add(v)
		}
		obj.each(func(t *Term) { found = e.objectsIn(st, t, found, depth+1) })
	}
	return found
}

// methodOfType gives the method of a name that an argument has by its declared type, where the value does not tell the type: a slice, a number or a function
// of a type of the program. What it stands for is the argument itself.
func (e *engine) methodOfType(c *callSite, i int, v *Term, name string) *Term {
	if c.a.fn.Unit.Language != model.Go || i < 0 || i >= len(c.from) || c.from[i] < 0 {
		return nil
	}
	op := &c.a.fn.Ops[c.from[i]]
	for n := 0; op.Kind == model.Convert && op.Type == nil && len(op.Args) > 0 && op.Args[0] >= 0 && n < maxTermDepth; n++ {
		op = &c.a.fn.Ops[op.Args[0]]
	}
	if op.Kind == model.Alloc {
		if held := c.a.fn.holds(c.from[i]); held != nil {
			op = held // a pointer to a variable
		}
	}
	t := e.p.declared(op.Type)
	if t == nil {
		return nil
	}
	m := e.p.memberOf(t, name, 0)
	if m == nil || m.Kind != model.MethodMember || m.Func <= 0 || m.Func >= len(t.Unit.funcs) {
		return nil
	}
	return e.intern(Term{Kind: TClosure, Fn: t.Unit.funcs[m.Func], This: v})
}

// holds gives the operation whose value a variable is first given, nil for none.
func (f *Function) holds(cell model.ID) *model.Op {
	for i := range f.Ops {
		if op := &f.Ops[i]; op.Kind == model.Store && op.Name == "" && len(op.Args) == 2 && op.Args[0] == cell && op.Args[1] >= 0 {
			return &f.Ops[op.Args[1]]
		}
	}
	return nil
}

// methodOf lists the methods of a name that an object has.
func (e *engine) methodOf(st *state, obj *Term, name string) []*Term {
	switch obj.Kind {
	case TObject:
		if name == "*" {
			return codeOf(e.bigUnion(obj.Args))
		}
		v, _ := obj.Field(name)
		return codeOf(v)
	case TRef:
		if o := e.contents(st, obj); name == "*" && o != nil {
			var held []*Term
			o.each(func(t *Term) { held = append(held, codeOf(t)...) })
			return held
		}
		return codeOf(e.ownMethod(st, obj, name))
	}
	return nil
}

// ownMethod gives what an object of the program holds under a name, or its class, nil for nothing. What its fields may hold is not asked: that would follow
// other functions of the program for the sake of a method that it most often does not have.
func (e *engine) ownMethod(st *state, ref *Term, name string) *Term {
	obj := e.contents(st, ref)
	switch {
	case ref.Kind != TRef || obj == nil:
		return nil
	case obj.kind == plainObject:
		return obj.get(name)
	case obj.kind != instanceObject:
		return nil
	}
	if v := obj.get(name); v != nil {
		return v
	}
	if m := e.classMember(ref, obj.class, name, 0); m != nil || obj.class == nil || obj.class.Decl == nil || obj.class.Decl.Unit.Language != model.Go {
		return m
	}
	return e.promoted(st, obj, name, nil)
}

// assignedEach calls the setters that copying the members of an object to another one runs.
func (e *engine) assignedEach(c *callSite, st *state, target, from *Term) {
	for _, alt := range from.Alternatives() {
		obj := e.contents(st, alt)
		if alt.Kind != TRef || obj == nil || obj.kind != plainObject {
			continue
		}
		e.getters(c, st, alt)
		for i, key := range obj.keys {
			e.assigned(c.a, st, c.op, c.id, target, key, obj.vals[i])
		}
	}
}

// getters calls the getters that an object literal has, where all its members are read.
func (e *engine) getters(c *callSite, st *state, of *Term) {
	if of.Kind != TRef {
		return
	}
	if obj := e.contents(st, of); obj != nil && obj.kind == plainObject {
		for _, v := range obj.vals {
			if v.Kind == TOp && v.Name == "getter" {
				e.behind(c.a, st, c.op, c.id, v.Args[0], of, nil)
			}
		}
	}
}

// walkedArgument calls what gives the iterator of an argument that a built-in walks.
func (e *engine) walkedArgument(c *callSite, st *state, seq *Term) { e.walked(c.a, st, c.id, seq) }
