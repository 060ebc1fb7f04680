package typescript

import (
	"github.com/retrysafe/retrysafe/analyzers/model"
	"github.com/retrysafe/retrysafe/analyzers/typescript/parse"
)

func isLogical(op string) bool { return op == "&&" || op == "||" || op == "??" }

// operands lists the operands of a chain of one logical operator.
func (b *body) operands(n parse.Node) (op string, list []parse.Node) {
	t := b.t
	op = t.Operator(n)
	left := n
	for t.Kind(left) == parse.KindBinaryExpression && t.Operator(left) == op {
		list = append(list, t.Child(left, parse.FieldRight))
		left = t.Child(left, parse.FieldLeft)
	}
	list = append(list, left)
	for i, j := 0, len(list)-1; i < j; i, j = i+1, j-1 {
		list[i], list[j] = list[j], list[i]
	}
	return op, list
}

// logical is the value of &&, || and ??: control flow that meets in a Phi.
func (b *body) logical(n parse.Node, name string) model.ID {
	op, list := b.operands(n)
	j := b.newJoin()
	for _, c := range list[:len(list)-1] {
		v := b.named(c, name)
		next := b.newBlock()
		j.from = append(j.from, incoming{b.cur, v})
		b.shortcut(c, op, v, next, j.block)
		b.enter(next)
	}
	last := list[len(list)-1]
	b.arrive(j, last, b.named(last, name))
	return b.meet(j, n)
}

// shortcut goes on to next if the operator needs its right operand, given the left one.
func (b *body) shortcut(n parse.Node, op string, v model.ID, next, done model.BlockID) {
	switch op {
	case "&&":
		b.test(n, v, next, done)
	case "||":
		b.test(n, v, done, next)
	default:
		b.branch(n, b.isNullish(n, v), next, done)
	}
}

// isNullish compares with null, loosely, so that undefined is included.
func (b *body) isNullish(n parse.Node, v model.ID) model.ID {
	return b.emitNamed(n, model.Compare, "==", v, b.constant(n, model.Null, ""))
}

// test branches on a value; a negation swaps the ways instead.
func (b *body) test(n parse.Node, v model.ID, yes, no model.BlockID) {
	for op := &b.fn.Ops[v]; op.Kind == model.Unary && op.Name == "!"; op = &b.fn.Ops[v] {
		v, yes, no = op.Args[0], no, yes
	}
	b.branch(n, v, yes, no)
}

// cond evaluates an expression for its truth only and goes to one of the blocks.
func (b *body) cond(n parse.Node, yes, no model.BlockID) {
	b.depth++
	defer func() { b.depth-- }()
	if b.depth > maxDepth {
		b.branch(n, b.expr(n), yes, no)
		return
	}
	t := b.t
	switch t.Kind(n) {
	case parse.KindParenthesizedExpression, parse.KindNonNullExpression:
		b.cond(b.inner(n), yes, no)
		return
	case parse.KindUnaryExpression:
		if t.Operator(n) == "!" {
			b.cond(t.Child(n, parse.FieldArgument), no, yes)
			return
		}
	case parse.KindBinaryExpression:
		op := t.Operator(n)
		if op != "&&" && op != "||" {
			break
		}
		_, list := b.operands(n)
		for _, c := range list[:len(list)-1] {
			next := b.newBlock()
			if op == "&&" {
				b.cond(c, next, no)
			} else {
				b.cond(c, yes, next)
			}
			b.enter(next)
		}
		b.cond(list[len(list)-1], yes, no)
		return
	case parse.KindTernaryExpression:
		yes2, no2 := b.newBlock(), b.newBlock()
		b.cond(t.Child(n, parse.FieldCondition), yes2, no2)
		b.enter(yes2)
		b.cond(t.Child(n, parse.FieldConsequence), yes, no)
		b.enter(no2)
		b.cond(t.Child(n, parse.FieldAlternative), yes, no)
		return
	case parse.KindSequenceExpression:
		list := b.flattenSequence(n)
		for _, c := range list[:len(list)-1] {
			b.effect(c)
		}
		b.cond(list[len(list)-1], yes, no)
		return
	case parse.KindMemberExpression, parse.KindSubscriptExpression, parse.KindCallExpression:
		skip := no
		v := b.spine(n, "", &skip)
		b.test(n, v, yes, no)
		return
	}
	b.test(n, b.expr(n), yes, no)
}

// ternary is the value of `c ? a : b`. A long chain nests to the right, so it is walked without recursion.
func (b *body) ternary(n parse.Node, name string) model.ID {
	t := b.t
	j := b.newJoin()
	at := n
	for t.Kind(at) == parse.KindTernaryExpression {
		yes, no := b.newBlock(), b.newBlock()
		b.cond(t.Child(at, parse.FieldCondition), yes, no)
		b.enter(yes)
		c := t.Child(at, parse.FieldConsequence)
		b.arrive(j, c, b.named(c, name))
		b.enter(no)
		at = t.Child(at, parse.FieldAlternative)
	}
	b.arrive(j, at, b.named(at, name))
	return b.meet(j, n)
}

// effect evaluates an expression whose value is not used.
func (b *body) effect(n parse.Node) {
	b.depth++
	defer func() { b.depth-- }()
	t := b.t
	switch {
	case b.depth > maxDepth:
	case t.Kind(n) == parse.KindParenthesizedExpression:
		b.effect(b.inner(n))
		return
	case t.Kind(n) == parse.KindTernaryExpression:
		yes, no, after := b.newBlock(), b.newBlock(), b.newBlock()
		b.cond(t.Child(n, parse.FieldCondition), yes, no)
		b.enter(yes)
		b.effect(t.Child(n, parse.FieldConsequence))
		b.jump(n, after)
		b.enter(no)
		b.effect(t.Child(n, parse.FieldAlternative))
		b.jump(n, after)
		b.enter(after)
		return
	case t.Kind(n) == parse.KindBinaryExpression && isLogical(t.Operator(n)):
		op, left, right := t.Operator(n), t.Child(n, parse.FieldLeft), t.Child(n, parse.FieldRight)
		next, after := b.newBlock(), b.newBlock()
		switch op {
		case "&&":
			b.cond(left, next, after)
		case "||":
			b.cond(left, after, next)
		default:
			b.shortcut(left, op, b.expr(left), next, after)
		}
		b.enter(next)
		b.effect(right)
		b.jump(n, after)
		b.enter(after)
		return
	case t.Kind(n) == parse.KindInternalModule:
		b.namespace(n)
		return
	case t.Kind(n) == parse.KindSequenceExpression:
		for _, c := range b.flattenSequence(n) {
			b.effect(c)
		}
		return
	}
	b.expr(n)
}

// withDefault is the value, or the default where the value is undefined.
func (b *body) withDefault(v model.ID, value, n parse.Node, name string) model.ID {
	missing := b.emitNamed(n, model.Compare, "===", v, b.undefined(n))
	fallback, j := b.newBlock(), b.newJoin()
	j.from = append(j.from, incoming{b.cur, v})
	b.branch(n, missing, fallback, j.block)
	b.enter(fallback)
	b.arrive(j, n, b.named(value, name))
	return b.meet(j, n)
}
