package rules

import (
	"fmt"
	"slices"

	"github.com/retrysafe/retrysafe/analyzers/flow"
	"github.com/retrysafe/retrysafe/analyzers/model"
)

var partialSequence = &Rule{
	Name: "partial-sequence", Title: "A failure between two effects makes the retry repeat the first",
	Severity: Medium, CWE: 460, Family: EffectFamily, Since: "0.1.0",
	Text: `Two effects follow each other. When the second fails the caller is told that the call failed, the first stays done, and the retry does it again: the guard, if
there is one, remembers only calls that came to an end.

It is fine when both are one database transaction, when each step has a key of its own, when the failure undoes the first effect, or when the second is best effort
and its failure is swallowed.`,
	Fix:   "Record each step when it is done, or give the first effect a key that is the same on the retry.",
	Check: checkPartialSequence,
}

func checkPartialSequence(p *Pass) {
	for _, t := range p.Tools {
		if !p.judged(t) {
			continue
		}
		effects := p.mainEffects(t)
		for _, first := range effects {
			if first.Nature != model.Additive || p.harmless(first) != "" || p.stableKey(first) {
				continue
			}
			if p.repeats(first) || p.held(first) {
				continue // unguarded, which another rule reports, or under a claim that stays
			}
			guard := p.lateGuard(t, first)
			if guard == nil && !p.releases(first) {
				continue // what guards it remembers no result: a cache, a search
			}
			second := p.endangers(t, first, effects)
			if second == nil {
				continue
			}
			related := []Related{{first.Span, "done, and done again by the retry"}}
			if guard != nil {
				related = append(related, Related{guard.Span, "the guard knows only calls that came to an end"})
			}
			p.Report(Report{
				At: second.Span, Event: second.Event, Effects: []*flow.Effect{first}, Confidence: min(first.Confidence, second.Confidence), Related: related,
				Message: fmt.Sprintf("%s %s first; when %s fails, the caller retries and it does so again", quote(t.Name), phrase(first), quote(second.Callee)),
			})
		}
	}
}

// lateGuard finds a lookup that stands before the effect while nothing is claimed: its record is written at the end.
func (p *Pass) lateGuard(t *flow.Tool, e *flow.Effect) *flow.Record {
	for _, g := range p.protection(e).By {
		if g.Kind != flow.LookupGuard || g.Record == nil {
			continue
		}
		for _, r := range p.replays(t) {
			if r.lookup.Call == g.Record.Call {
				return g.Record
			}
		}
	}
	return nil
}

// releases reports whether a claim that stands before the effect is taken back when the call fails.
func (p *Pass) releases(e *flow.Effect) bool {
	for _, g := range p.protection(e).By {
		if g.Kind == flow.ClaimGuard && g.Record != nil && p.released(e.Tool, g.Record) {
			return true
		}
	}
	return false
}

// held reports whether a claim made before the effect is still there when the call has failed.
func (p *Pass) held(e *flow.Effect) bool {
	for _, g := range p.protection(e).By {
		switch g.Kind {
		case flow.ClaimGuard, flow.ConstraintGuard, flow.LibraryGuard, flow.LockGuard:
			if g.Record == nil || !p.released(e.Tool, g.Record) {
				return true
			}
		}
	}
	return false
}

// released reports whether the tool removes records of the claim's store.
func (p *Pass) released(t *flow.Tool, claim *flow.Record) bool {
	return slices.ContainsFunc(t.Records, func(r *flow.Record) bool { return r.Op == model.Release && r.Store == claim.Store })
}

// endangers finds the effect after the first whose failure reaches the caller while the first stays done.
func (p *Pass) endangers(t *flow.Tool, first *flow.Effect, effects []*flow.Effect) *flow.Effect {
	for _, e := range effects {
		if e.Call == first.Call || e.Nature != model.Additive || e.Spawned || e.Order < first.Order || !precedes(first.Call, e.Event) {
			continue
		}
		if afterFailure(e) || oneTransaction(t, first, e) || swallowed(t, e) || compensated(t, first, e) {
			continue
		}
		return e
	}
	return nil
}

// afterFailure reports whether the effect is reached only when something has failed: it mends or reports.
func afterFailure(e *flow.Effect) bool {
	for _, path := range e.Paths {
		if !slices.ContainsFunc(path.Before, func(b flow.Before) bool { return b.Failed }) {
			return false
		}
	}
	return len(e.Paths) > 0
}

// oneTransaction reports whether both are database effects inside a transaction.
func oneTransaction(t *flow.Tool, a, b *flow.Effect) bool {
	if a.Kind != model.Database || b.Kind != model.Database {
		return false
	}
	for _, r := range t.Records {
		if r.Op == model.Txn && precedes(r.Call, a.Event) && precedes(r.Call, b.Event) {
			return true
		}
	}
	return false
}

// swallowed reports whether a failure of the effect is caught and every answer after it is an ordinary one. A call that returns its error is caught
// wherever nothing is done with that.
func swallowed(t *flow.Tool, e *flow.Effect) bool {
	seen := e.ReturnsError()
	for _, r := range t.Returns {
		if r.Error != nil && slices.ContainsFunc(r.Error.Alternatives(), e.GivesError) {
			return false
		}
		if failed(r.Path, e.Call) {
			if r.Failure() && !tellsOther(t, r, e) {
				return false
			}
			seen = true
		}
	}
	return seen
}

// tellsOther reports whether the error that an answer gives is that of another call.
func tellsOther(t *flow.Tool, r *flow.Return, e *flow.Effect) bool {
	return r.Error != nil && slices.ContainsFunc(t.Events, func(other *flow.Event) bool {
		return other.Call != e.Call && slices.ContainsFunc(r.Error.Alternatives(), other.GivesError)
	})
}

// compensated reports whether a failure of the second effect leads to one that takes the first back.
func compensated(t *flow.Tool, first, second *flow.Effect) bool {
	for _, e := range t.Effects {
		if e.Call == first.Call || e.Call == second.Call || e.Nature != model.Destructive && e.Nature != model.Transition && e.Nature != model.Additive {
			continue
		}
		for _, path := range e.Paths {
			if failed(path, second.Call) {
				return true
			}
		}
	}
	return false
}
