package docs

import (
	"fmt"
	"strings"

	"github.com/retrysafe/retrysafe/rules"
)

// Table lists all rules by family in markdown. prefix leads from the place of the table to this package's folder.
func Table(prefix string) string { return table(rules.All(), prefix) }

func table(list []*rules.Rule, prefix string) string {
	var b strings.Builder
	for i, r := range list {
		if i == 0 || r.Family != list[i-1].Family {
			if i > 0 {
				b.WriteString("\n")
			}
			fmt.Fprintf(&b, "**%s**\n\n| rule | severity | what it reports |\n|---|---|---|\n", r.Family.Title())
		}
		severity := r.Severity.String()
		if r.Pedantic {
			severity += ", pedantic"
		}
		if r.Experimental {
			severity += ", experimental"
		}
		fmt.Fprintf(&b, "| [%s](%s%s.md) | %s | %s |\n", r.Name, prefix, r.Name, severity, strings.ReplaceAll(r.Title, "|", `\|`))
	}
	return b.String()
}
