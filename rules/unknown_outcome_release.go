package rules

import (
	"fmt"
	"slices"

	"github.com/retrysafe/retrysafe/analyzers/flow"
	"github.com/retrysafe/retrysafe/analyzers/model"
)

var unknownOutcomeRelease = &Rule{
	Name: "unknown-outcome-release", Title: "A claim is released although the effect may have happened",
	Severity: Medium, CWE: 755, Family: RecordFamily, Since: "0.1.0", Experimental: true,
	Text: `The claim is taken back on any error of the effect, or when the client goes away. A timeout and a broken connection are errors too, and they tell nothing of what the
vendor did: the payment may have been made. The client asks again with the same key, as it should, finds nothing, and pays again.

For effects that move no money it is reported with ` + "`--pedantic`" + ` only: most of them are better done twice than never.

It is fine when the error is looked at and is one that comes before the effect, such as a refusal of the input, and when the next attempt carries the same key of the vendor.`,
	Fix:   "Keep the claim when the outcome is not known, and ask the vendor, or pass the vendor a key that the next attempt repeats.",
	Check: checkUnknownOutcomeRelease,
}

func checkUnknownOutcomeRelease(p *Pass) {
	for _, t := range p.Tools {
		if !p.judged(t) {
			continue
		}
		for _, c := range p.claims(t) {
			for _, rec := range releases(t, c.entry.Store) {
				at, hangup := p.OnHangup(rec.Event)
				var risked []*flow.Effect
				for _, e := range c.covered {
					if p.stableKey(e) || e.Nature == model.Destructive || !hangup && (onSuccess(p, rec, e) || !onFailure(p, rec, e) || p.looksAtError(rec, e)) {
						continue
					}
					risked = append(risked, e)
				}
				if len(risked) == 0 {
					continue
				}
				why := "on any error of what it does"
				if hangup {
					why = "when the client goes away"
				}
				p.Report(Report{
					At: rec.Span, Event: rec.Event, Records: []*flow.Record{rec}, Pedantic: !movesMoney(risked),
					Severity: severityOf(risked), Confidence: min(rec.Confidence, c.entry.Confidence, risked[0].Confidence),
					Related: []Related{{c.entry.Span, "the key is claimed here"}, {at, "nobody knows here whether it happened"}, {risked[0].Span, "this may have happened"}},
					Message: fmt.Sprintf("%s releases its claim %s: if the call was done all the same, the next attempt %s again", quote(t.Name), why, phrases(risked)),
				})
			}
		}
	}
}

func severityOf(effects []*flow.Effect) Severity {
	if movesMoney(effects) {
		return Medium
	}
	return Low
}

// looksAtError reports whether each way to a record operation on which the effect has failed depends on what the error is.
func (p *Pass) looksAtError(rec *flow.Record, e *flow.Effect) bool {
	seen := false
	for _, path := range rec.Paths {
		if !failed(path, e.Call) && !(e.ReturnsError() && path.Made(e.Call)) {
			continue
		}
		seen = true
		if !slices.ContainsFunc(path.Conds, func(c flow.Cond) bool { return judgesError(c.Term, e) }) {
			return false
		}
	}
	return seen
}

// judgesError reports whether a condition asks what the error of a call is, and not only whether there is one.
func judgesError(t *flow.Term, e *flow.Effect) bool {
	if t.Kind == flow.TOp && len(t.Args) == 2 && (t.Args[0].IsNullish() || t.Args[1].IsNullish()) && (t.Name == "==" || t.Name == "!=") {
		return false
	}
	return t.Any(func(u *flow.Term) bool {
		return u.Kind == flow.TCatch || u.Kind == flow.TMember && u.Name == "#1" && len(u.Args) == 1 && u.Args[0] == e.Result
	})
}
