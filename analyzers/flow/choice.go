package flow

import "github.com/retrysafe/retrysafe/analyzers/model"

// This file reads which texts a schema allows: z.enum([...]), a union of literals, the enum of a JSON Schema, and what builders take as one.

// allowedTexts lists the texts that a parameter's schema allows; ok is false where it allows others, or is not understood.
func allowedTexts(t *Term) (texts []string, ok bool) {
	if t == nil {
		return nil, false
	}
	if t.Kind == TObject {
		if list, _ := t.Field("enum"); list != nil {
			return textsOf(list)
		}
		if one, _ := t.Field("const"); one != nil {
			text, ok := one.Text()
			return []string{text}, ok
		}
		if pattern, _ := t.Field("pattern"); pattern != nil && pattern.Kind == TConst {
			return textsOfPattern(pattern.Const.Text)
		}
		return nil, false
	}
	for _, c := range chainCalls(t) {
		switch lastName(c.Name) {
		case "enum", "Enum", "nativeEnum", "picklist", "literal", "Literal", "StringEnum", "enumType":
			return textsOfArgs(c.Args[1:])
		case "regex", "matches", "Pattern":
			if len(c.Args) > 1 && c.Args[1].Kind == TConst {
				if texts, ok := textsOfPattern(c.Args[1].Const.Text); ok {
					return texts, true
				}
			}
		case "union", "Union", "or":
			return allowedByUnion(c.Args[1:])
		}
		// options of a builder: WithString("x", Enum("a", "b")), Type.String({ enum: [...] })
		for _, a := range c.Args[1:] {
			if a.Kind == TCall || a.Kind == TObject {
				if texts, ok := allowedTexts(a); ok {
					return texts, true
				}
			}
		}
	}
	return nil, false
}

// allowedByUnion joins what the members of a union allow.
func allowedByUnion(args []*Term) (texts []string, ok bool) {
	var members []*Term
	for _, a := range args {
		if a.Kind == TArray {
			members = append(members, a.Args...)
		} else {
			members = append(members, a)
		}
	}
	for _, m := range members {
		if m.Kind != TCall {
			continue // options beside the members
		}
		more, ok := allowedTexts(m)
		if !ok {
			return nil, false
		}
		texts = append(texts, more...)
	}
	return texts, len(texts) > 0
}

func textsOfArgs(args []*Term) (texts []string, ok bool) {
	for _, a := range args {
		if text, isText := a.Text(); isText {
			texts = append(texts, text)
			continue
		}
		if len(texts) > 0 {
			break // options after the texts
		}
		return textsOf(a)
	}
	return texts, len(texts) > 0
}

// textsOf lists the texts that a recorded array or object holds; ok is false where it holds, or may hold, something else.
func textsOf(t *Term) (texts []string, ok bool) {
	if t.Kind != TArray && t.Kind != TObject || len(t.Args) == 0 {
		return nil, false
	}
	for i, a := range t.Args {
		if t.Kind == TArray && i < len(t.Keys) && t.Keys[i] == "..." || t.Kind == TObject && t.Keys[i] == "..." {
			return nil, false
		}
		if a.Kind != TConst || a.Const.Kind != model.String {
			return nil, false
		}
		texts = append(texts, a.Const.Text)
	}
	return texts, true
}
