//go:build cgo

package parse

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
)

var update = flag.Bool("update", false, "rewrite the trees in testdata/syntax")

// treeSuffix marks the expected dump of the file before it.
const treeSuffix = ".tree"

// sample is one source file of testdata/syntax.
type sample struct {
	archive, name, source string
}

func (s sample) String() string { return s.archive + "/" + s.name }

func (s sample) dialect(t testing.TB) Dialect {
	t.Helper()
	d, ok := DialectOf(s.name)
	if !ok {
		t.Fatalf("%s: no dialect", s)
	}
	return d
}

func archives(t testing.TB) []string {
	t.Helper()
	paths, err := filepath.Glob("testdata/syntax/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no samples: %v", err)
	}
	return paths
}

func samples(t testing.TB) []sample {
	t.Helper()
	var all []sample
	for _, path := range archives(t) {
		archive, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range archive.Files {
			if !strings.HasSuffix(f.Name, treeSuffix) {
				all = append(all, sample{filepath.Base(path), f.Name, string(f.Data)})
			}
		}
	}
	return all
}

func parseString(t testing.TB, p *Parser, name, source string) *Tree {
	t.Helper()
	d, ok := DialectOf(name)
	if !ok {
		t.Fatalf("%s: no dialect", name)
	}
	tree, err := p.Parse(name, []byte(source), d)
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

func dump(t testing.TB, tree *Tree) string {
	t.Helper()
	var b bytes.Buffer
	if err := tree.Dump(&b, tree.Root()); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestSyntax compares the tree of every sample with the one written beside it.
func TestSyntax(t *testing.T) {
	p := New()
	defer p.Close()
	for _, path := range archives(t) {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			want := make(map[string]string)
			for _, f := range archive.Files {
				want[f.Name] = string(f.Data)
			}
			rewritten := &txtar.Archive{Comment: archive.Comment}
			for _, f := range archive.Files {
				if strings.HasSuffix(f.Name, treeSuffix) {
					continue
				}
				tree := parseString(t, p, f.Name, string(f.Data))
				checkTree(t, tree)
				if len(tree.Errors()) > 0 && filepath.Base(path) != "broken.txtar" {
					t.Errorf("%s: %d errors", f.Name, len(tree.Errors()))
				}
				if len(tree.Repairs()) > 0 != wantsRepair(filepath.Base(path), f.Name) {
					t.Errorf("%s: repairs: %v", f.Name, tree.Repairs())
				}
				got := dump(t, tree)
				rewritten.Files = append(rewritten.Files, f, txtar.File{Name: f.Name + treeSuffix, Data: []byte(got)})
				if diff := cmp.Diff(want[f.Name+treeSuffix], got); diff != "" && !*update {
					t.Errorf("%s (-want +got, go test -update rewrites):\n%s", f.Name, diff)
				}
			}
			if *update {
				if err := os.WriteFile(path, txtar.Format(rewritten), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// wantsRepair lists the samples that the grammars cannot read as they are; a grammar that learns one shows here.
func wantsRepair(archive, name string) bool {
	switch archive + "/" + name {
	case "repairs.txtar/flow.js", "repairs.txtar/jsx.ts": // read by another grammar
		return false
	case "declarations.txtar/using.ts", "declarations.txtar/using.js", "modules.txtar/types.ts", "jsx.txtar/ampersand.tsx":
		return true
	}
	return archive == "repairs.txtar"
}

// checkTree holds the properties that every tree has, whatever the source.
func checkTree(t testing.TB, tree *Tree) {
	t.Helper()
	size := uint32(len(tree.source))
	if len(tree.nodes) == 0 || tree.nodes[0].parent != -1 || int(tree.nodes[0].next) != len(tree.nodes) {
		t.Fatalf("%s: bad root of %d nodes", tree.path, len(tree.nodes))
	}
	last := make(map[int32]uint32) // end of the child before, for every parent
	start := uint32(0)
	for i, n := range tree.nodes {
		if n.kind == KindNone || n.kind >= endOfKinds || n.field >= endOfFields {
			t.Fatalf("%s: node %d has kind %d, field %d", tree.path, i, n.kind, n.field)
		}
		if n.start > n.end || n.end > size {
			t.Fatalf("%s: node %d (%v) is [%d, %d) in %d bytes", tree.path, i, n.kind, n.start, n.end, size)
		}
		if n.start < start {
			t.Fatalf("%s: node %d (%v) starts at %d, before the node before it", tree.path, i, n.kind, n.start)
		}
		start = n.start
		if i == 0 {
			continue
		}
		if n.parent < 0 || int(n.parent) >= i || n.next <= int32(i) || n.next > tree.nodes[n.parent].next {
			t.Fatalf("%s: node %d (%v) has parent %d, next %d", tree.path, i, n.kind, n.parent, n.next)
		}
		up := tree.nodes[n.parent]
		if n.start < up.start || n.end > up.end {
			t.Fatalf("%s: node %d (%v) [%d, %d) leaves its parent (%v) [%d, %d)", tree.path, i, n.kind, n.start, n.end, up.kind, up.start, up.end)
		}
		if n.start < last[n.parent] {
			t.Fatalf("%s: node %d (%v) overlaps the sibling before it", tree.path, i, n.kind)
		}
		last[n.parent] = n.end
	}
	if got := findErrors(tree.nodes); len(got) != len(tree.errors) {
		t.Fatalf("%s: %d errors, %d listed", tree.path, len(got), len(tree.errors))
	}
}
