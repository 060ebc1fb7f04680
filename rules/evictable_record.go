package rules

import (
	"fmt"
	"slices"

	"github.com/retrysafe/retrysafe/analyzers/flow"
	"github.com/retrysafe/retrysafe/analyzers/model"
)

var evictableRecord = &Rule{
	Name: "evictable-record", Title: "Records can be pushed out before their time",
	Severity: Low, CWE: 294, Family: RecordFamily, Since: "0.1.0", Experimental: true, NeedsProgram: true,
	Text: `The records live in a cache with a size, or in a Redis that is set up to drop any key when memory is short (` + "`maxmemory-policy allkeys-*`" + `). Others' traffic, or a caller
who sends many keys on purpose, pushes a record out while it is still needed: a repeat acts again, and a nonce that was used is fresh.

MEDIUM for nonces and where the effect moves money.

It is fine when a full store refuses new calls, or when Redis drops only keys that have ended or end soonest (policies ` + "`noeviction`" + ` and volatile-ttl).`,
	Fix:   "Keep the records in a store that never drops one before its time, such as a table or a Redis with noeviction.",
	Check: checkEvictableRecord,
}

func checkEvictableRecord(p *Pass) {
	for _, t := range p.Tools {
		if !p.judged(t) {
			continue
		}
		var done []string
		for _, w := range p.remembered(t) {
			stored := t.Writes(w.record.Store)
			if len(stored) == 0 || slices.Contains(done, w.record.Store) || !p.leaves(w) || p.vendorKeyed(w) {
				continue
			}
			last := stored[len(stored)-1]
			how, related, sure := p.pushedOut(w, last)
			if how == "" {
				continue
			}
			done = append(done, w.record.Store)
			at, fn := placeOf(t, last)
			rep := Report{
				At: at, Fn: fn, Event: last.Event, Records: []*flow.Record{w.record}, Confidence: min(last.Confidence, sure), Related: related,
				Message: fmt.Sprintf("%s keeps what recognises a repeat in %s: pushed out by other keys, a repeat %s again", quote(t.Name), how, w.guarded()),
			}
			if movesMoney(w.effects) || p.keyedByNonce(w.key) {
				rep.Severity = Medium
			}
			p.Report(rep)
		}
	}
}

// remembered lists the records by which a tool recognises repeats, those of nonces among them.
func (p *Pass) remembered(t *flow.Tool) []*watch {
	out := slices.Clone(p.watches(t))
	for _, rec := range t.Records {
		key := keyValues(rec)
		if rec.Op != model.Lookup && rec.Op != model.Claim && rec.Op != model.Swap || rec.Result == nil || !p.keyedByNonce(key) ||
			slices.ContainsFunc(out, func(w *watch) bool { return w.record == rec }) {
			continue
		}
		w := &watch{tool: t, record: rec, key: key}
		for _, e := range p.mainEffects(t) {
			if e.Call != rec.Call && leadsTo(e, func(path flow.Path) bool { return path.Made(rec.Call) }) {
				w.effects = append(w.effects, e)
			}
		}
		out = append(out, w)
	}
	return out
}

// keyedByNonce reports whether a record is kept under a value that is good for one request.
func (p *Pass) keyedByNonce(key []*flow.Term) bool {
	return p.anyOrigin(key, func(o flow.Origin) bool { return isNonceName(o.Name) })
}

// vendorKeyed reports whether a vendor recognises each repeat by a key of its own.
func (p *Pass) vendorKeyed(w *watch) bool {
	return len(w.effects) > 0 && !slices.ContainsFunc(w.effects, func(e *flow.Effect) bool { return !p.stableKey(e) })
}

// pushedOut says in what sort of store a record can be pushed out before its time, "" where it cannot.
func (p *Pass) pushedOut(w *watch, stored *flow.Record) (how string, related []Related, sure model.Confidence) {
	if p.Evicts(stored) {
		return "a cache of limited size", nil, model.Certain
	}
	if rec := p.cappedBy(w); rec != nil {
		return "a map that drops its oldest entries when it is full", []Related{{rec.Span, "an entry is dropped here"}}, model.Certain
	}
	if ev, ok := p.Index.Eviction(stored); ok {
		return "a Redis that drops any key when memory is short (" + ev.Policy + ")", []Related{{ev.Span, "the store is set up here"}}, model.Likely
	}
	return "", nil, 0
}

// cappedBy finds where an entry of a map of the process is removed because the map has grown, not because the entry has ended.
func (p *Pass) cappedBy(w *watch) *flow.Record {
	if !w.record.Local {
		return nil
	}
	for _, rec := range w.tool.Records {
		if rec.Op != model.Release || rec.Store != w.record.Store || rec.Key != nil && rec.Key.HasInput() {
			continue
		}
		for _, path := range rec.Paths {
			sized := slices.ContainsFunc(path.Conds, func(c flow.Cond) bool { return comparesSize(c, w.record.Recv) })
			if sized && (rec.Result == nil || !p.judgesAge(path, rec.Result)) && !slices.ContainsFunc(path.Conds, func(c flow.Cond) bool { return p.mentionsClock(c.Term) }) {
				return rec
			}
		}
	}
	return nil
}

// comparesSize reports whether a condition compares how many entries a collection has.
func comparesSize(c flow.Cond, of *flow.Term) bool {
	t := c.Term
	if t.Kind != flow.TOp || len(t.Args) != 2 || of == nil {
		return false
	}
	return slices.ContainsFunc(t.Args, func(side *flow.Term) bool {
		return side.Any(func(u *flow.Term) bool {
			return (u.Kind == flow.TMember || u.Kind == flow.TOp || u.Kind == flow.TCall) && (u.Name == "size" || u.Name == "length" || u.Name == "len")
		})
	})
}

// mentionsClock reports whether the clock is part of a value.
func (p *Pass) mentionsClock(t *flow.Term) bool {
	return t.Any(func(u *flow.Term) bool { return u.Kind == flow.TCall && p.isClock(u) })
}
