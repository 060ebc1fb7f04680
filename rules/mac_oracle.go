package rules

import (
	"fmt"
	"slices"

	"github.com/retrysafe/retrysafe/analyzers/flow"
	"github.com/retrysafe/retrysafe/analyzers/model"
)

var macOracle = &Rule{
	Name: "mac-oracle", Title: "The signature that a request should have had is told to its sender or to a log",
	Severity: High, CWE: 201, Family: EnvelopeFamily, Since: "0.1.0",
	Text: `The program computes the signature that it expects, and tells it: in the answer, in an error, or in a log. Who sends a request with a made-up signature reads the right one
there, and sends the request again with it.

It is fine to tell that the signature was wrong, and to tell the one that was received.`,
	Fix:   "Say that the signature is wrong, and nothing of the one that was expected.",
	Check: checkMacOracle,
}

func checkMacOracle(p *Pass) {
	for _, t := range p.Tools {
		if t.Method == "GET" || t.Method == "HEAD" {
			continue
		}
		for _, v := range p.Verifications(t) {
			if v.MAC == nil || !p.Incoming(v) && !isOffered(t) {
				continue
			}
			rep := Report{Tool: t, Fn: v.Fn, Confidence: model.Certain, Related: []Related{{v.Span, "compared here"}}}
			tells := func(value *flow.Term) bool {
				return value != nil && slices.ContainsFunc(p.Revealed(value), func(c *flow.Call) bool {
					return c == v.MAC || isOffered(t) && c.Site == v.MAC.Site
				})
			}
			for _, ret := range t.Returns {
				values := []*flow.Term{ret.Value, ret.Error}
				if ret.Reply != nil {
					values = append(values, ret.Reply.Args...)
				}
				if !slices.ContainsFunc(values, tells) {
					continue
				}
				r := rep
				r.At = ret.Span
				if !r.At.IsValid() && ret.Reply != nil {
					r.At = ret.Reply.Span
				}
				r.Message = fmt.Sprintf("%s answers with the signature that it expected", quote(t.Name))
				p.Report(r)
			}
			for _, ev := range t.Events {
				if ev.Logs() && slices.ContainsFunc(ev.Args, tells) {
					r := rep
					r.At, r.Event = ev.Span, ev
					r.Message = fmt.Sprintf("%s logs the signature that it expected with %s", quote(t.Name), quote(ev.Callee))
					p.Report(r)
				}
			}
		}
	}
}
