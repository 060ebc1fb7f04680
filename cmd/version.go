package cmd

import (
	"fmt"
	"io"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// release is the version of the program.
const release = "0.1.0"

func newVersion(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Show the version, and what the program was built from",
		Args:  cobra.NoArgs,
		RunE: func(c *cobra.Command, args []string) error {
			return a.print(func(w io.Writer) error {
				_, err := fmt.Fprintf(w, "retrysafe %s (%s, %s %s/%s)\n", release, revision(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
				return err
			})
		},
	}
}

// revision names the commit that the program was built from, as far as the build knows it.
func revision() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown revision"
	}
	commit, dirty := "", ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			commit = s.Value
		case s.Key == "vcs.modified" && s.Value == "true":
			dirty = " with changes"
		}
	}
	if commit == "" {
		return "unknown revision"
	}
	return "commit " + commit[:min(len(commit), 12)] + dirty
}
