package catalog

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/gob"
	"errors"
	"io/fs"
	"strings"

	"github.com/retrysafe/retrysafe/analyzers/model"
)

//go:embed data
var embedded embed.FS

// The snapshot holds the rows of data/ as they were read, because reading them takes longer than many a scan, and
// `go vet` starts the program once a package. It begins with the hash of the files that it was made from: one that is out of
// date is not used.
//
//go:generate go test -run TestSnapshot -update .
//go:embed snapshot.gob
var compiled []byte

// snapshot is what is known without the user.
type snapshot struct {
	Rows            []*model.Row
	Packages, Names []string // see wordsOf
}

// builtin gives the rows that come with the program.
func builtin() (snapshot, error) {
	sources, err := files()
	if err != nil {
		return snapshot{}, err
	}
	if s, ok := decode(compiled, sources); ok {
		return s, nil
	}
	return read(sources)
}

// read reads files whose rows are not the user's.
func read(sources []Source) (snapshot, error) {
	rows, problems := readAll(sources, false)
	problems = append(problems, contradictions(rows, 0)...)
	if len(problems) > 0 {
		all := make([]error, len(problems))
		for i, p := range problems {
			all[i] = p
		}
		return snapshot{}, errors.Join(all...)
	}
	packages, names := wordsOf(rows)
	return snapshot{rows, packages, names}, nil
}

// files lists the embedded files, sorted by name.
func files() ([]Source, error) {
	var sources []Source
	err := fs.WalkDir(embedded, "data", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".yaml") {
			return err
		}
		data, err := embedded.ReadFile(path)
		if err != nil {
			return err
		}
		sources = append(sources, Source{Name: strings.TrimPrefix(path, "data/"), Data: data, Trusted: true})
		return nil
	})
	return sources, err
}

// digest tells the files apart by their names and contents.
func digest(sources []Source) [sha256.Size]byte {
	h := sha256.New()
	for _, s := range sources {
		sum := sha256.Sum256(s.Data)
		h.Write([]byte(s.Name + "\n"))
		h.Write(sum[:])
	}
	return [sha256.Size]byte(h.Sum(nil))
}

func encode(s snapshot, sources []Source) ([]byte, error) {
	sum := digest(sources)
	b := bytes.NewBuffer(sum[:])
	if err := gob.NewEncoder(b).Encode(s); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// decode reads a snapshot; ok is false where it was not made from sources.
func decode(data []byte, sources []Source) (s snapshot, ok bool) {
	sum := digest(sources)
	rest, ok := bytes.CutPrefix(data, sum[:])
	if !ok {
		return snapshot{}, false
	}
	if err := gob.NewDecoder(bytes.NewReader(rest)).Decode(&s); err != nil {
		return snapshot{}, false
	}
	return s, true
}
