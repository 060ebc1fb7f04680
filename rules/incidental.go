package rules

import (
	"github.com/retrysafe/retrysafe/analyzers/flow"
	"github.com/retrysafe/retrysafe/analyzers/lazyregexp"
	"github.com/retrysafe/retrysafe/analyzers/model"
)

// Effects that keep the program going rather than do what the tool is for do not count: its log, its state on disk, its lock, the refreshing of
// its token. They are known by carrying nothing of the caller's where it matters, together with a name, or with being reached by most
// tools of a program alike.

var (
	keepingPath = lazyregexp.New(`(?i)\blogs?\b|\.log\b|jsonl|audit|history|journal_?log|cache|tmp|temp\b|\block\b|\.lock|\bpid\b|state\.json|rate[-_]?limit|telemetry|metrics|usage|token|credential|session`)
	tokenURL    = lazyregexp.New(`(?i)oauth|/tokens?\b|/token$|authorize|/auth/|/login|refresh`)
	tokenBody   = lazyregexp.New(`^(grant_type|refresh_token|client_assertion|client_secret)$`)
)

// sharedBy is the number of tools from which on a place that most tools reach is taken for infrastructure.
const sharedBy = 5

// keepsGoing reports whether an effect is infrastructure.
func (p *Pass) keepsGoing(e *flow.Effect) bool {
	switch e.Kind {
	case model.File:
		if len(e.Args) == 0 || p.fromCaller(e.Args[:1]) {
			return false
		}
		return mentionsText(e.Args[0], keepingPath) || p.reachedByMost(e)
	case model.HTTP:
		if refreshesToken(e) {
			return true
		}
		return !p.fromCaller(e.Args) && p.reachedByMost(e)
	case model.Process, model.Device:
		return !p.fromCaller(e.Args) && p.reachedByMost(e)
	}
	return false
}

// fromCaller reports whether something that the caller sent is part of the values.
func (p *Pass) fromCaller(values []*flow.Term) bool {
	return p.from(values, flow.OriginArguments, flow.OriginBody, flow.OriginHeader)
}

// reachedByMost reports whether most tools of the program make this very call, some of them beside an effect of their own.
func (p *Pass) reachedByMost(e *flow.Effect) bool {
	if p.shared.reached == nil {
		p.shared.reached = map[*flow.Site]reach{}
		for _, t := range p.Tools {
			p.countReach(t)
		}
	}
	r := p.shared.reached[e.Site]
	return r.tools >= sharedBy && 2*r.tools > len(p.Tools) && r.beside > 0
}

// reach counts the tools that make a call, and those among them that have another effect with something of the caller's in it.
type reach struct{ tools, beside int }

func (p *Pass) countReach(t *flow.Tool) {
	own := map[*flow.Site]bool{}
	for _, x := range t.Effects {
		if x.Incidental == "" && p.fromCaller(x.Args) {
			own[x.Site] = true
		}
	}
	seen := map[*flow.Site]bool{}
	for _, x := range t.Effects {
		if x.Site == nil || seen[x.Site] {
			continue
		}
		seen[x.Site] = true
		r := p.shared.reached[x.Site]
		r.tools++
		if len(own) > 1 || len(own) == 1 && !own[x.Site] {
			r.beside++
		}
		p.shared.reached[x.Site] = r
	}
}

// refreshesToken reports whether an HTTP call asks an authorization server for a token.
func refreshesToken(e *flow.Effect) bool {
	url, body := false, false
	for _, a := range e.Args {
		a.Walk(func(t *flow.Term) bool {
			if t.Kind == flow.TConst {
				url = url || tokenURL.MatchString(t.Const.Text)
				body = body || tokenBody.MatchString(t.Const.Text)
			}
			for _, k := range t.Keys {
				body = body || tokenBody.MatchString(k)
			}
			return !(url && body)
		})
	}
	return url && body
}

// mentionsText reports whether a constant part of a value matches.
func mentionsText(v *flow.Term, pattern *lazyregexp.Regexp) bool {
	return v.Any(func(t *flow.Term) bool {
		return t.Kind == flow.TConst && pattern.MatchString(t.Const.Text) || t.Kind == flow.TCall && t.Name == "tmpdir"
	})
}
