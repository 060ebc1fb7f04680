// Command retrysafe audits agent and MCP servers for what happens when a tool call arrives twice.
package main

import (
	"os"
	"runtime/debug"

	"github.com/retrysafe/retrysafe/cmd"
)

func main() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(200) // a scan makes much that is soon forgotten: time counts for more than space, up to a point
	}
	os.Exit(cmd.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
