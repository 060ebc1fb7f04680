package docs

import (
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/retrysafe/retrysafe/analyzers/lazyregexp"
)

// example is a piece of a story that a rule reports, and the piece of the same story that does the same and is not reported.
type example struct {
	language      string // ts, go
	before, after string
}

// languages are the folders of stories, in the order in which pages show them.
var languages = [...]string{"ts", "go"}

const (
	longestExample = 45  // lines
	leastLikeness  = 0.5 // share of words that two pieces have in common, from which one is taken for the repair of the other
)

// findExamples takes the shortest pair of pieces in each language from the stories of a rule.
func findExamples(stories fs.FS, rule string) ([]example, error) {
	entries, err := fs.ReadDir(stories, rule)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	best := map[string]example{}
	for _, entry := range entries {
		if path.Ext(entry.Name()) != ".txtar" {
			continue
		}
		data, err := fs.ReadFile(stories, path.Join(rule, entry.Name()))
		if err != nil {
			return nil, err
		}
		for _, e := range examples(txtar.Parse(data), rule) {
			if better(e, best[e.language]) {
				best[e.language] = e
			}
		}
	}
	var out []example
	for _, language := range languages {
		if e, ok := best[language]; ok {
			out = append(out, e)
		}
	}
	return out, nil
}

// better prefers examples with a repair, then short ones. Equal ones stay in the order of the stories.
func better(a, b example) bool {
	switch {
	case b.before == "":
		return true
	case (a.after == "") != (b.after == ""):
		return a.after != ""
	}
	return strings.Count(a.before+a.after, "\n") < strings.Count(b.before+b.after, "\n")
}

func examples(story *txtar.Archive, rule string) []example {
	var out []example
	for _, language := range languages {
		var all []piece
		for _, f := range story.Files {
			if strings.HasPrefix(f.Name, language+"/") && slices.Contains([]string{".ts", ".tsx", ".mts", ".js", ".go"}, path.Ext(f.Name)) {
				all = append(all, pieces(string(f.Data))...)
			}
		}
		for _, p := range all {
			if slices.Contains(p.rules, rule) && p.lines() <= longestExample {
				out = append(out, example{language, p.show(rule), repair(p, all)})
			}
		}
	}
	return out
}

// repair finds the piece without findings that is most like p.
func repair(p piece, all []piece) string {
	best, likeness := "", leastLikeness
	for _, q := range all {
		if len(q.rules) > 0 || q.lines() > longestExample {
			continue
		}
		if l := alike(p.text, q.text); l > likeness {
			best, likeness = q.show(""), l
		}
	}
	return best
}

// piece is a declaration or statement at the top of a file, with the comments above it.
type piece struct {
	text  string
	rules []string // expected to report something in it
}

func (p piece) lines() int { return strings.Count(p.text, "\n") }

var (
	wants    = lazyregexp.New(`(?m)\s*// want (?:\+\d+ )?((?:[a-z-]+ "(?:[^"\\]|\\.)*"\s*)+)$`)
	wantRule = lazyregexp.New(`([a-z-]+) "(?:[^"\\]|\\.)*"`)
)

// pieces divides a file at the lines that are not indented.
func pieces(text string) []piece {
	var out []piece
	var b strings.Builder
	comment := false // only comments so far
	flush := func() {
		if b.Len() > 0 {
			out = append(out, newPiece(b.String()))
		}
		b.Reset()
	}
	for line := range strings.Lines(text) {
		if strings.TrimSpace(line) == "" {
			if !comment {
				b.WriteString(line)
			}
			continue
		}
		if !strings.ContainsAny(line[:1], " \t})]`;|&?:.") && !comment {
			flush()
		}
		comment = strings.HasPrefix(line, "//") && (comment || b.Len() == 0)
		b.WriteString(line)
	}
	flush()
	return out
}

func newPiece(text string) piece {
	p := piece{text: strings.TrimRight(text, "\n") + "\n"}
	for line := range strings.Lines(text) {
		if m := wants.FindStringSubmatch(strings.TrimRight(line, "\n")); m != nil {
			for _, one := range wantRule.FindAllStringSubmatch(m[1], -1) {
				p.rules = append(p.rules, one[1])
			}
		}
	}
	return p
}

// show gives the text without the expectations, and marks the lines where the rule reports.
func (p piece) show(rule string) string {
	var b strings.Builder
	mark := false // the next line is the one
	for line := range strings.Lines(p.text) {
		line = strings.TrimRight(line, "\n")
		here := mark
		mark = false
		if m := wants.FindStringSubmatch(line); m != nil {
			fires := strings.Contains(m[1], rule+` "`) && rule != ""
			above := strings.Contains(m[0], "// want +1 ")
			line = line[:len(line)-len(m[0])]
			if above {
				mark = fires
				if strings.TrimSpace(line) == "" {
					continue
				}
			}
			here = here || fires && !above
		}
		b.WriteString(line)
		if here {
			b.WriteString(" // <- " + rule)
		}
		b.WriteString("\n")
	}
	return b.String()
}

var word = lazyregexp.New(`\w+`)

// alike gives the share of words that two texts have in common, from 0 to 1.
func alike(a, b string) float64 {
	count := map[string]int{}
	total := 0
	for _, w := range word.FindAllString(wants.ReplaceAllString(a, ""), -1) {
		count[w]++
		total++
	}
	common := 0
	for _, w := range word.FindAllString(b, -1) {
		if count[w] > 0 {
			count[w]--
			common++
		}
		total++
	}
	return 2 * float64(common) / float64(total)
}
