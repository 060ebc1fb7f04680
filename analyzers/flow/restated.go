package flow

import (
	"slices"

	"github.com/retrysafe/retrysafe/analyzers/model"
)

// withoutRestated leaves out what does nothing beside what the tools and routes of a program do. Of what it exports that is a transport, or a client's
// helper, that hands a call on to them: each of its effects is theirs, no better protected there, and so is each record that it works on and each
// comparison. A registration whose name is not known is noted, unless its handler is another tool's: that is where it is judged.
func (r *Result) withoutRestated() {
	e := r.engine
	exported := func(t *Tool) bool { return t.Kind == Exported && len(t.Effects) > 0 }
	if len(e.unnamed) == 0 && !slices.ContainsFunc(r.Tools, exported) {
		return
	}
	told := map[act]Level{}
	for _, t := range r.Tools {
		if t.Kind == Exported {
			continue
		}
		r.eachAct(t, func(a act, level Level) bool {
			if known, is := told[a]; !is || level < known {
				told[a] = level
			}
			return true
		})
	}
	restated := func(t *Tool) bool {
		return r.eachAct(t, func(a act, level Level) bool {
			known, is := told[a]
			return is && known <= level
		})
	}
	r.Tools = slices.DeleteFunc(r.Tools, func(t *Tool) bool { return exported(t) && restated(t) })
	cut, total := e.cut, e.total
	for i, reg := range e.unnamed {
		e.apportion(len(e.unnamed) - i)
		if t := e.evaluateUnnamed(reg); t == nil || t.Gaps != 0 || len(t.Unresolved) > 0 || !restated(t) {
			e.unresolved = append(e.unresolved, model.Note{Span: reg.call.Span, What: "a tool whose name is not known is registered here: it is not judged"})
		}
	}
	e.cut, e.total = cut, total
}

// evaluateUnnamed evaluates a registration whose name is not known, if an entry is known to run its handler. It gives nil otherwise.
func (e *engine) evaluateUnnamed(reg *registration) *Tool {
	targets, _ := e.handlerTargets(reg.handler)
	unserved := func(h *Term) bool { fn := closureOf(h); return fn == nil || !fn.served }
	if len(targets) == 0 || slices.ContainsFunc(targets, unserved) {
		return nil
	}
	return e.evaluateTool(reg)
}

// act is one thing that an entry does: at a place, by a call as written.
type act struct {
	at     model.Span
	callee string
}

// eachAct hands out what an entry is known to do, with what stands before it where that can be asked, until f is false, and reports whether it never was.
func (r *Result) eachAct(t *Tool, f func(a act, level Level) bool) bool {
	for _, x := range t.Effects {
		if !f(act{x.Span, x.Callee}, r.Protection(x).Level) {
			return false
		}
	}
	for _, x := range t.Records {
		if !f(act{x.Span, x.Callee}, Unprotected) {
			return false
		}
	}
	for _, x := range t.Unresolved {
		if !f(act{x.Span, x.Callee}, Unprotected) {
			return false
		}
	}
	for _, c := range t.Comparisons {
		if !f(act{at: c.Span}, Unprotected) {
			return false
		}
	}
	return true
}
