package rules

import (
	"fmt"
	"slices"

	"github.com/retrysafe/retrysafe/analyzers/flow"
)

var claimedCaller = &Rule{
	Name: "claimed-caller", Title: "The caller's part of a key is what the caller claims to be",
	Severity: High, CWE: 639, Family: KeyFamily, Since: "0.1.0", NeedsProgram: true,
	Supersedes: []string{"unbound-caller", "ambiguous-key-join", "protocol-id-as-key"},
	Text: `The key is namespaced by a caller, but the caller's name comes from the tool's own arguments or from a header that nothing authenticates. Whoever sends
another's name reads the other's results: the namespace looks like a binding and is none.

It is fine when the claimed name is compared with the authenticated identity or with a membership first, when a trusted proxy sets the header, or when the
program serves one local caller.`,
	Fix:   "Take the caller from the verified token or session, not from what the call carries.",
	Check: checkClaimedCaller,
}

func checkClaimedCaller(p *Pass) {
	if !p.severalCallers() {
		return
	}
	for _, t := range p.Tools {
		if t.Kind == flow.Webhook || !p.judged(t) {
			continue
		}
		compared := map[*flow.Record][]*flow.Term{}
		for _, r := range p.replays(t) {
			compared[r.lookup] = r.compared()
		}
		for _, k := range p.keys(t) {
			values := append(append([]*flow.Term(nil), k.values...), compared[k.record]...)
			o, ok := p.claim(values)
			if p.from(values, flow.OriginCaller, flow.OriginCredential) {
				o, ok = p.instead(values) // the authenticated caller is part of it
			}
			if !ok || p.verified(k.event, o.Term) {
				continue
			}
			at, fn := k.event.Span, k.event.Fn
			if r := p.lastRead(t, func(r *flow.Read) bool { return r.Term == o.Term }); r != nil {
				at, fn = r.Span, r.Fn
			}
			p.Report(k.about(Report{
				At: at, Fn: fn, Confidence: k.event.Confidence,
				Related: []Related{{k.event.Span, "the key is used here"}},
				Message: fmt.Sprintf("%s takes the caller's part of the key from the %s %s, which the caller chooses", quote(t.Name),
					originNoun(o), quote(lastPart(o.Name))),
			}))
		}
	}
}

// instead finds the header that names the caller where nobody is authenticated: `req.user?.id ?? req.headers['x-wallet']`. Whatever it is called, it stands
// in the caller's place.
func (p *Pass) instead(values []*flow.Term) (claimed flow.Origin, ok bool) {
	for _, v := range values {
		p.Follow(v, func(t *flow.Term) bool {
			if t.Kind != flow.TUnion || !slices.ContainsFunc(t.Args, p.isCaller) {
				return !ok
			}
			for _, alt := range t.Args {
				if alt.HasInput() && !p.isCaller(alt) {
					for _, o := range p.Origins(alt) {
						if o.Kind == flow.OriginHeader && !ok {
							claimed, ok = o, true
						}
					}
				}
			}
			return !ok
		})
	}
	return claimed, ok
}

// claim finds the origin of a value that names the caller on the caller's own word. An argument is one only beside a key that the caller sends:
// alone it is what the operation is about.
func (p *Pass) claim(values []*flow.Term) (claimed flow.Origin, ok bool) {
	keyed := p.anyOrigin(values, isSuppliedKey)
	for _, v := range values {
		for _, o := range p.Origins(v) {
			if isIdentityName(o.Name) && (o.Kind == flow.OriginHeader || keyed && o.Kind == flow.OriginArguments) {
				return o, true
			}
		}
	}
	return flow.Origin{}, false
}

// verified reports whether, on every way to the place, the claimed name was compared with the authenticated caller, or given to a check together
// with them.
func (p *Pass) verified(e *flow.Event, claimed *flow.Term) bool {
	for _, path := range e.Paths {
		if !p.Compared(path, contains(claimed), p.isCaller) && !p.checkedTogether(path, claimed) {
			return false
		}
	}
	return len(e.Paths) > 0
}

func (p *Pass) checkedTogether(path flow.Path, claimed *flow.Term) bool {
	for _, b := range path.Before {
		names, callers := false, false
		for _, a := range b.Call.Args {
			names = names || a.Contains(claimed)
			callers = callers || p.isCaller(a)
		}
		if names && callers {
			return true
		}
	}
	return false
}

// originNoun says what an input is.
func originNoun(o flow.Origin) string {
	if o.Kind == flow.OriginHeader {
		return "header"
	}
	return "argument"
}
