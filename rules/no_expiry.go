package rules

import (
	"fmt"

	"github.com/retrysafe/retrysafe/analyzers/flow"
	"github.com/retrysafe/retrysafe/analyzers/model"
)

var noExpiry = &Rule{
	Name: "no-expiry", Title: "Stored results never expire",
	Severity: Medium, CWE: 613, Family: KeyFamily, Since: "0.1.0", NeedsProgram: true,
	Text: `Results are kept for deduplication alone, and nothing ends their life: no TTL when they are stored, no age compared when they are looked up, no
job that deletes old ones. A key from an old log answers for ever, and the store grows with every call. A column such as ` + "`expires_at`" + ` that
nothing reads is no expiry.

It is fine when the store has a TTL of its own, when a scheduled job deletes or drops old records, or when the record is the business row itself.`,
	Fix:   "Store the result with a TTL that outlives the retries (24 hours; 30 days for money), or compare its age at the lookup.",
	Check: checkNoExpiry,
}

func checkNoExpiry(p *Pass) {
	for _, t := range p.Tools {
		if !p.judged(t) {
			continue
		}
		for _, r := range p.replays(t) {
			if r.lookup.Local {
				continue // unbounded-record speaks of maps
			}
			store := p.storeOf(r)
			if store == nil {
				continue // not kept by this tool, or kept as the business row itself
			}
			if p.expires(r) {
				continue
			}
			p.Report(Report{
				At: store.Span, Event: store.Event, Records: []*flow.Record{store}, Confidence: min(r.lookup.Confidence, store.Confidence),
				Related: []Related{{r.lookup.Span, "the result is looked up here, whatever its age"}},
				Message: fmt.Sprintf("%s stores results that never expire: no TTL, no age compared at the lookup, no cleanup", quote(t.Name)),
			})
		}
	}
}

// storeOf finds where the tool stores what the lookup gives back, in a store that serves only this.
func (p *Pass) storeOf(r *replay) *flow.Record {
	var found *flow.Record
	for _, rec := range r.tool.Records {
		if rec.Store != r.lookup.Store || !rec.Writes() {
			continue
		}
		for _, e := range p.mainEffects(r.tool) {
			if e.Call == rec.Call {
				return nil // the row is the effect
			}
		}
		found = rec // the last one completes the record
	}
	return found
}

// expires reports whether something ends the life of the records that a lookup reads.
func (p *Pass) expires(r *replay) bool {
	if r.lookup.FreshOnly || r.lookup.HasTTL && r.lookup.Unit != "column" {
		return true
	}
	for _, rec := range p.Index.StoreUses(r.lookup.Store) {
		if rec.HasTTL && rec.Unit != "column" || rec.Op == model.Expire {
			return true
		}
	}
	if p.Index.Cleans(r.lookup.Store) || r.lookup.Table != "" && p.Index.Cleans(r.lookup.Table) {
		return true
	}
	for _, a := range r.answers {
		if !p.judgesAge(a.Path, r.lookup.Result) {
			return false
		}
	}
	return true
}
