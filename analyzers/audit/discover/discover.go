package discover

import (
	"cmp"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
)

const (
	// DefaultMaxFileSize is the largest file that is listed unless the options say otherwise, in bytes.
	DefaultMaxFileSize = 2 << 20
	// LargestFileSize is the largest value that the options can ask for, in bytes.
	LargestFileSize = 10 << 20
	// DefaultMaxFiles bounds the files that are listed.
	DefaultMaxFiles = 100_000
	// DefaultMaxDepth bounds the directories between the context root and a file.
	DefaultMaxDepth = 64

	maxEntries = 2_000_000 // directory entries seen in one walk
)

// Options of a walk. The zero value means the defaults.
type Options struct {
	IncludeTests bool  // list tests and examples too
	MaxFileSize  int64 // bytes; at most LargestFileSize
	MaxFiles     int
	MaxDepth     int
}

// File is one source file.
type File struct {
	Path     string // slash path relative to the context root
	Size     int64  // bytes
	Language Language
}

// Skipped is a file or directory that was left out. A directory ends in a
// slash and stands for everything below it.
type Skipped struct {
	File   string
	Reason Reason
}

// Unsupported is a file of a language that is not analysed and that registers tools.
type Unsupported struct {
	File     string
	Language string
}

// Result of a walk. The lists are sorted by path.
type Result struct {
	Files       []File
	Skipped     []Skipped
	Unsupported []Unsupported
	// Limit names the bound that cut the walk short, "" when it is complete.
	Limit string
}

// Files lists the source files below rel, a slash path inside view ("." for all
// of it). A rel that is a file is listed whatever its name, as long as it is a
// source file within the size limit.
//
// It fails only when rel itself cannot be read; what cannot be read below it is
// a skipped row.
func Files(view fs.FS, rel string, opts Options) (*Result, error) {
	if !fs.ValidPath(rel) {
		return nil, fmt.Errorf("%s: not a path inside the context", rel)
	}
	info, err := fs.Stat(view, rel)
	if err != nil {
		return nil, err
	}
	w := newWalk(view, rel, opts)
	if !info.IsDir() {
		w.single(rel, info)
		return w.result(), nil
	}
	if _, err := fs.ReadDir(view, rel); err != nil {
		return nil, err
	}
	repo, rules, ignoredAbove := w.rulesAbove(rel)
	w.directory(place{dir: rel, owner: rel, depth: depthOf(rel), repo: repo, rules: rules, onlyTracked: ignoredAbove && repo.below(rel)})
	w.secondLook()
	return w.result(), nil
}

func newWalk(view fs.FS, start string, opts Options) *walk {
	if opts.MaxFileSize <= 0 {
		opts.MaxFileSize = DefaultMaxFileSize
	}
	opts.MaxFileSize = min(opts.MaxFileSize, LargestFileSize)
	if opts.MaxFiles <= 0 {
		opts.MaxFiles = DefaultMaxFiles
	}
	if opts.MaxDepth <= 0 {
		opts.MaxDepth = DefaultMaxDepth
	}
	return &walk{view: view, opts: opts, start: start, scripts: map[string]int{}}
}

func (w *walk) result() *Result {
	r := &w.out
	slices.SortFunc(r.Files, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	slices.SortFunc(r.Skipped, func(a, b Skipped) int {
		return cmp.Or(strings.Compare(a.File, b.File), strings.Compare(string(a.Reason), string(b.Reason)))
	})
	r.Skipped = slices.Compact(r.Skipped)
	slices.SortFunc(r.Unsupported, func(a, b Unsupported) int { return strings.Compare(a.File, b.File) })
	return r
}

func depthOf(rel string) int {
	if rel == "." {
		return 0
	}
	return strings.Count(rel, "/") + 1
}

func join(dir, name string) string {
	if dir == "." {
		return name
	}
	return path.Join(dir, name)
}
