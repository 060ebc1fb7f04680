package flow

import "slices"

// asked reports whether one of the lookups tells whether there is a record already, which x is to make or complete: it comes about where nothing was found,
// and not where something was; or where something was, the tool answers without it and without the effect y. A row that has to be found is what the tool
// works on, one that makes no difference is what it reads for the purpose.
func (r *Result) asked(t *Tool, lookups []*Record, x, y *Effect) bool {
	for _, l := range lookups {
		if dedupeName.MatchString(l.Table) {
			return true
		}
		hit, missed := r.met(l, x)
		if missed && !hit {
			return true
		}
		otherHit, otherMissed := r.met(l, y)
		if (missed || otherMissed) && (!hit && !otherHit || r.leaves(t, l, x, y)) {
			return true
		}
	}
	return false
}

// met reports whether some way to an effect has found something by a lookup, and whether some way has found nothing.
func (r *Result) met(l *Record, x *Effect) (hit, missed bool) {
	for _, p := range x.Paths {
		switch r.Outcome(p, l.Call) {
		case Hit:
			hit = true
		case Missed:
			missed = true
		}
	}
	return hit, missed
}

// leaves reports whether the tool answers, and not with a failure, where a lookup found something and before the effects.
func (r *Result) leaves(t *Tool, l *Record, effects ...*Effect) bool {
	return slices.ContainsFunc(t.Returns, func(ret *Return) bool {
		return !ret.Failure() && r.Outcome(ret.Path, l.Call) == Hit && !slices.ContainsFunc(effects, func(x *Effect) bool {
			return slices.ContainsFunc(ret.Path.Before, func(b Before) bool { return b.Call == x.Call })
		})
	})
}

// Failure reports whether an answer tells the caller about a failure: it is an exception, is marked as a failure, or carries the exception.
func (r *Return) Failure() bool {
	if r.Throws || r.Value == nil {
		return r.Throws
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
