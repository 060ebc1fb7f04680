package load

import (
	"context"
	"flag"
	"fmt"
	"go/ast"
	"go/types"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/retrysafe/retrysafe/analyzers/golang"
)

var update = flag.Bool("update", false, "write the expected listings anew")

// TestCases loads each tree of testdata and compares what was found with the section "want". Files below "$cache/" are the
// module cache. The comment of an archive may hold "only PATH" lines: the files that are given, all of them where there is none.
func TestCases(t *testing.T) {
	std := FindToolchain(t.Context()).Root
	if std == "" {
		t.Skip("no standard library")
	}
	cases, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(cases) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, name := range cases {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			view, cache, want := fstest.MapFS{}, t.TempDir(), -1
			var files []string
			for i, f := range archive.Files {
				if f.Name == "want" {
					want = i
				} else if rest, ok := strings.CutPrefix(f.Name, "$cache/"); ok {
					write(t, filepath.Join(cache, filepath.FromSlash(rest)), f.Data)
				} else {
					view[f.Name] = &fstest.MapFile{Data: f.Data}
					if path.Ext(f.Name) == ".go" && !strings.Contains(f.Name, "vendor/") && !strings.HasSuffix(f.Name, "_test.go") {
						files = append(files, f.Name)
					}
				}
			}
			only := false
			for line := range strings.Lines(string(archive.Comment)) {
				if p, ok := strings.CutPrefix(strings.TrimSpace(line), "only "); ok {
					if !only {
						files, only = nil, true
					}
					files = append(files, p)
				}
			}
			res, err := Load(t.Context(), view, files, Options{Toolchain: Toolchain{Root: std, Cache: cache}, GOOS: "linux", GOARCH: "amd64"})
			if err != nil {
				t.Fatal(err)
			}
			got := show(res)
			if strings.Contains(got, cache) || strings.Contains(got, std) {
				t.Errorf("a place on the machine shows:\n%s", got)
			}
			if *update {
				section := txtar.File{Name: "want", Data: []byte(got)}
				if want < 0 {
					archive.Files = append(archive.Files, section)
				} else {
					archive.Files[want] = section
				}
				if err := os.WriteFile(name, txtar.Format(archive), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if want < 0 {
				t.Fatalf("no section want; got\n%s", got)
			}
			if diff := cmp.Diff(string(archive.Files[want].Data), got); diff != "" {
				t.Errorf("result differs (-want +got):\n%s", diff)
			}
		})
	}
}

func write(t *testing.T, name string, data []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, data, 0o644); err != nil {
		t.Fatal(err)
	}
}

// show renders a result: the packages with their files, the types of their functions and variables, guessed names, and the degraded rows.
func show(r *Result) string {
	var b strings.Builder
	for _, p := range r.Packages {
		fmt.Fprintf(&b, "package %s %q: %s\n", p.Name, p.Path, strings.Join(p.Names, " "))
		for _, imported := range sortedKeys(p.Imports) {
			fmt.Fprintf(&b, "  missing %s as %s\n", imported, p.Imports[imported])
		}
		for _, line := range objects(p) {
			fmt.Fprintf(&b, "  %s\n", line)
		}
	}
	for _, d := range r.Degraded {
		fmt.Fprintf(&b, "- %s: %s\n", d.Place, d.Reason)
	}
	return b.String()
}

func sortedKeys(m map[string]string) []string {
	var out []string
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

// objects gives the types of local variables, which only a full check of the bodies knows.
func objects(p *golang.Package) []string {
	var out []string
	for i, f := range p.Files {
		ast.Inspect(f, func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			if !ok {
				return true
			}
			if v, ok := p.Info.Defs[id].(*types.Var); ok && !v.IsField() && v.Parent() != nil {
				out = append(out, fmt.Sprintf("%s:%d %s %s", p.Names[i], p.Fset.Position(id.Pos()).Line, v.Name(), types.TypeString(v.Type(), nil)))
			}
			return true
		})
	}
	return out
}

// TestWithoutToolchain loads a module where no Go is installed: everything of the program is there, with the types it declares itself.
func TestWithoutToolchain(t *testing.T) {
	view := fstest.MapFS{
		"go.mod": {Data: []byte("module example.com/m\n\ngo 1.24\n")},
		"a.go":   {Data: []byte("package m\n\nimport (\n\t\"net/http\"\n\t\"example.com/m/b\"\n)\n\nfunc F() { x := b.New(); y := http.DefaultClient; _, _ = x, y }\n")},
		"b/b.go": {Data: []byte("package b\n\ntype T struct{}\n\nfunc New() *T { return nil }\n")},
	}
	res, err := Load(t.Context(), view, []string{"a.go"}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := `package m "example.com/m": a.go
  missing net/http as http
  a.go:8 x *example.com/m/b.T
  a.go:8 y invalid type
package b "example.com/m/b": b/b.go
- go.mod: 1 dependency not at hand, types are missing: net/http (the first at a.go:4:2)
`
	if diff := cmp.Diff(want, show(res)); diff != "" {
		t.Errorf("result differs (-want +got):\n%s", diff)
	}
}

// TestStable loads a tree twice, with one worker and with several.
func TestStable(t *testing.T) {
	std := FindToolchain(t.Context()).Root
	if std == "" {
		t.Skip("no standard library")
	}
	view := os.DirFS("../..")
	var files []string
	for _, dir := range []string{"model", "query", "golang", "golang/load"} {
		names, err := fs.Glob(view, dir+"/*.go")
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range names {
			if !strings.HasSuffix(n, "_test.go") {
				files = append(files, n)
			}
		}
	}
	var texts []string
	for _, jobs := range []int{1, 4} {
		res, err := Load(t.Context(), view, files, Options{Toolchain: Toolchain{Root: std}, Jobs: jobs})
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, show(res))
	}
	if diff := cmp.Diff(texts[0], texts[1]); diff != "" {
		t.Errorf("one worker and several differ:\n%s", diff)
	}
}

func TestVersion(t *testing.T) {
	view := fstest.MapFS{
		"go.mod": {Data: []byte("module example.com/m\n\ngo 1.24\n\nrequire (\n\tgithub.com/acme/pay/v2 v2.3.4\n\texample.org/old v1.0.0\n)\n\nreplace example.org/old => example.org/fork v1.7.0\n")},
		"a/a.go": {Data: []byte("package a\n")},
	}
	res, err := Load(t.Context(), view, []string{"a/a.go"}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for pkg, want := range map[string]string{"github.com/acme/pay/v2/charge": "v2.3.4", "example.org/old": "v1.7.0", "net/http": "", "example.org/oldest": ""} {
		if got := res.Version("example.com/m/a", pkg); got != want {
			t.Errorf("version of %s = %q, want %q", pkg, got, want)
		}
	}
	if got := res.Version("elsewhere", "example.org/old"); got != "" {
		t.Errorf("version in an unknown unit = %q", got)
	}
}

func TestCanceled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	res, err := Load(ctx, fstest.MapFS{"a.go": {Data: []byte("package a\n")}}, []string{"a.go"}, Options{})
	if err == nil || res == nil || len(res.Packages) != 0 {
		t.Errorf("Load = %v, %v", res, err)
	}
}

func TestSafeEnvironment(t *testing.T) {
	got := safeEnvironment([]string{"HOME=/h", "GOFLAGS=-toolexec=evil", "GOENV=/evil", "GOWORK=/evil", "GOVCS=*:all", "GOTOOLCHAIN=auto", "GOPROXY=https://proxy.example"}, "GOWORK=off")
	want := []string{"HOME=/h", "GOPROXY=https://proxy.example", "GOFLAGS=", "GOENV=off", "GOTOOLCHAIN=local", "GOVCS=*:off", "CGO_ENABLED=0", "GO111MODULE=on", "GOWORK=off"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("environment differs (-want +got):\n%s", diff)
	}
}

func TestGuessName(t *testing.T) {
	for p, want := range map[string]string{
		"github.com/stripe/stripe-go/v82":        "stripe",
		"github.com/go-redis/redis/v9":           "redis",
		"gopkg.in/yaml.v3":                       "yaml",
		"github.com/nats-io/nats.go":             "nats",
		"github.com/mattn/go-sqlite3":            "sqlite3",
		"github.com/mark3labs/mcp-go/mcp":        "mcp",
		"github.com/hashicorp/go-cleanhttp":      "cleanhttp",
		"github.com/foo/bar-baz":                 "barbaz",
		"v2":                                     "v2",
		"example.com/123":                        "_123",
		"github.com/golang-jwt/jwt/v5":           "jwt",
		"github.com/MicahParks/keyfunc/v10":      "keyfunc",
		"github.com/google/go-github/v72/github": "github",
	} {
		if got := guessName(p); got != want {
			t.Errorf("guessName(%q) = %q, want %q", p, got, want)
		}
	}
}

func FuzzModuleFiles(f *testing.F) {
	f.Add([]byte("module example.com/m\n\ngo 1.99.1\n\nrequire a.b/c v1.2.3\nreplace a.b/c => ../c\n"))
	f.Add([]byte("go 1.24\nuse (\n\t./a\n\t../b\n)\nreplace x.y/z v1.0.0 => x.y/w v1.1.0\n"))
	f.Add([]byte("module \"a\nrequire"))
	f.Add([]byte("module ../../x\nreplace ../../x => /etc\nuse /etc\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if m, _ := parseMod("go.mod", data); m == nil || m.require == nil {
			t.Fatal("no module")
		}
		if w, _ := parseWork("go.work", data); w == nil {
			t.Fatal("no workspace")
		}
		view := fstest.MapFS{"go.mod": {Data: data}, "go.work": {Data: data}, "a/go.mod": {Data: data}, "a/a.go": {Data: []byte("package a\nimport \"a.b/c/d\"\n")}}
		if _, err := Load(context.Background(), view, []string{"a/a.go"}, Options{}); err != nil {
			t.Fatal(err)
		}
	})
}
