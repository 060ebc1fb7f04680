package flow

import (
	"strconv"

	"github.com/retrysafe/retrysafe/analyzers/model"
)

// This file recognises hashes that a program makes by hand: a loop over the characters of a text that mixes each into a number. What the number is after the
// loop is then the hash of the text, as if a library had given it.

// handHash is such a loop.
type handHash struct {
	head model.BlockID
	text model.ID // what it goes over
	bits int
}

// handHashes gives the variables in which loops of the function make hashes, by the operations that declare them.
func (f *Function) handHashes() map[model.ID]handHash {
	if f.handKnown {
		return f.hand
	}
	f.handKnown = true
	for head, is := range f.heads {
		if !is {
			continue
		}
		stores := map[model.ID][]*model.Op{}
		for b := range f.Blocks {
			if !f.inLoop[head][model.BlockID(b)] {
				continue
			}
			for _, id := range f.Blocks[b].Ops {
				if op := &f.Ops[id]; op.Kind == model.Store && op.Name == "" && len(op.Args) == 2 && f.Ops[op.Args[0]].Kind == model.Alloc {
					stores[op.Args[0]] = append(stores[op.Args[0]], op)
				}
			}
		}
		for cell, ops := range stores {
			m := mixing{f: f, cell: cell, text: model.None, seen: map[model.ID]bool{}}
			for _, op := range ops {
				m.follow(op.Args[1])
			}
			if h, ok := m.hash(); ok {
				h.head = model.BlockID(head)
				if f.hand == nil {
					f.hand = map[model.ID]handHash{}
				}
				if old, ok := f.hand[cell]; !ok || old.head > h.head {
					f.hand[cell] = h
				}
			}
		}
	}
	return f.hand
}

// mixing is what is known about the values that a loop stores into a variable.
type mixing struct {
	f    *Function
	cell model.ID
	seen map[model.ID]bool

	text             model.ID
	selves           int  // reads of the variable
	xor, shift, mul  bool // operations that mix
	subtractsLiteral bool // as in reading a number: c - '0'
	or               bool // as in reading a number from its bytes
	remainder, big   int
	word             bool // in JavaScript: an operation on 32 bits
	width            int  // in Go: of the variable's type
}

// odd reports whether a constant is a number that a hash multiplies by: not a power of two, and not the base in which numbers are written.
func odd(op *model.Op) bool {
	n, err := strconv.ParseInt(op.Const.Text, 0, 64)
	return err != nil && op.Const.Kind == model.BigInt || err == nil && n > 2 && n%2 == 1
}

func (m *mixing) follow(id model.ID) {
	if id < 0 || m.seen[id] || len(m.seen) > 64 {
		return
	}
	m.seen[id] = true
	op := &m.f.Ops[id]
	switch op.Kind {
	case model.Load:
		switch {
		case op.Args[0] == m.cell && op.Name == "":
			m.selves++
			m.width = typeWidth(op.Type)
		case op.Name == "" && len(op.Args) > 1:
			if m.f.Unit.Language == model.Go || m.text == model.None {
				m.text = op.Args[0] // s[i]
			}
			m.follow(op.Args[1]) // of a table that the number chooses from
		}
	case model.Element:
		m.text = op.Args[0]
	case model.Binary:
		m.binary(op)
	case model.Unary, model.Convert:
		m.follow(op.Args[0])
	case model.Constant:
		if op.Const.Kind == model.BigInt {
			m.big = 64
		}
	case model.Call:
		callee := &m.f.Ops[op.Args[0]]
		if callee.Kind != model.Load {
			return
		}
		switch callee.Name {
		case "charCodeAt", "codePointAt":
			m.text = callee.Args[0]
			if of := &m.f.Ops[m.text]; of.Kind == model.Element {
				m.text = of.Args[0]
			}
			return
		case "imul":
			m.mul, m.word = true, true
		case "asUintN":
			m.big = 64
		case "BigInt", "Number":
		default:
			return
		}
		for _, a := range op.Args[1:] {
			m.follow(a)
		}
	}
}

func (m *mixing) binary(op *model.Op) {
	literal := func(i int) *model.Op {
		if c := &m.f.Ops[op.Args[i]]; c.Kind == model.Constant {
			return c
		}
		return nil
	}
	switch op.Name {
	case "^":
		m.xor, m.word = true, true
	case "<<":
		m.shift, m.word = true, true
	case ">>", ">>>":
		m.word = true
	case "|":
		m.or = m.or || literal(0) == nil && literal(1) == nil
		m.word = true
	case "&":
		m.word = true
	case "*":
		if c := literal(0); c != nil && odd(c) {
			m.mul = true
		} else if c := literal(1); c != nil && odd(c) {
			m.mul = true
		} else if c == nil && literal(0) == nil {
			m.mul = true // by a constant of the program, or something that changes
		}
	case "-":
		m.subtractsLiteral = m.subtractsLiteral || literal(1) != nil
	case "%":
		if c := literal(1); c != nil {
			if n, err := strconv.ParseFloat(c.Const.Text, 64); err == nil {
				for bits := 0; n > 1; n /= 2 {
					bits++
					m.remainder = bits
				}
			}
		}
	}
	m.follow(op.Args[0])
	m.follow(op.Args[1])
}

// hash decides.
func (m *mixing) hash() (handHash, bool) {
	mixes := m.mul || m.xor && (m.shift || m.mul || m.selves > 1) || m.shift && m.selves > 1
	if m.selves == 0 || m.text == model.None || !mixes || m.or || m.subtractsLiteral {
		return handHash{}, false
	}
	h := handHash{text: m.text}
	switch {
	case m.f.Unit.Language == model.Go:
		h.bits = m.width
	case m.big > 0:
		h.bits = m.big
	case m.word:
		h.bits = 32
	default:
		h.bits = 53 // a number of JavaScript holds no more
	}
	if m.remainder > 0 {
		h.bits = min(h.bits, m.remainder)
	}
	return h, h.bits > 0
}

func typeWidth(t *model.TypeRef) int {
	if t == nil {
		return 0
	}
	switch t.Name {
	case "uint8", "int8", "byte":
		return 8
	case "uint16", "int16":
		return 16
	case "uint32", "int32", "rune":
		return 32
	case "uint64", "int64", "int", "uint", "uintptr":
		return 64
	}
	return 0
}

// handRow is what such a loop is taken for.
func handRow(bits int) *model.Row {
	return &model.Row{Origin: &model.Origin{Kind: "hash", Of: "Argument[0]", Algorithm: "handmade", Bits: bits}, Safe: true, Trusted: true}
}

// handMade gives the hash that a variable holds where it is read behind the loop that makes it, nil for other reads.
func (e *engine) handMade(a *activation, st *state, op *model.Op, id model.ID) *Term {
	if len(op.Args) != 1 || op.Args[0] < 0 || a.fn.Ops[op.Args[0]].Kind != model.Alloc {
		return nil
	}
	h, ok := a.fn.handHashes()[op.Args[0]]
	if !ok {
		return nil
	}
	in := a.fn.blockOfOp(id)
	if in == nil {
		return nil
	}
	block := a.fn.opBlock[id]
	if a.fn.inLoop[h.head][block] || a.fn.order[block] < a.fn.order[h.head] {
		return nil
	}
	text := e.value(st, h.text)
	if text == e.undefined {
		return nil
	}
	site := e.site(a.fn, op.Args[0])
	args := []*Term{e.freeze(st, text, maxFreeze)}
	t := e.intern(Term{Kind: TCall, Name: "hash", Args: append([]*Term{e.undefined}, args...), Site: site})
	if e.calls[t] == nil {
		row := handRow(h.bits)
		e.calls[t] = &Call{Callee: "hash", Site: site, Span: site.Span, Args: args, Result: t, Fn: a.fn, OriginRow: row, Safe: true, Confidence: model.Certain}
	}
	return t
}
