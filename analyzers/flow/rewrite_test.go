package flow

import (
	"regexp"
	"testing"

	"github.com/retrysafe/retrysafe/analyzers/model"
)

func TestRewrite(t *testing.T) {
	e := &engine{terms: newTerms(), regexps: map[string]*regexp.Regexp{}}
	pattern := func(s string) *Term { return e.constant(model.Const{Kind: model.Regexp, Text: s}) }
	for _, c := range []struct {
		text, method string
		of           *Term
		by, want     string
		unknown      bool
	}{
		{"Create Room Now", "replace", e.text(" "), "_", "Create_Room Now", false},
		{"Create Room Now", "replaceAll", e.text(" "), "_", "Create_Room_Now", false},
		{"Create  Room Now", "replace", pattern(`/\s+/g`), "_", "Create_Room_Now", false},
		{"Create Room Now", "replace", pattern(`/\s+/`), "_", "Create_Room Now", false},
		{"createRoom", "replace", pattern(`/([a-z])([A-Z])/g`), "$1_$2", "create_Room", false},
		{"ROOM", "replace", pattern(`/room/i`), "<$&>", "<ROOM>", false},
		{"a/b", "replace", pattern(`/\//g`), ".", "a.b", false},
		{"a", "replace", e.text("a"), "$&", "", true},
		{"a", "replace", pattern(`/a/`), "$`", "", true},
		{"a", "replace", pattern(`/a(?=b)/`), "x", "", true},
		{"a", "replace", pattern(`/a/y`), "x", "", true},
		{"a\u00a0b", "replace", pattern(`/\s/g`), "_", "", true},
	} {
		got, ok := e.rewrite(c.text, c.method, []*Term{c.of, e.text(c.by)})
		if ok == c.unknown || ok && got != c.want {
			t.Errorf("%q.%s(%s, %q) = %q, %v, want %q, %v", c.text, c.method, c.of.Const.Text, c.by, got, ok, c.want, !c.unknown)
		}
	}
}
