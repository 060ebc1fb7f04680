package rules

import (
	"fmt"

	"github.com/retrysafe/retrysafe/analyzers/flow"
)

var unboundCaller = &Rule{
	Name: "unbound-caller", Title: "A stored result is given to whoever names its key",
	Severity: High, CWE: 639, Family: KeyFamily, Since: "0.1.0", NeedsProgram: true,
	Supersedes: []string{"ambiguous-key-join"},
	Text: `A result is stored under a key and given back when the key comes again, but neither the key nor the query nor a check between the two says
whose result it is. A caller who guesses, observes or reuses another's key receives the other's answer: a receipt, an order, a charge that
was never theirs; and a key taken in advance makes the rightful call return the wrong result.

HIGH where the caller sends the key, MEDIUM where it is derived from the arguments alone.

It is fine when the key, the WHERE clause or the store carries the authenticated caller, when the owner is compared before the answer, when the
key was made by the server and cannot be guessed, or when the program serves one local caller.`,
	Fix:   "Put the authenticated caller's id into the key or the query of the lookup.",
	Check: checkUnboundCaller,
}

func checkUnboundCaller(p *Pass) {
	for _, t := range p.Tools {
		if t.Kind == flow.Webhook || !p.judged(t) {
			continue
		}
		for _, r := range p.replays(t) {
			if p.boundToCaller(r) != "" {
				continue
			}
			at, fn := placeOf(t, r.lookup)
			rep := Report{At: at, Fn: fn, Event: r.lookup.Event, Records: []*flow.Record{r.lookup}, Confidence: r.lookup.Confidence,
				Related: answerPlaces(r)}
			if r.class == derivedKey {
				rep.Severity = Medium
				rep.Message = fmt.Sprintf("%s returns the result stored under a key that any caller can reproduce from the same arguments: "+
					"nothing binds the lookup to the caller", quote(t.Name))
			} else {
				rep.Message = fmt.Sprintf("%s returns the result stored under a key that any caller can choose: nothing binds the lookup to the caller",
					quote(t.Name))
			}
			if !p.severalCallers() {
				rep.Severity, rep.Pedantic = Note, true // one local caller: there is nobody to take the result from
			}
			p.Report(rep)
		}
	}
}

// answerPlaces shows where a stored result is given back.
func answerPlaces(r *replay) []Related {
	var out []Related
	for _, a := range r.answers {
		out = append(out, Related{a.Span, "the stored result is returned here"})
	}
	return out
}
