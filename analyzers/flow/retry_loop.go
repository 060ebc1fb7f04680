package flow

import (
	"slices"

	"github.com/retrysafe/retrysafe/analyzers/lazyregexp"
	"github.com/retrysafe/retrysafe/analyzers/model"
)

const (
	maxWaysBack = 400 // ways from a call to its next attempt that are looked at
	maxWayBack  = 80  // blocks on one of them
)

// triedAgain finds the loop or recursion of a function that makes one of its calls again when it fails; nil where there is none.
func (e *engine) triedAgain(f *Function, at model.ID) *Retry {
	k := siteKey{f, at}
	if t, ok := e.tried[k]; ok {
		return copied(t)
	}
	t := e.findRetry(f, at)
	e.tried[k] = t
	return copied(t)
}

func copied(t *Retry) *Retry {
	if t == nil {
		return nil
	}
	c := *t
	return &c
}

func (e *engine) findRetry(f *Function, at model.ID) *Retry {
	b := f.blockIDOf(at)
	if b == model.NoBlock {
		return nil
	}
	for h := range f.Blocks {
		loop := f.inLoop[h]
		if loop == nil || !loop[b] || f.perElement(at, loop) {
			continue
		}
		w := e.waysBack(f, at, model.BlockID(h), func(x model.BlockID) bool { return loop[x] })
		if !w.retries() {
			continue
		}
		t := &Retry{Kind: LoopRetry, Fn: f, Confidence: w.confidence, loop: loop, Bounded: f.bounded(model.BlockID(h), loop), Waits: e.waits(f, loop)}
		if t.Span = f.Blocks[h].Span; !t.Span.IsValid() || !encloses(f.Span, t.Span) {
			t.Span = f.Ops[at].Span
		}
		return t
	}
	for id := range f.Ops {
		again := f.blockIDOf(model.ID(id))
		if again == model.NoBlock || !e.callsItself(f, model.ID(id)) || model.ID(id) == at {
			continue
		}
		w := e.waysBack(f, at, again, anyBlock)
		if !w.retries() {
			continue
		}
		all := map[model.BlockID]bool{}
		for x := range f.Blocks {
			all[model.BlockID(x)] = true
		}
		return &Retry{Kind: RecursionRetry, Fn: f, Span: f.Ops[id].Span, Confidence: min(w.confidence, model.Likely), Bounded: true, Waits: e.waits(f, all)}
	}
	return nil
}

func encloses(outer, inner model.Span) bool {
	return outer.File == inner.File && outer.Offset <= inner.Offset && inner.EndOffset <= outer.EndOffset
}

// callsItself reports whether an operation is a call of the function around it.
func (e *engine) callsItself(f *Function, id model.ID) bool {
	op := &f.Ops[id]
	if op.Kind != model.Call || len(op.Args) == 0 || op.Args[0] < 0 {
		return false
	}
	name := lastName(f.Name)
	switch callee := &f.Ops[op.Args[0]]; callee.Kind {
	case model.FuncRef:
		return e.p.referred(f.Unit, callee) == f
	case model.LoadGlobal:
		u := f.Unit
		if callee.Name != "" {
			u = e.p.byPath[callee.Name]
		}
		return u == f.Unit && int(callee.Ref) < len(u.Globals) && u.Globals[callee.Ref].Name == name
	case model.FreeVar:
		return int(callee.Ref) < len(f.FreeVars) && f.FreeVars[callee.Ref] == name
	case model.Load:
		if len(callee.Args) == 0 || callee.Args[0] < 0 {
			return false
		}
		switch of := &f.Ops[callee.Args[0]]; of.Kind {
		case model.This:
			return callee.Name == name
		case model.FreeVar:
			return callee.Name == "" && int(of.Ref) < len(f.FreeVars) && f.FreeVars[of.Ref] == name
		}
	}
	return false
}

// perElement reports whether what a call is given, or is called on, is another thing in each round of a loop: an element of what the loop runs
// over, or what stands under its counter. Such a loop tries one thing after the other.
func (f *Function) perElement(at model.ID, loop map[model.BlockID]bool) bool {
	seen := map[model.ID]bool{}
	var varies func(id model.ID) bool
	counts := func(id model.ID) bool {
		if id < 0 {
			return false
		}
		op := &f.Ops[id]
		if op.Kind == model.Element {
			return true
		}
		return op.Kind == model.Load && op.Name == "" && len(op.Args) == 1 && f.steppedIn(op.Args[0], loop)
	}
	varies = func(id model.ID) bool {
		if id < 0 || seen[id] || len(seen) > 400 {
			return false
		}
		seen[id] = true
		op := &f.Ops[id]
		if !loop[f.blockIDOf(id)] && op.Kind != model.Alloc {
			return false
		}
		switch {
		case op.Kind == model.Element && op.Name != "key":
			return len(op.Args) > 0 && op.Args[0] >= 0 && !f.isNumber(op.Args[0])
		case op.Kind == model.Load && len(op.Args) > 1 && counts(op.Args[1]):
			return true
		case op.Kind == model.Alloc:
			for i := range f.Ops {
				if s := &f.Ops[i]; s.Kind == model.Store && len(s.Args) > 1 && s.Args[0] == id && s.Name == "" && loop[f.blockIDOf(model.ID(i))] && varies(s.Args[1]) {
					return true
				}
			}
			return false
		case op.Kind == model.Phi:
			return false
		}
		return slices.ContainsFunc(op.Args, varies)
	}
	return varies(at)
}

// steppedIn reports whether a variable is a counter of a loop: a round adds something to it.
func (f *Function) steppedIn(cell model.ID, loop map[model.BlockID]bool) bool {
	for b := range loop {
		for _, id := range f.Blocks[b].Ops {
			op := &f.Ops[id]
			if op.Kind != model.Store || len(op.Args) < 2 || op.Args[0] != cell || op.Args[1] < 0 {
				continue
			}
			if v := &f.Ops[op.Args[1]]; v.Kind == model.Binary && (v.Name == "+" || v.Name == "-") {
				return true
			}
		}
	}
	return false
}

func (f *Function) isNumber(id model.ID) bool {
	op := &f.Ops[id]
	return op.Kind == model.Constant && op.Const.Kind == model.Number || op.Type != nil && (op.Type.Name == "int" || op.Type.Name == "number")
}

// bounded reports whether a loop ends at some time although nothing succeeds: it runs over something, or leaves on a comparison of what it counts,
// or once its time is over.
func (f *Function) bounded(head model.BlockID, loop map[model.BlockID]bool) bool {
	if f.Blocks[head].Term == model.Range {
		return true
	}
	for b := range loop {
		block := &f.Blocks[b]
		if block.Term == model.Range && b == head {
			return true
		}
		if block.Term != model.If || block.Value < 0 || loop[block.Succs[0]] && loop[block.Succs[1]] && f.staysAlive(block, loop) {
			continue
		}
		found := false
		f.operands(block.Value, func(op *model.Op) {
			switch op.Kind {
			case model.Load, model.LoadGlobal, model.Alloc, model.Phi, model.FreeVar:
				if op.Kind == model.Load && len(op.Args) == 1 && op.Args[0] >= 0 {
					if op.Name == "" && f.steppedIn(op.Args[0], loop) {
						found = true
					}
				}
				found = found || boundWords.MatchString(op.Name)
			case model.Call:
				found = found || boundWords.MatchString(f.calleeName(op))
			}
		})
		if found {
			return true
		}
	}
	return false
}

// staysAlive reports whether neither way of a condition leads to a return or throw at once.
func (f *Function) staysAlive(block *model.Block, loop map[model.BlockID]bool) bool {
	for _, s := range block.Succs {
		if t := f.Blocks[s].Term; t == model.Return || t == model.Throw {
			return false
		}
	}
	return true
}

var (
	boundWords = lazyregexp.New(`(?i)attempt|retr(y|ies)|tries|count|max|limit|deadline|elapsed|remaining|timeout|aborted|^Done$|^Err$|cancel`)
	waitWords  = lazyregexp.New(`(?i)sleep|delay|wait|back_?off|pause|settimeout|^after$|timer|tick|throttle|retry_?after`)
)

// waits reports whether some operation of a loop waits.
func (e *engine) waits(f *Function, loop map[model.BlockID]bool) bool {
	for b := range loop {
		for _, id := range f.Blocks[b].Ops {
			op := &f.Ops[id]
			switch op.Kind {
			case model.Call, model.Spawn:
				if waitWords.MatchString(f.calleeName(op)) {
					return true
				}
			case model.Closure:
				if int(op.Ref) < len(f.Unit.funcs) {
					g := f.Unit.funcs[op.Ref]
					for i := range g.Ops {
						if g.Ops[i].Kind == model.Call && waitWords.MatchString(g.calleeName(&g.Ops[i])) {
							return true
						}
					}
				}
			}
		}
	}
	return false
}

// calleeName gives the last name by which a call calls, "" where it has none.
func (f *Function) calleeName(op *model.Op) string {
	if len(op.Args) == 0 || op.Args[0] < 0 {
		return ""
	}
	callee := &f.Ops[op.Args[0]]
	switch callee.Kind {
	case model.FuncRef:
		if callee.Name == "" && int(callee.Ref) < len(f.Unit.funcs) {
			return lastName(f.Unit.funcs[callee.Ref].Name)
		}
	case model.LoadGlobal:
		if callee.Name == "" && int(callee.Ref) < len(f.Unit.Globals) {
			return f.Unit.Globals[callee.Ref].Name
		}
	case model.FreeVar:
		if int(callee.Ref) < len(f.FreeVars) {
			return f.FreeVars[callee.Ref]
		}
	case model.Parameter:
		if int(callee.Ref) < len(f.Params) {
			return f.Params[callee.Ref].Name
		}
	case model.Load:
		if callee.Name == "" && len(callee.Args) == 1 && callee.Args[0] >= 0 {
			return f.Ops[callee.Args[0]].Name
		}
	}
	return lastName(callee.Name)
}

// operands calls visit for a value and what it is computed from, within the function.
func (f *Function) operands(id model.ID, visit func(*model.Op)) {
	seen := map[model.ID]bool{}
	var walk func(id model.ID, depth int)
	walk = func(id model.ID, depth int) {
		if id < 0 || seen[id] || depth > 8 {
			return
		}
		seen[id] = true
		visit(&f.Ops[id])
		for _, a := range f.Ops[id].Args {
			walk(a, depth+1)
		}
	}
	walk(id, 0)
}

// waysBack is what is known of the ways from a call to its next attempt.
type waysBack struct {
	failed     bool // one of them follows a failure that may have come after the request was processed
	other      bool // one of them follows no failure
	confidence model.Confidence
}

func (w waysBack) retries() bool { return w.failed && !w.other }

func anyBlock(model.BlockID) bool { return true }

// waysBack walks from a call to the block of its next attempt, without leaving the blocks that inside allows.
func (e *engine) waysBack(f *Function, at model.ID, again model.BlockID, inside func(model.BlockID) bool) waysBack {
	start := f.blockIDOf(at)
	out := e.ways(f, start, newOutcome(), again, inside)
	if h := f.Blocks[start].Handler; h != model.NoBlock {
		thrown := newOutcome()
		thrown.failed, thrown.thrown = true, true
		more := waysBack{confidence: model.Certain}
		switch {
		case h == again:
			more.failed = true
		case inside(h):
			more = e.ways(f, h, thrown, again, inside)
		}
		out.failed, out.other = out.failed || more.failed, out.other || more.other
		if more.failed {
			out.confidence = max(out.confidence, more.confidence)
		}
	}
	return out
}

// ways walks from the start of a block, where an outcome is known, to the block of the next attempt.
func (e *engine) ways(f *Function, start model.BlockID, o outcomeOf, again model.BlockID, inside func(model.BlockID) bool) waysBack {
	out := waysBack{confidence: model.Possible}
	n := 0
	var way []model.BlockID
	var walk func(b model.BlockID, o outcomeOf)
	step := func(to model.BlockID, o outcomeOf) {
		if to < 0 || int(to) >= len(f.Blocks) || n > maxWaysBack {
			return
		}
		if to == again {
			n++
			switch {
			case o.impossible():
			case o.refused():
			case o.failed:
				out.failed = true
				out.confidence = max(out.confidence, o.confidence())
			default:
				out.other = true
			}
			return
		}
		if !inside(to) || len(way) > maxWayBack || slices.Contains(way, to) {
			return
		}
		way = append(way, to)
		walk(to, o)
		way = way[:len(way)-1]
	}
	walk = func(b model.BlockID, o outcomeOf) {
		block := &f.Blocks[b]
		switch block.Term {
		case model.Throw:
			o.failed = true
			step(block.Handler, o)
		case model.If:
			for i, s := range block.Succs {
				next := o
				e.judge(f, block.Value, i == 0, way, &next, 0)
				step(s, next)
			}
		default:
			for _, s := range block.Succs {
				step(s, o)
			}
		}
	}
	way = append(way, start)
	walk(start, o)
	return out
}
