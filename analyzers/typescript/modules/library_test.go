package modules

import (
	"testing"
	"testing/fstest"
)

func TestLibrary(t *testing.T) {
	for name, test := range map[string]struct {
		manifest string
		library  bool
	}{
		"entries for importers":       {`{"exports": "./dist/index.js"}`, true},
		"main alone":                  {`{"main": "index.js", "scripts": {"test": "vitest"}}`, true},
		"what is started":             {`{"main": "index.js", "scripts": {"start": "node index.js"}}`, false},
		"declarations of the started": {`{"main": "index.js", "types": "index.d.ts", "scripts": {"start": "node demo.js"}}`, true},
		"a command":                   {`{"main": "index.js", "types": "index.d.ts", "bin": "cli.js"}`, false},
		"never published":             {`{"main": "index.js", "types": "index.d.ts", "private": true}`, false},
		"nothing said":                {`{"name": "app"}`, false},
	} {
		t.Run(name, func(t *testing.T) {
			view := fstest.MapFS{"package.json": {Data: []byte(test.manifest)}, "src/a.ts": {}}
			r, _ := New(view, []string{"src/a.ts"})
			if got := r.Library("src/a.ts"); got != test.library {
				t.Errorf("Library = %t, want %t", got, test.library)
			}
		})
	}
}
