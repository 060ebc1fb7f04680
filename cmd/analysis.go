package cmd

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/retrysafe/retrysafe/analyzers/audit"
	"github.com/retrysafe/retrysafe/analyzers/catalog"
	"github.com/retrysafe/retrysafe/analyzers/model"
	"github.com/retrysafe/retrysafe/reports"
	"github.com/retrysafe/retrysafe/rules"
)

// analysis holds the flags of the commands that scan, and runs the scans.
type analysis struct {
	app *app

	minSeverity, minConfidence string
	only, skip                 []string
	catalogs                   []string
	progress                   string
	jobs                       int
	pedantic, isolated         bool
	includeTests, fetch        bool
}

// input adds the flags that say what is read.
func (n *analysis) input(c *cobra.Command) {
	f := c.Flags()
	f.StringArrayVar(&n.catalogs, "catalog", nil, "read more rows about libraries from `FILE`; repeatable")
	f.BoolVar(&n.includeTests, "include-tests", false, "analyse tests and examples too")
	f.BoolVar(&n.fetch, "fetch", false, "download missing Go modules into the module cache; otherwise nothing is downloaded")
	f.BoolVar(&n.isolated, "isolated", false, "obey nothing that the scanned code says to the auditor")
	f.IntVar(&n.jobs, "jobs", 0, "read `N` files at once (default: one a processor)")
	f.StringVar(&n.progress, "progress", "auto", "`WHEN` to show progress on the error stream: auto, always, never")
}

// selection adds the flags that say which findings are reported.
func (n *analysis) selection(c *cobra.Command) {
	f := c.Flags()
	f.StringVar(&n.minSeverity, "min-severity", "note", "report nothing below this `SEVERITY`: high, medium, low, note")
	f.StringVar(&n.minConfidence, "min-confidence", "likely", "report nothing below this `CONFIDENCE`: certain, likely, possible")
	f.BoolVar(&n.pedantic, "pedantic", false, "report pedantic findings too")
	f.StringSliceVar(&n.only, "rule", nil, "report only this `RULE`; repeatable")
	f.StringSliceVar(&n.skip, "skip", nil, "do not report this `RULE`; repeatable")
}

var (
	severities  = map[string]rules.Severity{"high": rules.High, "medium": rules.Medium, "low": rules.Low, "note": rules.Note}
	confidences = map[string]model.Confidence{"certain": model.Certain, "likely": model.Likely, "possible": model.Possible}
)

func (n *analysis) check() error {
	for _, err := range []error{
		oneOf("--progress", n.progress, "auto", "always", "never"),
		oneOf("--min-severity", n.minSeverity, "high", "medium", "low", "note"),
		oneOf("--min-confidence", n.minConfidence, "certain", "likely", "possible"),
	} {
		if err != nil {
			return err
		}
	}
	if n.jobs < 0 {
		return usage(fmt.Errorf("--jobs: %d is negative", n.jobs))
	}
	for _, name := range append(append([]string(nil), n.only...), n.skip...) {
		if _, err := findRule(name); err != nil {
			return err
		}
	}
	return nil
}

// findRule gives the rule called name.
func findRule(name string) (*rules.Rule, error) {
	if r := rules.Find(name); r != nil {
		return r, nil
	}
	var names []string
	for _, r := range rules.All() {
		names = append(names, r.Name)
	}
	message := fmt.Sprintf("there is no rule %q", name)
	if near := model.Nearest(name, names); near != "" {
		message += fmt.Sprintf("; did you mean %s?", near)
	} else {
		message += "; 'retrysafe rules' lists them"
	}
	return nil, wrong(errors.New(message))
}

func (n *analysis) sources() ([]catalog.Source, error) {
	var out []catalog.Source
	for _, name := range n.catalogs {
		data, err := os.ReadFile(name)
		if err != nil {
			return nil, wrong(fmt.Errorf("--catalog: %w", err))
		}
		out = append(out, catalog.Source{Name: name, Data: data, Trusted: true})
	}
	return out, nil
}

// run scans the paths, "." where there are none. The scans are to be closed by finish. The error is nil also where the context ended
// early or nothing was found, and nothing is then true.
func (n *analysis) run(ctx context.Context, paths []string) (scans []reports.Scan, nothing bool, err error) {
	if err := n.check(); err != nil {
		return nil, false, err
	}
	sources, err := n.sources()
	if err != nil {
		return nil, false, err
	}
	if len(paths) == 0 {
		paths = []string{"."}
	}
	targets, err := targetsOf(paths)
	if err != nil {
		return nil, false, err
	}
	meter := newMeter(n.app.err, n.progress)
	defer meter.finish()
	nothing = true
	for _, target := range targets {
		path := target.path
		rep, err := audit.Scan(ctx, audit.Options{
			Path: path, IncludeTests: n.includeTests, Jobs: n.jobs, Fetch: n.fetch, Catalog: sources, Isolated: n.isolated, Progress: meter.update,
			// reports select and count the rest, and grade by all of it
			Rules: rules.Options{Pedantic: true, Isolated: n.isolated, MinSeverity: rules.Note, MinConfidence: model.Possible},
		})
		if rep != nil {
			scans = append(scans, reports.Scan{Report: rep, Arg: path, Folder: target.folder})
		}
		switch {
		case err == nil:
			nothing = false
		case errors.Is(err, audit.ErrNothing):
		case rep != nil && ctx.Err() != nil:
			nothing = false
			rep.Coverage.Complete = false
			return scans, false, nil
		default:
			closeAll(scans)
			return nil, false, wrong(pathError(path, err))
		}
	}
	return scans, nothing, nil
}

// target is a path to scan.
type target struct {
	path   string
	folder bool
}

// targetsOf checks the paths, and leaves out those that name once more what another one names. A pattern as go takes it, "dir/...", stands
// for its folder, and so does the import path of a package of the module around the current folder.
func targetsOf(paths []string) ([]target, error) {
	var out []target
	var seen []os.FileInfo
	for _, path := range paths {
		if path == "..." {
			path = "."
		} else if folder, ok := strings.CutSuffix(path, "/..."); ok {
			path = folder
			if path == "" {
				path = "/"
			}
		}
		info, err := os.Stat(path)
		if folder := importFolder(path); errors.Is(err, fs.ErrNotExist) && folder != "" {
			if at, missing := os.Stat(folder); missing == nil {
				path, info, err = folder, at, nil
			}
		}
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil, wrong(fmt.Errorf("no such file or folder: %s", path))
		case err != nil:
			return nil, wrong(pathError(path, err))
		}
		if slices.ContainsFunc(seen, func(other os.FileInfo) bool { return os.SameFile(info, other) }) {
			continue
		}
		seen = append(seen, info)
		out = append(out, target{path, info.IsDir()})
	}
	return out, nil
}

// warn says on the error stream what was not judged, so that a green build is not taken for safety: a scan without tools, or tools that could not be
// followed.
func (n *analysis) warn(r *reports.Report) {
	if why := r.NoTools(); why != "" {
		fmt.Fprintf(n.app.err, "retrysafe: warning: %s; %s See '--help'.\n", why, r.WhereTools())
	}
	if what := r.Unjudged(); what != "" {
		fmt.Fprintf(n.app.err, "retrysafe: warning: %s\n", what)
	}
}

// pathError makes sure that the message names the path.
func pathError(path string, err error) error {
	if strings.Contains(err.Error(), path) {
		return err
	}
	return fmt.Errorf("%s: %w", path, err)
}

func (n *analysis) report(scans []reports.Scan) *reports.Report {
	return reports.New(scans, reports.Options{Version: release, MinSeverity: severities[n.minSeverity], MinConfidence: confidences[n.minConfidence],
		Only: n.only, Skip: n.skip, Pedantic: n.pedantic})
}

func closeAll(scans []reports.Scan) {
	for _, s := range scans {
		s.Close()
	}
}
