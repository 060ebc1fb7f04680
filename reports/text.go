package reports

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/fatih/color"

	"github.com/retrysafe/retrysafe/analyzers/flow"
	"github.com/retrysafe/retrysafe/analyzers/model"
	"github.com/retrysafe/retrysafe/rules"
)

// Text writes a report for people: the findings by tool, each with the place in the source, the way that leads there and the fix, then
// what was counted and what was not understood.
func Text(w io.Writer, r *Report, p *Palette) error {
	t := &text{w: bufio.NewWriter(w), r: r, p: p}
	for _, g := range t.groups() {
		t.group(g)
	}
	t.summary()
	return t.w.Flush()
}

type text struct {
	w *bufio.Writer
	r *Report
	p *Palette
}

// put writes a line; the buffer keeps the first error of the writer for Flush.
func (t *text) put(pieces ...string) {
	for _, p := range pieces {
		t.w.WriteString(p)
	}
	t.w.WriteByte('\n')
}

// group is a tool with the findings that are shown under it.
type group struct {
	scan     int
	tool     *rules.ToolRef // nil for code that no tool reaches
	findings []Finding
}

// groups puts each finding under the first of its tools, and the tools in the order of their registrations.
func (t *text) groups() []*group {
	var out []*group
	byTool := map[toolKey]*group{}
	for _, f := range t.r.Findings {
		if f.Suppressed != nil {
			continue
		}
		k := toolKey{f.Scan, ""}
		var ref *rules.ToolRef
		if len(f.Tools) > 0 {
			ref = &f.Tools[0]
			k.id = ref.ID
		}
		g := byTool[k]
		if g == nil {
			g = &group{scan: f.Scan, tool: ref}
			byTool[k] = g
			out = append(out, g)
		}
		g.findings = append(g.findings, f)
	}
	slices.SortStableFunc(out, func(a, b *group) int {
		switch {
		case a.scan != b.scan:
			return a.scan - b.scan
		case a.tool == nil && b.tool == nil:
			return 0
		case a.tool == nil:
			return 1
		case b.tool == nil:
			return -1
		}
		return a.tool.Span.Compare(b.tool.Span)
	})
	return out
}

func (t *text) group(g *group) {
	head := "code outside of tools"
	about := ""
	if g.tool != nil {
		head = Escape(g.tool.Name)
		about = t.about(g)
	}
	t.put(t.p.frame.Sprint("── "), t.p.strong.Sprint(head), about)
	t.put()
	for _, f := range g.findings {
		t.finding(f)
	}
}

// about says what a tool is, behind its name.
func (t *text) about(g *group) string {
	parts := []string{string(g.tool.Kind)}
	for _, tool := range t.r.Tools() {
		if tool.Scan == g.scan && tool.ID == g.tool.ID {
			parts = append(parts, natureText(tool), "grade "+string(t.r.grades[toolKey{tool.Scan, tool.ID}]))
		}
	}
	return t.p.faint.Sprintf("  %s  %s", strings.Join(parts, ", "), t.place(g.scan, g.tool.Span))
}

// natureText is the nature of a tool, with doubt where it is a lower bound.
func natureText(t Tool) string {
	n := natureOf(t.Tool)
	switch {
	case t.Understood():
		return string(n)
	case n == model.Read:
		return "unknown"
	}
	return string(n) + " or worse"
}

func (t *text) finding(f Finding) {
	c := t.p.severity(f.Severity)
	t.put(c.Sprintf("%s[%s]", strings.ToLower(f.Severity.String()), f.Rule.Name), t.p.strong.Sprint(": "+escapeMessage(f.Message)))
	margin := len(strconv.Itoa(int(f.Primary.Line) + 1))
	t.frame(f, margin, c)
	for _, rel := range f.Related {
		t.note(margin, "note", t.place(f.Scan, rel.Span)+": "+escapeMessage(rel.Message))
	}
	if others := otherTools(f); others != "" {
		t.note(margin, "note", "the same in "+others)
	}
	if f.Confidence != model.Certain {
		t.note(margin, "note", doubt(f.Confidence))
	}
	if f.Fix != "" {
		t.note(margin, "help", escapeMessage(f.Fix))
	}
	t.put()
}

func doubt(c model.Confidence) string {
	if c == model.Likely {
		return "likely: one step rests on a convention"
	}
	return "possible: rests on names"
}

func (t *text) note(margin int, word, what string) {
	t.put(strings.Repeat(" ", margin), t.p.frame.Sprint(" = "), t.p.strong.Sprint(word+":"), " ", what)
}

// otherTools names the tools of a finding besides the one that it stands under.
func otherTools(f Finding) string {
	const most = 6
	if len(f.Tools) == 0 {
		return ""
	}
	var names []string
	for _, ref := range f.Tools[1:] {
		if name := "`" + Escape(ref.Name) + "`"; !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if n := len(names); n > most {
		names = append(names[:most], fmt.Sprintf("%d more", n-most))
	}
	return strings.Join(names, ", ")
}

// frame shows the primary place with the lines around it.
func (t *text) frame(f Finding, margin int, c *color.Color) {
	at := f.Primary
	bar := strings.Repeat(" ", margin) + t.p.frame.Sprint(" |")
	t.put(strings.Repeat(" ", margin), t.p.frame.Sprint("--> "), fmt.Sprintf("%s:%d:%d", escapePath(t.r.Shown(f.Scan, at.File)), at.Line, at.Col))
	source := t.r.Scans[f.Scan].Source
	line, ok := source.Line(at.File, int(at.Line))
	if !ok {
		return
	}
	t.put(bar)
	number := func(n int32, text string) {
		t.put(t.p.frame.Sprintf("%*d |", margin, n), strings.TrimRight(" "+text, " "))
	}
	if before, ok := source.Line(at.File, int(at.Line)-1); ok && strings.TrimSpace(before) != "" {
		number(at.Line-1, plainLine(before))
	}
	start, end := int(at.Col)-1, int(at.EndCol)-1
	rest := ""
	if at.EndLine > at.Line {
		end = len(strings.TrimRight(line, " \t"))
		rest = fmt.Sprintf(" … to line %d", at.EndLine)
	}
	shown, carets := underlined(line, start, end)
	number(at.Line, shown)
	t.put(bar, " ", c.Sprint(carets+rest))
	if after, ok := source.Line(at.File, int(at.Line)+1); ok && strings.TrimSpace(after) != "" {
		number(at.Line+1, plainLine(after))
	}
	t.put(bar)
}

// summary says what was found, what it rests on, and what was not understood.
func (t *text) summary() {
	r := t.r
	by, suppressed := r.counts()
	total := by[rules.High] + by[rules.Medium] + by[rules.Low] + by[rules.Note]
	var parts []string
	for _, s := range []rules.Severity{rules.High, rules.Medium, rules.Low, rules.Note} {
		if by[s] > 0 {
			parts = append(parts, t.p.severity(s).Sprintf("%d %s", by[s], strings.ToLower(s.String())))
		}
	}
	found := t.p.strong.Sprint(count(total, "finding"))
	if total == 0 {
		found = t.p.strong.Sprint("no findings")
		if t.r.noneJudged() {
			found += ", but no tool was judged"
		}
	}
	if why := r.NoTools(); why != "" && total == 0 {
		found = t.p.bad.Sprint(why)
	}
	if len(parts) > 0 {
		found += ": " + strings.Join(parts, ", ")
	}
	var hidden []string
	if r.HiddenPossible > 0 {
		hidden = append(hidden, fmt.Sprintf("%d less sure (--min-confidence possible shows them)", r.HiddenPossible))
	}
	if r.HiddenMild > 0 {
		hidden = append(hidden, fmt.Sprintf("%d milder", r.HiddenMild))
	}
	if r.HiddenRules > 0 {
		hidden = append(hidden, fmt.Sprintf("%d of rules that were not asked for", r.HiddenRules))
	}
	if suppressed > 0 {
		hidden = append(hidden, fmt.Sprintf("%d ignored by comments", suppressed))
	}
	if len(hidden) > 0 {
		found += "; hidden: " + strings.Join(hidden, ", ")
	}
	t.put(found)
	t.whereTools()
	t.tools()
	t.unjudged()
	t.coverage()
}

// whereTools says what to do where no tool was found.
func (t *text) whereTools() {
	if t.r.NoTools() == "" || t.r.files() == 0 {
		return
	}
	if t.r.registersUnknown() {
		t.put("Registrations were seen here, but not what they register: it comes from outside of what was scanned. Scan the folder above, or the whole")
		t.put("repository.")
		return
	}
	t.put("Scan the folder whose code registers the tools; what it imports from the repository around it is read along. A registration by a")
	t.put("library that is not known is added with --catalog; tests and examples are read with --include-tests.")
}

func (t *text) tools() {
	tools := t.r.Tools()
	writes, reads := 0, 0
	for _, tool := range tools {
		switch {
		case tool.Writes():
			writes++
		case tool.Reads():
			reads++
		}
	}
	line := t.r.entries()
	var kinds []string
	for _, k := range []struct {
		n    int
		what string
	}{{writes, "write"}, {reads, "only read"}, {len(tools) - writes - reads, "not judged"}} {
		if k.n > 0 {
			kinds = append(kinds, fmt.Sprintf("%d %s", k.n, k.what))
		}
	}
	if len(kinds) > 0 {
		line += ": " + strings.Join(kinds, ", ")
	}
	line += fmt.Sprintf("; %s read", count(t.r.files(), "file"))
	if len(tools) > 0 || t.r.Grade != "" {
		line += "; grade " + t.p.strong.Sprint(gradeText(t.r.Grade))
	}
	t.put(line)
}

// unjudged warns of the tools of which silence says nothing.
func (t *text) unjudged() {
	if what := t.r.Unjudged(); what != "" {
		t.put(t.p.weak.Sprint("warning: "), what)
	}
}

// coverage lists what was not read or not understood, so that silence is not taken for safety: first what could hide tools, then what
// could hide effects, then where bounds cut the evaluation short.
func (t *text) coverage() {
	rows := t.registrations()
	for _, tool := range t.r.Tools() {
		if row := unresolvedCalls(tool); row != "" {
			rows = append(rows, t.place(tool.Scan, tool.Span)+": "+row)
		}
	}
	rows = append(rows, t.remarks(false)...)
	const most = 10
	if len(rows) > 0 {
		t.put("not understood (effects and guards behind these places, and tools that they register, may be missing above):")
		for i, row := range rows {
			if i == most && len(rows) > most+1 {
				t.put(fmt.Sprintf("  … and %d more, all of them in --format json", len(rows)-most))
				break
			}
			t.put("  ", row)
		}
	}
	t.skipped()
	t.told()
	t.incomplete()
}

// incomplete names what cut the scan short, each cause with the places where it did.
func (t *text) incomplete() {
	if t.r.Complete {
		return
	}
	for _, row := range t.remarks(true) {
		t.put(t.p.bad.Sprint("incomplete: "), row)
	}
	for _, cause := range t.r.causes() {
		t.put(t.p.bad.Sprint("incomplete: "), cause)
	}
}

// place gives file:line as it is shown, or the file where no line is known.
func (t *text) place(scan int, span model.Span) string {
	file := escapePath(t.r.Shown(scan, span.File))
	if !span.IsValid() {
		return file
	}
	return fmt.Sprintf("%s:%d", file, span.Line)
}

func (t *text) registrations() []string {
	var rows []string
	for i, s := range t.r.Scans {
		for _, x := range s.Coverage.Unresolved {
			rows = append(rows, t.place(i, x.Span)+": "+escapeMessage(x.What))
		}
		for _, x := range s.Coverage.Unsupported {
			rows = append(rows, fmt.Sprintf("%s: registers tools in a language that is not analysed (%s)", escapePath(t.r.Shown(i, x.File)), x.Language))
		}
		for _, x := range s.Coverage.Degraded {
			rows = append(rows, escapePath(t.r.Shown(i, x.Package))+": "+escapeMessage(x.Reason))
		}
	}
	return rows
}

// remarks gives a row for each remark of the evaluation, with its places: of those that cut the scan short, or of the others.
func (t *text) remarks(cut bool) []string {
	const most = 3
	var order []string
	places := map[string][]string{}
	for i, s := range t.r.Scans {
		for _, x := range s.Coverage.Notes {
			if x.Cut != cut {
				continue
			}
			if places[x.What] == nil {
				order = append(order, x.What)
			}
			if place := t.place(i, x.Span); !slices.Contains(places[x.What], place) {
				places[x.What] = append(places[x.What], place)
			}
		}
	}
	var rows []string
	for _, what := range order {
		at := places[what]
		more := ""
		if n := len(at) - most; n > 0 {
			at, more = at[:most], fmt.Sprintf(" and %s", count(n, "other place"))
		}
		rows = append(rows, strings.Join(at, ", ")+more+": "+escapeMessage(what))
	}
	return rows
}

func (t *text) skipped() {
	skipped := map[string]int{}
	for _, s := range t.r.Scans {
		for _, x := range s.Coverage.Skipped {
			skipped[string(x.Reason)]++
		}
	}
	if len(skipped) == 0 {
		return
	}
	var reasons []string
	for reason, n := range skipped {
		reason, hint, _ := strings.Cut(reason, "; ")
		if hint != "" {
			hint = " (" + hint + ")"
		}
		reasons = append(reasons, fmt.Sprintf("%s: %d%s", reason, n, hint))
	}
	slices.Sort(reasons)
	t.put("skipped: ", strings.Join(reasons, ", "))
}

// unresolvedCalls says which calls of a tool lead to where nothing is known, "" if there are none.
func unresolvedCalls(t Tool) string {
	if t.HandlerFn == nil {
		return fmt.Sprintf("the handler of `%s` was not found, and what it changes is not judged", Escape(t.Name))
	}
	const most = 3
	var names []string
	for _, x := range t.Unresolved {
		if name := "`" + Escape(calleeText(x)) + "`"; !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		if t.Gaps != 0 {
			return fmt.Sprintf("`%s` was not followed to the end: %s", Escape(t.Name), t.Gaps)
		}
		return ""
	}
	if n := len(names); n > most {
		names = append(names[:most], fmt.Sprintf("%d more", n-most))
	}
	return fmt.Sprintf("`%s` calls what could not be followed: %s", Escape(t.Name), strings.Join(names, ", "))
}

func calleeText(x *flow.Event) string {
	if x.Callee == "" {
		return "?"
	}
	return x.Callee
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

func itoa(n int32) string { return strconv.Itoa(int(n)) }
