package model

import (
	"strings"
	"testing"
)

func TestParseAccess(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"", ""},
		{"Receiver", "Receiver"},
		{"Argument[0]", "Argument[0]"},
		{"Argument[-1].Element.Parameter[1]", "Argument[-1].Element.Parameter[1]"},
		{"Argument[1..]", "Argument[1..]"},
		{"Argument[0].Member[headers].Member[Idempotency-Key]", "Argument[0].Member[headers].Member[Idempotency-Key]"},
		{"Callee[0]", "Callee[0]"},
		{"Return.Member[tools]", "Return.Member[tools]"},
		{"Decorated.Parameter[0] | Subclass.Member[execute]|Module.Member[default]", "Decorated.Parameter[0] | Subclass.Member[execute] | Module.Member[default]"},
		{"Member[a.b]", "Member[a.b]"},
		{"Argument[0].Argument[0].Receiver", "Argument[0].Argument[0].Receiver"},
		{"Chain[where,andWhere].Argument[0]", "Chain[where,andWhere].Argument[0]"},
		{"Headers.Member[Idempotency-Key]", "Headers.Member[Idempotency-Key]"},
	} {
		paths, err := ParseAccess(Access(test.text))
		if err != nil {
			t.Errorf("%q: %v", test.text, err)
			continue
		}
		var parts []string
		for _, p := range paths {
			parts = append(parts, p.String())
		}
		if got := strings.Join(parts, " | "); got != test.want {
			t.Errorf("%q reads as %q, want %q", test.text, got, test.want)
		}
	}
}

func TestParseAccessErrors(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"Arguments[0]", `unknown step "Arguments"; did you mean "Argument"?`},
		{"argument[0]", `unknown step "argument"; did you mean "Argument"?`},
		{"Arg[0]", `unknown step "Arg"; did you mean "Argument"?`},
		{"Foo", `unknown step "Foo"`},
		{"Argument", "Argument needs an index in brackets"},
		{"Argument[x]", "the index is no number"},
		{"Argument[+1]", "the index is no number"},
		{"Argument[]", "the index is no number"},
		{"Argument[..]", "the index is no number"},
		{"Argument[999]", "out of range"},
		{"Argument[-1..]", "out of range"},
		{"Callee[-1]", "out of range"},
		{"Parameter[1..]", "takes no open range"},
		{"Receiver[0]", "Receiver takes no index"},
		{"Argument[0", "no closing bracket"},
		{"Argument[0]Member[a]", `expected "." or " | "`},
		{"Argument[0].Result", "Result can only stand first"},
		{"Chain[a,]", "no list of plain names"},
		{"Argument[0].", `unknown step ""`},
		{"Argument[0] | ", `nothing follows the last "|"`},
		{"Argument[0] ", "blanks at the end"},
		{"Member[]", "Member needs a name"},
		{"Member[a,b]", "no single plain name"},
		{"Member[*]", "no single plain name"},
		{strings.Repeat("Element.", 1000) + "Element", "longer than"},
	} {
		_, err := ParseAccess(Access(test.text))
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%q: error %v, want one with %q", test.text, err, test.want)
		}
	}
}

func FuzzParseAccess(f *testing.F) {
	f.Add("Argument[0].Member[a] | Argument[-1].Element")
	f.Add("Callee[0]|Return")
	f.Add("Argument[1..].Element.Parameter[0].Return")
	f.Fuzz(func(t *testing.T, text string) {
		paths, err := ParseAccess(Access(text))
		if err != nil {
			return
		}
		for _, p := range paths {
			again, err := ParseAccess(Access(p.String()))
			if err != nil || len(again) != 1 || again[0].String() != p.String() {
				t.Fatalf("%q is not read back: %v, %v", p, again, err)
			}
		}
	})
}
