package config

import (
	"strings"
	"testing"
	"testing/fstest"
)

func TestParse(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"", ""},
		{"# only remarks\n", ""},
		{"catalog:\n  - {symbols: [\"a#b\"], safe: true}\n", ""},
		{"catalog: []\ncatalogs: []\n", `x.yaml:2:1: unknown setting "catalogs"; did you mean "catalog"?`},
		{"severity: high\n", `x.yaml:1:1: unknown setting "severity"; known are catalog, errors, retention, key-length, transport, trusted-headers, identities`},
		{"errors: discard\nretention: {payment: 30d, other: 90m}\nkey-length: 20\ntransport: stdio\ntrusted-headers: [X-User-Id]\nidentities: [tenant]\n", ""},
		{"errors: discrad\n", `x.yaml:1:9: unknown word "discrad"; did you mean "discard"?`},
		{"errors: [store]\n", `x.yaml:1:9: unknown word ""; known are store, discard, any`},
		{"transport: carrier-pigeon\n", `x.yaml:1:12: unknown word "carrier-pigeon"; known are stdio, http`},
		{"retention:\n  payments: 30d\n", `x.yaml:2:3: unknown kind "payments"; did you mean "payment"?`},
		{"retention: {other: 1 day}\n", `x.yaml:1:20: "1 day" is no duration; a number with s, m, h or d is, such as 24h or 30d`},
		{"retention: 24h\n", `x.yaml:1:12: retention is a mapping of payment and other to durations, such as 24h or 30d`},
		{"key-length: many\n", `x.yaml:1:13: a number of characters from 1 to 1024 is wanted, not "many"`},
		{"trusted-header: [a]\n", `x.yaml:1:1: unknown setting "trusted-header"; did you mean "trusted-headers"?`},
		{"identities: me\n", `x.yaml:1:13: a list of names is wanted`},
		{"trusted-headers: [\"X: y\"]\n", `x.yaml:1:19: "X: y" is no name of a header or value`},
		{"- a\n", "x.yaml:1:1: the file must be a mapping of settings to values"},
		{"catalog: []\n---\ncatalog: []\n", "x.yaml:3:8: the file is one YAML document"},
		{"catalog: [\n", "x.yaml:1:10: this is no YAML: sequence end token ']' not found"},
	} {
		file, err := Parse("x.yaml", []byte(test.text))
		switch {
		case err == nil && test.want == "":
			if wantRows := strings.HasPrefix(test.text, "catalog:"); (file.Rows != nil) != wantRows {
				t.Errorf("%q: has rows: %v", test.text, file.Rows != nil)
			}
		case err == nil:
			t.Errorf("%q: no error, want %s", test.text, test.want)
		case err.Error() != test.want:
			t.Errorf("%q: %v, want %q", test.text, err, test.want)
		}
	}
}

func TestFind(t *testing.T) {
	view := fstest.MapFS{".retrysafe.yaml": {}, "packages/a/.retrysafe.yaml": {}, "packages/b/x.ts": {}, "packages/c/.retrysafe.yaml/x": {}}
	for dir, want := range map[string]string{
		".": ".retrysafe.yaml", "packages/a": "packages/a/.retrysafe.yaml", "packages/a/src/deep": "packages/a/.retrysafe.yaml",
		"packages/b": ".retrysafe.yaml", "packages/b/x.ts": ".retrysafe.yaml", "packages/c": ".retrysafe.yaml",
	} {
		if got := Find(view, dir); got != want {
			t.Errorf("Find(%q) = %q, want %q", dir, got, want)
		}
	}
	if got := Find(fstest.MapFS{"x.ts": {}}, "."); got != "" {
		t.Errorf("found %q where there is none", got)
	}
}
