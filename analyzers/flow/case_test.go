package flow_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/retrysafe/retrysafe/analyzers/audit"
	"github.com/retrysafe/retrysafe/analyzers/flow"
	"github.com/retrysafe/retrysafe/analyzers/model"
)

var update = flag.Bool("update", false, "rewrite the want sections of testdata/flow")

// TestCases evaluates the programs of testdata/flow and compares what their tools do with the want section: a line a tool with its
// nature, below it the effects with what protects them, and the lookups and claims with what their keys are made of. Where there is a
// places section, a line a tool says where it is defined, where it is registered if elsewhere, where its handler stands, and its hints.
func TestCases(t *testing.T) {
	files, err := filepath.Glob("../../testdata/flow/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			ar, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			dir := t.TempDir()
			want, at := "", -1
			places, placesAt := "", -1
			for i, f := range ar.Files {
				if f.Name == "want" {
					want, at = string(f.Data), i
					continue
				}
				if f.Name == "places" {
					places, placesAt = string(f.Data), i
					continue
				}
				path := filepath.Join(dir, filepath.FromSlash(f.Name))
				if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, f.Data, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			rep, err := audit.Scan(context.Background(), audit.Options{Path: dir})
			if err != nil {
				t.Fatal(err)
			}
			defer rep.Close()
			for _, tool := range rep.Result.Tools {
				if tool.Nature == model.Read && len(tool.Unresolved) > 0 && tool.Confidence == model.Certain {
					t.Errorf("%s: surely a read, with calls that were not followed", tool.Name)
				}
			}
			got := describe(rep)
			gotPlaces := ""
			if placesAt >= 0 {
				gotPlaces = describePlaces(rep)
			}
			if *update && at >= 0 {
				ar.Files[at].Data = []byte(got)
				if placesAt >= 0 {
					ar.Files[placesAt].Data = []byte(gotPlaces)
				}
				if err := os.WriteFile(file, txtar.Format(ar), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if got != want {
				t.Errorf("%s\ngot:\n%s\nwant:\n%s\nIf the new outcome is right: go test ./analyzers/flow -run TestCases -update", file, got, want)
			}
			if gotPlaces != places {
				t.Errorf("%s\nplaces:\n%s\nwant:\n%s", file, gotPlaces, places)
			}
		})
	}
}

func describe(rep *audit.Report) string {
	var b strings.Builder
	for _, t := range rep.Result.Tools {
		fmt.Fprintf(&b, "%s %s: %s\n", t.Kind, t.Name, t.Nature)
		for _, u := range t.Unresolved {
			fmt.Fprintf(&b, "  not followed: %s line %d\n", u.Callee, u.Span.Line)
		}
		for _, x := range t.Effects {
			p := rep.Result.Protection(x)
			fmt.Fprintf(&b, "  %s %s %s line %d: %s", x.Kind, x.Nature, x.Callee, x.Span.Line, p.Level)
			for _, g := range p.By {
				fmt.Fprintf(&b, " by %s", g.Kind)
			}
			if x.Incidental != "" {
				fmt.Fprintf(&b, " (%s)", x.Incidental)
			}
			b.WriteByte('\n')
		}
		for _, r := range t.Records {
			if r.Key == nil {
				continue
			}
			fmt.Fprintf(&b, "  %s line %d by", r.Op, r.Span.Line)
			for _, o := range rep.Result.Origins(r.Key) {
				if o.Kind == flow.OriginConstant {
					continue
				}
				fmt.Fprintf(&b, " %s", o.Kind)
				if o.Name != "" {
					fmt.Fprintf(&b, ":%s", o.Name)
				}
				if o.Hashed != "" {
					fmt.Fprintf(&b, "/%s", o.Hashed)
				}
			}
			b.WriteByte('\n')
		}
	}
	for _, n := range rep.Coverage.Unresolved {
		fmt.Fprintf(&b, "unresolved line %d: %s\n", n.Span.Line, n.What)
	}
	return b.String()
}

func describePlaces(rep *audit.Report) string {
	var b strings.Builder
	at := func(s model.Span) string { return fmt.Sprintf("%s:%d", s.File, s.Line) }
	for _, t := range rep.Result.Tools {
		fmt.Fprintf(&b, "%s at %s", t.Name, at(t.Span))
		if t.HandlerFn != nil {
			fmt.Fprintf(&b, ", runs %s", at(t.Handler))
		}
		for _, a := range t.Annotations {
			value := a.Value
			if value == "" {
				value = "?"
			}
			fmt.Fprintf(&b, ", %s %s", a.Name, value)
		}
		b.WriteByte('\n')
	}
	return b.String()
}
