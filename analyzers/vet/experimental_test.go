package vet

import (
	"go/token"
	"testing"

	"golang.org/x/tools/go/analysis"

	"github.com/retrysafe/retrysafe/analyzers/model"
	"github.com/retrysafe/retrysafe/rules"
)

// TestExperimental asks for the findings of an experimental rule: every diagnostic fails a build, so they are reported on request.
func TestExperimental(t *testing.T) {
	tok := token.NewFileSet().AddFile("desk.go", -1, 30)
	place := model.Span{File: "desk.go", Line: 1, Col: 1, Offset: 1, EndOffset: 5}
	for _, experimental := range []bool{false, true} {
		s := New()
		s.Experimental = experimental
		var told []string
		pass := &analysis.Pass{Analyzer: s.All(), Report: func(d analysis.Diagnostic) { told = append(told, d.Category) },
			ResultOf: map[*analysis.Analyzer]any{s.judge: &judged{lowered: &lowered{toks: map[string]*token.File{"desk.go": tok}}, findings: []*rules.Finding{
				{Rule: &rules.Rule{Name: "tried"}, Primary: place},
				{Rule: &rules.Rule{Name: "new", Experimental: true}, Primary: place},
			}}}}
		s.report(pass, func(*rules.Rule) bool { return true })
		if want := 1 + map[bool]int{true: 1}[experimental]; len(told) != want {
			t.Errorf("experimental %v: reported %v, want %d findings", experimental, told, want)
		}
	}
}
