package typescript

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"sync/atomic"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/retrysafe/retrysafe/analyzers/model"
	"github.com/retrysafe/retrysafe/analyzers/typescript/modules"
)

func view(files map[string]string) (fs.FS, []Source) {
	m := fstest.MapFS{}
	var list []Source
	for name, text := range files {
		m[name] = &fstest.MapFile{Data: []byte(text)}
		list = append(list, Source{Path: name, Size: int64(len(text))})
	}
	return m, list
}

func paths(list []Source) []string {
	var out []string
	for _, f := range list {
		out = append(out, f.Path)
	}
	return out
}

func TestLoad(t *testing.T) {
	v, files := view(map[string]string{
		"src/main.ts":   `import { charge } from "./charge.js"; import Stripe from "stripe"; charge(new Stripe());`,
		"src/charge.ts": `export function charge(s) { return s.charges.create(); }`,
		"src/bad.js":    `function broken( { ]`,
		"src/bin.ts":    "\x89PNG\r\n\x1a\n" + strings.Repeat("\x00\x00\x00\rIHDR\xf3\xff\x01", 40),
		"README.md":     "# no source",
	})
	files = append(files, Source{Path: "src/gone.ts"})
	resolver, _ := modules.New(v, paths(files))
	var seen atomic.Int64
	got, err := Load(t.Context(), v, files, resolver, Options{
		Jobs:      3,
		PackageOf: func(string) string { return "shop" },
		Progress:  func(n int64) { seen.Store(max(seen.Load(), n)) },
	})
	if err != nil {
		t.Fatal(err)
	}
	var units []string
	for _, u := range got.Units {
		units = append(units, fmt.Sprintf("%s %s %s %v", u.Path, u.Language, u.Package, u.Imports))
		if err := model.Validate(u); err != nil {
			t.Error(err)
		}
	}
	if diff := cmp.Diff([]string{
		"src/bad.js javascript shop []",
		"src/charge.ts typescript shop []",
		"src/main.ts typescript shop [src/charge.ts]",
	}, units); diff != "" {
		t.Error(diff)
	}
	if err := model.ValidateProgram(got.Units); err != nil {
		t.Error(err)
	}
	if diff := cmp.Diff([]string{"src/bad.js"}, got.Partial); diff != "" {
		t.Error(diff)
	}
	var failed []string
	for _, f := range got.Failures {
		failed = append(failed, f.File)
		if !strings.Contains(f.Reason, f.File) {
			t.Errorf("%s: the reason %q does not name the file", f.File, f.Reason)
		}
	}
	if diff := cmp.Diff([]string{"README.md", "src/bin.ts", "src/gone.ts"}, failed); diff != "" {
		t.Error(diff)
	}
	if got.Bytes == 0 || seen.Load() != got.Bytes {
		t.Errorf("%d bytes, progress saw %d", got.Bytes, seen.Load())
	}
}

// TestLoadOrder: the result does not depend on the number of workers or the order of the list.
func TestLoadOrder(t *testing.T) {
	texts := map[string]string{}
	for i := range 30 {
		texts[fmt.Sprintf("f%d.ts", i)] = strings.Repeat(fmt.Sprintf("export const a%d = () => %d;\n", i, i), 1+i%7)
	}
	v, files := view(texts)
	dump := func(jobs int) string {
		r, err := Load(t.Context(), v, files, nil, Options{Jobs: jobs})
		if err != nil {
			t.Fatal(err)
		}
		var out strings.Builder
		for _, u := range r.Units {
			out.WriteString(u.String())
		}
		return out.String()
	}
	one := dump(1)
	files[0], files[5] = files[5], files[0]
	if one != dump(4) {
		t.Error("the result depends on the workers")
	}
}

func TestLoadCancelled(t *testing.T) {
	v, files := view(map[string]string{"a.ts": "1", "b.ts": "2"})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	got, err := Load(ctx, v, files, nil, Options{})
	if !errors.Is(err, context.Canceled) || got == nil || len(got.Units) != 0 {
		t.Errorf("got %v, %v", got, err)
	}
}

func TestReads(t *testing.T) {
	for name, want := range map[string]bool{
		"a.ts": true, "a.MJS": true, "a.d.ts": false, "a.d.mts": false, "d.ts": true, "x.cts": true, "a.go": false, "a": false, "a.vue": false,
	} {
		if got := Reads(name); got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestMentions(t *testing.T) {
	u := lowerText(t, "a.ts", `
import type { T } from "./types";
import { used } from "./used";
import "pkg";
export * from "./all";
export async function f(x: T) { used(); return (await import("./lazy")).run; }
export const g: import("./deep").Of = 1;
`)
	want := []string{"all.ts", "deep.ts", "lazy.ts", "types.ts", "used.ts"}
	if diff := cmp.Diff(want, Mentions(u)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"used.ts", "all.ts"}, u.Imports); diff != "" {
		t.Error(diff)
	}
}
