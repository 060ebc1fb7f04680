package model

// Language names a source language of a unit.
type Language string

// The languages that a unit can be written in.
const (
	TypeScript Language = "typescript" // .ts .tsx .mts .cts
	JavaScript Language = "javascript" // .js .jsx .mjs .cjs
	Go         Language = "go"
)

// Unit is what is loaded and initialised as one piece: a TypeScript or
// JavaScript file, or a Go package.
type Unit struct {
	// Path identifies the unit: a file relative to the context root, or a Go import path.
	Path     string
	Language Language
	Files    []string // the files it was read from, sorted
	// Package and Version name the surrounding package of a package manager, where known.
	Package string

	// Funcs lists every function of the unit. Funcs[0] is its initialiser:
	// the body of a module, or a Go package's variable initialisers and init functions.
	Funcs   []*Func
	Globals []*Global
	Types   []*TypeDecl
	Exports []Export // sorted by Name; star re-exports (Name "*") last, in source order
	// Imports lists the units that this one initialises before itself, in order.
	Imports []string

	Notes []Note // what was not understood, sorted by place
}

// Note is a remark for the coverage of a report: something that was not read or
// not understood, and where.
type Note struct {
	Span Span
	What string
	// Cut says that a bound was reached, so that what was left out may hide something: the analysis is not complete. It is no part of a dump.
	Cut bool
}

// Global is a variable of a unit, visible to all its functions.
type Global struct {
	Name string
	Span Span
	Type *TypeRef // declared type, or nil
	// Const reports that the variable is assigned once, by the initialiser.
	Const bool
}

// Export makes a value of a unit visible to others.
type Export struct {
	Name string // "default" for a default export; "*" re-exports everything of From

	// Exactly one of the following is set.
	Global int    // index into Globals plus one
	From   string // path of another unit …
	Extern string // … or the name of an external package
	// As is the name inside From or Extern; "*" stands for its namespace object.
	As string
}

// TypeKind tells how a type was declared.
type TypeKind uint8

// The kinds of declared types.
const (
	ClassType     TypeKind = iota + 1 // class, or Go struct or other named type with methods
	InterfaceType                     // TypeScript or Go interface
	AliasType                         // another name for Underlying
	EnumType
)

// TypeDecl is a named type of the program. It is evidence for what a value is;
// nothing relies on it being complete.
type TypeDecl struct {
	Name       string // unique in the unit; "Outer.Inner" for namespaces
	Kind       TypeKind
	Span       Span
	Extends    []*TypeRef // base classes or embedded types first, then extended interfaces
	Implements []*TypeRef
	Underlying *TypeRef // of an alias; nil otherwise
	Members    []Member // sorted by name
	Abstract   bool

	// Ctor is the constructor, FieldInit the synthetic function that stores
	// the initial values of fields into `this`, StaticInit the one that stores
	// static fields into the class value; indices into Unit.Funcs, 0 where there is none.
	Ctor, FieldInit, StaticInit int
	// Decorators are the decorators of the class itself, evaluated by the unit's initialiser
	// through DecoratorCall operations.
}

// MemberKind tells what a member of a type is.
type MemberKind uint8

// The kinds of members.
const (
	FieldMember MemberKind = iota + 1
	MethodMember
	GetterMember
	SetterMember
)

// Member is a field or method of a declared or structural type.
type Member struct {
	Name     string
	Kind     MemberKind
	Static   bool
	Optional bool
	// Encoded is the name that a field has in its encoded form (a Go tag `json:"id"`), "" for its own.
	Encoded string
	// About is what a field's declaration says to those who fill it in, the description of a parameter.
	About string
	// Inline says that the members of an embedded field stand beside it in the encoded form.
	Inline bool
	Type   *TypeRef // of a field; result type of a method; nil if unknown
	Func   int      // index into Unit.Funcs of the method's body, 0 for none (abstract, interface)
	Span   Span
}

// TypeRef mentions a type. Exactly one of External, (Unit, Name), or Shape says
// what it is; Name alone is a builtin ("string", "Array", "Promise", "Map", "unknown").
type TypeRef struct {
	External string // package of a type outside the program, e.g. "stripe", "database/sql"
	Unit     string // unit of a type of the program
	Name     string // "default" for a default export; qualified with dots
	Args     []*TypeRef
	// Members describe a structural type (an object literal type); Union the alternatives of a union or intersection.
	Members []Member
	Union   []*TypeRef
	Literal string // a literal type's text, unquoted
}

// FuncTypeName names a function type in Go that has no name of its own.
const FuncTypeName = "func"

// Member finds the structural member called name, or nil.
func (t *TypeRef) Member(name string) *Member {
	for i := range t.Members {
		if t.Members[i].Name == name {
			return &t.Members[i]
		}
	}
	return nil
}
