package reports

import (
	"math"
	"strings"

	"github.com/retrysafe/retrysafe/analyzers/lazyregexp"
)

// secretForms match credentials that show what they are. The first group, where there is one, is what stays readable.
var secretForms = lazyregexp.New(`(?:` + strings.Join([]string{
	`\b((?:sk|rk|pk)_(?:live|test|prod)_)[0-9A-Za-z]{6,}`,
	`\b(whsec_)[0-9A-Za-z+/=]{6,}`,
	`\b(sk-(?:[a-z]+-)*)[0-9A-Za-z_-]{16,}`,
	`\b(gh[oprsu]_|github_pat_|glpat-|npm_|shp(?:at|ca|pa|ss)_|dop_v1_|lin_api_|xapp-|xox[abeoprs]-|re_|pat-)[0-9A-Za-z_-]{12,}`,
	`\b((?:AKIA|ASIA|AIza))[0-9A-Za-z_-]{12,}`,
	`\b(SG\.)[0-9A-Za-z_-]{8,}(?:\.[0-9A-Za-z_-]+)?`,
	`\b(eyJ)[0-9A-Za-z_-]{8,}(?:\.[0-9A-Za-z_-]*){1,2}`,
	`\b([Bb]earer\s+)[0-9A-Za-z._~+/=-]{12,}`,
	`(://[^\s:/@'"` + "`" + `]*:)[^\s@/'"` + "`" + `$]{3,}@`,
	`(-----BEGIN [A-Z ]*PRIVATE KEY-----)[0-9A-Za-z+/=\\n\s]*`,
}, "|") + `)`)

// opaque matches what may be a key without a form of its own; entropy decides.
var opaque = lazyregexp.New(`[0-9A-Za-z+/_=-]{24,}`)

// fileEnd matches what follows the part of a path that opaque takes: the rest of the file's name.
var fileEnd = lazyregexp.New(`^\.(?:[0-9A-Za-z_-]+\.)*(?:[cm]?[jt]sx?|jsonc?|ya?ml|go|sql|prisma|md|html?|css|sh)\b`)

// Mask replaces what looks like a credential in text of the scanned program by asterisks, byte for byte, so that places in the text
// stay true. It is meant for source text and values taken from it: paths and sentences of the report's own are not to be given to it.
func Mask(text string) string {
	if len(text) < 12 {
		return text
	}
	text = replaceGroups(text)
	found := opaque.FindAllStringIndex(text, -1)
	if found == nil {
		return text
	}
	b := []byte(text)
	for _, m := range found {
		if s := text[m[0]:m[1]]; !random(s) || namesFile(text, m[0], m[1]) {
			continue
		}
		for i := m[0] + 4; i < m[1]; i++ {
			b[i] = '*'
		}
	}
	return string(b)
}

// namesFile reports whether text[from:to] belongs to the path of a file.
func namesFile(text string, from, to int) bool {
	return strings.Contains(text[from:to], "/") && (strings.HasSuffix(text[:from], ".") && text[from] == '/' || fileEnd.MatchString(text[to:]))
}

// maskMessage masks what a sentence of the report quotes from the scanned program, between backticks or double quotes, and leaves what
// the report itself says: paths of files look as random as keys.
func maskMessage(text string) string {
	parts := strings.Split(text, "`")
	for i, part := range parts {
		if i%2 == 1 {
			parts[i] = Mask(part)
			continue
		}
		quoted := strings.Split(part, `"`)
		for j := 1; j < len(quoted); j += 2 {
			quoted[j] = Mask(quoted[j])
		}
		parts[i] = strings.Join(quoted, `"`)
	}
	return strings.Join(parts, "`")
}

func replaceGroups(text string) string {
	found := secretForms.FindAllStringSubmatchIndex(text, -1)
	if found == nil {
		return text
	}
	b := []byte(text)
	for _, m := range found {
		from, to := m[0], m[1]
		for g := 2; g+1 < len(m); g += 2 {
			if m[g] >= 0 {
				from = m[g+1]
			}
		}
		if !plain(text[m[0]:from]) && !strings.ContainsAny(text[from:to], "0123456789") {
			continue // a word behind a prefix, not a generated value
		}
		for i := from; i < to; i++ {
			if b[i] != '@' && b[i] != '\n' && b[i] != '\r' {
				b[i] = '*'
			}
		}
	}
	return string(b)
}

// plain reports whether what follows the prefix is secret even if a person made it up.
func plain(prefix string) bool {
	return strings.HasPrefix(prefix, "://") || strings.HasPrefix(prefix, "-----")
}

// random reports whether text was made by a generator and not by a person: many different characters, and letters and digits
// that change places all the time. Identifiers and paths are words; uuids and short digests name things and keep nothing secret.
func random(text string) bool {
	if strings.Count(text, "*") > 0 || isUUID(text) {
		return false
	}
	var count [256]int
	digits, lower, upper, hex, changes := 0, 0, 0, 0, 0
	last := 0
	for i := range len(text) {
		c := text[i]
		count[c]++
		class := 0
		switch {
		case '0' <= c && c <= '9':
			class = 1
			digits++
			hex++
		case 'a' <= c && c <= 'z':
			class = 2
			lower++
		case 'A' <= c && c <= 'Z':
			class = 3
			upper++
		}
		if class != last {
			changes++
		}
		last = class
		if 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F' {
			hex++
		}
	}
	entropy := 0.0
	for _, n := range count {
		if n > 0 {
			p := float64(n) / float64(len(text))
			entropy -= p * math.Log2(p)
		}
	}
	if hex == len(text) {
		return len(text) >= 32 && digits >= 4 && digits < len(text) && entropy > 3
	}
	return digits >= 3 && lower >= 3 && upper >= 3 && entropy > 3.8 && 5*changes >= 2*len(text)
}

func isUUID(text string) bool {
	if len(text) != 36 {
		return false
	}
	for i := range len(text) {
		if dash := i == 8 || i == 13 || i == 18 || i == 23; dash != (text[i] == '-') {
			return false
		}
	}
	return true
}
