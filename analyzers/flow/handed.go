package flow

import (
	"strings"

	"github.com/retrysafe/retrysafe/analyzers/model"
)

// paramKey names a parameter of a function.
type paramKey struct {
	fn *Function
	n  int // from 0
}

// memberInput says what a framework hands in as a member of one of its objects (`this.props` of a class that extends its own), nil where that is
// nothing.
func (e *engine) memberInput(t *Term) *model.Input {
	if t.Kind != TMember || t.Sym == "" || strings.HasPrefix(t.Sym, "?#") {
		return nil
	}
	for _, r := range e.rowsOf(t.Sym) {
		if r.Input != nil {
			return r.Input
		}
	}
	return nil
}

// handedIn reports whether a value is, or is a part of, what a call or a member of a framework hands in.
func (e *engine) handedIn(t *Term) bool {
	for i := 0; t != nil && i < maxTermDepth; i++ {
		switch t.Kind {
		case TMember:
			if e.memberInput(t) != nil {
				return true
			}
		case TCall:
			if c := e.calls[t]; c != nil && c.InputRow != nil {
				return true
			}
			if len(t.Args) == 0 || t.Name == "" {
				return false
			}
		case TCast, TIndex, TElement: // of what is handed in
		default:
			return false
		}
		t = t.Args[0]
	}
	return false
}

// decorateParameter keeps what the decorator of a method's parameter says is handed in there. A decorator that names a member, as in
// @Headers("x-user"), stands for that member.
func (e *engine) decorateParameter(class *Term, op *model.Op, r *model.Row, call *Call) {
	for _, alt := range e.symbolicInstance(class.Decl).Alternatives() {
		method := e.classMember(alt, class, op.Name, 0)
		if method == nil || method.Kind != TClosure {
			continue
		}
		input := e.inputTerm(r, 0, r.Input)
		if r.Input.Name != "" {
			if name, ok := orUndefined(e, e.recorded(call).first(r.Input.Name)).Text(); ok {
				input = e.member(input, name)
			}
		}
		if e.decorated == nil {
			e.decorated = map[paramKey]*Term{}
		}
		e.decorated[paramKey{method.Fn, int(op.Ref) - 1}] = input
	}
}

// asDecorated gives the arguments of an entry, in which what the decorators of its handler's parameters say stands in the place of what the position says.
func (e *engine) asDecorated(handler *Term, args []*Term) []*Term {
	if len(e.decorated) == 0 || handler == nil || handler.Kind != TClosure {
		return args
	}
	out := append([]*Term(nil), args...)
	for i := range handler.Fn.Params {
		input := e.decorated[paramKey{handler.Fn, i}]
		if input == nil {
			continue
		}
		for len(out) <= i {
			out = append(out, e.unknown("argument", nil))
		}
		out[i] = input
	}
	return out
}

// readDecorated adds to what an entry does that it reads the members which decorators hand to its parameters: no statement of it does.
func (e *engine) readDecorated(handler *Term, s *Summary) *Summary {
	var reads []*Read
	for i, p := range handler.Fn.Params {
		if input := e.decorated[paramKey{handler.Fn, i}]; input != nil && input.Kind == TMember {
			span := p.Span
			if !span.IsValid() {
				span = handler.Fn.Span
			}
			reads = append(reads, &Read{Term: input, Span: span, Fn: handler.Fn})
		}
	}
	if len(reads) == 0 {
		return s
	}
	with := *s
	with.reads = append(reads, s.reads...)
	return &with
}

// reregister takes over what a later call on a registered tool says of it: another handler serves beside the first, other annotations stand in the
// place of the first.
func (e *engine) reregister(st *state, tool *Term, r *model.Row, acc *accessor) {
	if tool == nil {
		return
	}
	for _, alt := range tool.Alternatives() {
		for _, reg := range e.registrations {
			if reg.call.Result != alt || reg.done {
				continue
			}
			if h := acc.first(r.Tool.Handler); h != nil && r.Tool.Handler != "" {
				e.pin(h)
				reg.handler = e.union(reg.handler, h)
			}
			if v := acc.first(r.Tool.Annotations); v != nil && r.Tool.Annotations != "" {
				reg.annotations = e.freeze(st, v, maxFreeze+2)
			}
		}
	}
}
