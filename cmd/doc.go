// Package cmd is the command line: one file a command, flags and streams in, an exit code out. It analyses nothing.
package cmd
