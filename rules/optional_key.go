package rules

import (
	"fmt"
	"slices"

	"github.com/retrysafe/retrysafe/analyzers/flow"
	"github.com/retrysafe/retrysafe/analyzers/model"
)

var optionalKey = &Rule{
	Name: "optional-key", Title: "A call that leaves the key out is not guarded",
	Severity: Low, CWE: 837, Family: KeyFamily, Since: "0.1.0",
	Supersedes: []string{"missing-key"},
	Text: `The tool has a guard, but the key is optional and a call without it skips the guard and still acts. Models leave optional parameters out, above all on the
retry that matters.

MEDIUM for payments.

It is fine when such a call is refused, or when the handler derives a key for it.`,
	Fix:   "Require the key, or derive one from the arguments when it is missing.",
	Check: checkOptionalKey,
}

func checkOptionalKey(p *Pass) {
	for _, t := range p.Tools {
		if !p.judged(t) || t.Kind == flow.Exported {
			continue // who mounts a library's middleware decides what needs a key
		}
		for _, k := range p.keys(t) {
			if k.effect != nil {
				p.optionalVendorKey(t, k.effect)
			} else {
				p.optionalGuard(t, k.record)
			}
		}
	}
}

// optionalGuard reports a lookup or claim that is reached only with a key, beside an additive effect that is reached without.
func (p *Pass) optionalGuard(t *flow.Tool, rec *flow.Record) {
	key, branch := p.presence(rec)
	if !branch.Span.IsValid() {
		return // the guard does not depend on the key being there
	}
	var open []*flow.Effect
	severity := Low
	for _, e := range p.mainEffects(t) {
		if e.Nature != model.Additive || e.Order < rec.Order || !p.skips(t, e, rec) || p.stableKey(e) {
			continue
		}
		open = append(open, e)
		if e.Money {
			severity = Medium
		}
	}
	if len(open) == 0 {
		return
	}
	p.Report(Report{
		At: branch.Span, Event: rec.Event, Effects: open, Param: key.Name, Severity: severity, Confidence: rec.Confidence,
		Related: []Related{{rec.Span, "the guard"}, {open[0].Span, "reached without it"}},
		Message: fmt.Sprintf("%s skips its guard when %s is left out, and still %s", quote(t.Name), quote(lastPart(key.Name)), phrases(open)),
	})
}

// presence finds the key that every way to a guard has found to be there, and the condition that decided it.
func (p *Pass) presence(rec *flow.Record) (flow.Origin, flow.Cond) {
	for _, v := range keyValues(rec) {
		for _, o := range p.Origins(v) {
			if !isSupplied(o) || !isKeyName(o.Name) && !isEventName(o.Name) {
				continue
			}
			var branch flow.Cond
			every := len(rec.Paths) > 0
			for _, path := range rec.Paths {
				i := slices.IndexFunc(path.Conds, func(c flow.Cond) bool { return saysPresent(c, o.Term) })
				if i < 0 {
					every = false
					break
				}
				branch = path.Conds[i]
			}
			if every {
				return o, branch
			}
		}
	}
	return flow.Origin{}, flow.Cond{}
}

// saysPresent reports whether a decided condition says that a value is there.
func saysPresent(c flow.Cond, v *flow.Term) bool {
	t, yes := c.Term, c.True
	for t.Kind == flow.TOp && t.Name == "!" && len(t.Args) == 1 {
		t, yes = t.Args[0], !yes
	}
	if t == v {
		return yes
	}
	if t.Kind != flow.TOp || len(t.Args) != 2 {
		return false
	}
	a, b := t.Args[0], t.Args[1]
	if b == v {
		a, b = b, a
	}
	if a != v || !isEmpty(b) {
		return false
	}
	return t.Name == "!=" && yes || t.Name == "==" && !yes
}

// skips reports whether some way to the effect passes by the guard and by every other claim or lookup under a key.
func (p *Pass) skips(t *flow.Tool, e *flow.Effect, rec *flow.Record) bool {
	for _, path := range e.Paths {
		guarded := path.Made(rec.Call)
		for _, k := range p.keys(t) {
			guarded = guarded || k.record != nil && path.Made(k.record.Call)
		}
		if !guarded && !slices.ContainsFunc(path.Conds, func(c flow.Cond) bool { return p.anyPresent(c, rec) }) {
			return true
		}
	}
	return false
}

// anyPresent reports whether a condition says that a part of the guard's key is there.
func (p *Pass) anyPresent(c flow.Cond, rec *flow.Record) bool {
	return p.anyOrigin(keyValues(rec), func(o flow.Origin) bool { return isSupplied(o) && saysPresent(c, o.Term) })
}

// optionalVendorKey reports a vendor key that is passed only where the caller sent one.
func (p *Pass) optionalVendorKey(t *flow.Tool, e *flow.Effect) {
	if e.Nature != model.Additive || p.ownRecord(e) {
		return
	}
	alts := alternatives(e.Key)
	if slices.ContainsFunc(alts, func(a *flow.Term) bool { return p.freshValue(a) }) {
		return // per-call-key
	}
	for _, alt := range alts {
		for _, o := range p.Origins(alt) {
			if !isSuppliedKey(o) || o.Hashed != "" {
				continue
			}
			param := declared(t, o.Name)
			if param != nil && param.Required && t.ParamsKnown {
				continue // the framework refuses a call without it
			}
			optional := slices.ContainsFunc(alts, isEmpty) || alt == o.Term && param != nil && t.ParamsKnown
			if !optional || p.alwaysPresent(e, o.Term) {
				continue
			}
			severity := Low
			if e.Money {
				severity = Medium
			}
			at := e.KeySpan
			if !at.IsValid() {
				at = e.Span
			}
			p.Report(Report{
				At: at, Event: e.Event, Effects: []*flow.Effect{e}, Param: o.Name, Severity: severity, Confidence: keyConfidence(e),
				Message: fmt.Sprintf("%s passes no key to the vendor when %s is left out, and still %s", quote(t.Name), quote(lastPart(o.Name)), phrase(e)),
			})
			return
		}
	}
}

// alwaysPresent reports whether every way to an effect has found the value to be there: a call without it is refused.
func (p *Pass) alwaysPresent(e *flow.Effect, v *flow.Term) bool {
	for _, path := range e.Paths {
		if !slices.ContainsFunc(path.Conds, func(c flow.Cond) bool { return saysPresent(c, v) }) {
			return false
		}
	}
	return len(e.Paths) > 0
}
