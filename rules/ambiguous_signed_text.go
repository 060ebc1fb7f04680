package rules

import (
	"fmt"
	"strings"

	"github.com/retrysafe/retrysafe/analyzers/flow"
	"github.com/retrysafe/retrysafe/analyzers/model"
)

var ambiguousSignedText = &Rule{
	Name: "ambiguous-signed-text", Title: "Two different requests have the same signed text",
	Severity: Low, CWE: 347, Family: EnvelopeFamily, Since: "0.1.0", Experimental: true,
	Text: `Fields whose length is not fixed are joined with nothing between them, or with a separator that one of them may hold. What ends one field can be moved to the start of the next: the text, and
so its signature, stays the same, and the request says something else.

It is fine where the fields before the last are numbers, times, digests, methods or constants, where a line feed stands between parts of a request's head, and where a vendor's scheme is
verified as the vendor defines it. A separator between fields leaves a finding that is only possible: their values may be restricted elsewhere.`,
	Fix:   "Sign a text that can be read in one way only: the raw body, or the fields as JSON, or each with its length.",
	Check: checkAmbiguousSignedText,
}

func checkAmbiguousSignedText(p *Pass) {
	for _, t := range p.Tools {
		for _, v := range p.signedRequests(t) {
			if v.By == flow.ByHelper || p.scheme(v) != nil {
				continue
			}
			first, second, separator := p.unclearBorder(v.Signed)
			if first == "" {
				continue
			}
			rep := Report{At: v.Span, Tool: t, Fn: v.Fn, Confidence: model.Likely, Related: leadingTo(v), Bound: first + " " + second}
			if separator == "" {
				rep.Message = fmt.Sprintf("%s verifies a signature over %s and %s with nothing between them", quote(t.Name), quote(first), quote(second))
			} else {
				rep.Confidence = model.Possible
				rep.Message = fmt.Sprintf("%s verifies a signature over %s and %s, and the first may hold the %s between them", quote(t.Name), quote(first), quote(second), quote(separator))
			}
			p.Report(rep)
		}
	}
}

// unclearBorder finds two neighbours in a signed text whose border cannot be found, with what stands between them: nothing, or a text that the first may hold. Of such
// pairs one with nothing between counts first.
func (p *Pass) unclearBorder(pieces []*flow.Term) (first, second, separator string) {
	before, between := "", ""
	for _, piece := range pieces {
		if text, isConst := piece.IsConst(); isConst {
			between += text
			continue
		}
		name, ends := p.endless(piece)
		if before != "" && name != "" {
			switch {
			case between == "":
				return before, name, ""
			case first == "" && !strings.ContainsAny(between, "\n\r\x00") && ends && p.isField(piece):
				first, second, separator = before, name, between
			}
		}
		before, between = "", ""
		if ends {
			before = name
		}
	}
	return first, second, separator
}

// endless gives the name of what a caller chooses freely in a piece of text, "" where nothing is; open is false where its end can be found all the same.
func (p *Pass) endless(piece *flow.Term) (name string, open bool) {
	open = true
	for _, o := range p.Origins(piece) {
		switch {
		case o.Kind == flow.OriginConstant || !isSupplied(o) && inURL(o.Term) && !strings.EqualFold(o.Name, "method"):
			if name == "" && o.Kind != flow.OriginConstant {
				name = "path"
			}
		case !isSupplied(o):
			return "", false // who knows what it looks like
		case o.Hashed != "" || isTime(o):
			open = false
		case isSupplied(o) && name == "":
			name = o.Name
			if name == "" {
				name = "body"
				if !isBody(o) {
					name = "path"
				}
			}
		}
	}
	return name, open
}

// isField reports whether a piece of text is one field of what a caller sends, not the body as a whole.
func (p *Pass) isField(piece *flow.Term) bool {
	for _, o := range p.Origins(piece) {
		if isSupplied(o) && o.Name != "" && o.Kind == flow.OriginArguments {
			return true
		}
	}
	return false
}
