package catalog

import (
	"bytes"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestSnapshot checks that the snapshot holds what the files say. It is only slow, not wrong, without: Load
// reads the files where they have changed.
func TestSnapshot(t *testing.T) {
	sources, err := files()
	if err != nil {
		t.Fatal(err)
	}
	want, err := read(sources)
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		data, err := encode(want, sources)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile("snapshot.gob", data, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	got, ok := decode(compiled, sources)
	if !ok {
		t.Fatal("snapshot.gob is out of date; run: go generate ./analyzers/catalog")
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("snapshot.gob differs from the files; run: go generate ./analyzers/catalog\n-files +snapshot:\n%s", diff)
	}
}

func TestSnapshotOfOtherFiles(t *testing.T) {
	a, b := []Source{{Name: "a", Data: []byte("x")}}, []Source{{Name: "a", Data: []byte("y")}}
	data, err := encode(snapshot{Names: []string{"n"}}, a)
	if err != nil {
		t.Fatal(err)
	}
	if s, ok := decode(data, a); !ok || len(s.Names) != 1 {
		t.Error("a snapshot is not read back")
	}
	if _, ok := decode(data, b); ok {
		t.Error("a snapshot of other files is used")
	}
	if _, ok := decode(bytes.TrimSuffix(data, data[len(data)-3:]), a); ok {
		t.Error("half a snapshot is used")
	}
}
