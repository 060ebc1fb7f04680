package flow

import (
	"slices"
	"strings"

	"github.com/retrysafe/retrysafe/analyzers/model"
	"github.com/retrysafe/retrysafe/analyzers/query"
)

// Serialized reports whether a way has begun, before a call, a transaction that the database keeps apart from every other one that works on the same rows: of
// two at once, one fails or waits.
func (r *Result) Serialized(p Path, c *Call) bool {
	for _, b := range p.Before {
		if b.Call == c {
			return false
		}
		rec := r.engine.recordOf(b.Call)
		if rec != nil && !b.Failed && rec.Op == model.Txn && rec.Spec != nil && rec.Spec.Atomic {
			return true
		}
	}
	return false
}

// controlRecord describes a statement that touches no rows but begins a transaction or takes a lock by name, nil for another one.
func (e *engine) controlRecord(ev *Event, s *Statement) *Record {
	st := &s.Statement
	store := ev.Symbol
	if ev.Recv != nil {
		store, _ = e.storeName(ev.Recv, nil)
	}
	calls := func(names ...string) bool {
		return slices.ContainsFunc(names, func(n string) bool { return slices.Contains(st.Functions, n) })
	}
	r := &Record{Event: ev, Statement: s, Store: store, Spec: &model.Record{}}
	switch {
	case st.Verb == query.Begin || st.Isolation != "":
		r.Op = model.Txn
		r.Spec.Atomic = slices.Contains([]string{"SERIALIZABLE", "IMMEDIATE", "EXCLUSIVE"}, strings.ToUpper(st.Isolation))
	case calls("pg_advisory_lock", "pg_advisory_xact_lock", "pg_try_advisory_lock", "pg_try_advisory_xact_lock", "get_lock", "sp_getapplock"):
		r.Op, r.Store = model.Lock, store+"<advisory"
	case calls("pg_advisory_unlock", "release_lock", "sp_releaseapplock"):
		r.Op, r.Store = model.Unlock, store+"<advisory"
	default:
		return nil
	}
	r.Spec.Op = r.Op
	return r
}
