package reports

import (
	"bufio"
	"io"
	"strings"

	"github.com/retrysafe/retrysafe/rules"
)

// RulesText lists rules by family for people.
func RulesText(w io.Writer, list []*rules.Rule, p *Palette) error {
	out := bufio.NewWriter(w)
	m := matrix{p: p}
	flush := func() {
		m.write(out)
		m.rows = nil
	}
	for i, r := range list {
		if i == 0 || r.Family != list[i-1].Family {
			flush()
			if i > 0 {
				out.WriteString("\n")
			}
			out.WriteString(p.strong.Sprint(r.Family.Title()) + "\n")
		}
		title := r.Title
		if r.Pedantic {
			title += " (pedantic)"
		}
		if r.Experimental {
			title += " (experimental)"
		}
		m.parts(part{" ", nil}, part{r.Name, nil}, part{strings.ToLower(r.Severity.String()), p.severity(r.Severity)}, part{title, nil})
	}
	flush()
	return out.Flush()
}

type ruleV1 struct {
	Name     string `json:"name"`
	Title    string `json:"title"`
	Severity string `json:"severity"`
	CWE      int    `json:"cwe"`
	Family   string `json:"family"`
	Pedantic bool   `json:"pedantic"`
	// Experimental rules do not count for the gate.
	Experimental bool   `json:"experimental,omitempty"`
	Text         string `json:"text"` // markdown
	Fix          string `json:"fix"`
	Since        string `json:"since"`
}

// RulesJSON lists rules as a JSON array.
func RulesJSON(w io.Writer, list []*rules.Rule) error {
	out := []ruleV1{}
	for _, r := range list {
		out = append(out, ruleV1{r.Name, r.Title, r.Severity.String(), r.CWE, r.Family.Title(), r.Pedantic, r.Experimental, r.Text, r.Fix, r.Since})
	}
	return writeJSON(w, out)
}
