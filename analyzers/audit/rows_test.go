package audit_test

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp/syntax"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/retrysafe/retrysafe/analyzers/audit"
	"github.com/retrysafe/retrysafe/analyzers/catalog"
	"github.com/retrysafe/retrysafe/analyzers/flow"
	"github.com/retrysafe/retrysafe/analyzers/model"
)

var update = flag.Bool("update", false, "rewrite the list of rows that no generated program exercises")

const unexercised = "testdata/unexercised.txt"

// TestEveryRow calls what each row of the catalog speaks of, in a program of one line a row that the front ends lower and flow judges, and asks
// whether the call is judged by that row. The rows of which no such line can be made stand in testdata/unexercised.txt with the reason.
func TestEveryRow(t *testing.T) {
	cat, err := catalog.Load()
	if err != nil {
		t.Fatal(err)
	}
	reasons := map[string]string{}
	left := map[string]*model.Row{}
	for _, row := range cat.All() {
		if why := inexpressible(row); why != "" {
			reasons[row.ID] = why
			continue
		}
		left[row.ID] = row
	}
	all := len(cat.All())
	for round := 0; round < rounds && len(left) > 0; round++ {
		for _, language := range []generator{typescriptLines{}, goLines{}} {
			for id, why := range judge(t, cat, language, left, round) {
				if why == "" {
					delete(left, id)
					delete(reasons, id)
				} else if reasons[id] == "" {
					reasons[id] = why // of the first try, which is the plainest
				}
			}
		}
	}
	var got strings.Builder
	count := 0
	for _, row := range cat.All() {
		if why := reasons[row.ID]; why != "" {
			fmt.Fprintf(&got, "%s: %s\n", row.ID, why)
			count++
		}
	}
	t.Logf("%d rows, %d exercised, %d not", all, all-count, count)
	if *update {
		if err := os.MkdirAll(filepath.Dir(unexercised), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(unexercised, []byte(got.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(unexercised)
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range difference(string(want), got.String()) {
		t.Errorf("no longer so, or exercised by now: %s", line)
	}
	for _, line := range difference(got.String(), string(want)) {
		t.Errorf("not exercised: %s", line)
	}
	if t.Failed() {
		t.Logf("where that is right: go test ./analyzers/audit -run TestEveryRow -update")
	}
}

// difference lists the lines of a that are not in b.
func difference(a, b string) []string {
	have := strings.Split(b, "\n")
	return slices.DeleteFunc(strings.Split(a, "\n"), func(line string) bool { return slices.Contains(have, line) })
}

// rounds is how often another line is tried for a row: another of its symbols, other arguments.
const rounds = 6

// inexpressible says why no line can be made of a row.
func inexpressible(row *model.Row) string {
	if row.Place == "" {
		return "it has no place"
	}
	for _, s := range row.Symbols {
		if strings.HasPrefix(s, "export#") {
			return "it speaks of what a file exports: testdata/flow has files"
		}
	}
	if t := row.Tool; t != nil {
		for _, a := range []model.Access{t.Handler, t.Class, t.Name} {
			if strings.HasPrefix(string(a), "Subclass") || strings.HasPrefix(string(a), "Decorated") {
				return "it speaks of a class or a decorator: testdata/flow has them"
			}
		}
	}
	if r := row.Route; r != nil && (strings.HasPrefix(string(r.Handlers), "Subclass") || strings.HasPrefix(string(r.Handlers), "Decorated")) {
		return "it speaks of a class or a decorator: testdata/flow has them"
	}
	return ""
}

// generator writes programs in one of the languages.
type generator interface {
	// takes reports whether a row is of this language.
	takes(row *model.Row) bool
	// line writes a call for the row, "" where it cannot in this round.
	line(row *model.Row, round int) string
	// files gives the program in which each line is the body of a tool named after its row, and the file of each tool.
	files(lines map[string]string) (files map[string]string, where map[string]string)
}

// spy remembers which rows were found, and by what.
type spy struct {
	*catalog.Catalog
	found map[*model.Row]bool
}

func (s spy) Rows(symbol string) []*model.Row {
	rows := s.Catalog.Rows(symbol)
	var said []string
	for _, r := range rows {
		for _, section := range catalog.Sections(r) {
			// the first that says something is heard, and those before it are not where they have conditions
			if !slices.Contains(said, section) {
				s.found[r] = true
				if len(r.When) == 0 && r.Versions == "" && !r.Refines {
					said = append(said, section)
				}
			}
		}
	}
	return rows
}

// judge evaluates the lines of one round and gives the rows of which it wrote some: "" for what is judged by its row, otherwise why it is not.
func judge(t *testing.T, cat *catalog.Catalog, g generator, rows map[string]*model.Row, round int) map[string]string {
	lines := map[string]string{}
	for id, row := range rows {
		if !g.takes(row) {
			continue
		}
		if line := g.line(row, round); line != "" {
			lines[id] = line
		}
	}
	if len(lines) == 0 {
		return nil
	}
	files, where := g.files(lines)
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	versions := map[string]string{}
	for id, file := range where {
		if row := rows[id]; row.Versions != "" {
			versions[file] = versionIn(row.Versions)
		}
	}
	rep, err := audit.Scan(context.Background(), audit.Options{Path: dir})
	if err != nil {
		t.Fatal(err)
	}
	defer rep.Close()
	seen := spy{cat, map[*model.Row]bool{}}
	res := flow.Analyze(rep.Units, seen, flow.Options{Tools: cat.ToolNames(model.Externals(rep.Units).Uses), Version: func(unit, pkg string) string { return versions[unit] }})
	out := map[string]string{}
	for id := range lines {
		out[id] = "its line is no tool: " + short(lines[id])
	}
	for _, tool := range res.Tools {
		row := rows[tool.Name]
		if row == nil || lines[tool.Name] == "" {
			continue
		}
		out[tool.Name] = unlike(tool, row, seen, lines[tool.Name])
	}
	return out
}

func short(line string) string {
	if r := []rune(line); len(r) > 90 {
		return string(r[:90]) + "…"
	}
	return line
}

// unlike says how what a tool does differs from what the row says of its only call, "" where it does not.
func unlike(tool *flow.Tool, row *model.Row, seen spy, line string) string {
	for _, section := range catalog.Sections(row) {
		heard := false
		of := func(pick func(*flow.Event) *model.Row) {
			for _, ev := range tool.Events {
				r := pick(ev)
				heard = heard || r != nil && r.ID == row.ID
			}
		}
		switch {
		case len(row.Hosts) > 0 && section == "effect" && row.Effect.Reply == false:
			for _, x := range tool.Effects {
				heard = heard || x.Spec == row.Effect
			}
			heard = heard || seen.Asked(row) || hostRead(seen, tool, row)
		case row.Refines:
			heard = seen.found[row]
		case section == "effect":
			of(func(ev *flow.Event) *model.Row { return ev.EffectRow })
			if x := row.Effect; heard && x.Verb == "" && x.Selector == "" && x.Nature.Rank() > 0 && !x.Reply && row.Record == nil && row.Query == nil {
				found := slices.ContainsFunc(tool.Effects, func(y *flow.Effect) bool { return y.Kind == x.Kind && y.Nature == x.Nature })
				if !found {
					return fmt.Sprintf("no %s %s effect comes of %s", x.Nature, x.Kind, short(line))
				}
			}
		case section == "record":
			of(func(ev *flow.Event) *model.Row { return ev.RecordRow })
		case section == "query":
			of(func(ev *flow.Event) *model.Row { return ev.QueryRow })
		case section == "origin":
			of(func(ev *flow.Event) *model.Row { return ev.OriginRow })
			heard = heard || seen.found[row]
		case section == "check":
			of(func(ev *flow.Event) *model.Row { return ev.CheckRow })
			heard = heard || row.Check.Kind == "order" && seen.found[row]
		case section == "input":
			of(func(ev *flow.Event) *model.Row { return ev.InputRow })
			heard = heard || seen.found[row]
		default:
			heard = seen.found[row]
		}
		if !heard {
			return fmt.Sprintf("its %s is not heard in %s", section, short(line))
		}
	}
	return ""
}

// hostRead reports whether a request goes where the row speaks of and reads.
func hostRead(seen spy, tool *flow.Tool, row *model.Row) bool {
	return slices.ContainsFunc(tool.Events, func(ev *flow.Event) bool { return ev.EffectRow != nil && ev.EffectRow.ID == row.ID }) || seen.found[row]
}

// HostRows notes which rows over hosts are the first about a request.
func (s spy) HostRows(host, path, method string) []*model.Row {
	rows := s.Catalog.HostRows(host, path, method)
	if path != "" {
		for _, r := range rows {
			s.found[r] = true
			if len(r.When) == 0 {
				break
			}
		}
	}
	return rows
}

func versionIn(versions string) string {
	for major := range 100 {
		for _, rest := range []string{".99.0", ".5.0", ".0.0", ".1.0"} {
			v := strconv.Itoa(major) + rest
			if ok, err := model.InRange(v, versions); err == nil && ok {
				return v
			}
		}
	}
	return ""
}

// symbolOf picks a symbol of the row for a round.
func symbolOf(row *model.Row, round int) (model.Symbol, bool) {
	var all []model.SimplePattern
	for _, text := range row.Symbols {
		if p, err := model.ParsePattern(text); err == nil {
			all = append(all, p.Alternatives...)
		}
	}
	if len(all) == 0 {
		return model.Symbol{}, false
	}
	p := all[(round*7+round/2)%len(all)]
	if round == 0 {
		p = all[0]
	}
	s := model.Symbol{}
	var segments []string
	for _, segment := range p.Package {
		if segment != "**" {
			segments = append(segments, strings.ReplaceAll(segment, "*", "v9"))
		}
	}
	s.Package = cmp.Or(strings.Join(segments, "/"), "any-package")
	for _, n := range p.Path {
		switch {
		case n.Text == "**":
			if round%2 == 1 {
				s.Path = append(s.Path, model.Name{Text: "thing"})
			}
		default:
			s.Path = append(s.Path, model.Name{Text: strings.ReplaceAll(n.Text, "*", "Thing"), Calls: n.Calls})
		}
	}
	return s, true
}

// argument is an argument in the making.
type argument struct {
	text    string // as written, "" where members make it
	members map[string]*argument
	order   []string
}

func (a *argument) member(name string) *argument {
	if a.members == nil {
		a.members = map[string]*argument{}
	}
	if a.members[name] == nil {
		a.members[name] = &argument{}
		a.order = append(a.order, name)
	}
	return a.members[name]
}

// sample gives a text that an expression matches.
func sample(expr string) string {
	re, err := syntax.Parse(expr, syntax.Perl)
	if err != nil {
		return "x"
	}
	return sampleOf(re.Simplify())
}

func sampleOf(re *syntax.Regexp) string {
	switch re.Op {
	case syntax.OpLiteral:
		return string(re.Rune)
	case syntax.OpCharClass:
		for _, c := range []rune("xaA01_-/") {
			for i := 0; i+1 < len(re.Rune); i += 2 {
				if re.Rune[i] <= c && c <= re.Rune[i+1] {
					return string(c)
				}
			}
		}
		return string(re.Rune[:1])
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return "x"
	case syntax.OpCapture, syntax.OpPlus:
		return sampleOf(re.Sub[0])
	case syntax.OpRepeat:
		return strings.Repeat(sampleOf(re.Sub[0]), max(re.Min, 0))
	case syntax.OpConcat:
		var b strings.Builder
		for _, sub := range re.Sub {
			b.WriteString(sampleOf(sub))
		}
		return b.String()
	case syntax.OpAlternate:
		return sampleOf(re.Sub[0])
	}
	return ""
}
