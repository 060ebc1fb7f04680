package typescript

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/retrysafe/retrysafe/analyzers/model"
	"github.com/retrysafe/retrysafe/analyzers/typescript/parse"
)

var update = flag.Bool("update", false, "rewrite the dumps in testdata/model/ts-*.txtar")

// lowerText lowers one source with a resolver that takes relative specifiers for units and others for packages.
func lowerText(t testing.TB, path, source string) *model.Unit {
	t.Helper()
	dialect, ok := parse.DialectOf(path)
	if !ok {
		t.Fatalf("%s: no dialect", path)
	}
	p := parse.New()
	defer p.Close()
	tree, err := p.Parse(path, []byte(source), dialect)
	if err != nil {
		t.Fatal(err)
	}
	info := FileInfo{Path: path, Language: model.TypeScript}
	if dialect == parse.JavaScript {
		info.Language = model.JavaScript
	}
	return Lower(tree, info, func(specifier string) Target {
		switch {
		case strings.HasSuffix(specifier, ".json"):
			return Target{Asset: strings.TrimPrefix(specifier, "./")}
		case strings.HasPrefix(specifier, "./missing"):
			return Target{}
		case strings.HasPrefix(specifier, "./"):
			return Target{Unit: strings.TrimPrefix(specifier, "./") + filepath.Ext(path)}
		}
		return Target{External: specifier}
	})
}

// TestDump compares the dump of every source in testdata/model/ts-*.txtar with the file behind it: a.ts with a.ts.model.
func TestDump(t *testing.T) {
	files, err := filepath.Glob("../../testdata/model/ts-*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no test data", err)
	}
	for _, name := range files {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			want := map[string]string{}
			for _, f := range archive.Files {
				if source, ok := strings.CutSuffix(f.Name, ".model"); ok {
					want[source] = string(f.Data)
				}
			}
			out := &txtar.Archive{Comment: archive.Comment}
			for _, f := range archive.Files {
				if strings.HasSuffix(f.Name, ".model") {
					continue
				}
				u := lowerText(t, f.Name, string(f.Data))
				if err := model.Validate(u); err != nil {
					t.Errorf("%s: %v", f.Name, err)
				}
				got := u.String()
				if diff := cmp.Diff(want[f.Name], got); diff != "" && !*update {
					t.Errorf("%s (-want +got), go test -update accepts it:\n%s", f.Name, diff)
				}
				out.Files = append(out.Files, f, txtar.File{Name: f.Name + ".model", Data: []byte(got)})
			}
			if *update {
				if err := os.WriteFile(name, txtar.Format(out), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}
