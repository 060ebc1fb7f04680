package reports

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/retrysafe/retrysafe/analyzers/audit"
	"github.com/retrysafe/retrysafe/analyzers/model"
	"github.com/retrysafe/retrysafe/rules"
)

func TestMask(t *testing.T) {
	for _, test := range []struct{ in, want string }{
		{`new Stripe("sk_live_4eC39HqLyjWDarjtT1zdp7dc")`, `new Stripe("sk_live_************************")`},
		{`whsec_abcdef123456`, `whsec_************`},
		{`Authorization: Bearer abc.def-123456789`, `Authorization: Bearer *****************`},
		{`postgres://app:hunter2@db/x`, `postgres://app:*******@db/x`},
		{`"AKIAIOSFODNN7EXAMPLE"`, `"AKIA****************"`},
		{`eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl`, `eyJ` + strings.Repeat("*", 46)},
		{`secret = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b"`, `secret = "9f86` + strings.Repeat("*", 36) + `"`},
		{`"q7Rk2mX9vLw4Zt8NcPb3Yh6s"`, `"q7Rk********************"`},
		// what only looks long
		{`createPaymentIntentForCustomerAccount2024`, `createPaymentIntentForCustomerAccount2024`},
		{`id = "5a4f0c0e-0f2b-4a57-9f39-5f8c5a0a1f11"`, `id = "5a4f0c0e-0f2b-4a57-9f39-5f8c5a0a1f11"`},
		{`import x from "@modelcontextprotocol/sdk/server/mcp.js"`, `import x from "@modelcontextprotocol/sdk/server/mcp.js"`},
		{`process.env.STRIPE_SECRET_KEY_FOR_PRODUCTION_1`, `process.env.STRIPE_SECRET_KEY_FOR_PRODUCTION_1`},
		{`re_something_with_a_long_name`, `re_something_with_a_long_name`},
		{`http://localhost:3000/@scope`, `http://localhost:3000/@scope`},
		{`import { x } from "../v1a2b3c4/Server2025Q3x/tools7Kd9Lp2Q/api"`, `import { x } from "../v1a2b3c4/Server2025Q3x/tools7Kd9Lp2Q/api"`},
		{`require("v1a2b3c4/Server2025Q3x/tools7Kd9Lp2Q/api.js")`, `require("v1a2b3c4/Server2025Q3x/tools7Kd9Lp2Q/api.js")`},
		{`/^[a-f0-9]{64}$/`, `/^[a-f0-9]{64}$/`},
		{"`https://${user}:${password}@host`", "`https://${user}:${password}@host`"},
	} {
		if got := Mask(test.in); got != test.want {
			t.Errorf("Mask(%s)\ngot  %s\nwant %s", test.in, got, test.want)
		}
	}
}

func FuzzMask(f *testing.F) {
	f.Add("Bearer abc.def-123456789 sk_live_4eC39HqLyjWDarjtT1zdp7dc")
	f.Fuzz(func(t *testing.T, text string) {
		if got := Mask(text); len(got) != len(text) {
			t.Errorf("Mask(%q) = %q has another length", text, got)
		}
	})
}

// TestPathsAreNotMasked scans a program below folders whose names look as random as keys: no report may hide where a finding is.
func TestPathsAreNotMasked(t *testing.T) {
	const folder = "owner+expenses-server@e061c9a8b07a/v1a2b3c4/Server2025Q3x/sk_live_4eC39HqLyjWDarjtT1zdp7dc"
	const secret = "q7Rk2mX9vLw4Zt8NcPb3Yh6s"
	file := folder + "/pay7Kd9Lp2Q.ts"
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, folder), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, file), []byte("const key = \""+secret+"\";\ncharge(key);\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	rep, err := audit.Scan(context.Background(), audit.Options{Path: dir, Jobs: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer rep.Close()
	place := model.Span{File: file, Line: 1, Col: 1, EndLine: 1, EndCol: 6}
	rep.Findings = []*rules.Finding{{Rule: someRule, Severity: rules.High, Confidence: model.Certain, Primary: place, Fingerprint: "1",
		Message: "`" + secret + "` is read in " + file, Related: []rules.Related{{Span: place, Message: "calls `pay`, which " + file + " declares"}}}}
	rep.Coverage.Unresolved = []model.Note{{Span: place, What: "see " + file}}
	rep.Coverage.Notes = []model.Note{{Span: place, What: "see " + file}}
	rep.Coverage.Degraded = []audit.Degraded{{Package: file, Reason: "see " + file}}
	r := New([]Scan{{Report: rep, Arg: ".", Folder: true}}, Options{MinSeverity: rules.Note, MinConfidence: model.Likely})
	for format, want := range map[string]int{"text": 10, "json": 10, "markdown": 2} {
		var b bytes.Buffer
		switch format {
		case "text":
			err = Text(&b, r, Plain())
		case "json":
			err = JSON(&b, r)
		case "markdown":
			err = Markdown(&b, r)
		}
		text := strings.NewReplacer(`\_`, "_", "&#64;", "@").Replace(b.String())
		if err != nil || strings.Count(text, file) != want {
			t.Errorf("%s names the file %d times, not %d (%v):\n%s", format, strings.Count(text, file), want, err, text)
		}
		if strings.Contains(text, secret) || !strings.Contains(text, "q7Rk****") {
			t.Errorf("%s shows the secret:\n%s", format, text)
		}
	}
}
