package rules

import (
	"fmt"

	"github.com/retrysafe/retrysafe/analyzers/model"
)

// Rule is a claim about how tools go wrong, together with everything that is said about it: help texts, reports
// and the list of rules are made from this value.
type Rule struct {
	Name  string // unbound-caller
	Title string // one line, without a full stop
	// Severity is what the rule gives as a rule; single findings differ where Text says so.
	Severity Severity
	CWE      int
	Family   Family
	// Pedantic rules report only on request.
	Pedantic bool
	// Experimental rules report, but their findings do not count for the exit code of a gate: too few of their findings in real programs were read.
	Experimental bool
	// Text says in markdown what is reported, why it matters and when it is fine.
	Text string
	// Fix is one imperative sentence.
	Fix string
	// Supersedes names the rules whose findings about the same effects or records are silenced by one of this rule.
	Supersedes []string
	// NeedsProgram says that the claim rests on what is absent from the whole program, so that the rule stays silent where only
	// a part of it is seen.
	NeedsProgram bool
	// Since is the version that brought the rule.
	Since string
	Check func(*Pass)
}

// Family groups rules in the order in which a retry or a replay goes wrong.
type Family uint8

// The families.
const (
	CommentFamily    Family = iota // the auditor's own comments
	KeyFamily                      // is there a key, and what is it bound to
	EffectFamily                   // effects that repeat
	RecordFamily                   // the record
	QualityFamily                  // the key itself, and retries
	EnvelopeFamily                 // replay of the envelope
	AnnotationFamily               // annotations that lie
)

// Title is the family's heading.
func (f Family) Title() string {
	switch f {
	case CommentFamily:
		return "Comments to the auditor"
	case KeyFamily:
		return "Is there a key, and what is it bound to"
	case EffectFamily:
		return "Effects that repeat"
	case RecordFamily:
		return "The record"
	case QualityFamily:
		return "The key itself, and retries"
	case EnvelopeFamily:
		return "Replay of the envelope"
	case AnnotationFamily:
		return "Annotations that lie"
	}
	return fmt.Sprintf("Family %d", uint8(f))
}

// Severity is how much a finding matters if it is true; Confidence says how sure it is.
type Severity uint8

// The severities, mildest first.
const (
	Note Severity = iota + 1
	Low
	Medium
	High
)

var severityNames = [...]string{Note: "NOTE", Low: "LOW", Medium: "MEDIUM", High: "HIGH"}

// String gives NOTE, LOW, MEDIUM or HIGH.
func (s Severity) String() string {
	if s >= Note && s <= High {
		return severityNames[s]
	}
	return fmt.Sprintf("SEVERITY(%d)", uint8(s))
}

// ConfidenceText gives certain, likely or possible.
func ConfidenceText(c model.Confidence) string {
	switch c {
	case model.Certain:
		return "certain"
	case model.Likely:
		return "likely"
	}
	return "possible"
}
