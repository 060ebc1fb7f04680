package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/retrysafe/retrysafe/analyzers/flow"
)

var unscopedOperation = &Rule{
	Name: "unscoped-operation", Title: "One key answers for several tools",
	Severity: Low, CWE: 694, Family: KeyFamily, Since: "0.1.0", NeedsProgram: true,
	Text: `Several tools keep their results in one namespace, and the key says neither which tool it belongs to nor what the arguments were. A key that an agent
uses for two steps of one task makes the second step return the first one's result.

It is fine when the tool's name, the route or the hash of the arguments is part of the key, when the route is compared with what was stored under it, or when
one tool alone uses the store.`,
	Fix:   "Put the tool's name into the key.",
	Check: checkUnscopedOperation,
}

func checkUnscopedOperation(p *Pass) {
	sharing := map[string][]*replay{}
	for _, t := range p.Tools {
		if t.Kind == flow.Webhook || !p.judged(t) {
			continue
		}
		for _, r := range p.replays(t) {
			if r.class == suppliedKey {
				sharing[r.lookup.Store] = append(sharing[r.lookup.Store], r)
			}
		}
	}
	for _, t := range p.Tools {
		for _, r := range p.replays(t) {
			others := otherTools(r, sharing[r.lookup.Store])
			if len(others) == 0 || p.namesOperation(r, sharing[r.lookup.Store]) || r.class != suppliedKey {
				continue
			}
			at, fn := placeOf(t, r.lookup)
			p.Report(Report{
				At: at, Fn: fn, Event: r.lookup.Event, Records: []*flow.Record{r.lookup}, Confidence: r.lookup.Confidence,
				Message: fmt.Sprintf("%s shares its keys with %s: the key names neither the operation nor the arguments", quote(t.Name), list(others)),
			})
		}
	}
}

func otherTools(r *replay, all []*replay) []string {
	var names []string
	for _, o := range all {
		if o.tool.Kind == flow.Exported {
			continue // the guard itself, which a program puts before its operations
		}
		if name := quote(o.tool.Name); o.tool.ID != r.tool.ID && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// namesOperation reports whether the key tells the tools of a store apart: by a constant that differs, the tool's name, the request's own
// route, or the arguments.
func (p *Pass) namesOperation(r *replay, all []*replay) bool {
	if slices.ContainsFunc(r.compared(), p.saysRoute) {
		return true // another operation's key is refused
	}
	own := false
	for _, v := range r.key {
		for _, o := range p.Origins(v) {
			switch o.Kind {
			case flow.OriginArguments, flow.OriginBody:
				own = own || o.Whole || o.Hashed != "" && !isKeyName(o.Name)
			case flow.OriginHeader, flow.OriginCaller, flow.OriginCredential, flow.OriginClient, flow.OriginSession,
				flow.OriginConstant, flow.OriginEnv, flow.OriginClock, flow.OriginUnknown, flow.OriginRecord:
			default:
				own = true // the tool's name, the route, or something else of the request
			}
		}
		v.Walk(func(t *flow.Term) bool {
			if t.Kind == flow.TMember && routeName(t.Name) {
				own = true
			}
			return !own
		})
	}
	if own {
		return true
	}
	mine := constants(r.key)
	for _, o := range all {
		if o.tool.ID != r.tool.ID && constants(o.key) == mine {
			return false
		}
	}
	return true
}

// saysRoute reports whether the request's own route or method is part of a value.
func (p *Pass) saysRoute(v *flow.Term) bool {
	says := false
	p.Follow(v, func(t *flow.Term) bool {
		says = says || t.Kind == flow.TMember && routeName(t.Name)
		return !says
	})
	return says
}

func routeName(name string) bool {
	switch strings.ToLower(name) {
	case "path", "url", "originalurl", "method", "route", "pathname", "routepath", "baseurl", "requesturi":
		return true
	}
	return false
}

// constants joins the constant texts of a key.
func constants(key []*flow.Term) string {
	var out []string
	for _, v := range key {
		v.Walk(func(t *flow.Term) bool {
			if text, ok := t.Text(); ok {
				out = append(out, text)
			}
			return true
		})
	}
	return strings.Join(out, "\x00")
}
