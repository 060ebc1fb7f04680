package rules

import (
	"fmt"
	"slices"

	"github.com/retrysafe/retrysafe/analyzers/flow"
	"github.com/retrysafe/retrysafe/analyzers/model"
)

var unownedRelease = &Rule{
	Name: "unowned-release", Title: "A claim is released by whoever has its key",
	Severity: Medium, CWE: 283, Family: RecordFamily, Since: "0.1.0",
	Text: `A claim or lock ends after a while, so that another worker can come to own it; the first one then deletes it by its key alone. A call that was slower than its lease takes
away the claim of the repeat that runs by now, and a third call starts beside it. Taking over a stale claim by writing over it is the same: two workers both find it stale,
and both go on.

It is fine when the delete or the take-over compares what only the owner knows: a script that deletes the key only while it holds the owner's token, an owner or version in the
WHERE clause. A claim that lives for hours outlives the calls that it covers.`,
	Fix:   "Store a random token with the claim, and delete or replace it only where the token is still there.",
	Check: checkUnownedRelease,
}

// longestCall is how long a call may take, in seconds: a claim that lives longer changes hands only after a crash.
const longestCall = 3600

func checkUnownedRelease(p *Pass) {
	for _, t := range p.Tools {
		if !p.judged(t) {
			continue
		}
		for _, entry := range t.Records {
			if entry.Local || entry.Op != model.Claim && entry.Op != model.Lock || entry.Spec == nil || !entry.Spec.Atomic || p.isEffect(t, entry) {
				continue
			}
			lease, sure := p.lease(entry)
			if sure == 0 {
				continue
			}
			for _, rec := range releases(t, entry.Store) {
				if !sameRecord(entry, rec) || p.ownsRelease(t, entry, rec) || rec.Call == entry.Call {
					continue
				}
				p.Report(Report{
					At: rec.Span, Event: rec.Event, Records: []*flow.Record{rec}, Confidence: min(sure, rec.Confidence, entry.Confidence),
					Related: []Related{{entry.Span, "the claim is made here" + lease}},
					Message: fmt.Sprintf("%s deletes its claim by the key alone: after the lease it is another call's claim", quote(t.Name)),
				})
			}
		}
	}
}

// lease says how long a claim lasts, and how sure it is that others can come to own it while the call still runs; 0 where they cannot.
func (p *Pass) lease(entry *flow.Record) (words string, sure model.Confidence) {
	if !entry.HasTTL || entry.Unit == "column" {
		return "", 0
	}
	seconds, known := p.Lifetime(entry)
	switch {
	case !known:
		return "", model.Likely
	case seconds > longestCall:
		return "", 0
	}
	return ", for " + duration(seconds), model.Certain
}

// ownsRelease reports whether a release is made only by the owner of the claim: it selects by something that the claim stored beside the key, or what is stored was
// compared on every way to it.
func (p *Pass) ownsRelease(t *flow.Tool, entry, rec *flow.Record) bool {
	for _, v := range rec.Cols {
		if v == nil || v == entry.Key || v.Kind == flow.TConst {
			continue
		}
		if p.freshValue(v) || entry.Value != nil && entry.Value.Contains(v) && v != rec.Key && len(rec.Cols) > 1 {
			return true
		}
	}
	for _, path := range rec.Paths {
		compared := slices.ContainsFunc(t.Records, func(o *flow.Record) bool {
			return o.Op == model.Lookup && o.Store == entry.Store && o.Result != nil &&
				eachComparison(path, o.Result, func(other *flow.Term) bool { return !other.IsNullish() })
		})
		if !compared {
			return false
		}
	}
	return len(rec.Paths) > 0
}
