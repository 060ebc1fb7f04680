package flow

import (
	"strings"

	"github.com/retrysafe/retrysafe/analyzers/model"
)

// ParamKind is what the values of a parameter are.
type ParamKind uint8

// The kinds of parameters.
const (
	UnknownKind ParamKind = iota
	TextKind
	NumberKind
	BooleanKind
	ChoiceKind // one of a few texts that the schema lists
	ListKind
	ObjectKind // with the members that the schema lists, and no others
	OpenKind   // anything, or an object whose members the caller names
)

// kindWords are the words of schema builders and of JSON Schema for them.
var kindWords = map[string]ParamKind{"string": TextKind, "email": TextKind, "url": TextKind, "uuid": TextKind, "text": TextKind,
	"number": NumberKind, "integer": NumberKind, "int": NumberKind, "int32": NumberKind, "float": NumberKind, "float64": NumberKind, "bigint": NumberKind, "date": NumberKind,
	"boolean": BooleanKind, "bool": BooleanKind, "enum": ChoiceKind, "nativeenum": ChoiceKind, "literal": ChoiceKind,
	"array": ListKind, "tuple": ListKind, "set": ListKind, "object": ObjectKind, "strictobject": ObjectKind,
	"record": OpenKind, "any": OpenKind, "unknown": OpenKind, "map": OpenKind, "looseobject": OpenKind, "passthrough": OpenKind, "catchall": OpenKind, "loose": OpenKind, "json": OpenKind}

// Kind tells what the parameter's schema takes.
func (p *Param) Kind() ParamKind { return schemaKind(p.Schema) }

func schemaKind(t *Term) ParamKind {
	kind := UnknownKind
	for _, c := range chainCalls(t) { // the last call first; what stands at the root counts, unless a later one opens it
		word := strings.ToLower(strings.TrimPrefix(lastName(c.Name), "With"))
		if k, ok := kindWords[word]; ok && (kind != OpenKind || k == OpenKind) {
			kind = k
		}
	}
	if t == nil || t.Kind != TObject {
		return kind
	}
	if v, _ := t.Field("enum"); v != nil {
		return ChoiceKind
	}
	v, _ := t.Field("type")
	kind = kindWords[strings.ToLower(textOr(orAbsent(v)))]
	if kind == ObjectKind {
		more, _ := t.Field("additionalProperties")
		props, _ := t.Field("properties")
		if closed, _ := orAbsent(more).IsConst(); props == nil || closed != "false" {
			return OpenKind // JSON Schema lets other members pass
		}
	}
	return kind
}

func orAbsent(t *Term) *Term {
	if t == nil {
		return &Term{Kind: TUnknown}
	}
	return t
}

// IsNumber reports whether a value is surely a number, or the text of one.
func (t *Term) IsNumber() bool {
	switch t.Kind {
	case TConst:
		return t.Const.Kind == model.Number
	case TCall:
		switch t.Sym {
		case "go#number()", "js#Number()", "js#parseInt()", "js#parseFloat()", "js#Number.parseInt()", "js#Number.parseFloat()":
			return true
		}
		return strings.HasPrefix(t.Sym, "js#Math.")
	case TOp:
		switch t.Name {
		case "-", "*", "/", "%", "|", "&", "^", "<<", ">>", ">>>", "~":
			return true
		}
	}
	return false
}
