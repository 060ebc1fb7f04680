package rules

import (
	"fmt"
	"slices"

	"github.com/retrysafe/retrysafe/analyzers/flow"
)

var replayedHeaders = &Rule{
	Name: "replayed-headers", Title: "A stored answer gives one caller's headers to the next",
	Severity: Medium, CWE: 524, Family: RecordFamily, Since: "0.1.0",
	Text: `All headers of an answer are stored with it and sent again with the replay: ` + "`Set-Cookie`" + ` with a session, tokens, the headers that rate limits and CORS made for the first
caller. Whoever repeats the key gets them, and a cookie that was revoked meanwhile is set again.

LOW where the record is bound to the caller.

It is fine when only named headers are stored, such as the content type and the location, or when those that belong to one caller are left out.`,
	Fix:   "Store the headers that describe the body, by name, and leave Set-Cookie and the like out.",
	Check: checkReplayedHeaders,
}

func checkReplayedHeaders(p *Pass) {
	for _, t := range p.Tools {
		if !p.judged(t) {
			continue
		}
		for _, w := range p.watches(t) {
			for _, rec := range t.Writes(w.record.Store) {
				headers := p.allHeaders(rec)
				if headers == nil || !p.replayed(w) {
					continue
				}
				at, fn := placeBeside(w.record, rec)
				if fn != nil && fn.Func != nil && encloses(fn.Span, rec.Span) {
					at, fn = rec.Span, rec.Fn // in a function that is written there
				}
				rep := Report{
					At: at, Fn: fn, Event: rec.Event, Records: []*flow.Record{rec}, Confidence: min(rec.Confidence, w.record.Confidence),
					Related: []Related{{w.record.Span, "the stored answer is found here"}},
					Message: fmt.Sprintf("%s stores all headers of its answer, Set-Cookie among them, and sends them again to whoever repeats the key", quote(t.Name)),
				}
				if p.boundToCaller(&replay{tool: t, lookup: w.record, key: w.key, answers: p.hits(w)}) != "" {
					rep.Severity = Low
				}
				p.Report(rep)
			}
		}
	}
}

// allHeaders gives the headers of the answer within what is stored, nil where they are not there, or only those of some names.
func (p *Pass) allHeaders(rec *flow.Record) *flow.Term {
	values := []*flow.Term{rec.Value}
	for _, v := range rec.Set {
		values = append(values, v)
	}
	for _, v := range values {
		if v == nil {
			continue
		}
		for _, o := range p.Origins(v) {
			if o.Kind == flow.OriginReply && !p.selects(v) && !p.Picked(v) && !p.selectedBefore(rec) {
				return o.Term
			}
		}
	}
	return nil
}

// selects reports whether a value that is made from the headers of the answer has only some of them: one is asked for by its name, some are filtered, or
// one is overwritten in a copy.
func (p *Pass) selects(v *flow.Term) bool {
	found := false
	v.Walk(func(u *flow.Term) bool {
		switch {
		case found:
		case u.Kind == flow.TCall && len(u.Args) > 1 && p.isReplyHeaders(u.Args[0]) && (u.Name == "get" || u.Name == "Get" || u.Name == "Values" || u.Name == "getSetCookie"):
			found = true
		case u.Kind == flow.TCall && (u.Name == "filter" || u.Name == "pick" || u.Name == "omit"):
			found = len(u.Args) > 0 && slices.ContainsFunc(u.Args, p.isReplyHeaders)
		case u.Kind == flow.TObject:
			for i, key := range u.Keys {
				if key == "..." && p.isReplyHeaders(u.Args[i]) && slices.ContainsFunc(u.Keys, func(k string) bool { return NormalName(k) == "setcookie" }) {
					found = true
				}
			}
		}
		return !found
	})
	return found
}

// isReplyHeaders reports whether a value is made from the headers of the answer.
func (p *Pass) isReplyHeaders(v *flow.Term) bool {
	return p.from([]*flow.Term{v}, flow.OriginReply)
}

// selectedBefore reports whether each way to where the headers are stored has looked at the name of one.
func (p *Pass) selectedBefore(rec *flow.Record) bool {
	for _, path := range rec.Paths {
		looked := slices.ContainsFunc(path.Conds, func(c flow.Cond) bool {
			found := false
			c.Term.Walk(func(u *flow.Term) bool {
				if u == rec.Value || u.Kind == flow.TObject {
					return false // whether it could be written down is asked
				}
				found = found || (u.Kind == flow.TElement || u.Kind == flow.TIndex) && p.isReplyHeaders(u)
				return !found
			})
			return found
		})
		if !looked {
			return false
		}
	}
	return len(rec.Paths) > 0
}

// replayed reports whether a hit is answered with what is stored.
func (p *Pass) replayed(w *watch) bool { return len(p.hits(w)) > 0 }

// hits lists the answers that carry what a record holds.
func (p *Pass) hits(w *watch) []*flow.Return {
	var out []*flow.Return
	for _, ret := range w.tool.Returns {
		if !ret.Throws && p.answersWith(w.tool, ret, w.record) && p.Outcome(ret.Path, w.record.Call) != flow.Missed {
			out = append(out, ret)
		}
	}
	return out
}
