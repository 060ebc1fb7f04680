package cmd

import (
	"errors"
	"strings"

	"github.com/spf13/cobra"
)

// scan is the command that reports findings.
type scan struct {
	analysis
	output
	failOn          string
	exitZero        bool
	allowIncomplete bool
}

func newScan(a *app) *cobra.Command {
	s := &scan{analysis: analysis{app: a}}
	c := &cobra.Command{
		Use:   "scan [PATH…]",
		Short: "Report what goes wrong when a tool call arrives twice",
		Long: `scan reports findings, grouped by tool, each with its place, the way that
leads there and the fix. The default PATH is the current folder: give the folder
whose code registers the tools. The repository or workspace around PATH is read
where something inside refers to it; what is reported lies inside.

Where no tool is found, nothing is judged, and neither is a tool that is not known
to write and could not be followed to the end: the report and a warning say so, such
a tool has no grade, and the exit code stays 0. The grade rests on all findings, whatever --rule, --skip,
--min-severity and --min-confidence leave out of the report.

Exit codes: 0 clean and complete, 1 findings at or above the gate, 2 wrong usage,
3 nothing could be analysed, 4 incomplete without gated findings. A scan is
incomplete where an interrupt ended it, or a limit behind which something may be
hidden: the report names each under "incomplete". What is only less precise for a
limit, and a file that is skipped, is listed and leaves the exit code as it is.`,
		Example: `  retrysafe scan
  retrysafe scan --fail-on high src
  retrysafe scan -o json=report.json packages/server`,
		RunE: func(c *cobra.Command, args []string) error { return s.run(c, args) },
	}
	s.formats(c, "text", "json", "markdown")
	f := c.Flags()
	f.StringVar(&s.failOn, "fail-on", "medium", "exit with 1 for findings of this `SEVERITY` or above: high, medium, low, never")
	f.BoolVar(&s.exitZero, "exit-zero", false, "exit with 0 even if there are findings or the scan is incomplete")
	f.BoolVar(&s.allowIncomplete, "allow-incomplete", false, "exit with 0 even if the scan is incomplete")
	s.selection(c)
	s.input(c)
	return c
}

func (s *scan) run(c *cobra.Command, args []string) error {
	if err := oneOf("--fail-on", s.failOn, "high", "medium", "low", "never"); err != nil {
		return err
	}
	if err := s.output.check(); err != nil {
		return err
	}
	scans, nothing, err := s.analysis.run(c.Context(), args)
	if err != nil {
		return err
	}
	defer closeAll(scans)
	r := s.report(scans)
	if err := s.write(s.app, r); err != nil {
		return err
	}
	if !nothing {
		s.warn(r)
	}
	switch {
	case nothing:
		return &exitError{code: exitNothing, err: errNothing(args)}
	case s.failOn != "never" && !s.exitZero && r.Gated(severities[s.failOn]) > 0:
		return &exitError{code: exitFindings}
	case !r.Complete && !s.allowIncomplete && !s.exitZero:
		return &exitError{code: exitIncomplete, err: errors.New("the scan is incomplete; --allow-incomplete accepts that")}
	}
	return nil
}

func errNothing(paths []string) error {
	where := "."
	if len(paths) > 0 {
		where = strings.Join(paths, ", ")
	}
	return errors.New(where + ": nothing that can be analysed was found")
}
