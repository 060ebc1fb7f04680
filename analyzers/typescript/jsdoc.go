package typescript

import (
	"bytes"
	"sort"
	"strings"

	"github.com/retrysafe/retrysafe/analyzers/lazyregexp"
	"github.com/retrysafe/retrysafe/analyzers/model"
	"github.com/retrysafe/retrysafe/analyzers/typescript/parse"
)

// docComments are the /** … */ comments of a JavaScript file, in order.
type docComments struct {
	nodes []parse.Node
}

// bounds of a comment that is read
const (
	maxDoc     = 16 << 10 // bytes
	maxDocType = 12       // levels of a type
)

// doc is the comment in front of a declaration, or nothing.
type doc struct {
	l    *lowering
	text string
}

// docOf finds the comment that describes a function, variable or field. TypeScript has annotations instead.
func (l *lowering) docOf(n parse.Node) doc {
	if l.t.Dialect() != parse.JavaScript {
		return doc{}
	}
	if l.docs == nil {
		l.docs = &docComments{}
		for c := range l.t.Comments() {
			if strings.HasPrefix(l.t.Text(c), "/**") {
				l.docs.nodes = append(l.docs.nodes, c)
			}
		}
	}
	t := l.t
	for { // the statement that the declaration makes up
		switch t.Kind(t.Parent(n)) {
		case parse.KindVariableDeclarator, parse.KindLexicalDeclaration, parse.KindVariableDeclaration, parse.KindExportStatement,
			parse.KindPair, parse.KindAssignmentExpression, parse.KindExpressionStatement:
			n = t.Parent(n)
			continue
		}
		break
	}
	at := t.Start(n)
	list := l.docs.nodes
	i := sort.Search(len(list), func(i int) bool { return t.Start(list[i]) >= at })
	if i == 0 {
		return doc{}
	}
	c := list[i-1]
	if t.End(c) > at || len(bytes.TrimSpace(t.Source()[t.End(c):at])) > 0 {
		return doc{}
	}
	text := t.Text(c)
	return doc{l, text[:min(len(text), maxDoc)]}
}

var (
	docParam  = lazyregexp.New(`@param\s+\{([^{}]+)\}\s+\[?([\p{L}_$][\p{L}\p{N}_$]*)\]?`)
	docType   = lazyregexp.New(`@type\s+\{([^{}]+)\}`)
	docResult = lazyregexp.New(`@returns?\s+\{([^{}]+)\}`)
	docImport = lazyregexp.New(`^import\(\s*["']([^"']+)["']\s*\)((?:\.[\p{L}_$][\p{L}\p{N}_$]*)*)$`)
	docName   = lazyregexp.New(`^[\p{L}_$][\p{L}\p{N}_$]*(?:\.[\p{L}_$][\p{L}\p{N}_$]*)*$`)
)

// param is the type that a comment gives a parameter.
func (d doc) param(name string) *model.TypeRef {
	if d.text == "" || name == "" {
		return nil
	}
	for _, m := range docParam.FindAllStringSubmatch(d.text, -1) {
		if m[2] == name {
			return d.l.docTypeRef(m[1], 0)
		}
	}
	return nil
}

// typ is the type that a comment gives a variable or field.
func (d doc) typ() *model.TypeRef {
	if d.text == "" {
		return nil
	}
	if m := docType.FindStringSubmatch(d.text); m != nil {
		return d.l.docTypeRef(m[1], 0)
	}
	return nil
}

// result is the type that a comment gives a function's result.
func (d doc) result() *model.TypeRef {
	if d.text == "" {
		return nil
	}
	if m := docResult.FindStringSubmatch(d.text); m != nil {
		return d.l.docTypeRef(m[1], 0)
	}
	return nil
}

// docTypeRef reads a name, an import type, and unions and generics of them.
func (l *lowering) docTypeRef(s string, depth int) *model.TypeRef {
	if depth > maxDocType {
		return nil
	}
	s = strings.Trim(strings.TrimSpace(s), "?!=.")
	if alternatives := strings.Split(s, "|"); len(alternatives) > 1 && !strings.Contains(s, "<") {
		var union []*model.TypeRef
		for _, a := range alternatives {
			if ref := l.docTypeRef(a, depth+1); ref != nil {
				union = append(union, ref)
			}
		}
		if len(union) == 1 {
			return union[0]
		}
		if len(union) > 1 {
			return &model.TypeRef{Union: union}
		}
		return nil
	}
	if elem, ok := strings.CutSuffix(s, "[]"); ok {
		ref := &model.TypeRef{Name: "Array"}
		if e := l.docTypeRef(elem, depth+1); e != nil {
			ref.Args = []*model.TypeRef{e}
		}
		return ref
	}
	if open := strings.IndexByte(s, '<'); open > 0 && strings.HasSuffix(s, ">") {
		ref := l.docTypeRef(strings.TrimSuffix(s[:open], "."), depth+1)
		if ref != nil && !strings.Contains(s[open+1:], ",") {
			if arg := l.docTypeRef(s[open+1:len(s)-1], depth+1); arg != nil {
				ref.Args = []*model.TypeRef{arg}
			}
		}
		return ref
	}
	if m := docImport.FindStringSubmatch(s); m != nil {
		var rest []string
		if m[2] != "" {
			rest = strings.Split(m[2][1:], ".")
		}
		return l.importedType(&imported{specifier: m[1], name: "*"}, rest)
	}
	if s == "any" || s == "" || !docName.MatchString(s) {
		return nil
	}
	path := strings.Split(s, ".")
	if bd := l.sc.module.names[path[0]]; bd != nil && bd.kind != importBinding {
		// `const Stripe = require("stripe")` names the type as well.
		if ref := l.requiredType(bd, path[1:]); ref != nil {
			return ref
		}
	}
	return l.namedType(parse.NoNode, path)
}

// requiredType is the type named by a variable that holds a required module or a member of one.
func (l *lowering) requiredType(bd *binding, rest []string) *model.TypeRef {
	t := l.t
	value := bd.value
	name := "*"
	if t.Kind(value) == parse.KindMemberExpression {
		name = t.Text(t.Child(value, parse.FieldProperty))
		value = t.Child(value, parse.FieldObject)
	}
	if t.Kind(value) != parse.KindCallExpression || t.Text(t.Child(value, parse.FieldFunction)) != "require" {
		return nil
	}
	arg := t.Nth(t.Child(value, parse.FieldArguments), 0)
	if t.Kind(arg) != parse.KindString {
		return nil
	}
	switch t.Kind(t.Parent(bd.decl)) {
	case parse.KindObjectPattern:
		name = bd.name
	case parse.KindPairPattern:
		name = t.Text(t.Child(t.Parent(bd.decl), parse.FieldKey))
	default:
		if name == "*" && len(rest) == 0 {
			name = "default" // the module itself is the class
		}
	}
	return l.importedType(&imported{specifier: specifier(t, arg), name: name}, rest)
}
