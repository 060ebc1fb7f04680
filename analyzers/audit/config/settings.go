package config

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"github.com/retrysafe/retrysafe/analyzers/model"
)

// Settings are what a project has decided, and what it knows and its source does not tell.
type Settings struct {
	Errors string // what becomes of failed results: store, discard, any; "" where nothing is said
	// PaymentRetention and Retention are how long records must live, in seconds, 0 where nothing is said.
	PaymentRetention, Retention float64
	KeyLength                   int    // least number of characters of a key, 0 where nothing is said
	Transport                   string // how the program is served, whatever was found: stdio or http
	// TrustedHeaders are set by a proxy that a client cannot pass by, and name the caller.
	TrustedHeaders []string
	// Identities are headers or values of the request's context that hold a verified caller.
	Identities []string
	// Given names the settings that the file has, in its order, with the place of each.
	Given []Given
}

// Given is a setting that a file has.
type Given struct {
	Name  string
	Place model.Span
}

// setting reads one setting. fail is told what is wrong with a node.
func (s *Settings) setting(key string, v ast.Node, fail func(ast.Node, string, ...any)) {
	switch key {
	case "errors":
		s.Errors = word(v, fail, "store", "discard", "any")
	case "transport":
		s.Transport = word(v, fail, "stdio", "http")
	case "key-length":
		n, err := strconv.Atoi(text(v))
		if err != nil || n < 1 || n > 1024 {
			fail(v, "a number of characters from 1 to 1024 is wanted, not %q", text(v))
			return
		}
		s.KeyLength = n
	case "retention":
		s.retention(v, fail)
	case "trusted-headers":
		s.TrustedHeaders = names(v, fail)
	case "identities":
		s.Identities = names(v, fail)
	}
}

func (s *Settings) retention(v ast.Node, fail func(ast.Node, string, ...any)) {
	entries, ok := mapping(v)
	if !ok {
		fail(v, "retention is a mapping of payment and other to durations, such as 24h or 30d")
		return
	}
	for _, e := range entries {
		kind := e.Key.GetToken().Value
		seconds, err := duration(text(e.Value))
		switch {
		case kind != "payment" && kind != "other":
			fail(e.Key, "unknown kind %q%s", kind, near(kind, []string{"payment", "other"}))
		case err != nil:
			fail(e.Value, "%s", err)
		case kind == "payment":
			s.PaymentRetention = seconds
		default:
			s.Retention = seconds
		}
	}
}

var units = []struct {
	name    string
	seconds float64
}{{"d", 86400}, {"h", 3600}, {"m", 60}, {"s", 1}}

// duration reads a number with a unit: 90s, 30m, 24h, 30d.
func duration(text string) (seconds float64, err error) {
	for _, u := range units {
		if n, ok := strings.CutSuffix(text, u.name); ok {
			if f, err := strconv.ParseFloat(n, 64); err == nil && f > 0 && f*u.seconds < 1e10 {
				return f * u.seconds, nil
			}
		}
	}
	return 0, fmt.Errorf("%q is no duration; a number with s, m, h or d is, such as 24h or 30d", text)
}

// word reads one of some words.
func word(v ast.Node, fail func(ast.Node, string, ...any), words ...string) string {
	got := text(v)
	for _, w := range words {
		if got == w {
			return w
		}
	}
	fail(v, "unknown word %q%s", got, near(got, words))
	return ""
}

// names reads a list of names.
func names(v ast.Node, fail func(ast.Node, string, ...any)) []string {
	list, ok := v.(*ast.SequenceNode)
	if !ok {
		fail(v, "a list of names is wanted")
		return nil
	}
	var out []string
	for _, n := range list.Values {
		name := text(n)
		if name == "" || strings.ContainsAny(name, " \t:") {
			fail(n, "%q is no name of a header or value", name)
			continue
		}
		out = append(out, name)
	}
	return out
}

// mapping gives the entries of a mapping.
func mapping(v ast.Node) ([]*ast.MappingValueNode, bool) {
	switch n := v.(type) {
	case *ast.MappingNode:
		return n.Values, true
	case *ast.MappingValueNode:
		return []*ast.MappingValueNode{n}, true
	}
	return nil, false
}

// text gives the text of a scalar, "" for anything else.
func text(v ast.Node) string {
	if s, ok := v.(*ast.StringNode); ok {
		return s.Value
	}
	if _, ok := v.(ast.ScalarNode); ok && v.GetToken() != nil {
		return v.GetToken().Value
	}
	return ""
}

func near(word string, words []string) string {
	if near := model.Nearest(word, words); near != "" {
		return fmt.Sprintf("; did you mean %q?", near)
	}
	return "; known are " + strings.Join(words, ", ")
}
