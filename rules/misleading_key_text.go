package rules

import (
	"fmt"

	"github.com/retrysafe/retrysafe/analyzers/lazyregexp"
)

var misleadingKeyText = &Rule{
	Name: "misleading-key-text", Title: "The key's description makes the model send a new key on a retry",
	Severity: Medium, CWE: 1059, Family: KeyFamily, Since: "0.1.0",
	Text: `The description of a key parameter is an instruction to a model. "A unique value for every request" makes it invent another key when it calls again after a
timeout, and the guard never meets a repeat.

It is fine when the text says to send the same key again on a retry.`,
	Fix:   "Say: one key for one intended operation; send the same key when you retry it.",
	Check: checkMisleadingKeyText,
}

var (
	newEachTime = lazyregexp.New(`(?is)\b(new|fresh|unique|different|random|another)\b[^.;]{0,60}\b(each|every|per|any)\b[^.;]{0,20}\b(call|request|attempt|retry|invocation|time|execution|tool call)s?\b` +
		`|\b(each|every)\b[^.;]{0,12}\b(call|request|attempt|retry|time)\b[^.;]{0,40}\b(new|fresh|unique|different|random)\b` +
		`|\b(new|fresh|different|another)\b[^.;]{0,40}\b(after|on|upon|when)\b[^.;]{0,20}\b(a )?(timeout|time-out|failure|error|retry|retrying)\b`)
	neverReuse  = lazyregexp.New(`(?is)\b(never|not|don't)\b[^.;]{0,20}\b(re-?use|re-?send|repeat|the same)\b[^.;]{0,60}\b(retr(y|ies|ying)|attempt|again)\b`)
	sameOnRetry = lazyregexp.New(`(?is)\b(same|re-?use|re-?send|identical|unchanged|keep|stable|again)\b.{0,80}\b(retr(y|ies|ying)|repeat(s|ed|ing)?|attempts?|timeouts?|again|twice)\b` +
		`|\b(retr(y|ies|ying)|repeat(s|ed|ing)?|timeouts?)\b.{0,80}\b(same|re-?use|re-?send|identical|unchanged|stable)\b`)
)

func checkMisleadingKeyText(p *Pass) {
	for _, t := range p.Tools {
		for _, param := range t.Params {
			if !isKeyName(param.Name) || !misleads(param.Description) {
				continue
			}
			at := param.Span
			if !at.IsValid() {
				at = t.Span
			}
			p.Report(Report{
				At: at, Tool: t, Param: param.Name,
				Message: fmt.Sprintf("the description of %s in %s asks for a new value on every call, so a retry is not recognised", quote(param.Name), quote(t.Name)),
			})
		}
	}
}

// misleads reports whether a text makes its reader send another key on a retry.
func misleads(text string) bool {
	if neverReuse.MatchString(text) {
		return true
	}
	return newEachTime.MatchString(text) && !sameOnRetry.MatchString(text)
}
