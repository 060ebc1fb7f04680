package model

import (
	"slices"
	"strconv"
	"strings"
)

// The words of the text form. Each table is indexed by its kind and never changes.
var (
	opNames = [...]string{
		Invalid: "invalid", Unknown: "unknown", Constant: "const", Parameter: "param", This: "this",
		FreeVar: "freevar", FuncRef: "funcref", Module: "module", External: "external", Catch: "catch",
		Alloc: "alloc", Load: "load", Store: "store", Delete: "delete", LoadGlobal: "loadglobal",
		StoreGlobal: "storeglobal", Object: "object", Array: "array", Concat: "concat", Binary: "binary",
		Compare: "compare", Unary: "unary", Phi: "phi", Convert: "convert", Await: "await", Yield: "yield",
		Element: "element", Closure: "closure", Class: "class", Call: "call", Spawn: "spawn", Defer: "defer",
		DecoratorCall: "decorate",
	}
	termNames   = [...]string{Jump: "jump", If: "if", Return: "return", Throw: "throw", Range: "range", Unreachable: "unreachable"}
	flagNames   = [...]string{"new", "optional", "super", "tagged", "supermember"} // by bit
	constNames  = [...]string{String: "string", Number: "number", Bool: "bool", Null: "null", Undefined: "undefined", Regexp: "regexp", BigInt: "bigint"}
	typeNames   = [...]string{ClassType: "class", InterfaceType: "interface", AliasType: "alias", EnumType: "enum"}
	memberNames = [...]string{FieldMember: "field", MethodMember: "method", GetterMember: "getter", SetterMember: "setter"}
)

// String gives the word of the text form; a kind that does not exist is "op" and its number.
func (k OpKind) String() string { return kindName(opNames[:], "op", int(k)) }

// String gives the word of the text form; a kind that does not exist is "term" and its number.
func (k TermKind) String() string { return kindName(termNames[:], "term", int(k)) }

// String gives the word of the text form; a kind that does not exist is "literal" and its number.
func (k ConstKind) String() string { return kindName(constNames[:], "literal", int(k)) }

// String gives the word of the text form; a kind that does not exist is "type" and its number.
func (k TypeKind) String() string { return kindName(typeNames[:], "type", int(k)) }

// String gives the word of the text form; a kind that does not exist is "member" and its number.
func (k MemberKind) String() string { return kindName(memberNames[:], "member", int(k)) }

// String lists the flags, separated by spaces; bits that mean nothing are a number.
func (f Flag) String() string {
	var words []string
	for i, name := range flagNames {
		if f&(1<<i) != 0 {
			words = append(words, name)
		}
	}
	if rest := f >> len(flagNames); rest != 0 {
		words = append(words, "flag"+strconv.Itoa(int(rest<<len(flagNames))))
	}
	return strings.Join(words, " ")
}

func kindName(names []string, other string, kind int) string {
	if kind < len(names) && names[kind] != "" {
		return names[kind]
	}
	return other + strconv.Itoa(kind)
}

// kindOf is the inverse of kindName.
func kindOf(names []string, other, word string) (uint8, bool) {
	if word == "" {
		return 0, false
	}
	if i := slices.Index(names, word); i >= 0 {
		return uint8(i), true
	}
	if digits, ok := strings.CutPrefix(word, other); ok {
		if n, err := strconv.ParseUint(digits, 10, 8); err == nil {
			return uint8(n), true
		}
	}
	return 0, false
}

// usesRef reports whether Ref is a part of what an operation of this kind says.
func (k OpKind) usesRef() bool {
	switch k {
	case Parameter, FreeVar, FuncRef, LoadGlobal, StoreGlobal, Closure, Class:
		return true
	}
	return false
}

// isNamed reports whether the text form of an operation of this kind begins with its Name.
func (k OpKind) isNamed() bool {
	switch k {
	case Unknown, External, Module, Alloc, Binary, Compare, Unary, Element:
		return true
	}
	return false
}

// isCall reports whether Args[0] is what is called.
func (k OpKind) isCall() bool {
	switch k {
	case Call, Spawn, Defer, DecoratorCall:
		return true
	}
	return false
}

// partsOf gives the arguments that Parts is parallel to, or nil for a kind without parts.
func (op *Op) partsOf() []ID {
	switch op.Kind {
	case Object, Array:
		return op.Args
	case Call, Spawn, Defer:
		if len(op.Args) > 0 {
			return op.Args[1:]
		}
	}
	return nil
}

// SetterKey is the key under which an object literal holds the function that an assignment to its property called name runs.
func SetterKey(name string) string { return "set " + name }
