package modules

import (
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync/atomic"
)

const (
	// maxDirectories bounds the directories that are listed for one context.
	maxDirectories = 200_000
	// maxConfig is the largest configuration file that is read, in bytes.
	maxConfig = 1 << 20
	// maxLinks bounds the links followed for one path.
	maxLinks = 16
)

type entry uint8

const (
	absent entry = iota
	file
	directory
	link
)

// tree answers what exists in the context, by listing each directory once.
// Links are followed inside the context, and paths come back without them, so
// that a file has one name however it was reached.
type tree struct {
	view   fs.FS
	listed map[string]bool
	dirs   cache[string, map[string]entry]
	real   cache[string, string]
	count  atomic.Int64
}

func newTree(view fs.FS, files []string) *tree {
	t := &tree{view: view, listed: make(map[string]bool, len(files))}
	for _, f := range files {
		t.listed[f] = true
	}
	return t
}

// listedDirs returns the directories of the listed files and those above, sorted.
func (t *tree) listedDirs() []string {
	seen := map[string]bool{".": true}
	for f := range t.listed {
		if !fs.ValidPath(f) {
			continue
		}
		for dir := path.Dir(f); !seen[dir]; dir = path.Dir(dir) {
			seen[dir] = true
		}
	}
	out := make([]string, 0, len(seen))
	for dir := range seen {
		out = append(out, dir)
	}
	slices.Sort(out)
	return out
}

// list returns the entries of a directory whose path holds no link; nil when it
// does not exist.
func (t *tree) list(dir string) map[string]entry {
	return t.dirs.get(dir, func() map[string]entry {
		if t.count.Add(1) > maxDirectories {
			return nil
		}
		found, err := fs.ReadDir(t.view, dir)
		if err != nil {
			return nil
		}
		out := make(map[string]entry, len(found))
		for _, e := range found {
			switch {
			case e.Type()&fs.ModeSymlink != 0:
				out[e.Name()] = link
			case e.IsDir():
				out[e.Name()] = directory
			case e.Type().IsRegular():
				out[e.Name()] = file
			}
		}
		return out
	})
}

// dir returns the path of a directory without links, "" when there is none.
func (t *tree) dir(name string) string { return t.realDir(name, 0) }

func (t *tree) realDir(name string, links int) string {
	if name == "." {
		return "."
	}
	if !fs.ValidPath(name) || links > maxLinks {
		return ""
	}
	compute := func() string {
		parent := t.realDir(path.Dir(name), links)
		if parent == "" {
			return ""
		}
		base := path.Base(name)
		full := path.Join(parent, base)
		switch t.list(parent)[base] {
		case directory:
			return full
		case link:
			if to, ok := t.follow(full); ok {
				return t.realDir(to, links+1)
			}
		}
		return ""
	}
	if links > 0 {
		return compute() // a chain cut by the limit must not be remembered
	}
	return t.real.get(name, compute)
}

// file returns the path of a regular file without links.
func (t *tree) file(name string) (string, bool) {
	if t.listed[name] {
		return name, true
	}
	return t.realFile(name, 0)
}

func (t *tree) realFile(name string, links int) (string, bool) {
	if !fs.ValidPath(name) || links > maxLinks {
		return "", false
	}
	parent := t.realDir(path.Dir(name), links)
	if parent == "" {
		return "", false
	}
	base := path.Base(name)
	full := path.Join(parent, base)
	switch t.list(parent)[base] {
	case file:
		return full, true
	case link:
		if to, ok := t.follow(full); ok {
			return t.realFile(to, links+1)
		}
	}
	return "", false
}

// follow returns where a link points inside the context. Absolute links are not
// followed: what they mean depends on where the context lies.
func (t *tree) follow(name string) (string, bool) {
	to, err := fs.ReadLink(t.view, name)
	if err != nil || path.IsAbs(to) || strings.Contains(to, `\`) {
		return "", false
	}
	return join(path.Dir(name), to)
}

// read returns the content of a configuration file.
func (t *tree) read(name string) ([]byte, error) {
	f, err := t.view.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > maxConfig {
		return nil, &fs.PathError{Op: "read", Path: name, Err: fs.ErrInvalid}
	}
	return io.ReadAll(io.LimitReader(f, maxConfig))
}

// isSource says whether a file name is one that can be a unit.
func isSource(name string) bool {
	switch path.Ext(name) {
	case ".ts", ".mts", ".cts":
		return !isDeclaration(name)
	case ".tsx", ".js", ".jsx", ".mjs", ".cjs":
		return true
	}
	return false
}

func isDeclaration(name string) bool {
	stem := strings.TrimSuffix(name, path.Ext(name))
	return strings.HasSuffix(stem, ".d")
}

// installed says whether a path lies in an installed package.
func installed(name string) bool {
	return strings.HasPrefix(name, "node_modules/") || strings.Contains(name, "/node_modules/")
}
