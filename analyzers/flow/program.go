package flow

import (
	"path"
	"sort"
	"strings"

	"github.com/retrysafe/retrysafe/analyzers/model"
)

// Classifier explains what lies outside the program.
type Classifier interface {
	// Rows gives what is known about a symbol, most specific first.
	Rows(symbol string) []*model.Row
	// HostRows gives what is known about an HTTP request: host in lower case, "" where it is not known, path with its leading slash, method in upper case.
	HostRows(host, path, method string) []*model.Row
	// GlobalType reports whether a type of that name, declared by nobody in the program, is one of the runtime that rows speak of.
	GlobalType(name string) bool
	// Told reports whether the user has a row about that symbol alone, its package being named in full. A function of the program of which
	// there is one is not followed: the row says what it does.
	Told(symbol string) bool
}

// Function is a function of the program with what the engine needs to walk it.
type Function struct {
	*model.Func
	Unit *Unit
	id   int32

	order     []int                    // position of each block in reverse postorder, -1 if unreachable
	heads     []bool                   // loop headers
	inLoop    []map[model.BlockID]bool // for a header, the blocks of its loop
	preds     [][]model.BlockID
	blockOf   map[*model.Block]model.BlockID
	ready     bool
	served    bool    // while a tool or route was evaluated
	entered   int     // activations on the stack
	latest    []*Term // the arguments of the innermost of them
	ctxs      int     // argument contexts evaluated so far in this epoch of the engine
	vain      int     // steps that its contexts took, in this epoch, without anything of interest,
	allVain   int     // and in all entries so far,
	rounds    int     // in so many contexts
	matters   bool    // there was one with something of interest
	epoch     int
	opBlock   []model.BlockID
	unused    []bool                // operations whose value nothing uses, once it was asked for
	met       []bool                // operations whose failure is taken in; nil until asked
	called    bool                  // evaluated at least once from inside the program
	fixed     []*Term               // of operations whose value never changes, as far as they were asked for
	hand      map[model.ID]handHash // the variables in which loops make hashes, once they were asked for
	handKnown bool
	told      string // the symbol by which a row of the user says what it does, "" for almost all
}

// Symbol names the function from outside the program: in Go by the path of its package, otherwise by that of its file from the root of what
// is scanned, "./src/pay#charge". It is "" for code that has no name there.
func (f *Function) Symbol() string {
	name := f.Name
	if f.Outer > 0 && f.Type == 0 || name == "" || strings.ContainsAny(name, "[] ") {
		return ""
	}
	if f.Unit.Language == model.Go {
		return f.Unit.Path + "#" + name
	}
	file := strings.TrimSuffix(f.Unit.Path, path.Ext(f.Unit.Path))
	return "./" + strings.TrimSuffix(file, "/index") + "#" + name
}

// Path gives the symbol path used in fingerprints: unit and function name.
func (f *Function) Path() string { return f.Unit.Path + "#" + f.Name }

// Type is a declared type of the program.
type Type struct {
	*model.TypeDecl
	Unit *Unit
	id   int32
}

// Unit is a unit of the program.
type Unit struct {
	*model.Unit
	funcs      []*Function
	types      []*Type
	typeByName map[string]*Type
	exports    map[string][]model.Export
	stars      []model.Export
	state      initState
}

type initState uint8

const (
	initPending initState = iota
	initRunning
	initDone
)

// Program is a set of units that know each other.
type Program struct {
	units  []*Unit
	byPath map[string]*Unit
	class  Classifier
	// version gives the version range of a package as seen from a unit, "" if unknown; may be nil.
	version func(unit, pkg string) string

	// implementers lists, for each in-program interface or class, the classes that name it as a base, transitively.
	implementers map[*Type][]*Type
	// classes lists all classes, for receivers of a structural interface type.
	classes []*Type
	// globalStores and fieldStores list stores outside initialisers, by variable and by field name.
	globalStores map[globalKey][]storeSite
	fieldStores  map[fieldKey][]storeSite
	// keyedStores names the variables and members into which something is stored under computed keys.
	keyedStores map[string]bool
	// assigned names the members that something is assigned to, of whatever object; what a literal gives them does not count.
	assigned map[string]bool
}

type globalKey struct {
	unit *Unit
	ref  int32
}

type fieldKey struct {
	typ  *Type
	name string
}

type storeSite struct {
	fn *Function
	op model.ID
}

// NewProgram joins units into a program. The order of units does not matter.
func NewProgram(units []*model.Unit, class Classifier) *Program {
	p := &Program{byPath: map[string]*Unit{}, class: class, implementers: map[*Type][]*Type{},
		globalStores: map[globalKey][]storeSite{}, fieldStores: map[fieldKey][]storeSite{}, keyedStores: map[string]bool{}, assigned: map[string]bool{}}
	sorted := append([]*model.Unit(nil), units...)
	sort.SliceStable(sorted, func(i, j int) bool { return sorted[i].Path < sorted[j].Path })
	var fnID, typeID int32
	for _, mu := range sorted {
		u := &Unit{Unit: mu, typeByName: map[string]*Type{}, exports: map[string][]model.Export{}}
		for _, f := range mu.Funcs {
			fnID++
			fn := &Function{Func: f, Unit: u, id: fnID}
			if sym := fn.Symbol(); sym != "" && class.Told(sym) {
				fn.told = sym
			}
			u.funcs = append(u.funcs, fn)
		}
		for _, t := range mu.Types {
			typeID++
			typ := &Type{TypeDecl: t, Unit: u, id: typeID}
			u.types = append(u.types, typ)
			u.typeByName[t.Name] = typ
			if t.Kind == model.ClassType {
				p.classes = append(p.classes, typ)
			}
		}
		for _, e := range mu.Exports {
			if e.Name == "*" {
				u.stars = append(u.stars, e)
			} else {
				u.exports[e.Name] = append(u.exports[e.Name], e)
			}
		}
		p.units = append(p.units, u)
		p.byPath[mu.Path] = u
	}
	p.indexTypes()
	p.indexStores()
	return p
}

// indexTypes finds which classes implement or extend which types.
func (p *Program) indexTypes() {
	for _, c := range p.classes {
		seen := map[*Type]bool{c: true}
		work := []*Type{c}
		for len(work) > 0 {
			t := work[0]
			work = work[1:]
			for _, refs := range [][]*model.TypeRef{t.Extends, t.Implements} {
				for _, ref := range refs {
					base := p.declared(ref)
					if base == nil || seen[base] {
						continue
					}
					seen[base] = true
					p.implementers[base] = append(p.implementers[base], c)
					work = append(work, base)
				}
			}
		}
	}
}

// indexStores finds assignments to module variables and fields outside initialisers.
func (p *Program) indexStores() {
	for _, u := range p.units {
		for _, f := range u.funcs {
			p.noteKeyedStores(f)
			for i := range f.Ops {
				op := &f.Ops[i]
				switch op.Kind {
				case model.StoreGlobal:
					if f.Index == 0 {
						continue
					}
					owner := u
					if op.Name != "" {
						owner = p.byPath[op.Name]
					}
					if owner != nil {
						k := globalKey{owner, op.Ref}
						p.globalStores[k] = append(p.globalStores[k], storeSite{f, model.ID(i)})
					}
				case model.Store:
					if op.Name == "" || len(op.Args) == 0 || op.Args[0] < 0 {
						continue
					}
					p.assigned[op.Name] = true
					target := &f.Ops[op.Args[0]]
					isThis := target.Kind == model.This ||
						target.Kind == model.FreeVar && int(target.Ref) < len(f.FreeVars) && f.FreeVars[target.Ref] == "this"
					if isThis {
						if t := p.methodOwner(f); t != nil {
							k := fieldKey{t, op.Name}
							p.fieldStores[k] = append(p.fieldStores[k], storeSite{f, model.ID(i)})
						}
					}
				}
			}
		}
	}
}

// methodOwner gives the class whose `this` a function sees: its own, or that of the function around an arrow function.
func (p *Program) methodOwner(f *Function) *Type {
	for f != nil {
		if f.Type > 0 && f.Type <= len(f.Unit.types) {
			return f.Unit.types[f.Type-1]
		}
		if f.Outer <= 0 || f.Outer > len(f.Unit.funcs) || f.This {
			return nil
		}
		f = f.Unit.funcs[f.Outer-1]
	}
	return nil
}

// declared finds the declaration that a type reference names, following aliases and re-exports.
func (p *Program) declared(ref *model.TypeRef) *Type {
	for depth := 0; ref != nil && ref.Unit != "" && depth < 16; depth++ {
		u := p.byPath[ref.Unit]
		if u == nil {
			return nil
		}
		t := p.exportedType(u, ref.Name, 0)
		if t == nil {
			return nil
		}
		if t.Kind == model.AliasType && t.Underlying != nil && t.Underlying.Unit != "" && len(t.Underlying.Union) == 0 {
			ref = t.Underlying
			continue
		}
		return t
	}
	return nil
}

func (p *Program) exportedType(u *Unit, name string, depth int) *Type {
	if t := u.typeByName[name]; t != nil {
		return t
	}
	if depth > 8 {
		return nil
	}
	for _, e := range u.exports[name] {
		if e.From != "" {
			if v := p.byPath[e.From]; v != nil {
				if t := p.exportedType(v, e.As, depth+1); t != nil {
					return t
				}
			}
		}
		if e.Global > 0 && e.Global <= len(u.Globals) {
			if t := u.typeByName[u.Globals[e.Global-1].Name]; t != nil {
				return t
			}
		}
	}
	for _, e := range u.stars {
		if v := p.byPath[e.From]; v != nil && v != u {
			if t := p.exportedType(v, name, depth+1); t != nil {
				return t
			}
		}
	}
	if i := strings.LastIndexByte(name, '.'); i > 0 { // a namespace import: ns.Type
		return p.exportedType(u, name[i+1:], depth+1)
	}
	return nil
}

// symbolOf gives the symbol by which values of an external type are known: its access path.
func (p *Program) symbolOf(ref *model.TypeRef) string {
	if ref == nil {
		return ""
	}
	if ref.External != "" {
		name := ref.Name
		if name == "*" {
			name = ""
		}
		return model.CanonicalPackage(ref.External) + "#" + name
	}
	if ref.Unit != "" {
		return ""
	}
	switch ref.Name {
	case "Promise", "Readonly", "Partial", "Required", "NonNullable", "Awaited", "PromiseLike", "Omit", "Pick":
		if len(ref.Args) > 0 {
			return p.symbolOf(ref.Args[0])
		}
	}
	sym := ""
	for _, alt := range ref.Union {
		switch s := p.symbolOf(alt); {
		case s == "" && (alt.Name == "undefined" || alt.Name == "null"):
		case sym == "":
			sym = s
		}
	}
	if sym != "" {
		return sym
	}
	switch ref.Name {
	case "Array", "ReadonlyArray", "Map", "Set", "Promise", "String", "WeakMap", "RegExp", "Date", "Headers", "URLSearchParams", "Request", "Response", "Buffer":
		return "js#" + ref.Name
	case "string":
		return "js#String"
	}
	if len(ref.Union) == 0 && len(ref.Members) == 0 && ref.Literal == "" && p.class.GlobalType(ref.Name) {
		return "js#" + ref.Name
	}
	return ""
}

// prepare computes the control flow facts of a function on first use.
func (f *Function) prepare() {
	if f.ready {
		return
	}
	f.ready = true
	n := len(f.Blocks)
	f.order = make([]int, n)
	for i := range f.order {
		f.order[i] = -1
	}
	for i, b := range f.ReversePostorder() {
		f.order[b] = i
	}
	f.heads = f.LoopHeaders()
	f.inLoop = make([]map[model.BlockID]bool, n)
	preds := f.Preds()
	f.preds = preds
	f.blockOf = make(map[*model.Block]model.BlockID, n)
	for b := range f.Blocks {
		f.blockOf[&f.Blocks[b]] = model.BlockID(b)
	}
	handlers := f.HandlerPreds()
	for b := 0; b < n; b++ {
		if !f.heads[b] {
			continue
		}
		// the natural loop: everything that reaches a back edge's source without passing the header
		loop := map[model.BlockID]bool{model.BlockID(b): true}
		var work []model.BlockID
		for _, p := range preds[b] {
			if f.order[p] >= f.order[b] {
				work = append(work, p)
			}
		}
		for _, p := range handlers[b] {
			if f.order[p] >= f.order[b] {
				work = append(work, p)
			}
		}
		for len(work) > 0 {
			x := work[len(work)-1]
			work = work[:len(work)-1]
			if loop[x] || f.order[x] < 0 {
				continue
			}
			loop[x] = true
			work = append(work, preds[x]...)
			work = append(work, handlers[x]...)
		}
		f.inLoop[b] = loop
	}
}

// predsOf gives the predecessors of a block in the order of its Phi arguments.
func (f *Function) predsOf(b *model.Block) []model.BlockID { return f.preds[f.blockOf[b]] }
