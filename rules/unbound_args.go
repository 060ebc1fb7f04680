package rules

import (
	"fmt"
	"slices"

	"github.com/retrysafe/retrysafe/analyzers/flow"
)

var unboundArgs = &Rule{
	Name: "unbound-args", Title: "A key used again with other arguments returns the old result",
	Severity: High, CWE: 1023, Family: KeyFamily, Since: "0.1.0",
	Supersedes: []string{"unscoped-operation", "lossy-args-hash", "unordered-args-hash", "weak-args-hash"},
	Text: `The caller sends the key, and the stored result is returned for it whatever the other arguments are. An agent that reuses a key by
mistake is told that the new payment was made when it was not; someone who knows a key can pass another's result off as an answer to their own request.

It is fine when the key is derived from all arguments, when their hash is part of the key or of the WHERE clause, when every argument that reaches the
effect is compared with what was stored, or when a repeat is refused instead of answered.`,
	Fix:   "Store a hash of the arguments with the result, compare it at the lookup, and refuse a mismatch.",
	Check: checkUnboundArgs,
}

func checkUnboundArgs(p *Pass) {
	for _, t := range p.Tools {
		if t.Kind == flow.Webhook || !p.judged(t) {
			continue
		}
		for _, r := range p.replays(t) {
			if r.class != suppliedKey {
				continue // the key is made from the arguments
			}
			free := p.freeArguments(r)
			if len(free) == 0 {
				continue // every argument is compared, or none but the key matters
			}
			if p.comparesHash(r) {
				continue // lossy-args-hash
			}
			at, fn := placeOf(t, r.lookup)
			p.Report(Report{
				At: at, Fn: fn, Event: r.lookup.Event, Records: []*flow.Record{r.lookup}, Confidence: r.lookup.Confidence,
				Related: answerPlaces(r),
				Message: fmt.Sprintf("%s returns the stored result without comparing %s: the same key with other arguments is answered as a repeat",
					quote(t.Name), argumentNames(free)),
			})
		}
	}
}

// freeArguments lists the arguments that reach the effects and that neither the key holds nor every answer compares with what was stored.
func (p *Pass) freeArguments(r *replay) []string {
	var names []string
	for _, e := range r.effects {
		for _, name := range p.arguments(e.Call) {
			if !slices.Contains(names, name) && !p.isKeyItself(r, name) {
				names = append(names, name)
			}
		}
	}
	if len(r.effects) == 0 {
		names = []string{""} // what the route does is not known: the request as a whole
	}
	slices.Sort(names)
	return slices.DeleteFunc(names, func(name string) bool {
		// what is not understood may hold any argument
		holds := func(v *flow.Term) bool {
			return p.covers(v, name) || p.from([]*flow.Term{v}, flow.OriginUnknown)
		}
		if slices.ContainsFunc(r.key, func(v *flow.Term) bool { return p.covers(v, name) || p.hashesUnknown(v) }) {
			return true
		}
		for _, a := range r.answers {
			if !eachComparison(a.Path, r.lookup.Result, holds) {
				return false
			}
		}
		return true
	})
}

// hashesUnknown reports whether a value is made from a hash of what is not understood.
func (p *Pass) hashesUnknown(v *flow.Term) bool {
	return p.anyOrigin([]*flow.Term{v}, func(o flow.Origin) bool { return o.Kind == flow.OriginUnknown && o.Hashed != "" })
}

// isKeyItself reports whether the argument is what the record is kept under as it is.
func (p *Pass) isKeyItself(r *replay, name string) bool {
	return p.anyOrigin(r.key, func(o flow.Origin) bool { return isSupplied(o) && o.Hashed == "" && !o.Whole && o.Name == name })
}

func argumentNames(names []string) string {
	var words []string
	for _, n := range names {
		if n == "" {
			return "the arguments"
		}
		words = append(words, quote(n))
	}
	return list(words)
}
