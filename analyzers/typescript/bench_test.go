package typescript

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/retrysafe/retrysafe/analyzers/model"
	"github.com/retrysafe/retrysafe/analyzers/typescript/parse"
)

// BenchmarkLower measures lowering against parsing: compare its two halves within one run.
func BenchmarkLower(b *testing.B) {
	files, err := filepath.Glob("../../testdata/model/ts-*.txtar")
	if err != nil {
		b.Fatal(err)
	}
	type input struct {
		path    string
		source  []byte
		dialect parse.Dialect
		tree    *parse.Tree
	}
	var inputs []input
	size := 0
	p := parse.New()
	defer p.Close()
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			b.Fatal(err)
		}
		for _, f := range txtar.Parse(data).Files {
			d, ok := parse.DialectOf(f.Name)
			if !ok {
				continue
			}
			tree, err := p.Parse(f.Name, f.Data, d)
			if err != nil {
				b.Fatal(err)
			}
			inputs = append(inputs, input{f.Name, f.Data, d, tree})
			size += len(f.Data)
		}
	}
	b.Run("parse", func(b *testing.B) {
		b.SetBytes(int64(size))
		for b.Loop() {
			for _, in := range inputs {
				if _, err := p.Parse(in.path, in.source, in.dialect); err != nil {
					b.Fatal(err)
				}
			}
		}
	})
	b.Run("lower", func(b *testing.B) {
		b.SetBytes(int64(size))
		m := &memory{}
		for b.Loop() {
			for _, in := range inputs {
				lower(in.tree, FileInfo{Path: in.path, Language: model.TypeScript}, func(s string) Target { return Target{External: s} }, m)
			}
		}
	})
}
