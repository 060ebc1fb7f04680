package rules

import (
	"slices"

	"github.com/retrysafe/retrysafe/analyzers/flow"
	"github.com/retrysafe/retrysafe/analyzers/model"
)

// recogniser is a value by which a tool tells a repeat from a new call: what a record that guards an effect is kept under, the hash of the arguments that is
// compared with a stored one, the key passed to a vendor, or a column of a row that is made for the purpose.
type recogniser struct {
	event   *flow.Event
	values  []*flow.Term
	record  *flow.Record   // nil for a vendor's key and a column
	effects []*flow.Effect // what it keeps a repeat from
	replay  *replay        // a result that is stored under a key which the caller sends, or which is made from the arguments, is given for it
	given   bool           // a stored result is given for it
	vendor  bool
	// compares says that the values are not the key but what is compared with what was stored under it.
	compares bool
}

// eachRecogniser calls check for what tells repeats apart in the tools that are judged.
func (p *Pass) eachRecogniser(check func(*flow.Tool, *recogniser)) {
	for _, t := range p.Tools {
		if p.judged(t) {
			for _, k := range p.recognisers(t) {
				check(t, k)
			}
		}
	}
}

// eachKey does so for keys alone, without what is compared with what was stored under one.
func (p *Pass) eachKey(check func(*flow.Tool, *recogniser)) {
	p.eachRecogniser(func(t *flow.Tool, k *recogniser) {
		if !k.compares {
			check(t, k)
		}
	})
}

// recognisers lists them in order.
func (p *Pass) recognisers(t *flow.Tool) []*recogniser {
	return once(p.shared.recognisers, t, func() []*recogniser {
		var out []*recogniser
		replays := map[*flow.Record]*replay{}
		for _, r := range p.replays(t) {
			replays[r.lookup] = r
		}
		for _, rec := range t.Records {
			if rec.Op != model.Lookup && rec.Op != model.Claim && rec.Op != model.Swap || p.isEffect(t, rec) || rec.Op == model.Claim && isBusinessRow(rec) {
				continue
			}
			k := &recogniser{event: rec.Event, values: keyValues(rec), record: rec, replay: replays[rec], given: replays[rec] != nil || p.givenBack(t, rec)}
			if k.replay != nil {
				k.effects = k.replay.effects
			} else if k.effects = p.keptFrom(t, rec); len(k.effects) == 0 {
				continue
			}
			out = append(out, k)
			if k.replay != nil {
				if values := k.replay.compared(); len(values) > 0 {
					also := *k
					also.values, also.compares = values, true
					out = append(out, &also)
				}
			}
		}
		for _, e := range p.mainEffects(t) {
			if e.Key != nil && !isAbsent(e.Key) {
				out = append(out, &recogniser{event: e.Event, values: []*flow.Term{e.Key}, effects: []*flow.Effect{e}, vendor: true})
			}
			if v := p.keyColumn(t, e); v != nil {
				out = append(out, &recogniser{event: e.Event, values: []*flow.Term{v}, effects: []*flow.Effect{e}})
			}
		}
		return out
	})
}

// isBusinessRow reports whether an insert makes a row of the tool's own work: neither its table nor one of its columns is named for telling a repeat. That the
// insert may be refused makes its columns no key.
func isBusinessRow(rec *flow.Record) bool {
	if len(rec.Set) == 0 || isDedupeStore(rec.Table) || isDedupeStore(rec.Store) {
		return false
	}
	for name := range rec.Set {
		if isKeyName(name) || isNonceName(name) || isEventName(name) {
			return false
		}
	}
	return true
}

// givenBack reports whether an answer carries what the record held.
func (p *Pass) givenBack(t *flow.Tool, rec *flow.Record) bool {
	return rec.Result != nil && slices.ContainsFunc(t.Returns, func(ret *flow.Return) bool {
		return !ret.Throws && p.answersWith(t, ret, rec) && p.Outcome(ret.Path, rec.Call) != flow.Missed && !ret.Failure()
	})
}

// keptFrom lists the effects that a hit in the record keeps from running.
func (p *Pass) keptFrom(t *flow.Tool, rec *flow.Record) []*flow.Effect {
	var out []*flow.Effect
	for _, e := range p.mainEffects(t) {
		if e.Call != rec.Call && !keeps(t, e, rec) && p.skipped(t, e, rec) {
			out = append(out, e)
		}
	}
	return out
}

// keyColumn gives what a new row has in a column that is named as a key, nil if there is no such column.
func (p *Pass) keyColumn(t *flow.Tool, e *flow.Effect) *flow.Term {
	if e.Kind != model.Database || e.Nature != model.Additive {
		return nil
	}
	for _, rec := range t.Records {
		if rec.Call != e.Call {
			continue
		}
		var names []string
		for name := range rec.Set {
			if isKeyName(name) {
				names = append(names, name)
			}
		}
		slices.Sort(names)
		for _, name := range names {
			if v := rec.Set[name]; v != nil && !isAbsent(v) {
				return v
			}
		}
	}
	return nil
}

// about fills in what a finding about a recogniser concerns.
func (k *recogniser) about(r Report) Report {
	r.Event = k.event
	if k.record != nil {
		r.Records = append(r.Records, k.record)
	} else {
		r.Effects = append(r.Effects, k.effects...)
	}
	if r.Confidence == 0 {
		r.Confidence = k.event.Confidence
		if k.vendor && len(k.effects) == 1 {
			r.Confidence = keyConfidence(k.effects[0])
		}
	}
	return r
}

// use says where the value is put to use.
func (k *recogniser) use() string {
	switch {
	case k.vendor:
		return "the key is passed here"
	case k.compares:
		return "it is compared with what was stored"
	case k.record == nil:
		return "the key is stored here"
	}
	return "the key is looked up here"
}

// place is where a value is made, or where it is used if that is not known.
func (k *recogniser) place(v *flow.Term) (model.Span, *flow.Function) {
	if v != nil && v.Site != nil && v.Site.Span.IsValid() {
		return v.Site.Span, v.Site.Fn
	}
	if k.vendor && len(k.effects) == 1 && k.effects[0].KeySpan.IsValid() {
		return k.effects[0].KeySpan, k.event.Fn
	}
	return k.event.Span, k.event.Fn
}

// joinOf tells where a text within a value is put together.
func (p *Pass) joinOf(ev *flow.Event, v *flow.Term) (at model.Span, fn *flow.Function, ok bool) {
	p.Follow(v, func(u *flow.Term) bool {
		if !ok && u.Kind == flow.TConcat {
			at, fn, ok = p.JoinPlace(ev, u)
		}
		return !ok
	})
	return at, fn, ok
}
