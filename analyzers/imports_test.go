package analyzers

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"strings"
	"testing"
)

const module = "github.com/retrysafe/retrysafe/"

// allowed lists, for each package of the module, the packages of the module that it may import.
var allowed = map[string][]string{
	"analyzers":                    {},
	"analyzers/lazyregexp":         {},
	"analyzers/model":              {},
	"analyzers/query":              {},
	"analyzers/catalog":            {"analyzers/lazyregexp", "analyzers/model"},
	"analyzers/typescript/parse":   {"analyzers/lazyregexp"},
	"analyzers/typescript/modules": {"analyzers/lazyregexp"},
	"analyzers/typescript":         {"analyzers/lazyregexp", "analyzers/model", "analyzers/typescript/parse", "analyzers/typescript/modules"},
	"analyzers/golang":             {"analyzers/model"},
	"analyzers/golang/load":        {"analyzers/golang"},
	"analyzers/flow":               {"analyzers/lazyregexp", "analyzers/model", "analyzers/query"},
	"rules":                        {"analyzers/lazyregexp", "analyzers/model", "analyzers/query", "analyzers/flow"},
	"analyzers/vet":                {"analyzers/catalog", "analyzers/flow", "analyzers/golang", "analyzers/model", "rules"},
	"analyzers/vet/golangci":       {"analyzers/vet"},
	"analyzers/vet/nogo":           {"analyzers/vet"},
	"analyzers/audit/discover":     {},
	"analyzers/audit/config":       {"analyzers/catalog", "analyzers/model"},
	"analyzers/audit": {"analyzers/lazyregexp", "analyzers/audit/config", "analyzers/audit/discover", "analyzers/catalog", "analyzers/flow", "analyzers/golang", "analyzers/golang/load", "analyzers/model", "analyzers/query",
		"analyzers/typescript", "analyzers/typescript/modules", "rules"},
}

// TestImports holds the arrows of the pipeline. A new arrow is a decision: it belongs into the table above and the map in doc.go.
func TestImports(t *testing.T) {
	out, err := exec.Command("go", "list", "-json=ImportPath,Imports", "../analyzers/...", "../rules/...").Output()
	if err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			t.Fatalf("go list: %s", exit.Stderr)
		}
		t.Fatal(err)
	}
	seen := 0
	for dec := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p struct {
			ImportPath string
			Imports    []string
		}
		if err := dec.Decode(&p); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		from := strings.TrimPrefix(p.ImportPath, module)
		may, known := allowed[from]
		if !known {
			continue // a leaf such as embedded pages; what imports it is checked
		}
		seen++
		for _, to := range p.Imports {
			to, ours := strings.CutPrefix(to, module)
			if !ours {
				if strings.Contains(to, "tree-sitter") && from != "analyzers/typescript/parse" {
					t.Errorf("%s imports tree-sitter; only analyzers/typescript/parse may", from)
				}
				continue
			}
			ok := false
			for _, m := range may {
				ok = ok || m == to
			}
			if !ok && allowed[to] != nil {
				t.Errorf("%s imports %s: not an arrow of the pipeline (see doc.go)", from, to)
			}
		}
	}
	if seen != len(allowed) {
		t.Errorf("go list named %d of the %d packages in the table", seen, len(allowed))
	}
}
