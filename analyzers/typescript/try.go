package typescript

import (
	"slices"

	"github.com/retrysafe/retrysafe/analyzers/model"
	"github.com/retrysafe/retrysafe/analyzers/typescript/parse"
)

// try lowers try, catch and finally.
func (b *body) try(n parse.Node) {
	t := b.t
	handler, finalizer := t.Child(n, parse.FieldHandler), t.Child(n, parse.FieldFinalizer)
	inner := func() { b.tryCatch(t.Child(n, parse.FieldBody), handler) }
	if finalizer == parse.NoNode {
		inner()
		return
	}
	last := t.Child(finalizer, parse.FieldBody)
	b.protect(n, func() { b.block(last) }, inner)
}

func (b *body) tryCatch(n, clause parse.Node) {
	if clause == parse.NoNode {
		b.block(n)
		return
	}
	t := b.t
	outer := b.handler
	caught, after := b.newBlock(), b.newBlock()
	b.handler = caught
	b.fresh(n)
	b.block(n)
	b.jump(n, after)
	b.handler = outer
	b.resume(caught)
	if b.cur != model.NoBlock {
		e := b.emit(clause, model.Catch)
		if sc := b.sc.at[clause]; sc != nil {
			b.enterScope(sc)
		}
		if p := t.Child(clause, parse.FieldParameter); p != parse.NoNode {
			b.bind(p, e)
		}
		b.block(t.Child(clause, parse.FieldBody))
		b.jump(clause, after)
	}
	b.resume(after)
}

// protect lowers inner so that run is executed on every way out of it: normally, by an exception, and
// through return, break and continue. Each way has its own copy of run.
func (b *body) protect(n parse.Node, run, inner func()) {
	outer := b.handler
	thrown, normal := b.newBlock(), b.newBlock()
	b.cleanups = append(slices.Clip(b.cleanups), cleanup{run: run, handler: outer, targets: len(b.targets)})
	b.handler = thrown
	b.fresh(n)
	inner()
	b.jump(n, normal)
	b.cleanups = b.cleanups[:len(b.cleanups)-1]
	b.handler = outer
	b.resume(thrown)
	if b.cur != model.NoBlock {
		e := b.emit(n, model.Catch)
		b.copy(n, run)
		b.end(n, model.Throw, e)
	}
	b.resume(normal)
	if b.cur != model.NoBlock {
		b.copy(n, run)
	}
}

// copy lowers a cleanup once more. Cleanups inside cleanups multiply, so the number is bounded.
func (b *body) copy(n parse.Node, run func()) {
	b.copies++
	if b.copies > maxCopies {
		b.note(n, "too many ways through finally")
		b.unknown(n, "finally")
		return
	}
	run()
}

// unwind runs the cleanups that a jump out of their regions passes, innermost first, down to the given number.
func (b *body) unwind(n parse.Node, down int) {
	cleanups, targets, handler := b.cleanups, b.targets, b.handler
	for i := len(cleanups) - 1; i >= down && b.cur != model.NoBlock; i-- {
		c := cleanups[i]
		b.cleanups, b.targets, b.handler = cleanups[:i], targets[:c.targets], c.handler
		b.fresh(n)
		b.copy(n, c.run)
	}
	b.cleanups, b.targets, b.handler = cleanups, targets, handler
}

// resources lists the variables that a `using` declaration declares.
func (b *body) resources(n parse.Node) []parse.Node {
	t := b.t
	if t.Kind(n) != parse.KindLexicalDeclaration || !t.Has(n, parse.TokenUsing) && !t.Has(n, parse.TokenAwaitUsing) {
		return nil
	}
	var names []parse.Node
	for d := range t.Children(n) {
		if name := t.Child(d, parse.FieldName); t.Kind(name) == parse.KindIdentifier && b.sc.bound[name] != nil {
			names = append(names, name)
		}
	}
	return names
}

// dispose lowers the rest of a block after a `using` declaration.
func (b *body) dispose(n parse.Node, names []parse.Node, rest func()) {
	b.depth++
	defer func() { b.depth-- }()
	if b.depth > maxDepth {
		b.note(n, "too many resources")
		rest()
		return
	}
	method := "[Symbol.dispose]"
	async := b.t.Has(n, parse.TokenAwaitUsing)
	if async {
		method = "[Symbol.asyncDispose]"
	}
	b.protect(n, func() {
		for i := len(names) - 1; i >= 0; i-- {
			v := b.load(b.sc.bound[names[i]], names[i])
			v = b.emit(names[i], model.Call, b.emitNamed(names[i], model.Load, method, v))
			if async {
				b.awaits()
				b.emit(names[i], model.Await, v)
			}
		}
	}, rest)
}
