package discover

import (
	"bytes"
	"io/fs"
	"path"
	"strings"

	"github.com/go-git/go-git/v5/plumbing/filemode"
	"github.com/go-git/go-git/v5/plumbing/format/index"
)

// indexLimit is the largest git index that is read, in bytes.
const indexLimit = 128 << 20

// repository is a git repository that the walk is in. A nil one stands for
// none, where git ignores nothing: an unpacked archive keeps its ignore files
// and has lost the knowledge of what is tracked in spite of them.
type repository struct {
	dir     string
	exclude []rule
	index   *tracked
}

// tracked is what a git index lists, relative to the repository. The nil value
// means that nothing is known: no index, or one that cannot be read.
type tracked struct {
	files map[string]bool
	dirs  map[string]bool // directories above a tracked file
}

// openRepository returns the repository whose root dir is, nil when it is none.
// Everything is read as files. A linked work tree or a submodule keeps its
// index elsewhere, outside the context, and is known by its ignore files only.
func openRepository(view fs.FS, dir string) *repository {
	if _, err := fs.Stat(view, join(dir, ".git")); err != nil {
		return nil
	}
	r := &repository{dir: dir}
	if text, err := readBounded(view, join(dir, ".git/info/exclude"), ignoreFile); err == nil {
		r.exclude = parseIgnore(text, dir)
	}
	if text, err := readBounded(view, join(dir, ".git/index"), indexLimit); err == nil {
		r.index = decodeIndex(text)
	}
	return r
}

func (r *repository) known() bool { return r != nil && r.index != nil }

func (r *repository) tracks(name string) bool {
	return r.known() && r.index.files[r.relative(name)]
}

// below says whether a directory holds a tracked file.
func (r *repository) below(dir string) bool {
	return r.known() && r.index.dirs[r.relative(dir)]
}

func (r *repository) relative(name string) string {
	if r.dir == "." {
		return name
	}
	if name == r.dir {
		return "."
	}
	return strings.TrimPrefix(name, r.dir+"/")
}

func decodeIndex(text []byte) (t *tracked) {
	// The index comes with the code under audit, and a damaged one may break
	// the decoder; the walk then goes by ignore files alone.
	defer func() {
		if recover() != nil {
			t = nil
		}
	}()
	var idx index.Index
	if err := index.NewDecoder(bytes.NewReader(text)).Decode(&idx); err != nil {
		return nil
	}
	t = &tracked{files: make(map[string]bool, len(idx.Entries)), dirs: map[string]bool{".": true}}
	for _, e := range idx.Entries {
		if e.Mode == filemode.Submodule {
			continue
		}
		t.files[e.Name] = true
		for dir := path.Dir(e.Name); !t.dirs[dir] && dir != "/"; dir = path.Dir(dir) {
			t.dirs[dir] = true
		}
	}
	return t
}
