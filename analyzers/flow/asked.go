package flow

import "slices"

// asked reports whether one of the lookups keeps a repeat from the effects: they come about where nothing was found, and where something was, the tool answers
// without them. A row that has to be found is what the tool works on, one that makes no difference is what it reads for the purpose.
func (r *Result) asked(t *Tool, lookups []*Record, effects ...*Effect) bool {
	for _, l := range lookups {
		if dedupeName.MatchString(l.Table) {
			return true
		}
		hit, missed := false, false
		for _, x := range effects {
			for _, p := range x.Paths {
				switch r.Outcome(p, l.Call) {
				case Hit:
					hit = true
				case Missed:
					missed = true
				}
			}
		}
		if missed && (!hit || r.leaves(t, l, effects)) {
			return true
		}
	}
	return false
}

// leaves reports whether the tool answers, and not with a failure, where a lookup found something and before the effects.
func (r *Result) leaves(t *Tool, l *Record, effects []*Effect) bool {
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
