package golang

import (
	"go/ast"
	"slices"

	"github.com/retrysafe/retrysafe/analyzers/model"
)

// body is a function under construction. Operations go to the current block.
type body struct {
	*lowering
	scope
	fn     *model.Func
	frame  *frame
	names  *names
	values map[*local]model.ID // the value or the cell
	home   []model.BlockID     // by operation: its block
	preds  []int32             // by block: how many edges lead there
	cur    model.BlockID       // NoBlock after a jump: what follows cannot be reached

	targets []target
	labels  []string // of the statement that comes next
	gotos   []gotoTarget
	results []*local // named ones
	arity   int      // how many results the function has

	place    *model.Span // of everything, while what stands elsewhere is spelled out
	spelling int
	nesting  int
	literals int // how many function literals were met
}

// target is a statement that break or continue can leave.
type target struct {
	labels  []string
	breaks  model.BlockID
	repeats model.BlockID // NoBlock if it is not a loop
	// labelOnly is set for a statement that a break without a label does not mean.
	labelOnly bool
}

// gotoTarget is a label of the statement lists around the current statement.
type gotoTarget struct {
	name  string
	block model.BlockID
}

func (b *body) op(op model.Op) model.ID {
	if b.cur == model.NoBlock {
		b.enter(b.newBlock()) // unreachable, as the code after a panic within an expression is
	}
	id := model.ID(len(b.fn.Ops))
	b.fn.Ops = append(b.fn.Ops, op)
	b.home = append(b.home, b.cur)
	return id
}

func (b *body) emit(n ast.Node, kind model.OpKind, args ...model.ID) model.ID {
	return b.op(model.Op{Kind: kind, Args: args, Span: b.at(n)})
}

func (b *body) emitNamed(n ast.Node, kind model.OpKind, name string, args ...model.ID) model.ID {
	return b.op(model.Op{Kind: kind, Name: name, Args: args, Span: b.at(n)})
}

func (b *body) emitTyped(n ast.Node, kind model.OpKind, name string, t *typ, args ...model.ID) model.ID {
	return b.op(model.Op{Kind: kind, Name: name, Args: args, Type: t.ref(), Span: b.at(n)})
}

// at is the place of a node in the file of the body.
func (b *body) at(n ast.Node) model.Span {
	if b.place != nil {
		return *b.place
	}
	return b.span(b.file, n)
}

// remark adds a note; cut says that a bound was reached.
func (b *body) remark(n ast.Node, what string, cut bool) {
	b.unit.Notes = append(b.unit.Notes, model.Note{Span: b.at(n), What: what, Cut: cut})
}

func (b *body) unknown(n ast.Node, what string, args ...model.ID) model.ID {
	return b.emitNamed(n, model.Unknown, what, args...)
}

func (b *body) constant(n ast.Node, kind model.ConstKind, text string) model.ID {
	return b.op(model.Op{Kind: model.Constant, Const: model.Const{Kind: kind, Text: text}, Span: b.at(n)})
}

func (b *body) null(n ast.Node) model.ID { return b.constant(n, model.Null, "") }

// newBlock reserves a block; enter makes it the current one.
func (b *body) newBlock() model.BlockID {
	b.fn.Blocks = append(b.fn.Blocks, model.Block{Value: model.None, Handler: model.NoBlock})
	b.preds = append(b.preds, 0)
	return model.BlockID(len(b.fn.Blocks) - 1)
}

func (b *body) enter(to model.BlockID) { b.cur = to }

func (b *body) end(n ast.Node, term model.TermKind, value model.ID, succs ...model.BlockID) {
	if b.cur == model.NoBlock {
		return
	}
	blk := &b.fn.Blocks[b.cur]
	blk.Term, blk.Value, blk.Span, blk.Succs = term, value, b.at(n), succs
	for _, s := range succs {
		b.preds[s]++
	}
	b.cur = model.NoBlock
}

func (b *body) jump(n ast.Node, to model.BlockID) { b.end(n, model.Jump, model.None, to) }

func (b *body) branch(n ast.Node, cond model.ID, yes, no model.BlockID) {
	b.end(n, model.If, cond, yes, no)
}

// resume continues in the block if anything leads there.
func (b *body) resume(to model.BlockID) {
	if b.preds[to] > 0 {
		b.enter(to)
	} else {
		b.cur = model.NoBlock
	}
}

// incoming is a value that comes from a block.
type incoming struct {
	pred  model.BlockID
	value model.ID
}

// meet continues in a block where values arrive by several ways.
func (b *body) meet(n ast.Node, block model.BlockID, from []incoming, t *typ) model.ID {
	b.enter(block)
	slices.SortFunc(from, func(x, y incoming) int { return int(x.pred - y.pred) })
	args := make([]model.ID, len(from))
	for i, in := range from {
		args[i] = in.value
	}
	return b.emitTyped(n, model.Phi, "", t, args...)
}

// finish ends the function: a path that falls off its end returns, blocks that were reserved and never
// reached are dropped, and the blocks get their operations.
func (b *body) finish(n ast.Node) {
	if b.cur != model.NoBlock {
		b.returns(n, nil)
	}
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
	for i := range blocks {
		for j, s := range blocks[i].Succs {
			blocks[i].Succs[j] = keep[s]
		}
	}
	for id, h := range b.home {
		blk := &blocks[keep[h]]
		blk.Ops = append(blk.Ops, model.ID(id))
	}
	f.Blocks = blocks
}
