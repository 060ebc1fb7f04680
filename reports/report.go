package reports

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/retrysafe/retrysafe/analyzers/audit"
	"github.com/retrysafe/retrysafe/analyzers/flow"
	"github.com/retrysafe/retrysafe/analyzers/model"
	"github.com/retrysafe/retrysafe/rules"
)

// Scan is the outcome of the scan of one path.
type Scan struct {
	*audit.Report
	// Arg is the path as the user wrote it; Folder is false where it names a file.
	Arg    string
	Folder bool
}

// Options say what of the scans is reported.
type Options struct {
	Version string // of the program
	// MinSeverity and MinConfidence leave milder and less sure findings out, and count them.
	MinSeverity   rules.Severity
	MinConfidence model.Confidence
	// Only names the rules whose findings are reported, all where empty; Skip those that are left out.
	Only, Skip []string
	Pedantic   bool
}

// Report is what the writers write.
type Report struct {
	Version string
	Scans   []Scan
	// Findings are the selected ones, suppressed ones included, in the order of the scans and then of their places.
	Findings []Finding
	// HiddenPossible and HiddenMild count the unsuppressed findings that the selection left out: those not sure enough, and
	// the sure ones that are too mild. HiddenRules counts those of rules that were not asked for, pedantic ones aside.
	HiddenPossible, HiddenMild, HiddenRules int
	// Grade is that of all scans together, from all findings: what is selected does not change it.
	Grade Grade
	// Complete is false where a limit beyond which something may be hidden, or an interrupt, cut a scan short.
	Complete bool

	every      []Finding // selected or not
	tools      []Tool
	protection map[*flow.Effect]flow.Protection
	byTool     map[toolKey][]Finding // selected and not suppressed
	grades     map[toolKey]Grade
}

// Finding is a finding of one of the scans.
type Finding struct {
	*rules.Finding
	Scan int // index into Report.Scans
}

// toolKey names a tool of a scan.
type toolKey struct {
	scan int
	id   string
}

// New prepares scans for the writers. The findings of the scans are expected to be unselected: of all rules, with all severities and
// confidences, so that the grade rests on all of them.
func New(scans []Scan, opts Options) *Report {
	r := &Report{Version: opts.Version, Scans: scans, Complete: true, tools: collectTools(scans),
		protection: map[*flow.Effect]flow.Protection{}, byTool: map[toolKey][]Finding{}, grades: map[toolKey]Grade{}}
	type identity struct{ context, fingerprint string }
	seen := map[identity]bool{}
	wanted := rules.Options{Only: opts.Only, Skip: opts.Skip, Pedantic: opts.Pedantic}
	for i, s := range scans {
		r.Complete = r.Complete && s.Coverage.Complete
		for _, f := range s.Findings {
			id := identity{s.Context, f.Fingerprint}
			if seen[id] {
				continue // paths that overlap report a place once
			}
			seen[id] = true
			r.every = append(r.every, Finding{f, i})
			switch {
			case !wanted.Wants(f.Rule, f.Pedantic):
				if f.Suppressed == nil && !f.Pedantic {
					r.HiddenRules++
				}
			case f.Severity >= opts.MinSeverity && f.Confidence >= opts.MinConfidence:
				r.Findings = append(r.Findings, Finding{f, i})
			case f.Suppressed != nil:
			case f.Confidence < opts.MinConfidence:
				r.HiddenPossible++
			default:
				r.HiddenMild++
			}
		}
	}
	for _, f := range r.Findings {
		if f.Suppressed != nil {
			continue
		}
		for _, t := range f.Tools {
			k := toolKey{f.Scan, t.ID}
			r.byTool[k] = append(r.byTool[k], f)
		}
	}
	r.grade()
	return r
}

// Gated counts the findings that fail a gate at the severity min: selected, not suppressed, more than possible, and of no experimental rule.
func (r *Report) Gated(min rules.Severity) int {
	n := 0
	for _, f := range r.Findings {
		if f.Suppressed == nil && f.Severity >= min && f.Confidence > model.Possible && !f.Rule.Experimental {
			n++
		}
	}
	return n
}

// counts gives how many selected findings there are of each severity, and how many are suppressed.
func (r *Report) counts() (by map[rules.Severity]int, suppressed int) {
	by = map[rules.Severity]int{}
	for _, f := range r.Findings {
		if f.Suppressed != nil {
			suppressed++
		} else {
			by[f.Severity]++
		}
	}
	return by, suppressed
}

// Path gives a file as programs read it: relative to the folder that was scanned where it is one, otherwise to the root of
// the context (the repository or workspace). Scans of several repositories are told apart by the name of that root.
func (r *Report) Path(scan int, file string) string {
	s := r.Scans[scan]
	switch {
	case file == "":
		return ""
	case len(r.Scans) == 1 && s.Folder:
		return s.Rel(file)
	}
	for _, other := range r.Scans {
		if other.Context != s.Context {
			return path.Base(strings.ReplaceAll(s.Context, `\`, "/")) + "/" + file
		}
	}
	return file
}

// Shown gives a file as people read it: as it would be written on the command line that started the scan.
func (r *Report) Shown(scan int, file string) string {
	s := r.Scans[scan]
	arg, prefix := strings.ReplaceAll(s.Arg, `\`, "/"), s.Prefix
	if !s.Folder {
		if file == prefix {
			return arg
		}
		arg, prefix = path.Dir(arg), path.Dir(prefix)
	}
	if prefix == "." {
		return path.Join(arg, file)
	}
	if rest, ok := strings.CutPrefix(file, prefix+"/"); ok {
		return path.Join(arg, rest)
	}
	return path.Join(arg, strings.Repeat("../", strings.Count(prefix, "/")+1)+file)
}

// Tool is a tool of one of the scans.
type Tool struct {
	*flow.Tool
	Scan int
}

// Tools lists the tools of all scans, sorted within each by place, then name.
func (r *Report) Tools() []Tool { return r.tools }

func collectTools(scans []Scan) []Tool {
	type identity struct{ context, id string }
	seen := map[identity]bool{}
	var out []Tool
	for i, s := range scans {
		if s.Result == nil {
			continue
		}
		for _, t := range s.Result.Tools {
			if id := (identity{s.Context, t.ID}); !seen[id] {
				seen[id] = true
				out = append(out, Tool{t, i})
			}
		}
	}
	return out
}

// Effects lists the effects of a tool that count, in order of evaluation.
func (t Tool) Effects() []*flow.Effect {
	var out []*flow.Effect
	for _, x := range t.Tool.Effects {
		if x.Incidental == "" && x.Nature.Rank() > 0 {
			out = append(out, x)
		}
	}
	return out
}

// effects lists the effects of a tool that count, each place once for each thing that it does there: a call that is reached along
// several ways stands for the way on which the least guards it.
func (r *Report) effects(t Tool) []*flow.Effect {
	type place struct {
		at   model.Span
		what string
	}
	index := map[place]int{}
	var out []*flow.Effect
	for _, x := range t.Effects() {
		k := place{x.Span, effectText(x)}
		i, ok := index[k]
		if !ok {
			index[k] = len(out)
			out = append(out, x)
			continue
		}
		if cmp.Or(cmp.Compare(r.protectionOf(t, out[i]).Level, r.protectionOf(t, x).Level), cmp.Compare(x.Nature.Rank(), out[i].Nature.Rank())) > 0 {
			out[i] = x
		}
	}
	return out
}

// Writes reports whether the tool is known to change something.
func (t Tool) Writes() bool { return t.Nature.Rank() > 0 }

// Reads reports whether the tool is known to change nothing: not one whose calls could not all be followed.
func (t Tool) Reads() bool { return !t.Writes() && t.Understood() }

// Understood reports whether everything that the handler calls was followed; otherwise the nature is a lower bound.
func (t Tool) Understood() bool {
	return t.HandlerFn != nil && t.Gaps == 0 && len(t.Tool.Unresolved) == 0
}

func (r *Report) protectionOf(t Tool, x *flow.Effect) flow.Protection {
	p, ok := r.protection[x]
	if !ok {
		p = r.Scans[t.Scan].Result.Protection(x)
		slices.SortStableFunc(p.By, func(a, b flow.Guard) int {
			return cmp.Or(-cmp.Compare(a.Level, b.Level), a.Span.Compare(b.Span), cmp.Compare(a.Kind, b.Kind))
		})
		r.protection[x] = p
	}
	return p
}

// key says by what a repeated call of the tool is recognised.
func (r *Report) key(t Tool) string {
	order := []string{"param", "header", "derived", "vendor", "constraint"}
	best := len(order)
	for _, x := range t.Effects() {
		for _, g := range r.protectionOf(t, x).By {
			if i := slices.Index(order, r.keyKind(t, g)); i >= 0 {
				best = min(best, i)
			}
		}
	}
	if best == len(order) {
		return "none"
	}
	return order[best]
}

func (r *Report) keyKind(t Tool, g flow.Guard) string {
	switch g.Kind {
	case flow.VendorGuard:
		return "vendor"
	case flow.ConstraintGuard, flow.ConditionGuard:
		return "constraint"
	case flow.LockGuard:
		if g.Key == nil {
			return ""
		}
	}
	if g.Key == nil {
		return "derived"
	}
	kind := "derived"
	for _, o := range r.Scans[t.Scan].Result.Origins(g.Key) {
		if o.Hashed != "" || o.Whole {
			continue
		}
		switch o.Kind {
		case flow.OriginArguments:
			return "param"
		case flow.OriginHeader:
			kind = "header"
		}
	}
	return kind
}

// entries says how many tools, routes and webhooks there are: "34 tools, 2 routes".
func (r *Report) entries() string {
	n := map[flow.ToolKind]int{}
	for _, t := range r.tools {
		n[t.Kind]++
	}
	var parts []string
	if tools := n[flow.MCPTool] + n[flow.AgentTool]; tools > 0 || len(r.tools) == 0 {
		parts = append(parts, count(tools, "tool"))
	}
	for _, k := range []struct {
		kind flow.ToolKind
		what string
	}{{flow.HTTPRoute, "route"}, {flow.Webhook, "webhook"}, {flow.Exported, "exported function"}} {
		if n[k.kind] > 0 {
			parts = append(parts, count(n[k.kind], k.what))
		}
	}
	return strings.Join(parts, ", ")
}

// files counts the files that were read.
func (r *Report) files() int {
	n := 0
	for _, s := range r.Scans {
		n += s.Coverage.Files
	}
	return n
}

// causes says what cut the scans short beside the remarks of the evaluation.
func (r *Report) causes() []string {
	var out []string
	remarked := false
	for _, s := range r.Scans {
		if what := s.Coverage.Limit; what != "" {
			out = append(out, fmt.Sprintf("there are more %s than the limit; the rest was not read", what))
		}
		remarked = remarked || slices.ContainsFunc(s.Coverage.Notes, func(n model.Note) bool { return n.Cut })
	}
	if !r.Complete && len(out) == 0 && !remarked {
		out = append(out, "the scan was interrupted; what it had not reached is missing")
	}
	return out
}

// registersUnknown reports whether a part of a repository was scanned, and registers what is not known there.
func (r *Report) registersUnknown() bool {
	for _, s := range r.Scans {
		if s.Prefix != "." && len(s.Coverage.Unresolved) > 0 {
			return true
		}
	}
	return false
}

// WhereTools asks where the tools may be, for a warning beside NoTools.
func (r *Report) WhereTools() string {
	if r.registersUnknown() {
		return "what is registered here comes from outside: scan the folder above."
	}
	return "is this the folder that registers the tools?"
}

// Base gives the folder to which Path is relative, as it would be written on the command line that started the scans; "" where they are of several
// repositories.
func (r *Report) Base() string {
	if len(r.Scans) == 0 {
		return ""
	}
	s := r.Scans[0]
	for _, other := range r.Scans {
		if other.Context != s.Context {
			return ""
		}
	}
	if len(r.Scans) == 1 && s.Folder {
		return path.Clean(strings.ReplaceAll(s.Arg, `\`, "/"))
	}
	return r.Shown(0, "")
}

// NoTools says that nothing was judged, and why, where no scan found a tool, a route, a webhook or a finding beside them; "" where one did. Silence about
// findings means nothing then.
func (r *Report) NoTools() string {
	switch n := r.files(); {
	case len(r.tools)+len(r.every) > 0:
		return ""
	case n == 0:
		return "nothing was analysed: no source file was found that can be read"
	case n == 1:
		return "no tool was found in the file read, so nothing was judged"
	default:
		return fmt.Sprintf("no tool was found in the %d files read, so nothing was judged", n)
	}
}
