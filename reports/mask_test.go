package reports

import (
	"strings"
	"testing"
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
