package rules

import (
	"fmt"
	"strings"
	"testing"

	"github.com/retrysafe/retrysafe/analyzers/flow"
	"github.com/retrysafe/retrysafe/analyzers/model"
)

// text is a Source of files in memory.
type text map[string]string

func (s text) Lines(file string) []string {
	if s[file] == "" {
		return nil
	}
	return strings.Split(s[file], "\n")
}

func (s text) Line(file string, n int) (string, bool) {
	lines := s.Lines(file)
	if n < 1 || n > len(lines) {
		return "", false
	}
	return lines[n-1], true
}

func at(file string, line int32) model.Span {
	return model.Span{File: file, Line: line, Col: 1, EndLine: line, EndCol: 2, Offset: line * 100, EndOffset: line*100 + 1}
}

func tool(name string, line int32) *flow.Tool {
	return &flow.Tool{ID: "mcp:" + name + "@a.ts", Name: name, Kind: flow.MCPTool, Span: at("a.ts", line), Confidence: model.Certain}
}

func event(t *flow.Tool, line int32) *flow.Event {
	return &flow.Event{Call: &flow.Call{Callee: "x.create", Span: at("a.ts", line), Confidence: model.Certain}, Tool: t,
		Chain: []flow.Step{{Span: at("a.ts", line), What: "x.create"}}}
}

// reporting makes a rule that reports what it is given.
func reporting(rule *Rule, reports ...Report) *Rule {
	r := *rule
	r.Check = func(p *Pass) {
		for _, rep := range reports {
			p.Report(rep)
		}
	}
	return &r
}

func names(findings []*Finding) string {
	var out []string
	for _, f := range findings {
		out = append(out, f.Rule.Name)
	}
	return strings.Join(out, " ")
}

// TestPrecedence states the order of the catalogue: where two rules see one effect, one record or one parameter, the first is reported.
func TestPrecedence(t *testing.T) {
	tl := tool("charge", 1)
	ev := event(tl, 5)
	e := &flow.Effect{Event: ev, Confidence: model.Certain}
	rec := &flow.Record{Event: event(tl, 4)}
	for _, chain := range []struct {
		about Report
		rules string
	}{
		{Report{Effects: []*flow.Effect{e}}, "per-call-key unkeyed-payment undeduped-message unkeyed-vendor idempotent-lie missing-key"},
		{Report{Effects: []*flow.Effect{e}}, "readonly-lie idempotent-lie missing-key"},
		{Report{Effects: []*flow.Effect{e}, Param: "requestId"}, "mismatched-key-name ignored-key optional-key missing-key"},
		{Report{Records: []*flow.Record{rec}}, "claimed-caller unbound-caller"},
		{Report{Records: []*flow.Record{rec}}, "caller-fallback unbound-caller"},
		{Report{Records: []*flow.Record{rec}}, "unbound-args unscoped-operation"},
	} {
		words := strings.Fields(chain.rules)
		for i := range words {
			var list []*Rule
			for j, name := range words[i:] {
				rep := chain.about
				rep.Tool, rep.At, rep.Message = tl, at("a.ts", int32(10+j)), "m"
				list = append([]*Rule{reporting(Find(name), rep)}, list...) // the order of rules does not matter
			}
			got := names(Run(&flow.Result{Tools: []*flow.Tool{tl}}, nil, Options{Rules: list}))
			if got != words[i] {
				t.Errorf("of %v: reported %q, want %q", words[i:], got, words[i])
			}
		}
	}
}

func TestPrecedenceNeedsTheSameThing(t *testing.T) {
	one, two := tool("one", 1), tool("two", 2)
	e1, e2 := &flow.Effect{Event: event(one, 5)}, &flow.Effect{Event: event(one, 6)}
	payment := reporting(unkeyedPayment, Report{At: at("a.ts", 5), Message: "m", Tool: one, Effects: []*flow.Effect{e1}})
	for _, c := range []struct {
		why     string
		missing Report
		want    string
	}{
		{"another effect of the tool stays", Report{At: one.Span, Tool: one, Effects: []*flow.Effect{e1, e2}}, "missing-key unkeyed-payment"},
		{"all effects are covered", Report{At: one.Span, Tool: one, Effects: []*flow.Effect{e1}}, "unkeyed-payment"},
		{"the same call of another tool stays", Report{At: two.Span, Tool: two, Effects: []*flow.Effect{e1}}, "missing-key unkeyed-payment"},
	} {
		c.missing.Message = "m"
		got := names(Run(&flow.Result{}, nil, Options{Rules: []*Rule{reporting(missingKey, c.missing), payment}}))
		if got != c.want {
			t.Errorf("%s: got %q, want %q", c.why, got, c.want)
		}
	}
	// a lie about the whole tool covers effects that it does not name
	lie := reporting(idempotentLie, Report{At: at("a.ts", 3), Message: "m", Tool: one, WholeTool: true, Effects: []*flow.Effect{e1}})
	missing := reporting(missingKey, Report{At: one.Span, Message: "m", Tool: one, Effects: []*flow.Effect{e1, e2}})
	if got := names(Run(&flow.Result{}, nil, Options{Rules: []*Rule{lie, missing}})); got != "idempotent-lie" {
		t.Errorf("lie about the whole tool: got %q", got)
	}
	// destructive-lie stands beside missing-key
	destroys := reporting(destructiveLie, Report{At: at("a.ts", 3), Message: "m", Tool: one, Effects: []*flow.Effect{e2}})
	if got := names(Run(&flow.Result{}, nil, Options{Rules: []*Rule{destroys, missing}})); got != "missing-key destructive-lie" {
		t.Errorf("destructive-lie: got %q", got)
	}
}

func TestSilencedBecomesRelated(t *testing.T) {
	tl := tool("charge", 1)
	e := &flow.Effect{Event: event(tl, 5)}
	found := Run(&flow.Result{}, nil, Options{Rules: []*Rule{
		reporting(unkeyedPayment, Report{At: at("a.ts", 5), Message: "m", Event: e.Event, Effects: []*flow.Effect{e}}),
		reporting(idempotentLie, Report{At: at("a.ts", 3), Message: "the lie", Tool: tl, Effects: []*flow.Effect{e}}),
	}})
	if len(found) != 1 || len(found[0].Related) != 2 || found[0].Related[1].Message != "the lie" {
		t.Fatalf("got %+v", found)
	}
	if r := found[0].Related[0]; r.Span != tl.Span || !strings.Contains(r.Message, "registered") {
		t.Errorf("the way does not start at the registration: %+v", r)
	}
}

func TestSkippingUncoversNothing(t *testing.T) {
	tl := tool("charge", 1)
	e := &flow.Effect{Event: event(tl, 5)}
	list := []*Rule{
		reporting(unkeyedPayment, Report{At: at("a.ts", 5), Message: "m", Event: e.Event, Effects: []*flow.Effect{e}}),
		reporting(missingKey, Report{At: tl.Span, Message: "m", Tool: tl, Effects: []*flow.Effect{e}}),
	}
	if got := names(Run(&flow.Result{}, nil, Options{Rules: list, Skip: []string{"unkeyed-payment"}})); got != "" {
		t.Errorf("skipping the stronger rule uncovered %q", got)
	}
}

func TestMerge(t *testing.T) {
	var reports []Report
	for i, name := range []string{"c", "a", "b"} {
		tl := tool(name, int32(i+1))
		ev := event(tl, 50)
		for range i {
			ev.Chain = append([]flow.Step{{Span: at("a.ts", int32(20+len(ev.Chain))), What: "helper"}}, ev.Chain...)
		}
		reports = append(reports, Report{At: ev.Span, Message: "`" + name + "` repeats", Event: ev, Severity: Low})
	}
	found := Run(&flow.Result{}, nil, Options{Rules: []*Rule{reporting(unkeyedVendor, reports...)}})
	if len(found) != 1 {
		t.Fatalf("got %d findings, want one of the shared place", len(found))
	}
	f := found[0]
	if f.Message != "`c` repeats (and so do 2 other tools)" || len(f.Tools) != 3 || f.Tool() != "c" {
		t.Errorf("message %q, tools %v", f.Message, f.Tools)
	}
	// places that differ in what is bound are not joined
	reports[1].Bound = "POST"
	if found := Run(&flow.Result{}, nil, Options{Rules: []*Rule{reporting(unkeyedVendor, reports...)}}); len(found) != 2 {
		t.Errorf("got %d findings, want two", len(found))
	}
	// tools registered at one place stay apart
	one, two := tool("one", 7), tool("two", 7)
	at7 := []Report{{At: one.Span, Message: "m", Tool: one}, {At: two.Span, Message: "m", Tool: two}}
	found = Run(&flow.Result{}, nil, Options{Rules: []*Rule{reporting(missingKey, at7...)}})
	if len(found) != 2 || found[0].Fingerprint == found[1].Fingerprint {
		t.Errorf("tools of one registration: %+v", found)
	}
}

func TestReportIsGuarded(t *testing.T) {
	tl := tool("x", 1)
	tl.Confidence = model.Likely
	found := Run(&flow.Result{}, nil, Options{Rules: []*Rule{reporting(missingKey,
		Report{Message: "no place", Tool: tl}, Report{At: tl.Span, Tool: tl}, Report{At: tl.Span, Message: "good", Tool: tl})}})
	if len(found) != 1 || found[0].Confidence != model.Likely || found[0].Severity != Low || found[0].Fix == "" || found[0].CWE != 837 {
		t.Fatalf("got %+v", found)
	}
}

func TestFingerprint(t *testing.T) {
	prints := func(src string, lines ...int32) []string {
		var reports []Report
		for _, l := range lines {
			reports = append(reports, Report{At: at("a.ts", l), Message: "m"})
		}
		var out []string
		for _, f := range Run(&flow.Result{}, text{"a.ts": src}, Options{Rules: []*Rule{reporting(unkeyedVendor, reports...)}}) {
			out = append(out, f.Fingerprint)
		}
		return out
	}
	before := prints("a()\ncreate(x)\ncreate(x)", 2, 3)
	moved := prints("// new\na()\n   create(x)  \ncreate(x) // retrysafe:ignorant", 3, 4)
	if before[0] == before[1] {
		t.Error("two places share a fingerprint")
	}
	if before[0] != moved[0] {
		t.Error("moving a statement changed its fingerprint")
	}
	ignored := prints("a()\ncreate(x) // retrysafe:ignore no-expiry -- why\ncreate(x)", 2, 3)
	if before[0] != ignored[0] {
		t.Error("an ignore comment changed the fingerprint")
	}
	if other := prints("a()\ncreate(y)", 2); other[0] == before[0] {
		t.Error("another statement has the same fingerprint")
	}
}

func TestSelection(t *testing.T) {
	list := []*Rule{
		reporting(missingKey, Report{At: at("a.ts", 1), Message: "m", Severity: Note}),
		reporting(unkeyedVendor, Report{At: at("a.ts", 2), Message: "m", Confidence: model.Possible}),
		reporting(unkeyedPayment, Report{At: at("a.ts", 3), Message: "m"}),
		reporting(ambiguousResult, Report{At: at("a.ts", 4), Message: "m"}),
	}
	for _, c := range []struct {
		opts Options
		want string
	}{
		{Options{}, "missing-key unkeyed-payment"},
		{Options{Pedantic: true}, "missing-key unkeyed-payment ambiguous-result"},
		{Options{MinConfidence: model.Possible}, "missing-key unkeyed-vendor unkeyed-payment"},
		{Options{MinSeverity: Low}, "unkeyed-payment"},
		{Options{Only: []string{"ambiguous-result"}}, "ambiguous-result"},
		{Options{Skip: []string{"missing-key"}}, "unkeyed-payment"},
	} {
		c.opts.Rules = list
		if got := names(Run(&flow.Result{}, nil, c.opts)); got != c.want {
			t.Errorf("%+v: got %q, want %q", c.opts, got, c.want)
		}
	}
	partial := *missingKey
	partial.NeedsProgram = true
	whole := reporting(&partial, Report{At: at("a.ts", 1), Message: "m"})
	if got := names(Run(&flow.Result{}, nil, Options{Rules: []*Rule{whole}, Partial: true})); got != "" {
		t.Errorf("a rule that needs the program spoke about a part of it: %q", got)
	}
}

func TestLongWaysAreCutInTheMiddle(t *testing.T) {
	tl := tool("charge", 1)
	e := &flow.Effect{Event: event(tl, 90), Confidence: model.Certain}
	for i := range 9 {
		e.Chain = append([]flow.Step{{Span: at("a.ts", int32(89-i)), What: fmt.Sprintf("step%d", 9-i)}}, e.Chain...)
	}
	found := Run(&flow.Result{}, nil, Options{Rules: []*Rule{reporting(missingKey, Report{At: at("a.ts", 2), Message: "m", Tool: tl,
		Effects: []*flow.Effect{e}, Related: []Related{{e.Span, "acts"}}})}})
	var got []string
	for _, rel := range found[0].Related {
		got = append(got, rel.Message)
	}
	const want = "`charge` is registered here; calls `step1`; calls `step2`; calls `step3` (3 more calls in between, not shown); calls `step7`; calls `step8`; calls `step9`; acts"
	if s := strings.Join(got, "; "); s != want {
		t.Errorf("got  %s\nwant %s", s, want)
	}
}
