package golang

import (
	"go/ast"
	"strings"

	"github.com/retrysafe/retrysafe/analyzers/model"
)

// format lowers fmt.Sprintf with a literal format, and fmt.Sprint, to the text that they make.
func (b *body) format(e *ast.CallExpr, fun ast.Expr) (model.ID, bool) {
	sel, ok := fun.(*ast.SelectorExpr)
	if !ok || e.Ellipsis.IsValid() || len(e.Args) == 0 || sel.Sel.Name != "Sprintf" && sel.Sel.Name != "Sprint" {
		return model.None, false
	}
	if path, ok := b.imported(sel.X); !ok || path != "fmt" {
		return model.None, false
	}
	if sel.Sel.Name == "Sprint" {
		return b.emitTyped(e, model.Concat, "", stringType, b.exprs(e.Args)...), true
	}
	c, ok := b.constantOf(e.Args[0])
	if !ok || c.Kind != model.String {
		return model.None, false
	}
	pieces, letters, ok := verbs(c.Text)
	if !ok || len(pieces) != len(e.Args) {
		return model.None, false
	}
	var args []model.ID
	for i, text := range pieces {
		if text != "" || len(pieces) == 1 {
			args = append(args, b.constant(e.Args[0], model.String, text))
		}
		if i+1 < len(e.Args) {
			args = append(args, b.written(e.Args[i+1], letters[i]))
		}
	}
	return b.emitTyped(e, model.Concat, "", stringType, args...), true
}

// written is a value as a verb writes it: a number, in quotes, or the address of what it points to.
func (b *body) written(e ast.Expr, verb byte) model.ID {
	v := b.expr(e)
	t := b.valueType(e)
	if _, constant := b.constantOf(e); constant {
		return v
	}
	switch {
	case verb == 'q':
		return b.language(e, "quote", stringType, v)
	case verb == 'p' || (verb == 'v' || verb == 's') && t.showsAddress():
		return b.language(e, "address", stringType, v)
	case strings.IndexByte("dboxXeEfFgGtcU", verb) >= 0 || verb == 'v' && t.underlying().kind == basicKind && !t.underlying().isText() && t.underlying().name != "error":
		return b.language(e, "number", stringType, v)
	}
	return v
}

// showsAddress reports whether the text of a value is, or has within it, the address of another one: a pointer is followed at the outside only, and only
// to a struct, a list or a map.
func (t *typ) showsAddress() bool {
	u := t.underlying()
	if u.kind == pointerKind {
		u = u.elem.underlying()
		switch u.kind {
		case basicKind, pointerKind:
			return true
		}
	}
	if u.kind != structKind {
		return false
	}
	for _, f := range u.fields {
		if f.typ != nil && f.typ.underlying().kind == pointerKind {
			return true
		}
	}
	return false
}

// verbs splits a format at its verbs: a text before each and one behind the last. It fails where arguments are numbered or give widths.
func verbs(format string) (pieces []string, letters []byte, ok bool) {
	var text strings.Builder
	for i := 0; i < len(format); i++ {
		if format[i] != '%' {
			text.WriteByte(format[i])
			continue
		}
		i++
		for i < len(format) && strings.IndexByte("+-# 0123456789.", format[i]) >= 0 {
			i++
		}
		if i >= len(format) || format[i] == '*' || format[i] == '[' {
			return nil, nil, false
		}
		if format[i] == '%' {
			text.WriteByte('%')
			continue
		}
		pieces, letters = append(pieces, text.String()), append(letters, format[i])
		text.Reset()
	}
	return append(pieces, text.String()), letters, true
}
