package typescript

import (
	"slices"

	"github.com/retrysafe/retrysafe/analyzers/model"
	"github.com/retrysafe/retrysafe/analyzers/typescript/parse"
)

// body is a function under construction. Operations go to the current block.
type body struct {
	*lowering
	fn     *model.Func
	info   *funcInfo
	values map[*binding]model.ID // the value or the cell
	home   []model.BlockID       // by operation: its block
	preds  []int32               // by block: how many edges lead there, exceptions included
	cur    model.BlockID         // NoBlock after a jump: what follows cannot be reached

	handler  model.BlockID // where exceptions of new blocks go
	targets  []target
	cleanups []cleanup
	copies   int // of finally blocks

	depth   int
	path    string              // what the names of inner functions begin with
	spaces  []space             // namespaces whose body is being lowered
	members map[string]model.ID // values of the enum that is being evaluated
	labels  []string            // of the statement that comes next
}

// target is a statement that break or continue can leave.
type target struct {
	labels   []string
	breaks   model.BlockID
	repeats  model.BlockID // NoBlock if it is not a loop
	plain    bool          // an unlabelled break may mean it
	cleanups int           // how many cleanups were pending outside it
}

// cleanup is code that runs when control leaves a region: a finally block, the disposal of a `using` variable.
type cleanup struct {
	run     func()
	handler model.BlockID // outside the region
	targets int           // how many targets are outside it
}

func (b *body) op(op model.Op) model.ID {
	if b.cur == model.NoBlock {
		// Unreachable code is not lowered statement by statement; an expression that loses
		// its block on the way (a throwing helper) finishes in a block of its own.
		b.enter(b.newBlock())
	}
	id := model.ID(len(b.fn.Ops))
	b.fn.Ops = append(b.fn.Ops, op)
	b.home = append(b.home, b.cur)
	return id
}

func (b *body) emit(n parse.Node, kind model.OpKind, args ...model.ID) model.ID {
	return b.op(model.Op{Kind: kind, Args: b.keep(args), Span: b.span(n)})
}

func (b *body) emitNamed(n parse.Node, kind model.OpKind, name string, args ...model.ID) model.ID {
	return b.op(model.Op{Kind: kind, Name: name, Args: b.keep(args), Span: b.span(n)})
}

// keep copies arguments to where many of them share one allocation.
func (l *lowering) keep(args []model.ID) []model.ID {
	if len(args) == 0 {
		return nil
	}
	if len(l.ids)+len(args) > cap(l.ids) {
		l.ids = make([]model.ID, 0, max(512, len(args)))
	}
	at := len(l.ids)
	l.ids = append(l.ids, args...)
	return l.ids[at:len(l.ids):len(l.ids)]
}

func (b *body) unknown(n parse.Node, what string) model.ID {
	return b.op(model.Op{Kind: model.Unknown, Name: what, Span: b.span(n)})
}

func (b *body) constant(n parse.Node, kind model.ConstKind, text string) model.ID {
	return b.op(model.Op{Kind: model.Constant, Const: model.Const{Kind: kind, Text: text}, Span: b.span(n)})
}

func (b *body) undefined(n parse.Node) model.ID { return b.constant(n, model.Undefined, "") }

// newBlock reserves a block; enter makes it the current one.
func (b *body) newBlock() model.BlockID {
	b.fn.Blocks = append(b.fn.Blocks, model.Block{Value: model.None, Handler: model.NoBlock})
	b.preds = append(b.preds, 0)
	return model.BlockID(len(b.fn.Blocks) - 1)
}

// enter continues in the block. Its exceptions go to the handler of this moment.
func (b *body) enter(to model.BlockID) {
	b.cur = to
	b.fn.Blocks[to].Handler = b.handler
	if b.handler != model.NoBlock {
		b.preds[b.handler]++
	}
}

// fresh continues in a new block, as a change of handler requires.
func (b *body) fresh(n parse.Node) {
	if b.cur == model.NoBlock {
		return
	}
	next := b.newBlock()
	b.jump(n, next)
	b.enter(next)
}

func (b *body) end(n parse.Node, term model.TermKind, value model.ID, succs ...model.BlockID) {
	if b.cur == model.NoBlock {
		return
	}
	blk := &b.fn.Blocks[b.cur]
	blk.Term, blk.Value, blk.Span = term, value, b.span(n)
	blk.Succs = b.keepBlocks(succs)
	for _, s := range succs {
		b.preds[s]++
	}
	b.cur = model.NoBlock
}

func (b *body) jump(n parse.Node, to model.BlockID) { b.end(n, model.Jump, model.None, to) }

func (b *body) branch(n parse.Node, cond model.ID, yes, no model.BlockID) {
	b.end(n, model.If, cond, yes, no)
}

func (l *lowering) keepBlocks(list []model.BlockID) []model.BlockID {
	if len(list) == 0 {
		return nil
	}
	if len(l.edges)+len(list) > cap(l.edges) {
		l.edges = make([]model.BlockID, 0, 256)
	}
	at := len(l.edges)
	l.edges = append(l.edges, list...)
	return l.edges[at:len(l.edges):len(l.edges)]
}

// join is a block where several paths meet, each with a value.
type join struct {
	block model.BlockID
	from  []incoming
}

type incoming struct {
	pred  model.BlockID
	value model.ID
}

func (b *body) newJoin() *join { return &join{block: b.newBlock()} }

// arrive ends the current block with a jump to the join.
func (b *body) arrive(j *join, n parse.Node, value model.ID) {
	if b.cur == model.NoBlock {
		return
	}
	j.from = append(j.from, incoming{b.cur, value})
	b.jump(n, j.block)
}

// meet continues at the join and gives the value that arrived, or None if nothing arrives.
func (b *body) meet(j *join, n parse.Node) model.ID {
	if len(j.from) == 0 {
		b.cur = model.NoBlock
		return model.None
	}
	b.enter(j.block)
	if len(j.from) == 1 {
		return j.from[0].value
	}
	slices.SortFunc(j.from, func(x, y incoming) int { return int(x.pred - y.pred) })
	args := make([]model.ID, len(j.from))
	for i, in := range j.from {
		args[i] = in.value
	}
	return b.emit(n, model.Phi, args...)
}

// resume continues in the block if anything leads there.
func (b *body) resume(to model.BlockID) {
	if b.preds[to] > 0 {
		b.enter(to)
	} else {
		b.cur = model.NoBlock
	}
}

// finish ends the function: a path that falls off its end returns nothing, blocks that were
// reserved but never reached are dropped, and the blocks get their operations.
func (b *body) finish(n parse.Node) {
	b.end(n, model.Return, model.None)
	f := b.fn
	keep := make([]model.BlockID, len(f.Blocks))
	blocks := make([]model.Block, 0, len(f.Blocks))
	for i := range f.Blocks {
		keep[i] = model.NoBlock
		if f.Blocks[i].Term != 0 {
			keep[i] = model.BlockID(len(blocks))
			blocks = append(blocks, f.Blocks[i])
		}
	}
	counts := make([]int, len(blocks))
	for _, h := range b.home {
		counts[keep[h]]++
	}
	ids := make([]model.ID, len(f.Ops))
	for i := range blocks {
		blk := &blocks[i]
		for j, s := range blk.Succs {
			blk.Succs[j] = keep[s]
		}
		if blk.Handler != model.NoBlock {
			blk.Handler = keep[blk.Handler]
		}
		blk.Ops, ids = ids[:0:counts[i]], ids[counts[i]:]
	}
	for id, h := range b.home {
		blk := &blocks[keep[h]]
		blk.Ops = append(blk.Ops, model.ID(id))
	}
	b.release(f, blocks)
}

// memory is what one file after another of a worker grows into. Nothing of it stays in a unit.
type memory struct {
	spare []scratch
	bound []*binding
	marks []mark
}

// sized gives a zeroed slice of the length, from old if that is large enough.
func sized[T any](old []T, n int) []T {
	if cap(old) < n {
		return make([]T, n)
	}
	old = old[:n]
	clear(old)
	return old
}

// scratch is memory that one function after another grows into.
type scratch struct {
	ops    []model.Op
	blocks []model.Block
	home   []model.BlockID
	preds  []int32
}

// release gives the function memory of the right size and keeps the rest for the next one.
func (b *body) release(f *model.Func, blocks []model.Block) {
	old := scratch{f.Ops, f.Blocks, b.home, b.preds}
	f.Ops = append(make([]model.Op, 0, len(old.ops)), old.ops...)
	f.Blocks = blocks
	clear(old.ops)
	clear(old.blocks)
	b.spare = append(b.spare, scratch{old.ops[:0], old.blocks[:0], old.home[:0], old.preds[:0]})
}
