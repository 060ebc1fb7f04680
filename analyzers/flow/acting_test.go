package flow

import (
	"slices"
	"testing"
)

func TestWords(t *testing.T) {
	for name, want := range map[string][]string{
		"createIssue":  {"create", "issue"},
		"HTTPServer":   {"http", "server"},
		"create_issue": {"create", "issue"},
		"caf\xe9":      {"caf\ufffd"}, // no UTF-8
		"cr\xe9eIt":    {"cr\ufffde", "it"},
		"":             nil,
	} {
		if got := words(name); !slices.Equal(got, want) {
			t.Errorf("words(%q) = %q, want %q", name, got, want)
		}
	}
}
