package discover

import (
	"bytes"
	"io/fs"
	"path"

	"github.com/go-git/go-git/v5/plumbing/filemode"
	"github.com/go-git/go-git/v5/plumbing/format/index"
)

// indexLimit is the largest git index that is read, in bytes.
const indexLimit = 128 << 20

// tracked is what the git index of the context lists. The nil value means that
// nothing is known: no repository, or an index that cannot be read.
type tracked struct {
	files map[string]bool
	dirs  map[string]bool // directories above a tracked file
}

// readIndex reads .git/index as a file. A linked work tree or a submodule keeps
// its index elsewhere, outside the context, and is answered with nil.
func readIndex(view fs.FS) *tracked {
	text, err := readBounded(view, ".git/index", indexLimit)
	if err != nil {
		return nil
	}
	return decodeIndex(text)
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

func (t *tracked) has(name string) bool { return t != nil && t.files[name] }
func (t *tracked) below(dir string) bool {
	return t != nil && t.dirs[dir]
}
