package golang

import (
	"go/ast"
	"slices"
	"strings"

	"github.com/retrysafe/retrysafe/analyzers/model"
)

// kind says what a type is made of.
type kind uint8

const (
	unknownKind kind = iota
	basicKind
	namedKind    // a type of the program
	externalKind // a named type from elsewhere
	pointerKind
	sliceKind // and array
	mapKind
	chanKind
	funcKind
	structKind
	interfaceKind
	tupleKind
)

// typ is what is known of a type, be it from the type checker or from the syntax. It never changes and is never nil.
type typ struct {
	kind     kind
	name     string // of a basic or external type
	path     string // the package of an external type
	decl     *object
	known    *checked // what the type checker knows of an external type
	elem     *typ     // of a pointer, slice, map or channel
	key      *typ
	fields   []field // of a struct; methods of an interface
	embeds   []*typ  // of an interface
	params   []*typ
	results  []*typ // of a function; of a tuple
	variadic bool
}

// field is a field of a struct or a method of an interface.
type field struct {
	name     string
	typ      *typ
	embedded bool
	optional bool // it may be left out of its encoded form
	inline   bool // its members stand beside it in the encoded form
	encoded  string
	about    string
	file     *file // and the node that declares it, of a field of the source
	node     ast.Node
}

// member is the field as a type of the model lists it.
func (f *field) member(depth int) model.Member {
	ref := f.typ.refAt(depth)
	if ref == nil && f.typ.kind == funcKind {
		ref = &model.TypeRef{Name: model.FuncTypeName}
	}
	return model.Member{Name: f.name, Kind: model.FieldMember, Type: ref, Optional: f.optional, Encoded: f.encoded, About: f.about, Inline: f.inline}
}

// The types that are the same everywhere.
var (
	unknownType = &typ{}
	errorType   = &typ{kind: basicKind, name: "error"}
	stringType  = &typ{kind: basicKind, name: "string"}
	intType     = &typ{kind: basicKind, name: "int"}
	boolType    = &typ{kind: basicKind, name: "bool"}
	byteType    = &typ{kind: basicKind, name: "byte"}
	runeType    = &typ{kind: basicKind, name: "rune"}
	anyType     = &typ{kind: interfaceKind}
)

// or gives the other type where this one is unknown.
func (t *typ) or(other func() *typ) *typ {
	if t.certain() {
		return t
	}
	if o := other(); o.kind != unknownKind {
		return o
	}
	return t
}

// certain reports that nothing of the type's outside is unknown.
func (t *typ) certain() bool {
	switch t.kind {
	case unknownKind:
		return false
	case pointerKind, sliceKind, chanKind:
		return t.elem.certain()
	case mapKind:
		return t.elem.certain() && t.key.certain()
	case tupleKind:
		return !slices.ContainsFunc(t.results, func(r *typ) bool { return !r.certain() })
	}
	return true
}

// maxNames bounds how many names are followed to what a type is made of.
const maxNames = 20

// underlying is what a named type is made of; other types are themselves.
func (t *typ) underlying() *typ {
	for range maxNames {
		switch {
		case t.kind == namedKind:
			t = t.decl.typ
			if t == nil {
				return unknownType
			}
		case t.kind == externalKind && t.known != nil:
			return madeOf(t)
		case t.kind == externalKind:
			return unknownType
		default:
			return t
		}
	}
	return unknownType
}

// deref is what a pointer points to; other types are themselves.
func (t *typ) deref() *typ {
	if t.kind == pointerKind {
		return t.elem
	}
	return t
}

// isObject reports whether values are structs, which a pointer to them does not differ from. A library's type
// that is not known is one.
func (t *typ) isObject() bool {
	switch t.kind {
	case structKind:
		return true
	case namedKind:
		return t.underlying().kind == structKind
	case externalKind:
		return t.known == nil || t.underlying().kind == structKind
	}
	return false
}

// isPointer reports whether values are pointers; a named type may be one.
func (t *typ) isPointer() bool { return t.underlying().kind == pointerKind }

func (t *typ) isText() bool {
	u := t.underlying()
	return u.kind == basicKind && (u.name == "string" || u.name == "untyped string")
}

// element is what a range over the type gives.
func (t *typ) element() *typ {
	u := t.underlying()
	if u.kind == pointerKind {
		u = u.elem.underlying()
	}
	switch u.kind {
	case sliceKind, mapKind, chanKind:
		return u.elem
	case basicKind:
		if u.name == "string" {
			return runeType
		}
		return intType
	}
	return unknownType
}

// result is the i-th result of a tuple or function; anything else is its only one.
func (t *typ) result(i int) *typ {
	if t.kind == tupleKind || t.kind == funcKind {
		if i < len(t.results) {
			return t.results[i]
		}
		return unknownType
	}
	if i == 0 {
		return t
	}
	return unknownType
}

// call is what a call of a value of the type gives.
func (t *typ) call() *typ {
	u := t.underlying()
	if u.kind != funcKind {
		return unknownType
	}
	if len(u.results) == 1 {
		return u.results[0]
	}
	return &typ{kind: tupleKind, results: u.results}
}

// found is a field or method of a type.
type found struct {
	typ   *typ
	path  []field // the embedded fields on the way
	fn    *function
	value bool // a field
}

// member finds a field or method, through embedded fields where need be. An unknown typ is the answer where nothing is found.
func (t *typ) member(name string) found { return t.find(name, 0) }

func (t *typ) find(name string, depth int) found {
	t = t.deref()
	if t.kind == namedKind {
		if fn := t.decl.pkg.methods[t.decl.name][name]; fn != nil {
			return found{typ: fn.signature(), fn: fn}
		}
	}
	if t.kind == externalKind && t.known != nil {
		if f, ok := knownMember(t, name); ok {
			return f
		}
	}
	u := t.underlying()
	for i := range u.fields {
		f := &u.fields[i]
		if f.name == name {
			return found{typ: f.typ, value: u.kind == structKind}
		}
	}
	if depth > maxEmbedding {
		return found{typ: unknownType}
	}
	for _, e := range u.embeds {
		if got := e.find(name, depth+1); got.typ.kind != unknownKind {
			return got
		}
	}
	for _, f := range u.fields {
		if !f.embedded {
			continue
		}
		if got := f.typ.find(name, depth+1); got.fn != nil || got.value || got.typ.kind != unknownKind {
			got.path = append([]field{f}, got.path...)
			return got
		}
	}
	if beyond := u.beyond(); beyond != nil && depth == 0 {
		return found{typ: unknownType, path: []field{*beyond}}
	}
	return found{typ: unknownType}
}

// beyond is the one embedded field that may have members which are not known: what a struct does not have is taken to be there. A type of the standard
// library is no such field beside one of a package that is not at hand.
func (t *typ) beyond() *field {
	var one, standard *field
	for i := range t.fields {
		f := &t.fields[i]
		if !f.embedded || !f.typ.open(0) {
			continue
		}
		if f.typ.deref().standard() {
			standard = f
			continue
		}
		if one != nil {
			return nil
		}
		one = f
	}
	if one == nil {
		return standard
	}
	return one
}

// open reports whether a type may have members that are not known: one of a package that is not at hand, or one that embeds such a type.
func (t *typ) open(depth int) bool {
	u := t.deref().underlying()
	if u.kind == unknownKind {
		return true
	}
	if depth > maxEmbedding {
		return false
	}
	return slices.ContainsFunc(u.embeds, func(e *typ) bool { return e.open(depth + 1) }) ||
		slices.ContainsFunc(u.fields, func(f field) bool { return f.embedded && f.typ.open(depth+1) })
}

// standard reports whether a type is of the standard library.
func (t *typ) standard() bool {
	first, _, _ := strings.Cut(t.path, "/")
	return t.kind == externalKind && !strings.Contains(first, ".")
}

// ref is the type as the model mentions it, nil for what it has no word for.
func (t *typ) ref() *model.TypeRef { return t.refAt(0) }

// maxMembers bounds the fields of a structural type, maxRefDepth its nesting in levels.
const (
	maxMembers  = 64
	maxRefDepth = 6
)

func (t *typ) refAt(depth int) *model.TypeRef {
	if depth > maxRefDepth {
		return nil
	}
	switch t.kind {
	case basicKind:
		return &model.TypeRef{Name: strings.TrimPrefix(t.name, "untyped ")}
	case namedKind:
		return &model.TypeRef{Unit: t.decl.pkg.Path, Name: t.decl.name}
	case externalKind:
		return &model.TypeRef{External: t.path, Name: t.name}
	case pointerKind:
		return t.elem.refAt(depth)
	case sliceKind:
		return &model.TypeRef{Name: "Array", Args: args(t.elem.refAt(depth + 1))}
	case mapKind:
		return &model.TypeRef{Name: "Map", Args: args(t.key.refAt(depth+1), t.elem.refAt(depth+1))}
	case structKind, interfaceKind:
		if len(t.fields) == 0 {
			return nil
		}
		r := &model.TypeRef{}
		for i := range t.fields[:min(len(t.fields), maxMembers)] {
			f := &t.fields[i]
			m := f.member(depth + 1)
			if t.kind == interfaceKind {
				m.Kind, m.Type = model.MethodMember, f.typ.result(0).refAt(depth+1)
			}
			r.Members = append(r.Members, m)
		}
		return r
	}
	return nil
}

// args are the arguments of a type; what there is no word for is "unknown".
func args(list ...*model.TypeRef) []*model.TypeRef {
	for i, r := range list {
		if r == nil {
			list[i] = &model.TypeRef{Name: "unknown"}
		}
	}
	return list
}

func sortMembers(list []model.Member) {
	slices.SortStableFunc(list, func(a, b model.Member) int { return strings.Compare(a.Name, b.Name) })
}

// members spells out the fields of a struct, or the methods of an interface, of a declared type.
func (l *lowering) members(d *model.TypeDecl, t *typ) {
	u := t.underlying()
	for i := range u.fields {
		f := &u.fields[i]
		m := f.member(0)
		if u.kind == interfaceKind {
			m.Kind, m.Type = model.MethodMember, f.typ.result(0).ref()
		}
		if f.file != nil && f.file.pkg == l.pkg {
			m.Span = l.span(f.file, f.node)
		}
		d.Members = append(d.Members, m)
		if ref := f.typ.deref().ref(); f.embedded && ref != nil && (ref.Unit != "" || ref.External != "") {
			d.Extends = append(d.Extends, ref)
		}
	}
	for _, e := range u.embeds {
		if ref := e.ref(); ref != nil && (ref.Unit != "" || ref.External != "") {
			d.Extends = append(d.Extends, ref)
		}
	}
}
