package rules

import (
	"fmt"
	"math"
	"slices"

	"github.com/retrysafe/retrysafe/analyzers/flow"
	"github.com/retrysafe/retrysafe/analyzers/model"
)

// claim is a record that a call enters before its effects, to be completed or released when they are done.
type claim struct {
	*watch
	entry *flow.Record
	// covered are the effects before which it is entered on every way.
	covered []*flow.Effect
}

// claims finds what a tool enters under the key of an operation before it acts. The ids of events are left out: what becomes of them is another question.
func (p *Pass) claims(t *flow.Tool) []*claim {
	return once(p.shared.claims, t, func() []*claim {
		var out []*claim
		for _, w := range p.watches(t) {
			if p.keyedByEvent(t, w.record) {
				continue
			}
			for _, e := range w.effects {
				for _, rec := range writtenBefore(t, w.record.Store, e) {
					if w.acted(rec) {
						continue // it stores what was done before
					}
					i := slices.IndexFunc(out, func(c *claim) bool { return c.entry == rec })
					if i < 0 {
						i = len(out)
						out = append(out, &claim{watch: w, entry: rec})
					}
					if c := out[i]; !slices.Contains(c.covered, e) {
						c.covered = append(c.covered, e)
					}
				}
			}
		}
		return out
	})
}

// acted reports whether some way to a record operation has passed an effect.
func (w *watch) acted(rec *flow.Record) bool {
	return slices.ContainsFunc(rec.Paths, func(path flow.Path) bool {
		return slices.ContainsFunc(w.effects, func(e *flow.Effect) bool { return path.Made(e.Call) })
	})
}

// completions lists the writes that store the outcome where an effect is done.
func (w *watch) completions(e *flow.Effect) []*flow.Record {
	var out []*flow.Record
	for _, rec := range w.tool.Writes(w.record.Store) {
		if rec.Call != e.Call && slices.ContainsFunc(rec.Paths, func(path flow.Path) bool { return path.Made(e.Call) && !failed(path, e.Call) }) {
			out = append(out, rec)
		}
	}
	return out
}

// settled reports whether something is done to the record where the effect fails: on a way on which it has failed or nobody asked whether it did, or where the
// function around both catches what it throws.
func (p *Pass) settled(c *claim, e *flow.Effect) bool {
	for _, rec := range c.tool.Records {
		if rec.Call == c.entry.Call || rec.Store != c.entry.Store || rec.Op == model.Lookup || rec.Op == model.Lock {
			continue
		}
		if onFailure(p, rec, e) {
			return true
		}
	}
	return false
}

// onFailure reports whether a record operation happens where the effect fails.
func onFailure(p *Pass, rec *flow.Record, e *flow.Effect) bool {
	for _, path := range rec.Paths {
		if failed(path, e.Call) || e.ReturnsError() && path.Made(e.Call) && !p.Accepted(path, e.Call) {
			return true
		}
	}
	return slices.ContainsFunc(rec.Chain, func(s flow.Step) bool {
		return s.Caught() && slices.ContainsFunc(e.Chain, func(o flow.Step) bool { return o.Function() == s.Function() && o.Tried() })
	})
}

// ends reports whether a record is taken for gone some time after it was entered: it has a lifetime, its age is looked at, or old ones are removed.
func (p *Pass) ends(c *claim) bool {
	if c.entry.HasTTL && c.entry.Unit != "column" || c.record.FreshOnly || p.Index.Cleans(c.entry.Store) || c.entry.Table != "" && p.Index.Cleans(c.entry.Table) {
		return true
	}
	if c.entry.Local && p.swept(c.entry) {
		return true
	}
	for _, rec := range p.Index.StoreUses(c.entry.Store) {
		if rec.Op == model.Expire || rec.FreshOnly {
			return true
		}
		if rec.Result == nil {
			continue
		}
		ages := func(path flow.Path) bool { return p.judgesAge(path, rec.Result) }
		if slices.ContainsFunc(rec.Tool.Returns, func(r *flow.Return) bool { return ages(r.Path) }) ||
			slices.ContainsFunc(rec.Tool.Events, func(e *flow.Event) bool { return slices.ContainsFunc(e.Paths, ages) }) {
			return true
		}
	}
	return false
}

// swept reports whether something takes entries that are old out of a collection of the process: by a key that no caller sent, as a loop over all of them
// does, where the clock has been asked, or where nobody knows what was asked before.
func (p *Pass) swept(r *flow.Record) bool {
	asked := map[*flow.Call]bool{}
	for _, rec := range p.Index.StoreUses(r.Store) {
		if rec.Op != model.Release || rec.Key == nil || rec.Key.HasInput() {
			continue
		}
		asked[rec.Call] = true
		if slices.ContainsFunc(rec.Paths, p.asksClock) {
			return true
		}
	}
	return p.Index.RemovesUnseen(r) || slices.ContainsFunc(p.Index.Releases(r.Store), func(rec *flow.Record) bool {
		return !asked[rec.Call] && rec.Key != nil && !rec.Key.HasInput()
	})
}

// asksClock reports whether a way has decided something by the clock.
func (p *Pass) asksClock(path flow.Path) bool {
	return slices.ContainsFunc(path.Conds, func(c flow.Cond) bool {
		clock := false
		c.Term.Walk(func(t *flow.Term) bool {
			clock = clock || p.ReadsClock(t) || t.Kind == flow.TCall && p.isClock(t)
			return !clock
		})
		return clock
	})
}

// duration says in words how long something takes.
func duration(seconds float64) string {
	seconds = math.Round(seconds*1000) / 1000
	for _, unit := range []struct {
		seconds float64
		name    string
	}{{86400, "day"}, {3600, "hour"}, {60, "minute"}, {1, "second"}} {
		if n := seconds / unit.seconds; n >= 1 && (n == float64(int(n)) || unit.seconds == 1) {
			if n == 1 {
				return "1 " + unit.name
			}
			return fmt.Sprintf("%g %ss", n, unit.name)
		}
	}
	return fmt.Sprintf("%g ms", seconds*1000)
}
