package rules

import (
	"fmt"
	"regexp/syntax"
	"strings"

	"github.com/retrysafe/retrysafe/analyzers/flow"
	"github.com/retrysafe/retrysafe/analyzers/model"
)

var unvalidatedKey = &Rule{
	Name: "unvalidated-key", Title: "A key of any form is accepted",
	Severity: Medium, CWE: 1286, Family: KeyFamily, Since: "0.1.0",
	Text: `The caller's key reaches the lookup unchecked, so "1", "retry" and "" are keys. Short keys collide by accident and can be guessed; models like to send
them. Checks of presence, of a maximal length or of the characters alone change nothing about that.

LOW where the record is bound to the caller, who then only harms themselves.

It is fine when the key is parsed as a UUID or ULID, matches a pattern of at least 16 characters, has a minimal length of 16, or is checked by a schema that the
framework enforces.`,
	Fix:   "Require a UUID, or at least 16 characters, before the key is used.",
	Check: checkUnvalidatedKey,
}

// shortestKey is the length, unless the project sets another, from which on a key cannot be guessed or met by accident, in characters.
const shortestKey = 16

func checkUnvalidatedKey(p *Pass) {
	for _, t := range p.Tools {
		if t.Kind == flow.Webhook || !p.judged(t) || t.Method == "GET" || t.Method == "HEAD" {
			continue
		}
		bound := map[string]bool{}
		for _, r := range p.replays(t) {
			if p.boundToCaller(r) != "" {
				bound[r.lookup.Store] = true
			}
		}
		done := map[string]bool{}
		for _, rec := range t.Records {
			if rec.Op != model.Lookup && rec.Op != model.Claim || p.isEffect(t, rec) {
				continue
			}
			for _, v := range keyValues(rec) {
				for _, o := range p.Origins(v) {
					if !isSuppliedKey(o) || o.Hashed != "" || done[o.Name] || p.checksKey(t, rec, o) {
						continue
					}
					done[o.Name] = true
					p.reportUnvalidated(t, rec, o, bound[rec.Store] || p.from(keyValues(rec), flow.OriginCaller, flow.OriginCredential, flow.OriginSession))
				}
			}
		}
	}
}

// checksKey reports whether the key's form or length is checked on every way to the lookup.
func (p *Pass) checksKey(t *flow.Tool, rec *flow.Record, o flow.Origin) bool {
	for _, path := range rec.Paths {
		info, ok := p.Checked(t, path, o.Term)
		if !ok || !strongFormat(info, p.Options.keyLength()) {
			return false
		}
	}
	return true
}

// strongFormat reports whether a check leaves no room for a short key.
func strongFormat(info flow.CheckInfo, least int) bool {
	switch strings.ToLower(info.Format) {
	case "uuid", "guid", "uuidv4", "uuidv7", "ulid", "ksuid", "cuid", "cuid2", "nanoid":
		return true
	}
	return info.MinLength >= least || shortestMatch(info.Pattern) >= least
}

// shortestMatch gives the length of the shortest text that a pattern matches, 0 where it cannot be told. The pattern may carry slashes and flags.
func shortestMatch(pattern string) int {
	if strings.HasPrefix(pattern, "/") {
		if end := strings.LastIndexByte(pattern, '/'); end > 0 {
			pattern = pattern[1:end]
		}
	}
	re, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return 0
	}
	return shortest(re)
}

func shortest(re *syntax.Regexp) int {
	switch re.Op {
	case syntax.OpLiteral:
		return len(re.Rune)
	case syntax.OpCharClass, syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return 1
	case syntax.OpCapture:
		return shortest(re.Sub[0])
	case syntax.OpPlus:
		return shortest(re.Sub[0])
	case syntax.OpRepeat:
		return re.Min * shortest(re.Sub[0])
	case syntax.OpConcat:
		n := 0
		for _, sub := range re.Sub {
			n += shortest(sub)
		}
		return n
	case syntax.OpAlternate:
		n := shortest(re.Sub[0])
		for _, sub := range re.Sub[1:] {
			n = min(n, shortest(sub))
		}
		return n
	}
	return 0
}

func (p *Pass) reportUnvalidated(t *flow.Tool, rec *flow.Record, o flow.Origin, bound bool) {
	at, fn := rec.Span, rec.Fn
	if param := declared(t, o.Name); param != nil && o.Kind == flow.OriginArguments && param.Span.IsValid() {
		at, fn = param.Span, nil
	} else if r := p.firstRead(t, o); r != nil {
		at, fn = r.Span, r.Fn
	}
	severity := Medium
	if bound {
		severity = Low
	}
	what := "key"
	if o.Kind == flow.OriginHeader {
		what = "header"
	}
	p.Report(Report{
		At: at, Tool: t, Event: rec.Event, Fn: fn, Records: []*flow.Record{rec}, Param: o.Name, Severity: severity, Confidence: rec.Confidence,
		Related: []Related{{rec.Span, "the key is looked up here"}},
		Message: fmt.Sprintf("%s looks up the %s %s without checking its form or minimal length", quote(t.Name), what, quote(lastPart(o.Name))),
	})
}

// firstRead finds where an input is read first.
func (p *Pass) firstRead(t *flow.Tool, o flow.Origin) *flow.Read {
	for _, r := range p.reads(t) {
		if flow.OriginKind(r.Role) == o.Kind && r.Name == o.Name {
			return r
		}
	}
	return nil
}
