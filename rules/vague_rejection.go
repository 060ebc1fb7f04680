package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/retrysafe/retrysafe/analyzers/flow"
	"github.com/retrysafe/retrysafe/analyzers/model"
)

var vagueRejection = &Rule{
	Name: "vague-rejection", Title: "A sender cannot tell a late request from a repeated one",
	Severity: Low, CWE: 393, Family: EnvelopeFamily, Since: "0.1.0", Experimental: true, Pedantic: true,
	Text: `The signature was right, so the sender is known; but a request that is too old and one whose nonce was seen get the same answer. A sender whose clock is wrong retries for ever, and one
whose first request went through believes that it failed.

It is fine to answer all requests alike whose signature is wrong.`,
	Fix:   "Answer a stale time and a repeated nonce with codes of their own once the signature has been verified.",
	Check: checkVagueRejection,
}

func checkVagueRejection(p *Pass) {
	for _, t := range p.Tools {
		signed := p.signedRequests(t)
		if len(signed) == 0 {
			continue
		}
		known := func(path flow.Path) bool {
			return slices.ContainsFunc(signed, func(v *flow.Verification) bool { return v.Passed(path) })
		}
		var stale []*flow.Return
		for _, ret := range t.Returns {
			if known(ret.Path) && p.tooOld(t, ret) {
				stale = append(stale, ret)
			}
		}
		for _, ret := range t.Returns {
			if !known(ret.Path) || !p.repeatedNonce(t, ret) {
				continue
			}
			for _, old := range stale {
				if answer := answerText(ret); answer != "" && answer == answerText(old) {
					p.Report(Report{At: answeredAt(ret), Tool: t, Confidence: model.Likely, Related: []Related{{answeredAt(old), "a stale time gets the same answer"}},
						Message: fmt.Sprintf("%s answers a repeated nonce as it answers a stale time", quote(t.Name))})
					break
				}
			}
		}
	}
}

// tooOld reports whether an answer is given because a time lies outside the window.
func (p *Pass) tooOld(t *flow.Tool, ret *flow.Return) bool {
	if len(ret.Path.Conds) == 0 {
		return false
	}
	last := ret.Path.Conds[len(ret.Path.Conds)-1]
	return slices.ContainsFunc(p.TimeChecks(t), func(c *flow.TimeCheck) bool {
		outside, known := c.Outside(p.Result)
		return known && last.True == outside && last.Term.Contains(c.X) && last.Term.Contains(c.Y)
	})
}

// repeatedNonce reports whether an answer is given because a nonce was seen before.
func (p *Pass) repeatedNonce(t *flow.Tool, ret *flow.Return) bool {
	return slices.ContainsFunc(t.Records, func(rec *flow.Record) bool {
		return p.anyOrigin(keyValues(rec), isNonce) && p.Outcome(ret.Path, rec.Call) == flow.Hit
	})
}

// answerText gives the constants of an answer: its code and its words.
func answerText(ret *flow.Return) string {
	var words []string
	add := func(t *flow.Term) {
		if t != nil {
			t.Walk(func(u *flow.Term) bool {
				if text, ok := u.Text(); ok {
					words = append(words, text)
				}
				return true
			})
		}
	}
	if ret.Reply != nil {
		add(ret.Reply.Recv)
		for _, a := range ret.Reply.Args {
			add(a)
		}
	} else {
		add(ret.Value)
	}
	return strings.Join(words, " ")
}

// answeredAt gives the place of an answer.
func answeredAt(ret *flow.Return) model.Span {
	if ret.Reply != nil {
		return ret.Reply.Span
	}
	return ret.Span
}
