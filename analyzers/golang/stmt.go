package golang

import (
	"go/ast"
	"go/token"
	"slices"

	"github.com/retrysafe/retrysafe/analyzers/model"
)

// list lowers statements. What cannot be reached is left out, up to a label that a goto means.
func (b *body) list(list []ast.Stmt) {
	outer := b.gotos
	for _, s := range list {
		if l, ok := s.(*ast.LabeledStmt); ok && b.frame.jumps[l.Label.Name] {
			b.gotos = append(slices.Clip(b.gotos), gotoTarget{l.Label.Name, b.newBlock()})
		}
	}
	for _, s := range list {
		if l, ok := s.(*ast.LabeledStmt); ok {
			if to := b.gotoBlock(l.Label.Name); to != model.NoBlock {
				b.jump(l, to)
				b.enter(to)
			}
		}
		if b.cur == model.NoBlock {
			continue
		}
		b.statement(s)
	}
	b.gotos = outer
}

// gotoBlock finds the block of a label around or before the current place.
func (b *body) gotoBlock(name string) model.BlockID {
	for i := len(b.gotos) - 1; i >= 0; i-- {
		if b.gotos[i].name == name {
			return b.gotos[i].block
		}
	}
	return model.NoBlock
}

func (b *body) statement(s ast.Stmt) {
	b.nesting++
	defer func() { b.nesting-- }()
	if b.nesting > maxDepth {
		b.remark(s, "nested too deeply", true)
		b.unknown(s, "nested too deeply")
		return
	}
	labels := b.labels
	b.labels = nil
	switch s := s.(type) {
	case *ast.ExprStmt:
		b.effect(s.X)
	case *ast.AssignStmt:
		b.assign(s)
	case *ast.IncDecStmt:
		op := "+"
		if s.Tok == token.DEC {
			op = "-"
		}
		b.update(s, s.X, op, func() model.ID { return b.constant(s, model.Number, "1") })
	case *ast.DeclStmt:
		if d, ok := s.Decl.(*ast.GenDecl); ok {
			b.declaration(d)
		}
	case *ast.ReturnStmt:
		b.returns(s, s.Results)
	case *ast.IfStmt:
		b.ifStatement(s)
	case *ast.BlockStmt:
		b.labelled(s, labels, func() { b.list(s.List) })
	case *ast.ForStmt:
		b.forStatement(s, labels)
	case *ast.RangeStmt:
		b.rangeStatement(s, labels)
	case *ast.SwitchStmt:
		b.switchStatement(s, labels)
	case *ast.TypeSwitchStmt:
		b.typeSwitch(s, labels)
	case *ast.SelectStmt:
		b.selectStatement(s, labels)
	case *ast.BranchStmt:
		b.leave(s)
	case *ast.LabeledStmt:
		b.labels = append(labels, s.Label.Name)
		switch s.Stmt.(type) {
		case *ast.ForStmt, *ast.RangeStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt, *ast.BlockStmt, *ast.LabeledStmt:
			b.statement(s.Stmt)
		default:
			names := b.labels
			b.labels = nil
			b.labelled(s, names, func() { b.statement(s.Stmt) })
		}
	case *ast.GoStmt:
		b.later(s.Call, model.Spawn)
	case *ast.DeferStmt:
		b.later(s.Call, model.Defer)
	case *ast.SendStmt:
		b.send(s, "send")
	case *ast.EmptyStmt, nil:
	case *ast.BadStmt:
		b.broken(s)
	default:
		b.unknown(s, "statement")
	}
}

// send lowers a send; what is only offered goes nowhere where nobody is ready to take it.
func (b *body) send(s *ast.SendStmt, how string) {
	b.language(s, how, unknownType, b.expr(s.Chan), b.expr(s.Value))
}

// broken notes a part of the function that could not be read.
func (b *body) broken(n ast.Node) {
	b.fn.Partial = true
	b.remark(n, "syntax error", false)
	b.unknown(n, "syntax error")
}

// later lowers go and defer.
func (b *body) later(c *ast.CallExpr, kind model.OpKind) {
	if c == nil {
		return
	}
	if name, ok := b.builtin(ast.Unparen(c.Fun)); ok || b.isType(ast.Unparen(c.Fun)) {
		if name == "panic" && kind == model.Defer {
			b.exprs(c.Args)
			return
		}
		b.expr(c)
		return
	}
	b.call(c, kind)
}

func (b *body) returns(n ast.Node, values []ast.Expr) {
	var list []model.ID
	switch {
	case len(values) == 0:
		for _, l := range b.results {
			list = append(list, b.read(l, n))
		}
		if len(list) == 0 {
			b.end(n, model.Return, model.None)
			return
		}
	case len(values) == 1 && b.arity > 1:
		if _, ok := ast.Unparen(values[0]).(*ast.CallExpr); ok {
			list = b.tuple(values[0], b.arity)
			break
		}
		fallthrough
	default:
		list = b.exprs(values)
	}
	for i, l := range b.results {
		if l.cell && l.shared && i < len(list) {
			b.write(l, n, list[i]) // a deferred function reads it
		}
	}
	if len(list) == 1 {
		b.end(n, model.Return, list[0])
		return
	}
	b.end(n, model.Return, b.emit(n, model.Array, list...))
}

func (b *body) ifStatement(s *ast.IfStmt) {
	after := b.newBlock()
	for {
		if s.Init != nil {
			b.statement(s.Init)
		}
		yes, no := b.newBlock(), after
		if s.Else != nil {
			no = b.newBlock()
		}
		b.cond(s.Cond, yes, no)
		b.resume(yes)
		b.nested(s.Body)
		b.jump(s, after)
		if s.Else == nil {
			break
		}
		b.resume(no)
		if next, ok := s.Else.(*ast.IfStmt); ok && b.cur != model.NoBlock {
			s = next
			continue
		}
		if b.cur != model.NoBlock {
			b.statement(s.Else)
		}
		b.jump(s, after)
		break
	}
	b.resume(after)
}

func (b *body) nested(s *ast.BlockStmt) {
	if s != nil && b.cur != model.NoBlock {
		b.statement(s)
	}
}

// labelled lowers a statement that `break LABEL` can leave.
func (b *body) labelled(n ast.Node, labels []string, lower func()) {
	if len(labels) == 0 {
		lower()
		return
	}
	after := b.newBlock()
	b.within(target{labels: labels, breaks: after, repeats: model.NoBlock, labelOnly: true}, lower)
	b.jump(n, after)
	b.resume(after)
}

func (b *body) within(t target, lower func()) {
	b.targets = append(slices.Clip(b.targets), t)
	lower()
	b.targets = b.targets[:len(b.targets)-1]
}

// leave lowers break, continue, goto and fallthrough; a fallthrough at its place is a matter of the switch.
func (b *body) leave(s *ast.BranchStmt) {
	name := ""
	if s.Label != nil {
		name = s.Label.Name
	}
	switch s.Tok {
	case token.GOTO:
		if to := b.gotoBlock(name); to != model.NoBlock {
			b.jump(s, to)
			return
		}
	case token.FALLTHROUGH:
		return
	default:
		for i := len(b.targets) - 1; i >= 0; i-- {
			t := &b.targets[i]
			if name != "" && !slices.Contains(t.labels, name) || s.Tok == token.CONTINUE && t.repeats == model.NoBlock {
				continue
			}
			if name == "" && s.Tok == token.BREAK && t.labelOnly {
				continue
			}
			to := t.breaks
			if s.Tok == token.CONTINUE {
				to = t.repeats
			}
			b.jump(s, to)
			return
		}
	}
	b.remark(s, "nothing to leave", false)
	b.end(s, model.Unreachable, model.None)
}

func (b *body) forStatement(s *ast.ForStmt, labels []string) {
	if s.Init != nil {
		b.statement(s.Init)
	}
	head, inner, step, after := b.newBlock(), b.newBlock(), b.newBlock(), b.newBlock()
	b.jump(s, head)
	b.enter(head)
	if s.Cond != nil {
		b.cond(s.Cond, inner, after)
	} else {
		b.jump(s, inner)
	}
	b.resume(inner)
	b.within(target{labels: labels, breaks: after, repeats: step}, func() { b.nested(s.Body) })
	b.jump(s, step)
	b.resume(step)
	if s.Post != nil && b.cur != model.NoBlock {
		b.statement(s.Post)
	}
	b.jump(s, head)
	b.resume(after)
}

func (b *body) rangeStatement(s *ast.RangeStmt, labels []string) {
	over := b.expr(s.X)
	t := b.valueType(s.X)
	if t.underlying().kind == chanKind {
		over = b.language(s.X, "drain", t, over)
	}
	head, inner, after := b.newBlock(), b.newBlock(), b.newBlock()
	b.jump(s, head)
	b.enter(head)
	b.end(s.X, model.Range, over, inner, after)
	b.enter(inner)
	u := t.underlying()
	keyType, elemType := intType, t.element()
	what := "key"
	switch u.kind {
	case mapKind:
		keyType = u.key
	case chanKind:
		keyType, what = u.elem, "value"
	case funcKind: // an iterator hands over its values
		what = "value"
		keyType, elemType = unknownType, unknownType
		if len(u.params) == 1 {
			if y := u.params[0].underlying(); y.kind == funcKind {
				if len(y.params) > 0 {
					keyType = y.params[0]
				}
				if len(y.params) > 1 {
					what, elemType = "key", y.params[1]
				}
			}
		}
	case basicKind:
		if !t.isText() {
			what = "value"
			keyType = intType
		}
	case unknownKind:
		keyType = unknownType
	}
	set := func(e ast.Expr, what string, t *typ) {
		if id, ok := e.(*ast.Ident); e == nil || ok && id.Name == "_" {
			return
		}
		v := b.emitTyped(e, model.Element, what, t, over)
		if id, ok := e.(*ast.Ident); ok && s.Tok == token.DEFINE {
			b.declare(id, v, t)
			return
		}
		b.store(e, v)
	}
	set(s.Key, what, keyType)
	set(s.Value, "value", elemType)
	b.within(target{labels: labels, breaks: after, repeats: head}, func() { b.nested(s.Body) })
	b.jump(s, head)
	b.resume(after)
}

// declaration lowers var, const and type in a function.
func (b *body) declaration(d *ast.GenDecl) {
	for _, spec := range d.Specs {
		switch spec := spec.(type) {
		case *ast.TypeSpec:
			b.localType(spec)
		case *ast.ValueSpec:
			if d.Tok == token.VAR {
				b.variables(spec)
			}
		}
	}
}

func (b *body) variables(spec *ast.ValueSpec) {
	t := unknownType
	if spec.Type != nil {
		t = b.typeOf(spec.Type)
	}
	typeOr := func(other *typ) *typ {
		if spec.Type != nil {
			return t
		}
		return other
	}
	switch {
	case len(spec.Values) == 0:
		for _, id := range spec.Names {
			b.declare(id, b.zero(id, t, 0), t)
		}
	case len(spec.Values) == len(spec.Names):
		values := make([]model.ID, len(spec.Values))
		for i, e := range spec.Values {
			values[i] = b.assigned(e, spec.Type)
		}
		for i, id := range spec.Names {
			b.declare(id, values[i], typeOr(b.valueType(spec.Values[i])))
		}
	default:
		values := b.tuple(spec.Values[0], len(spec.Names))
		types := b.tupleType(spec.Values[0])
		for i, id := range spec.Names {
			b.declare(id, values[i], typeOr(types.result(i)))
		}
	}
}

// localType adds a type that is declared in a function to the unit.
func (b *body) localType(spec *ast.TypeSpec) {
	l := b.locals[spec.Name]
	if l == nil || l.kind != typeLocal || spec.Name.Name == "_" {
		return
	}
	outer := b.fn.Name
	if outer == "" {
		outer = "init"
	}
	o := &object{kind: typeObject, name: unique(b.types, outer+"."+spec.Name.Name), pkg: b.pkg, file: b.file, ident: spec.Name,
		spec: spec, typ: unknownType, state: resolved}
	if spec.Assign.IsValid() {
		l.typ = b.typeOf(spec.Type)
		return
	}
	l.typ = &typ{kind: namedKind, decl: o}
	o.typ = b.typeOf(spec.Type)
	b.typeDecl(o)
}
