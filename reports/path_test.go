package reports

import (
	"testing"

	"github.com/retrysafe/retrysafe/analyzers/audit"
)

func TestPaths(t *testing.T) {
	scan := func(context, prefix, arg string, folder bool) Scan {
		return Scan{Report: &audit.Report{Context: context, Prefix: prefix}, Arg: arg, Folder: folder}
	}
	for _, test := range []struct {
		name                string
		scans               []Scan
		file, path, printed string
	}{
		{"all of it", []Scan{scan("/r", ".", ".", true)}, "src/a.ts", "src/a.ts", "src/a.ts"},
		{"a folder", []Scan{scan("/r", "pkg/x", "pkg/x", true)}, "pkg/x/a.ts", "a.ts", "pkg/x/a.ts"},
		{"from inside", []Scan{scan("/r", "pkg/x", ".", true)}, "pkg/x/a.ts", "a.ts", "a.ts"},
		{"outside of the folder", []Scan{scan("/r", "pkg/x", "x", true)}, "lib/a.ts", "../../lib/a.ts", "../lib/a.ts"},
		{"absolute", []Scan{scan("/r", "pkg/x", "/r/pkg/x", true)}, "lib/a.ts", "../../lib/a.ts", "/r/lib/a.ts"},
		{"a file", []Scan{scan("/r", "pkg/a.ts", "./pkg/a.ts", false)}, "pkg/a.ts", "pkg/a.ts", "./pkg/a.ts"},
		{"beside a file", []Scan{scan("/r", "pkg/a.ts", "pkg/a.ts", false)}, "pkg/b.ts", "pkg/b.ts", "pkg/b.ts"},
		{"two folders", []Scan{scan("/r", "a", "a", true), scan("/r", "b", "b", true)}, "a/x.ts", "a/x.ts", "a/x.ts"},
		{"two repositories", []Scan{scan("/r/one", ".", "one", true), scan("/r/two", ".", "two", true)}, "x.ts", "one/x.ts", "one/x.ts"},
	} {
		r := New(test.scans, Options{})
		if got := r.Path(0, test.file); got != test.path {
			t.Errorf("%s: Path %q, want %q", test.name, got, test.path)
		}
		if got := r.Shown(0, test.file); got != test.printed {
			t.Errorf("%s: Shown %q, want %q", test.name, got, test.printed)
		}
	}
}
