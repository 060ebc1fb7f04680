package cmd

import (
	"io"

	"github.com/spf13/cobra"

	"github.com/retrysafe/retrysafe/reports"
	"github.com/retrysafe/retrysafe/rules"
)

func newRules(a *app) *cobra.Command {
	var format string
	c := &cobra.Command{
		Use:   "rules",
		Short: "List the rules",
		Args:  cobra.NoArgs,
		RunE: func(c *cobra.Command, args []string) error {
			if err := oneOf("--format", format, "text", "json"); err != nil {
				return err
			}
			return a.print(func(w io.Writer) error {
				if format == "json" {
					return reports.RulesJSON(w, rules.All())
				}
				return reports.RulesText(w, rules.All(), a.palette())
			})
		},
	}
	c.Flags().StringVar(&format, "format", "text", "`FORMAT` of the output: text, json")
	return c
}
