package rules

import (
	"fmt"

	"github.com/retrysafe/retrysafe/analyzers/flow"
	"github.com/retrysafe/retrysafe/analyzers/model"
)

var callerFallback = &Rule{
	Name: "caller-fallback", Title: "Unidentified callers share one namespace of keys",
	Severity: High, CWE: 639, Family: KeyFamily, Since: "0.1.0", NeedsProgram: true,
	Supersedes: []string{"unbound-caller", "ambiguous-key-join", "protocol-id-as-key"},
	Text: `The caller's part of a key falls back to a constant, such as ` + "`?? 'anonymous'`" + `, when the caller is not identified. All such callers then share one
namespace, and each receives the results of the others: the binding fails for just those callers of whom least is known.

It is fine when the fallback refuses the call, when it is a random id of the session, or when the program serves one local caller.`,
	Fix:   "Refuse the call when the caller is not identified.",
	Check: checkCallerFallback,
}

func checkCallerFallback(p *Pass) {
	if !p.severalCallers() {
		return
	}
	for _, t := range p.Tools {
		if !p.judged(t) {
			continue
		}
		for _, k := range p.keys(t) {
			for _, v := range k.values {
				caller, constant := p.fallback(v)
				if caller == nil {
					continue
				}
				at, fn := k.event.Span, k.event.Fn
				if r := p.fallbackRead(t, k.event, caller, constant); r != nil {
					at, fn = r.Span, r.Fn
				} else if caller.Kind == flow.TCall && caller.Span().IsValid() {
					at, fn = caller.Span(), caller.Site.Fn // ctx.Value(userKey)
				}
				p.Report(k.about(Report{
					At: at, Fn: fn, Confidence: model.Certain,
					Related: []Related{{k.event.Span, "the key is used here"}},
					Message: fmt.Sprintf("%s keys the records of every unidentified caller by %s: they receive each other's results",
						quote(t.Name), constantText(constant)),
				}))
				break
			}
		}
	}
}

// fallbackRead finds the read of the caller that falls back to a constant: of several, the one next to where that is written.
func (p *Pass) fallbackRead(t *flow.Tool, ev *flow.Event, caller, constant *flow.Term) *flow.Read {
	last := p.lastRead(t, func(r *flow.Read) bool { return caller.Contains(r.Term) })
	text, _ := constant.Text()
	literal, ok := p.TextPlace(ev, text)
	if text == "" || !ok {
		return last
	}
	const near = 10 // lines: one expression, broken into pieces
	if r := p.lastRead(t, func(r *flow.Read) bool {
		return caller.Contains(r.Term) && r.Span.File == literal.File && r.Span.Line <= literal.Line && literal.Line-r.Span.Line < near
	}); r != nil {
		return r
	}
	return last
}

// fallback finds, in a key, a part that is either the caller's identity or a constant.
func (p *Pass) fallback(key *flow.Term) (caller, constant *flow.Term) {
	key.Walk(func(t *flow.Term) bool {
		if t.Kind != flow.TUnion || caller != nil {
			return caller == nil
		}
		var who, text *flow.Term
		for _, alt := range t.Args {
			if p.isIdentity(alt) {
				who = alt
			} else if _, ok := alt.Text(); ok {
				text = alt
			}
		}
		if who != nil && text != nil {
			caller, constant = who, text
		}
		return true
	})
	return caller, constant
}

// isIdentity reports whether a value says who calls, on whatever authority: the authenticated caller, or a header of such a name.
func (p *Pass) isIdentity(v *flow.Term) bool {
	return p.isCaller(v) || p.anyOrigin([]*flow.Term{v}, func(o flow.Origin) bool {
		return o.Kind == flow.OriginClient || o.Kind == flow.OriginHeader && isIdentityName(o.Name)
	})
}

func constantText(t *flow.Term) string {
	if text, _ := t.Text(); text != "" {
		return "the constant " + quote(text)
	}
	return "the empty text"
}
