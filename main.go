// Command retrysafe audits agent and MCP servers for what happens when a tool call arrives twice.
package main

import (
	"os"
	"runtime/debug"

	"github.com/retrysafe/retrysafe/analyzers/vet"
	"github.com/retrysafe/retrysafe/cmd"
)

func main() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(200) // a scan makes much that is soon forgotten: time counts for more than space, up to a point
	}
	if args := os.Args[1:]; vet.Protocol(args) {
		vet.Main(args)
	}
	os.Exit(cmd.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
