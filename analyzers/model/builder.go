package model

// Builder makes the body of a function, one operation after the other. Operations
// go to the current block and give the ID of their value; the methods that end a block
// leave no block open. An operation after the end of a block begins a new block that nothing
// leads to, as source text after a `return` does; a second end of a block is
// ignored, because control never gets there.
//
// A Builder checks nothing; Validate does.
type Builder struct {
	unit    *Unit
	f       *Func
	current BlockID
	handler BlockID
	span    Span
}

// NewUnit makes a unit with its initialiser, and the builder of the initialiser's body.
func NewUnit(path string, language Language) (*Unit, *Builder) {
	u := &Unit{Path: path, Language: language}
	return u, NewFunc(u, "")
}

// NewFunc adds a function to a unit. Its entry block is there and current.
func NewFunc(u *Unit, name string) *Builder {
	f := &Func{Name: name, Index: len(u.Funcs)}
	u.Funcs = append(u.Funcs, f)
	b := &Builder{unit: u, f: f, current: NoBlock, handler: NoBlock}
	b.Use(b.Block())
	return b
}

// Func gives the function under construction.
func (b *Builder) Func() *Func { return b.f }

// Ref gives the index of the function, as FuncRef and Closure want it.
func (b *Builder) Ref() int { return b.f.Index }

// Done ends the block that is still open, if any, with a bare return, and gives the function.
func (b *Builder) Done() *Func {
	b.Return(None)
	return b.f
}

// Span sets the place of what is built from now on.
func (b *Builder) Span(s Span) *Builder {
	b.span = s
	return b
}

// Handler sets the handler of the blocks that are made from now on, NoBlock for none,
// and gives the one before, to be restored at the end of a `try`.
func (b *Builder) Handler(h BlockID) (before BlockID) {
	before, b.handler = b.handler, h
	return before
}

// Block makes a block without making it current.
func (b *Builder) Block() BlockID {
	b.f.Blocks = append(b.f.Blocks, Block{Value: None, Handler: b.handler})
	return BlockID(len(b.f.Blocks) - 1)
}

// Use makes a block current.
func (b *Builder) Use(block BlockID) *Builder {
	b.current = block
	return b
}

// Current gives the open block, or NoBlock after its end.
func (b *Builder) Current() BlockID { return b.current }

// Emit adds an operation to the current block. An operation without a span gets the builder's.
func (b *Builder) Emit(op Op) ID {
	if b.current == NoBlock {
		b.Use(b.Block())
	}
	id := b.define(op)
	block := &b.f.Blocks[b.current]
	block.Ops = append(block.Ops, id)
	return id
}

func (b *Builder) define(op Op) ID {
	if !op.Span.IsValid() {
		op.Span = b.span
	}
	b.f.Ops = append(b.f.Ops, op)
	return ID(len(b.f.Ops) - 1)
}

// Typed gives the value a static type.
func (b *Builder) Typed(id ID, t *TypeRef) ID {
	b.f.Ops[id].Type = t
	return id
}

// Values that come from elsewhere.

// Unknown is a value that was not understood; what says what it was.
func (b *Builder) Unknown(what string, args ...ID) ID {
	return b.Emit(Op{Kind: Unknown, Name: what, Args: args})
}

// Str is a string constant.
func (b *Builder) Str(text string) ID { return b.Const(String, text) }

// Num is a number constant, written as a decimal.
func (b *Builder) Num(text string) ID { return b.Const(Number, text) }

// Bool is a truth value.
func (b *Builder) Bool(v bool) ID { return b.Const(Bool, pick(v, "true", "false")) }

// Null is null or nil.
func (b *Builder) Null() ID { return b.Const(Null, "") }

// Undefined is undefined.
func (b *Builder) Undefined() ID { return b.Const(Undefined, "") }

// Const is a constant of any kind.
func (b *Builder) Const(kind ConstKind, text string) ID {
	return b.Emit(Op{Kind: Constant, Const: Const{Kind: kind, Text: text}})
}

// Param declares the next parameter and gives its value. The type may be nil.
func (b *Builder) Param(name string, t *TypeRef) ID {
	b.f.Params = append(b.f.Params, Param{Name: name, Type: t, Span: b.span})
	return b.Emit(Op{Kind: Parameter, Ref: int32(len(b.f.Params) - 1), Type: t})
}

// This is the receiver; the function becomes one that has its own.
func (b *Builder) This() ID {
	b.f.This = true
	return b.Emit(Op{Kind: This})
}

// FreeVar declares the next captured variable and gives its value.
func (b *Builder) FreeVar(name string) ID {
	b.f.FreeVars = append(b.f.FreeVars, name)
	return b.Emit(Op{Kind: FreeVar, Ref: int32(len(b.f.FreeVars) - 1)})
}

// FuncRef is a function of a unit, "" for this one.
func (b *Builder) FuncRef(unit string, index int) ID {
	return b.Emit(Op{Kind: FuncRef, Name: unit, Ref: int32(index)})
}

// Method is a method of a unit, "" for this one, bound to its receiver.
func (b *Builder) Method(unit string, index int, receiver ID) ID {
	return b.Emit(Op{Kind: FuncRef, Name: unit, Ref: int32(index), Args: []ID{receiver}})
}

// Module is the namespace of another unit.
func (b *Builder) Module(path string) ID { return b.Emit(Op{Kind: Module, Name: path}) }

// External is the namespace of an external package.
func (b *Builder) External(pkg string) ID { return b.Emit(Op{Kind: External, Name: pkg}) }

// Catch is the exception that entered the current block, which must be a handler.
func (b *Builder) Catch() ID { return b.Emit(Op{Kind: Catch}) }

// Memory.

// Alloc is a new cell for a variable.
func (b *Builder) Alloc(name string) ID { return b.Emit(Op{Kind: Alloc, Name: name}) }

// Load reads a cell.
func (b *Builder) Load(cell ID) ID { return b.Emit(Op{Kind: Load, Args: []ID{cell}}) }

// Store writes a cell.
func (b *Builder) Store(cell, value ID) ID {
	return b.Emit(Op{Kind: Store, Args: []ID{cell, value}})
}

// Field reads a member by its name.
func (b *Builder) Field(object ID, name string) ID {
	return b.Emit(Op{Kind: Load, Name: name, Args: []ID{object}})
}

// Path reads a member of a member: Path(v, "charges", "create").
func (b *Builder) Path(object ID, names ...string) ID {
	for _, name := range names {
		object = b.Field(object, name)
	}
	return object
}

// SetField writes a member by its name.
func (b *Builder) SetField(object ID, name string, value ID) ID {
	return b.Emit(Op{Kind: Store, Name: name, Args: []ID{object, value}})
}

// Index reads a member by a computed key.
func (b *Builder) Index(object, key ID) ID {
	return b.Emit(Op{Kind: Load, Args: []ID{object, key}})
}

// SetIndex writes a member by a computed key.
func (b *Builder) SetIndex(object, key, value ID) ID {
	return b.Emit(Op{Kind: Store, Args: []ID{object, value, key}})
}

// DeleteField removes a member by its name.
func (b *Builder) DeleteField(object ID, name string) ID {
	return b.Emit(Op{Kind: Delete, Name: name, Args: []ID{object}})
}

// DeleteIndex removes a member by a computed key.
func (b *Builder) DeleteIndex(object, key ID) ID {
	return b.Emit(Op{Kind: Delete, Args: []ID{object, key}})
}

// LoadGlobal reads a variable of a unit, "" for this one.
func (b *Builder) LoadGlobal(unit string, index int) ID {
	return b.Emit(Op{Kind: LoadGlobal, Name: unit, Ref: int32(index)})
}

// StoreGlobal writes a variable of a unit, "" for this one.
func (b *Builder) StoreGlobal(unit string, index int, value ID) ID {
	return b.Emit(Op{Kind: StoreGlobal, Name: unit, Ref: int32(index), Args: []ID{value}})
}

// Aggregates.

// Arg is an argument of an aggregate or call together with its part.
type Arg struct {
	Value ID
	Part  Part
}

// Prop is a property with a constant key.
func Prop(key string, value ID) Arg { return Arg{value, Part{Key: key, KeyID: None}} }

// ComputedProp is a property with a computed key.
func ComputedProp(key, value ID) Arg { return Arg{value, Part{KeyID: key}} }

// GetterProp is a property that a closure computes.
func GetterProp(key string, closure ID) Arg {
	return Arg{closure, Part{Key: key, KeyID: None, Getter: true}}
}

// Plain is an argument without anything special.
func Plain(value ID) Arg { return Arg{value, Part{KeyID: None}} }

// Spread is an argument whose elements or properties are spread.
func Spread(value ID) Arg { return Arg{value, Part{KeyID: None, Spread: true}} }

// Object is an object literal.
func (b *Builder) Object(props ...Arg) ID {
	ids, parts := split(props)
	return b.Emit(Op{Kind: Object, Args: ids, Parts: parts})
}

// Array is an array literal, slice or tuple; None leaves a hole.
func (b *Builder) Array(elems ...ID) ID { return b.Emit(Op{Kind: Array, Args: elems}) }

// ArrayOf is an array literal whose elements may be spread.
func (b *Builder) ArrayOf(elems ...Arg) ID {
	ids, parts := split(elems)
	return b.Emit(Op{Kind: Array, Args: ids, Parts: parts})
}

func split(args []Arg) (ids []ID, parts []Part) {
	for _, a := range args {
		ids, parts = append(ids, a.Value), append(parts, a.Part)
	}
	return ids, parts
}

// Computation.

// Concat joins texts.
func (b *Builder) Concat(args ...ID) ID { return b.Emit(Op{Kind: Concat, Args: args}) }

// Binary is arithmetic or a bit operation.
func (b *Builder) Binary(operator string, x, y ID) ID {
	return b.Emit(Op{Kind: Binary, Name: operator, Args: []ID{x, y}})
}

// Compare compares.
func (b *Builder) Compare(operator string, x, y ID) ID {
	return b.Emit(Op{Kind: Compare, Name: operator, Args: []ID{x, y}})
}

// Unary is one of ! - + ~ typeof void.
func (b *Builder) Unary(operator string, x ID) ID {
	return b.Emit(Op{Kind: Unary, Name: operator, Args: []ID{x}})
}

// Phi joins one value from each edge into a block, in the order of Func.Preds. It
// is put before the block's other operations and may be made before the edges are.
func (b *Builder) Phi(block BlockID, args ...ID) ID {
	id := b.define(Op{Kind: Phi, Args: args})
	to := &b.f.Blocks[block]
	n := 0
	for n < len(to.Ops) && b.f.Ops[to.Ops[n]].Kind == Phi {
		n++
	}
	to.Ops = append(to.Ops, None)
	copy(to.Ops[n+1:], to.Ops[n:])
	to.Ops[n] = id
	return id
}

// SetArgs replaces the arguments of an operation: those of a Phi at the head of a loop are known late.
func (b *Builder) SetArgs(id ID, args ...ID) { b.f.Ops[id].Args = args }

// Convert is a value seen as a type.
func (b *Builder) Convert(x ID, t *TypeRef) ID {
	return b.Emit(Op{Kind: Convert, Args: []ID{x}, Type: t})
}

// Await is the settled value of a promise.
func (b *Builder) Await(x ID) ID { return b.Emit(Op{Kind: Await, Args: []ID{x}}) }

// Yield hands a value to the consumer of a generator.
func (b *Builder) Yield(x ID) ID { return b.Emit(Op{Kind: Yield, Args: []ID{x}}) }

// Element is the current element of the Range around the current block.
func (b *Builder) Element(iterable ID) ID {
	return b.Emit(Op{Kind: Element, Name: "value", Args: []ID{iterable}})
}

// ElementKey is the key or index of the current element.
func (b *Builder) ElementKey(iterable ID) ID {
	return b.Emit(Op{Kind: Element, Name: "key", Args: []ID{iterable}})
}

// Functions and calls.

// Closure binds a function of this unit to what it captures.
func (b *Builder) Closure(index int, bindings ...ID) ID {
	return b.Emit(Op{Kind: Closure, Ref: int32(index), Args: bindings})
}

// Class makes a class value; base is None without `extends`.
func (b *Builder) Class(index int, base ID, bindings ...ID) ID {
	return b.Emit(Op{Kind: Class, Ref: int32(index), Args: append([]ID{base}, bindings...)})
}

// Call calls a value.
func (b *Builder) Call(callee ID, args ...ID) ID { return b.callOp(Call, 0, callee, args) }

// CallMethod calls a member of an object, which becomes the receiver.
func (b *Builder) CallMethod(object ID, name string, args ...ID) ID {
	return b.Call(b.Field(object, name), args...)
}

// CallOf calls a value with arguments that may be spread.
func (b *Builder) CallOf(callee ID, args ...Arg) ID {
	ids, parts := split(args)
	return b.Emit(Op{Kind: Call, Args: append([]ID{callee}, ids...), Parts: parts})
}

// Construct is `new callee(args)`.
func (b *Builder) Construct(callee ID, args ...ID) ID { return b.callOp(Call, New, callee, args) }

// Spawn calls a value on its own.
func (b *Builder) Spawn(callee ID, args ...ID) ID { return b.callOp(Spawn, 0, callee, args) }

// Defer calls a value when the function is left.
func (b *Builder) Defer(callee ID, args ...ID) ID { return b.callOp(Defer, 0, callee, args) }

func (b *Builder) callOp(kind OpKind, flags Flag, callee ID, args []ID) ID {
	return b.Emit(Op{Kind: kind, Flags: flags, Args: append([]ID{callee}, args...)})
}

// Decorate applies a decorator to a class or prototype; member is "" for the class itself.
func (b *Builder) Decorate(decorator, target ID, member string) ID {
	return b.Emit(Op{Kind: DecoratorCall, Name: member, Args: []ID{decorator, target}})
}

// Ends of blocks.

// Jump goes to a block.
func (b *Builder) Jump(to BlockID) { b.end(Jump, None, to) }

// If goes one of two ways.
func (b *Builder) If(cond ID, then, otherwise BlockID) { b.end(If, cond, then, otherwise) }

// Return leaves the function with a value or None.
func (b *Builder) Return(value ID) { b.end(Return, value) }

// Throw raises a value.
func (b *Builder) Throw(value ID) { b.end(Throw, value) }

// Range enters body once for each element of a value, then goes to after. The body comes back by a jump to this block.
func (b *Builder) Range(iterable ID, body, after BlockID) { b.end(Range, iterable, body, after) }

// Unreachable ends a block that is never left.
func (b *Builder) Unreachable() { b.end(Unreachable, None) }

func (b *Builder) end(kind TermKind, value ID, succs ...BlockID) {
	if b.current == NoBlock {
		return
	}
	block := &b.f.Blocks[b.current]
	block.Term, block.Value, block.Succs, block.Span = kind, value, succs, b.span
	b.current = NoBlock
}

// AddGlobal adds a variable and gives its index.
func (u *Unit) AddGlobal(g Global) int {
	u.Globals = append(u.Globals, &g)
	return len(u.Globals) - 1
}

// AddType adds a type and gives its index.
func (u *Unit) AddType(t TypeDecl) int {
	u.Types = append(u.Types, &t)
	return len(u.Types) - 1
}
