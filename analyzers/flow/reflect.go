package flow

import "slices"

// methodByName gives the method that reflection picks: of a value of the program the one of that name, or where the name is not known any that others
// may call.
func (e *engine) methodByName(c *callSite, st *state, name *Term) ([]outcome, bool) {
	if c.recv == nil {
		return nil, false
	}
	var found []*Term
	for _, of := range c.recv.Alternatives() {
		t := of.Decl
		obj := e.contents(st, of)
		if of.Kind != TRef || obj == nil {
			return nil, false
		}
		if obj.class != nil {
			t = obj.class.Decl
		}
		if t == nil {
			return nil, false
		}
		text, known := name.Text()
		for _, m := range t.Members {
			if m.Func == 0 || !exportedInGo(m.Name) || known && m.Name != text {
				continue
			}
			if f := e.load(st, of, m.Name, nil); f.Kind == TClosure && !slices.Contains(found, f) {
				found = append(found, f)
			}
		}
	}
	if len(found) == 0 {
		return nil, false
	}
	return one(st, e.bigUnion(found)), true
}

// functionField gives the function in the field that reflection picks. What else a field holds is not of interest here.
func (e *engine) functionField(c *callSite, st *state, name *Term) ([]outcome, bool) {
	text, known := name.Text()
	if !known || c.recv == nil || c.recv.Kind != TRef {
		return nil, false
	}
	f := e.load(st, c.recv, text, nil)
	if !e.isFunction(f) {
		return nil, false
	}
	return one(st, f), true
}

// isFunction reports whether a value is a function of the program, or one of a library of which rows say what it does.
func (e *engine) isFunction(f *Term) bool {
	return f.Kind == TClosure || f.Kind == TSymbol && e.acts(f.Sym)
}

// keepCode notes a function, or an object with functions, that a collection of the language's library is given: it is a table of the program. What else
// such a collection holds is a record. It never answers for the call.
func (e *engine) keepCode(c *callSite, st *state, value *Term) bool {
	if c.recv == nil || c.recv.Kind != TRef || !e.isCode(st, value, 0) {
		return false
	}
	if obj := e.contents(st, c.recv); obj != nil {
		if old := obj.get(heldMember); old != nil {
			value = e.union(old, value)
		}
	}
	e.store(c.a, st, c.recv, heldMember, value)
	return false
}

// keptCode gives what keepCode noted, and whether something is there.
func (e *engine) keptCode(c *callSite, st *state) ([]outcome, bool) {
	if c.recv == nil || c.recv.Kind != TRef {
		return nil, false
	}
	obj := e.contents(st, c.recv)
	if obj == nil || obj.get(heldMember) == nil {
		return nil, false
	}
	return one(st, e.tuple(obj.get(heldMember), e.unknown("found", e.site(c.a.fn, c.id)))), true
}
