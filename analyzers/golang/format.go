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
	pieces, ok := verbs(c.Text)
	if !ok || len(pieces) != len(e.Args) {
		return model.None, false
	}
	var args []model.ID
	for i, text := range pieces {
		if text != "" || len(pieces) == 1 {
			args = append(args, b.constant(e.Args[0], model.String, text))
		}
		if i+1 < len(e.Args) {
			args = append(args, b.expr(e.Args[i+1]))
		}
	}
	return b.emitTyped(e, model.Concat, "", stringType, args...), true
}

// verbs splits a format at its verbs: a text before each and one behind the last. It fails where arguments are numbered or give widths.
func verbs(format string) (pieces []string, ok bool) {
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
			return nil, false
		}
		if format[i] == '%' {
			text.WriteByte('%')
			continue
		}
		pieces = append(pieces, text.String())
		text.Reset()
	}
	return append(pieces, text.String()), true
}
