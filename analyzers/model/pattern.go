package model

import (
	"fmt"
	"slices"
	"strings"
)

// Symbol is a symbol taken apart, its package in canonical form.
type Symbol struct {
	Package string
	Path    []Name
}

// Name is one name of a symbol's path with the number of calls that follow it:
// createClient() is {"createClient", 1}.
type Name struct {
	Text  string
	Calls int
}

// ParseSymbol takes a symbol apart. ok is false where it has no '#'.
func ParseSymbol(symbol string) (s Symbol, ok bool) {
	pkg, path, ok := strings.Cut(symbol, "#")
	if !ok {
		return Symbol{}, false
	}
	return Symbol{Package: CanonicalPackage(pkg), Path: splitPath(path)}, true
}

// String writes the symbol in its canonical form.
func (s Symbol) String() string {
	var b strings.Builder
	b.WriteString(s.Package)
	b.WriteByte('#')
	for i, n := range s.Path {
		if i > 0 {
			b.WriteByte('.')
		}
		b.WriteString(n.Text)
		for range n.Calls {
			b.WriteString("()")
		}
	}
	return b.String()
}

// Last is the last name of the path, or "" where the symbol is the package itself.
func (s Symbol) Last() string {
	if len(s.Path) == 0 {
		return ""
	}
	return s.Path[len(s.Path)-1].Text
}

func splitPath(path string) []Name {
	if path == "" {
		return nil
	}
	names := make([]Name, 0, strings.Count(path, ".")+1)
	for part := range strings.SplitSeq(path, ".") {
		n := Name{Text: part}
		for strings.HasSuffix(n.Text, "()") {
			n.Text = n.Text[:len(n.Text)-2]
			n.Calls++
		}
		names = append(names, n)
	}
	return names
}

// nodeModules are the built-in modules of Node that may be imported without "node:".
var nodeModules = map[string]bool{
	"assert": true, "async_hooks": true, "buffer": true, "child_process": true, "cluster": true, "console": true,
	"constants": true, "crypto": true, "dgram": true, "diagnostics_channel": true, "dns": true, "domain": true,
	"events": true, "fs": true, "http": true, "http2": true, "https": true, "inspector": true, "module": true,
	"net": true, "os": true, "path": true, "perf_hooks": true, "process": true, "punycode": true, "querystring": true,
	"readline": true, "repl": true, "stream": true, "string_decoder": true, "sys": true, "timers": true, "tls": true,
	"trace_events": true, "tty": true, "url": true, "util": true, "v8": true, "vm": true, "wasi": true,
	"worker_threads": true, "zlib": true,
}

// nodeSubpaths are the modules below Node's modules; what else stands below such a name is a package of Go's library: net/http, path/filepath.
var nodeSubpaths = map[string]bool{
	"promises": true, "posix": true, "win32": true, "strict": true, "web": true, "consumers": true, "types": true, "sys": true, "reporters": true,
	"posix.js": true, "promises.js": true,
}

// hosts are the places that serve npm packages by URL, without the scheme.
var hosts = []string{"https://esm.sh/", "https://cdn.skypack.dev/", "https://cdn.jsdelivr.net/npm/", "https://unpkg.com/"}

// CanonicalPackage gives all spellings of a package one form: Node's own modules
// get their "node:" prefix, "npm:" and "jsr:" prefixes, URLs of npm mirrors and
// versions go away, and of the path below the package the file endings and "/index" go away.
// Names that are package patterns keep their wildcards.
func CanonicalPackage(pkg string) string {
	if first, below, _ := strings.Cut(pkg, "/"); nodeModules[first] && (below == "" || nodeSubpaths[below]) {
		return "node:" + pkg
	}
	if strings.HasPrefix(pkg, "node:") {
		return pkg
	}
	for _, prefix := range hosts {
		if rest, ok := strings.CutPrefix(pkg, prefix); ok {
			pkg, _, _ = strings.Cut(rest, "?")
			break
		}
	}
	pkg = strings.TrimPrefix(pkg, "npm:")
	pkg = strings.TrimPrefix(pkg, "jsr:")
	pkg = strings.TrimPrefix(pkg, "/")
	if i := strings.LastIndexByte(pkg, '@'); i > 0 && pkg[i-1] != '/' {
		rest := ""
		if slash := strings.IndexByte(pkg[i:], '/'); slash >= 0 {
			rest = pkg[i+slash:]
		}
		pkg = pkg[:i] + rest
	}
	name := packageName(pkg)
	if len(name) == len(pkg) {
		return pkg // discord.js is a package, not a file
	}
	for _, ending := range [...]string{".js", ".mjs", ".cjs"} {
		if cut, ok := strings.CutSuffix(pkg, ending); ok {
			pkg = cut
			break
		}
	}
	if cut, ok := strings.CutSuffix(pkg, "/index"); ok && len(cut) >= len(name) {
		pkg = cut
	}
	return pkg
}

// packageName is the part of a package path that names the package of a
// package manager: two segments for a scope, otherwise one.
func packageName(pkg string) string {
	end := strings.IndexByte(pkg, '/')
	if end >= 0 && pkg[0] == '@' {
		if next := strings.IndexByte(pkg[end+1:], '/'); next >= 0 {
			return pkg[:end+1+next]
		}
		return pkg
	}
	if end < 0 {
		return pkg
	}
	return pkg[:end]
}

// Pattern is a set of symbols. Braces list alternatives (`{get,post}`, also in
// the package). `*` matches one name, with or without a call, and as a part of a name any run of
// characters in it; `**` matches any number of names, with or without calls.
// "()" after a name matches a call's result and nothing else. A `**` in the package matches any
// number of segments between slashes, none included.
type Pattern struct {
	Text string
	// Alternatives are the simple patterns that the braces stand for, in order.
	Alternatives []SimplePattern
}

// SimplePattern is a pattern without braces.
type SimplePattern struct {
	Package []string // segments
	Path    []Name
	literal string // the whole package where it has no wildcard
}

// maxText bounds the length of patterns and access paths, in bytes.
const maxText = 4096

// maxAlternatives bounds what the braces of one pattern may stand for.
const maxAlternatives = 2048

// ParsePattern reads a pattern of symbols.
func ParsePattern(text string) (Pattern, error) {
	p := Pattern{Text: text}
	if len(text) > maxText {
		return Pattern{}, fmt.Errorf("pattern of %d bytes is longer than %d", len(text), maxText)
	}
	plain, err := expandBraces(text, maxAlternatives)
	if err != nil {
		return Pattern{}, fmt.Errorf("pattern %q: %w", text, err)
	}
	for _, alternative := range plain {
		simple, err := parseSimple(alternative)
		if err != nil {
			return Pattern{}, fmt.Errorf("pattern %q: %w", text, err)
		}
		p.Alternatives = append(p.Alternatives, simple)
	}
	return p, nil
}

// SplitPattern gives the packages that a pattern speaks of, in canonical form, each with the pattern of the
// paths in it; the paths' braces are left for later. It is cheaper than ParsePattern where only some packages matter.
func SplitPattern(text string) (parts []PatternPart, err error) {
	depth, at := 0, -1
	for i := 0; i < len(text) && at < 0; i++ {
		switch text[i] {
		case '{':
			depth++
		case '}':
			depth--
		case '#':
			if depth > 0 { // {a#b,c#d}
				p, err := ParsePattern(text)
				if err != nil {
					return nil, err
				}
				for _, a := range p.Alternatives {
					parts = append(parts, PatternPart{strings.Join(a.Package, "/"), a.String()})
				}
				return parts, nil
			}
			at = i
		}
	}
	if at < 0 {
		return nil, fmt.Errorf("pattern %q: no '#' between package and path", text)
	}
	packages, err := expandBraces(text[:at], maxAlternatives)
	if err != nil {
		return nil, fmt.Errorf("pattern %q: %w", text, err)
	}
	for _, pkg := range packages {
		pkg = CanonicalPackage(pkg)
		parts = append(parts, PatternPart{pkg, pkg + text[at:]})
	}
	return parts, nil
}

// PatternPart is what a pattern says of one package.
type PatternPart struct {
	Package string // canonical; may hold wildcards
	Pattern string
}

func parseSimple(text string) (SimplePattern, error) {
	pkg, path, ok := strings.Cut(text, "#")
	switch {
	case !ok:
		return SimplePattern{}, fmt.Errorf("no '#' between package and path")
	case pkg == "":
		return SimplePattern{}, fmt.Errorf("no package before '#'")
	case strings.Contains(path, "#"):
		return SimplePattern{}, fmt.Errorf("more than one '#'")
	case strings.ContainsAny(text, " \t\r\n\"'`[]|"):
		return SimplePattern{}, fmt.Errorf("a blank, quote, bracket or bar cannot stand in a symbol")
	}
	pkg = CanonicalPackage(pkg)
	p := SimplePattern{Package: strings.Split(pkg, "/"), Path: splitPath(path)}
	segments := p.Package
	if len(segments) > 2 && strings.HasSuffix(segments[0], ":") && segments[1] == "" {
		segments = segments[2:] // https://host/path
	}
	if slices.Contains(segments, "") {
		return SimplePattern{}, fmt.Errorf("an empty segment in the package")
	}
	if !strings.Contains(pkg, "*") {
		p.literal = pkg
	}
	for _, n := range p.Path {
		switch {
		case n.Text == "":
			return SimplePattern{}, fmt.Errorf("an empty name in the path")
		case strings.ContainsAny(n.Text, "()/"):
			return SimplePattern{}, fmt.Errorf("%q is no name", n.Text)
		case n.Text == "**" && n.Calls > 0:
			return SimplePattern{}, fmt.Errorf("\"**\" stands for calls too and takes no \"()\"")
		case n.Text != "**" && strings.Contains(n.Text, "**"):
			return SimplePattern{}, fmt.Errorf("\"**\" must be a name of its own in %q", n.Text)
		}
	}
	for _, segment := range p.Package {
		if segment != "**" && strings.Contains(segment, "**") {
			return SimplePattern{}, fmt.Errorf("\"**\" must be a segment of its own in %q", segment)
		}
	}
	return p, nil
}

// expandBraces lists the texts that text stands for; limit bounds their number.
func expandBraces(text string, limit int) ([]string, error) {
	open := strings.IndexByte(text, '{')
	if open < 0 {
		if strings.IndexByte(text, '}') >= 0 {
			return nil, fmt.Errorf("'}' without '{'")
		}
		return []string{text}, nil
	}
	if strings.IndexByte(text[:open], '}') >= 0 {
		return nil, fmt.Errorf("'}' without '{'")
	}
	var choices []string
	depth, start, end := 0, open+1, -1
	for i := open; i < len(text) && end < 0; i++ {
		switch text[i] {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				choices = append(choices, text[start:i])
				end = i + 1
			}
		case ',':
			if depth == 1 {
				choices = append(choices, text[start:i])
				start = i + 1
			}
		}
	}
	if end < 0 {
		return nil, fmt.Errorf("'{' without '}'")
	}
	tails, err := expandBraces(text[end:], limit)
	if err != nil {
		return nil, err
	}
	var all []string
	for _, choice := range choices {
		inner, err := expandBraces(choice, limit)
		if err != nil {
			return nil, err
		}
		if len(all)+len(inner)*len(tails) > limit {
			return nil, fmt.Errorf("more than %d alternatives", limit)
		}
		for _, middle := range inner {
			for _, tail := range tails {
				all = append(all, text[:open]+middle+tail)
			}
		}
	}
	return all, nil
}

// Match reports whether the pattern contains symbol. Spellings of a package
// that CanonicalPackage joins are the same.
func (p Pattern) Match(symbol string) bool {
	s, ok := ParseSymbol(symbol)
	return ok && slices.ContainsFunc(p.Alternatives, func(a SimplePattern) bool { return a.Match(s) })
}

// Match reports whether the pattern contains s.
func (p SimplePattern) Match(s Symbol) bool {
	if p.literal != "" {
		return p.literal == s.Package && matchNames(p.Path, s.Path)
	}
	// the names first: of the many patterns with a wildcard in the package, few name the symbol
	return matchNames(p.Path, s.Path) && matchSegments(p.Package, strings.Split(s.Package, "/"))
}

// MatchPackage reports whether the pattern speaks of symbols of a package.
func (p SimplePattern) MatchPackage(pkg string) bool {
	if p.literal != "" {
		return p.literal == pkg
	}
	return matchSegments(p.Package, strings.Split(pkg, "/"))
}

// LiteralPackage is the package where it has no wildcard, otherwise "".
func (p SimplePattern) LiteralPackage() string { return p.literal }

// LiteralLast is the last name where it has no wildcard, otherwise "".
func (p SimplePattern) LiteralLast() string {
	if len(p.Path) == 0 {
		return ""
	}
	if last := p.Path[len(p.Path)-1].Text; !strings.Contains(last, "*") {
		return last
	}
	return ""
}

// Literals counts the names and package segments without wildcard: how much of a
// symbol the pattern fixes. A name with a partial wildcard counts as nothing.
func (p SimplePattern) Literals() int {
	n := 0
	for _, segment := range p.Package {
		if !strings.Contains(segment, "*") {
			n++
		}
	}
	for _, name := range p.Path {
		if !strings.Contains(name.Text, "*") {
			n++
		}
	}
	return n
}

// matchSegments matches package segments; as in all such matching the last "**" seen is the only one worth returning to.
func matchSegments(pattern, text []string) bool {
	return matchList(len(pattern), len(text),
		func(i int) bool { return pattern[i] == "**" },
		func(i, j int) bool { return glob(pattern[i], text[j]) })
}

func matchNames(pattern, text []Name) bool {
	return matchList(len(pattern), len(text),
		func(i int) bool { return pattern[i].Text == "**" },
		func(i, j int) bool {
			if pattern[i].Text == "*" && pattern[i].Calls == 0 {
				return true
			}
			return pattern[i].Calls == text[j].Calls && glob(pattern[i].Text, text[j].Text)
		})
}

// matchList matches n pattern items against m text items in O(n·m).
func matchList(n, m int, many func(i int) bool, one func(i, j int) bool) bool {
	i, j := 0, 0
	star, mark := -1, 0
	for j < m {
		switch {
		case i < n && many(i):
			star, mark = i, j
			i++
		case i < n && one(i, j):
			i++
			j++
		case star >= 0:
			mark++
			i, j = star+1, mark
		default:
			return false
		}
	}
	for i < n && many(i) {
		i++
	}
	return i == n
}

// glob matches one name against a name with "*" wildcards.
func glob(pattern, text string) bool {
	if !strings.Contains(pattern, "*") {
		return pattern == text
	}
	return matchList(len(pattern), len(text),
		func(i int) bool { return pattern[i] == '*' },
		func(i, j int) bool { return pattern[i] == text[j] })
}

// String writes the pattern in its canonical form.
func (p SimplePattern) String() string {
	return Symbol{Package: strings.Join(p.Package, "/"), Path: p.Path}.String()
}
