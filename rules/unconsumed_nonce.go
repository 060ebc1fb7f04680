package rules

import (
	"fmt"
	"slices"

	"github.com/retrysafe/retrysafe/analyzers/flow"
	"github.com/retrysafe/retrysafe/analyzers/lazyregexp"
	"github.com/retrysafe/retrysafe/analyzers/model"
)

var unconsumedNonce = &Rule{
	Name: "unconsumed-nonce", Title: "A nonce that nobody remembers",
	Severity: High, CWE: 294, Family: EnvelopeFamily, Since: "0.1.0", NeedsProgram: true,
	Supersedes: []string{"racy-nonce", "early-nonce"},
	Text: `A signature covers a nonce or challenge, or the program gives one out to be signed, and nothing stores it, takes it away or compares it with what was given out. It looks like a protection
from replay and is none: whoever has captured one signed request or login message sends it as often as he likes, until its time runs out, or for ever.

Vendors that sign a nonce of theirs, whose deliveries nobody can tell apart otherwise, leave a finding that is only possible.

It is fine when the nonce is stored as seen, when the challenge is taken from the store of those given out, or when an id of the event is recorded instead.`,
	Fix:   "Store the nonce with a lifetime in one atomic step, or delete the challenge when it is used, and refuse a request whose nonce is known or missing.",
	Check: checkUnconsumedNonce,
}

func checkUnconsumedNonce(p *Pass) {
	for _, t := range p.Tools {
		p.signedNonces(t)
		p.answeredChallenges(t)
	}
}

// vendorNonces match the names under which vendors send a nonce beside their signature.
var vendorNonces = lazyregexp.New(`(?i)wechat|weixin|wecom|wx|lark|feishu|dingtalk|echostr|msg_?signature|nextcloud|tencent`)

// signedNonces reports nonces of signed requests that nothing remembers.
func (p *Pass) signedNonces(t *flow.Tool) {
	for _, v := range p.signedRequests(t) {
		if p.remembersRequest(t) {
			return
		}
		for _, o := range p.noncesIn(v.Signed) {
			if p.keptNonce(t, o) {
				continue
			}
			rep := Report{At: v.Span, Tool: t, Fn: v.Fn, Confidence: model.Likely, Related: leadingTo(v), Bound: o.Name,
				Message: fmt.Sprintf("%s verifies a signature over the nonce %s and never remembers it: a captured request is served again", quote(t.Name), quote(lastPart(o.Name)))}
			if p.scheme(v) != nil || vendorNonces.MatchString(o.Name+" "+p.signatureHeader(v)+" "+t.Path+" "+v.Span.File) || p.from([]*flow.Term{v.Presented}, flow.OriginArguments) && t.Method == "GET" {
				rep.Confidence = model.Possible
			}
			p.Report(rep)
			break
		}
	}
}

// noncesIn lists the nonces that a request carries within some values, by their names.
func (p *Pass) noncesIn(values []*flow.Term) []flow.Origin {
	var out []flow.Origin
	for _, v := range values {
		for _, o := range p.Origins(v) {
			if isNonce(o) {
				out = append(out, o)
			}
		}
	}
	return out
}

// keptNonce reports whether something may remember or recognise what a request carries: a store, another service, a function that is not known, or a
// comparison with what is neither the request's nor the program's own text.
func (p *Pass) keptNonce(t *flow.Tool, o flow.Origin) bool {
	carries := func(v *flow.Term) bool {
		return v != nil && p.anyOrigin([]*flow.Term{v}, func(x flow.Origin) bool { return sameName(x, o) && x.Hashed == "" })
	}
	return mayRemember(t, carries) || slices.ContainsFunc(t.Returns, func(r *flow.Return) bool {
		return slices.ContainsFunc(r.Path.Conds, func(c flow.Cond) bool { return p.comparesWithKnown(c.Term, carries) })
	})
}

// mayRemember reports whether a tool hands a value that is wanted to what may keep it: a store, another service, a function that is not known.
func mayRemember(t *flow.Tool, wanted func(*flow.Term) bool) bool {
	for _, rec := range t.Records {
		values := append(keyValues(rec), rec.Value)
		for _, v := range rec.Set {
			values = append(values, v)
		}
		if slices.ContainsFunc(values, wanted) {
			return true
		}
	}
	return slices.ContainsFunc(t.Events, func(e *flow.Event) bool {
		return (e.Unresolved || e.EffectRow != nil && !e.EffectRow.Effect.Reply || e.QueryRow != nil) && slices.ContainsFunc(e.Args, wanted)
	})
}

// comparesWithKnown reports whether a condition compares a value that is wanted with what the program knows from elsewhere.
func (p *Pass) comparesWithKnown(cond *flow.Term, wanted func(*flow.Term) bool) bool {
	found := false
	cond.Walk(func(u *flow.Term) bool {
		if u.Kind == flow.TOp && (u.Name == "==" || u.Name == "!=" || u.Name == "includes" || u.Name == "in") && len(u.Args) == 2 {
			for i, side := range u.Args {
				found = found || wanted(side) && p.from([]*flow.Term{u.Args[1-i]}, flow.OriginRecord, flow.OriginSession, flow.OriginUnknown, flow.OriginCaller, flow.OriginResult, flow.OriginCredential)
			}
		}
		return !found
	})
	return found
}

// answeredChallenges reports signatures over a challenge that stays good after it was answered.
func (p *Pass) answeredChallenges(t *flow.Tool) {
	for _, ev := range t.Events {
		if ev.CheckRow == nil || ev.CheckRow.Check.Kind != "challenge" {
			continue
		}
		rep := Report{At: ev.Span, Event: ev, Confidence: min(ev.Confidence, model.Likely)}
		if len(ev.Chain) > 1 {
			rep.At, rep.Fn = ev.Chain[0].Span, ev.Chain[0].Function()
			for i := range ev.Chain {
				if t.HandlerFn != nil && encloses(t.HandlerFn.Span, ev.Chain[i].Span) {
					rep.At, rep.Fn = ev.Chain[i].Span, ev.Chain[i].Function()
				}
			}
			rep.Related = []Related{{ev.Span, "the signature is verified here"}}
		}
		expected := p.Expected(ev.Call)
		switch {
		case expected != nil && !isAbsent(expected):
			rep.Message = p.staysGood(t, expected)
		case ev.CheckRow.Check.Nonce != "":
			if !p.handlesNonces(t) {
				rep.Message = fmt.Sprintf("%s verifies a signed login message whatever its nonce: a captured message logs in again", quote(t.Name))
			}
		case !p.handlesNonces(t):
			if issued := p.unkeptNonce(); issued.IsValid() {
				rep.Message = fmt.Sprintf("%s verifies a signature over a challenge that is never stored nor taken away: a captured message is accepted again", quote(t.Name))
				rep.Related = append(rep.Related, Related{issued, "the challenge is given out here"})
			}
		}
		if rep.Message != "" {
			p.Report(rep)
		}
	}
}

// staysGood says why a challenge that a signature must cover is still good afterwards, "" if it is not or that is not known.
func (p *Pass) staysGood(t *flow.Tool, expected *flow.Term) string {
	for _, rec := range t.Records {
		if rec.Op != model.Lookup || rec.Result == nil || !expected.Contains(rec.Result) {
			continue
		}
		for _, o := range t.Records {
			if o.Op != model.Lookup && (o.Store == rec.Store || o.Table != "" && o.Table == rec.Table) {
				return "" // taken away, or put in the place of
			}
		}
		if slices.ContainsFunc(t.Events, func(e *flow.Event) bool { return e.Unresolved && nonceWords.MatchString(e.Callee) }) {
			return ""
		}
		return fmt.Sprintf("%s reads the challenge that must be signed and leaves it there: a captured answer is accepted again", quote(t.Name))
	}
	origins := p.Origins(expected)
	if len(origins) > 0 && !slices.ContainsFunc(origins, func(o flow.Origin) bool {
		return o.Kind != flow.OriginArguments && o.Kind != flow.OriginBody && o.Kind != flow.OriginConstant
	}) && slices.ContainsFunc(origins, isSupplied) && !p.asksForNonces(t) {
		return fmt.Sprintf("%s takes the challenge that must be signed from the request itself: a captured answer brings its own", quote(t.Name))
	}
	return ""
}

// nonceWords match the names of functions, stores and fields that have to do with challenges.
var nonceWords = lazyregexp.New(`(?i)nonce|challenge|replay|consume`)

// handlesNonces reports whether a tool does something about the nonces that were given out: it asks or changes a store of them, reads one that it has kept, or calls a
// function of such a name that is not known.
func (p *Pass) handlesNonces(t *flow.Tool) bool {
	return p.asksForNonces(t) ||
		slices.ContainsFunc(functionsOf(t), func(fn *flow.Function) bool {
			return mentionsKept(fn, model.Load) || mentionsKept(fn, model.LoadGlobal)
		})
}

// asksForNonces reports whether a tool asks or changes a store of nonces, or calls a function of such a name that is not known.
func (p *Pass) asksForNonces(t *flow.Tool) bool {
	for _, rec := range t.Records {
		if nonceWords.MatchString(rec.Store+" "+rec.Table) || slices.ContainsFunc(keyValues(rec), func(v *flow.Term) bool { return mentionsText(v, nonceWords) || len(p.noncesIn([]*flow.Term{v})) > 0 }) {
			return true
		}
		for column := range rec.Set {
			if nonceWords.MatchString(column) {
				return true
			}
		}
		for column := range rec.Cols {
			if nonceWords.MatchString(column) {
				return true
			}
		}
	}
	return slices.ContainsFunc(t.Events, func(e *flow.Event) bool { return e.Unresolved && nonceWords.MatchString(e.Callee) })
}

// keptNames match the names of variables and fields in which a program keeps what it has given out.
var keptNames = lazyregexp.New(`(?i)^(pending|used|seen|active|issued|login|auth|current|expected|stored|user)?_?(nonce|challenge)s?(_?(store|map|cache|set|by\w+))?$`)

// mentionsKept reports whether a function reads, or stores into, a variable or field in which nonces are kept.
func mentionsKept(fn *flow.Function, kind model.OpKind) bool {
	for i := range fn.Ops {
		op := &fn.Ops[i]
		if op.Kind != kind {
			continue
		}
		name := op.Name
		if kind == model.LoadGlobal && name == "" && int(op.Ref) < len(fn.Unit.Globals) {
			name = fn.Unit.Globals[op.Ref].Name
		}
		if !keptNames.MatchString(name) || isCalled(fn, model.ID(i)) {
			continue
		}
		if kind == model.Store && len(op.Args) > 0 && op.Args[0] >= 0 {
			switch fn.Ops[op.Args[0]].Kind {
			case model.Load, model.LoadGlobal, model.Parameter, model.FreeVar, model.This:
			default:
				continue // a field of what was just made
			}
		}
		return true
	}
	return false
}

// isCalled reports whether a value is a function that the function calls.
func isCalled(fn *flow.Function, id model.ID) bool {
	return slices.ContainsFunc(fn.Ops, func(op model.Op) bool { return op.Kind == model.Call && len(op.Args) > 0 && op.Args[0] == id })
}

// functionsOf lists the functions of the program through which a tool reaches its events.
func functionsOf(t *flow.Tool) []*flow.Function {
	var out []*flow.Function
	add := func(fn *flow.Function) {
		if fn != nil && !slices.Contains(out, fn) {
			out = append(out, fn)
		}
	}
	add(t.HandlerFn)
	for _, e := range t.Events {
		for _, s := range e.Chain {
			add(s.Function())
		}
	}
	return out
}

// unkeptNonce gives the place where the program makes a nonce or challenge, answers with it, and keeps it nowhere; an invalid one if it does not.
func (p *Pass) unkeptNonce() model.Span {
	for _, t := range p.Tools {
		for _, r := range t.Returns {
			values := []*flow.Term{r.Value}
			if r.Reply != nil {
				values = append(values, r.Reply.Args...)
			}
			for _, v := range values {
				if made := p.nonceGiven(v); made != nil && !p.keeps(t, made) {
					return made.Span
				}
			}
		}
	}
	return model.Span{}
}

// nonceGiven gives the call that made the randomness which an answer names a nonce or challenge, nil if there is none.
func (p *Pass) nonceGiven(v *flow.Term) *flow.Site {
	var found *flow.Site
	random := func(u *flow.Term) *flow.Site {
		for _, o := range p.Origins(u) {
			if o.Kind == flow.OriginRandom && o.Term != nil && o.Term.Site != nil {
				return o.Term.Site
			}
		}
		return nil
	}
	if v == nil {
		return nil
	}
	v.Walk(func(u *flow.Term) bool {
		if u.Kind == flow.TObject {
			for i, k := range u.Keys {
				if found == nil && i < len(u.Args) && keptNames.MatchString(k) {
					found = random(u.Args[i])
				}
			}
		}
		return found == nil
	})
	return found
}

// keeps reports whether a tool hands what was made at a place to anything but its answer.
func (p *Pass) keeps(t *flow.Tool, made *flow.Site) bool {
	holds := func(v *flow.Term) bool {
		return v != nil && p.anyOrigin([]*flow.Term{v}, func(o flow.Origin) bool { return o.Term != nil && o.Term.Site == made })
	}
	for _, e := range t.Events {
		if e.OriginRow != nil || e.EffectRow != nil && e.EffectRow.Effect.Reply || e.Site == made {
			continue
		}
		if slices.ContainsFunc(e.Args, holds) {
			return true
		}
	}
	return slices.ContainsFunc(functionsOf(t), func(fn *flow.Function) bool {
		return mentionsKept(fn, model.Store) || mentionsKept(fn, model.LoadGlobal)
	})
}
