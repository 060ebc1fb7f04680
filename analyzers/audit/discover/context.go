package discover

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// manifestLimit bounds how much of a manifest is read to see whether it
// declares a workspace, in bytes.
const manifestLimit = 1 << 20

// Context returns the root of what may be read for path, and the path relative
// to it with forward slashes ("." when they are the same). The root is the
// nearest directory upwards that holds .git; where there is none, the nearest
// one whose manifest declares a workspace; then the nearest one with a package
// or module manifest, short of the home directory; and path itself (its
// directory, for a file) at last. Links in path are followed once, before the search.
//
// The error is that of the file system when path does not exist.
func Context(path string) (root, rel string, err error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", "", fmt.Errorf("%s: %w", path, err)
	}
	if abs, err = filepath.EvalSymlinks(abs); err != nil {
		return "", "", err
	}
	info, err := os.Stat(abs)
	if err != nil {
		return "", "", err
	}
	start := abs
	if !info.IsDir() {
		start = filepath.Dir(abs)
	}
	root = contextRoot(start)
	if rel, err = filepath.Rel(root, abs); err != nil {
		return "", "", fmt.Errorf("%s: %w", path, err)
	}
	return root, filepath.ToSlash(rel), nil
}

func contextRoot(start string) string {
	home, _ := os.UserHomeDir()
	var workspace, module string
	for dir := start; ; {
		if exists(filepath.Join(dir, ".git")) {
			return dir
		}
		if workspace == "" && declaresWorkspace(dir) {
			workspace = dir
		}
		if module == "" && dir != home && (exists(filepath.Join(dir, "package.json")) || exists(filepath.Join(dir, "go.mod"))) {
			module = dir
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			break
		}
		dir = parent
	}
	switch {
	case workspace != "":
		return workspace
	case module != "":
		return module
	}
	return start
}

func declaresWorkspace(dir string) bool {
	for _, name := range []string{"go.work", "pnpm-workspace.yaml", "lerna.json", "rush.json", "nx.json"} {
		if exists(filepath.Join(dir, name)) {
			return true
		}
	}
	for name, word := range map[string]string{"package.json": `"workspaces"`, "deno.json": `"workspace"`, "deno.jsonc": `"workspace"`} {
		f, err := os.Open(filepath.Join(dir, name))
		if err != nil {
			continue
		}
		head, _ := readHead(f, manifestLimit)
		f.Close()
		if bytes.Contains(head, []byte(word)) {
			return true
		}
	}
	return false
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// View is a directory opened for reading, limited to what lies below it.
type View struct {
	fs.FS
	root *os.Root
}

// Open returns a view of dir in which no link leads outside. Close it after use.
func Open(dir string) (*View, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	return &View{FS: root.FS(), root: root}, nil
}

// Close ends reading from the view.
func (v *View) Close() error { return v.root.Close() }

// ReadFile reads a whole file of the view.
func (v *View) ReadFile(name string) ([]byte, error) { return fs.ReadFile(v.FS, name) }

// ReadDir lists a directory of the view, sorted by name.
func (v *View) ReadDir(name string) ([]fs.DirEntry, error) { return fs.ReadDir(v.FS, name) }

// Stat describes a file of the view; links are followed inside the view only.
func (v *View) Stat(name string) (fs.FileInfo, error) { return fs.Stat(v.FS, name) }

// ReadLink returns the destination of a link as it is written.
func (v *View) ReadLink(name string) (string, error) { return fs.ReadLink(v.FS, name) }

// Lstat describes a file of the view without following a link.
func (v *View) Lstat(name string) (fs.FileInfo, error) { return fs.Lstat(v.FS, name) }

var (
	_ fs.ReadFileFS = (*View)(nil)
	_ fs.ReadDirFS  = (*View)(nil)
	_ fs.StatFS     = (*View)(nil)
	_ fs.ReadLinkFS = (*View)(nil)
)

var errNotRegular = errors.New("not a regular file")
