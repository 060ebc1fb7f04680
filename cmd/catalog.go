package cmd

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/retrysafe/retrysafe/analyzers/audit/config"
	"github.com/retrysafe/retrysafe/analyzers/catalog"
	"github.com/retrysafe/retrysafe/reports"
)

func newCatalog(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:   "catalog",
		Short: "Show what is known about libraries, and check rows of your own",
		Long: `What libraries do is data: rows that say how tools are registered, what a call
changes, which calls keep records, and where values come from. list shows those that
come with the program; check reads rows of your own, as scan --catalog FILE takes
them, or as they stand under "catalog:" in the .retrysafe.yaml of a repository.`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return nil
			}
			return usage(fmt.Errorf("catalog has no command %q; there are list and check", args[0]))
		},
		RunE: func(c *cobra.Command, args []string) error { return c.Help() },
	}
	c.AddCommand(newCatalogList(a), newCatalogCheck(a))
	return c
}

func newCatalogList(a *app) *cobra.Command {
	var format, section string
	var files []string
	c := &cobra.Command{
		Use:   "list [TEXT…]",
		Short: "List the rows by what they say and by library, with their sources",
		Long: `list shows the rows by section and library: each with its id, the symbols of which
it speaks, what it says, and before them where that was read and when. Of several
TEXTs each must occur in a row: in its id, its symbols, its library or its source.`,
		Example: `  retrysafe catalog list stripe
  retrysafe catalog list --section tool mcp`,
		RunE: func(c *cobra.Command, args []string) error {
			if err := oneOf("--format", format, "text", "json"); err != nil {
				return err
			}
			if section != "" {
				if err := oneOf("--section", section, catalog.SectionNames()...); err != nil {
					return err
				}
			}
			n := &analysis{app: a, catalogs: files}
			sources, err := n.sources()
			if err != nil {
				return err
			}
			cat, err := catalog.Load(sources...)
			if err != nil {
				return wrong(err)
			}
			rows := cat.Select(section, args...)
			if len(rows) == 0 {
				return wrong(fmt.Errorf("no row has %s", strings.Join(args, " and ")))
			}
			return a.print(func(w io.Writer) error {
				if format == "json" {
					return reports.CatalogJSON(w, rows)
				}
				return reports.CatalogText(w, rows, a.palette())
			})
		},
	}
	c.Flags().StringVar(&format, "format", "text", "`FORMAT` of the output: text, json")
	c.Flags().StringVar(&section, "section", "", "list the rows that have this `SECTION`: effect, record, tool, route, …")
	c.Flags().StringArrayVar(&files, "catalog", nil, "list the rows of `FILE` too; repeatable")
	return c
}

func newCatalogCheck(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "check [FILE…]",
		Short: "Check rows of your own, and say what they add",
		Long: `check reads files of rows strictly: an unknown field or word, a broken access path or
a row that says nothing is an error with its place, and the exit code is 2. A file
called .retrysafe.yaml holds its rows under "catalog:"; it is what is checked where no
FILE is given, that of the current folder or of the nearest folder above.

Of each row it says what it adds, in the place of which built-in row it stands, and
whether it is never asked because nothing is called so.`,
		Example: `  retrysafe catalog check
  retrysafe catalog check rows/acme.yaml`,
		RunE: func(c *cobra.Command, args []string) error {
			sources, err := checkedSources(args)
			if err != nil {
				return err
			}
			cat, err := catalog.Load(sources...)
			if err != nil {
				return wrong(err)
			}
			return a.print(func(w io.Writer) error { return reports.CatalogCheckText(w, cat.UserRows(), a.palette()) })
		},
	}
}

// checkedSources reads the files to check, or the settings around the current folder.
func checkedSources(names []string) ([]catalog.Source, error) {
	if len(names) == 0 {
		name, err := nearestConfig()
		if err != nil {
			return nil, err
		}
		names = []string{name}
	}
	var out []catalog.Source
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			return nil, wrong(err)
		}
		source := catalog.Source{Name: filepath.ToSlash(name), Data: data, Trusted: true}
		if filepath.Base(name) == config.Name {
			file, err := config.Parse(source.Name, data)
			if err != nil {
				return nil, wrong(err)
			}
			if file.Rows == nil {
				continue // settings without rows are fine
			}
			source = *file.Rows
			source.Trusted, source.Base = true, ""
		}
		out = append(out, source)
	}
	return out, nil
}

// nearestConfig finds the settings of the current folder, or of the nearest one above.
func nearestConfig() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", wrong(err)
	}
	up := ""
	for {
		if info, err := os.Stat(filepath.Join(dir, config.Name)); err == nil && info.Mode().IsRegular() {
			return filepath.Join(up, config.Name), nil
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", wrong(errors.New("no .retrysafe.yaml here or above; name the FILE to check"))
		}
		dir, up = parent, filepath.Join(up, "..")
	}
}
