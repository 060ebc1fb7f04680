package reports

import (
	"bufio"
	"io"
	"slices"
	"strings"

	"github.com/fatih/color"
	"github.com/rivo/uniseg"

	"github.com/retrysafe/retrysafe/analyzers/audit"
	"github.com/retrysafe/retrysafe/analyzers/flow"
	"github.com/retrysafe/retrysafe/analyzers/model"
)

// ToolsText writes the protection matrix for people: a row for each effect of each tool, with what guards it, and one for a tool without any.
func ToolsText(w io.Writer, r *Report, p *Palette) error {
	t := &text{w: bufio.NewWriter(w), r: r, p: p}
	m := matrix{p: p}
	m.row(p.strong, "TOOL", "KIND", "NATURE", "EFFECT", "PROTECTED", "BY", "KEY", "ANNOTATIONS", "GRADE")
	tools := r.Tools()
	for _, tool := range tools {
		t.toolRows(&m, tool)
	}
	if len(tools) > 0 {
		m.write(t.w)
		t.put()
	}
	t.tools()
	t.unjudged()
	t.coverage()
	return t.w.Flush()
}

func (t *text) toolRows(m *matrix, tool Tool) {
	var rows [][3]part
	for _, x := range t.r.effects(tool) {
		protection := t.r.protectionOf(tool, x)
		level, c := protection.Level.String(), t.p.bad
		switch {
		case x.Nature == model.Replacing && protection.Level == flow.Unprotected:
			level, c = "converges", t.p.good // a repeat leaves the same state
		case protection.Level == flow.Weak:
			c = t.p.weak
		case protection.Level == flow.Full:
			c = t.p.good
		}
		row := [3]part{{effectText(x), nil}, {level, c}, {t.guards(tool, protection), nil}}
		if !slices.Contains(rows, row) {
			rows = append(rows, row)
		}
	}
	if len(rows) == 0 {
		rows = append(rows, [3]part{{"-", nil}, {"-", nil}, {"-", nil}})
	}
	for i, row := range rows {
		if i > 0 {
			m.parts(part{}, part{}, part{}, row[0], row[1], row[2], part{}, part{}, part{})
			continue
		}
		m.parts(part{Escape(tool.Name), t.p.strong}, part{string(tool.Kind), nil}, part{natureText(tool), nil}, row[0], row[1], row[2],
			part{t.r.key(tool), nil}, part{annotations(tool), nil}, part{gradeText(t.r.grades[toolKey{tool.Scan, tool.ID}]), nil})
	}
}

// effectText says what an effect is: its kind, the call, and what that is done to as far as it is known.
func effectText(x *flow.Effect) string {
	parts := []string{string(x.Kind) + ":", Escape(x.Callee)}
	if x.Callee == "" {
		parts[1] = "?"
	}
	for _, s := range []string{x.Method, x.URL, x.Verb, x.Table} {
		if s != "" {
			parts = append(parts, Escape(s))
		}
	}
	return strings.Join(parts, " ")
}

// guards names what stands before an effect, best first.
func (t *text) guards(tool Tool, p flow.Protection) string {
	const most = 2
	var out []string
	for _, g := range p.By {
		row := string(g.Kind)
		if g.Span.IsValid() {
			row += " " + escapePath(t.r.Path(tool.Scan, g.Span.File)) + ":" + itoa(g.Span.Line)
		}
		if g.Told != "" {
			row += " (as " + escapePath(t.r.Path(tool.Scan, audit.FileOf(g.Told))) + " says)"
		}
		if !slices.Contains(out, row) {
			out = append(out, row)
		}
	}
	if len(out) > most {
		out = append(out[:most], "…")
	}
	if len(out) == 0 {
		return "-"
	}
	return strings.Join(out, ", ")
}

// annotations lists the hints of a tool that speak of repeats.
func annotations(t Tool) string {
	var out []string
	for _, name := range []string{"readOnlyHint", "destructiveHint", "idempotentHint"} {
		a, ok := t.Annotation(name)
		if !ok {
			continue
		}
		short := strings.TrimSuffix(name, "Hint")
		switch a.Value {
		case "true":
			out = append(out, short)
		case "false":
			out = append(out, "not "+short)
		default:
			out = append(out, short+"?")
		}
	}
	if len(out) == 0 {
		return "-"
	}
	return strings.Join(out, ", ")
}

// part is a piece of text with a colour, nil for none.
type part struct {
	text string
	c    *color.Color
}

// matrix aligns rows of text in columns.
type matrix struct {
	p    *Palette
	rows [][]part
}

func (m *matrix) row(c *color.Color, texts ...string) {
	var row []part
	for _, s := range texts {
		row = append(row, part{s, c})
	}
	m.rows = append(m.rows, row)
}

func (m *matrix) parts(row ...part) { m.rows = append(m.rows, row) }

func (m *matrix) write(w io.StringWriter) {
	var widths []int
	for _, row := range m.rows {
		for i, x := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], uniseg.StringWidth(x.text))
		}
	}
	for _, row := range m.rows {
		gap := 0
		for i, x := range row {
			if x.text != "" {
				w.WriteString(strings.Repeat(" ", gap))
				gap = 0
				if x.c != nil {
					w.WriteString(x.c.Sprint(x.text))
				} else {
					w.WriteString(x.text)
				}
			}
			gap += widths[i] - uniseg.StringWidth(x.text) + 2
		}
		w.WriteString("\n")
	}
}
