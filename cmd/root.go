package cmd

import (
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/retrysafe/retrysafe/analyzers/model"
)

func newRoot(a *app) *cobra.Command {
	root := &cobra.Command{
		Use:   "retrysafe",
		Short: "Audit agent and MCP servers for what happens when a tool call arrives twice",
		Long: `retrysafe reads the source of agent and MCP servers, follows every tool that
changes something to its effects, and says where a repeated call acts again, where
one caller can have the result stored under another's key, and where an annotation
promises what the code does not keep.

It executes nothing of the code it reads and needs no network.`,
		Example: `  retrysafe scan                  audit the current folder
  retrysafe tools src             what each tool changes, and what guards it
  retrysafe explain no-expiry     what a rule means and how to repair it`,
		SilenceUsage:  true,
		SilenceErrors: true,
		Version:       release,
	}
	root.Args = unknownCommand
	root.RunE = func(c *cobra.Command, args []string) error { return c.Help() }
	root.SetFlagErrorFunc(flagError)
	root.SetVersionTemplate("retrysafe {{.Version}}\n")
	root.AddCommand(newScan(a), newTools(a), newRules(a), newExplain(a), newCatalog(a), newDump(a), newVersion(a), newDev(a))
	return root
}

// unknownCommand explains what is no command.
func unknownCommand(root *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	if _, err := os.Stat(args[0]); err == nil {
		return usage(fmt.Errorf("%q is no command; did you mean 'retrysafe scan %s'?", args[0], strings.Join(args, " ")))
	}
	var names []string
	for _, c := range root.Commands() {
		if !c.Hidden {
			names = append(names, c.Name())
		}
	}
	if near := model.Nearest(args[0], names); near != "" {
		return usage(fmt.Errorf("unknown command %q; did you mean %s?", args[0], near))
	}
	return usage(fmt.Errorf("unknown command %q", args[0]))
}
