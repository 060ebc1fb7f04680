package model

import (
	"strings"
	"testing"
)

func TestPatternMatch(t *testing.T) {
	for _, test := range []struct {
		pattern string
		yes, no []string
	}{
		{"stripe#default.charges.create",
			[]string{"stripe#default.charges.create", "npm:stripe@17.0.1#default.charges.create", "https://esm.sh/stripe@14?target=deno#default.charges.create"},
			[]string{"stripe#default.charges", "stripe#default.charges.create.x", "stripe/x#default.charges.create", "stripe", "#"}},
		{"@modelcontextprotocol/sdk/**#McpServer.{tool,registerTool}",
			[]string{
				"@modelcontextprotocol/sdk/server/mcp.js#McpServer.tool", "@modelcontextprotocol/sdk/server/mcp#McpServer.registerTool",
				"@modelcontextprotocol/sdk/dist/esm/server/mcp.js#McpServer.tool", "@modelcontextprotocol/sdk#McpServer.tool",
			},
			[]string{"@modelcontextprotocol/sdk2#McpServer.tool", "@modelcontextprotocol/sdk/server/mcp#McpServer.tools"}},
		{"redis#createClient().set", []string{"redis#createClient().set"}, []string{"redis#createClient.set", "redis#createClient()().set", "redis#createClient().set()"}},
		{"redis#*.set", []string{"redis#createClient().set", "redis#client.set"}, []string{"redis#set", "redis#a.b.set"}},
		{"redis#*().set", []string{"redis#createClient().set"}, []string{"redis#set", "redis#a.set", "redis#a.b().set", "redis#a().b().set"}},
		{"knex#**.insert", []string{"knex#insert", "knex#default().from().insert", "knex#a.b.insert"}, []string{"knex#insert.x", "knex#a.insert()"}},
		{"a#b.**.c.**.d", []string{"a#b.c.d", "a#b.x.c.c.y.d"}, []string{"a#b.d", "a#b.c"}},
		{"?#*.send{Mail,Email}", []string{"?#mailer.sendMail", "?#x.sendEmail"}, []string{"?#sendMail", "?#a.b.sendMail"}},
		{"?#*Service.create*", []string{"?#invoiceService.createInvoice", "?#Service.create"}, []string{"?#service.createX"}},
		{"{fs,fs/promises}#writeFile", []string{"fs#writeFile", "node:fs/promises#writeFile"}, []string{"node:os#writeFile"}},
		{"node:fs#writeFile", []string{"fs#writeFile"}, nil},
		{"node:sqlite#DatabaseSync", []string{"node:sqlite#DatabaseSync"}, []string{"sqlite#DatabaseSync"}},
		{"discord.js#Client", []string{"discord.js#Client"}, []string{"discord#Client"}},
		{"uuid/v4#default", []string{"uuid/v4.js#default", "uuid/v4/index.js#default", "uuid/v4/index#default", "uuid@3.4.0/v4#default"}, nil},
		{"github.com/stripe/stripe-go/v*/charge#New", []string{"github.com/stripe/stripe-go/v82/charge#New"}, []string{"github.com/stripe/stripe-go/v82/client/charge#New"}},
		{"a{b,c{d,e}}#{x,y.z}", []string{"ab#x", "acd#y.z", "ace#x"}, []string{"ac#x"}},
		{"{,x}a#b", []string{"a#b", "xa#b"}, nil},
		{"a#", []string{"a#"}, []string{"a#b"}},
		{"a#**", []string{"a#", "a#b.c()"}, []string{"b#"}},
		{"js#?.map", []string{"js#?.map"}, []string{"js#Array.map"}},
	} {
		p, err := ParsePattern(test.pattern)
		if err != nil {
			t.Errorf("%q: %v", test.pattern, err)
			continue
		}
		for _, s := range test.yes {
			if !p.Match(s) {
				t.Errorf("%q does not match %q", test.pattern, s)
			}
		}
		for _, s := range test.no {
			if p.Match(s) {
				t.Errorf("%q matches %q", test.pattern, s)
			}
		}
	}
}

func TestSplitPattern(t *testing.T) {
	for text, want := range map[string]string{
		"a#b":                     "a: a#b",
		"{fs,npm:x@1/y.js}#{b,c}": "node:fs: node:fs#{b,c}, x/y: x/y#{b,c}",
		"node:{url#a,path#b}.c":   "node:url: node:url#a.c, node:path: node:path#b.c",
		"@s/**#*":                 "@s/**: @s/**#*",
	} {
		parts, err := SplitPattern(text)
		if err != nil {
			t.Errorf("%q: %v", text, err)
		}
		var got []string
		for _, p := range parts {
			got = append(got, p.Package+": "+p.Pattern)
		}
		if strings.Join(got, ", ") != want {
			t.Errorf("%q is split into %q, want %q", text, got, want)
		}
	}
	for _, bad := range []string{"a", "{a#b", "{a,b#c", "}#a"} {
		if _, err := SplitPattern(bad); err == nil {
			t.Errorf("%q is split without error", bad)
		}
	}
}

func TestParsePatternErrors(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"stripe.charges", "no '#'"},
		{"#x", "no package"},
		{"a#b#c", "more than one '#'"},
		{"a#b c", "a blank"},
		{"a#b[0]", "bracket"},
		{"a#b..c", "empty name"},
		{"a//b#c", "empty segment"},
		{"a#{b,c", "'{' without '}'"},
		{"a#b}", "'}' without '{'"},
		{"a#b}{c,d}", "'}' without '{'"},
		{"a#x**", "must be a name of its own"},
		{"a/x**#b", "must be a segment of its own"},
		{"a#**()", "takes no"},
		{"a#f(x)", "is no name"},
		{"a#" + strings.Repeat("{a,b}", 20), "more than 2048 alternatives"},
		{strings.Repeat("a", 5000), "longer than"},
	} {
		_, err := ParsePattern(test.text)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%.40q: error %v, want one with %q", test.text, err, test.want)
		}
	}
}

// FuzzPattern checks that a pattern without wildcards matches itself and that no text breaks the parsers.
func FuzzPattern(f *testing.F) {
	f.Add("stripe#default.{charges,refunds}.create", "stripe#default.charges.create")
	f.Add("@a/b/**#**.c()", "@a/b#c()")
	f.Add("{fs,node:fs}#x*", "fs#xyz")
	f.Fuzz(func(t *testing.T, text, symbol string) {
		p, err := ParsePattern(text)
		if err != nil {
			return
		}
		p.Match(symbol)
		for _, a := range p.Alternatives {
			s := Symbol{Package: a.LiteralPackage(), Path: a.Path}
			if s.Package != "" && !a.Match(s) {
				t.Fatalf("an alternative of %q does not match itself", text)
			}
		}
	})
}

func TestInRange(t *testing.T) {
	for _, test := range []struct {
		version, ranges string
		want            bool
	}{
		{"1.2.3", ">=1.2 <2", true}, {"2.0.0", ">=1.2 <2", false}, {"2.0.0-beta.1", ">=2", false}, {"2.0.0-beta.1", "<2", true},
		{"1.2.3", "1.2", true}, {"1.3.0", "1.2.x", false}, {"1.2.3", "=1.2.3", true}, {"1.2.4", "=1.2.3", false},
		{"0.2.9", "^0.2.3", true}, {"0.3.0", "^0.2.3", false}, {"1.9.0", "^1.2.3", true}, {"2.0.0", "^1.2.3", false}, {"0.0.4", "^0.0.3", false},
		{"1.2.9", "~1.2.3", true}, {"1.3.0", "~1.2.3", false}, {"1.2.9", "~1", true},
		{"1.2.3", ">1.2", false}, {"1.3.0", ">1.2", true}, {"1.2.9", "<=1.2", true}, {"1.3.0", "<=1.2", false},
		{"3.1.0", "<1 || >=3", true}, {"2.0.0", "<1 || >=3", false}, {"^1.4.0", ">=1", true}, {"5.0.0", "*", true},
		{"workspace:*", ">=9", true}, {"", ">=9", true}, {"v82.0.0", ">=81", true},
	} {
		got, err := InRange(test.version, test.ranges)
		if err != nil || got != test.want {
			t.Errorf("InRange(%q, %q) = %v, %v; want %v", test.version, test.ranges, got, err, test.want)
		}
	}
	for _, bad := range []string{"", "1 ||", ">", "latest", "=>1", "1.2.3.4", "1 - 2"} {
		if _, err := InRange("1.0.0", bad); err == nil {
			t.Errorf("range %q is read without error", bad)
		}
	}
}

func TestNearest(t *testing.T) {
	words := []string{"additive", "destructive", "replacing", "read"}
	for text, want := range map[string]string{"aditive": "additive", "READ": "read", "replace": "replacing", "payment": "", "": ""} {
		if got := Nearest(text, words); got != want {
			t.Errorf("Nearest(%q) = %q, want %q", text, got, want)
		}
	}
}
