package flow

import "slices"

// asking answers for one tool whether its lookups tell a repeat. What a way to an effect has decided about a lookup is asked once for each two of them, however
// many other effects stand beside.
type asking struct {
	r     *Result
	t     *Tool
	ways  map[lookedAhead]decided
	left  map[*Record][]*Return
	named map[*Record]bool // those in tables whose names say that they recognise repeats
}

// lookedAhead stands for the ways to an effect that come by a lookup.
type lookedAhead struct {
	lookup *Record
	to     *Effect
}

// decided says whether some way has found something by a lookup, and whether some way has found nothing.
type decided struct{ hit, missed bool }

func (e *engine) asking(t *Tool) *asking {
	return &asking{r: &Result{engine: e}, t: t, ways: map[lookedAhead]decided{}, left: map[*Record][]*Return{}, named: map[*Record]bool{}}
}

// recognises reports whether one of the lookups tells whether there is a record already, which x is to make or complete: it comes about where nothing was
// found, and not where something was; or where something was, the tool answers without it and without the effect y. A row that has to be found is what the
// tool works on, one that makes no difference is what it reads for the purpose.
func (a *asking) recognises(lookups []*Record, x, y *Effect) bool {
	return slices.ContainsFunc(lookups, func(l *Record) bool {
		if a.isNamed(l) {
			return true
		}
		own, other := a.decided(l, x), a.decided(l, y)
		return own.missed && !own.hit || (own.missed || other.missed) && (!own.hit && !other.hit || a.leaves(l, x, y))
	})
}

// told reports whether some way to an effect knows how a claim ended. A row that is inserted unless it is there, and of which nobody asks whether it was, is what
// the tool is for.
func (a *asking) told(claim *Record, y *Effect) bool {
	if len(claim.Set) == 0 || a.isNamed(claim) {
		return true
	}
	ended := a.decided(claim, y)
	return ended.hit || ended.missed
}

func (a *asking) isNamed(l *Record) bool {
	named, known := a.named[l]
	if !known {
		named = dedupeName.MatchString(l.Table)
		a.named[l] = named
	}
	return named
}

func (a *asking) decided(l *Record, x *Effect) decided {
	w := lookedAhead{l, x}
	out, known := a.ways[w]
	if !known {
		for _, p := range x.Paths {
			switch a.r.Outcome(p, l.Call) {
			case Hit:
				out.hit = true
			case Missed:
				out.missed = true
			}
		}
		a.ways[w] = out
	}
	return out
}

// leaves reports whether the tool answers, and not with a failure, where a lookup found something and before the effects.
func (a *asking) leaves(l *Record, effects ...*Effect) bool {
	answers, known := a.left[l]
	if !known {
		for _, ret := range a.t.Returns {
			if !ret.Failure() && a.r.Outcome(ret.Path, l.Call) == Hit {
				answers = append(answers, ret)
			}
		}
		a.left[l] = answers
	}
	return slices.ContainsFunc(answers, func(ret *Return) bool {
		return !slices.ContainsFunc(effects, func(x *Effect) bool { return ret.Path.Made(x.Call) })
	})
}

// Failure reports whether an answer tells the caller about a failure: it is an exception, is marked as a failure, carries the exception, or is a reply with
// a status of 400 and more.
func (r *Return) Failure() bool {
	if r.Throws || r.Reply != nil && refusing(r.Reply) {
		return true
	}
	if r.Value == nil {
		return false
	}
	return r.Value.Any(func(t *Term) bool {
		if t.Kind == TObject {
			for _, name := range []string{"isError", "error", "IsError"} {
				if v, ok := t.Field(name); ok && v != nil && !v.IsNullish() {
					if text, isConst := v.IsConst(); !isConst || text != "false" {
						return true
					}
				}
			}
		}
		return t.Kind == TCatch
	})
}
