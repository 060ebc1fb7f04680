package rules_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/retrysafe/retrysafe/analyzers/audit"
	"github.com/retrysafe/retrysafe/analyzers/model"
	"github.com/retrysafe/retrysafe/rules"
)

// TestCases runs every story under testdata/rules. A story is a small program, with what must be reported in comments:
//
//	return existing.result; // want unbound-caller "any caller can choose"
//
// names a rule and a pattern of its message, once for each finding on that line; `// want +1` speaks of the next line.
// Every finding of the story that no comment expects is an error, and so is every comment without its finding. In the header, a
// line `rules: a, b` restricts the story to these rules, `families: 1, 2` to those of these families, `pedantic` and `possible` ask for more findings.
func TestCases(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("..", "testdata", "rules", "*", "*.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	seen := &twins{stories: len(files), found: map[half]kinds{}, silent: map[half]kinds{}, aside: map[half]bool{}}
	t.Cleanup(func() { seen.check(t) })
	for _, file := range files {
		name := filepath.Base(filepath.Dir(file)) + "/" + strings.TrimSuffix(filepath.Base(file), ".txtar")
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			runCase(t, file, seen)
		})
	}
}

func runCase(t *testing.T, file string, seen *twins) {
	defer seen.done()
	rule := filepath.Base(filepath.Dir(file))
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	// one program for each language: what stands below ts/, and what stands below go/
	for _, language := range []string{"ts", "go"} {
		dir := t.TempDir()
		lines := map[string][]string{}
		for _, f := range archive.Files {
			rest, ok := strings.CutPrefix(f.Name, language+"/")
			if !ok {
				continue
			}
			path := filepath.Join(dir, filepath.FromSlash(rest))
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, f.Data, 0o644); err != nil {
				t.Fatal(err)
			}
			lines[rest] = strings.Split(string(f.Data), "\n")
		}
		if len(lines) > 0 {
			judge(t, half{rule, language}, dir, string(archive.Comment), lines, seen)
		}
	}
}

// expectation is a finding that a comment asks for.
type expectation struct {
	rule    string
	message *regexp.Regexp
	met     bool
}

func judge(t *testing.T, story half, dir, header string, lines map[string][]string, seen *twins) {
	language := story.language
	var opts rules.Options
	only := map[string]bool{}
	for _, line := range strings.Split(header, "\n") {
		switch line = strings.TrimSpace(line); {
		case strings.HasPrefix(line, "rules:"):
			for _, name := range strings.Split(strings.TrimPrefix(line, "rules:"), ",") {
				name = strings.TrimSpace(name)
				if !slices.ContainsFunc(rules.All(), func(r *rules.Rule) bool { return r.Name == name }) {
					t.Fatalf("the header names no rule: %q", name)
				}
				only[name] = true
			}
		case strings.HasPrefix(line, "families:"):
			for _, n := range strings.Split(strings.TrimPrefix(line, "families:"), ",") {
				for _, r := range rules.All() {
					if strconv.Itoa(int(r.Family)) == strings.TrimSpace(n) {
						only[r.Name] = true
					}
				}
			}
		case line == "pedantic":
			opts.Pedantic = true
		case line == "possible":
			opts.MinConfidence = model.Possible
		}
	}
	want := expectations(t, lines)
	var problems []string
	report, err := audit.Scan(context.Background(), audit.Options{Path: dir, Jobs: 1, Rules: opts})
	if err != nil {
		t.Fatalf("%s: %v", language, err)
	}
	defer report.Close()
	findings := report.Findings
	seen.add(story, report.Result.Tools, findings)
	for _, f := range findings {
		if f.Suppressed != nil || len(only) > 0 && !only[f.Rule.Name] {
			continue
		}
		found := false
		for _, e := range want[f.Primary.File+":"+strconv.Itoa(int(f.Primary.Line))] {
			if !e.met && e.rule == f.Rule.Name && e.message.MatchString(f.Message) {
				e.met, found = true, true
				break
			}
		}
		if !found {
			problems = append(problems, fmt.Sprintf("%s: unexpected %s (%s, %s): %s", f.Primary, f.Rule.Name, f.Severity,
				rules.ConfidenceText(f.Confidence), f.Message))
		}
	}
	for place, list := range want {
		for _, e := range list {
			if !e.met && (len(only) == 0 || only[e.rule]) {
				problems = append(problems, fmt.Sprintf("%s: missing %s %q", place, e.rule, e.message))
			}
		}
	}
	sort.Strings(problems)
	for _, p := range problems {
		t.Errorf("%s/%s", language, p)
	}
	if t.Failed() {
		for _, tl := range report.Result.Tools {
			var effects []string
			for _, e := range tl.Effects {
				effects = append(effects, fmt.Sprintf("%s/%s %s@%d %s", e.Kind, e.Nature, e.Callee, e.Span.Line, e.Incidental))
			}
			t.Logf("%s tool %s %s: %s", language, tl.ID, tl.Nature, strings.Join(effects, "; "))
		}
	}
}

var wantComment = regexp.MustCompile(`// want (\+\d+ )?(([a-z-]+ "(?:[^"\\]|\\.)*"\s*)+)`)
var wantOne = regexp.MustCompile(`([a-z-]+) ("(?:[^"\\]|\\.)*")`)

// expectations reads the comments, by place.
func expectations(t *testing.T, lines map[string][]string) map[string][]*expectation {
	out := map[string][]*expectation{}
	for file, text := range lines {
		for i, line := range text {
			m := wantComment.FindStringSubmatch(line)
			if m == nil {
				if strings.Contains(line, "// want") {
					t.Fatalf("%s:%d: cannot read %q", file, i+1, line)
				}
				continue
			}
			n := i + 1
			if m[1] != "" {
				off, _ := strconv.Atoi(strings.TrimSpace(m[1][1:]))
				n += off
			}
			for _, one := range wantOne.FindAllStringSubmatch(m[2], -1) {
				if rules.Find(one[1]) == nil {
					t.Fatalf("%s:%d: there is no rule %s", file, i+1, one[1])
				}
				pattern, err := strconv.Unquote(one[2])
				if err != nil {
					t.Fatalf("%s:%d: %v", file, i+1, err)
				}
				place := file + ":" + strconv.Itoa(n)
				out[place] = append(out[place], &expectation{rule: one[1], message: regexp.MustCompile(pattern)})
			}
		}
	}
	return out
}

// TestEveryRuleHasCases makes sure that a rule is seen to fire in some story, and that those about keys and effects are in either language.
func TestEveryRuleHasCases(t *testing.T) {
	for _, r := range rules.All() {
		if r.Family == rules.CommentFamily {
			continue // see ignore_test.go
		}
		files, err := filepath.Glob(filepath.Join("..", "testdata", "rules", r.Name, "*.txtar"))
		if err != nil {
			t.Fatal(err)
		}
		fires := map[string]int{}
		for _, file := range files {
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range archive.Files {
				language, _, _ := strings.Cut(f.Name, "/")
				for _, m := range wantComment.FindAllStringSubmatch(string(f.Data), -1) {
					for _, one := range wantOne.FindAllStringSubmatch(m[2], -1) {
						if one[1] == r.Name {
							fires[language]++
						}
					}
				}
			}
		}
		languages := []string{"ts", "go"}
		if r.Family != rules.KeyFamily && r.Family != rules.EffectFamily {
			if fires["ts"]+fires["go"] == 0 {
				t.Errorf("no story below testdata/rules/%s expects a finding of it", r.Name)
			}
			continue
		}
		for _, language := range languages {
			if fires[language] == 0 {
				t.Errorf("no story below testdata/rules/%s expects a finding of it in a file below %s/", r.Name, language)
			}
		}
	}
}
