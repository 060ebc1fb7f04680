package rules

import (
	"github.com/retrysafe/retrysafe/analyzers/flow"
	"github.com/retrysafe/retrysafe/analyzers/model"
)

// Finding is a defect at a place. Only Pass.Report and the reading of ignore comments make findings.
type Finding struct {
	Rule       *Rule
	Severity   Severity
	Confidence model.Confidence
	Message    string
	Primary    model.Span
	// Related is the way from the registration to the place, then what else explains the finding.
	Related []Related
	// Tools lists the tools concerned, sorted by registration; empty for code that no tool reaches.
	Tools []ToolRef
	Fix   string
	CWE   int
	// Pedantic findings are kept only on request.
	Pedantic bool
	// Fingerprint recognises the finding in later versions of the source.
	Fingerprint string
	// Suppressed is nil for a finding that counts.
	Suppressed *Suppression

	// Effects and Records are the calls that the finding is about, for matrices that show findings beside them.
	Effects []*flow.Call
	Records []*flow.Call

	effects []*flow.Effect
	restate func([]*flow.Effect) Report

	bound string // tells findings of one rule at one place apart
	scope string // the enclosing function's symbol path
	// subjects are what must be covered for the finding to be superseded, covers what it supersedes others about. Both
	// hold calls, tools and strings ("key:request_id").
	subjects, covers []subject
	length           int // steps of the way, to show the shortest
}

// Related is a place that explains a finding.
type Related struct {
	Span    model.Span
	Message string
}

// ToolRef names a tool that a finding concerns.
type ToolRef struct {
	ID   string
	Name string
	Kind flow.ToolKind
	Span model.Span // the registration
}

// Suppression says why a finding does not count.
type Suppression struct {
	Kind   string // "ignore" for a comment; what else suppresses names itself
	Reason string
	Span   model.Span // the comment
}

// Tool gives the name of the first tool concerned, "" if there is none.
func (f *Finding) Tool() string {
	if len(f.Tools) == 0 {
		return ""
	}
	return f.Tools[0].Name
}
