//go:build cgo

package parse

import (
	"sync"

	sitter "github.com/smacker/go-tree-sitter"
	"github.com/smacker/go-tree-sitter/javascript"
	"github.com/smacker/go-tree-sitter/typescript/tsx"
	"github.com/smacker/go-tree-sitter/typescript/typescript"
)

// Room for the symbols and fields of a grammar; the largest has 404 and 44. A test holds them against the grammars.
const (
	maxSymbols = 512
	maxFields  = 64
)

// tables say what becomes of a symbol of one grammar. The memory holds no pointer, and the C flattener reads it as it is.
type tables struct {
	kinds     [maxSymbols]Kind  // kind of a named symbol, token kind of an anonymous one, KindNone to drop it
	implied   [maxSymbols]Kind  // the token is dropped below this kind, which says the same
	operators [maxSymbols]uint8 // 1 if the token is an operator where it has FieldOperator
	commas    [maxSymbols]uint8 // 1 for the comma
	both      [maxSymbols]uint8 // 1 for the token that is `static` and `get` in one
	fields    [maxFields]Field
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

	t := &tables{}
	for s := range min(int(language.SymbolCount()), maxSymbols) {
		name := language.SymbolName(sitter.Symbol(s))
		switch language.SymbolType(sitter.Symbol(s)) {
		case sitter.SymbolTypeRegular:
			t.kinds[s] = named[name]
		case sitter.SymbolTypeAnonymous:
			t.kinds[s] = tokenKinds[name]
			t.implied[s] = impliedTokens[name]
			t.operators[s] = mark(operatorTokens[name])
			t.commas[s] = mark(name == ",")
			t.both[s] = mark(name == "static get")
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

func mark(b bool) uint8 {
	if b {
		return 1
	}
	return 0
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
	"get":        TokenGet,
	"global":     TokenGlobal,
	"let":        TokenLet,
	"new":        TokenNew,
	"private":    TokenPrivate,
	"protected":  TokenProtected,
	"public":     TokenPublic,
	"?":          TokenQuestion,
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
	"default":  KindSwitchDefault,
	"declare":  KindAmbientDeclaration,
	"new":      KindNewExpression,
	"!":        KindNonNullExpression,
	"?":        KindTernaryExpression,
	"readonly": KindReadonlyType,
	"type":     KindTypeAliasDeclaration,
	"typeof":   KindTypeQuery,
	"asserts":  KindAsserts,
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
