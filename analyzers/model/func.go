package model

// ID names a value of a function: the index of the operation that defines it in Func.Ops.
type ID int32

// None is the absent value: an omitted argument, a bare return.
const None ID = -1

// BlockID is the index of a basic block in Func.Blocks.
type BlockID int32

// NoBlock is the absent block.
const NoBlock BlockID = -1

// Func is the body of a function, method, closure or initialiser.
type Func struct {
	// Name is unique in the unit: "create", "Client.send", "create.func1", "(*Store).Get", "" for the initialiser.
	Name   string
	Index  int  // position in Unit.Funcs
	Span   Span // the whole declaration
	Params []Param
	// FreeVars names what a closure captures, by value (a value that never changes) or as a cell;
	// the Closure operation gives the bindings in the same order.
	FreeVars []string
	Outer    int // the function around a closure or method plus one; 0 for none
	Result   *TypeRef
	// This reports that the function has a receiver of its own, delivered by the This
	// operation; arrow functions capture it instead. Type is the index of the type it is a method of, plus one.
	This bool
	Type int

	Async, Generator bool
	// Partial reports that a part of the body could not be read (a syntax error): what it does is a lower bound.
	Partial bool

	Ops    []Op
	Blocks []Block // Blocks[0] is the entry
}

// Param is a declared parameter. Destructuring is spelled out by Load operations in the body.
type Param struct {
	Name     string // "" for a destructured or unnamed parameter
	Type     *TypeRef
	Rest     bool // collects the remaining arguments in an array
	Optional bool // may be absent: `x?`, or with a default value
	Span     Span
	// Decorators names the parameter's decorators, outermost first, as the values
	// of DecoratorCall operations in the unit's initialiser.
	Decorators []string
}

// TermKind says how a block ends.
type TermKind uint8

// The ways in which a block ends.
const (
	Jump        TermKind = iota + 1 // to Succs[0]
	If                              // Value truthy: Succs[0]; otherwise Succs[1]
	Return                          // Value (or None)
	Throw                           // Value; control goes to Handler, or leaves the function
	Range                           // iterate over Value: Succs[0] is the body, entered once per element, Succs[1] what follows
	Unreachable                     // after a call that never returns
)

// Block is a basic block.
type Block struct {
	Ops   []ID // in order of execution; Phi operations first
	Term  TermKind
	Value ID // condition, result, thrown value or iterable; None otherwise
	Succs []BlockID
	// Handler is the block that an exception raised in this block goes to (its Catch
	// operation delivers the value), or NoBlock where it leaves the function.
	Handler BlockID
	Span    Span // the statement that ends the block
}
