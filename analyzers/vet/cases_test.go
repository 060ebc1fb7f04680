package vet_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"sort"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"

	"github.com/retrysafe/retrysafe/analyzers/audit"
	"github.com/retrysafe/retrysafe/analyzers/model"
	"github.com/retrysafe/retrysafe/analyzers/vet"
	"github.com/retrysafe/retrysafe/rules"
)

// story is the Go half of a case below testdata/rules, as a module of the workspace that is vetted.
type story struct {
	name    string // rule/file
	only    map[string]bool
	silent  map[string]string // rules that vet cannot judge in it, with the reason
	expects []expectation
	files   map[string]bool // as they are named below the module
}

// expectation is a finding that a comment of a story asks for.
type expectation struct {
	rule    *rules.Rule
	place   string // file:line
	message *regexp.Regexp
}

// finding is a diagnostic, by its true place.
type finding struct {
	story, rule, place, message string
}

// TestStories holds what the analyzers report of the Go stories: never anything that a scan does not, and all of it but three classes:
//
//   - a question about what is absent from the whole program, which is not asked of a package (Rule.NeedsProgram);
//   - what only a package above the registration tells: the implementation of an interface, the transport. A story names it in its header,
//     on a line `vet silent: rule: reason`;
//   - what is written in another language.
//
// The stories are judged twice: by a driver within the test, and by `go vet -vettool`. Declarations below testdata/stubs stand for the SDKs.
func TestStories(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the program and type-checks the standard library's declarations")
	}
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("there is no go command")
	}
	root := t.TempDir()
	stories := layOut(t, root)
	env := append(os.Environ(), "GOFLAGS=", "GOPROXY=off", "GOSUMDB=off", "GOTOOLCHAIN=local", "GOWORK="+filepath.Join(root, "go.work"))
	var analysed, vetted []finding
	t.Run("analysis", func(t *testing.T) {
		analysed = analyse(t, root, env, stories)
		compare(t, stories, analysed)
	})
	t.Run("go vet", func(t *testing.T) {
		vetted = goVet(t, root, env, stories)
		compare(t, stories, vetted)
	})
	t.Run("subset of a scan", func(t *testing.T) { within(t, root, stories, append(analysed, vetted...)) })
}

// within reports the findings that a scan of the same story does not have, at that place.
func within(t *testing.T, root string, stories map[string]*story, list []finding) {
	t.Helper()
	type where struct{ story, rule, place string }
	scanned := map[where]bool{}
	for dir, s := range stories {
		alone := filepath.Join(t.TempDir(), "story") // outside the workspace, which is read as a whole
		if err := os.CopyFS(alone, os.DirFS(filepath.Join(root, dir))); err != nil {
			t.Fatal(err)
		}
		report, err := audit.Scan(t.Context(), audit.Options{Path: alone, Jobs: 2})
		if err != nil {
			t.Fatalf("%s: %v", s.name, err)
		}
		opts := rules.Options{Units: report.Units}
		for name := range s.files {
			opts.Files = append(opts.Files, name)
		}
		sort.Strings(opts.Files)
		for _, f := range rules.Run(report.Result, report.Source, opts) {
			place := func(s model.Span) string { return s.File + ":" + strconv.Itoa(int(s.Line)) }
			scanned[where{dir, f.Rule.Name, place(f.Primary)}] = true
		}
		report.Close()
	}
	for _, f := range list {
		if !scanned[where{f.story, f.rule, f.place}] {
			t.Errorf("%s: %s: a scan does not report %s: %s", stories[f.story].name, f.place, f.rule, f.message)
		}
	}
}

// layOut writes each story as a module, and a workspace that uses all of them.
func layOut(t *testing.T, root string) map[string]*story {
	t.Helper()
	testdata, err := filepath.Abs(filepath.Join("..", "..", "testdata"))
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(testdata, "rules", "*", "go_*.txtar"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no stories: %v", err)
	}
	stories := map[string]*story{}
	var work strings.Builder
	work.WriteString("go 1.26\n")
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		rule := filepath.Base(filepath.Dir(file))
		s := &story{name: rule + "/" + filepath.Base(file), only: map[string]bool{}, silent: map[string]string{}, files: map[string]bool{}}
		s.header(t, string(archive.Comment))
		dir := rule + "_" + strings.TrimSuffix(filepath.Base(file), ".txtar")
		if stories[dir] != nil {
			t.Fatalf("two stories are called %s", dir)
		}
		stories[dir] = s
		for _, f := range archive.Files {
			name, ok := strings.CutPrefix(f.Name, "go/")
			if !ok {
				continue
			}
			path := filepath.Join(root, dir, filepath.FromSlash(name))
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, f.Data, 0o644); err != nil {
				t.Fatal(err)
			}
			s.files[name] = true
			s.expect(t, name, string(f.Data))
		}
		fmt.Fprintf(&work, "use ./%s\n", dir)
	}
	stubs := filepath.Join(testdata, "stubs")
	err = filepath.WalkDir(stubs, func(path string, d os.DirEntry, err error) error {
		if err == nil && d.Name() == "go.mod" {
			dir := filepath.Dir(path)
			module, _ := filepath.Rel(stubs, dir)
			fmt.Fprintf(&work, "replace %s => %s\n", filepath.ToSlash(module), strconv.Quote(dir))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(root, "go.work"), []byte(work.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	return stories
}

func (s *story) header(t *testing.T, text string) {
	t.Helper()
	for _, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if list, ok := strings.CutPrefix(line, "rules:"); ok {
			for _, name := range strings.Split(list, ",") {
				s.only[strings.TrimSpace(name)] = true
			}
		}
		if list, ok := strings.CutPrefix(line, "families:"); ok {
			for _, n := range strings.Split(list, ",") {
				for _, r := range rules.All() {
					if strconv.Itoa(int(r.Family)) == strings.TrimSpace(n) {
						s.only[r.Name] = true
					}
				}
			}
		}
		if rest, ok := strings.CutPrefix(line, "vet silent:"); ok {
			name, reason, found := strings.Cut(rest, ":")
			name = strings.TrimSpace(name)
			if !found || rules.Find(name) == nil || strings.TrimSpace(reason) == "" {
				t.Fatalf("%s: cannot read %q", s.name, line)
			}
			s.silent[name] = strings.TrimSpace(reason)
		}
		if line == "pedantic" {
			s.silent["pedantic"] = "vet is not asked to be pedantic"
		}
	}
}

var (
	wantComment = regexp.MustCompile(`// want (\+\d+ )?(([a-z-]+ "(?:[^"\\]|\\.)*"\s*)+)`)
	wantOne     = regexp.MustCompile(`([a-z-]+) ("(?:[^"\\]|\\.)*")`)
)

func (s *story) expect(t *testing.T, file, text string) {
	t.Helper()
	for i, line := range strings.Split(text, "\n") {
		m := wantComment.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		n := i + 1
		if m[1] != "" {
			off, _ := strconv.Atoi(strings.TrimSpace(m[1][1:]))
			n += off
		}
		for _, one := range wantOne.FindAllStringSubmatch(m[2], -1) {
			pattern, err := strconv.Unquote(one[2])
			if err != nil {
				t.Fatalf("%s: %s:%d: %v", s.name, file, i+1, err)
			}
			rule := rules.Find(one[1])
			if rule == nil {
				t.Fatalf("%s: %s:%d: there is no rule %s", s.name, file, i+1, one[1])
			}
			s.expects = append(s.expects, expectation{rule: rule, place: file + ":" + strconv.Itoa(n), message: regexp.MustCompile(pattern)})
		}
	}
}

// analyse runs the analyzers over all packages of the workspace.
func analyse(t *testing.T, root string, env []string, stories map[string]*story) []finding {
	t.Helper()
	var patterns []string
	for dir := range stories {
		patterns = append(patterns, "./"+dir+"/...")
	}
	sort.Strings(patterns)
	pkgs, err := packages.Load(&packages.Config{Mode: packages.LoadSyntax | packages.NeedModule, Dir: root, Env: env}, patterns...)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range pkgs {
		for _, e := range p.Errors {
			t.Errorf("%s: %v", p.PkgPath, e)
		}
	}
	suite := vet.New()
	suite.Experimental = true
	graph, err := checker.Analyze([]*analysis.Analyzer{suite.All()}, pkgs, nil)
	if err != nil {
		t.Fatal(err)
	}
	var out []finding
	for _, act := range graph.Roots {
		if act.Err != nil {
			t.Fatalf("%s: %v", act.Package.PkgPath, act.Err)
		}
		for _, d := range act.Diagnostics {
			p := act.Package.Fset.Position(d.Pos)
			out = append(out, found(t, root, p.Filename, p.Line, d.Category, d.Message))
		}
	}
	return out
}

// goVet runs `go vet` with the program as its tool.
func goVet(t *testing.T, root string, env []string, stories map[string]*story) []finding {
	t.Helper()
	tool := filepath.Join(t.TempDir(), "retrysafe.exe")
	build := exec.Command("go", "build", "-o", tool, ".")
	build.Dir = filepath.Join("..", "..")
	if text, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	args := []string{"vet", "-json", "-experimental", "-vettool=" + tool}
	for dir := range stories {
		args = append(args, "./"+dir+"/...")
	}
	sort.Strings(args[4:])
	cmd := exec.Command("go", args...)
	cmd.Dir, cmd.Env = root, env
	var errors strings.Builder
	cmd.Stderr = &errors
	text, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, errors.String())
	}
	byName := map[string]string{}
	for _, r := range rules.All() {
		byName[vet.Name(r)] = r.Name
	}
	var out []finding
	// one object for each package, between comments that name it, on one of the two streams
	for _, stream := range []string{string(text), errors.String()} {
		dec := json.NewDecoder(strings.NewReader(regexp.MustCompile(`(?m)^#.*$`).ReplaceAllString(stream, "")))
		for dec.More() {
			var tree map[string]map[string][]struct{ Posn, Message string }
			if err := dec.Decode(&tree); err != nil {
				t.Fatalf("%v: %s", err, stream)
			}
			for _, perPackage := range tree {
				for analyzer, list := range perPackage {
					for _, d := range list {
						parts := strings.Split(d.Posn, ":")
						line, _ := strconv.Atoi(parts[len(parts)-2])
						out = append(out, found(t, root, strings.Join(parts[:len(parts)-2], ":"), line, byName[analyzer], d.Message))
					}
				}
			}
		}
	}
	return out
}

var truePlace = regexp.MustCompile(` \(at (\S+:\d+)\)$`)

// found takes a diagnostic back to the story and the place that it is about.
func found(t *testing.T, root, file string, line int, rule, message string) finding {
	t.Helper()
	rel, err := filepath.Rel(root, file)
	if err != nil {
		t.Fatal(err)
	}
	dir, name, _ := strings.Cut(filepath.ToSlash(rel), "/")
	f := finding{story: dir, rule: rule, place: name + ":" + strconv.Itoa(line), message: message}
	if m := truePlace.FindStringSubmatch(message); m != nil {
		f.place, f.message = m[1], strings.TrimSuffix(message, m[0])
	}
	return f
}

// compare reports what was found and is not expected, and what is expected, belongs to no class that vet leaves out, and was not found.
func compare(t *testing.T, stories map[string]*story, list []finding) {
	t.Helper()
	met := map[string]map[int]bool{}
	for dir := range stories {
		met[dir] = map[int]bool{}
	}
	var problems []string
	for _, f := range list {
		s := stories[f.story]
		if s == nil {
			t.Fatalf("a finding in no story: %+v", f)
		}
		if len(s.only) > 0 && !s.only[f.rule] {
			continue
		}
		ok := false
		for i, e := range s.expects {
			if e.rule.Name == f.rule && e.place == f.place && e.message.MatchString(f.message) {
				met[f.story][i], ok = true, true
				break
			}
		}
		if !ok {
			problems = append(problems, fmt.Sprintf("%s: %s: unexpected %s: %s", s.name, f.place, f.rule, f.message))
		}
	}
	for dir, s := range stories {
		for i, e := range s.expects {
			if met[dir][i] || e.rule.NeedsProgram || s.silent["pedantic"] != "" || len(s.only) > 0 && !s.only[e.rule.Name] {
				continue
			}
			if s.silent[e.rule.Name] != "" {
				continue
			}
			problems = append(problems, fmt.Sprintf("%s: %s: missing %s %q", s.name, e.place, e.rule.Name, e.message))
		}
	}
	sort.Strings(problems)
	for _, p := range problems {
		t.Error(p)
	}
}
