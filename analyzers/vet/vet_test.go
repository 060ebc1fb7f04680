package vet

import (
	"bytes"
	"encoding/gob"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"context"
	"testing/fstest"

	"golang.org/x/tools/go/analysis"

	"github.com/retrysafe/retrysafe/analyzers/golang"
	"github.com/retrysafe/retrysafe/analyzers/golang/load"
	"github.com/retrysafe/retrysafe/analyzers/model"
	"github.com/retrysafe/retrysafe/rules"
)

const ledger = `package ledger

import (
	"database/sql"
	"errors"
)

// Book is a book of entries.
type Book struct {
	db   *sql.DB
	done map[string]bool
}

type writer interface{ Write(line string) error }

var errTwice = errors.New("twice")

// Enter writes a line once.
func (b *Book) Enter(key, line string) (err error) {
	defer func() { b.done[key] = err == nil }()
	if b.done[key] {
		return errTwice
	}
	for _, part := range []string{line, key} {
		if _, err = b.db.Exec("INSERT INTO entries (line) VALUES ($1)", part); err != nil {
			return err
		}
	}
	return nil
}
`

func units(t *testing.T) []*model.Unit {
	t.Helper()
	view := fstest.MapFS{
		"go.mod":           {Data: []byte("module example.com/books\n\ngo 1.24\n")},
		"ledger/ledger.go": {Data: []byte(ledger)},
	}
	res, err := load.Load(context.Background(), view, []string{"ledger/ledger.go"}, load.Options{})
	if err != nil {
		t.Fatal(err)
	}
	program := golang.NewProgram(res.Packages)
	var out []*model.Unit
	for _, p := range res.Packages {
		u, err := program.Lower(p)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, u)
	}
	if len(out) == 0 {
		t.Fatal("no package was loaded")
	}
	return out
}

// TestFacts holds that a fact encodes, that equal packages give equal facts, and that the unit comes back with its places.
func TestFacts(t *testing.T) {
	for _, u := range units(t) {
		fact, err := newFact(u)
		if err != nil {
			t.Fatalf("%s: %v", u.Path, err)
		}
		var wire bytes.Buffer
		if err := gob.NewEncoder(&wire).Encode(fact); err != nil {
			t.Fatalf("%s: %v", u.Path, err)
		}
		var read UnitFact
		if err := gob.NewDecoder(&wire).Decode(&read); err != nil {
			t.Fatalf("%s: %v", u.Path, err)
		}
		back, err := read.unit()
		if err != nil {
			t.Fatalf("%s: %v", u.Path, err)
		}
		again, err := newFact(back)
		if err != nil {
			t.Fatalf("%s: %v", u.Path, err)
		}
		if !bytes.Equal(fact.Data, again.Data) {
			t.Errorf("%s: the unit that comes back is another one", u.Path)
		}
		for _, f := range back.Funcs[1:] {
			if !f.Span.IsValid() {
				t.Errorf("%s: %s has no place", u.Path, f.Name)
			}
		}
	}
	for i, u := range units(t) {
		a, _ := newFact(u)
		b, _ := newFact(units(t)[i])
		if !bytes.Equal(a.Data, b.Data) {
			t.Errorf("%s: two loads give two facts", u.Path)
		}
	}
}

// TestBelow holds that a package that is there as a unit only is referred to as one whose source is there.
func TestBelow(t *testing.T) {
	const above = `package main

import "example.com/books/ledger"

func main() { var b ledger.Book; _ = b.Enter("k", "line") }
`
	view := fstest.MapFS{
		"go.mod":           {Data: []byte("module example.com/books\n\ngo 1.24\n")},
		"ledger/ledger.go": {Data: []byte(ledger)},
		"main.go":          {Data: []byte(above)},
	}
	res, err := load.Load(context.Background(), view, []string{"ledger/ledger.go", "main.go"}, load.Options{})
	if err != nil {
		t.Fatal(err)
	}
	whole := golang.NewProgram(res.Packages)
	var top *golang.Package
	var below []*model.Unit
	for _, p := range res.Packages {
		if p.Name == "main" {
			top = p
			continue
		}
		u, err := whole.Lower(p)
		if err != nil {
			t.Fatal(err)
		}
		below = append(below, u)
	}
	want, err := whole.Lower(top)
	if err != nil {
		t.Fatal(err)
	}
	got, err := golang.NewProgram([]*golang.Package{top}, below...).Lower(top)
	if err != nil {
		t.Fatal(err)
	}
	if got.String() != want.String() {
		t.Errorf("separately:\n%s\ntogether:\n%s", got, want)
	}
}

// TestSkip holds that packages outside the main module are left before they are read, and only those.
func TestSkip(t *testing.T) {
	tests := []struct {
		name string
		cfg  map[string]any
		done bool
	}{
		{"a dependency", map[string]any{"VetxOnly": true, "ModulePath": "example.com/dep", "ModuleVersion": "v1.2.0"}, true},
		{"the standard library", map[string]any{"VetxOnly": true}, true},
		{"a package of the main module below", map[string]any{"VetxOnly": true, "ModulePath": "example.com/books"}, false},
		{"the package that is asked for", map[string]any{"ModulePath": "example.com/books"}, false},
		{"the standard library, asked for", map[string]any{}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			out := filepath.Join(dir, "facts")
			tt.cfg["VetxOutput"] = out
			data, err := json.Marshal(tt.cfg)
			if err != nil {
				t.Fatal(err)
			}
			file := filepath.Join(dir, "vet.cfg")
			if err := os.WriteFile(file, data, 0o600); err != nil {
				t.Fatal(err)
			}
			done, err := skip(file)
			if err != nil || done != tt.done {
				t.Fatalf("skip = %v, %v; want %v", done, err, tt.done)
			}
			if _, err := os.Stat(out); (err == nil) != tt.done {
				t.Errorf("the file of facts: %v", err)
			}
		})
	}
	if _, err := skip(filepath.Join(t.TempDir(), "none.cfg")); err == nil {
		t.Error("a configuration that is not there gives no error")
	}
}

func TestProtocol(t *testing.T) {
	for _, tt := range []struct {
		args []string
		want bool
	}{
		{[]string{"-V=full"}, true},
		{[]string{"-flags"}, true},
		{[]string{"-unboundcaller=false", "/x/vet.cfg"}, true},
		{[]string{"scan", "."}, false},
		{nil, false},
	} {
		if got := Protocol(tt.args); got != tt.want {
			t.Errorf("Protocol(%q) = %v", tt.args, got)
		}
	}
}

// TestAnalyzers holds that every rule is an analyzer of its own, under its name without hyphens.
func TestAnalyzers(t *testing.T) {
	s := New()
	if err := analysis.Validate(append(s.Analyzers(), s.All())); err != nil {
		t.Fatal(err)
	}
	all := s.Analyzers()
	for i, r := range rules.All() {
		if all[i].Name != Name(r) || all[i].Doc == "" {
			t.Errorf("%s is the analyzer %s", r.Name, all[i].Name)
		}
	}
}
