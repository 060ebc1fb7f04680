package rules

import (
	"fmt"
	"slices"

	"github.com/retrysafe/retrysafe/analyzers/flow"
	"github.com/retrysafe/retrysafe/analyzers/model"
)

var racyClaim = &Rule{
	Name: "racy-claim", Title: "Two repeats at once both find no record",
	Severity: Medium, CWE: 367, Family: RecordFamily, Since: "0.1.0",
	Supersedes: []string{"late-record"},
	Text: `The tool looks its key up, and stores it in a second step. A client that times out and asks again while the first call is running, or a sender
that delivers twice at once, passes the lookup before anything is stored: both calls act.

HIGH where the effect moves money.

It is fine when one step decides who goes on: ` + "`SET NX`" + `, an insert under a unique constraint whose refusal is met before the effect, a conditional write,
` + "`LoadOrStore`" + `, a row that is locked while it is checked, or a lock that is held from the lookup to the store. A check and a store in the memory of one process are one
step where nothing waits between them.`,
	Fix:   "Claim the key in one atomic step before the effect, and let the call that loses the claim leave.",
	Check: checkRacyClaim,
}

func checkRacyClaim(p *Pass) {
	for _, t := range p.Tools {
		if !p.judged(t) {
			continue
		}
		for _, w := range p.watches(t) {
			if w.record.Op != model.Lookup || w.record.Spec != nil && w.record.Spec.Atomic || !p.leaves(w) {
				continue
			}
			stored := t.Writes(w.record.Store)
			if len(stored) == 0 {
				continue // somebody else keeps the records, or nobody does
			}
			var open []*flow.Effect
			for _, e := range w.effects {
				if m := p.met(e, w.record.Call); m.hit && !m.missed {
					continue // what has to be there is what the tool works on
				}
				if p.protection(e).Level != flow.Full && !claimed(p, w, e) {
					open = append(open, e)
				}
			}
			if len(open) == 0 && (len(w.effects) > 0 || p.routeClaimed(w)) {
				continue
			}
			at, fn := placeOf(t, w.record)
			rep := Report{At: at, Fn: fn, Event: w.record.Event, Records: []*flow.Record{w.record}, Confidence: w.record.Confidence,
				Related: []Related{{stored[len(stored)-1].Span, "the record is stored here, in a second step"}}}
			for _, e := range open {
				rep.Related = append(rep.Related, Related{e.Span, "both calls come here"})
				rep.Confidence = min(rep.Confidence, e.Confidence)
				if p.mayBeRefused(t, w, e) {
					rep.Confidence = model.Possible
				}
			}
			if w.byRole {
				rep.Confidence = min(rep.Confidence, model.Likely)
			}
			if movesMoney(open) {
				rep.Severity = High
			}
			rep.Message = fmt.Sprintf("%s looks the key up and stores it in two steps: two repeats at once both find nothing, and each %s",
				quote(t.Name), (&watch{effects: open}).guarded())
			p.Report(rep)
		}
	}
}

// claimed reports whether each way to the effect has stored the record before, in what is one step with the lookup or with a later one of the same store.
func claimed(p *Pass, w *watch, e *flow.Effect) bool {
	if len(e.Paths) > 0 && !leadsTo(e, func(path flow.Path) bool { return !p.lockedLookup(w, path) }) {
		return true
	}
	before := writtenBefore(w.tool, w.record.Store, e)
	for _, rec := range before {
		if rec.Op == model.Claim && rec.Spec != nil && rec.Spec.Atomic {
			continue // what becomes of its outcome is another question
		}
		if !uninterrupted(w.record, rec) && !p.asksAgain(w, rec) {
			return false
		}
	}
	return len(before) > 0 || begunInStep(w, e)
}

// begunInStep reports whether the effect is begun between the lookup and the store of what will come of it, and nothing is waited for until that is stored:
// who comes next finds the promise.
func begunInStep(w *watch, e *flow.Effect) bool {
	return slices.ContainsFunc(w.tool.Writes(w.record.Store), func(rec *flow.Record) bool {
		if rec.Op != model.Put || rec.Fn != w.record.Fn || !uninterrupted(w.record, rec) {
			return false
		}
		within := func(fn *flow.Function, at model.Span) bool {
			return fn == rec.Fn && at.Offset >= w.record.Span.Offset && at.EndOffset <= rec.Span.EndOffset
		}
		return within(e.Fn, e.Span) || slices.ContainsFunc(e.Chain, func(s flow.Step) bool { return within(s.Function(), s.Span) })
	})
}

// asksAgain reports whether the same store is asked once more in one step with what is stored, so that the first lookup only spares work: a lock function
// that looks and takes.
func (p *Pass) asksAgain(w *watch, stored *flow.Record) bool {
	return slices.ContainsFunc(w.tool.Records, func(again *flow.Record) bool {
		if again.Op != model.Lookup || again.Store != stored.Store || again.Call == w.record.Call || !uninterrupted(again, stored) {
			return false
		}
		missed := false
		for _, path := range stored.Paths {
			switch p.Outcome(path, again.Call) {
			case flow.Hit:
				if !p.outdated(path, again.Call) {
					return false
				}
			case flow.Missed:
				missed = true
			}
		}
		return missed
	})
}

// lockedLookup reports whether a way looks into the store under a lock that it holds until it has stored the record or acts.
func (p *Pass) lockedLookup(w *watch, path flow.Path) bool {
	return slices.ContainsFunc(w.tool.Records, func(rec *flow.Record) bool {
		return rec.Op == model.Lookup && rec.Store == w.record.Store && path.Made(rec.Call) && p.ClaimedLocked(path, rec)
	})
}

// routeClaimed reports whether some step before the rest of a route decides alone who goes on.
func (p *Pass) routeClaimed(w *watch) bool {
	for _, r := range w.tool.Returns {
		if p.Outcome(r.Path, w.record.Call) != flow.Missed || r.Failure() {
			continue
		}
		for _, rec := range w.tool.Records {
			if !r.Path.Made(rec.Call) {
				continue
			}
			switch rec.Op {
			case model.Lock, model.Swap, model.Txn:
				return true
			case model.Claim:
				if rec.Store == w.record.Store || rec.Spec != nil && rec.Spec.Atomic {
					return true
				}
			case model.Put:
				if rec.Store == w.record.Store && uninterrupted(w.record, rec) {
					return true
				}
			}
		}
	}
	return false
}

// mayBeRefused reports whether an insert into the table that was looked in comes before or is the effect, of whose constraints the program says nothing.
func (p *Pass) mayBeRefused(t *flow.Tool, w *watch, e *flow.Effect) bool {
	for _, rec := range t.Writes(w.record.Store) {
		if rec.Op != model.Claim || rec.Table == "" || p.Index.Declares(rec.Table) {
			continue
		}
		if rec.Call == e.Call || leadsTo(e, func(path flow.Path) bool { return path.Made(rec.Call) }) {
			return true
		}
	}
	return false
}
