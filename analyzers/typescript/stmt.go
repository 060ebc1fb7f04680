package typescript

import (
	"slices"

	"github.com/retrysafe/retrysafe/analyzers/model"
	"github.com/retrysafe/retrysafe/analyzers/typescript/parse"
)

// statements lowers the statements below a node. What cannot be reached is left out.
func (b *body) statements(n parse.Node) {
	var list []parse.Node
	for c := range b.t.Children(n) {
		if f := b.t.Field(c); f == parse.FieldValue && b.t.Kind(n) == parse.KindSwitchCase {
			continue
		}
		list = append(list, c)
	}
	b.list(list)
}

func (b *body) list(list []parse.Node) {
	for i, c := range list {
		if b.cur == model.NoBlock {
			return
		}
		b.statement(c)
		if using := b.resources(c); len(using) > 0 {
			b.dispose(c, using, func() { b.list(list[i+1:]) })
			return
		}
	}
}

// block lowers a block with a scope of its own.
func (b *body) block(n parse.Node) {
	if sc := b.sc.at[n]; sc != nil {
		b.enterScope(sc)
	}
	b.statements(n)
}

func (b *body) statement(n parse.Node) {
	b.depth++
	defer func() { b.depth-- }()
	if b.depth > maxDepth {
		b.tooDeep(n)
		b.unknown(n, "nested too deeply")
		return
	}
	labels := b.labels
	b.labels = nil
	t := b.t
	switch k := t.Kind(n); k {
	case parse.KindExpressionStatement:
		b.expressionStatement(n)
	case parse.KindLexicalDeclaration, parse.KindVariableDeclaration:
		b.variables(n)
	case parse.KindReturnStatement:
		b.returnStatement(n)
	case parse.KindThrowStatement:
		b.end(n, model.Throw, b.expr(b.inner(n)))
	case parse.KindIfStatement:
		b.ifStatement(n)
	case parse.KindStatementBlock:
		b.labelled(n, labels, func() { b.block(n) })
	case parse.KindForStatement:
		b.forStatement(n, labels)
	case parse.KindForInStatement:
		b.forIn(n, labels)
	case parse.KindWhileStatement:
		b.whileStatement(n, labels)
	case parse.KindDoStatement:
		b.doStatement(n, labels)
	case parse.KindSwitchStatement:
		b.switchStatement(n, labels)
	case parse.KindTryStatement:
		b.labelled(n, labels, func() { b.try(n) })
	case parse.KindBreakStatement, parse.KindContinueStatement:
		b.leave(n)
	case parse.KindLabeledStatement:
		b.labels = append(labels, t.Text(t.Child(n, parse.FieldLabel)))
		body := t.Child(n, parse.FieldBody)
		switch t.Kind(body) {
		case parse.KindForStatement, parse.KindForInStatement, parse.KindWhileStatement, parse.KindDoStatement,
			parse.KindSwitchStatement, parse.KindStatementBlock, parse.KindTryStatement, parse.KindLabeledStatement:
			b.statement(body)
		default:
			names := b.labels
			b.labels = nil
			b.labelled(n, names, func() { b.statement(body) })
		}
	case parse.KindWithStatement:
		b.expr(b.inner(t.Child(n, parse.FieldObject)))
		b.note(n, "with statement: names in it are not resolved")
		b.statement(t.Child(n, parse.FieldBody))

	case parse.KindFunctionDeclaration, parse.KindGeneratorFunctionDeclaration:
		// Evaluated on entry of the scope.
	case parse.KindClassDeclaration, parse.KindAbstractClassDeclaration:
		b.classDeclaration(n)
	case parse.KindEnumDeclaration:
		b.enum(n)
	case parse.KindInternalModule:
		b.namespace(n)
	case parse.KindModule:
		if name := t.Child(n, parse.FieldName); t.Kind(name) == parse.KindIdentifier || t.Kind(name) == parse.KindMemberExpression {
			b.namespace(n)
		}
	case parse.KindImportStatement:
		b.importStatement(n)
	case parse.KindImportAlias:
		b.importAlias(n)
	case parse.KindExportStatement:
		b.exportStatement(n)

	case parse.KindInterfaceDeclaration, parse.KindTypeAliasDeclaration, parse.KindAmbientDeclaration, parse.KindFunctionSignature,
		parse.KindEmptyStatement, parse.KindDebuggerStatement, parse.KindMissing, parse.KindComment:
	case parse.KindError:
		b.unknown(n, "syntax error")
	case parse.KindElseClause:
		b.statement(b.inner(n))
	default:
		b.expr(n)
	}
}

func (b *body) expressionStatement(n parse.Node) {
	for c := range b.t.Children(n) {
		switch b.t.Kind(c) {
		case parse.KindError:
			b.unknown(c, "syntax error")
		case parse.KindMissing:
		default:
			b.effect(c)
		}
	}
}

// variables lowers the declarators of var, let, const and using.
func (b *body) variables(n parse.Node) {
	t := b.t
	docs := b.docOf(n)
	for d := range t.Children(n) {
		if t.Kind(d) != parse.KindVariableDeclarator {
			if t.Kind(d) == parse.KindError {
				b.unknown(d, "syntax error")
			}
			continue
		}
		pattern, value := t.Child(d, parse.FieldName), t.Child(d, parse.FieldValue)
		if value == parse.NoNode {
			bd := b.sc.bound[pattern]
			// `var x;` keeps the value that x has; a new cell or value of a loop's body starts anew.
			if bd != nil && bd.kind == letBinding && bd.store != inGlobal {
				b.store(bd, b.undefined(d), d)
			} else if bd != nil && bd.store == inValue {
				b.store(bd, b.undefined(d), d)
			}
			continue
		}
		first := len(b.fn.Ops)
		v := b.named(value, b.patternName(pattern))
		typ := b.annotation(d)
		if typ == nil {
			typ = docs.typ()
		}
		b.bind(pattern, b.typed(v, typ, first, d))
	}
}

// typed gives a value the type that its variable is declared with. A value that was made before the operation
// called first belongs to others as well and is converted instead.
func (b *body) typed(v model.ID, typ *model.TypeRef, first int, n parse.Node) model.ID {
	if typ == nil || v == model.None {
		return v
	}
	op := &b.fn.Ops[v]
	if int(v) >= first && op.Type == nil {
		switch op.Kind {
		case model.Call, model.Load, model.LoadGlobal, model.Await, model.Object, model.Array, model.Phi, model.Unknown:
			op.Type = typ
			return v
		}
	}
	if int(v) >= first && op.Kind != model.FreeVar && op.Kind != model.Parameter {
		return v
	}
	return b.op(model.Op{Kind: model.Convert, Args: []model.ID{v}, Type: typ, Span: b.span(n)})
}

func (b *body) returnStatement(n parse.Node) {
	// Where a syntax error may have torn the statement out of its function, it is uncertain, so that
	// the rest of the module is not lost.
	next := model.NoBlock
	if b.fn.Index == 0 && b.fn.Partial {
		leave := b.newBlock()
		next = b.newBlock()
		b.branch(n, b.unknown(n, "syntax error"), leave, next)
		b.enter(leave)
	}
	value := parse.NoNode
	for c := range b.t.Children(n) {
		if k := b.t.Kind(c); k != parse.KindError && k != parse.KindMissing {
			value = c
			break
		}
	}
	if value != parse.NoNode {
		b.returnValue(n, value)
	} else {
		b.unwind(n, 0)
		b.end(n, model.Return, model.None)
	}
	if next != model.NoBlock {
		b.enter(next)
	}
}

// returnValue returns the value of an expression. Each way through a conditional expression is a return of its own.
func (b *body) returnValue(n, value parse.Node) {
	t := b.t
	for t.Kind(value) == parse.KindParenthesizedExpression {
		value = b.inner(value)
	}
	if t.Kind(value) == parse.KindSequenceExpression {
		list := b.flattenSequence(value)
		for _, c := range list[:len(list)-1] {
			b.effect(c)
		}
		value = list[len(list)-1]
	}
	for t.Kind(value) == parse.KindTernaryExpression {
		yes, no := b.newBlock(), b.newBlock()
		b.cond(t.Child(value, parse.FieldCondition), yes, no)
		b.enter(yes)
		b.depth++
		if b.depth > maxDepth {
			b.end(n, model.Return, b.expr(t.Child(value, parse.FieldConsequence)))
		} else {
			b.returnValue(n, t.Child(value, parse.FieldConsequence))
		}
		b.depth--
		b.enter(no)
		value = t.Child(value, parse.FieldAlternative)
		for t.Kind(value) == parse.KindParenthesizedExpression {
			value = b.inner(value)
		}
	}
	v := b.named(value, "return")
	b.unwind(n, 0)
	b.end(n, model.Return, v)
}

// ifStatement lowers if and else-if chains without recursion.
func (b *body) ifStatement(n parse.Node) {
	t := b.t
	after := b.newBlock()
	for {
		yes, no := b.newBlock(), after
		alternative := t.Child(n, parse.FieldAlternative)
		if alternative != parse.NoNode {
			no = b.newBlock()
		}
		b.cond(t.Child(n, parse.FieldCondition), yes, no)
		b.resume(yes)
		b.nested(t.Child(n, parse.FieldConsequence))
		b.jump(n, after)
		if alternative == parse.NoNode {
			break
		}
		b.resume(no)
		next := alternative
		if t.Kind(alternative) == parse.KindElseClause {
			next = b.inner(alternative)
		}
		if t.Kind(next) == parse.KindIfStatement && b.cur != model.NoBlock {
			n = next
			continue
		}
		b.nested(next)
		b.jump(n, after)
		break
	}
	b.resume(after)
}

// nested lowers the statement of an if or a loop.
func (b *body) nested(n parse.Node) {
	if n != parse.NoNode && b.cur != model.NoBlock {
		b.statement(n)
	}
}

// labelled lowers a statement that `break LABEL` can leave.
func (b *body) labelled(n parse.Node, labels []string, lower func()) {
	if len(labels) == 0 {
		lower()
		return
	}
	after := b.newBlock()
	b.pushTarget(target{labels: labels, breaks: after, repeats: model.NoBlock})
	lower()
	b.popTarget()
	b.jump(n, after)
	b.resume(after)
}

func (b *body) pushTarget(t target) {
	t.cleanups = len(b.cleanups)
	b.targets = append(slices.Clip(b.targets), t)
}

func (b *body) popTarget() { b.targets = b.targets[:len(b.targets)-1] }

// leave lowers break and continue.
func (b *body) leave(n parse.Node) {
	t := b.t
	repeats := t.Kind(n) == parse.KindContinueStatement
	name := t.Text(t.Child(n, parse.FieldLabel))
	for i := len(b.targets) - 1; i >= 0; i-- {
		to := b.targets[i]
		switch {
		case name != "" && !slices.Contains(to.labels, name):
			continue
		case repeats && to.repeats == model.NoBlock:
			continue
		case name == "" && !repeats && !to.plain:
			continue
		}
		b.unwind(n, to.cleanups)
		if repeats {
			b.jump(n, to.repeats)
		} else {
			b.jump(n, to.breaks)
		}
		return
	}
	// A syntax error that the grammar does not see. What follows is kept.
	b.note(n, "nothing to leave")
}

func isAlways(t *parse.Tree, n parse.Node) bool {
	for t.Kind(n) == parse.KindParenthesizedExpression {
		n = t.Nth(n, 0)
	}
	return t.Kind(n) == parse.KindTrue || t.Kind(n) == parse.KindNumber && t.Text(n) == "1"
}

func (b *body) whileStatement(n parse.Node, labels []string) {
	cond := b.t.Child(n, parse.FieldCondition)
	head, inner, after := b.newBlock(), b.newBlock(), b.newBlock()
	b.jump(n, head)
	b.enter(head)
	if isAlways(b.t, cond) {
		b.jump(cond, inner)
	} else {
		b.cond(cond, inner, after)
	}
	b.loopBody(n, labels, inner, after, head)
	b.jump(n, head)
	b.resume(after)
}

// loopBody lowers the body of a loop. The caller says what follows its end.
func (b *body) loopBody(n parse.Node, labels []string, inner, after, repeats model.BlockID) {
	b.pushTarget(target{labels: labels, breaks: after, repeats: repeats, plain: true})
	b.resume(inner)
	b.nested(b.t.Child(n, parse.FieldBody))
	b.popTarget()
}

func (b *body) doStatement(n parse.Node, labels []string) {
	cond := b.t.Child(n, parse.FieldCondition)
	inner, check, after := b.newBlock(), b.newBlock(), b.newBlock()
	b.jump(n, inner)
	b.loopBody(n, labels, inner, after, check)
	b.jump(n, check)
	b.resume(check)
	if b.cur != model.NoBlock {
		if isAlways(b.t, cond) {
			b.jump(cond, inner)
		} else {
			b.cond(cond, inner, after)
		}
	}
	b.resume(after)
}

func (b *body) forStatement(n parse.Node, labels []string) {
	t := b.t
	if sc := b.sc.at[n]; sc != nil {
		b.enterScope(sc)
	}
	if init := t.Child(n, parse.FieldInitializer); init != parse.NoNode {
		b.forPart(init)
	}
	head, inner, step, after := b.newBlock(), b.newBlock(), b.newBlock(), b.newBlock()
	b.jump(n, head)
	b.enter(head)
	cond := t.Child(n, parse.FieldCondition)
	if t.Kind(cond) == parse.KindExpressionStatement {
		cond = b.inner(cond)
	}
	switch t.Kind(cond) {
	case parse.KindNone, parse.KindEmptyStatement:
		b.jump(n, inner)
	default:
		if isAlways(t, cond) {
			b.jump(cond, inner)
		} else {
			b.cond(cond, inner, after)
		}
	}
	b.loopBody(n, labels, inner, after, step)
	b.jump(n, step)
	b.resume(step)
	if inc := t.Child(n, parse.FieldIncrement); inc != parse.NoNode && b.cur != model.NoBlock {
		b.effect(inc)
	}
	b.jump(n, head)
	b.resume(after)
}

// forPart lowers the initialiser of a for statement, a declaration or an expression.
func (b *body) forPart(n parse.Node) {
	switch b.t.Kind(n) {
	case parse.KindLexicalDeclaration, parse.KindVariableDeclaration, parse.KindExpressionStatement, parse.KindEmptyStatement:
		b.statement(n)
	default:
		b.effect(n)
	}
}

// forIn lowers for-of, for-in and for-await. The variable is new in each round.
func (b *body) forIn(n parse.Node, labels []string) {
	t := b.t
	left, right := t.Child(n, parse.FieldLeft), t.Child(n, parse.FieldRight)
	over := b.expr(right)
	head, inner, after := b.newBlock(), b.newBlock(), b.newBlock()
	b.jump(n, head)
	b.enter(head)
	b.end(right, model.Range, over, inner, after)
	b.enter(inner)
	if sc := b.sc.at[n]; sc != nil {
		b.enterScope(sc)
	}
	what := "value"
	if t.Operator(n) == "in" {
		what = "key"
	}
	v := b.emitNamed(left, model.Element, what, over)
	if t.Has(n, parse.TokenAwait) {
		b.awaits()
		v = b.emit(left, model.Await, v)
	}
	b.pushTarget(target{labels: labels, breaks: after, repeats: head, plain: true})
	b.bind(left, v)
	b.nested(t.Child(n, parse.FieldBody))
	b.popTarget()
	b.jump(n, head)
	b.resume(after)
}

// switchStatement lowers a switch as a chain of comparisons; its bodies fall through in source order.
func (b *body) switchStatement(n parse.Node, labels []string) {
	t := b.t
	subject := b.inner(t.Child(n, parse.FieldValue))
	list := t.Child(n, parse.FieldBody)
	if sc := b.sc.at[list]; sc != nil {
		b.enterScope(sc)
	}
	always := isAlways(t, subject) && t.Kind(subject) == parse.KindTrue
	v := model.None
	if !always {
		v = b.expr(subject)
	}
	type clause struct {
		node  parse.Node
		block model.BlockID
	}
	var clauses []clause
	after := b.newBlock()
	other := after
	for c := range t.Children(list) {
		switch t.Kind(c) {
		case parse.KindSwitchCase, parse.KindSwitchDefault:
			clauses = append(clauses, clause{c, b.newBlock()})
			if t.Kind(c) == parse.KindSwitchDefault {
				other = clauses[len(clauses)-1].block
			}
		}
	}
	for _, c := range clauses {
		if t.Kind(c.node) == parse.KindSwitchDefault {
			continue
		}
		value := t.Child(c.node, parse.FieldValue)
		next := b.newBlock()
		if always {
			b.cond(value, c.block, next)
		} else {
			with := b.expr(value)
			b.branch(value, b.emitNamed(value, model.Compare, b.comparison("===", v, with), v, with), c.block, next)
		}
		b.enter(next)
	}
	b.jump(n, other)
	b.pushTarget(target{labels: labels, breaks: after, repeats: model.NoBlock, plain: true})
	for i, c := range clauses {
		b.resume(c.block)
		b.statements(c.node)
		if i+1 < len(clauses) {
			b.jump(c.node, clauses[i+1].block)
		} else {
			b.jump(c.node, after)
		}
	}
	b.popTarget()
	b.resume(after)
}
