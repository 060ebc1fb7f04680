//go:build cgo

package parse

import (
	"context"
	"errors"

	sitter "github.com/smacker/go-tree-sitter"
)

// cursorEngine walks the tree with the public cursor of the binding. It works wherever the binding does, and costs about
// as much again as the parse.
type cursorEngine struct {
	parser *sitter.Parser
	fields map[string]Field
}

func newCursorEngine() *cursorEngine {
	e := &cursorEngine{parser: sitter.NewParser(), fields: make(map[string]Field, endOfFields)}
	for f := NoField + 1; f < endOfFields; f++ {
		e.fields[f.String()] = f
	}
	return e
}

func (e *cursorEngine) close() { e.parser.Close() }

func (e *cursorEngine) parse(text []byte, d Dialect, limits Limits) ([]record, error) {
	g := grammars[d]()
	e.parser.SetLanguage(g.language)
	e.parser.SetOperationLimit(int(limits.Time.Microseconds()))
	parsed, err := e.parser.ParseCtx(context.Background(), nil, text)
	if err != nil {
		e.parser.Reset() // else the next parse resumes this file
		if errors.Is(err, sitter.ErrOperationLimit) {
			return nil, limits.timeout()
		}
		return nil, err
	}
	defer parsed.Close()
	cursor := sitter.NewTreeCursor(parsed.RootNode())
	defer cursor.Close()
	f := flattening{cursor: cursor, fields: e.fields, tables: g.tables, limit: limits.Nodes}
	if !f.run() {
		return nil, limits.tooManyNodes()
	}
	return f.nodes, nil
}

// flattening writes the records of one tree. The C flattener does the same, step by step.
type flattening struct {
	cursor *sitter.TreeCursor
	fields map[string]Field
	tables *tables
	limit  int
	nodes  []record
}

// run is false if the tree has too many nodes.
func (f *flattening) run() bool {
	parent := int32(-1)
	for {
		at := f.visit(parent)
		if len(f.nodes) > f.limit {
			return false
		}
		if at >= 0 && f.cursor.GoToFirstChild() {
			parent = at
			continue
		}
		for !f.cursor.GoToNextSibling() {
			if parent < 0 || !f.cursor.GoToParent() {
				return true
			}
			f.nodes[parent].next = int32(len(f.nodes))
			parent = f.nodes[parent].parent
		}
	}
}

// visit writes the cursor's node, if it is kept, and gives its number if its children are to be visited, else -1.
func (f *flattening) visit(parent int32) int32 {
	node := f.cursor.CurrentNode()
	symbol := node.Symbol()
	var up *record
	if parent >= 0 {
		up = &f.nodes[parent]
	}
	kind := KindNone
	switch {
	case node.IsError():
		kind = KindError
	case node.IsMissing():
		kind = KindMissing
	default:
		kind = f.tables.kinds[symbol]
	}
	field := NoField
	named := node.IsNamed() || kind == KindError
	if !named && kind != KindMissing && up != nil {
		if f.tables.operators[symbol] != 0 && f.field(up) == FieldOperator {
			kind = TokenOperator
		} else if f.tables.implied[symbol] == up.kind {
			kind = KindNone
		}
	}
	inArray := up != nil && (up.kind == KindArray || up.kind == KindArrayPattern)
	if inArray {
		switch {
		case f.tables.commas[symbol] != 0 && kind == KindNone:
			if up.seen == 0 {
				f.add(record{start: node.StartByte(), end: node.StartByte(), parent: parent, kind: KindElision})
			} else {
				up.seen = 0
			}
			return -1
		case named && !kind.IsComment():
			up.seen = 1
		}
	}
	if kind == KindNone {
		return -1
	}
	if up != nil {
		field = f.field(up)
	}
	at := f.add(record{start: node.StartByte(), end: node.EndByte(), parent: parent, kind: kind, field: field})
	if !named {
		if kind == TokenStatic && f.tables.both[symbol] != 0 {
			f.splitStaticGet(at)
		}
		return -1
	}
	return at
}

func (f *flattening) field(up *record) Field {
	field := f.fields[f.cursor.CurrentFieldName()]
	if field == FieldProperty && up.kind == KindFieldDefinition {
		field = FieldName
	}
	return field
}

func (f *flattening) add(r record) int32 {
	at := int32(len(f.nodes))
	r.next = at + 1
	f.nodes = append(f.nodes, r)
	return at
}

// splitStaticGet turns the one token that the JavaScript grammar makes of `static get` before a line break into two.
func (f *flattening) splitStaticGet(at int32) {
	get := f.nodes[at]
	f.nodes[at].end = f.nodes[at].start + uint32(len("static"))
	get.start, get.kind = f.nodes[at].end, TokenGet
	f.add(get)
}
