package rules

import (
	"slices"

	"github.com/retrysafe/retrysafe/analyzers/flow"
	"github.com/retrysafe/retrysafe/analyzers/lazyregexp"
	"github.com/retrysafe/retrysafe/analyzers/model"
)

// nonce is a value that is good for one request, and what a tool or route does to know its second use.
type nonce struct {
	tool   *flow.Tool
	record *flow.Record // asks for it: a lookup or a claim
	name   string       // under which the request carries it
	// stored lists what keeps it as seen; a hit of the record refuses then.
	stored []*flow.Record
	// spent lists what takes away the one value that was issued; a miss of the record refuses then.
	spent      []*flow.Record
	confidence model.Confidence
}

var (
	// oneTimeNames match what is handed out to be used once.
	oneTimeNames = lazyregexp.New(`^(password)?(reset|verification|verify|confirmation|confirm|activation|magic|magiclink|magiclogin|onetime|singleuse|login|signin|invite|invitation|email|emailverification|passwordreset|linking|pairing|exchange|handoff)(token|code|ticket)$|^(otp|otpcode|ticket|pairingcode|challenge|challengeid|authorizationcode|authcode|verifier)$`)
	// refusalStores match where what was withdrawn is kept: who stands in there is refused for another reason.
	refusalStores = lazyregexp.New(`(?i)revok|revoc|black_?list|deny_?list|block_?list|log_?out|logged_?out|banned|refresh`)
)

// nonces lists the nonces and one-time values that a tool or route asks its stores for.
func (p *Pass) nonces(t *flow.Tool) []*nonce {
	return once(p.shared.nonces, t, func() []*nonce {
		var out []*nonce
		for _, rec := range t.Records {
			if rec.Op != model.Lookup && rec.Op != model.Claim && rec.Op != model.Swap || rec.Result == nil {
				continue
			}
			values := keyValues(rec)
			for column, v := range rec.Set {
				if isNonceName(column) && v != nil && !slices.Contains(values, v) {
					values = append(values, v)
				}
			}
			if refusalStores.MatchString(rec.Store) || slices.ContainsFunc(values, namesRefusals) {
				continue
			}
			n := &nonce{tool: t, record: rec}
			if n.name, n.confidence = p.nonceIn(t, values); n.name != "" && p.leavesOn(n, flow.Hit) {
				n.stored = p.keptUnder(n)
			}
			if n.name == "" {
				n.name, n.confidence = p.oneTimeIn(t, values)
			}
			if n.name != "" && rec.Op == model.Lookup && len(n.stored) == 0 && p.leavesOn(n, flow.Missed) {
				n.spent = p.takenAway(n)
			}
			if len(n.stored) > 0 || len(n.spent) > 0 {
				n.confidence = min(n.confidence, rec.Confidence)
				out = append(out, n)
			}
		}
		return out
	})
}

// namesRefusals reports whether a key holds a text that says that what is kept was withdrawn.
func namesRefusals(v *flow.Term) bool { return mentionsText(v, refusalStores) }

// nonceIn gives the name under which the request carries a nonce among some values, "" if it carries none there. It is certain of one that a signature covers.
func (p *Pass) nonceIn(t *flow.Tool, values []*flow.Term) (name string, confidence model.Confidence) {
	for _, v := range values {
		for _, o := range p.Origins(v) {
			named := isNonceName(o.Name)
			switch {
			case isSupplied(o) && (isKeyName(o.Name) || isEventName(o.Name)): // another family's question
			case isSupplied(o) && named:
				if p.covered(t, o) {
					return lastPart(o.Name), model.Certain
				}
				name, confidence = lastPart(o.Name), model.Likely
			case named && isClaim(o):
				name, confidence = lastPart(o.Name), model.Likely
			case o.Kind == flow.OriginHeader && o.Name != "" && !timeNames.MatchString(o.Name) && p.covered(t, o):
				name, confidence = lastPart(o.Name), model.Certain
			}
		}
	}
	return name, confidence
}

// isClaim reports whether an origin is something that a token says.
func isClaim(o flow.Origin) bool {
	switch o.Kind {
	case flow.OriginCaller, flow.OriginCredential, flow.OriginClient, flow.OriginKind(model.OtherInput):
		return true
	}
	return false
}

// oneTimeIn gives the name under which the request carries something that was handed out to be used once.
func (p *Pass) oneTimeIn(t *flow.Tool, values []*flow.Term) (name string, confidence model.Confidence) {
	if t.Kind != flow.HTTPRoute && t.Kind != flow.Webhook || t.Method == "DELETE" {
		return "", 0
	}
	for _, v := range values {
		for _, o := range p.Origins(v) {
			if isSupplied(o) && oneTimeNames.MatchString(NormalName(lastPart(o.Name))) {
				return lastPart(o.Name), model.Likely
			}
		}
	}
	return "", 0
}

// covered reports whether a signature that the tool or route verifies covers what the request carries there, or is that.
func (p *Pass) covered(t *flow.Tool, o flow.Origin) bool {
	return slices.ContainsFunc(p.signedParts(t), func(s flow.Origin) bool { return sameName(s, o) })
}

// signedParts lists the parts of a request that take part in the verification of its signature.
func (p *Pass) signedParts(t *flow.Tool) []flow.Origin {
	return once(p.shared.signed, t, func() []flow.Origin {
		var out []flow.Origin
		add := func(values ...*flow.Term) {
			for _, v := range values {
				for _, o := range p.Origins(v) {
					if isSupplied(o) {
						out = append(out, o)
					}
				}
			}
		}
		for _, v := range p.Verifications(t) {
			add(v.Signed...)
			add(v.Presented)
		}
		return out
	})
}

// leavesOn reports whether some way ends on that outcome of the record before the value is kept, or taken away.
func (p *Pass) leavesOn(n *nonce, on flow.Outcome) bool {
	return slices.ContainsFunc(n.tool.Returns, func(r *flow.Return) bool {
		return p.Outcome(r.Path, n.record.Call) == on && !slices.ContainsFunc(n.tool.Records, func(o *flow.Record) bool {
			return o.Call != n.record.Call && o.Store == n.record.Store && o.Op != model.Lookup && r.Path.Made(o.Call) && after(r.Path, n.record.Call, o.Call)
		})
	})
}

// keptUnder lists what keeps a nonce in the store that is asked for it, the claim itself included.
func (p *Pass) keptUnder(n *nonce) []*flow.Record {
	var out []*flow.Record
	for _, o := range n.tool.Records {
		if o.Store != n.record.Store || !o.Writes() {
			continue
		}
		if o == n.record || slices.ContainsFunc(o.Paths, func(path flow.Path) bool {
			return path.Made(n.record.Call) && p.Outcome(path, n.record.Call) != flow.Hit
		}) {
			out = append(out, o)
		}
	}
	return out
}

// takenAway lists what removes or marks the value that was found.
func (p *Pass) takenAway(n *nonce) []*flow.Record {
	var out []*flow.Record
	for _, o := range n.tool.Records {
		if o.Store != n.record.Store || o.Op != model.Release && !marksUsed(o) {
			continue
		}
		if slices.ContainsFunc(o.Paths, func(path flow.Path) bool {
			return path.Made(n.record.Call) && p.Outcome(path, n.record.Call) == flow.Hit
		}) {
			out = append(out, o)
		}
	}
	return out
}

var usedColumns = lazyregexp.New(`(?i)^(is_?)?(used|consumed|redeemed|spent)(_?(at|on))?$`)

// marksUsed reports whether an operation marks a row as used.
func marksUsed(rec *flow.Record) bool {
	if rec.Op != model.Put {
		return false
	}
	for column := range rec.Set {
		if usedColumns.MatchString(column) {
			return true
		}
	}
	return false
}

// after reports whether the way makes the second call after the first.
func after(path flow.Path, first, second *flow.Call) bool {
	seen := false
	for _, b := range path.Before {
		switch b.Call {
		case first:
			seen = true
		case second:
			if seen {
				return true
			}
		}
	}
	return false
}

// lockedAcross reports whether, on each way from one record operation to another, a lock is held from before the one until the other.
func (p *Pass) lockedAcross(t *flow.Tool, from, to *flow.Record) bool {
	ops := map[*flow.Call]model.RecordOp{}
	for _, rec := range t.Records {
		if rec.Op == model.Lock || rec.Op == model.Unlock {
			ops[rec.Call] = rec.Op
		}
	}
	ways := 0
	for _, path := range to.Paths {
		locked, held := false, false
		for _, b := range path.Before {
			switch {
			case ops[b.Call] == model.Lock:
				locked = true
			case ops[b.Call] == model.Unlock:
				locked, held = false, false
			case b.Call == from.Call:
				held = locked
			}
		}
		if !path.Made(from.Call) {
			continue
		}
		if ways++; !held {
			return false
		}
	}
	return ways > 0
}

// inTransaction reports whether the record is asked for inside a transaction.
func inTransaction(t *flow.Tool, rec *flow.Record) bool {
	return slices.ContainsFunc(t.Records, func(o *flow.Record) bool { return o.Op == model.Txn && precedes(o.Call, rec.Event) })
}

// quoted names the value in a message.
func (n *nonce) quoted() string { return quote(n.name) }
