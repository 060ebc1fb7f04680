package load

import (
	"errors"
	"io"
	"io/fs"
	"path"
	"strings"
	"sync"
	"sync/atomic"
)

// Bounds of a load: what is beyond is left out, and a row says so.
const (
	maxFileBytes  = 10 << 20  // of one file
	maxTotalBytes = 512 << 20 // of all files, dependencies included
	maxPackages   = 20_000    // of the program and its dependencies
	maxModFile    = 4 << 20   // of a go.mod or go.work
	maxDirEntries = 20_000    // of one folder
)

var (
	errTooLarge = errors.New("larger than the size limit")
	errBudget   = errors.New("the limit on bytes of Go source is reached")
)

// tree is a place that holds packages: the context, the standard library or the module cache. Its listings are kept. It is
// safe for concurrent use.
type tree struct {
	fs    fs.FS
	label string // opens the names of files outside the context, so that no place on the machine shows
	// links says that a link to a file is followed; in the context each file is read under its own name.
	links bool

	mu   sync.Mutex
	dirs map[string][]string
}

func newTree(fsys fs.FS, label string, links bool) *tree {
	return &tree{fs: fsys, label: label, links: links, dirs: map[string][]string{}}
}

// name gives a file as positions show it.
func (t *tree) name(file string) string {
	if t.label == "" {
		return file
	}
	return t.label + "/" + file
}

// goFiles lists the names of the Go files in a folder, sorted, nil where there are none.
func (t *tree) goFiles(dir string) []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	if names, ok := t.dirs[dir]; ok {
		return names
	}
	var names []string
	if fs.ValidPath(dir) {
		entries, err := fs.ReadDir(t.fs, dir)
		if err == nil && len(entries) <= maxDirEntries {
			for _, e := range entries {
				name := e.Name()
				if path.Ext(name) != ".go" || name[0] == '_' || name[0] == '.' {
					continue
				}
				if e.Type().IsRegular() || t.links && e.Type()&fs.ModeSymlink != 0 {
					names = append(names, name)
				}
			}
		}
	}
	t.dirs[dir] = names
	return names
}

// hasPackage reports whether a folder holds Go files that are not tests.
func (t *tree) hasPackage(dir string) bool {
	for _, name := range t.goFiles(dir) {
		if !strings.HasSuffix(name, "_test.go") {
			return true
		}
	}
	return false
}

// isFile reports whether name is a regular file.
func (t *tree) isFile(name string) bool {
	if !fs.ValidPath(name) {
		return false
	}
	info, err := fs.Stat(t.fs, name)
	return err == nil && info.Mode().IsRegular()
}

// budget counts the bytes that are read.
type budget struct{ left, used atomic.Int64 }

// read reads a regular file of at most limit bytes.
func (t *tree) read(name string, limit int64, b *budget) ([]byte, error) {
	f, err := t.fs.Open(name)
	if err != nil {
		return nil, reasonOf(err)
	}
	defer f.Close()
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, reasonOf(err)
	case !info.Mode().IsRegular():
		return nil, errors.New("not a regular file")
	case info.Size() > limit:
		return nil, errTooLarge
	case b.left.Add(-info.Size()) < 0:
		return nil, errBudget
	}
	b.used.Add(info.Size())
	data := make([]byte, info.Size())
	n, err := io.ReadFull(f, data)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
		return nil, reasonOf(err)
	}
	return data[:n], nil
}

// reasonOf drops the path from an error of the file system: it may name a place on the machine.
func reasonOf(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

// join is path.Join for folders of a tree, where "." is the root.
func join(dir string, parts ...string) string { return path.Join(append([]string{dir}, parts...)...) }

// hasFolder reports whether dir is a folder.
func (t *tree) hasFolder(dir string) bool {
	if !fs.ValidPath(dir) {
		return false
	}
	info, err := fs.Stat(t.fs, dir)
	return err == nil && info.IsDir()
}
