package rules

import (
	"fmt"

	"github.com/retrysafe/retrysafe/analyzers/flow"
)

var replayBeforeAuth = &Rule{
	Name: "replay-before-auth", Title: "A stored answer is given before the caller is authenticated",
	Severity: High, CWE: 306, Family: KeyFamily, Since: "0.1.0", NeedsProgram: true,
	Text: `The guard stands ahead of authentication: a request that carries a known key is answered with the stored result before anyone has asked who sends it.
Knowing a key is then enough to read the answer, without any credential.

It is fine when the key itself carries a verified identity.`,
	Fix:   "Mount the guard behind authentication.",
	Check: checkReplayBeforeAuth,
}

func checkReplayBeforeAuth(p *Pass) {
	for _, t := range p.Tools {
		for _, r := range p.replays(t) {
			if p.anyCaller(r.key) {
				continue
			}
			auth := laterAuth(r)
			if auth == nil {
				continue // nobody authenticates, or somebody did before
			}
			p.Report(Report{
				At: r.answers[0].Span, Event: r.lookup.Event, Records: []*flow.Record{r.lookup}, Confidence: min(r.lookup.Confidence, auth.Confidence),
				Related: []Related{{auth.Span, "the caller is authenticated here, too late"}},
				Message: fmt.Sprintf("%s gives the stored answer before the caller is authenticated", quote(t.Name)),
			})
		}
	}
}

func (p *Pass) anyCaller(values []*flow.Term) bool {
	for _, v := range values {
		if p.isCaller(v) {
			return true
		}
	}
	return false
}

// laterAuth finds the authentication that a replayed answer comes before, nil if an earlier one exists.
func laterAuth(r *replay) *flow.Event {
	var later *flow.Event
	for _, e := range r.tool.Events {
		if e.CheckRow == nil || e.CheckRow.Check.Kind != "auth" {
			continue
		}
		if e.Order < r.lookup.Order || r.answers[0].Path.Made(e.Call) {
			return nil
		}
		if later == nil {
			later = e
		}
	}
	return later
}
