package rules

import "github.com/retrysafe/retrysafe/analyzers/flow"

// shared is what several rules ask about one result, found once.
type shared struct {
	protection map[*flow.Effect]flow.Protection
}

func newShared(res *flow.Result) *shared {
	return &shared{protection: map[*flow.Effect]flow.Protection{}}
}
