package cmd

import (
	"github.com/spf13/cobra"
)

func newRoot(a *app) *cobra.Command {
	root := &cobra.Command{
		Use:   "retrysafe",
		Short: "Audit agent and MCP servers for what happens when a tool call arrives twice",
		Long: `retrysafe reads the source of agent and MCP servers, follows every tool that
changes something to its effects, and says where a retry charges twice, where one
caller can replay another's key, where a captured request can be sent again, and
where an annotation promises what the code does not keep.

It executes nothing of the code it reads and needs no network.`,
		Example: `  retrysafe scan                  audit the current folder
  retrysafe tools src             what each tool changes, and what guards it
  retrysafe explain racy-claim    what a rule means and how to repair it`,
		SilenceUsage:  true,
		SilenceErrors: true,
		Version:       release,
	}
	root.SetFlagErrorFunc(flagError)
	root.SetVersionTemplate("retrysafe {{.Version}}\n")
	root.AddCommand(newScan(a), newTools(a), newRules(a), newExplain(a), newDump(a), newVersion(a), newDev(a))
	return root
}
