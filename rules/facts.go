package rules

import (
	"slices"
	"strings"

	"github.com/retrysafe/retrysafe/analyzers/flow"
	"github.com/retrysafe/retrysafe/analyzers/model"
)

// judged reports whether a tool is one in the sense of the rules about keys and effects: an agent can call it, or it takes a key, a nonce or a
// signed event, or does so where its router is mounted at another place. Other routes serve people and programs whose retries are not our question.
func (p *Pass) judged(t *flow.Tool) bool {
	return once(p.shared.tools, t, func() bool {
		switch t.Kind {
		case flow.MCPTool, flow.AgentTool, flow.Webhook:
			return true
		}
		return p.takesKey(t) || p.VerifiesEvent(t) || slices.ContainsFunc(p.Tools, func(other *flow.Tool) bool {
			return other != t && other.Kind == flow.HTTPRoute && other.Span == t.Span && p.takesKey(other)
		})
	})
}

// takesKey reports whether the tool takes a key: it declares a parameter of such a name or reads such an input.
func (p *Pass) takesKey(t *flow.Tool) bool {
	for _, param := range t.Params {
		if isKeyName(param.Name) {
			return true
		}
	}
	for _, r := range p.reads(t) {
		if isKeyName(r.Name) && isSupplied(flow.Origin{Kind: flow.OriginKind(r.Role)}) {
			return true
		}
	}
	return false
}

// reads lists the reads of inputs, those by a call (`req.get("X-Key")`) included, in order of evaluation within each kind.
func (p *Pass) reads(t *flow.Tool) []*flow.Read {
	return once(p.shared.reads, t, func() []*flow.Read {
		out := slices.Clone(t.Reads)
		for _, e := range t.Events {
			if e.InputRow == nil || e.Result == nil {
				continue
			}
			for _, o := range p.Origins(e.Result) {
				if o.Term == e.Result {
					out = append(out, &flow.Read{Term: e.Result, Role: model.InputRole(o.Kind), Name: o.Name, Span: e.Span, Fn: e.Fn})
				}
			}
		}
		return out
	})
}

// mainEffects lists the effects that count. What is done to a store of deduplication records, releasing one included, does not.
func (p *Pass) mainEffects(t *flow.Tool) []*flow.Effect {
	return once(p.shared.effects, t, func() []*flow.Effect {
		stores := map[*flow.Call]string{}
		for _, r := range t.Records {
			stores[r.Call] = r.Store
		}
		bookkeeping := map[string]bool{}
		for _, e := range t.Effects {
			if store, ok := stores[e.Call]; ok && e.Incidental != "" && e.Incidental != flow.OwnObject {
				bookkeeping[store] = true
			}
		}
		var out []*flow.Effect
		for _, e := range t.Effects {
			store, ok := stores[e.Call]
			if e.Incidental != "" || e.Spec != nil && e.Spec.Reply || e.Nature.Rank() == 0 || ok && bookkeeping[store] && e.Nature != model.Additive || p.keepsGoing(e) {
				continue
			}
			out = append(out, e)
		}
		return out
	})
}

// protection gives what stands before an effect, asked once for all rules. A lookup or claim stands before it only if a hit leaves: one that is
// hit on some way to the effect, such as a cache of connections, keeps no repeat away.
func (p *Pass) protection(e *flow.Effect) flow.Protection {
	return once(p.shared.protection, e, func() flow.Protection {
		all := p.Protection(e)
		kept := flow.Protection{Level: all.Level}
		for _, g := range all.By {
			if !p.passesOnHit(e, g) {
				kept.By = append(kept.By, g)
			}
		}
		switch {
		case len(kept.By) == len(all.By):
			return all
		case p.coversAllWays(e, kept.By):
			return kept
		}
		return flow.Protection{}
	})
}

// passesOnHit reports whether a hit of the guard's record leads to the effect all the same.
func (p *Pass) passesOnHit(e *flow.Effect, g flow.Guard) bool {
	if g.Record == nil || g.Call == nil || g.Call == e.Call {
		return false
	}
	return slices.ContainsFunc(e.Paths, func(path flow.Path) bool { return p.Outcome(path, g.Call) == flow.Hit })
}

// coversAllWays reports whether one of the guards stands on each way to the effect; those of the call itself stand on all.
func (p *Pass) coversAllWays(e *flow.Effect, guards []flow.Guard) bool {
	for _, path := range e.Paths {
		if !slices.ContainsFunc(guards, func(g flow.Guard) bool { return g.Call == e.Call || g.Call != nil && path.Made(g.Call) }) {
			return false
		}
	}
	return len(guards) > 0 && len(e.Paths) > 0
}

// repeats reports whether a second call runs the effect again: nothing protects it, and nothing is looked up before it.
func (p *Pass) repeats(e *flow.Effect) bool { return !p.protection(e).Guarded() }

// ownRecord reports whether the server's own record, not a vendor's key, guards or protects the effect.
func (p *Pass) ownRecord(e *flow.Effect) bool {
	for _, g := range p.protection(e).By {
		if g.Kind != flow.VendorGuard && g.Level > flow.Unprotected {
			return true
		}
	}
	return false
}

// stableKey reports whether a vendor key that is the same on a repeat protects the effect.
func (p *Pass) stableKey(e *flow.Effect) bool {
	for _, g := range p.protection(e).By {
		if g.Kind == flow.VendorGuard {
			return true
		}
	}
	return false
}

// keyConfidence is how sure it is that an effect happens and that the vendor reads the key that is passed.
func keyConfidence(e *flow.Effect) model.Confidence {
	if e.KeyConfidence == 0 {
		return e.Confidence
	}
	return min(e.Confidence, e.KeyConfidence)
}

// unguarded lists the effects of a tool that a repeat runs again and that have one of the natures.
func (p *Pass) unguarded(t *flow.Tool, natures ...model.Nature) []*flow.Effect {
	var out []*flow.Effect
	for _, e := range p.mainEffects(t) {
		if slices.Contains(natures, e.Nature) && p.repeats(e) {
			out = append(out, e)
		}
	}
	return out
}

// harmless says why a second run of an effect leaves nothing behind although nothing guards it, "" if it does.
func (p *Pass) harmless(e *flow.Effect) string {
	switch {
	case e.Spec != nil && e.Spec.Enforced:
		return "the vendor refuses the repeat by the object's own state or name"
	case e.Nature == model.Destructive && e.Spec != nil && e.Spec.Quiet && !p.missed(e):
		return "a repeated delete succeeds without an error"
	case e.Nature == model.Destructive && p.caught(e):
		return "the handler answers a missing object as success"
	case isDraft(e):
		return "a draft is not sent"
	}
	return ""
}

// missed reports whether the tool looks for the row before it takes it away, and fails where it is not there: no way to the effect and no ordinary
// answer follows a miss.
func (p *Pass) missed(e *flow.Effect) bool {
	return slices.ContainsFunc(e.Tool.Records, func(r *flow.Record) bool {
		if r.Op != model.Lookup && r.Op != model.Lock || r.Order >= e.Order || e.Table == "" || !strings.EqualFold(r.Table, e.Table) {
			return false
		}
		return len(e.Paths) > 0 && !slices.ContainsFunc(e.Paths, func(path flow.Path) bool { return p.Outcome(path, r.Call) != flow.Hit }) &&
			!slices.ContainsFunc(e.Tool.Returns, func(ret *flow.Return) bool {
				return !ret.Throws && !ret.Failure() && p.Outcome(ret.Path, r.Call) == flow.Missed
			})
	})
}

// isDraft reports whether the effect only makes a draft.
func isDraft(e *flow.Effect) bool {
	if strings.Contains(strings.ToLower(e.Object), "draft") {
		return true
	}
	callee := strings.ToLower(e.Callee)
	i := strings.LastIndex(callee, "draft")
	return i >= 0 && !strings.Contains(callee[i:], "send")
}

// caught reports whether a failure of the effect, or its answer that the object is not there, is turned into an ordinary answer on some way.
func (p *Pass) caught(e *flow.Effect) bool {
	for _, r := range e.Tool.Returns {
		if !r.Throws && (failed(r.Path, e.Call) || p.MissingMet(r.Path, e)) && !r.Failure() {
			return true
		}
	}
	return false
}

// failed reports whether the call raised an error on the way.
func failed(path flow.Path, c *flow.Call) bool {
	for _, b := range path.Before {
		if b.Call == c && b.Failed {
			return true
		}
	}
	return false
}

// absence gives the confidence of a claim that nothing guards an effect. A call before it that is not understood and may be the guard takes
// one level, two take it to possible.
func (p *Pass) absence(e *flow.Effect) model.Confidence {
	c := e.Confidence
	if c == 0 {
		c = model.Certain
	}
	doubts := 0
	seen := map[*flow.Call]bool{}
	for _, path := range e.Paths {
		for _, b := range path.Before {
			if b.Call.Unresolved && !seen[b.Call] && b.Call != e.Call && mayGuard(b.Call, path) {
				seen[b.Call] = true
				doubts++
			}
		}
	}
	switch {
	case doubts > 1 || doubts == 1 && c == model.Possible:
		return model.Possible
	case doubts == 1:
		return c - 1
	}
	return c
}

var guardWords = []string{"idempot", "dedup", "once", "lock", "claim", "replay", "duplicate", "alreadyprocessed", "seen", "mutex", "acquire"}

// mayGuard reports whether a call that is not understood may be what keeps a repeat from the place: it is named so, or the way depends on
// what it gives and it was given something of the caller's.
func mayGuard(c *flow.Call, path flow.Path) bool {
	name := strings.ToLower(lastPart(c.Callee))
	for _, w := range guardWords {
		if strings.Contains(name, w) {
			return true
		}
	}
	if c.Result == nil {
		return false
	}
	supplied := false
	for _, a := range c.Args {
		supplied = supplied || a.HasInput()
	}
	if !supplied {
		return false
	}
	for _, cond := range path.Conds {
		if cond.Term.Contains(c.Result) {
			return true
		}
	}
	return false
}

// severalCallers reports whether the program may serve several callers.
func (p *Pass) severalCallers() bool { return p.Index == nil || !p.Index.LocalOnly() }

// lastRead finds the last read of an input that is wanted: the one closest to where the value is put to use.
func (p *Pass) lastRead(t *flow.Tool, want func(*flow.Read) bool) *flow.Read {
	var found *flow.Read
	for _, r := range p.reads(t) {
		if want(r) {
			found = r
		}
	}
	return found
}

// declared finds the declared parameter of that name.
func declared(t *flow.Tool, name string) *flow.Param {
	for i := range t.Params {
		if t.Params[i].Name == name {
			return &t.Params[i]
		}
	}
	return nil
}
