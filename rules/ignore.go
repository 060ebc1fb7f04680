package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/retrysafe/retrysafe/analyzers/flow"
	"github.com/retrysafe/retrysafe/analyzers/model"
)

// marker begins a comment to the auditor:
//
//	// retrysafe:ignore unbound-caller, no-expiry -- why it is fine here
//
// It speaks of its own line, or, where it stands alone, of the next line that is not such a comment.
const marker = "retrysafe:ignore"

// directive is an ignore comment.
type directive struct {
	span   model.Span
	rules  []string
	reason string
	line   int // the line it speaks of
	used   map[string]bool
}

var badIgnore = &Rule{
	Name: "bad-ignore", Title: "An ignore comment cannot be obeyed", Severity: Low, CWE: 1116, Family: CommentFamily, Since: "0.1.0",
	Text: "A `retrysafe:ignore` comment names no rule or one that does not exist, or gives no reason. It is not obeyed: " +
		"a finding that is hidden without a reason cannot be judged by the next reader.\n\n" +
		"Write `// retrysafe:ignore unbound-caller -- one tenant per deployment`.",
	Fix: "Name existing rules and give the reason after ` -- `.",
}

var staleIgnore = &Rule{
	Name: "stale-ignore", Title: "An ignore comment matches nothing", Severity: Note, CWE: 1116, Family: CommentFamily, Since: "0.1.0",
	NeedsProgram: true,
	Text: "A `retrysafe:ignore` comment stands where its rule finds nothing, because the defect was repaired or the line has moved away. " +
		"Left in place it would hide the next one.",
	Fix: "Delete the comment.",
}

// ignore suppresses the findings that comments speak of, and adds findings about comments that cannot be obeyed or match nothing.
// A comment also matches a finding that another one silenced.
func ignore(res *flow.Result, src Source, opts *Options, findings, silenced []*Finding) []*Finding {
	if src == nil {
		return findings
	}
	known := map[string]bool{}
	for _, r := range All() {
		known[r.Name] = true
	}
	for _, r := range opts.Rules {
		known[r.Name] = true
	}
	type place struct {
		file string
		line int
	}
	at := map[place][]*directive{}
	var all []*directive
	for _, file := range filesOf(res, opts, findings) {
		for _, d := range directives(file, src.Lines(file)) {
			if why := d.wrong(known); why != "" {
				findings = append(findings, &Finding{Rule: badIgnore, Severity: badIgnore.Severity, Confidence: model.Certain,
					Message: why, Primary: d.span, Fix: badIgnore.Fix, CWE: badIgnore.CWE})
				continue
			}
			k := place{file, d.line}
			at[k] = append(at[k], d)
			all = append(all, d)
		}
	}
	for _, f := range slices.Concat(findings, silenced) {
		for _, d := range at[place{f.Primary.File, int(f.Primary.Line)}] {
			if slices.Contains(d.rules, f.Rule.Name) {
				d.used[f.Rule.Name] = true
				f.Suppressed = &Suppression{Kind: "ignore", Reason: d.reason, Span: d.span}
			}
		}
	}
	if opts.Partial {
		return findings
	}
	for _, d := range all {
		for _, name := range d.rules {
			if !d.used[name] {
				findings = append(findings, &Finding{Rule: staleIgnore, Severity: staleIgnore.Severity, Confidence: model.Certain,
					Message: fmt.Sprintf("%s reports nothing here", quote(name)), Primary: d.span, Fix: staleIgnore.Fix,
					CWE: staleIgnore.CWE, bound: name})
			}
		}
	}
	return findings
}

// filesOf lists the files to search for comments.
func filesOf(res *flow.Result, opts *Options, findings []*Finding) []string {
	files := slices.Clone(opts.Files)
	for _, t := range res.Tools {
		files = append(files, t.Span.File, t.Handler.File)
	}
	for _, f := range findings {
		files = append(files, f.Primary.File)
	}
	slices.Sort(files)
	files = slices.Compact(files)
	if len(files) > 0 && files[0] == "" {
		files = files[1:]
	}
	return files
}

// directives reads the comments of a file.
func directives(file string, lines []string) []*directive {
	var out, alone []*directive
	for i, line := range lines {
		n := i + 1
		at, body := commentAt(line)
		if at < 0 {
			for _, d := range alone {
				d.line = n
			}
			alone = nil
			continue
		}
		d := parseDirective(body)
		d.span = model.Span{File: file, Line: int32(n), Col: int32(at + 1), EndLine: int32(n), EndCol: int32(len(line) + 1)}
		d.line = n
		out = append(out, d)
		if before := strings.TrimSpace(line[:at]); before == "" || before == "{" {
			alone = append(alone, d)
		}
	}
	return out
}

func parseDirective(body string) *directive {
	d := &directive{used: map[string]bool{}}
	names, reason, _ := strings.Cut(body, "--")
	d.reason = strings.TrimSpace(reason)
	for _, name := range strings.FieldsFunc(names, func(r rune) bool { return r == ',' || r == ' ' || r == '\t' }) {
		if !slices.Contains(d.rules, name) {
			d.rules = append(d.rules, name)
		}
	}
	return d
}

// wrong says why a comment cannot be obeyed, "" if it can.
func (d *directive) wrong(known map[string]bool) string {
	if len(d.rules) == 0 {
		return "the comment names no rule"
	}
	for _, name := range d.rules {
		if !known[name] {
			return fmt.Sprintf("there is no rule %s", quote(name))
		}
	}
	if d.reason == "" {
		return "the comment gives no reason"
	}
	return ""
}

// commentAt finds a comment to the auditor in a line: where the comment starts, and what follows the marker up to the comment's end.
// at is -1 without one. Text between quotes is no comment.
func commentAt(line string) (at int, body string) {
	if !strings.Contains(line, marker) {
		return -1, ""
	}
	var quoted byte
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case quoted != 0:
			if c == '\\' {
				i++
			} else if c == quoted {
				quoted = 0
			}
		case c == '"' || c == '\'' || c == '`':
			quoted = c
		case c == '/' && i+1 < len(line) && (line[i+1] == '/' || line[i+1] == '*'):
			text := strings.TrimLeft(line[i+2:], "/* \t")
			rest, ok := strings.CutPrefix(text, marker)
			if !ok || rest != "" && rest[0] != ' ' && rest[0] != '\t' && rest[0] != '*' {
				if line[i+1] == '/' {
					return -1, "" // the rest of the line is another comment
				}
				if end := strings.Index(line[i+2:], "*/"); end >= 0 {
					i += end + 3
					continue
				}
				return -1, ""
			}
			if line[i+1] == '*' {
				rest, _, _ = strings.Cut(rest, "*/")
			}
			return i, strings.TrimSpace(rest)
		}
	}
	return -1, ""
}
