package typescript

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/retrysafe/retrysafe/analyzers/model"
	"github.com/retrysafe/retrysafe/analyzers/typescript/modules"
	"github.com/retrysafe/retrysafe/analyzers/typescript/parse"
)

// Source is a file to load.
type Source struct {
	Path string // in the view, with forward slashes
	Size int64  // bytes, if known; decides the order of work only
}

// Options of Load. The zero value means the defaults.
type Options struct {
	Jobs   int          // files at once; GOMAXPROCS by default
	Limits parse.Limits // of the parser, for each file
	// PackageOf names the package that a file belongs to; nil leaves Unit.Package empty.
	PackageOf func(file string) string
	// Progress is told how many bytes of source are done, after each file, from several goroutines.
	Progress func(doneBytes int64)
}

// Failure is a file that could not be loaded.
type Failure struct {
	File   string
	Reason string
}

// Result is what Load read. The lists are sorted by path.
type Result struct {
	Units    []*model.Unit
	Failures []Failure
	Partial  []string // files with syntax errors, of which parts may be missing
	Bytes    int64    // of all files that were read
}

// Load parses and lowers files in parallel, the largest first. A file that fails is a row of the
// result; the error is that of the context, and then the result holds what was done until then.
// Files with an extension that is not TypeScript or JavaScript fail.
func Load(ctx context.Context, view fs.FS, files []Source, resolver *modules.Resolver, opts Options) (*Result, error) {
	order := make([]int, len(files))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(files[b].Size, files[a].Size) })

	jobs := opts.Jobs
	if jobs <= 0 {
		jobs = runtime.GOMAXPROCS(0)
	}
	jobs = max(1, min(jobs, len(files)))
	type loaded struct {
		unit    *model.Unit
		partial bool
		failure string
	}
	out := make([]loaded, len(files))
	var next, done atomic.Int64
	var workers sync.WaitGroup
	for range jobs {
		workers.Go(func() {
			p := parse.New()
			defer p.Close()
			p.Limits = opts.Limits
			m := &memory{}
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= len(order) {
					return
				}
				f := files[order[i]]
				unit, partial, size, err := loadFile(p, m, view, f.Path, resolver, opts.PackageOf)
				switch {
				case err != nil:
					out[order[i]].failure = err.Error()
				default:
					out[order[i]] = loaded{unit: unit, partial: partial}
				}
				total := done.Add(int64(size))
				if opts.Progress != nil {
					opts.Progress(total)
				}
			}
		})
	}
	workers.Wait()

	r := &Result{Bytes: done.Load()}
	for i, l := range out {
		switch {
		case l.failure != "":
			r.Failures = append(r.Failures, Failure{File: files[i].Path, Reason: l.failure})
		case l.unit != nil:
			r.Units = append(r.Units, l.unit)
			if l.partial {
				r.Partial = append(r.Partial, files[i].Path)
			}
		}
	}
	slices.SortFunc(r.Units, func(a, b *model.Unit) int { return cmp.Compare(a.Path, b.Path) })
	slices.SortFunc(r.Failures, func(a, b Failure) int { return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Reason, b.Reason)) })
	slices.Sort(r.Partial)
	return r, ctx.Err()
}

// loadFile reads, parses and lowers one file. A defect of the lowering costs the file, not the run.
func loadFile(p *parse.Parser, m *memory, view fs.FS, path string, resolver *modules.Resolver, packageOf func(string) string) (u *model.Unit, partial bool, size int, err error) {
	defer func() {
		if e := recover(); e != nil {
			*m = memory{}
			u, err = nil, fmt.Errorf("%s: internal error: %v", path, e)
		}
	}()
	dialect, ok := parse.DialectOf(path)
	if !ok {
		return nil, false, 0, fmt.Errorf("%s: not TypeScript or JavaScript", path)
	}
	source, err := fs.ReadFile(view, path)
	if err != nil {
		return nil, false, 0, err
	}
	size = len(source)
	tree, err := p.Parse(path, source, dialect)
	if err != nil {
		return nil, false, size, err
	}
	info := FileInfo{Path: path, Language: model.TypeScript}
	if dialect == parse.JavaScript {
		info.Language = model.JavaScript
	}
	if packageOf != nil {
		info.Package = packageOf(path)
	}
	return lower(tree, info, resolverOf(resolver, path), m), len(tree.Errors()) > 0, size, nil
}

// resolverOf resolves the specifiers of one file.
func resolverOf(r *modules.Resolver, file string) func(string) Target {
	if r == nil {
		return nil
	}
	return func(specifier string) Target {
		switch res := r.Resolve(file, specifier); res.Kind {
		case modules.Unit:
			return Target{Unit: res.File}
		case modules.External:
			return Target{External: res.Module()}
		case modules.Asset:
			return Target{Asset: res.File}
		}
		return Target{}
	}
}
