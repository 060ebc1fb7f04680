package rules

import (
	"fmt"

	"github.com/retrysafe/retrysafe/analyzers/flow"
)

// This file says of the stores of nonces what the rules about records say of those of keys: where a nonce is not found again, a captured request is served.

// checkLocalNonces reports nonces that one process alone remembers.
func checkLocalNonces(p *Pass, t *flow.Tool) {
	if !p.servedOverNetwork(t) {
		return
	}
	reported := map[string]bool{}
	for _, n := range p.nonces(t) {
		if len(n.stored) == 0 || !n.record.Local {
			continue
		}
		if reported[n.record.Store] || p.keptElsewhere(n) {
			continue
		}
		reported[n.record.Store] = true
		p.Report(Report{
			At: madeAt(n.record), Event: n.record.Event, Records: []*flow.Record{n.record}, Severity: Medium, Confidence: n.confidence,
			Related: []Related{{n.record.Span, "the nonce is asked for here"}},
			Message: fmt.Sprintf("%s remembers the nonce %s in this process only: after a restart, or on another instance, a captured request is served again", quote(t.Name), n.quoted()),
		})
	}
}

// keptElsewhere reports whether a store that outlives the process is asked for a nonce as well.
func (p *Pass) keptElsewhere(n *nonce) bool {
	for _, o := range p.nonces(n.tool) {
		if !o.record.Local && len(o.stored) > 0 {
			return true
		}
	}
	return false
}

// checkOpenNonces reports effects to which a request comes although the store of the nonces failed.
func checkOpenNonces(p *Pass, t *flow.Tool) {
	for _, n := range p.nonces(t) {
		if n.record.Local || len(n.stored) == 0 {
			continue
		}
		at, fn := placeOf(t, n.record)
		w := &watch{tool: t, record: n.record}
		var open []*flow.Effect
		place := at
		for _, e := range p.mainEffects(t) {
			if e.Call == n.record.Call || p.stableKey(e) {
				continue
			}
			where, ok := p.runsOnFailure(w, e, fn)
			if !ok {
				continue
			}
			if len(open) == 0 && where.IsValid() {
				place = where
			}
			open = append(open, e)
		}
		if len(open) == 0 {
			continue
		}
		p.Report(Report{
			At: place, Fn: fn, Event: n.record.Event, Records: []*flow.Record{n.record}, Severity: High, Confidence: min(n.confidence, open[0].Confidence),
			Related: []Related{{at, "when this fails the way goes on"}, {open[0].Span, "and a replayed request comes here"}},
			Message: fmt.Sprintf("%s goes on when the store of its nonces fails: a captured request %s again", quote(t.Name), phrases(open)),
		})
	}
}
