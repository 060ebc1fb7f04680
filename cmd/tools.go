package cmd

import (
	"io"

	"github.com/spf13/cobra"

	"github.com/retrysafe/retrysafe/reports"
)

func newTools(a *app) *cobra.Command {
	n := &analysis{app: a}
	var format string
	c := &cobra.Command{
		Use:   "tools [PATH…]",
		Short: "Show every tool, what it changes, and what guards that against a repeat",
		Long: `tools shows the protection matrix: a row for each effect of each tool.

PROTECTED is none, weak (something stands before the effect, but it is racy, late or
not the same on a repeat), full, or converges (a second run leaves the same state).`,
		RunE: func(c *cobra.Command, args []string) error {
			if err := oneOf("--format", format, "text", "json"); err != nil {
				return err
			}
			scans, nothing, err := n.run(c.Context(), args)
			if err != nil {
				return err
			}
			defer closeAll(scans)
			r := n.report(scans)
			err = a.print(func(w io.Writer) error {
				if format == "json" {
					return reports.ToolsJSON(w, r)
				}
				return reports.ToolsText(w, r, a.palette())
			})
			if err == nil && nothing {
				return &exitError{code: exitNothing, err: errNothing(args)}
			}
			return err
		},
	}
	c.Flags().StringVar(&format, "format", "text", "`FORMAT` of the output: text, json")
	n.selection(c)
	n.input(c)
	return c
}
