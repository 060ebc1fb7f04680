package reports

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/retrysafe/retrysafe/rules"
)

// Markdown writes a summary for comments and job summaries: a table of the findings and what was counted. What comes from the scanned program
// cannot leave its cell, make links or mention people.
func Markdown(w io.Writer, r *Report) error {
	out := bufio.NewWriter(w)
	by, suppressed := r.counts()
	total := by[rules.High] + by[rules.Medium] + by[rules.Low] + by[rules.Note]
	title := "no findings"
	if why := r.NoTools(); why != "" {
		title = why
	}
	if total > 0 {
		title = count(total, "finding")
	}
	if r.noneJudged() {
		title += ", but no tool was judged"
	}
	fmt.Fprintf(out, "## retrysafe: %s", title)
	if r.Grade != "" {
		fmt.Fprintf(out, ", grade %s", r.Grade)
	}
	out.WriteString("\n\n")
	if total > 0 {
		out.WriteString("| severity | rule | place | finding |\n|---|---|---|---|\n")
	}
	for _, f := range r.Findings {
		if f.Suppressed != nil {
			continue
		}
		fix := ""
		if f.Fix != "" {
			fix = "<br>*" + inline(f.Fix) + "*"
		}
		fmt.Fprintf(out, "| %s | %s | %s | %s%s |\n", f.Severity, f.Rule.Name,
			codeText(escapePath(fmt.Sprintf("%s:%d", r.Path(f.Scan, f.Primary.File), f.Primary.Line))), inline(f.Message), fix)
	}
	if total > 0 {
		out.WriteString("\n")
	}
	writes := 0
	tools := r.Tools()
	for _, t := range tools {
		if t.Writes() {
			writes++
		}
	}
	fmt.Fprintf(out, "%s, of which %d change something; %s read", r.entries(), writes, count(r.files(), "file"))
	for _, x := range []struct {
		n    int
		what string
	}{{r.HiddenPossible, "less sure"}, {r.HiddenMild, "milder"}, {r.HiddenRules, "of rules that were not asked for"}, {suppressed, "ignored by comments"}} {
		if x.n > 0 {
			fmt.Fprintf(out, "; %d more %s", x.n, x.what)
		}
	}
	if !r.Complete {
		out.WriteString("; **incomplete**")
	}
	out.WriteString(".\n")
	if what := r.Unjudged(); what != "" {
		fmt.Fprintf(out, "\n**Warning:** %s.\n", plainMarkdown(what))
	}
	if what := r.Told(); what != "" {
		fmt.Fprintf(out, "\n**Obeyed:** %s.\n", plainMarkdown(what))
	}
	return out.Flush()
}

// inline writes a sentence of a report, in which names stand between backticks, as markdown.
func inline(text string) string {
	parts := strings.Split(escapeMessage(text), "`")
	var b strings.Builder
	for i, part := range parts {
		switch {
		case i%2 == 1 && i < len(parts)-1:
			b.WriteString(codeText(part))
		case i%2 == 1:
			b.WriteString(plainMarkdown("`" + part))
		default:
			b.WriteString(plainMarkdown(part))
		}
	}
	return b.String()
}

// codeText quotes text that is escaped.
func codeText(text string) string {
	text = strings.ReplaceAll(text, "`", "'")
	if text == "" {
		return ""
	}
	return "`" + strings.ReplaceAll(text, "|", `\|`) + "`"
}

var markdownMeaning = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", "|", `\|`, "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`,
	"`", "\\`", "@", "&#64;", "#", `\#`, "~", `\~`, `\`, `\\`)

func plainMarkdown(text string) string { return markdownMeaning.Replace(text) }
