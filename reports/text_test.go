package reports

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/retrysafe/retrysafe/analyzers/audit"
	"github.com/retrysafe/retrysafe/analyzers/model"
	"github.com/retrysafe/retrysafe/rules"
)

// program scans a file and puts findings of the test in the place of its own.
func program(t *testing.T, text string, findings ...*rules.Finding) *Report {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.ts"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	rep, err := audit.Scan(context.Background(), audit.Options{Path: dir, Jobs: 1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { rep.Close() })
	rep.Findings = findings
	return New([]Scan{{Report: rep, Arg: ".", Folder: true}}, Options{Version: "1.2.3", MinSeverity: rules.Note, MinConfidence: model.Likely})
}

func at(line, col, endLine, endCol int32) model.Span {
	return model.Span{File: "a.ts", Line: line, Col: col, EndLine: endLine, EndCol: endCol}
}

var someRule = &rules.Rule{Name: "some-rule", Title: "Something", Severity: rules.High, CWE: 1}

func TestText(t *testing.T) {
	r := program(t, "\nfunction pay() {\n\tcharge(1);\n\treturn {\n\t\tdone: true,\n\t};\n}\n",
		&rules.Finding{Rule: someRule, Severity: rules.High, Confidence: model.Certain, Message: "`pay` pays\x07 twice", Primary: at(3, 2, 3, 11),
			Fix: "Pay once.", Fingerprint: "1", Related: []rules.Related{{Span: at(2, 1, 2, 5), Message: "`pay` is registered here"}}},
		&rules.Finding{Rule: someRule, Severity: rules.Low, Confidence: model.Likely, Message: "several lines", Primary: at(4, 2, 6, 3), Fingerprint: "2",
			Tools: []rules.ToolRef{{ID: "x", Name: "pay", Kind: "mcp", Span: at(2, 1, 2, 5)}, {ID: "y", Name: "buy"}, {ID: "z", Name: "get"}}},
		&rules.Finding{Rule: someRule, Severity: rules.High, Confidence: model.Possible, Message: "a guess", Primary: at(1, 1, 1, 1), Fingerprint: "3"},
		&rules.Finding{Rule: someRule, Severity: rules.High, Confidence: model.Certain, Message: "ignored", Primary: at(1, 1, 1, 1), Fingerprint: "4",
			Suppressed: &rules.Suppression{Kind: "ignore", Reason: "so"}},
	)
	want := strings.TrimPrefix(`
── pay  mcp  a.ts:2

low[some-rule]: several lines
 --> a.ts:4:2
  |
3 |     charge(1);
4 |     return {
  |     ^^^^^^^^ … to line 6
5 |         done: true,
  |
  = note: the same in `+"`buy`, `get`"+`
  = note: likely: one step rests on a convention

── code outside of tools

high[some-rule]: `+"`pay`"+` pays\x07 twice
 --> a.ts:3:2
  |
2 | function pay() {
3 |     charge(1);
  |     ^^^^^^^^^
4 |     return {
  |
  = note: a.ts:2: `+"`pay`"+` is registered here
  = help: Pay once.

2 findings: 1 high, 1 low; hidden: 1 less sure (--min-confidence possible shows them), 1 ignored by comments
0 tools; 1 file read; grade D
`, "\n")
	var b bytes.Buffer
	if err := Text(&b, r, Plain()); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Error(diff)
	}
	if r.Gated(rules.High) != 1 || r.Gated(rules.Low) != 2 {
		t.Errorf("gated: %d high, %d low or worse", r.Gated(rules.High), r.Gated(rules.Low))
	}

	var colours bytes.Buffer
	if err := Text(&colours, r, Coloured()); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(colours.String(), "\x1b[31;1m") {
		t.Error("no colours where they are wanted")
	}
}

func TestJSON(t *testing.T) {
	r := program(t, "charge(1)\n", &rules.Finding{Rule: someRule, Severity: rules.High, Confidence: model.Certain, Message: "<b>\u202e\x1b\U000e0041",
		Primary: at(1, 1, 1, 10), Fingerprint: "1"})
	var b bytes.Buffer
	if err := JSON(&b, r); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(b.String(), `"message": "<b>\u202e\u001b\udb40\udc41"`) {
		t.Errorf("not escaped:\n%s", b.String())
	}
	var back reportV1
	dec := json.NewDecoder(&b)
	dec.DisallowUnknownFields()
	if err := dec.Decode(&back); err != nil {
		t.Fatal(err)
	}
	if got := back.Findings[0].Message; got != "<b>\u202e\x1b\U000e0041" {
		t.Errorf("the message comes back as %q", got)
	}
	if back.Schema != SchemaV1 || back.Version != "1.2.3" || back.Summary.Findings.High != 1 {
		t.Errorf("%+v", back)
	}
}

// failing fails after some bytes.
type failing struct{ left int }

func (f *failing) Write(p []byte) (int, error) {
	if f.left -= len(p); f.left < 0 {
		return 0, errors.New("full")
	}
	return len(p), nil
}

func TestWriteErrors(t *testing.T) {
	r := program(t, "charge(1)\n")
	for name, write := range map[string]func() error{
		"json":  func() error { return JSON(&failing{}, r) },
		"text":  func() error { return Text(&failing{}, r, Plain()) },
		"tools": func() error { return ToolsText(&failing{}, r, Plain()) },
		"rules": func() error { return RulesText(&failing{}, []*rules.Rule{someRule}, Plain()) },
		"page":  func() error { return Page(&failing{}, "# x", Plain()) },
	} {
		if write() == nil {
			t.Errorf("%s loses the error of its writer", name)
		}
	}
}
