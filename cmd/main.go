package cmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/retrysafe/retrysafe/analyzers/model"
)

// The exit codes. They do not depend on the format of the output.
const (
	exitOK         = 0 // clean and complete
	exitFindings   = 1 // findings at or above the gate
	exitUsage      = 2 // wrong usage or configuration
	exitNothing    = 3 // nothing could be analysed
	exitIncomplete = 4 // a limit or an interrupt cut the scan short, without gated findings
)

// Main runs the program with the arguments that follow its name, and gives its exit code. An interrupt ends a scan early; what was
// found until then is reported. A second one ends the program.
func Main(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop)
	a := &app{in: stdin, out: stdout, err: stderr}
	root := newRoot(a)
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	command, err := root.ExecuteContextC(ctx)
	if err == nil {
		return exitOK
	}
	var quit *exitError
	if !errors.As(err, &quit) {
		quit = usage(err) // cobra's own errors are about usage
	}
	if quit.err != nil {
		fmt.Fprintf(stderr, "retrysafe: %v\n", quit.err)
		if quit.code == exitUsage && quit.hint {
			fmt.Fprintf(stderr, "Run '%s --help' for usage.\n", command.CommandPath())
		}
	}
	return quit.code
}

// app is what the commands share: the streams.
type app struct {
	in       io.Reader
	out, err io.Writer
}

// exitError ends the program with a code, and a message unless err is nil.
type exitError struct {
	code int
	err  error
	hint bool // the usage of the command helps
}

func (e *exitError) Error() string {
	if e.err == nil {
		return fmt.Sprintf("exit code %d", e.code)
	}
	return e.err.Error()
}

func (e *exitError) Unwrap() error { return e.err }

// usage is an error of the command line.
func usage(err error) *exitError { return &exitError{exitUsage, err, true} }

// wrong is an error of what the command line names: a path, a catalog.
func wrong(err error) *exitError { return &exitError{exitUsage, err, false} }

// flagError adds the nearest flag to the message about an unknown one.
func flagError(command *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) {
		return usage(err)
	}
	var names []string
	command.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			names = append(names, f.Name)
		}
	})
	if near := model.Nearest(unknown.GetSpecifiedName(), names); near != "" {
		return usage(fmt.Errorf("unknown flag --%s; did you mean --%s?", unknown.GetSpecifiedName(), near))
	}
	return usage(err)
}

// oneOf checks the value of a flag that takes one of a few words.
func oneOf(flag, value string, words ...string) error {
	for _, w := range words {
		if value == w {
			return nil
		}
	}
	message := fmt.Sprintf("%s: %q is none of %s", flag, value, strings.Join(words, ", "))
	if near := model.Nearest(value, words); near != "" {
		message += fmt.Sprintf("; did you mean %s?", near)
	}
	return usage(errors.New(message))
}
