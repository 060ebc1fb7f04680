package rules

import "github.com/retrysafe/retrysafe/analyzers/flow"

// shared is what several rules ask about one result, found once.
type shared struct {
	claims      map[*flow.Tool][]*claim
	protection  map[*flow.Effect]flow.Protection
	tools       map[*flow.Tool]bool
	effects     map[*flow.Tool][]*flow.Effect
	reached     map[*flow.Site]reach
	results     map[*flow.Tool]map[*flow.Term]*flow.Call
	keeps       map[*flow.Tool]map[string]bool
	reads       map[*flow.Tool][]*flow.Read
	replays     map[*flow.Tool][]*replay
	watches     map[*flow.Tool][]*watch
	recognisers map[*flow.Tool][]*recogniser
	skips       map[*flow.Tool][]flow.Skip
	nonces      map[*flow.Tool][]*nonce
	signed      map[*flow.Tool][]flow.Origin
	requests    map[*flow.Tool][]*flow.Verification
	met         map[encounter]met
}

func newShared() *shared {
	return &shared{
		claims:      map[*flow.Tool][]*claim{},
		protection:  map[*flow.Effect]flow.Protection{},
		tools:       map[*flow.Tool]bool{},
		effects:     map[*flow.Tool][]*flow.Effect{},
		results:     map[*flow.Tool]map[*flow.Term]*flow.Call{},
		keeps:       map[*flow.Tool]map[string]bool{},
		reads:       map[*flow.Tool][]*flow.Read{},
		replays:     map[*flow.Tool][]*replay{},
		watches:     map[*flow.Tool][]*watch{},
		recognisers: map[*flow.Tool][]*recogniser{},
		skips:       map[*flow.Tool][]flow.Skip{},
		nonces:      map[*flow.Tool][]*nonce{},
		signed:      map[*flow.Tool][]flow.Origin{},
		requests:    map[*flow.Tool][]*flow.Verification{},
		met:         map[encounter]met{},
	}
}

// once gives the value kept for a key, and makes it the first time.
func once[K comparable, V any](kept map[K]V, key K, make func() V) V {
	if v, ok := kept[key]; ok {
		return v
	}
	v := make()
	kept[key] = v
	return v
}
