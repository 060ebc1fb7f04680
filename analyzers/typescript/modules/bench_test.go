package modules

import (
	"fmt"
	"testing"
	"testing/fstest"
)

// BenchmarkResolve asks for relative, aliased, workspace and external names
// in a workspace of 40 packages with 50 files each.
func BenchmarkResolve(b *testing.B) {
	view := fstest.MapFS{"package.json": {Data: []byte(`{"workspaces": ["packages/*"]}`)}}
	var files []string
	for p := range 40 {
		dir := fmt.Sprintf("packages/p%d", p)
		view[dir+"/package.json"] = &fstest.MapFile{Data: fmt.Appendf(nil, `{"name": "@org/p%d", "main": "dist/f0.js"}`, p)}
		view[dir+"/tsconfig.json"] = &fstest.MapFile{Data: []byte(`{"compilerOptions": {"paths": {"@/*": ["./src/*"]}}, "include": ["src/**/*.ts"], "exclude": ["**/*.test.ts"]}`)}
		for f := range 50 {
			name := fmt.Sprintf("%s/src/f%d.ts", dir, f)
			view[name] = &fstest.MapFile{}
			files = append(files, name)
		}
	}
	for b.Loop() {
		b.StopTimer()
		r, _ := New(view, files)
		b.StartTimer()
		for i, from := range files {
			for _, spec := range []string{"./f1.js", "@/f2", fmt.Sprintf("@org/p%d", i%40), "zod", "node:fs", "./missing"} {
				r.Resolve(from, spec)
			}
		}
	}
	b.ReportMetric(float64(len(files)*6), "specifiers/op")
}
