package cmd

import (
	"errors"
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
		Args: func(c *cobra.Command, args []string) error {
			switch len(args) {
			case 0:
				return wrong(errors.New("explain which rule? 'retrysafe rules' lists them; for example: retrysafe explain missing-key"))
			case 1:
				return nil
			}
			return usage(errors.New("explain takes one rule at a time"))
		},
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
