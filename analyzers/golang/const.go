package golang

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strconv"

	"github.com/retrysafe/retrysafe/analyzers/model"
)

// constantOf gives the value of an expression that the compiler knows, by the type checker or by the declarations.
func (s *scope) constantOf(e ast.Expr) (model.Const, bool) {
	v := s.fold(e, constants{})
	if v == nil {
		return model.Const{}, false
	}
	switch v.Kind() {
	case constant.String:
		return model.Const{Kind: model.String, Text: constant.StringVal(v)}, true
	case constant.Bool:
		return model.Const{Kind: model.Bool, Text: strconv.FormatBool(constant.BoolVal(v))}, true
	case constant.Int:
		if text := v.ExactString(); len(text) < maxDigits {
			return model.Const{Kind: model.Number, Text: text}, true
		}
	case constant.Float:
		f, _ := constant.Float64Val(v)
		text := strconv.FormatFloat(f, 'f', -1, 64)
		if len(text) < maxDigits && text[0] != '+' && text != "NaN" && text != "-Inf" {
			return model.Const{Kind: model.Number, Text: text}, true
		}
	}
	return model.Const{}, false
}

// maxDigits bounds numbers, maxText texts that are made by joining constants, in bytes.
const (
	maxDigits = 400
	maxText   = 1 << 16
)

// constants is what the folding of a constant depends on.
type constants struct {
	iota  int64
	in    bool // within the declaration of a constant: iota means something
	depth int
}

// fold computes a constant; nil where the expression is none.
func (s *scope) fold(e ast.Expr, c constants) constant.Value {
	if c.depth++; c.depth > maxNesting {
		return nil
	}
	if info := s.file.pkg.Info; info != nil && !c.in {
		if tv, ok := info.Types[e]; ok && tv.Value != nil {
			if tv.Value.Kind() == constant.Unknown || isError(tv.Type) {
				return nil
			}
			return tv.Value
		}
	}
	switch e := e.(type) {
	case *ast.BasicLit:
		if e.Kind == token.IMAG || e.Kind == token.FLOAT && len(e.Value) > maxDigits || e.Kind == token.INT && len(e.Value) > maxDigits {
			return nil
		}
		v := constant.MakeFromLiteral(e.Value, e.Kind, 0)
		if v.Kind() == constant.Unknown {
			return nil
		}
		return v
	case *ast.ParenExpr:
		return s.fold(e.X, c)
	case *ast.Ident:
		return s.foldName(e, c)
	case *ast.SelectorExpr:
		if o, _, ok := s.qualified(e); ok {
			if o != nil {
				return o.fold()
			}
			if info := s.file.pkg.Info; info != nil {
				if tv, ok := info.Types[e]; ok && tv.Value != nil && tv.Value.Kind() != constant.Unknown && !isError(tv.Type) {
					return tv.Value
				}
			}
		}
	case *ast.UnaryExpr:
		switch e.Op {
		case token.ADD, token.SUB, token.XOR, token.NOT:
			if x := s.fold(e.X, c); x != nil && (x.Kind() == constant.Bool) == (e.Op == token.NOT) && x.Kind() != constant.String &&
				(e.Op != token.XOR || x.Kind() == constant.Int) {
				return constant.UnaryOp(e.Op, x, 0)
			}
		}
	case *ast.BinaryExpr:
		return s.foldBinary(e, c)
	case *ast.CallExpr:
		if len(e.Args) == 1 && s.isType(e.Fun) {
			x := s.fold(e.Args[0], c)
			if x == nil {
				return nil
			}
			t := s.typeOf(e.Fun).underlying()
			switch {
			case t.kind != basicKind:
				return nil
			case t.name == "string" && x.Kind() == constant.String, t.name == "bool" && x.Kind() == constant.Bool:
				return x
			case t.name != "string" && t.name != "bool" && (x.Kind() == constant.Int || x.Kind() == constant.Float && t.name[0] == 'f'):
				return x
			}
		}
	}
	return nil
}

// isError reports whether a constant is an error: it is known by its name, as redis.Nil is, and its text is only what is shown.
func isError(t types.Type) bool {
	named, ok := types.Unalias(t).(*types.Named)
	if !ok {
		return false
	}
	for m := range named.Methods() {
		if m.Name() == "Error" {
			return true
		}
	}
	return false
}

func (s *scope) foldName(id *ast.Ident, c constants) constant.Value {
	if l := s.local(id); l != nil {
		if l.kind != constLocal || l.expr == nil {
			return nil
		}
		if !l.folded {
			l.folded = true // what depends on itself is none
			l.constant = s.fold(l.expr, constants{l.iota, true, c.depth})
		}
		return l.constant
	}
	if o := s.object(id); o != nil {
		return o.fold()
	}
	switch id.Name {
	case "true", "false":
		return constant.MakeBool(id.Name == "true")
	case "iota":
		if c.in {
			return constant.MakeInt64(c.iota)
		}
	}
	return nil
}

// fold computes the value of a declared constant, once, while the program is put together.
func (o *object) fold() constant.Value {
	if !o.folded && o.kind == constObject && o.expr != nil {
		o.folded = true // what depends on itself is none
		s := &scope{file: o.file}
		o.constant = s.fold(o.expr, constants{o.iota, true, 0})
	}
	return o.constant
}

func (s *scope) foldBinary(e *ast.BinaryExpr, c constants) constant.Value {
	x := s.fold(e.X, c)
	if x == nil {
		return nil
	}
	y := s.fold(e.Y, c)
	if y == nil {
		return nil
	}
	number := func(v constant.Value) bool { return v.Kind() == constant.Int || v.Kind() == constant.Float }
	switch e.Op {
	case token.SHL, token.SHR:
		n, exact := constant.Uint64Val(constant.ToInt(y))
		if x.Kind() != constant.Int || !exact || n > maxDigits {
			return nil
		}
		return constant.Shift(x, e.Op, uint(n))
	case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
		if x.Kind() == y.Kind() && (x.Kind() != constant.Bool || e.Op == token.EQL || e.Op == token.NEQ) || number(x) && number(y) {
			return constant.MakeBool(constant.Compare(x, e.Op, y))
		}
	case token.LAND, token.LOR:
		if x.Kind() == constant.Bool && y.Kind() == constant.Bool {
			return constant.BinaryOp(x, e.Op, y)
		}
	case token.ADD:
		if x.Kind() == constant.String && y.Kind() == constant.String && len(constant.StringVal(x))+len(constant.StringVal(y)) < maxText {
			return constant.BinaryOp(x, e.Op, y)
		}
		fallthrough
	case token.SUB, token.MUL:
		if number(x) && number(y) {
			return constant.BinaryOp(x, e.Op, y)
		}
	case token.QUO:
		if number(x) && number(y) && constant.Sign(y) != 0 {
			if x.Kind() == constant.Int && y.Kind() == constant.Int {
				return constant.BinaryOp(x, token.QUO_ASSIGN, y)
			}
			return constant.BinaryOp(x, e.Op, y)
		}
	case token.REM, token.AND, token.OR, token.XOR, token.AND_NOT:
		if x.Kind() == constant.Int && y.Kind() == constant.Int && (e.Op != token.REM || constant.Sign(y) != 0) {
			return constant.BinaryOp(x, e.Op, y)
		}
	}
	return nil
}
