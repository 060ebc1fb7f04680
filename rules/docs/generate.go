package docs

import (
	"fmt"
	"io/fs"
	"strings"

	"github.com/retrysafe/retrysafe/rules"
)

// Generate gives the pages of all rules by file name, and README.md, which lists them. stories is the directory testdata/rules.
func Generate(stories fs.FS) (map[string]string, error) {
	out := map[string]string{"README.md": index(rules.All())}
	for _, r := range rules.All() {
		examples, err := findExamples(stories, r.Name)
		if err != nil {
			return nil, fmt.Errorf("examples of %s: %w", r.Name, err)
		}
		out[r.Name+".md"] = page(r, examples)
	}
	return out, nil
}

func page(r *rules.Rule, examples []example) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n**%s** · %s · CWE-%d", r.Name, r.Title, r.Severity, r.CWE)
	if r.Pedantic {
		b.WriteString(" · only with `--pedantic`")
	}
	if r.Experimental {
		b.WriteString(" · experimental: it does not count for the exit code")
	}
	fmt.Fprintf(&b, " · since %s\n\n%s\n\n## Fix\n\n%s\n", r.Since, strings.TrimSpace(r.Text), r.Fix)
	for _, e := range examples {
		block(&b, "Reported", e.language, e.before)
		if e.after != "" {
			block(&b, "Not reported", e.language, e.after)
		}
	}
	if len(r.Supersedes) > 0 {
		fmt.Fprintf(&b, "\n## One defect, one finding\n\nWhere this rule reports, these do not report the same effect, record or key: %s.\n", names(r.Supersedes))
	}
	if r.NeedsProgram {
		b.WriteString("\nThe rule rests on what the whole program lacks; it stays silent where only a part of the program is seen.\n")
	}
	return b.String()
}

func block(b *strings.Builder, title, language, code string) {
	fmt.Fprintf(b, "\n## %s\n\n```%s\n%s\n```\n", title, language, strings.TrimRight(code, "\n"))
}

func names(list []string) string {
	var out []string
	for _, name := range list {
		if rules.Find(name) == nil {
			out = append(out, "`"+name+"`")
			continue
		}
		out = append(out, fmt.Sprintf("[%s](%s.md)", name, name))
	}
	return strings.Join(out, ", ")
}

func index(list []*rules.Rule) string {
	return "# Rules\n\nWritten by `go run . dev docs`; changes belong into the rules and their stories.\n\n" +
		table(list, "")
}

// Render gives the page of a rule without examples.
func Render(r *rules.Rule) string { return page(r, nil) }
