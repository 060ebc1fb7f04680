package rules

import (
	"fmt"
	"math"
	"strconv"

	"github.com/retrysafe/retrysafe/analyzers/flow"
	"github.com/retrysafe/retrysafe/analyzers/model"
)

var nonceWithoutExpiry = &Rule{
	Name: "nonce-without-expiry", Title: "Nonces are kept for ever, or are forgotten too early",
	Severity: Medium, CWE: 770, Family: EnvelopeFamily, Since: "0.1.0", Experimental: true, NeedsProgram: true,
	Text: `Nonces that were seen are stored and nothing takes them out again: the store grows with every request, and whoever can send requests decides how fast. A nonce has to be known
only as long as its request would be accepted.

Or the nonces are forgotten while their request is still accepted: where the time of a request may lie 300 s in the past and 300 s in the future, a request that is signed 300 s ahead
is good for 600 s, and a nonce that is kept for 300 s leaves the other half to whoever captured it.

It is fine when the store has a lifetime of at least the accepted past and future together, or when old entries are swept.`,
	Fix:   "Keep each nonce for the accepted past plus the accepted future, and no longer.",
	Check: checkNonceWithoutExpiry,
}

func checkNonceWithoutExpiry(p *Pass) {
	for _, t := range p.Tools {
		for _, n := range p.nonces(t) {
			if len(n.stored) == 0 {
				continue // what was issued and is taken away has a life of its own
			}
			stored := n.stored[len(n.stored)-1]
			rep := Report{At: stored.Span, Event: stored.Event, Records: []*flow.Record{stored}, Confidence: min(n.confidence, stored.Confidence)}
			if stored.Span != n.record.Span {
				rep.Related = []Related{{n.record.Span, "the nonce is looked up here"}}
			}
			if !p.forgotten(n) {
				rep.Message = fmt.Sprintf("%s stores the nonce %s for ever: no TTL, no sweep", quote(t.Name), n.quoted())
				if stored.Table != "" {
					rep.Confidence = min(rep.Confidence, model.Likely) // a job of the database may delete old rows
				}
				p.Report(rep)
				continue
			}
			kept, ok := p.lifetime(stored)
			needed, window := p.acceptedFor(t)
			if ok && window.IsValid() && kept < needed {
				rep.CWE = 294
				rep.Related = append(rep.Related, Related{window, "the time of the request is checked here"})
				rep.Message = fmt.Sprintf("%s keeps the nonce %s for %.0f s, and accepts the request for %.0f s", quote(t.Name), n.quoted(), kept, needed)
				p.Report(rep)
			}
		}
	}
}

// forgotten reports whether something ends the life of a stored nonce.
func (p *Pass) forgotten(n *nonce) bool {
	rec := n.record
	if rec.FreshOnly || rec.HasTTL && rec.Unit != "column" || rec.Spec != nil && rec.Spec.Evicts {
		return true
	}
	for _, use := range p.Index.StoreUses(rec.Store) {
		if use.HasTTL && use.Unit != "column" || use.Op == model.Expire || use.FreshOnly || use.Spec != nil && use.Spec.Evicts {
			return true
		}
	}
	if p.Index.Cleans(rec.Store) || rec.Table != "" && p.Index.Cleans(rec.Table) {
		return true
	}
	return rec.Local && p.evicted(&watch{tool: n.tool, record: rec})
}

// lifetime gives for how many seconds a record is kept, where that is a number of the program: its TTL, or the distance from the clock of the time that a map
// of the process keeps with it.
func (p *Pass) lifetime(rec *flow.Record) (seconds float64, ok bool) {
	if rec.TTL != nil && rec.Unit != "column" {
		size, ok := numberOf(rec.TTL)
		if !ok {
			return p.ahead(rec.TTL)
		}
		switch rec.Unit {
		case "ns":
			return size / 1e9, true
		case "ms":
			return size / 1e3, true
		case "s", "":
			return size, true
		case "m":
			return size * 60, true
		case "h":
			return size * 3600, true
		}
		return 0, false
	}
	if rec.Local && rec.Value != nil {
		return p.ahead(rec.Value)
	}
	return 0, false
}

// ahead gives how many seconds a value lies after the clock: `Date.now() + 300_000`.
func (p *Pass) ahead(v *flow.Term) (seconds float64, ok bool) {
	if v.Kind != flow.TOp || v.Name != "+" || len(v.Args) != 2 {
		return 0, false
	}
	clock, distance := v.Args[0], v.Args[1]
	size, ok := numberOf(distance)
	if !ok {
		clock = distance
		size, ok = numberOf(v.Args[0])
	}
	if !ok || size <= 0 || !p.isClock(clock) {
		return 0, false
	}
	return inSeconds(size), true
}

func numberOf(v *flow.Term) (float64, bool) {
	text, ok := v.Text()
	if !ok {
		return 0, false
	}
	n, err := strconv.ParseFloat(text, 64)
	return n, err == nil && !math.IsInf(n, 0) && !math.IsNaN(n)
}

// acceptedFor gives for how many seconds one request is accepted, from when its time lies as far ahead as it may, and where that is checked.
func (p *Pass) acceptedFor(t *flow.Tool) (seconds float64, at model.Span) {
	var past, future float64
	for _, c := range t.Comparisons {
		w, ok := p.windowOf(c)
		if !ok || !p.anyOrigin([]*flow.Term{w.Time}, func(o flow.Origin) bool { return (isSupplied(o) || isClaim(o)) && timeNames.MatchString(o.Name) }) {
			continue
		}
		if w.Past && w.Seconds > past {
			past, at = w.Seconds, c.Span
		}
		if w.Future {
			future = max(future, w.Seconds)
		}
	}
	if past == 0 {
		return 0, model.Span{}
	}
	return past + future, at
}

// windowOf reads a comparison as a window of time: of the distance from the clock with a number, or of the time with the clock and a number together.
func (p *Pass) windowOf(c *flow.Comparison) (w flow.Window, ok bool) {
	if w, ok = p.Window(c); ok || c.Op == "==" {
		return w, ok
	}
	for _, side := range [2][2]*flow.Term{{c.X, c.Y}, {c.Y, c.X}} {
		limit, sent := side[0], side[1]
		if limit.Kind != flow.TOp || len(limit.Args) != 2 || limit.Name != "-" && limit.Name != "+" || p.isClock(sent) {
			continue
		}
		size, known := numberOf(limit.Args[1])
		if !known || size <= 0 || !p.isClock(limit.Args[0]) {
			continue
		}
		return flow.Window{Seconds: inSeconds(size), Past: limit.Name == "-", Future: limit.Name == "+", Time: sent}, true
	}
	return w, false
}

// inSeconds tells the unit of a length of time by its size: from 1e9 it counts nanoseconds, from 1e4 milliseconds.
func inSeconds(size float64) float64 {
	switch {
	case size >= 1e9:
		return size / 1e9
	case size >= 1e4:
		return size / 1e3
	}
	return size
}
