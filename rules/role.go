package rules

import (
	"slices"

	"github.com/retrysafe/retrysafe/analyzers/flow"
	"github.com/retrysafe/retrysafe/analyzers/model"
)

// takesRole reports whether a lookup plays the part of a record whatever its key is called: all that selects it comes from the caller or is constant, and the
// tool makes an entry in the same store under the same value. Whether a customer exists is such a question only where the tool makes that customer.
func (p *Pass) takesRole(t *flow.Tool, rec *flow.Record, key []*flow.Term) bool {
	if rec.Op != model.Lookup || rec.FreshOnly || len(key) == 0 {
		return false
	}
	sent := false
	for _, v := range key {
		for _, o := range p.Origins(v) {
			switch {
			case isNonceName(o.Name):
				return false // another family's question
			case isSupplied(o):
				sent = true
			case o.Kind != flow.OriginConstant && !isCallerOrigin(o.Kind):
				return false
			}
		}
	}
	return sent && p.leavesAlone(t, rec) && slices.ContainsFunc(t.Records, func(w *flow.Record) bool { return makesEntry(w, rec) })
}

// isCallerOrigin reports whether a value tells who the caller is.
func isCallerOrigin(k flow.OriginKind) bool {
	return k == flow.OriginCaller || k == flow.OriginCredential || k == flow.OriginSession
}

// makesEntry reports whether an operation stores a new entry where the lookup looks, under what the lookup asked for. What is made of the entry that was found is
// a change of it.
func makesEntry(w, lookup *flow.Record) bool {
	if w.Store != lookup.Store || w.Call == lookup.Call || w.Op != model.Put && w.Op != model.Claim || changesRow(w) {
		return false
	}
	if lookup.Result != nil && (w.Value != nil && w.Value.Contains(lookup.Result) || w.Key != nil && w.Key.Contains(lookup.Result)) {
		return false
	}
	if len(lookup.Cols) == 0 {
		return w.Key != nil && w.Key == lookup.Key
	}
	for col, v := range lookup.Cols {
		if _, constant := v.IsConst(); !constant && w.Set[col] != v {
			return false
		}
	}
	return true
}

// changesRow reports whether an operation writes into rows that are there already.
func changesRow(w *flow.Record) bool {
	if w.Statement != nil {
		return w.Statement.Verb == "update"
	}
	return w.Op == model.Put && w.Spec != nil && w.Spec.Filter
}

// confidence is how sure it is that the lookup recognises repeats.
func (w *watch) confidence() model.Confidence {
	if w.byRole {
		return min(w.record.Confidence, model.Likely)
	}
	return w.record.Confidence
}

// missedBefore reports whether each way to an effect has found nothing in the store of the lookup.
func (p *Pass) missedBefore(t *flow.Tool, e *flow.Effect, lookup *flow.Record) bool {
	return len(e.Paths) > 0 && !leadsTo(e, func(path flow.Path) bool {
		return !slices.ContainsFunc(t.Records, func(rec *flow.Record) bool {
			return rec.Op == model.Lookup && rec.Store == lookup.Store && p.Outcome(path, rec.Call) == flow.Missed
		})
	})
}

// leavesAlone reports whether some way ends where the lookup has found something, without any effect on it: a cache only spares the tool a step.
func (p *Pass) leavesAlone(t *flow.Tool, lookup *flow.Record) bool {
	return slices.ContainsFunc(t.Returns, func(r *flow.Return) bool {
		return p.Outcome(r.Path, lookup.Call) == flow.Hit && !slices.ContainsFunc(p.mainEffects(t), func(e *flow.Effect) bool {
			return r.Path.Made(e.Call) && e.Nature.Rank() > model.Replacing.Rank()
		})
	})
}
