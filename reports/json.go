package reports

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"unicode"

	"github.com/retrysafe/retrysafe/analyzers/flow"
	"github.com/retrysafe/retrysafe/analyzers/model"
	"github.com/retrysafe/retrysafe/rules"
)

// JSON writes a report in the format SchemaV1. The same report gives the same bytes.
func JSON(w io.Writer, r *Report) error {
	return writeJSON(w, r.v1())
}

func writeJSON(w io.Writer, v any) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(v); err != nil {
		return err
	}
	_, err := w.Write(escapeJSON(b.Bytes()))
	return err
}

// escapeJSON writes what would act on a terminal as \u escapes. Outside strings JSON has only ASCII, so that every such
// character stands in a string.
func escapeJSON(text []byte) []byte {
	if !bytes.ContainsFunc(text, acts) {
		return text
	}
	var b bytes.Buffer
	for _, c := range string(text) {
		switch {
		case !acts(c):
			b.WriteRune(c)
		case c > 0xffff:
			c -= 0x10000
			fmt.Fprintf(&b, `\u%04x\u%04x`, 0xd800+c>>10, 0xdc00+c&0x3ff)
		default:
			fmt.Fprintf(&b, `\u%04x`, c)
		}
	}
	return b.Bytes()
}

// acts reports whether a character does something instead of being seen: controls, changes of direction, separators of lines.
// Tabs and ends of lines are left to the callers; joiners are part of what is written.
func acts(c rune) bool {
	switch {
	case c == '\n', c == '\t', c == '\u200c', c == '\u200d':
		return false
	case c < ' ', c >= 0x7f && c < 0xa0:
		return true
	}
	return c >= 0xad && unicode.In(c, unicode.Cf, unicode.Zl, unicode.Zp)
}

func (r *Report) v1() *reportV1 {
	tools := r.toolsV1()
	by, suppressed := r.counts()
	out := &reportV1{Schema: SchemaV1, Version: r.Version, Base: r.Base(), Tools: tools, Findings: []findingV1{}, Coverage: r.coverageV1(), Told: r.toldV1(),
		Summary: summaryV1{Tools: len(tools), Suppressed: suppressed,
			Findings: countsV1{High: by[rules.High], Medium: by[rules.Medium], Low: by[rules.Low]}}}
	for _, t := range r.Tools() {
		if t.Writes() {
			out.Summary.Writes++
		}
		switch t.Kind {
		case flow.HTTPRoute:
			out.Summary.Routes++
		case flow.Webhook:
			out.Summary.Webhooks++
		case flow.Exported:
			out.Summary.Exported++
		}
	}
	out.Summary.Grade, out.Summary.Unjudged = gradeV1(r.Grade), len(r.unjudged())
	for _, f := range r.Findings {
		out.Findings = append(out.Findings, r.findingV1(f))
	}
	return out
}

func (r *Report) toolsV1() []toolV1 {
	out := []toolV1{}
	for _, t := range r.Tools() {
		v := toolV1{
			ID:   string(t.Kind) + ":" + t.Name + "@" + r.Path(t.Scan, t.Span.File) + idOrdinal(t.Tool),
			Name: t.Name, Kind: string(t.Kind), Framework: t.Framework, Language: string(t.Language),
			File: r.Path(t.Scan, t.Span.File), Line: int(t.Span.Line), Column: int(t.Span.Col),
			Nature: string(natureOf(t.Tool)), Effects: []effectV1{}, Annotations: map[string]any{}, Key: r.key(t),
			Unresolved: []callV1{}, Partial: !t.Understood(), Confidence: rules.ConfidenceText(t.Confidence), Findings: []string{},
			Grade: gradeV1(r.grades[toolKey{t.Scan, t.ID}]),
		}
		if t.HandlerFn != nil && t.Handler.IsValid() {
			v.Handler = &placeV1{r.Path(t.Scan, t.Handler.File), int(t.Handler.Line)}
		}
		for _, x := range r.effects(t) {
			p := r.protectionOf(t, x)
			e := effectV1{Kind: string(x.Kind), Nature: string(x.Nature), Callee: Mask(x.Callee), File: r.Path(t.Scan, x.Span.File),
				Line: int(x.Span.Line), Method: x.Method, URL: Mask(x.URL), Statement: x.Verb, Table: Mask(x.Table), Protection: p.Level.String(), By: []guardV1{}}
			for _, g := range p.By {
				e.By = append(e.By, guardV1{string(g.Kind), r.Path(t.Scan, g.Span.File), int(g.Span.Line), maskMessage(g.Why)})
			}
			v.Effects = append(v.Effects, e)
		}
		for _, a := range t.Annotations {
			v.Annotations[a.Name] = annotationV1(a.Value)
		}
		for _, x := range t.Unresolved {
			c := callV1{Mask(x.Callee), r.Path(t.Scan, x.Span.File), int(x.Span.Line)}
			if !slices.Contains(v.Unresolved, c) {
				v.Unresolved = append(v.Unresolved, c)
			}
		}
		for _, f := range r.byTool[toolKey{t.Scan, t.ID}] {
			v.Findings = append(v.Findings, f.Fingerprint)
		}
		out = append(out, v)
	}
	return out
}

func gradeV1(g Grade) *string {
	if g == "" {
		return nil
	}
	text := string(g)
	return &text
}

// idOrdinal is the "#2" that makes the id of the second tool of one name in one file unique.
func idOrdinal(t *flow.Tool) string {
	plain := string(t.Kind) + ":" + t.Name + "@" + t.Span.File
	if len(t.ID) > len(plain) && t.ID[:len(plain)] == plain {
		return t.ID[len(plain):]
	}
	return ""
}

func natureOf(t *flow.Tool) model.Nature {
	if t.Nature == "" {
		return model.Read
	}
	return t.Nature
}

func annotationV1(value string) any {
	switch value {
	case "":
		return nil
	case "true":
		return true
	case "false":
		return false
	}
	return Mask(value)
}

func (r *Report) findingV1(f Finding) findingV1 {
	out := findingV1{
		Rule: f.Rule.Name, Severity: f.Severity.String(), Confidence: rules.ConfidenceText(f.Confidence), Message: maskMessage(f.Message),
		Tool: f.Tool(), Tools: []string{}, File: r.Path(f.Scan, f.Primary.File),
		Line: int(f.Primary.Line), Column: int(f.Primary.Col), EndLine: int(f.Primary.EndLine), EndColumn: int(f.Primary.EndCol),
		Related: []relatedV1{}, Fix: maskMessage(f.Fix), CWE: f.CWE, Fingerprint: f.Fingerprint,
	}
	for _, t := range f.Tools {
		out.Tools = append(out.Tools, t.Name)
	}
	for _, rel := range f.Related {
		out.Related = append(out.Related, relatedV1{r.Path(f.Scan, rel.Span.File), int(rel.Span.Line), int(rel.Span.Col), maskMessage(rel.Message)})
	}
	if s := f.Suppressed; s != nil {
		out.Suppressed = &suppressionV1{s.Kind, Mask(s.Reason), r.Path(f.Scan, s.Span.File), int(s.Span.Line)}
	}
	return out
}

func (r *Report) coverageV1() coverageV1 {
	out := coverageV1{Skipped: []skippedV1{}, Degraded: []degradedV1{}, Unresolved: []unresolvedV1{}, Unsupported: []unsupportedV1{}, Complete: r.Complete, Incomplete: []unresolvedV1{}}
	for i, s := range r.Scans {
		c := s.Coverage
		out.Files += c.Files
		out.Bytes += c.Bytes
		for _, x := range c.Skipped {
			out.Skipped = append(out.Skipped, skippedV1{r.Path(i, x.File), string(x.Reason)})
		}
		for _, x := range c.Degraded {
			out.Degraded = append(out.Degraded, degradedV1{r.Path(i, x.Package), maskMessage(x.Reason)})
		}
		for _, x := range c.Notes {
			if x.Cut {
				out.Incomplete = append(out.Incomplete, unresolvedV1{r.Path(i, x.Span.File), int(x.Span.Line), maskMessage(x.What)})
				continue
			}
			reason := x.What
			if x.Span.IsValid() {
				reason = fmt.Sprintf("line %d: %s", x.Span.Line, reason)
			}
			out.Degraded = append(out.Degraded, degradedV1{r.Path(i, x.Span.File), maskMessage(reason)})
		}
		for _, x := range c.Unresolved {
			out.Unresolved = append(out.Unresolved, unresolvedV1{r.Path(i, x.Span.File), int(x.Span.Line), maskMessage(x.What)})
		}
		for _, x := range c.Unsupported {
			out.Unsupported = append(out.Unsupported, unsupportedV1{r.Path(i, x.File), x.Language})
		}
	}
	for _, cause := range r.causes() {
		out.Incomplete = append(out.Incomplete, unresolvedV1{What: cause})
	}
	return out
}
