package golang_test

import (
	"flag"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/retrysafe/retrysafe/analyzers/golang"
	"github.com/retrysafe/retrysafe/analyzers/model"
)

var update = flag.Bool("update", false, "rewrite the dumps in testdata/model/go-*.txtar")

// TestDump compares the units of every archive in testdata/model/go-*.txtar with the dumps at its end: once with the types that the type
// checker finds, once from the syntax alone. A folder is a package of the program, one below lib is a library that the type checker knows.
func TestDump(t *testing.T) {
	files, err := filepath.Glob("../../testdata/model/go-*.txtar")
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
			out := &txtar.Archive{Comment: archive.Comment}
			for _, f := range archive.Files {
				if strings.HasSuffix(f.Name, ".model") {
					want[f.Name] = string(f.Data)
				} else {
					out.Files = append(out.Files, f)
				}
			}
			typed := dumpAll(t, out.Files, true)
			degraded := dumpAll(t, out.Files, false)
			if degraded == typed {
				degraded = "as typed\n"
			}
			for _, d := range []txtar.File{{Name: "typed.model", Data: []byte(typed)}, {Name: "degraded.model", Data: []byte(degraded)}} {
				if diff := cmp.Diff(want[d.Name], string(d.Data)); diff != "" && !*update {
					t.Errorf("%s (-want +got), go test -update accepts it:\n%s", d.Name, diff)
				}
				out.Files = append(out.Files, d)
			}
			if *update {
				if err := os.WriteFile(name, txtar.Format(out), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

func dumpAll(t testing.TB, files []txtar.File, typed bool) string {
	t.Helper()
	units := lowerFiles(t, files, typed)
	if err := model.ValidateProgram(units); err != nil {
		t.Errorf("typed %v: %v", typed, err)
	}
	var b strings.Builder
	for i, u := range units {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(u.String())
	}
	return b.String()
}

// lowerFiles makes a program of files.
func lowerFiles(t testing.TB, files []txtar.File, typed bool) []*model.Unit {
	t.Helper()
	fset := token.NewFileSet()
	byPath := map[string]*golang.Package{}
	var order []string
	for _, f := range files {
		dir := path.Dir(f.Name)
		p := byPath[dir]
		if p == nil {
			p = &golang.Package{Path: path.Join("app", dir), Fset: fset, Info: newInfo(), Imports: map[string]string{}}
			if strings.HasPrefix(dir, "lib") {
				p.Path = dir
			}
			p.Types = types.NewPackage(p.Path, "")
			byPath[dir] = p
			order = append(order, dir)
		}
		syntax, _ := parser.ParseFile(fset, f.Name, f.Data, parser.AllErrors|parser.SkipObjectResolution)
		if syntax == nil {
			continue
		}
		p.Name = syntax.Name.Name
		p.Files, p.Names, p.Sources = append(p.Files, syntax), append(p.Names, f.Name), append(p.Sources, f.Data)
	}
	imp := &chain{byPath: map[string]*types.Package{}, pkgs: byPath}
	var program []*golang.Package
	slices.Sort(order)
	for _, dir := range order {
		p := byPath[dir]
		if typed {
			imp.check(p)
		}
		if !strings.HasPrefix(dir, "lib") {
			program = append(program, p)
		}
	}
	prog := golang.NewProgram(program)
	var units []*model.Unit
	for _, p := range program {
		u, err := prog.Lower(p)
		if err != nil {
			t.Fatal(err)
		}
		units = append(units, u)
	}
	golang.Link(units)
	return units
}

// chain imports the packages of an archive, and empty ones for others.
type chain struct {
	byPath map[string]*types.Package
	pkgs   map[string]*golang.Package
}

func (c *chain) Import(path string) (*types.Package, error) {
	for _, p := range c.pkgs {
		if p.Path == path {
			return c.check(p), nil
		}
	}
	return missing{}.Import(path)
}

func (c *chain) check(p *golang.Package) *types.Package {
	if got := c.byPath[p.Path]; got != nil {
		return got
	}
	c.byPath[p.Path] = types.NewPackage(p.Path, p.Name) // what imports itself
	conf := types.Config{Importer: c, Error: func(error) {}, FakeImportC: true}
	p.Types, _ = conf.Check(p.Path, p.Fset, p.Files, p.Info)
	c.byPath[p.Path] = p.Types
	return p.Types
}

// FuzzLower: any text gives a sound unit, the same every time, with types and without.
func FuzzLower(f *testing.F) {
	files, err := filepath.Glob("../../testdata/model/go-*.txtar")
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range files {
		archive, err := txtar.ParseFile(name)
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range archive.Files {
			if strings.HasSuffix(file.Name, ".go") {
				f.Add(string(file.Data))
			}
		}
	}
	f.Fuzz(func(t *testing.T, source string) {
		if len(source) > 8<<10 {
			return
		}
		files := []txtar.File{{Name: "a.go", Data: []byte(source)}}
		for _, typed := range []bool{true, false} {
			if typed && !checkable(source) {
				continue
			}
			if first, again := dumpAll(t, files, typed), dumpAll(t, files, typed); first != again {
				t.Errorf("two units of one text:\n%s", cmp.Diff(first, again))
			}
		}
	})
}

// checkable leaves out sources with which the type checker itself is busy for long.
func checkable(source string) bool {
	f, _ := parser.ParseFile(token.NewFileSet(), "a.go", source, parser.SkipObjectResolution)
	if f == nil {
		return false
	}
	ok := true
	ast.Inspect(f, func(n ast.Node) bool {
		if lit, is := n.(*ast.BasicLit); is && len(lit.Value) > 6 && lit.Kind != token.STRING {
			ok = false
		}
		return ok
	})
	return ok
}
