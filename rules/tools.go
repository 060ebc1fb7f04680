package rules

import "github.com/retrysafe/retrysafe/analyzers/flow"

// Judged lists the entries that the rules speak of, in the result's order: every tool of an agent, every webhook, and the routes that take a
// key, a nonce or a signed event or that a finding names. The other routes serve people and programs whose retries are not our question.
func Judged(res *flow.Result, findings []*Finding) []*flow.Tool {
	named := map[string]bool{}
	for _, f := range findings {
		for _, t := range f.Tools {
			named[t.ID] = true
		}
	}
	p := &Pass{Result: res, Options: &Options{}, shared: newShared()}
	var out []*flow.Tool
	for _, t := range res.Tools {
		if named[t.ID] || p.judged(t) {
			out = append(out, t)
		}
	}
	return out
}
