package rules

import (
	"fmt"
	"slices"

	"github.com/retrysafe/retrysafe/analyzers/flow"
	"github.com/retrysafe/retrysafe/analyzers/lazyregexp"
	"github.com/retrysafe/retrysafe/analyzers/model"
)

var safeMethodLie = &Rule{
	Name: "safe-method-lie", Title: "A GET route changes something",
	Severity: Low, CWE: 650, Family: AnnotationFamily, Since: "0.1.0", Experimental: true,
	Text: `GET and HEAD promise that nothing changes. Browsers prefetch such links, crawlers and scanners of mail follow them, proxies and HTTP clients send them again without asking when
an answer is late: each time the route acts again.

It is fine for links that must be a GET: the callback of a sign-in, the confirmation of an address, the end of a subscription, the address that a scheduler calls.`,
	Fix:   "Make it a POST, or ask on the page behind the link and act on the POST that follows.",
	Check: checkSafeMethodLie,
}

// linkPath matches the paths of links that have to act although they are followed with a GET, and of addresses that a scheduler or a person's sign-in calls.
var linkPath = lazyregexp.New(`(?i)(callback|oauth|auth|login|logout|log-?out|sign-?(in|out|up)|sso|saml|oidc|verif|confirm|activat|unsubscribe|subscribe|opt-?out|magic|invit|accept|redirect|track|pixel|click|open\b|cron|schedul|webhook|health|ready|live|debug|test|seed|migrat|setup|install)`)

func checkSafeMethodLie(p *Pass) {
	for _, t := range p.Tools {
		if t.Kind != flow.HTTPRoute || t.Method != "GET" && t.Method != "HEAD" || linkPath.MatchString(t.Path) {
			continue
		}
		var changed []*flow.Effect
		for _, e := range p.certainlyWrites(p.mainEffects(t)) {
			if (e.Nature == model.Additive || e.Nature == model.Destructive) && e.Confidence > model.Possible && !isDraft(e) && ofHandler(t, e) && !p.fetched(t, e) {
				changed = append(changed, e)
			}
		}
		if len(changed) == 0 {
			continue
		}
		p.Report(Report{
			At: t.Span, Tool: t, Effects: changed, Confidence: min(surest(changed), model.Likely), Related: p.effectPlaces(changed),
			Message: fmt.Sprintf("%s is a %s route, but it %s", quote(t.Name), t.Method, phrases(changed)),
		})
	}
}

// fetched reports whether an effect is made only where something that was looked for is not there: what a read makes on its first run.
func (p *Pass) fetched(t *flow.Tool, e *flow.Effect) bool {
	return slices.ContainsFunc(t.Records, func(rec *flow.Record) bool { return rec.Op == model.Lookup && p.skipped(t, e, rec) })
}

// ofHandler reports whether the route's own handler leads to the effect. What a middleware does before it, such as counting calls, it does for every route.
func ofHandler(t *flow.Tool, e *flow.Effect) bool {
	return t.HandlerFn != nil && slices.ContainsFunc(e.Chain, func(s flow.Step) bool { return encloses(t.HandlerFn.Span, s.Span) })
}
