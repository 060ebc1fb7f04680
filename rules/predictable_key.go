package rules

import (
	"fmt"
	"strings"

	"github.com/retrysafe/retrysafe/analyzers/flow"
)

var predictableKey = &Rule{
	Name: "predictable-key", Title: "A key is minted from what can be guessed",
	Severity: Medium, CWE: 340, Family: QualityFamily, Since: "0.1.0", Experimental: true,
	Text: `A key, a nonce or a jti is made from the time, a counter, Math.random, math/rand or a UUID of version 1 or 6. Two calls in one millisecond get one key, and the second is answered with the
result of the first; and who knows about when a call was made finds its key among a few thousand, and asks for the result.

HIGH where it selects the stored result of a payment.

It is fine with UUIDs of version 4 and 7, ULIDs, KSUIDs and other values of 62 bits and more from a secure source, and for keys derived from the operation.`,
	Fix:   "Make the key with crypto.randomUUID or its like.",
	Check: checkPredictableKey,
}

// fewestBits are the random bits that a key needs, so that it cannot be guessed or met by accident.
const fewestBits = 62

func checkPredictableKey(p *Pass) {
	p.eachKey(func(t *flow.Tool, k *recogniser) {
		for _, v := range k.values {
			for _, alt := range alternatives(v) {
				if o, ok := p.guessable(alt); ok {
					p.reportPredictable(t, k, o)
				}
			}
		}
	})
	for _, t := range p.Tools {
		p.predictableNonces(t)
	}
}

func (p *Pass) reportPredictable(t *flow.Tool, k *recogniser, o flow.Origin) {
	severity := Medium
	if k.given && movesMoney(k.effects) {
		severity = High
	}
	at, fn := k.place(o.Term)
	p.Report(k.about(Report{
		At: at, Fn: fn, Severity: severity, CWE: sourceCWE(o), Related: []Related{{k.event.Span, k.use()}},
		Message: fmt.Sprintf("%s mints a key from %s, which can be guessed and may come twice", quote(t.Name), sourceText(o)),
	}))
}

// guessable finds the weak source from which a value is minted: a weak random one, or one of time or order beside nothing that tells operations apart.
func (p *Pass) guessable(v *flow.Term) (flow.Origin, bool) {
	var weak, ordered flow.Origin
	identified := false
	for _, o := range p.Origins(v) {
		switch o.Kind {
		case flow.OriginRandom:
			return flow.Origin{}, false
		case flow.OriginTimeID:
			if c := p.Made(o.Term); c == nil || c.OriginRow == nil || c.OriginRow.Origin.Bits == 0 || c.OriginRow.Origin.Bits >= fewestBits {
				return flow.Origin{}, false
			}
			weak = o
		case flow.OriginWeakRandom:
			if c := p.Made(o.Term); c != nil && c.OriginRow != nil && c.OriginRow.Origin.Bits >= fewestBits {
				return flow.Origin{}, false
			}
			weak = o
		case flow.OriginClock, flow.OriginCounter:
			ordered = o
		case flow.OriginConstant, flow.OriginEnv, flow.OriginToolName, flow.OriginCaller, flow.OriginClient, flow.OriginSession, flow.OriginCredential:
		default:
			identified = true
		}
	}
	switch {
	case weak.Kind != "":
		return weak, true
	case ordered.Kind != "" && !identified && !p.Period(v, ordered.Term):
		return ordered, true
	}
	return flow.Origin{}, false
}

// predictableNonces reports nonces and jtis that are sent or signed. Of those from the clock only a jti counts: many services want a nonce that grows.
func (p *Pass) predictableNonces(t *flow.Tool) {
	for _, ev := range t.Events {
		if ev.EffectRow == nil && (ev.OriginRow == nil || ev.OriginRow.Origin.Key == "" && ev.OriginRow.Origin.Algorithm != "jwt") {
			continue // neither sent nor signed
		}
		for _, a := range ev.Args {
			a.Walk(func(u *flow.Term) bool {
				if u.Kind != flow.TObject {
					return true
				}
				for i, name := range u.Keys {
					if !isNonceName(name) {
						continue
					}
					o, ok := p.guessable(u.Args[i])
					if !ok || NormalName(name) != "jti" && o.Kind != flow.OriginWeakRandom {
						continue
					}
					at, fn := ev.Span, ev.Fn
					if o.Term != nil && o.Term.Site != nil && o.Term.Site.Span.IsValid() {
						at, fn = o.Term.Site.Span, o.Term.Site.Fn
					}
					p.Report(Report{
						At: at, Fn: fn, Event: ev, CWE: sourceCWE(o), Confidence: ev.Confidence, Related: []Related{{ev.Span, "it goes out here"}},
						Message: fmt.Sprintf("%s makes %s from %s, which can be guessed and may come twice", quote(t.Name), quote(name), sourceText(o)),
					})
				}
				return true
			})
		}
	}
}

func sourceCWE(o flow.Origin) int {
	if o.Kind == flow.OriginWeakRandom {
		return 338
	}
	return 340
}

// sourceText names a weak source.
func sourceText(o flow.Origin) string {
	switch o.Kind {
	case flow.OriginClock:
		return "the clock"
	case flow.OriginCounter:
		return "a counter"
	}
	name := o.Name
	if name == "" {
		name = "weak randomness"
	}
	return quote(lastPart(strings.NewReplacer("#", ".", "/", ".").Replace(name)))
}
