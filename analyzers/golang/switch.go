package golang

import (
	"go/ast"
	"go/token"
	"slices"

	"github.com/retrysafe/retrysafe/analyzers/model"
)

// clause is a case of a switch.
type clause struct {
	*ast.CaseClause
	block model.BlockID
}

// clauses reserves a block for each case; other is that of the default, or what follows.
func (b *body) clauses(body *ast.BlockStmt, after model.BlockID) (list []clause, other model.BlockID) {
	other = after
	if body == nil {
		return nil, other
	}
	for _, s := range body.List {
		if c, ok := s.(*ast.CaseClause); ok {
			list = append(list, clause{c, b.newBlock()})
			if c.List == nil {
				other = list[len(list)-1].block
			}
		}
	}
	return list, other
}

// switchStatement compares the tag with the cases in order.
func (b *body) switchStatement(s *ast.SwitchStmt, labels []string) {
	if s.Init != nil {
		b.statement(s.Init)
	}
	tag := model.None
	if s.Tag != nil {
		tag = b.expr(s.Tag)
	}
	after := b.newBlock()
	clauses, other := b.clauses(s.Body, after)
	for _, c := range clauses {
		for _, e := range c.List {
			next := b.newBlock()
			if tag == model.None {
				b.cond(e, c.block, next)
			} else {
				b.branch(e, b.emitNamed(e, model.Compare, "==", tag, b.expr(e)), c.block, next)
			}
			b.resume(next)
		}
	}
	b.jump(s, other)
	b.within(target{labels: labels, breaks: after, repeats: model.NoBlock}, func() {
		for i, c := range clauses {
			b.resume(c.block)
			if b.cur != model.NoBlock {
				b.list(c.Body)
			}
			if i+1 < len(clauses) && fallsThrough(c.Body) {
				b.jump(c, clauses[i+1].block)
			}
			b.jump(c, after)
		}
	})
	b.resume(after)
}

func fallsThrough(list []ast.Stmt) bool {
	if len(list) == 0 {
		return false
	}
	last, ok := list[len(list)-1].(*ast.BranchStmt)
	return ok && last.Tok == token.FALLTHROUGH
}

// typeSwitch goes to one of the cases; which one is not told, except for nil. In a case with one type the value has that type.
func (b *body) typeSwitch(s *ast.TypeSwitchStmt, labels []string) {
	if s.Init != nil {
		b.statement(s.Init)
	}
	var subject ast.Expr
	switch a := s.Assign.(type) {
	case *ast.AssignStmt:
		if len(a.Rhs) == 1 {
			subject = a.Rhs[0]
		}
	case *ast.ExprStmt:
		subject = a.X
	}
	if t, ok := ast.Unparen(subject).(*ast.TypeAssertExpr); ok {
		subject = t.X
	}
	v, vt := model.None, unknownType
	if subject != nil {
		v, vt = b.expr(subject), b.valueType(subject)
	} else {
		v = b.unknown(s, "type switch")
	}
	after := b.newBlock()
	clauses, other := b.clauses(s.Body, after)
	for _, c := range clauses {
		for _, e := range c.List {
			next := b.newBlock()
			if isNil(e) {
				b.branch(e, b.emitNamed(e, model.Compare, "==", v, b.null(e)), c.block, next)
			} else {
				b.branch(e, b.unknown(e, "type", v), c.block, next)
			}
			b.resume(next)
		}
	}
	b.jump(s, other)
	b.within(target{labels: labels, breaks: after, repeats: model.NoBlock}, func() {
		for _, c := range clauses {
			b.resume(c.block)
			if b.cur == model.NoBlock {
				continue
			}
			if l := b.names.clauses[c.CaseClause]; l != nil {
				t, as := vt, v
				if len(c.List) == 1 && !isNil(c.List[0]) {
					t = b.typeOf(c.List[0])
					as = b.emitTyped(c.List[0], model.Convert, "", t, v)
				}
				b.bind(l, c, as, t)
			}
			b.list(c.Body)
			b.jump(c, after)
		}
	})
	b.resume(after)
}

func isNil(e ast.Expr) bool {
	id, ok := ast.Unparen(e).(*ast.Ident)
	return ok && id.Name == "nil"
}

// selectStatement goes to any of the cases.
func (b *body) selectStatement(s *ast.SelectStmt, labels []string) {
	after := b.newBlock()
	var cases []*ast.CommClause
	var blocks []model.BlockID
	if s.Body != nil {
		for _, c := range s.Body.List {
			if c, ok := c.(*ast.CommClause); ok {
				cases, blocks = append(cases, c), append(blocks, b.newBlock())
			}
		}
	}
	offers := slices.ContainsFunc(cases, func(c *ast.CommClause) bool { return c.Comm == nil })
	if len(cases) == 0 {
		b.end(s, model.Unreachable, model.None)
		b.resume(after)
		return
	}
	for i, c := range cases[:len(cases)-1] {
		next := b.newBlock()
		b.branch(c, b.unknown(c, "select"), blocks[i], next)
		b.enter(next)
	}
	b.jump(s, blocks[len(blocks)-1])
	b.within(target{labels: labels, breaks: after, repeats: model.NoBlock}, func() {
		for i, c := range cases {
			b.resume(blocks[i])
			if s, ok := c.Comm.(*ast.SendStmt); ok && offers && b.cur != model.NoBlock {
				b.send(s, "offer")
			} else if c.Comm != nil {
				b.statement(c.Comm)
			}
			b.list(c.Body)
			b.jump(c, after)
		}
	})
	b.resume(after)
}
