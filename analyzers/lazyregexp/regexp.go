// Package lazyregexp has regular expressions that are compiled when they are first used. As a vet tool the program is started once for each dependency and
// is done with most of them at once; to compile what it never uses would be most of its work. The go command has such expressions for the same
// reason (its internal/lazyregexp).
package lazyregexp

import (
	"regexp"
	"sync"
)

// Regexp is a regular expression that is compiled when it is first used. It is safe for concurrent use; its methods are those of regexp.Regexp.
type Regexp struct {
	text    string
	compile func() *regexp.Regexp
}

// New gives a lazy regular expression. One that is not well formed panics as regexp.MustCompile does, but only when it is used: a test is to use each.
func New(text string) *Regexp {
	return &Regexp{text: text, compile: sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })}
}

// String gives the source text.
func (r *Regexp) String() string { return r.text }

// FindAllString is that of regexp.Regexp.
func (r *Regexp) FindAllString(s string, n int) []string { return r.compile().FindAllString(s, n) }

// FindAllStringIndex is that of regexp.Regexp.
func (r *Regexp) FindAllStringIndex(s string, n int) [][]int {
	return r.compile().FindAllStringIndex(s, n)
}

// FindAllStringSubmatch is that of regexp.Regexp.
func (r *Regexp) FindAllStringSubmatch(s string, n int) [][]string {
	return r.compile().FindAllStringSubmatch(s, n)
}

// FindAllStringSubmatchIndex is that of regexp.Regexp.
func (r *Regexp) FindAllStringSubmatchIndex(s string, n int) [][]int {
	return r.compile().FindAllStringSubmatchIndex(s, n)
}

// FindAllSubmatch is that of regexp.Regexp.
func (r *Regexp) FindAllSubmatch(b []byte, n int) [][][]byte {
	return r.compile().FindAllSubmatch(b, n)
}

// FindAllSubmatchIndex is that of regexp.Regexp.
func (r *Regexp) FindAllSubmatchIndex(b []byte, n int) [][]int {
	return r.compile().FindAllSubmatchIndex(b, n)
}

// FindStringSubmatch is that of regexp.Regexp.
func (r *Regexp) FindStringSubmatch(s string) []string { return r.compile().FindStringSubmatch(s) }

// FindSubmatchIndex is that of regexp.Regexp.
func (r *Regexp) FindSubmatchIndex(b []byte) []int { return r.compile().FindSubmatchIndex(b) }

// Match is that of regexp.Regexp.
func (r *Regexp) Match(b []byte) bool { return r.compile().Match(b) }

// MatchString is that of regexp.Regexp.
func (r *Regexp) MatchString(s string) bool { return r.compile().MatchString(s) }

// ReplaceAllString is that of regexp.Regexp.
func (r *Regexp) ReplaceAllString(s, repl string) string {
	return r.compile().ReplaceAllString(s, repl)
}

// ReplaceAllStringFunc is that of regexp.Regexp.
func (r *Regexp) ReplaceAllStringFunc(s string, repl func(string) string) string {
	return r.compile().ReplaceAllStringFunc(s, repl)
}
