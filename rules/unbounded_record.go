package rules

import (
	"fmt"
	"slices"

	"github.com/retrysafe/retrysafe/analyzers/flow"
	"github.com/retrysafe/retrysafe/analyzers/model"
)

var unboundedRecord = &Rule{
	Name: "unbounded-record", Title: "A map of seen keys only grows",
	Severity: Low, CWE: 770, Family: RecordFamily, Since: "0.1.0", NeedsProgram: true,
	Text: `Each key that a caller sends stays in a map of the process, and nothing takes it out again: the memory grows with every call until the process ends. An age that is
compared when the same key comes again frees nothing of the keys that never come again.

It is fine when old entries are swept, when the map has a size above which it drops the oldest, or when an entry is removed some time after it was made.`,
	Fix:   "Remove entries by their age in a sweep, or keep them in a cache with a lifetime and a size.",
	Check: checkUnboundedRecord,
}

func checkUnboundedRecord(p *Pass) {
	for _, t := range p.Tools {
		if !p.judged(t) {
			continue
		}
		for _, w := range p.memories(t) {
			if w.record.HasTTL || w.record.Spec != nil && w.record.Spec.Evicts || p.evicted(w) {
				continue
			}
			stored := t.Writes(w.record.Store)
			p.Report(Report{
				At: madeAt(w.record), Event: w.record.Event, Records: []*flow.Record{w.record}, Confidence: w.confidence(), Bound: w.record.Store,
				Related: []Related{{stored[len(stored)-1].Span, "an entry is added here for every key"}},
				Message: fmt.Sprintf("%s keeps every key that it has seen in a map of the process, and nothing removes them", quote(t.Name)),
			})
		}
	}
}

// evicted reports whether something in the program takes entries out of the map: by a key that no caller sent, as sweeps and caps of the size do, all at once,
// or some time after the entry was made.
func (p *Pass) evicted(w *watch) bool {
	for _, rec := range p.Index.Releases(w.record.Store) {
		if rec.Key == nil || !rec.Key.HasInput() {
			return true
		}
	}
	if p.Index.RemovesUnseen(w.record) {
		return true
	}
	for _, rec := range p.Index.StoreUses(w.record.Store) {
		if rec.HasTTL {
			return true
		}
		if rec.Op == model.Release && slices.ContainsFunc(rec.Tool.Writes(rec.Store), func(o *flow.Record) bool { return followsAlways(o, rec) }) {
			return true
		}
	}
	return false
}

// followsAlways reports whether the removal of an entry follows on its making whatever comes in between, as one that a timer is set for. A call that takes out
// its own entry where it fails, or where the answer is not worth keeping, leaves the others.
func followsAlways(made, removed *flow.Record) bool {
	asked := map[*flow.Term]bool{}
	for _, path := range made.Paths {
		for _, c := range path.Conds {
			asked[c.Term] = true
		}
	}
	return slices.ContainsFunc(removed.Paths, func(path flow.Path) bool {
		return path.Made(made.Call) && !anyFailed(path) && !slices.ContainsFunc(path.Conds, func(c flow.Cond) bool { return !asked[c.Term] })
	})
}
