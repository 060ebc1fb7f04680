package flow

import "testing"

func TestFiledPath(t *testing.T) {
	for _, test := range []struct {
		file, under string
		leaf        bool
		want        string
	}{
		{"app/api/orders/route.ts", "app", false, "/api/orders"},
		{"src/app/(shop)/api/orders/[id]/@side/route.ts", "app", false, "/api/orders/[id]"},
		{"packages/app/app/route.ts", "app", false, "/"},
		{"apps/web/app/hooks/app/route.ts", "app", false, "/hooks/app"},
		{"pages/api/orders.ts", "pages", true, "/api/orders"},
		{"src/pages/api/orders/index.ts", "pages", true, "/api/orders"},
		{"lib/route.ts", "app", false, ""},
	} {
		if got := filedPath(test.file, test.under, test.leaf); got != test.want {
			t.Errorf("%s: %q, want %q", test.file, got, test.want)
		}
	}
}
