package discover

import (
	"bytes"
	"path"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// rule is one line of an ignore file.
//
// go-git's gitignore package answers for a whole path at once: a pattern that
// matches a parent matches everything below it. That is right for exclusions
// and wrong for the rest ("!*/" would bring back every file of a directory,
// "a/**" would hide a itself, "**" is not tried at a second place). The walk
// asks about each directory on its way down, so a rule here answers for one
// entry only, which is how gitignore(5) defines it.
type rule struct {
	base     string // directory of the ignore file, "." for the root
	glob     string
	literal  bool // glob has no special character
	anchored bool // matched against the path below base, else against the name
	dirOnly  bool
	negate   bool
}

// ignoreFile is the largest ignore file that is read, in bytes.
const ignoreFile = 1 << 20

// ignoreRules bounds the lines taken from one ignore file.
const ignoreRules = 10000

func parseIgnore(text []byte, base string) []rule {
	text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
	var rules []rule
	for line := range bytes.Lines(text) {
		if len(rules) == ignoreRules {
			break
		}
		if r, ok := parseRule(strings.TrimSuffix(strings.TrimSuffix(string(line), "\n"), "\r"), base); ok {
			rules = append(rules, r)
		}
	}
	return rules
}

func parseRule(line, base string) (rule, bool) {
	if strings.HasPrefix(line, "#") {
		return rule{}, false
	}
	for strings.HasSuffix(line, " ") && !strings.HasSuffix(line, `\ `) {
		line = line[:len(line)-1]
	}
	r := rule{base: base}
	if rest, ok := strings.CutPrefix(line, "!"); ok {
		r.negate, line = true, rest
	}
	if rest, ok := strings.CutSuffix(line, "/"); ok {
		r.dirOnly, line = true, rest
	}
	if strings.Contains(line, "/") {
		r.anchored = true
		line = strings.TrimPrefix(line, "/")
	}
	if line == "" {
		return rule{}, false
	}
	r.literal = !strings.ContainsAny(line, `*?[\`)
	// Braces are plain characters in an ignore file and alternatives in doublestar.
	r.glob = strings.NewReplacer("{", `\{`, "}", `\}`).Replace(line)
	if r.literal {
		r.glob = line
	}
	if strings.HasSuffix(r.glob, "/**") {
		r.glob += "/*" // everything below, not the directory itself
	}
	if !r.literal && !doublestar.ValidatePattern(r.glob) {
		return rule{}, false
	}
	return r, true
}

func (r *rule) match(name string, isDir bool) bool {
	if r.dirOnly && !isDir {
		return false
	}
	if !r.anchored {
		name = path.Base(name)
	} else if r.base != "." {
		name = strings.TrimPrefix(name, r.base+"/")
	}
	if r.literal {
		return r.glob == name
	}
	ok, err := doublestar.Match(r.glob, name)
	return ok && err == nil
}

// ignored says what the rules, weakest first, decide about one entry.
func ignored(rules []rule, name string, isDir bool) bool {
	for i := len(rules) - 1; i >= 0; i-- {
		if rules[i].match(name, isDir) {
			return !rules[i].negate
		}
	}
	return false
}
