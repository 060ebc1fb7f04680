// Command retrysafe audits agent and MCP servers for what happens when a tool call arrives twice.
package main

import (
	"os"

	"github.com/retrysafe/retrysafe/cmd"
)

func main() {
	os.Exit(cmd.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
