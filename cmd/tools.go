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
		Long: `tools shows the protection matrix: a row for each effect of each tool. With
--format json it writes the same report as scan.

KIND         mcp and agent are tools that a model calls, http a route that takes a key
             or a signed event, webhook a route to which a vendor delivers events,
             exported what a library offers and nothing in the program calls.
NATURE       what a second call does: additive acts again, transition takes a step of
             a status machine again, destructive deletes again, replacing leaves the
             same state, read changes nothing. "or worse" and "unknown": some of what
             the tool calls was not followed, so it may do more.
EFFECT       the call, and the request or the statement as far as known.
PROTECTED    full: on every way to the effect a record is claimed, a stable key is given
             to the vendor, or a constraint refuses the repeat. weak: something stands
             before it, but it is racy, late or not the same on a repeat. none: nothing
             does. converges: nothing does, and a second run leaves the same state.
BY           what stands there, and where.
KEY          by what a repeat is recognised: param (an argument), header, derived (made
             of the arguments), vendor (a key given to the vendor), constraint, or none.
ANNOTATIONS  the hints that the tool declares: readOnly stands for readOnlyHint: true,
             "not readOnly" for false, "readOnly?" for a value that is computed.
GRADE        A to F. A tool loses 8 points for a HIGH finding, 3 for a MEDIUM, 1 for a
             LOW one; three quarters of that where it is likely, a quarter where it is
             possible. Half a point or less is an A, less than 3 a B, 6 a C, 12 a D,
             more an F. A program loses the mean over the tools that write, or half of
             what the worst one loses if that is more. Both get a B at best where
             something was not followed or understood. An A or B is withheld ("-") from
             a tool that is not known to write and was not followed, and from a program
             half of whose tools are such.`,
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
					return reports.JSON(w, r)
				}
				return reports.ToolsText(w, r, a.palette())
			})
			switch {
			case err != nil:
				return err
			case nothing:
				return &exitError{code: exitNothing, err: errNothing(args)}
			}
			n.warn(r)
			return nil
		},
	}
	c.Flags().StringVar(&format, "format", "text", "`FORMAT` of the output: text, json")
	n.selection(c)
	n.input(c)
	return c
}
