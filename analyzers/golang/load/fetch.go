package load

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// fetchTimeout bounds the download of the modules of one module.
const fetchTimeout = 5 * time.Minute

// fetch downloads what modules of the program require and the cache does not have; it reports whether anything may have come. go.mod and
// go.sum are not changed, no version control runs, and no other toolchain is chosen.
func (l *loader) fetch(ctx context.Context) bool {
	var modules []*module
	for _, s := range l.program {
		for _, n := range s.nodes {
			if len(n.missing) > 0 && s.owner.file() != "" && !slices.Contains(modules, s.owner) {
				modules = append(modules, s.owner)
			}
		}
	}
	if len(modules) == 0 {
		return false
	}
	if l.opts.Toolchain.Command == "" || l.opts.Root == "" {
		l.row(".", "modules cannot be fetched: there is no go command, or the source is not on disk")
		return false
	}
	for _, m := range modules {
		if err := l.download(ctx, m); err != nil {
			l.fetchRows = append(l.fetchRows, Degraded{m.file(), "not everything could be fetched: " + err.Error()})
		}
	}
	return true
}

func (l *loader) download(ctx context.Context, m *module) error {
	ctx, cancel := context.WithTimeout(ctx, fetchTimeout)
	defer cancel()
	work := "GOWORK=off"
	if m.work != nil {
		work = "GOWORK=" + filepath.Join(l.opts.Root, filepath.FromSlash(join(m.work.dir, "go.work")))
	}
	cmd := exec.CommandContext(ctx, l.opts.Toolchain.Command, "list", "-e", "-deps", "-mod=readonly", "-f", "{{if .Error}}x{{end}}", "./...")
	cmd.Dir = filepath.Join(l.opts.Root, filepath.FromSlash(m.dir))
	cmd.Env = safeEnvironment(os.Environ(), work)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if err := cmd.Run(); err != nil {
		first, _, _ := strings.Cut(strings.TrimSpace(stderr.String()), "\n")
		return fmt.Errorf("go list: %w: %s", err, strings.ReplaceAll(first, l.opts.Root+string(filepath.Separator), ""))
	}
	return nil
}

// safeEnvironment is that of a go command that runs in a folder nobody trusts.
func safeEnvironment(env []string, more ...string) []string {
	out := slices.DeleteFunc(slices.Clone(env), func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		switch name {
		case "GOFLAGS", "GOENV", "GOTOOLCHAIN", "GOVCS", "CGO_ENABLED", "GOWORK", "GO111MODULE":
			return true
		}
		return false
	})
	out = append(out, "GOFLAGS=", "GOENV=off", "GOTOOLCHAIN=local", "GOVCS=*:off", "CGO_ENABLED=0", "GO111MODULE=on")
	return append(out, more...)
}
