package cmd

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/retrysafe/retrysafe/analyzers/model"
)

func newDump(a *app) *cobra.Command {
	n := &analysis{app: a, minSeverity: "note", minConfidence: "likely"}
	var spans bool
	c := &cobra.Command{
		Use:   "dump PATH",
		Short: "Write the model of the sources below a path, for contributors",
		Args:  cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			scans, nothing, err := n.run(c.Context(), args)
			if err != nil {
				return err
			}
			defer closeAll(scans)
			if nothing {
				return &exitError{code: exitNothing, err: errNothing(args)}
			}
			s := scans[0]
			var units []*model.Unit
			for _, u := range s.Units {
				if slices.ContainsFunc(append([]string{u.Path}, u.Files...), s.Within) {
					units = append(units, u)
				}
			}
			slices.SortFunc(units, func(a, b *model.Unit) int { return strings.Compare(a.Path, b.Path) })
			return a.print(func(w io.Writer) error {
				for i, u := range units {
					if i > 0 {
						fmt.Fprintln(w)
					}
					if err := (model.DumpOptions{Spans: spans}).Dump(w, u); err != nil {
						return err
					}
				}
				return nil
			})
		},
	}
	c.Flags().BoolVar(&spans, "spans", false, "write the place of everything")
	n.input(c)
	return c
}
