package rules

import (
	"fmt"
	"strings"

	"github.com/retrysafe/retrysafe/analyzers/flow"
	"github.com/retrysafe/retrysafe/analyzers/model"
)

// Pass is one run of one rule over one program.
type Pass struct {
	*flow.Result
	Rule    *Rule
	Options *Options

	shared   *shared
	findings *[]*Finding
}

// Report describes a finding. At and Message are required; the rest is filled in from the rule, the tool and the event.
type Report struct {
	At      model.Span
	Message string
	Tool    *flow.Tool
	// Event leads to the place: its chain becomes the related locations.
	Event *flow.Event
	// Severity, Fix and CWE stand in the place of the rule's own.
	Severity Severity
	Fix      string
	CWE      int
	// Confidence is the weakest step that the rule itself took; those of the tool are added. Certain if zero.
	Confidence model.Confidence
	Pedantic   bool
	Related    []Related
	// Effects and Records are what the finding is about. A finding of a weaker rule about nothing else gives way to it.
	Effects []*flow.Effect
	Records []*flow.Record
	// Param is the key parameter that the finding is about.
	Param string
	// OwnPlace says that the place is to be mended as well as what the finding is about, so that stronger findings about that alone leave it standing.
	OwnPlace bool
	// WholeTool says that weaker findings about anything in the tool give way.
	WholeTool bool
	// Bound tells findings at one place apart that must not be joined.
	Bound string
	// Restate says the same of some of the effects only, where the others are the subject of stronger findings: the message, the related
	// places, the severity and the confidence are taken from it.
	Restate func([]*flow.Effect) Report
	// Fn is the function around the place where it is not the event's or the handler.
	Fn *flow.Function
}

// Report adds a finding. One without a place or a message is dropped: there would be nothing to show.
func (p *Pass) Report(r Report) {
	if !r.At.IsValid() || r.Message == "" {
		return
	}
	f := &Finding{Rule: p.Rule, Severity: r.Severity, Confidence: r.Confidence, Message: r.Message, Primary: r.At,
		Fix: r.Fix, CWE: p.Rule.CWE, Pedantic: r.Pedantic || p.Rule.Pedantic, bound: r.Bound}
	if f.Severity == 0 {
		f.Severity = p.Rule.Severity
	}
	if r.CWE != 0 {
		f.CWE = r.CWE
	}
	if f.Confidence == 0 {
		f.Confidence = model.Certain
	}
	if f.Fix == "" {
		f.Fix = p.Rule.Fix
	}
	if r.Tool == nil && r.Event != nil {
		r.Tool = r.Event.Tool
	}
	if t := r.Tool; t != nil {
		f.Tools = []ToolRef{{ID: t.ID, Name: t.Name, Kind: t.Kind, Span: t.Span}}
		f.weaken(t.Confidence)
		if r.At == t.Span {
			f.bound += "\x00" + t.ID
		}
	}
	for _, e := range r.Effects {
		f.Effects = append(f.Effects, e.Call)
		f.subjects = append(f.subjects, subject{e.Call, r.Tool})
	}
	for _, rec := range r.Records {
		f.Records = append(f.Records, rec.Call)
		f.subjects = append(f.subjects, subject{rec.Call, r.Tool})
	}
	if r.Param != "" {
		f.subjects = append(f.subjects, subject{"key:" + NormalName(r.Param), r.Tool})
	}
	if r.OwnPlace {
		f.subjects = append(f.subjects, subject{r.At, r.Tool})
	}
	f.effects, f.restate = r.Effects, r.Restate
	f.covers = f.subjects
	if r.WholeTool && r.Tool != nil {
		f.covers = append(append([]subject(nil), f.subjects...), subject{wholeTool{}, r.Tool})
	}
	if len(f.subjects) == 0 {
		f.subjects = []subject{{r.At, r.Tool}}
	}
	f.Related, f.length = p.way(r)
	f.scope = p.scope(r)
	*p.findings = append(*p.findings, f)
}

func moreCalls(n int) string {
	if n == 1 {
		return "1 more call"
	}
	return fmt.Sprintf("%d more calls", n)
}

// subject is a thing that a finding is about, within a tool.
type subject struct {
	thing any
	tool  *flow.Tool
}

// wholeTool stands for everything in a tool.
type wholeTool struct{}

func (f *Finding) weaken(c model.Confidence) {
	if c != 0 && c < f.Confidence {
		f.Confidence = c
	}
}

// way lists the places from the registration to the primary one, then the report's own.
func (p *Pass) way(r Report) ([]Related, int) {
	var out []Related
	seen := map[model.Span]bool{r.At: true}
	add := func(at model.Span, message string) {
		if at.IsValid() && !seen[at] {
			seen[at] = true
			out = append(out, Related{at, message})
		}
	}
	hops := func(chain []flow.Step) {
		const most = 6 // more are cut in the middle
		for i, s := range chain {
			message := "calls " + quote(s.What)
			if cut := len(chain) - most; cut > 0 && i >= most/2 && i < most/2+cut {
				continue
			} else if cut > 0 && i == most/2-1 {
				message += fmt.Sprintf(" (%s in between, not shown)", moreCalls(cut))
			}
			add(s.Span, message)
		}
	}
	if t := r.Tool; t != nil && t.Kind == flow.Exported {
		add(t.Span, fmt.Sprintf("%s is exported here", quote(t.Name)))
	} else if t != nil {
		if t.Registered.IsValid() && t.Registered.File != t.Span.File {
			add(t.Span, fmt.Sprintf("%s is defined here", quote(t.Name)))
			add(t.Registered, fmt.Sprintf("%s is registered here", quote(t.Name)))
		} else {
			add(t.Span, fmt.Sprintf("%s is registered here", quote(t.Name)))
		}
	}
	length := 0
	if r.Event != nil {
		length = len(r.Event.Chain)
		hops(r.Event.Chain)
	}
	for _, rel := range r.Related {
		if r.Event == nil {
			if chain := wayTo(r, rel.Span); len(chain) > 0 {
				hops(chain[:len(chain)-1]) // the last one is the effect, of which the report says more
			}
		}
		add(rel.Span, rel.Message)
	}
	return out, length
}

// wayTo picks one way to a place where a report's effects happen: one from the handler that the report shows, the shortest of these. Several servers
// may register a tool, and the steps of two ways make none.
func wayTo(r Report, at model.Span) []flow.Step {
	var best []flow.Step
	shown := false
	for _, e := range r.Effects {
		if e.Span != at || len(e.Chain) == 0 {
			continue
		}
		own := r.Tool != nil && r.Tool.HandlerFn != nil && encloses(r.Tool.HandlerFn.Span, e.Chain[0].Span)
		if best == nil || own && !shown || own == shown && len(e.Chain) < len(best) {
			best, shown = e.Chain, own
		}
	}
	return best
}

// scope finds the function around the primary place, as far as the report leads to it.
func (p *Pass) scope(r Report) string {
	var fns []*flow.Function
	fns = append(fns, r.Fn)
	if r.Event != nil {
		fns = append(fns, r.Event.Fn)
	}
	if r.Tool != nil {
		fns = append(fns, r.Tool.HandlerFn)
	}
	for _, fn := range fns {
		if fn != nil && fn.Func != nil && encloses(fn.Span, r.At) {
			return fn.Path()
		}
	}
	return ""
}

func encloses(outer, inner model.Span) bool {
	return outer.File == inner.File && outer.Offset <= inner.Offset && inner.EndOffset <= outer.EndOffset
}

// quote puts a name of the source between backticks, cut where it is long and without what would break the report.
func quote(name string) string {
	name = strings.Map(func(r rune) rune {
		if r < ' ' || r == '`' || r == 0x7f {
			return -1
		}
		return r
	}, name)
	const longest = 60
	if runes := []rune(name); len(runes) > longest {
		name = string(runes[:longest]) + "…"
	}
	if name == "" {
		name = "?"
	}
	return "`" + name + "`"
}
