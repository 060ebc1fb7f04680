package cmd

import (
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/retrysafe/retrysafe/rules/docs"
)

// newDev holds the commands for contributors, run from the root of the module.
func newDev(a *app) *cobra.Command {
	c := &cobra.Command{Use: "dev", Short: "Commands for contributors", Hidden: true, Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, args []string) error { return c.Help() }}
	c.AddCommand(newDevDocs(a))
	return c
}

func newDevDocs(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "docs",
		Short: "Write the pages about the rules",
		Args:  cobra.NoArgs,
		RunE: func(c *cobra.Command, args []string) error {
			folder := filepath.Join("rules", "docs")
			pages, err := docs.Generate(os.DirFS(filepath.Join("testdata", "rules")))
			if err != nil {
				return wrong(err)
			}
			old, err := filepath.Glob(filepath.Join(folder, "*.md"))
			if err != nil {
				return wrong(err)
			}
			for _, name := range old {
				if _, ok := pages[filepath.Base(name)]; !ok {
					if err := os.Remove(name); err != nil {
						return wrong(err)
					}
				}
			}
			for _, name := range slices.Sorted(maps.Keys(pages)) {
				if err := os.WriteFile(filepath.Join(folder, name), []byte(pages[name]), 0o644); err != nil {
					return wrong(err)
				}
			}
			return a.print(func(w io.Writer) error {
				_, err := fmt.Fprintf(w, "%d pages in %s\n", len(pages), filepath.ToSlash(folder))
				return err
			})
		},
	}
}
