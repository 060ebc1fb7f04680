package rules

import (
	"strings"
	"testing"

	"github.com/retrysafe/retrysafe/analyzers/flow"
	"github.com/retrysafe/retrysafe/analyzers/model"
)

func TestIgnore(t *testing.T) {
	for _, c := range []struct {
		name, src string
		line      int32
		want      string // rules left, "-" before what is suppressed
	}{
		{"on the line", "create() // retrysafe:ignore missing-key -- one shot", 1, "-missing-key"},
		{"on the line before", "// retrysafe:ignore missing-key -- one shot\ncreate()", 2, "-missing-key"},
		{"above other comments of its kind", "// retrysafe:ignore missing-key -- a\n// retrysafe:ignore no-expiry -- b\ncreate()", 3, "stale-ignore -missing-key"},
		{"in a block comment", "create() /* retrysafe:ignore missing-key -- one shot */ ;", 1, "-missing-key"},
		{"in JSX", "{/* retrysafe:ignore missing-key -- one shot */}\n<Create/>", 2, "-missing-key"},
		{"in a documentation comment", "/** retrysafe:ignore missing-key -- one shot */\ncreate()", 2, "-missing-key"},
		{"several rules", "create() // retrysafe:ignore missing-key, no-expiry -- both", 1, "stale-ignore -missing-key"},
		{"two lines off", "// retrysafe:ignore missing-key -- far\n\ncreate()", 3, "stale-ignore missing-key"},
		{"after code, for the next line", "a() // retrysafe:ignore missing-key -- not for the next line\ncreate()", 2, "stale-ignore missing-key"},
		{"another rule", "create() // retrysafe:ignore no-expiry -- x", 1, "stale-ignore missing-key"},
		{"no reason", "create() // retrysafe:ignore missing-key", 1, "missing-key bad-ignore"},
		{"an empty reason", "create() // retrysafe:ignore missing-key -- ", 1, "missing-key bad-ignore"},
		{"no rule", "create() // retrysafe:ignore -- because", 1, "missing-key bad-ignore"},
		{"an unknown rule", "create() // retrysafe:ignore missing-keys -- because", 1, "missing-key bad-ignore"},
		{"in a string", `create("// retrysafe:ignore missing-key -- x")`, 1, "missing-key"},
		{"after a string with slashes", `create("http://x") // retrysafe:ignore missing-key -- x`, 1, "-missing-key"},
		{"not the marker", "create() // see retrysafe:ignore missing-key -- x", 1, "missing-key"},
		{"a longer word", "create() // retrysafe:ignored missing-key -- x", 1, "missing-key"},
	} {
		t.Run(c.name, func(t *testing.T) {
			rule := reporting(missingKey, Report{At: at("a.ts", c.line), Message: "m"})
			found := Run(&flow.Result{}, text{"a.ts": c.src}, Options{Rules: []*Rule{rule}, MinConfidence: model.Possible})
			var got []string
			for _, f := range found {
				name := f.Rule.Name
				if f.Suppressed != nil {
					name = "-" + name
					if f.Suppressed.Reason == "" || !f.Suppressed.Span.IsValid() {
						t.Errorf("suppressed without a reason or place: %+v", f.Suppressed)
					}
				}
				got = append(got, name)
			}
			if s := strings.Join(got, " "); !sameWords(s, c.want) {
				t.Errorf("got %q, want %q", s, c.want)
			}
		})
	}
}

func sameWords(a, b string) bool {
	count := map[string]int{}
	for _, w := range strings.Fields(a) {
		count[w]++
	}
	for _, w := range strings.Fields(b) {
		count[w]--
	}
	for _, n := range count {
		if n != 0 {
			return false
		}
	}
	return true
}

func TestIgnoreOfSilencedIsNotStale(t *testing.T) {
	tl := tool("charge", 1)
	e := &flow.Effect{Event: event(tl, 2)}
	found := Run(&flow.Result{}, text{"a.ts": "// first\ncharge()\n// retrysafe:ignore missing-key -- known\nregister()"}, Options{Rules: []*Rule{
		reporting(unkeyedPayment, Report{At: at("a.ts", 2), Message: "m", Event: e.Event, Effects: []*flow.Effect{e}}),
		reporting(missingKey, Report{At: at("a.ts", 4), Message: "m", Tool: tl, Effects: []*flow.Effect{e}}),
	}})
	if got := names(found); got != "unkeyed-payment" || found[0].Suppressed != nil {
		t.Errorf("got %q", got)
	}
}

func TestIgnoreLeftOut(t *testing.T) {
	src := text{"a.ts": "create() // retrysafe:ignore missing-key -- one shot\nx() // retrysafe:ignore no-expiry -- gone"}
	rule := reporting(missingKey, Report{At: at("a.ts", 1), Message: "m"})
	if found := Run(&flow.Result{}, src, Options{Rules: []*Rule{rule}, Isolated: true}); len(found) != 1 || found[0].Suppressed != nil {
		t.Errorf("isolated: %+v", found)
	}
	if got := names(Run(&flow.Result{}, src, Options{Rules: []*Rule{rule}, Partial: true})); got != "missing-key" {
		t.Errorf("of a part of the program a comment is called stale: %q", got)
	}
}

func FuzzDirectives(f *testing.F) {
	f.Add("create() // retrysafe:ignore missing-key -- x")
	f.Add("{/* retrysafe:ignore a,b -- c */}\n`//` + '/*' retrysafe:ignore")
	f.Add("/* retrysafe:ignore\n// retrysafe:ignore --")
	f.Fuzz(func(t *testing.T, src string) {
		lines := strings.Split(src, "\n")
		for _, d := range directives("a.ts", lines) {
			if n := int(d.span.Line); n < 1 || n > len(lines) || d.line < n || d.line > len(lines) {
				t.Fatalf("a comment on line %d speaks of line %d of %d", n, d.line, len(lines))
			}
		}
	})
}
