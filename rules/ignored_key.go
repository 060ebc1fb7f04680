package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/retrysafe/retrysafe/analyzers/flow"
	"github.com/retrysafe/retrysafe/analyzers/lazyregexp"
	"github.com/retrysafe/retrysafe/analyzers/model"
)

var ignoredKey = &Rule{
	Name: "ignored-key", Title: "A tool takes a key and does nothing with it",
	Severity: Medium, CWE: 837, Family: KeyFamily, Since: "0.1.0",
	Supersedes: []string{"optional-key", "missing-key"},
	Text: `The tool declares a key parameter, so agents and reviewers believe that a repeat is safe. The handler never uses it on the way to the effect: not for a
lookup, not for the vendor. The same holds for a guard that is always called with an empty key.

It is fine when the key is handed to anything outside the program, with or within the other arguments.`,
	Fix:   "Look the key up and claim it before the effect, or pass it to the vendor.",
	Check: checkIgnoredKey,
}

func checkIgnoredKey(p *Pass) {
	for _, t := range p.Tools {
		if t.HandlerFn == nil || t.Gaps != 0 {
			continue // what the handler does is not known
		}
		effects := p.repeatable(t)
		if len(effects) == 0 {
			continue
		}
		for _, param := range t.Params {
			if !isKeyName(param.Name) || !meansKey(param) || p.usesArgument(t, param.Name) {
				continue
			}
			if readsOther(t, param.Name) != nil {
				continue // read under another name: mismatched-key-name
			}
			at := param.Span
			if !at.IsValid() {
				at = t.Span
			}
			p.Report(Report{
				At: at, Tool: t, Effects: effects, Param: param.Name, Confidence: p.knownCalls(t),
				Message: fmt.Sprintf("%s declares %s and never uses it: a repeated call %s again", quote(t.Name), quote(param.Name), phrases(effects)),
			})
		}
		p.reportEmptyGuards(t, effects)
	}
}

// reportEmptyGuards reports lookups for deduplication whose key is nothing on every way.
func (p *Pass) reportEmptyGuards(t *flow.Tool, effects []*flow.Effect) {
	for _, rec := range t.Records {
		if rec.Op != model.Lookup && rec.Op != model.Claim || rec.Key == nil || !isAbsent(rec.Key) || !isDedupeStore(rec.Table) {
			continue
		}
		p.Report(Report{
			At: rec.Span, Event: rec.Event, Effects: effects, Records: []*flow.Record{rec}, Confidence: rec.Confidence,
			Message: fmt.Sprintf("%s always looks up an empty key: the guard recognises no repeat", quote(t.Name)),
		})
	}
}

// repeatable lists the effects that a second run repeats or refuses.
func (p *Pass) repeatable(t *flow.Tool) []*flow.Effect {
	var out []*flow.Effect
	for _, e := range p.mainEffects(t) {
		if e.Nature != model.Replacing && p.harmless(e) == "" {
			out = append(out, e)
		}
	}
	return out
}

var (
	plainKeyName = lazyregexp.New(`idempot|dedup|clienttoken|retry(key|token|id)|onceonly`)
	keyText      = lazyregexp.New(`(?i)idempot|duplicate|dedup|retr(y|ies)|exactly once|at most once|safely repeat`)
)

// meansKey reports whether a parameter is meant as a key: a request id without a word about repeats may be there for traces only.
func meansKey(param flow.Param) bool {
	return plainKeyName.MatchString(NormalName(lastPart(param.Name))) || keyText.MatchString(param.Description)
}

// usesArgument reports whether an argument goes anywhere: into a call that leaves the program, into the state of the process, or along with all
// arguments.
func (p *Pass) usesArgument(t *flow.Tool, name string) bool {
	for _, e := range t.Events {
		if e.Safe && e.RecordRow == nil {
			continue // logging
		}
		if p.anyCovers(e.Args, name) || e.Recv != nil && p.covers(e.Recv, name) {
			return true
		}
	}
	// a header is set on a request that another call sends
	return slices.ContainsFunc(t.Effects, func(e *flow.Effect) bool { return e.Key != nil && p.covers(e.Key, name) })
}

func (p *Pass) anyCovers(values []*flow.Term, name string) bool {
	for _, v := range values {
		if p.covers(v, name) {
			return true
		}
	}
	return false
}

// readsOther finds a read of an argument that is a key by its name, is not declared, and is not the one called name.
func readsOther(t *flow.Tool, name string) *flow.Read {
	for _, r := range t.Reads {
		if r.Role == model.ArgumentsInput && r.Name != name && declared(t, r.Name) == nil && !strings.Contains(r.Name, ".") &&
			(NormalName(r.Name) == NormalName(name) || isKeyName(r.Name)) {
			return r
		}
	}
	return nil
}

// knownCalls gives the confidence of a claim that rests on having seen all that a handler calls.
func (p *Pass) knownCalls(t *flow.Tool) model.Confidence {
	if len(t.Unresolved) > 0 || !t.ParamsKnown {
		return model.Likely
	}
	return model.Certain
}
