package vet

import (
	"go/token"
	"testing"

	"github.com/retrysafe/retrysafe/analyzers/flow"
	"github.com/retrysafe/retrysafe/analyzers/model"
	"github.com/retrysafe/retrysafe/rules"
)

// TestPlaces asks for the position of what is known by its line alone, as comments are, and for messages about what lies in packages below.
func TestPlaces(t *testing.T) {
	fset := token.NewFileSet()
	tok := fset.AddFile("desk.go", -1, 30)
	tok.SetLines([]int{0, 10, 20})
	j := &judged{lowered: &lowered{toks: map[string]*token.File{"desk.go": tok}}}
	at := model.Span{File: "desk.go", Line: 2, Col: 4, EndLine: 2, EndCol: 8}
	if got := fset.Position(j.pos(at, false)); got.Line != 2 || got.Column != 4 {
		t.Errorf("begins at %v, want 2:4", got)
	}
	if got := fset.Position(j.pos(at, true)); got.Line != 2 || got.Column != 8 {
		t.Errorf("ends at %v, want 2:8", got)
	}
	if got := j.pos(model.Span{File: "desk.go", Line: 9, Col: 1}, false); got != token.NoPos {
		t.Errorf("a line beyond the file has the position %v", got)
	}
	below := model.Span{File: "below/files.go", Line: 7}
	for _, test := range []struct {
		f    rules.Finding
		want string
	}{
		{rules.Finding{Message: "it writes", Primary: at}, "it writes"},
		{rules.Finding{Message: "it writes", Primary: below}, "it writes (at below/files.go:7)"},
		{rules.Finding{Message: "it writes", Primary: at, Effects: []*flow.Call{{Span: below}}, Related: []rules.Related{{Span: at, Message: "is registered here"},
			{Span: model.Span{File: "below/files.go", Line: 3}, Message: "calls remove"}, {Span: below, Message: "deletes a file"}}},
			"it writes (deletes a file at below/files.go:7)"},
	} {
		if got := j.message(&test.f); got != test.want {
			t.Errorf("message %q, want %q", got, test.want)
		}
	}
}
