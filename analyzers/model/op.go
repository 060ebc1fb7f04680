package model

// OpKind is the kind of an operation.
type OpKind uint8

// The operations. Args, Name, Const and Ref are used as each comment says.
const (
	Invalid OpKind = iota

	// Values that come from elsewhere.
	Unknown   // not understood; Name says what it was
	Constant  // Const
	Parameter // Ref is the index in Func.Params; Type its declared type
	This      // the receiver of a method; Name is what the source calls it, "" for the language's own word
	FreeVar   // Ref is the index in Func.FreeVars
	FuncRef   // a function of the program without bindings: Name of the unit (empty: this one), Ref its index; Args[0], if there, the
	// receiver that it is bound to
	Module   // the namespace object of the unit called Name
	External // the namespace object of the external package called Name, e.g. "stripe", "node:fs/promises", or the
	// language's own globals under the names "js" and "go" (js#fetch, js#crypto.randomUUID, js#Date.now)
	Catch // the exception that entered this handler block

	// Memory.
	Alloc       // a new cell that holds one value; Name is the variable
	Load        // Args[0] is a cell or object; Name the constant key, or Args[1] the computed one (Name empty)
	Store       // Args[0] target, Args[1] value; Name the constant key, or Args[2] the computed one; a cell has Name ""
	Delete      // Args[0] target; Name or Args[1] the key
	LoadGlobal  // Ref is the index in Unit.Globals; Name the unit (empty: this one)
	StoreGlobal // as LoadGlobal; Args[0] is the value

	// Aggregates. Parts gives, for each argument, its key (Object) or whether it is spread.
	Object
	Array // array, slice or tuple literal

	// Computation.
	Concat  // the text of all arguments joined: template strings, string `+`, fmt.Sprintf of literals
	Binary  // arithmetic and bit operations; Name is the operator
	Compare // Name is one of == != < <= > >= in instanceof; === is ==, but with null or undefined, which are == each other and not ===; !== likewise
	Unary   // Name is one of ! - + ~ typeof void
	Phi     // Args in the order of the block's predecessors (sorted by BlockID)
	Convert // Args[0] seen as Type: type assertion, cast, conversion; Name "satisfies" changes nothing
	Await   // the settled value of Args[0]
	Yield   // hands Args[0] to the consumer
	Element // the current element of the innermost Range over Args[0]; Name "key" for its key or index, "value" otherwise

	// Functions and calls.
	Closure // the function Ref of this unit with Args bound to its FreeVars
	Class   // the class Ref (index in Unit.Types) with Args[0] the base class value (or None), Args[1:] the captured values
	// named by TypeDecl's functions' FreeVars (all methods of one class share one list)
	Call // Args[0] is the callee, Args[1:] the arguments; Parts says which are spread. A method call's callee is a Load,
	// whose object becomes the receiver. Flags: New, Optional, Super, Tagged
	Spawn         // as Call, runs on its own: goroutine, or a promise that nobody awaits is left to flow
	Defer         // as Call, runs when the function is left
	DecoratorCall // Args[0] is the decorator value, Args[1] the decorated class or prototype, Name the member ("" for the class
	// itself), Ref the parameter index plus one where a parameter is decorated
)

// Flag refines a Call.
type Flag uint8

// The flags of Call.
const (
	New         Flag = 1 << iota // constructs: `new F(x)`
	Optional                     // `f?.(x)`, `o?.m(x)`; on Load: `o?.p`
	Super                        // `super(x)`; Args[0] is This
	Tagged                       // a tagged template: Args[1] is the array of text pieces, Args[2:] the holes
	SuperMember                  // on Load: the member of the base class, Args[0] is This
)

// Op is an operation. Its own ID is its index in Func.Ops.
type Op struct {
	Kind  OpKind
	Flags Flag
	Ref   int32
	Name  string
	Const Const
	Args  []ID
	Parts []Part   // parallel to Args for Object, Array; to Args[1:] for Call; nil if no part is special
	Type  *TypeRef // static type where the source or the type checker gives one
	Span  Span
}

// Part describes an argument of an aggregate or call.
type Part struct {
	Key    string // constant property key
	KeyID  ID     // computed property key, None otherwise; only for Object
	Spread bool
	Getter bool // the argument is a closure that computes the property
	Span   Span // the whole property, for Object
}

// ConstKind is the kind of a constant.
type ConstKind uint8

// The kinds of constants.
const (
	NoConst ConstKind = iota
	String
	Number // Text as a decimal in its shortest form: 1000 for 1_000 and 1e3
	Bool   // Text is "true" or "false"
	Null   // null, nil
	Undefined
	Regexp // Text is the pattern as written, with slashes and flags
	BigInt
)

// Const is a literal. The zero Const is no constant.
type Const struct {
	Kind ConstKind
	Text string
}
