package rules

import (
	"fmt"
	"slices"

	"github.com/retrysafe/retrysafe/analyzers/flow"
	"github.com/retrysafe/retrysafe/analyzers/model"
)

var nanTimestamp = &Rule{
	Name: "nan-timestamp", Title: "A time that is no number passes the check of its age",
	Severity: Low, CWE: 1287, Family: EnvelopeFamily, Since: "0.1.0", Experimental: true,
	Text: `The age of a signed request is refused where it is greater than the window. What cannot be parsed gives NaN, and no comparison with NaN holds: a request whose time reads "x", or
that has none, is never too old. In Go the same happens where the check stands under ` + "`err == nil`" + ` and a parse error goes on.

HIGH where the signature does not cover the time, or the time is checked before the signature: then a captured request can be sent for ever.

It is fine to accept what lies within the window instead, ` + "`!(age <= window)`" + `, to ask whether the number is finite, or to check the format of the text first.`,
	Fix:   "Refuse unless the age is within the window: `if (!(age <= 300)) refuse`.",
	Check: checkNanTimestamp,
}

func checkNanTimestamp(p *Pass) {
	for _, t := range p.Tools {
		signed := p.signedRequests(t)
		if len(signed) == 0 {
			continue
		}
		checks := p.TimeChecks(t)
		for _, c := range checks {
			time := p.sentTime(c)
			if time == nil {
				continue
			}
			outside, known := c.Outside(p.Result)
			if !known {
				continue
			}
			rep := Report{At: c.Span, Tool: t, Fn: c.Fn, Confidence: model.Likely, Related: stepsTo(c.Comparison)}
			if t.Language == model.Go {
				span, skipped := c.SkippedOnError(outside)
				if !skipped {
					continue
				}
				rep.At = span
				rep.Message = fmt.Sprintf("%s does not check the age of a request whose time cannot be parsed", quote(t.Name))
			} else {
				if !outside || p.refusesNaN(t, time, checks, signed) {
					continue
				}
				rep.Message = fmt.Sprintf("%s takes a time that is no number for a recent one", quote(t.Name))
			}
			if p.uncovered([]*flow.Term{time}, signed, isTime) != nil || p.checkedFirst(t, c, signed) {
				rep.Severity = High
			}
			p.Report(rep)
		}
	}
}

// sentTime gives the time that a check compares with the clock, where the caller sends it; nil otherwise, and where a number stands in for what cannot be parsed.
func (p *Pass) sentTime(c *flow.TimeCheck) *flow.Term {
	for _, time := range c.Times {
		if p.timeOf([]*flow.Term{time}) != "" && !slices.ContainsFunc(time.Alternatives(), func(alt *flow.Term) bool { return alt.Kind == flow.TConst }) &&
			!(time.Kind == flow.TOp && (time.Name == "||" || time.Name == "??" || time.Name == "|")) {
			return time
		}
	}
	return nil
}

// refusesNaN reports whether something else is asked about the time: whether it is a number, or has a format, or lies within the window.
func (p *Pass) refusesNaN(t *flow.Tool, time *flow.Term, checks []*flow.TimeCheck, signed []*flow.Verification) bool {
	for _, c := range checks {
		if outside, known := c.Outside(p.Result); slices.Contains(c.Times, time) && (!known || !outside) {
			return true
		}
	}
	of := p.Origins(time)
	asks := func(c flow.Cond) bool {
		if c.Term.Kind == flow.TOp && len(c.Term.Args) == 2 && slices.ContainsFunc(checks, func(k *flow.TimeCheck) bool {
			return c.Term.Contains(k.X) && c.Term.Contains(k.Y)
		}) {
			return false // the check itself
		}
		if slices.ContainsFunc(signed, func(v *flow.Verification) bool { return v.Decides(c.Term) }) {
			return false
		}
		return c.Term.Contains(time) || p.asksFormat(c.Term, of)
	}
	for _, ret := range t.Returns {
		if slices.ContainsFunc(ret.Path.Conds, asks) {
			return true
		}
	}
	return slices.ContainsFunc(t.Events, func(ev *flow.Event) bool {
		if ev.CheckRow != nil && (ev.CheckRow.Check.Kind == "schema" || ev.CheckRow.Check.Kind == "format") && p.concerns(ev, of) {
			return true
		}
		return slices.ContainsFunc(ev.Paths, func(path flow.Path) bool { return slices.ContainsFunc(path.Conds, asks) })
	})
}

// asksFormat reports whether a condition is what a test of a text from one of the origins gives.
func (p *Pass) asksFormat(cond *flow.Term, of []flow.Origin) bool {
	return cond.Kind == flow.TCall && p.anyOrigin(cond.Args[1:], func(o flow.Origin) bool {
		return slices.ContainsFunc(of, func(q flow.Origin) bool { return isSupplied(q) && sameName(o, q) })
	})
}

// concerns reports whether a call is given something from one of the origins, or all that they are part of.
func (p *Pass) concerns(ev *flow.Event, of []flow.Origin) bool {
	values := ev.Args
	if ev.Recv != nil {
		values = append(slices.Clone(values), ev.Recv)
	}
	return p.anyOrigin(values, func(o flow.Origin) bool {
		return slices.ContainsFunc(of, func(q flow.Origin) bool { return isSupplied(q) && (sameName(o, q) || o.Kind == q.Kind && o.Name == "") })
	})
}

// checkedFirst reports whether the time is checked on some way before the signature is.
func (p *Pass) checkedFirst(t *flow.Tool, c *flow.TimeCheck, signed []*flow.Verification) bool {
	for _, ev := range t.Events {
		if !slices.ContainsFunc(signed, func(v *flow.Verification) bool { return v.Call == ev.Call }) {
			continue
		}
		for _, path := range ev.Paths {
			if slices.ContainsFunc(path.Conds, func(cond flow.Cond) bool { return cond.Term.Contains(c.X) && cond.Term.Contains(c.Y) }) {
				return true
			}
		}
	}
	return false
}
