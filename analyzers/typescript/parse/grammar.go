//go:build cgo

package parse

import (
	"sync"

	sitter "github.com/smacker/go-tree-sitter"
	"github.com/smacker/go-tree-sitter/javascript"
	"github.com/smacker/go-tree-sitter/typescript/tsx"
	"github.com/smacker/go-tree-sitter/typescript/typescript"
)

// Room for the symbols, kinds and fields of a grammar; a test holds them against the grammars.
const (
	maxSymbols = 512
	maxKinds   = 256
	maxFields  = 64
)

const _ = uint(maxKinds - endOfKinds) // does not compile if there are too many kinds

// rule says what becomes of a symbol.
type rule struct {
	kind    Kind // kind of a named symbol, token kind of an anonymous one, KindNone to drop it
	implied Kind // the token is dropped below this kind, which says the same
	only    Kind // the token is dropped below every other kind, unless this is KindNone
	class   class
}

// class singles out the tokens that need more than a table.
type class uint8

const (
	plain     class = iota
	operator        // TokenOperator where it has FieldOperator
	comma           // may stand beside a hole in an array
	staticGet       // `static` and `get` in one token
)

// trait is a set of properties of a kind.
type trait uint8

const (
	traitComment trait = 1 << iota
	traitArray         // has holes
	traitClass         // its name is an identifier that stands for a value, though the grammar calls it a type
	traitField         // its FieldProperty is its name
	traitChain         // it has FieldOptionalChain everywhere
)

// tables are all that a flattener needs to know of a grammar. The memory holds no pointer, and flatten.c reads it as it is.
type tables struct {
	rules  [maxSymbols]rule
	traits [maxKinds]trait
	fields [maxFields]Field

	error, missing, elision, operator, static, get      Kind
	identifier, typeIdentifier                          Kind
	operatorField, nameField, propertyField, chainField Field
}

// grammar is one tree-sitter grammar with its tables.
type grammar struct {
	language *sitter.Language
	tables   *tables
}

var grammars = [...]func() grammar{
	JavaScript: sync.OnceValue(func() grammar { return newGrammar(javascript.GetLanguage()) }),
	TypeScript: sync.OnceValue(func() grammar { return newGrammar(typescript.GetLanguage()) }),
	TSX:        sync.OnceValue(func() grammar { return newGrammar(tsx.GetLanguage()) }),
}

func newGrammar(language *sitter.Language) grammar {
	named := make(map[string]Kind, endOfNamedKinds)
	for k := KindElision + 1; k < endOfNamedKinds; k++ {
		named[k.String()] = k
	}
	for name, k := range sameKind {
		named[name] = k
	}
	fields := make(map[string]Field, endOfFields)
	for f := NoField + 1; f < endOfFields; f++ {
		fields[f.String()] = f
	}

	t := &tables{
		error: KindError, missing: KindMissing, elision: KindElision,
		operator: TokenOperator, static: TokenStatic, get: TokenGet,
		identifier: KindIdentifier, typeIdentifier: KindTypeIdentifier,
		operatorField: FieldOperator, nameField: FieldName, propertyField: FieldProperty, chainField: FieldOptionalChain,
	}
	for k := range endOfKinds {
		t.traits[k] = traitsOf(k)
	}
	for s := range min(int(language.SymbolCount()), maxSymbols) {
		name := language.SymbolName(sitter.Symbol(s))
		switch language.SymbolType(sitter.Symbol(s)) {
		case sitter.SymbolTypeRegular:
			t.rules[s].kind = named[name]
		case sitter.SymbolTypeAnonymous:
			t.rules[s] = rule{kind: tokenKinds[name], implied: impliedTokens[name], only: localTokens[name], class: classOf(name)}
		}
	}
	for id := 1; id < maxFields; id++ {
		name := language.FieldName(id)
		if name == "" {
			break // tree-sitter numbers fields from 1 without gaps
		}
		t.fields[id] = fields[name]
	}
	return grammar{language: language, tables: t}
}

func traitsOf(k Kind) trait {
	switch k {
	case KindComment, KindHTMLComment, KindHashBangLine:
		return traitComment
	case KindArray, KindArrayPattern:
		return traitArray
	case KindClass, KindClassDeclaration, KindAbstractClassDeclaration:
		return traitClass
	case KindFieldDefinition:
		return traitField
	case KindOptionalChain:
		return traitChain
	default:
		return 0
	}
}

func classOf(token string) class {
	switch {
	case token == ",":
		return comma
	case token == "static get":
		return staticGet
	case operatorTokens[token]:
		return operator
	default:
		return plain
	}
}

// sameKind unifies names in which the grammars differ.
var sameKind = map[string]Kind{
	"public_field_definition": KindFieldDefinition,
	"nested_identifier":       KindMemberExpression,
}

// tokenKinds are the anonymous tokens that are kept wherever they stand, save for impliedTokens.
var tokenKinds = map[string]Kind{
	"abstract":   TokenAbstract,
	"accessor":   TokenAccessor,
	"asserts":    TokenAsserts,
	"async":      TokenAsync,
	"await":      TokenAwait,
	"!":          TokenBang,
	"const":      TokenConst,
	"declare":    TokenDeclare,
	"default":    TokenDefault,
	"=":          TokenEquals,
	"get":        TokenGet,
	"global":     TokenGlobal,
	"let":        TokenLet,
	"namespace":  TokenNamespace,
	"new":        TokenNew,
	"private":    TokenPrivate,
	"protected":  TokenProtected,
	"public":     TokenPublic,
	"?":          TokenQuestion,
	"?.":         KindOptionalChain, // a call of the TypeScript grammars has the bare token
	"readonly":   TokenReadonly,
	"set":        TokenSet,
	"*":          TokenStar,
	"static":     TokenStatic,
	"static get": TokenStatic,
	"type":       TokenType,
	"typeof":     TokenTypeof,
	"using":      TokenUsing,
	"var":        TokenVar,
}

// impliedTokens are dropped below the kind that cannot be without them.
var impliedTokens = map[string]Kind{
	"abstract": KindAbstractClassDeclaration,
	"await":    KindAwaitExpression,
	"static":   KindClassStaticBlock,
	"default":  KindSwitchDefault,
	"declare":  KindAmbientDeclaration,
	"new":      KindNewExpression,
	"!":        KindNonNullExpression,
	"?":        KindTernaryExpression,
	"?.":       KindOptionalChain,
	"readonly": KindReadonlyType,
	"type":     KindTypeAliasDeclaration,
	"typeof":   KindTypeQuery,
	"asserts":  KindAsserts,
}

// localTokens are kept below one kind only.
var localTokens = map[string]Kind{
	"=":         KindExportStatement,
	"namespace": KindExportStatement,
}

// operatorTokens become TokenOperator where the grammar gives them the operator field.
var operatorTokens = func() map[string]bool {
	set := make(map[string]bool)
	for _, text := range []string{
		"&&", "||", "??", ">>", ">>>", "<<", "&", "^", "|", "+", "-", "*", "/", "%", "**",
		"<", "<=", "==", "===", "!=", "!==", ">=", ">", "instanceof", "in", "of",
		"!", "~", "typeof", "void", "delete", "++", "--",
		"+=", "-=", "*=", "/=", "%=", "^=", "&=", "|=", ">>=", ">>>=", "<<=", "**=", "&&=", "||=", "??=",
	} {
		set[text] = true
	}
	return set
}()
