package catalog

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/retrysafe/retrysafe/analyzers/model"
)

var update = flag.Bool("update", false, "rewrite golden files and the snapshot")

// TestErrors reads archives of catalog files with, in the file "errors", all that is wrong with them.
func TestErrors(t *testing.T) {
	archives, err := filepath.Glob("testdata/errors/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatal("no archives", err)
	}
	for _, path := range archives {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			var sources []Source
			want, at := "", -1
			for i, f := range archive.Files {
				if f.Name == "errors" {
					want, at = string(f.Data), i
					continue
				}
				sources = append(sources, Source{Name: f.Name, Data: f.Data})
			}
			got := ""
			if _, err := load(sources); err != nil {
				got = err.Error() + "\n"
			}
			if *update && at >= 0 {
				archive.Files[at].Data = []byte(got)
				if err := os.WriteFile(path, txtar.Format(archive), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestErrorsHavePlaces(t *testing.T) {
	_, err := load([]Source{{Name: "a.yaml", Data: []byte("rows:\n  - id: x\n    symbol: [a#b]\n")}})
	var located *Error
	if !errors.As(err, &located) || located.Place != "a.yaml:3:5" {
		t.Errorf("error %v has the place %+v, want a.yaml:3:5", err, located)
	}
}

const good = `
source: somewhere
date: 2026-01-02
package: a remark
define:
  - &shared {role: context, fields: [{path: a.b, role: caller}]}
  - &more {role: response}
rows:
  - id: one
    symbols: [a#b, "a#{c,d}"]
    versions: ">=1 <2"
    confidence: likely
    when:
      - {at: "Argument[0]", is: [true, "null"], not: true, equals: [1]}
    tool:
      kind: mcp
      framework: f
      name: Argument[0]
      handler: Argument[1]
      parameters:
        - *shared
        - <<: *more
          next: true
  - id: two
    symbols: [a#e]
    safe: true
    source: elsewhere
    date: 2025-12-31
`

func TestRowIsRead(t *testing.T) {
	c, err := load([]Source{{Name: "dir/x.yaml", Data: []byte(good), Trusted: true}})
	if err != nil {
		t.Fatal(err)
	}
	want := &model.Row{
		ID: "one", Symbols: []string{"a#b", "a#{c,d}"}, Versions: ">=1 <2", Confidence: model.Likely,
		When: []model.Predicate{{At: "Argument[0]", Is: []string{"true", "null"}, Equals: []string{"1"}, Not: true}},
		Tool: &model.Tool{Kind: "mcp", Framework: "f", Name: "Argument[0]", Handler: "Argument[1]", Parameters: []model.Input{
			{Role: model.ContextInput, Fields: []model.Field{{Path: "a.b", Role: model.CallerInput}}},
			{Role: model.ResponseInput, Next: true},
		}},
		Source: "somewhere", Date: "2026-01-02", Place: "dir/x.yaml:9", Trusted: true,
	}
	if diff := cmp.Diff(want, c.Lookup("one")); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	two := c.Lookup("two")
	if two.Confidence != model.Certain || two.Source != "elsewhere" || two.Date != "2025-12-31" || !two.Safe {
		t.Errorf("row two is %+v", two)
	}
	if c.Lookup("three") != nil {
		t.Error("a row that does not exist is found")
	}
}

// TestUserRows looks at what a user adds: it is found first, and what the scanned repository brings is marked.
func TestUserRows(t *testing.T) {
	row := "source: s\ndate: 2026-01-02\nrows:\n  - {id: mine.%s, symbols: [\"%s\"], safe: true}\n"
	c, err := Load(
		Source{Name: "mine.yaml", Data: fmt.Appendf(nil, row, "a", "js#**.map"), Trusted: true},
		Source{Name: ".retrysafe.yaml", Data: fmt.Appendf(nil, row, "b", "js#Array.map")},
	)
	if err != nil {
		t.Fatal(err)
	}
	if got := ids(c.Rows("js#Array.map")); len(got) < 3 || got[0] != "mine.b" || got[1] != "mine.a" || got[2] != "js.array.map" {
		t.Errorf("rows of js#Array.map are %v", got)
	}
	if c.Lookup("mine.b").Trusted || !c.Lookup("mine.a").Trusted || !c.Lookup("js.array.map").Trusted {
		t.Error("trust is not as given")
	}
	if _, err := Load(Source{Name: "x", Data: fmt.Appendf(nil, row, "a", "a#b")}, Source{Name: "y", Data: fmt.Appendf(nil, row, "a", "a#c")}); err == nil {
		t.Error("an id is accepted twice")
	}
}

func TestRowsOrder(t *testing.T) {
	data := `
source: s
date: 2026-01-02
rows:
  - {id: last, symbols: ["**#**"], safe: true}
  - {id: package, symbols: ["p#**"], safe: true}
  - {id: name, symbols: ["p#**.set"], safe: true}
  - {id: chain, symbols: ["p#make().set"], safe: true}
  - {id: conditional, symbols: ["p#make().set"], safe: true, when: [{at: "Argument[0]", is: [string]}]}
  - {id: plain, symbols: ["p#Thing.set", "p#default"], safe: true}
  - {id: node, symbols: ["fs#writeFile"], safe: true}
`
	c, err := load([]Source{{Name: "x.yaml", Data: []byte(data)}})
	if err != nil {
		t.Fatal(err)
	}
	for symbol, want := range map[string]string{
		"p#make().set":              "chain conditional name package last",
		"npm:p@3.1/index.js#a.set":  "name package last",
		"p#Thing.set":               "plain name package last",
		"p#default.Thing.set":       "plain name package last",
		"p#default":                 "plain package last",
		"p#other":                   "package last",
		"q#other":                   "last",
		"node:fs#writeFile":         "node last",
		"fs#default.writeFile":      "node last",
		"no symbol":                 "",
		"p#":                        "package last",
		"p#default().Thing.set":     "name package last",
		"p#default.default.Thing.x": "package last",
	} {
		for range 2 { // the second answer comes from memory
			if got := strings.Join(ids(c.Rows(symbol)), " "); got != want {
				t.Errorf("rows of %s are %q, want %q", symbol, got, want)
			}
		}
	}
}

func TestHostRows(t *testing.T) {
	data := `
source: s
date: 2026-01-02
rows:
  - {id: any, hosts: [{name: "*.example.com"}], safe: true}
  - {id: exact, hosts: [{name: api.example.com}], safe: true}
  - {id: path, hosts: [{name: api.example.com, path: "/v1/charges(/[^/]+)?", methods: [POST]}], safe: true}
  - {id: protocol, hosts: [{name: "**", path: ".*/_search"}], safe: true}
`
	c, err := load([]Source{{Name: "x.yaml", Data: []byte(data)}})
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ host, path, method, want string }{
		{"api.example.com", "/v1/charges/\x00", "POST", "path exact any"},
		{"api.example.com", "/v1/charges", "", "path exact any"},
		{"api.example.com", "/v1/charges", "GET", "exact any"},
		{"api.example.com", "/v1/charges/x/y", "POST", "exact any"},
		{"www.example.com", "/v1/charges", "POST", "any"},
		{"example.com", "/", "POST", ""},
		{"a.b.example.com", "/", "POST", ""},
		{"api.example.com", "/books/_search", "POST", "exact any protocol"},
		{"localhost", "/_search", "POST", "protocol"},
		{"", "\x00/_search", "POST", "protocol"},
		{"", "/_search/x", "POST", ""},
	} {
		if got := strings.Join(ids(c.HostRows(test.host, test.path, test.method)), " "); got != test.want {
			t.Errorf("rows of %s %s%s are %q, want %q", test.method, test.host, test.path, got, test.want)
		}
	}
}

func TestWords(t *testing.T) {
	data := `
source: s
date: 2026-01-02
rows:
  - {id: a, symbols: ["@scope/pkg/**#Server.{tool,register*}", "js#Map.get", "node:fs/promises#x"], tool: {kind: mcp, framework: f, handler: "Argument[1]"}}
  - {id: b, symbols: ["?#db.insertOne"], confidence: likely, record: {op: store}}
  - {id: c, symbols: ["github.com/a/b/v*/charge#New", "plain/sub#default"], route: {framework: f, handlers: "Argument[0..]"}}
  - {id: d, symbols: ["silent#log"], safe: true}
`
	c, err := load([]Source{{Name: "x.yaml", Data: []byte(data)}})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"@scope/pkg", "New", "fs", "github.com/a/b", "insertOne", "plain", "tool", "x"}
	if diff := cmp.Diff(want, c.Words()); diff != "" {
		t.Errorf("words -want +got:\n%s", diff)
	}
	if diff := cmp.Diff([]string{"@scope/pkg", "fs", "github.com/a/b", "plain"}, c.Packages()); diff != "" {
		t.Errorf("packages -want +got:\n%s", diff)
	}
}

// load makes a catalog of sources alone.
func load(sources []Source) (*Catalog, error) {
	known, err := read(sources)
	if err != nil {
		return nil, err
	}
	return assemble(nil, known, nil)
}

func ids(rows []*model.Row) []string {
	list := make([]string, len(rows))
	for i, row := range rows {
		list[i] = row.ID
	}
	return list
}

// FuzzLoad checks that no text breaks the loader, that errors have places and that what loads is found again.
func FuzzLoad(f *testing.F) {
	f.Add([]byte(good))
	for _, seed := range []string{
		"", "a", "rows:", "rows: []", "rows: [1]", "rows: {a: b}", "rows: *x", "&x rows: [*x]", "define: &a [*a]\nrows: *a",
		"source: s\ndate: 2026-01-02\nrows:\n  - <<: *a\n", "rows:\n - id: !!binary x\n", "---\nrows: []\n---\nrows: []\n", "rows: |\n  x\n",
		"source: s\ndate: 2026-01-02\nrows: [{id: a, hosts: [{name: x.y, path: \"\\\\Qa\"}], safe: true}]",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := load([]Source{{Name: "f.yaml", Data: data}})
		if err != nil {
			var located *Error
			if !errors.As(err, &located) || !strings.HasPrefix(located.Place, "f.yaml:") {
				t.Fatalf("error without a place: %v", err)
			}
			return
		}
		for _, row := range c.All() {
			if c.Lookup(row.ID) != row {
				t.Fatalf("row %q is not found by its id", row.ID)
			}
			for _, text := range row.Symbols {
				if !strings.ContainsAny(text, "*{}") && !slices.Contains(c.Rows(text), row) {
					t.Fatalf("row %q is not found by %q", row.ID, text)
				}
			}
		}
	})
}
