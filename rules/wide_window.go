package rules

import (
	"fmt"
	"math"
	"slices"

	"github.com/retrysafe/retrysafe/analyzers/flow"
	"github.com/retrysafe/retrysafe/analyzers/lazyregexp"
	"github.com/retrysafe/retrysafe/analyzers/model"
)

var wideWindow = &Rule{
	Name: "wide-window", Title: "A signed request is accepted long after, or before, its time",
	Severity: Low, CWE: 294, Family: EnvelopeFamily, Since: "0.1.0",
	Text: `The time of a signed request may be more than 600 s in the past, or more than 30 s in the future. Within the window a captured request can be sent again; and where the
absolute difference is compared, a request whose time lies ahead stays good for twice as long. Clocks that are kept by NTP differ by less than a second.

It is fine for login state and signed links, which people follow.`,
	Fix:   "Accept at most 300 s in the past and 30 s in the future, compared one by one.",
	Check: checkWideWindow,
}

const (
	mostPast   = 600 // s
	mostFuture = 30
)

// timeNames matches the names of headers and fields that hold when a request was signed.
var timeNames = lazyregexp.New(`(?i)time|date|(^|[-_.])ts$|^t$|sent|issued|(^|[-_.])iat$`)

func checkWideWindow(p *Pass) {
	for _, t := range p.Tools {
		if !p.verifiesSigned(t) {
			continue
		}
		for _, c := range t.Comparisons {
			w, ok := p.Window(c)
			if !ok || !p.anyOrigin([]*flow.Term{w.Time}, func(o flow.Origin) bool { return isSupplied(o) && timeNames.MatchString(o.Name) }) {
				continue
			}
			rep := Report{At: c.Span, Tool: t, Fn: c.Fn, Confidence: model.Likely, Related: stepsTo(c)}
			seconds := math.Round(w.Seconds)
			switch {
			case w.Past && w.Seconds > mostPast:
				rep.Message = fmt.Sprintf("%s accepts a signed request %.0f s after its time", quote(t.Name), seconds)
			case w.Future && w.Seconds > mostFuture:
				rep.Message = fmt.Sprintf("%s accepts a signed request whose time lies %.0f s ahead", quote(t.Name), seconds)
			default:
				continue
			}
			p.Report(rep)
		}
	}
}

// verifiesSigned reports whether a tool or route verifies a signature over what it was sent.
func (p *Pass) verifiesSigned(t *flow.Tool) bool {
	return slices.ContainsFunc(t.Events, p.verifies) || slices.ContainsFunc(t.Comparisons, func(c *flow.Comparison) bool {
		kind, _ := p.secretOf(c)
		return c.Op == "==" && kind == flow.MAC
	})
}
