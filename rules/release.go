package rules

import (
	"slices"

	"github.com/retrysafe/retrysafe/analyzers/flow"
	"github.com/retrysafe/retrysafe/analyzers/model"
)

// releases lists the operations of a tool that take a record out of a store.
func releases(t *flow.Tool, store string) []*flow.Record {
	var out []*flow.Record
	for _, rec := range t.Records {
		if rec.Store == store && rec.Op == model.Release {
			out = append(out, rec)
		}
	}
	return out
}

// sameRecord reports whether two operations work on one record: they are given the same key.
func sameRecord(a, b *flow.Record) bool {
	if a.Store != b.Store {
		return false
	}
	if a.Key != nil && a.Key == b.Key {
		return true
	}
	shared := false
	for _, v := range keyValues(a) {
		for _, w := range keyValues(b) {
			shared = shared || v == w && v.Kind != flow.TConst
		}
	}
	for _, w := range a.Set { // what an insert fills in, a delete selects by
		for _, v := range b.Cols {
			shared = shared || v == w && v != nil && v.Kind != flow.TConst
		}
	}
	return shared
}

// onSuccess reports whether a record operation happens where the effect is done.
func onSuccess(p *Pass, rec *flow.Record, e *flow.Effect) bool {
	return slices.ContainsFunc(rec.Paths, func(path flow.Path) bool {
		if !path.Made(e.Call) || anyFailed(path) {
			return false
		}
		return !e.ReturnsError() || p.Accepted(path, e.Call)
	})
}
