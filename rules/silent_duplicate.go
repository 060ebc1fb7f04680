package rules

import (
	"fmt"
	"slices"

	"github.com/retrysafe/retrysafe/analyzers/flow"
	"github.com/retrysafe/retrysafe/analyzers/lazyregexp"
	"github.com/retrysafe/retrysafe/analyzers/model"
)

var silentDuplicate = &Rule{
	Name: "silent-duplicate", Title: "A repeat is answered as if it were the first call",
	Severity: Low, CWE: 223, Family: RecordFamily, Since: "0.1.0", Experimental: true, Pedantic: true,
	Text: `The stored result is given back with nothing that says so. An agent that sent the call twice by mistake takes it for two successes, and reports two orders where there is
one; whoever reads its log cannot tell the two apart.

It is fine when anything marks the answer: a field such as ` + "`duplicate`" + `, a line of text, a header such as ` + "`Idempotent-Replayed`" + `.`,
	Fix:   "Mark the answer that comes from the record, in its content or by a header.",
	Check: checkSilentDuplicate,
}

// markWords match what tells that an answer was given before.
var markWords = lazyregexp.New(`(?i)duplicat|replay|cached|already|repeat|existing|previous|earlier|before|from[-_ ]?cache|x-cache|deduped|deduplicated`)

func checkSilentDuplicate(p *Pass) {
	for _, t := range p.Tools {
		if !p.judged(t) {
			continue
		}
		for _, r := range p.replays(t) {
			if slices.ContainsFunc(r.answers, func(a *flow.Return) bool { return marked(t, r, a) }) {
				continue
			}
			at, fn := placeOf(t, r.lookup)
			confidence := r.lookup.Confidence
			if len(r.effects) == 0 {
				confidence = min(confidence, model.Likely)
			}
			for _, a := range r.answers {
				if a.Span.IsValid() {
					at, fn = a.Span, nil
					break
				}
			}
			p.Report(Report{
				At: at, Fn: fn, Event: r.lookup.Event, Records: []*flow.Record{r.lookup}, Confidence: confidence,
				Related: []Related{{r.lookup.Span, "the stored result is found here"}},
				Message: fmt.Sprintf("%s answers a repeat with the stored result, and does not say that it is one", quote(t.Name)),
			})
		}
	}
}

// marked reports whether something in an answer, or set beside it, tells that it comes from a record.
func marked(t *flow.Tool, r *replay, a *flow.Return) bool {
	values := []*flow.Term{a.Value}
	if a.Reply != nil {
		values = append(append(values, a.Reply.Args...), a.Reply.Recv)
	}
	for _, v := range values {
		if v == nil {
			continue
		}
		found := false
		v.Walk(func(u *flow.Term) bool {
			if u == r.lookup.Result || found {
				return false
			}
			if text, ok := u.Text(); ok && markWords.MatchString(text) {
				found = true
			}
			found = found || u.Kind == flow.TObject && slices.ContainsFunc(u.Keys, markWords.MatchString)
			return !found
		})
		if found {
			return true
		}
	}
	return saidBeside(t, r, a)
}

// saidBeside reports whether the function that gives the answer writes one of the words elsewhere, as in a header that it sets.
func saidBeside(t *flow.Tool, r *replay, a *flow.Return) bool {
	var fns []*flow.Function
	if t.HandlerFn != nil {
		fns = append(fns, t.HandlerFn)
	}
	for _, ev := range []*flow.Event{r.lookup.Event, a.Reply} {
		if ev == nil {
			continue
		}
		fns = append(fns, ev.Fn)
		for _, s := range ev.Chain {
			fns = append(fns, s.Function())
		}
	}
	return slices.ContainsFunc(fns, func(fn *flow.Function) bool {
		return fn != nil && slices.ContainsFunc(fn.Ops, func(op model.Op) bool {
			return op.Kind == model.Constant && op.Const.Kind == model.String && markWords.MatchString(op.Const.Text)
		})
	})
}
