package rules

import (
	"strings"
	"unicode"
)

// NormalName writes an identifier, a header or a column in one way: lower case words without separators, so that requestId,
// request_id, Request-Id and X-Request-ID compare equal.
func NormalName(name string) string {
	var b strings.Builder
	for _, r := range name {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			b.WriteRune(unicode.ToLower(r))
		}
	}
	s := b.String()
	if rest, ok := strings.CutPrefix(strings.ToLower(name), "x-"); ok && len(rest) > 2 {
		s = s[1:]
	}
	return s
}
