package rules

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
)

// fingerprint marks findings so that they are recognised in later versions of the source: by the rule, the file, the enclosing
// function, the statement's text and its ordinal among equal ones there. Lines and columns are no part of it. The findings are
// sorted by place.
func fingerprint(findings []*Finding, src Source) {
	count := map[string]int{}
	for _, f := range findings {
		text := strings.Join([]string{f.Rule.Name, f.Primary.File, f.scope, statement(f, src), f.bound}, "\x00")
		n := count[text]
		count[text]++
		sum := sha256.Sum256(fmt.Appendf(nil, "%s\x00%d", text, n))
		f.Fingerprint = hex.EncodeToString(sum[:16])
	}
}

// statement gives the first line of the primary place, spaces joined and comments to the auditor left out.
func statement(f *Finding, src Source) string {
	if src == nil {
		return ""
	}
	line, ok := src.Line(f.Primary.File, int(f.Primary.Line))
	if !ok {
		return ""
	}
	if at, _ := commentAt(line); at >= 0 {
		line = line[:at]
	}
	return strings.Join(strings.Fields(line), " ")
}
