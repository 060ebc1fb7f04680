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
	t := f.tables
	node := f.cursor.CurrentNode()
	symbol := node.Symbol()
	var up *record
	if parent >= 0 {
		up = &f.nodes[parent]
	}
	var rule rule
	if int(symbol) < maxSymbols {
		rule = t.rules[symbol]
	}
	r := record{start: node.StartByte(), end: node.EndByte(), parent: parent, kind: rule.kind}
	named := true
	if node.IsError() {
		r.kind = KindError
	} else {
		named = node.IsNamed()
		if node.IsMissing() {
			r.kind = KindMissing
		} else if !named && up != nil {
			if rule.class == operator && f.field(up) == FieldOperator {
				r.kind = TokenOperator
			} else if rule.implied == up.kind || rule.only != KindNone && rule.only != up.kind {
				r.kind = KindNone
			}
		}
	}
	if up != nil && t.traits[up.kind]&traitArray != 0 {
		if rule.class == comma && r.kind == KindNone {
			if up.seen != 0 {
				up.seen = 0
				return -1
			}
			r.end = r.start
			r.kind = KindElision
			f.add(r)
			return -1
		}
		if named && t.traits[r.kind]&traitComment == 0 {
			up.seen = 1
		}
	}
	if r.kind == KindNone {
		return -1
	}

	if up != nil {
		r.field = f.field(up)
		if r.kind == KindTypeIdentifier && r.field == FieldName && t.traits[up.kind]&traitClass != 0 {
			r.kind = KindIdentifier
		} else if t.traits[r.kind]&traitChain != 0 {
			r.field = FieldOptionalChain
		}
	}
	at := f.add(r)
	if named {
		return at
	}
	if rule.class == staticGet {
		f.nodes[at].end = r.start + uint32(len("static"))
		r.start = f.nodes[at].end
		r.kind = TokenGet
		f.add(r)
	}
	return -1
}

func (f *flattening) field(up *record) Field {
	field := f.fields[f.cursor.CurrentFieldName()]
	if field == FieldProperty && f.tables.traits[up.kind]&traitField != 0 {
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
