package audit

import (
	"context"
	"fmt"
	"path"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/retrysafe/retrysafe/analyzers/audit/discover"
	"github.com/retrysafe/retrysafe/analyzers/golang"
	"github.com/retrysafe/retrysafe/analyzers/golang/load"
	"github.com/retrysafe/retrysafe/analyzers/model"
)

// goPackages loads the packages of Go files and of what they import in the context, and lowers them.
func (l *loader) goPackages(ctx context.Context, files []string, rep *Report) error {
	if len(files) == 0 {
		return nil
	}
	o := load.Options{Toolchain: load.FindToolchain(ctx), Root: rep.Context, Fetch: l.opts.Fetch, Jobs: l.opts.Jobs, Described: l.catalog.Describes}
	if l.opts.Progress != nil {
		before := l.done
		o.Progress = func(done int64) { l.opts.Progress(before+done, l.total) }
	}
	res, err := load.Load(ctx, l.view, files, o)
	if res != nil {
		rep.Coverage.Files += res.Files
		rep.Coverage.Bytes += res.Bytes
		rep.Coverage.Complete = rep.Coverage.Complete && res.Limit == ""
		for _, dir := range res.Copies {
			if rep.Within(dir) {
				rep.Coverage.Skipped = append(rep.Coverage.Skipped, discover.Skipped{File: dir, Reason: discover.Vendored})
			}
		}
		for _, d := range res.Degraded {
			if base := path.Base(d.Place); !rep.Within(d.Place) && base != "go.mod" && base != "go.work" {
				continue // the context is read, not reported
			}
			rep.Coverage.Degraded = append(rep.Coverage.Degraded, Degraded{Package: d.Place, Reason: d.Reason})
		}
	}
	if err != nil {
		return err
	}
	l.golang = res
	program := golang.NewProgram(res.Packages)
	units := make([]*model.Unit, len(res.Packages))
	failures := make([]error, len(res.Packages))
	var next atomic.Int64
	var workers sync.WaitGroup
	jobs := l.opts.Jobs
	if jobs <= 0 {
		jobs = runtime.GOMAXPROCS(0)
	}
	for range min(jobs, len(units)) {
		workers.Go(func() {
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= len(units) {
					return
				}
				units[i], failures[i] = lowerGo(program, res.Packages[i])
			}
		})
	}
	workers.Wait()
	for i, err := range failures {
		if err != nil {
			rep.Coverage.Degraded = append(rep.Coverage.Degraded, Degraded{Package: res.Packages[i].Names[0], Reason: "the package was not analysed: " + err.Error()})
		}
	}
	res.Packages = nil // their syntax is of no more use
	units = slices.DeleteFunc(units, func(u *model.Unit) bool { return u == nil })
	golang.Link(units)
	l.units = append(l.units, units...)
	return ctx.Err()
}

// lowerGo lowers one package. A defect of the lowering costs the package, not the run.
func lowerGo(program *golang.Program, p *golang.Package) (u *model.Unit, err error) {
	defer func() {
		if e := recover(); e != nil {
			u, err = nil, fmt.Errorf("internal error: %v", e)
		}
	}()
	return program.Lower(p)
}
