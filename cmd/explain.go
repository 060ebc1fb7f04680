package cmd

import (
	"io"

	"github.com/spf13/cobra"

	"github.com/retrysafe/retrysafe/reports"
	"github.com/retrysafe/retrysafe/rules"
	"github.com/retrysafe/retrysafe/rules/docs"
)

func newExplain(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "explain RULE",
		Short: "Explain a rule: what, why, when it is fine, how to repair it",
		Args:  cobra.ExactArgs(1),
		ValidArgsFunction: func(c *cobra.Command, args []string, prefix string) ([]string, cobra.ShellCompDirective) {
			var names []string
			for _, r := range rules.All() {
				names = append(names, r.Name+"\t"+r.Title)
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(c *cobra.Command, args []string) error {
			r, err := findRule(args[0])
			if err != nil {
				return err
			}
			page, ok := docs.Page(r.Name)
			if !ok {
				page = docs.Render(r)
			}
			return a.print(func(w io.Writer) error { return reports.Page(w, page, a.palette()) })
		},
	}
}
