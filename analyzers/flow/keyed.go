package flow

import (
	"slices"

	"github.com/retrysafe/retrysafe/analyzers/model"
)

// A map or object of the process whose members are read and written under computed keys is a store of records, as a collection with methods is: `seen[id]`
// asks it, `seen[id] = x` stores into it, and delete takes an entry out. Rows over these symbols say what each does. A table that was filled before the
// program served anybody is none, nor is one that holds functions, nor one that no function of the program stores into under a computed key.

// The symbols by which the catalog speaks of them, after "go#" or "js#".
const (
	keyedGet    = "keyed.get"
	keyedHas    = "keyed.has"
	keyedSet    = "keyed.set"
	keyedDelete = "keyed.delete"
)

// keyedOp records that an operation of a function reads, writes or removes the member of a store of the process under a computed key, and gives the call
// that stands for it; nil where the target is no such store.
func (e *engine) keyedOp(a *activation, st *state, op *model.Op, id model.ID, what string, target model.ID, args ...*Term) *Call {
	if !e.p.keyedStore(a.fn, target) || !operationKey(args[0]) {
		return nil
	}
	var recv *Term // of several that take each other's place, the first one stands for all
	for _, alt := range e.value(st, target).Alternatives() {
		if e.keepsRecords(st, alt) && (recv == nil || alt.id < recv.id) {
			recv = alt
		}
	}
	if recv == nil {
		return nil
	}
	sym := "js#" + what
	if a.fn.Unit.Language == model.Go {
		sym = "go#" + what
	}
	rows := e.rowsOf(sym)
	if len(rows) == 0 {
		return nil
	}
	c := &callSite{a: a, op: op, id: id, recv: recv, name: lastName(what), args: args, inner: true}
	call := e.makeCall(c, st, e.symbol(sym), "", rows, false) // what it gives is of no library's type
	call.Symbol = sym
	e.addStep(a, id, call, nil, st.facts, op.Span, call.Callee)
	st.facts = pushFact(st.facts, fact{call: call})
	a.sum.interesting = true
	return call
}

// keyedLoad gives what a store of the process holds under a key that is not constant, nil where the target is no store.
func (e *engine) keyedLoad(a *activation, st *state, op *model.Op, id model.ID, key *Term) *Term {
	call := e.keyedOp(a, st, op, id, keyedGet, op.Args[0], key)
	if call == nil || e.holdsAnything(op.Type) {
		return nil
	}
	if sym := e.p.symbolOf(op.Type); sym != "" && op.Type.External != "" {
		return e.intern(Term{Kind: TCast, Args: []*Term{call.Result}, Sym: sym})
	}
	if call.Result.Type == nil {
		call.Result.Type = op.Type
	}
	return call.Result
}

// mayMiss reports whether a condition asks a table of constants of the program for a key that is not known: the table need not have it, although what it
// holds is all that is known of the value.
func (e *engine) mayMiss(a *activation, st *state, id model.ID) bool {
	if a.fn.Unit.Language == model.Go {
		return false // an absent key gives a zero value, and is asked for by name
	}
	for id >= 0 {
		op := &a.fn.Ops[id]
		switch {
		case op.Kind == model.Unary && op.Name == "!" || op.Kind == model.Convert:
			id = op.Args[0]
			continue
		case op.Kind != model.Load || len(op.Args) != 2 || op.Name != "" || !operationKey(e.value(st, op.Args[1])):
			return false
		}
		for _, alt := range e.value(st, id).Alternatives() {
			if alt.Kind != TConst {
				return false
			}
		}
		return slices.ContainsFunc(e.value(st, op.Args[0]).Alternatives(), func(t *Term) bool {
			obj := e.contents(st, t)
			return obj != nil && obj.kind == plainObject
		})
	}
	return false
}

// holdsAnything reports whether what is declared of a type leaves open what there is in its values, functions among it: it is told by what the program
// puts there.
func (e *engine) holdsAnything(typ *model.TypeRef) bool {
	t := e.p.declared(typ)
	if t == nil || t.Kind != model.ClassType {
		return false
	}
	for i := range t.Members {
		m := &t.Members[i]
		if m.Kind != model.FieldMember {
			continue
		}
		if d := e.p.declared(m.Type); m.Type == nil || m.Type.Name == "Function" || m.Type.Name == "any" || d != nil && d.Kind == model.InterfaceType {
			return true
		}
	}
	return false
}

// keyedIn tells whether a key is in a store of the process, nil where what is asked is no store. In Go it is the second result of an element, so what was read
// there tells it.
func (e *engine) keyedIn(a *activation, st *state, op *model.Op, id model.ID) *Term {
	if op.Name != "in" || len(op.Args) < 2 {
		return nil
	}
	if a.fn.Unit.Language != model.Go {
		if call := e.keyedOp(a, st, op, id, keyedHas, op.Args[1], e.value(st, op.Args[0])); call != nil {
			return call.Result
		}
		return nil
	}
	for i := id - 1; i >= 0 && i > id-4; i-- {
		read := &a.fn.Ops[i]
		if read.Kind != model.Load || len(read.Args) != 2 || read.Args[0] != op.Args[1] || read.Args[1] != op.Args[0] {
			continue
		}
		if c := e.keyedOp(a, st, read, i, keyedGet, read.Args[0], e.value(st, read.Args[1])); c != nil {
			return e.intern(Term{Kind: TOp, Name: "!=", Args: []*Term{c.Result, e.null}})
		}
	}
	return nil
}

// operationKey reports whether a key may be another one on every call: it is neither constant nor a choice of constants.
func operationKey(key *Term) bool {
	for _, alt := range key.Alternatives() {
		if alt.Kind != TConst {
			return true
		}
	}
	return false
}

// keepsRecords reports whether a value is a map or object that outlives the entry, and was empty when the program got ready.
func (e *engine) keepsRecords(st *state, t *Term) bool {
	switch t.Kind {
	case TRef:
		obj := e.outlasting(t)
		if obj == nil || obj.kind != plainObject && obj.kind != mapObject || len(obj.keys) > 0 || obj.base != nil {
			return false
		}
		return obj.rest == nil || !e.isCode(st, obj.rest, 0)
	case TMember:
		// a field of an object of the program of which nobody is seen to make the map
		return t.Args[0].Kind == TRef && e.outlasting(t.Args[0]) != nil && t.Type != nil && (t.Type.Name == "Map" || t.Type.Name == "Record")
	}
	return false
}

// keyedStore reports whether somewhere in the program a member is stored under a computed key into what is called as the value of an operation is.
func (p *Program) keyedStore(f *Function, id model.ID) bool {
	return p.keyedStores[f.storeNamed(id)]
}

// noteKeyedStores notes what the function stores into under computed keys, unless it is what fills tables before the program serves.
func (p *Program) noteKeyedStores(f *Function) {
	if f.Index == 0 {
		return
	}
	for i := range f.Ops {
		if op := &f.Ops[i]; op.Kind == model.Store && op.Name == "" && len(op.Args) > 2 {
			if name := f.storeNamed(op.Args[0]); name != "" {
				p.keyedStores[name] = true
			}
		}
	}
}

// storeNamed gives the name of the variable or member that an operation reads, "" where it reads none.
func (f *Function) storeNamed(id model.ID) string {
	for range maxTermDepth {
		if id < 0 || int(id) >= len(f.Ops) {
			break
		}
		op := &f.Ops[id]
		switch op.Kind {
		case model.Load:
			if op.Name != "" {
				return op.Name
			}
			if len(op.Args) != 1 {
				return ""
			}
			id = op.Args[0]
		case model.Convert:
			id = op.Args[0]
		case model.FreeVar:
			if int(op.Ref) < len(f.FreeVars) {
				return f.FreeVars[op.Ref]
			}
			return ""
		case model.Alloc:
			return op.Name
		case model.LoadGlobal:
			if op.Name == "" && op.Ref >= 0 && int(op.Ref) < len(f.Unit.Globals) {
				return f.Unit.Globals[op.Ref].Name
			}
			return ""
		default:
			return ""
		}
	}
	return ""
}
