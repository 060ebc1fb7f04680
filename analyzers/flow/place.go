package flow

import (
	"strings"

	"github.com/retrysafe/retrysafe/analyzers/model"
)

// Written gives the place of the literal that says what an effect does, the text of its statement or its URL, where that was written
// elsewhere than at the call. ok is false where it stands at the call, or at several places between which nothing decides.
func (r *Result) Written(x *Effect) (at model.Span, ok bool) {
	e := r.engine
	acc := e.recorded(x.Call)
	var text *Term
	switch {
	case x.QueryRow != nil && x.QueryRow.Query != nil:
		text = acc.first(x.QueryRow.Query.Text)
	case x.EffectRow != nil && x.EffectRow.Effect.URL != "":
		text = acc.first(x.EffectRow.Effect.URL)
	}
	if text == nil {
		return at, false
	}
	longest := ""
	text.Walk(func(t *Term) bool {
		if t.Kind == TConst && t.Const.Kind == model.String && len(t.Const.Text) > len(longest) {
			longest = t.Const.Text
		}
		return true
	})
	const telling = 8 // shorter texts say too little to be recognised
	if len(longest) < telling {
		return at, false
	}
	at, ok = e.placeOf(x.Event, func(op *model.Op) (model.Span, bool) {
		return op.Span, op.Kind == model.Constant && op.Const.Kind == model.String && op.Const.Text == longest
	})
	if ok && at.File == x.Span.File && at.Line >= x.Span.Line && at.EndLine <= x.Span.EndLine {
		return at, false
	}
	return at, ok
}

// keyPlace gives the place where a member is written that takes a key: a header in an object, or an assignment to it.
func (e *engine) keyPlace(ev *Event, access model.Access) (at model.Span, ok bool) {
	names := map[string]bool{}
	for _, way := range strings.Split(string(access), "|") {
		way = strings.TrimSpace(way)
		if i := strings.LastIndex(way, ".Member["); i >= 0 {
			names[strings.ToLower(strings.TrimSuffix(way[i+len(".Member["):], "]"))] = true
		}
	}
	return e.placeOf(ev, func(op *model.Op) (model.Span, bool) {
		switch op.Kind {
		case model.Store:
			return op.Span, names[strings.ToLower(op.Name)]
		case model.Object:
			for i := range op.Parts {
				if names[strings.ToLower(op.Parts[i].Key)] {
					return op.Parts[i].Span, op.Parts[i].Span.IsValid()
				}
			}
		}
		return model.Span{}, false
	})
}

// placeOf finds an operation among the functions that lead to an event, the nearest first, otherwise the only one of the program.
func (e *engine) placeOf(ev *Event, want func(*model.Op) (model.Span, bool)) (at model.Span, ok bool) {
	type place struct {
		fn *Function
		at model.Span
	}
	var all []place
	for _, u := range e.p.units {
		for _, f := range u.funcs {
			for i := range f.Ops {
				if span, is := want(&f.Ops[i]); is {
					all = append(all, place{f, span})
				}
			}
		}
	}
	for i := len(ev.Chain) - 1; i >= 0; i-- {
		step := ev.Chain[i].Span
		near := place{}
		for _, p := range all {
			inside := p.fn.Index != 0 && p.fn.Span.File == step.File && p.fn.Span.Offset <= step.Offset && step.EndOffset <= p.fn.Span.EndOffset
			if inside && (near.fn == nil || p.fn.Span.Offset > near.fn.Span.Offset) {
				near = p
			}
		}
		if near.fn != nil {
			return near.at, true
		}
	}
	if len(all) == 1 {
		return all[0].at, true
	}
	return at, false
}

// TextPlace tells where a text of the program that an event uses is written: in one of the functions that lead to it, or in the only place that there is.
func (r *Result) TextPlace(ev *Event, text string) (at model.Span, ok bool) {
	return r.engine.placeOf(ev, func(op *model.Op) (model.Span, bool) {
		return op.Span, op.Kind == model.Constant && op.Const.Kind == model.String && op.Const.Text == text
	})
}
