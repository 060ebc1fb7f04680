package parse

import (
	"iter"
	"sort"
)

// Node is the index of a node in its tree. The root is 0, and children have larger numbers than their parent.
type Node int32

// NoNode is the answer of a look-up that found nothing. Every method of Tree accepts it and answers with the zero value
// or with NoNode, so look-ups can be chained.
const NoNode Node = -1

// record is one node. Nodes stand in pre-order: the subtree of node n is [n, next).
//
// The C flattener writes this layout directly; its struct must stay the same.
type record struct {
	start, end uint32 // byte offsets into the source
	parent     int32  // -1 for the root
	next       int32  // index after the last descendant
	kind       Kind
	field      Field
	seen       uint8 // scratch of the flatteners, meaningless afterwards
}

// Tree is the syntax tree of one file. It owns no foreign memory and is safe for concurrent reading.
type Tree struct {
	path    string
	dialect Dialect
	source  []byte
	nodes   []record
	errors  []Node
	repairs []Repair
	lines   lineTable
}

// Dialect is the grammar that was used: the one asked for, or TSX if the file could only be read that way.
func (t *Tree) Dialect() Dialect { return t.dialect }

// Source is the text that offsets refer to: the bytes given to Parse, or their UTF-8 form if they were UTF-16.
// It must not be changed.
func (t *Tree) Source() []byte { return t.source }

// Repairs lists the spellings that were replaced by a neighbouring one before the parse that gave this tree, in order of
// position. It is empty for nearly every file.
func (t *Tree) Repairs() []Repair { return t.repairs }

// Len is the number of nodes; valid nodes are 0 to Len()-1.
func (t *Tree) Len() int { return len(t.nodes) }

// Root is the program: KindProgram, or KindError if the file is so broken that the parser did not get to its end. The
// statements it could read are children of the root in both cases.
func (t *Tree) Root() Node { return 0 }

func (t *Tree) valid(n Node) bool { return n >= 0 && int(n) < len(t.nodes) }

// Kind of the node.
func (t *Tree) Kind(n Node) Kind {
	if !t.valid(n) {
		return KindNone
	}
	return t.nodes[n].kind
}

// Field is the role that the node plays for its parent.
func (t *Tree) Field(n Node) Field {
	if !t.valid(n) {
		return NoField
	}
	return t.nodes[n].field
}

// Parent of the node; NoNode for the root.
func (t *Tree) Parent(n Node) Node {
	if !t.valid(n) {
		return NoNode
	}
	return Node(t.nodes[n].parent)
}

// Last is the last node of the subtree: the nodes below n, at any depth, are n+1 to Last(n).
func (t *Tree) Last(n Node) Node {
	if !t.valid(n) {
		return NoNode
	}
	return Node(t.nodes[n].next - 1)
}

// FirstChild is the first child of any kind, tokens and comments included.
func (t *Tree) FirstChild(n Node) Node {
	if !t.valid(n) || t.nodes[n].next == int32(n)+1 {
		return NoNode
	}
	return n + 1
}

// NextSibling is the next node of any kind under the same parent, tokens and comments included.
func (t *Tree) NextSibling(n Node) Node {
	if !t.valid(n) || n == 0 {
		return NoNode
	}
	next := t.nodes[n].next
	if next >= t.nodes[t.nodes[n].parent].next {
		return NoNode
	}
	return Node(next)
}

// PrevSibling is the node of any kind before this one under the same parent, tokens and comments included.
func (t *Tree) PrevSibling(n Node) Node {
	if !t.valid(n) || n == 0 {
		return NoNode
	}
	up := t.Parent(n)
	if n == up+1 {
		return NoNode
	}
	before := n - 1 // the last descendant of the sibling
	for t.Parent(before) != up {
		before = t.Parent(before)
	}
	return before
}

// Child is the first child with the field, token or not, or NoNode.
func (t *Tree) Child(n Node, f Field) Node {
	if f == NoField {
		return NoNode
	}
	for c := t.FirstChild(n); c != NoNode; c = t.NextSibling(c) {
		if t.nodes[c].field == f {
			return c
		}
	}
	return NoNode
}

// ChildOf is the first child of the kind, token or not, or NoNode.
func (t *Tree) ChildOf(n Node, k Kind) Node {
	for c := t.FirstChild(n); c != NoNode; c = t.NextSibling(c) {
		if t.nodes[c].kind == k {
			return c
		}
	}
	return NoNode
}

// Children yields the children in order, without tokens and comments.
func (t *Tree) Children(n Node) iter.Seq[Node] {
	return func(yield func(Node) bool) {
		for c := t.FirstChild(n); c != NoNode; c = t.NextSibling(c) {
			if k := t.nodes[c].kind; k.IsToken() || k.IsComment() {
				continue
			}
			if !yield(c) {
				return
			}
		}
	}
}

// ChildrenBy yields the children with the field in order, tokens included and comments left out.
func (t *Tree) ChildrenBy(n Node, f Field) iter.Seq[Node] {
	return func(yield func(Node) bool) {
		for c := t.FirstChild(n); c != NoNode; c = t.NextSibling(c) {
			if t.nodes[c].field != f || t.nodes[c].kind.IsComment() {
				continue
			}
			if !yield(c) {
				return
			}
		}
	}
}

// Descendants yields the node and everything below it in pre-order, tokens and comments included.
func (t *Tree) Descendants(n Node) iter.Seq[Node] {
	return func(yield func(Node) bool) {
		if !t.valid(n) {
			return
		}
		for c, end := n, Node(t.nodes[n].next); c < end; c++ {
			if !yield(c) {
				return
			}
		}
	}
}

// Count is the number of children that Children yields.
func (t *Tree) Count(n Node) int {
	count := 0
	for range t.Children(n) {
		count++
	}
	return count
}

// Nth is the i-th node that Children yields, counted from 0, or NoNode.
func (t *Tree) Nth(n Node, i int) Node {
	for c := range t.Children(n) {
		if i == 0 {
			return c
		}
		i--
	}
	return NoNode
}

// Has tells whether the node has a direct child of the kind; meant for tokens: t.Has(fn, TokenAsync).
func (t *Tree) Has(n Node, k Kind) bool { return t.ChildOf(n, k) != NoNode }

// Decorators yields the KindDecorator nodes of a class, a class member or a parameter in order. The grammars put them inside
// the node, before it in the class body (methods in TypeScript), or into the export statement around it.
func (t *Tree) Decorators(n Node) iter.Seq[Node] {
	return func(yield func(Node) bool) {
		switch up := t.Parent(n); t.Kind(up) {
		case KindExportStatement:
			for c := range t.ChildrenBy(up, FieldDecorator) {
				if !yield(c) {
					return
				}
			}
		case KindClassBody:
			first := n
			for c := t.PrevSibling(n); t.Kind(c) == KindDecorator || t.Kind(c).IsComment(); c = t.PrevSibling(c) {
				first = c
			}
			for c := first; c != n; c = t.NextSibling(c) {
				if t.Kind(c) == KindDecorator && !yield(c) {
					return
				}
			}
		}
		for c := range t.ChildrenBy(n, FieldDecorator) {
			if !yield(c) {
				return
			}
		}
	}
}

// Operator is the text of the node's operator, or the empty string.
func (t *Tree) Operator(n Node) string { return t.Text(t.Child(n, FieldOperator)) }

// Comments yields every comment of the file in order.
func (t *Tree) Comments() iter.Seq[Node] {
	return func(yield func(Node) bool) {
		for i := range t.nodes {
			if t.nodes[i].kind.IsComment() && !yield(Node(i)) {
				return
			}
		}
	}
}

// Text is the source text of the node.
func (t *Tree) Text(n Node) string {
	if !t.valid(n) {
		return ""
	}
	return string(t.source[t.nodes[n].start:t.nodes[n].end])
}

// Start is the byte offset where the node begins.
func (t *Tree) Start(n Node) int {
	if !t.valid(n) {
		return 0
	}
	return int(t.nodes[n].start)
}

// End is the byte offset after the node.
func (t *Tree) End(n Node) int {
	if !t.valid(n) {
		return 0
	}
	return int(t.nodes[n].end)
}

// Position of the first byte of the node: line from 1, column in bytes from 1.
func (t *Tree) Position(n Node) (line, column int) { return t.PositionAt(t.Start(n)) }

// EndPosition of the node, exclusive: line from 1, column in bytes from 1.
func (t *Tree) EndPosition(n Node) (line, column int) { return t.PositionAt(t.End(n)) }

// Line of the first byte of the node, from 1.
func (t *Tree) Line(n Node) int {
	line, _ := t.Position(n)
	return line
}

// Col is the column of the first byte of the node, in bytes from 1.
func (t *Tree) Col(n Node) int {
	_, column := t.Position(n)
	return column
}

// Errors lists every KindError and KindMissing node in pre-order.
func (t *Tree) Errors() []Node { return t.errors }

// HasError tells whether the node or anything below it is KindError or KindMissing.
func (t *Tree) HasError(n Node) bool {
	if !t.valid(n) {
		return false
	}
	i := sort.Search(len(t.errors), func(i int) bool { return t.errors[i] >= n })
	return i < len(t.errors) && int32(t.errors[i]) < t.nodes[n].next
}
