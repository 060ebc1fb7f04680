package rules

import (
	"fmt"

	"github.com/retrysafe/retrysafe/analyzers/flow"
	"github.com/retrysafe/retrysafe/analyzers/lazyregexp"
)

var unstableDerivedKey = &Rule{
	Name: "unstable-derived-key", Title: "A derived key is another one on a retry",
	Severity: Medium, CWE: 837, Family: QualityFamily, Since: "0.1.0",
	Supersedes: []string{"predictable-key", "unkeyed-payment", "undeduped-message", "unkeyed-vendor", "idempotent-lie", "missing-key"},
	Text: `The key is derived from the operation, and something that changes goes in too: the time, a random value, the number of the attempt, ` + "`_meta`" + ` or a progress token, also as what
stands in for an id that the caller left out. The retry of a lost call comes later, so its key is another one: what was made to recognise it never does. A minute or an hour of the
clock is no better at its edge.

It is fine with a business date or period, with a value that is stored before it is used and read again, and as the key of a cache.`,
	Fix:   "Derive the key only from what a repeat has in common with the first call.",
	Check: checkUnstableDerivedKey,
}

// attemptName matches the names under which a caller says how often it has tried.
var attemptName = lazyregexp.New(`^(retry|attempt|try)(number|count|no|num|index)?$|^(retries|attempts|tries)$`)

func checkUnstableDerivedKey(p *Pass) {
	p.eachKey(func(t *flow.Tool, k *recogniser) {
		for _, v := range k.values {
			o, ok := p.unstable(t, k, v)
			if !ok {
				continue
			}
			at, fn := k.place(o.Term)
			if isSupplied(o) || o.Kind == flow.OriginMeta || o.Kind == flow.OriginProtocol {
				at, fn = k.place(nil)
				if span, in, ok := p.joinOf(k.event, v); ok {
					at, fn = span, in
				} else if r := p.lastRead(t, func(r *flow.Read) bool { return r.Term == o.Term }); r != nil {
					at, fn = r.Span, r.Fn
				}
			}
			rep := k.about(Report{
				At: at, Fn: fn, Related: []Related{{k.event.Span, k.use()}},
				Message: fmt.Sprintf("%s puts %s into the key: a repeated call has another key and acts again", quote(t.Name), changingText(o)),
			})
			if k.record != nil {
				rep.Effects = k.effects
			}
			p.Report(rep)
			break
		}
	})
}

// unstable finds what changes from call to call in a key that is otherwise derived from the operation.
func (p *Pass) unstable(t *flow.Tool, k *recogniser, v *flow.Term) (flow.Origin, bool) {
	for _, alt := range alternatives(v) {
		if k.vendor && p.freshValue(alt) {
			continue // per-call-key
		}
		derived, changing := false, flow.Origin{}
		for _, o := range p.Origins(alt) {
			switch {
			case isFresh(o.Kind):
				if changing.Kind == "" && !p.Period(alt, o.Term) && !p.storedBefore(t, k, v, o.Term) {
					changing = o
				}
			case o.Kind == flow.OriginMeta && !isKeyName(o.Name), o.Kind == flow.OriginProtocol && !isToolCall(o), isSupplied(o) && attemptName.MatchString(NormalName(lastPart(o.Name))):
				if changing.Kind == "" {
					changing = o
				}
			case isSupplied(o), o.Kind == flow.OriginRecord:
				derived = true // an id that is all new names a thing, and recognises nothing
			}
		}
		if changing.Kind == flow.OriginProtocol || changing.Kind == flow.OriginMeta {
			if _, only := p.onlyProtocolID([]*flow.Term{v}); only {
				continue // protocol-id-as-key
			}
		}
		if derived && changing.Kind != "" {
			return changing, true
		}
	}
	return flow.Origin{}, false
}

// storedBefore reports whether a fresh value is stored before it is used, and the key is otherwise what was stored earlier.
func (p *Pass) storedBefore(t *flow.Tool, k *recogniser, v, fresh *flow.Term) bool {
	if !p.from([]*flow.Term{v}, flow.OriginRecord) {
		return false
	}
	for _, rec := range t.Records {
		if rec.Order < k.event.Order && rec.Writes() && storesValue(rec, fresh) {
			return true
		}
	}
	return false
}

func changingText(o flow.Origin) string {
	switch o.Kind {
	case flow.OriginClock:
		return "the time of the call"
	case flow.OriginRandom, flow.OriginWeakRandom:
		return "a random value"
	case flow.OriginTimeID:
		return "an id made new on every call"
	case flow.OriginCounter:
		return "a counter"
	case flow.OriginMeta:
		return "`_meta`"
	case flow.OriginProtocol:
		return protocolText(o)
	}
	return "the number of the attempt, " + quote(lastPart(o.Name)) + ","
}
