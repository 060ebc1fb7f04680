package audit

import (
	"context"
	"errors"
	"fmt"
	"path"
	"sort"
	"strings"

	"github.com/retrysafe/retrysafe/analyzers/audit/config"
	"github.com/retrysafe/retrysafe/analyzers/audit/discover"
	"github.com/retrysafe/retrysafe/analyzers/catalog"
	"github.com/retrysafe/retrysafe/analyzers/flow"
	"github.com/retrysafe/retrysafe/analyzers/golang/load"
	"github.com/retrysafe/retrysafe/analyzers/model"
	"github.com/retrysafe/retrysafe/analyzers/typescript"
	"github.com/retrysafe/retrysafe/analyzers/typescript/modules"
	"github.com/retrysafe/retrysafe/rules"
)

// ErrNothing says that no file that can be analysed lies below the path.
var ErrNothing = errors.New("nothing that can be analysed was found")

// Options of a scan.
type Options struct {
	Path         string // folder or file
	IncludeTests bool
	Jobs         int  // files read at once; all processors if 0
	Fetch        bool // download missing Go modules into the module cache
	Rules        rules.Options
	Catalog      []catalog.Source // rows of the user
	// Isolated leaves the settings of the scanned program out of account; Rules.Isolated says it of its comments.
	Isolated bool
	// Progress is told how many bytes of how many are read; it may be called from several goroutines.
	Progress func(done, total int64)
}

// Report is the outcome of a scan. Paths are relative to the context root; Rel gives them as they are reported.
type Report struct {
	Context  string // absolute path of the context root; never part of an output
	Prefix   string // the scanned path below it, "." for all of it
	Result   *flow.Result
	Findings []*rules.Finding
	Coverage Coverage
	Source   *Source
	Units    []*model.Unit
	// Told are the rows about libraries that the program did not bring: those of the scanned repository and those that the user gave.
	Told []Told
	// Settings are those that the scanned repository gives.
	Settings []config.Given

	view *discover.View
}

// Close ends reading of the scanned files; Source gives nothing new after it.
func (r *Report) Close() error { return r.view.Close() }

// Coverage says what was read and what was not.
type Coverage struct {
	Files       int
	Bytes       int64
	Skipped     []discover.Skipped
	Unsupported []discover.Unsupported
	Degraded    []Degraded
	Unresolved  []model.Note // looks like a registration and was not understood
	Notes       []model.Note // bounds that were reached, syntax that was not read
	// Limit names what there is more of than is read, "" where all was: "files". The report is not complete then.
	Limit    string
	Complete bool
}

// Degraded is a package or file of which only a part was read.
type Degraded struct {
	Package string
	Reason  string
}

// Rel gives a path of the context as it is reported: relative to the scanned folder.
func (r *Report) Rel(file string) string { return relative(r.Prefix, file) }

func relative(prefix, file string) string {
	if prefix == "." || prefix == "" {
		return file
	}
	if rest, ok := strings.CutPrefix(file, prefix+"/"); ok {
		return rest
	}
	if file == prefix {
		return path.Base(file)
	}
	// a file of the context outside the scanned folder
	up := strings.Count(prefix, "/") + 1
	return strings.Repeat("../", up) + file
}

// Within reports whether a file lies in the scanned path.
func (r *Report) Within(file string) bool {
	return r.Prefix == "." || file == r.Prefix || strings.HasPrefix(file, r.Prefix+"/")
}

// Scan audits what lies below opts.Path. The report is returned also with ErrNothing, for its coverage, and is to be
// closed where it is not nil.
func Scan(ctx context.Context, opts Options) (*Report, error) {
	root, rel, err := discover.Context(opts.Path)
	if err != nil {
		return nil, err
	}
	view, err := discover.Open(root)
	if err != nil {
		return nil, err
	}
	cat, settings, err := knowledge(view, rel, opts)
	if err != nil {
		view.Close()
		return nil, err
	}
	found, err := discover.Files(view, rel, discover.Options{IncludeTests: opts.IncludeTests})
	if err != nil {
		view.Close()
		return nil, fmt.Errorf("%s: %w", opts.Path, err)
	}
	rep := &Report{Context: root, Prefix: rel, Source: newSource(view), view: view, Coverage: Coverage{
		Skipped: found.Skipped, Unsupported: found.Unsupported, Limit: found.Limit, Complete: found.Limit == ""}}
	var files []typescript.Source
	var names, goFiles, all []string
	var total int64
	for _, f := range found.Files {
		switch {
		case typescript.Reads(f.Path):
			files = append(files, typescript.Source{Path: f.Path, Size: f.Size})
			names = append(names, f.Path)
		case f.Language == discover.Go:
			goFiles = append(goFiles, f.Path)
		default:
			continue
		}
		all = append(all, f.Path)
		total += f.Size
	}
	if len(all) == 0 {
		return rep, ErrNothing
	}
	resolver, _ := modules.New(view, names)
	in := &loader{view: view, catalog: cat, resolver: resolver, opts: opts, loaded: map[string]bool{}, total: total}
	if err := in.files(ctx, files, rep); err != nil {
		return rep, err
	}
	if err := in.imported(ctx, rep); err != nil {
		return rep, err
	}
	if err := in.goPackages(ctx, goFiles, rep); err != nil {
		return rep, err
	}
	if len(in.units) == 0 {
		return rep, ErrNothing // none of the files could be read
	}
	for _, p := range resolver.Problems() {
		rep.Coverage.Notes = append(rep.Coverage.Notes, model.Note{Span: model.Span{File: p.File, Line: int32(p.Line), Col: 1, EndLine: int32(p.Line), EndCol: 1}, What: p.Message})
	}
	rep.Units = in.units
	imports := model.Externals(in.units)
	schemas, setups := storeFiles(view)
	unique, declared := tableKeys(view, schemas)
	rep.Result = flow.Analyze(in.units, cat, flow.Options{
		Version: in.version,
		Tools:   cat.ToolNames(imports.Uses),
		Routes:  cat.RouteNames(imports.Uses),
		Unique:  unique, Declared: declared, Evicting: evictingStores(view, setups),
		Offers: rep.offers(in.units, resolver), Handlers: cat.Handlers(),
		Stop: func() bool { return ctx.Err() != nil },
	})
	rep.Told, rep.Settings = told(cat), settings.Given
	served(rep.Result, settings)
	rep.keepWithin()
	opts.Rules.Units, opts.Rules.Files, opts.Rules.Policy = in.units, all, policy(settings)
	rep.Findings = rules.Run(rep.Result, rep.Source, opts.Rules)
	rep.Result.Tools = rules.Judged(rep.Result, rep.Findings)
	rep.cover()
	return rep, nil
}

// keepWithin drops what is neither defined, served nor registered within the scanned path: the context is read, not reported.
func (r *Report) keepWithin() {
	var tools []*flow.Tool
	for _, t := range r.Result.Tools {
		if r.Within(t.Span.File) || r.Within(t.Handler.File) || r.Within(t.Registered.File) {
			tools = append(tools, t)
		}
	}
	r.Result.Tools = tools
}

func (r *Report) cover() {
	for _, n := range r.Result.Unresolved {
		if r.Within(n.Span.File) {
			r.Coverage.Unresolved = append(r.Coverage.Unresolved, n)
		}
	}
	for _, n := range r.Result.Notes {
		if r.Within(n.Span.File) || n.Cut {
			r.Coverage.Notes = append(r.Coverage.Notes, n)
		}
	}
	sort.SliceStable(r.Coverage.Notes, func(i, j int) bool {
		return r.Coverage.Notes[i].Span.Compare(r.Coverage.Notes[j].Span) < 0
	})
	r.Coverage.Complete = r.Coverage.Complete && r.Result.Complete
}

// loader reads units: those asked for, and those of the context that they import.
type loader struct {
	view     *discover.View
	resolver *modules.Resolver
	catalog  *catalog.Catalog
	opts     Options
	loaded   map[string]bool
	units    []*model.Unit
	golang   *load.Result // nil where there is no Go

	done, total int64 // bytes of the files that were found
}

// version gives the version of an external package that a unit depends on, "" if unknown.
func (l *loader) version(unit, pkg string) string {
	if l.golang != nil && l.golang.Has(unit) {
		return l.golang.Version(unit, pkg)
	}
	v, _ := l.resolver.Dependency(unit, pkg)
	return v
}

// maxContextUnits bounds how many files outside the scanned path are read because something inside imports them.
const maxContextUnits = 20_000

func (l *loader) files(ctx context.Context, files []typescript.Source, rep *Report) error {
	for _, f := range files {
		l.loaded[f.Path] = true
	}
	o := typescript.Options{Jobs: l.opts.Jobs}
	if l.opts.Progress != nil {
		o.Progress = func(done int64) { l.opts.Progress(done, l.total) }
	}
	res, err := typescript.Load(ctx, l.view, files, l.resolver, o)
	if err != nil {
		return err
	}
	l.units = append(l.units, res.Units...)
	rep.Coverage.Files += len(res.Units)
	rep.Coverage.Bytes += res.Bytes
	l.done = res.Bytes
	for _, f := range res.Failures {
		rep.Coverage.Degraded = append(rep.Coverage.Degraded, Degraded{Package: f.File, Reason: f.Reason})
	}
	for _, f := range res.Partial {
		rep.Coverage.Degraded = append(rep.Coverage.Degraded, Degraded{Package: f, Reason: "syntax errors; the rest of the file was analysed"})
	}
	return nil
}

// imported loads, round by round, what loaded units import.
func (l *loader) imported(ctx context.Context, rep *Report) error {
	seen := 0
	for seen < len(l.units) {
		var next []typescript.Source
		for _, u := range l.units[seen:] {
			for _, path := range typescript.Mentions(u) {
				if !l.loaded[path] && typescript.Reads(path) {
					l.loaded[path] = true
					next = append(next, typescript.Source{Path: path})
				}
			}
		}
		seen = len(l.units)
		if len(next) == 0 {
			return nil
		}
		if len(l.loaded) > maxContextUnits {
			rep.Coverage.Limit, rep.Coverage.Complete = "imported files", false
			return nil
		}
		res, err := typescript.Load(ctx, l.view, next, l.resolver, typescript.Options{Jobs: l.opts.Jobs})
		if err != nil {
			return err
		}
		l.units = append(l.units, res.Units...)
	}
	return nil
}
