package golang_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/retrysafe/retrysafe/analyzers/golang"
	"github.com/retrysafe/retrysafe/analyzers/model"
)

// TestReal lowers whole packages: those of this module, with the types that are known when nothing outside of a package is at hand, and
// some of the standard library's from their syntax alone. Everything must be sound, and nothing may be left aside without a note.
func TestReal(t *testing.T) {
	var dirs []string
	root := "../.."
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			if name := d.Name(); path != root && (strings.HasPrefix(name, ".") || name == "testdata") {
				return filepath.SkipDir
			}
			dirs = append(dirs, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	lowerAll(t, dirs, true)
	std := filepath.Join(runtime.GOROOT(), "src")
	if _, err := os.Stat(std); err != nil {
		t.Skip("no source of the standard library")
	}
	for i, dir := range []string{"net/http", "go/types", "database/sql", "encoding/json", "reflect", "text/template", "iter", "sync"} {
		lowerAll(t, []string{filepath.Join(std, dir)}, i%2 == 0)
	}
}

func lowerAll(t *testing.T, dirs []string, typed bool) []*model.Unit {
	t.Helper()
	var pkgs []*golang.Package
	for _, dir := range dirs {
		if p := parseDir(t, dir, typed); p != nil {
			pkgs = append(pkgs, p)
		}
	}
	if len(pkgs) == 0 {
		t.Fatalf("no packages in %v", dirs)
	}
	prog := golang.NewProgram(pkgs)
	var units []*model.Unit
	for _, p := range pkgs {
		u, err := prog.Lower(p)
		if err != nil {
			t.Fatal(err)
		}
		units = append(units, u)
		for _, n := range u.Notes {
			t.Errorf("%s: note: %s", n.Span, n.What)
		}
	}
	golang.Link(units)
	if err := model.ValidateProgram(units); err != nil {
		text := err.Error()
		t.Errorf("%v: %s", dirs[0], text[:min(len(text), 3000)])
	}
	return units
}

func parseDir(t *testing.T, dir string, typed bool) *golang.Package {
	t.Helper()
	names, _ := filepath.Glob(filepath.Join(dir, "*.go"))
	p := &golang.Package{Path: filepath.ToSlash(strings.TrimLeft(dir, "./")), Fset: token.NewFileSet(), Info: newInfo(), Imports: map[string]string{}}
	if rest, ok := strings.CutPrefix(filepath.ToSlash(dir), "../.."); ok {
		p.Path = "github.com/retrysafe/retrysafe" + rest
	}
	p.Types = types.NewPackage(p.Path, "")
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		f, err := parser.ParseFile(p.Fset, name, src, parser.AllErrors|parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		if p.Name != "" && f.Name.Name != p.Name {
			continue
		}
		p.Name = f.Name.Name
		p.Files, p.Sources = append(p.Files, f), append(p.Sources, src)
		p.Names = append(p.Names, filepath.Base(name))
	}
	if len(p.Files) == 0 {
		return nil
	}
	if typed {
		check(p)
	}
	return p
}

func newInfo() *types.Info {
	return &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Selections: map[*ast.SelectorExpr]*types.Selection{}, Instances: map[*ast.Ident]types.Instance{},
		Implicits: map[ast.Node]types.Object{}, Scopes: map[ast.Node]*types.Scope{}}
}

// check types a package whose imports are all missing.
func check(p *golang.Package) {
	conf := types.Config{Importer: missing{}, Error: func(error) {}, FakeImportC: true}
	p.Types, _ = conf.Check(p.Path, p.Fset, p.Files, p.Info)
}

// missing imports empty packages.
type missing struct{}

func (missing) Import(path string) (*types.Package, error) {
	p := types.NewPackage(path, path[strings.LastIndexByte(path, '/')+1:])
	p.MarkComplete()
	return p, nil
}

// TestServers lowers checkouts of real programs, where RETRYSAFE_GO_TREES names their folders.
func TestServers(t *testing.T) {
	trees := os.Getenv("RETRYSAFE_GO_TREES")
	if trees == "" {
		t.Skip("RETRYSAFE_GO_TREES is not set")
	}
	for _, root := range filepath.SplitList(trees) {
		var dirs []string
		_ = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err == nil && d.IsDir() && d.Name() != "testdata" {
				if names, _ := filepath.Glob(filepath.Join(path, "*.go")); slices.ContainsFunc(names, func(n string) bool { return !strings.HasSuffix(n, "_test.go") }) {
					dirs = append(dirs, path)
				}
			}
			return nil
		})
		for _, typed := range []bool{true, false} {
			ops, unknown := 0, map[string]int{}
			for _, u := range lowerAll(t, dirs, typed) {
				for _, f := range u.Funcs {
					ops += len(f.Ops)
					for i := range f.Ops {
						if f.Ops[i].Kind == model.Unknown {
							unknown[f.Ops[i].Name]++
						}
					}
				}
			}
			t.Logf("%s typed %v: %d operations, unknown %v", filepath.Base(root), typed, ops, unknown)
		}
	}
}
