package modules

import (
	"strings"
	"testing"
	"testing/fstest"
)

// around serves one fuzzed configuration among files that it can name.
func around(name, text string) (fstest.MapFS, []string) {
	view := fstest.MapFS{
		"src/index.ts":       {},
		"src/a.ts":           {},
		"lib/b.js":           {},
		"packages/p/x.ts":    {},
		"packages/p/data.md": {},
	}
	listed := []string{"src/index.ts", "src/a.ts", "lib/b.js", "packages/p/x.ts"}
	view[name] = &fstest.MapFile{Data: []byte(text)}
	return view, listed
}

// check resolves and expects that every answer lies in the context.
func check(t *testing.T, view fstest.MapFS, listed []string, specs ...string) {
	t.Helper()
	r, _ := New(view, listed)
	for _, from := range listed {
		for _, spec := range specs {
			res := r.Resolve(from, spec)
			if res.Kind == Unit && (view[res.File] == nil || !isSource(res.File)) {
				t.Errorf("%s imports %q: %s is no source here", from, spec, res.File)
			}
			if res.Kind == Unresolved && res.Reason == "" {
				t.Errorf("%s imports %q: unresolved without a reason", from, spec)
			}
			if res.Kind == External && res.Package == "" {
				t.Errorf("%s imports %q: external without a package", from, spec)
			}
		}
		r.Dependency(from, "zod")
	}
	for _, e := range r.EntryPoints() {
		if view[e.Unit] == nil {
			t.Errorf("entry %+v is no file here", e)
		}
	}
	for _, p := range r.Problems() {
		if p.Line < 1 || p.Message == "" || p.File == "" {
			t.Errorf("problem without a place: %+v", p)
		}
	}
}

func FuzzTsconfig(f *testing.F) {
	f.Add(`{"compilerOptions": {"baseUrl": ".", "paths": {"@/*": ["src/*",],}}} // c`)
	f.Add(`{"extends": ["./tsconfig.json", "x/y"], "references": [{"path": "."}]}`)
	f.Add(`{"compilerOptions": {"outDir": "../..", "rootDir": "${configDir}/src", "rootDirs": ["src", "lib"]}, "include": ["**/*", "["]}`)
	f.Add(`{"compilerOptions": {"paths": {"*": ["*"], "**": ["***"]}}, "files": [1, null]}`)
	f.Add(strings.Repeat("[", 300))
	f.Fuzz(func(t *testing.T, text string) {
		view, listed := around("tsconfig.json", text)
		check(t, view, listed, "@/a", "./index", "../../x", "a", "src/a")
	})
}

func FuzzPackage(f *testing.F) {
	f.Add(`{"name": "p", "main": "dist/index.js", "bin": {"p": "./lib/b.js"}, "exports": {".": {"import": ["./dist/a.js", null]}, "./*": "./src/*.ts"}}`)
	f.Add(`{"name": "p", "imports": {"#a": "#a", "#b/*": "./src/*"}, "exports": {"./": "./src/"}}`)
	f.Add(`{"name": "p", "workspaces": ["packages/*", "!**", "../..", "{a,b}/**/**"], "dependencies": {"zod": "npm:@", "a": "file:.."}}`)
	f.Add(`{"scripts": {"a": "node 'dist/a.js", "b": "tsx src/a.ts && esbuild src/a.ts --outfile=", "c": "((;|\\"}, "main": 3}`)
	f.Add(`{"name": "p", "exports": {"": "x", "*": "**", "./a*a": "./*"}}`)
	f.Fuzz(func(t *testing.T, text string) {
		view, listed := around("package.json", text)
		check(t, view, listed, "p", "p/a", "p/../a", "#a", "#b/a", "zod", "a/b", "@/a")
	})
}

func FuzzDeno(f *testing.F) {
	f.Add(`{"imports": {"a": "a", "@/": "./src/", "b": "../../x"}, "scopes": {"./src/": {"a": "npm:"}}, "workspace": ["./packages/p"]}`)
	f.Add(`{"importMap": "./deno.json", "tasks": {"x": {"command": "deno run -A src/a.ts"}}}`)
	f.Fuzz(func(t *testing.T, text string) {
		view, listed := around("deno.json", text)
		check(t, view, listed, "a", "@/a", "b", "a/b")
	})
}

func FuzzWorkspace(f *testing.F) {
	f.Add("packages:\n  - 'packages/*'\n  - '!**/x'\ncatalog:\n  zod: 1\n")
	f.Add("a: &a [*a, *a]\npackages: *a\n")
	f.Add("packages: [[1], {a: b}]\ncatalogs: {x: {y: [1]}}")
	f.Fuzz(func(t *testing.T, text string) {
		view, listed := around("pnpm-workspace.yaml", text)
		check(t, view, listed, "p", "./a")
	})
}

func FuzzSpecifier(f *testing.F) {
	for _, s := range []string{"./a", "@/a", "#a", "npm:@a/b@1/c", "https://esm.sh/v1/@x", "https://deno.land/x/", "node:", "a?b#c", "..", "@", "bun:", "\x00", "https://[::1", "jsr:@/"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, spec string) {
		view, listed := around("package.json", `{"name": "p"}`)
		check(t, view, listed, spec)
	})
}

func FuzzWrangler(f *testing.F) {
	f.Add("main = \"src/index.ts\"\n[env.x]\nmain='src/a.ts'\n")
	f.Add("main=\"\n[[[\nmain = '")
	f.Fuzz(func(t *testing.T, text string) {
		view, listed := around("wrangler.toml", text)
		check(t, view, listed, "./a")
	})
}

func FuzzImage(f *testing.F) {
	f.Add("FROM x\nWORKDIR /app\nENTRYPOINT [\"node\"]\nCMD [\"dist/index.js\"]\n")
	f.Add("CMD exec node \\\n  'src/a.ts\nWORKDIR ../..\nCMD [\n")
	f.Fuzz(func(t *testing.T, text string) {
		view, listed := around("Dockerfile", text)
		check(t, view, listed, "./a")
	})
}
