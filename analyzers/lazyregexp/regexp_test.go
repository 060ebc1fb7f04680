package lazyregexp_test

import (
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/retrysafe/retrysafe/analyzers/lazyregexp"
)

func TestMethods(t *testing.T) {
	re := lazyregexp.New(`(a+)b`)
	if !re.MatchString("xaab") || re.MatchString("b") {
		t.Error("MatchString")
	}
	if got := re.FindStringSubmatch("xaab"); len(got) != 2 || got[1] != "aa" {
		t.Errorf("FindStringSubmatch: %q", got)
	}
	if got := re.ReplaceAllString("abaab", "$1-"); got != "a-aa-" {
		t.Errorf("ReplaceAllString: %q", got)
	}
	if re.String() != `(a+)b` {
		t.Errorf("String: %q", re)
	}
}

// TestAllAreWellFormed compiles the lazy expressions of the module: none is to fail on somebody's code.
func TestAllAreWellFormed(t *testing.T) {
	root := os.DirFS("../..")
	found := 0
	for _, top := range []string{"analyzers", "rules", "reports", "cmd"} {
		err := fs.WalkDir(root, top, func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
				return err
			}
			source, err := fs.ReadFile(root, name)
			if err != nil {
				return err
			}
			fset := token.NewFileSet()
			file, err := parser.ParseFile(fset, name, source, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			ast.Inspect(file, func(n ast.Node) bool {
				call, ok := n.(*ast.CallExpr)
				if !ok || len(call.Args) != 1 {
					return true
				}
				if sel, ok := call.Fun.(*ast.SelectorExpr); !ok || sel.Sel.Name != "New" || !isLazy(sel.X) {
					return true
				}
				found++
				if text, ok := textOf(call.Args[0]); !ok {
					t.Logf("%s: made of more than literals", fset.Position(call.Pos()))
				} else if _, err := regexp.Compile(text); err != nil {
					t.Errorf("%s: %v", fset.Position(call.Pos()), err)
				}
				return true
			})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if found < 30 {
		t.Errorf("%d expressions, want those of the module", found)
	}
}

func isLazy(x ast.Expr) bool {
	id, ok := x.(*ast.Ident)
	return ok && id.Name == "lazyregexp"
}

// textOf gives the text of a literal, or of several joined by plus signs.
func textOf(x ast.Expr) (string, bool) {
	switch x := x.(type) {
	case *ast.BasicLit:
		v := constant.MakeFromLiteral(x.Value, x.Kind, 0)
		return constant.StringVal(v), v.Kind() == constant.String
	case *ast.BinaryExpr:
		a, ok := textOf(x.X)
		b, both := textOf(x.Y)
		return a + b, ok && both && x.Op == token.ADD
	}
	return "", false
}
