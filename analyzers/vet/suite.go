package vet

import (
	"fmt"
	"go/build"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"slices"
	"sort"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/retrysafe/retrysafe/analyzers/catalog"
	"github.com/retrysafe/retrysafe/analyzers/flow"
	"github.com/retrysafe/retrysafe/analyzers/golang"
	"github.com/retrysafe/retrysafe/analyzers/model"
	"github.com/retrysafe/retrysafe/rules"
)

// Suite is the set of analyzers, with their settings. The zero Suite is not ready; New makes one.
type Suite struct {
	Pedantic bool
	// Experimental says that experimental rules report too. A driver fails for every diagnostic, and their findings fail no build.
	Experimental bool

	units, judge *analysis.Analyzer
	rules        []*analysis.Analyzer
}

// New makes the analyzers: one for each rule, and the two that they rest on.
func New() *Suite {
	s := &Suite{}
	s.units = &analysis.Analyzer{
		Name:       "retrysafeunit",
		Doc:        "lower a package to the model that the rules of retrysafe judge",
		Run:        s.lower,
		FactTypes:  []analysis.Fact{(*UnitFact)(nil)},
		ResultType: reflect.TypeFor[*lowered](),
		// a package that does not type-check is judged by what is there
		RunDespiteErrors: true,
	}
	s.judge = &analysis.Analyzer{
		Name:             "retrysafejudge",
		Doc:              "evaluate the tools that a package registers",
		Run:              s.evaluate,
		Requires:         []*analysis.Analyzer{s.units},
		ResultType:       reflect.TypeFor[*judged](),
		RunDespiteErrors: true,
	}
	for _, r := range rules.All() {
		s.rules = append(s.rules, &analysis.Analyzer{
			Name:             Name(r),
			Doc:              r.Title + "\n\n" + r.Text,
			URL:              "https://github.com/retrysafe/retrysafe/blob/main/rules/docs/" + r.Name + ".md",
			Requires:         []*analysis.Analyzer{s.judge},
			RunDespiteErrors: true,
			Run: func(pass *analysis.Pass) (any, error) {
				s.report(pass, func(of *rules.Rule) bool { return of == r })
				return nil, nil
			},
		})
	}
	return s
}

// Name is the name of a rule's analyzer: that of the rule without hyphens.
func Name(r *rules.Rule) string { return strings.ReplaceAll(r.Name, "-", "") }

// Analyzers gives the analyzers of the rules, in the order of rules.All.
func (s *Suite) Analyzers() []*analysis.Analyzer { return s.rules }

// All gives one analyzer that reports what those of all rules do.
func (s *Suite) All() *analysis.Analyzer {
	return &analysis.Analyzer{
		Name:             "retrysafe",
		Doc:              "what happens when a tool call of an agent or MCP server arrives twice",
		URL:              "https://github.com/retrysafe/retrysafe",
		Requires:         []*analysis.Analyzer{s.judge},
		RunDespiteErrors: true,
		Run: func(pass *analysis.Pass) (any, error) {
			s.report(pass, func(*rules.Rule) bool { return true })
			return nil, nil
		},
	}
}

// lowered is a package's unit and those below it. The unit is nil where the package is no part of the program.
type lowered struct {
	unit  *model.Unit
	below []*model.Unit // sorted by path
	files map[string]string
	toks  map[string]*token.File
}

func (s *Suite) lower(pass *analysis.Pass) (any, error) {
	out := &lowered{files: map[string]string{}, toks: map[string]*token.File{}}
	if outside(pass) {
		return out, nil
	}
	facts := map[string][]byte{}
	for _, f := range pass.AllPackageFacts() {
		u, ok := f.Fact.(*UnitFact)
		if !ok || f.Package == pass.Pkg {
			continue
		}
		facts[f.Package.Path()] = u.Data
		for _, part := range u.Below {
			facts[part.Path] = part.Data
		}
	}
	below := make([]Part, 0, len(facts))
	for path, data := range facts {
		below = append(below, Part{path, data})
	}
	sort.Slice(below, func(i, j int) bool { return below[i].Path < below[j].Path })
	for _, part := range below {
		u, err := readUnit(part.Data)
		if err != nil {
			return nil, fmt.Errorf("facts of %s: %w", part.Path, err)
		}
		out.below = append(out.below, u)
	}
	pkg := &golang.Package{Path: pass.Pkg.Path(), Name: pass.Pkg.Name(), Fset: pass.Fset, Types: pass.Pkg, Info: pass.TypesInfo,
		Program: func(path string) bool { return facts[path] != nil }}
	folder := folderOf(pass)
	for _, f := range pass.Files {
		tok := pass.Fset.File(f.Package)
		if tok == nil || strings.HasSuffix(tok.Name(), "_test.go") {
			continue
		}
		name := path.Join(folder, filepath.Base(tok.Name()))
		source, err := readFile(pass, tok.Name())
		if err != nil {
			continue // the go command has read it; what cannot be read again gives no excerpts
		}
		out.files[name], out.toks[name] = tok.Name(), tok
		pkg.Files = append(pkg.Files, f)
		pkg.Names = append(pkg.Names, name)
		pkg.Sources = append(pkg.Sources, source)
	}
	unit, err := golang.NewProgram([]*golang.Package{pkg}, out.below...).Lower(pkg)
	if err != nil {
		return nil, err
	}
	out.unit = unit
	fact, err := newFact(unit)
	if err != nil {
		return nil, err
	}
	fact.Below = below
	pass.ExportPackageFact(fact)
	return out, nil
}

// outside reports whether a package is a dependency, or of the standard library: it is known by the catalog alone. Drivers that do not tell modules show
// it by the place of the sources, and those that read dependencies from export data have none.
func outside(pass *analysis.Pass) bool {
	if len(pass.Files) == 0 || pass.Module != nil && pass.Module.Version != "" {
		return true
	}
	if pass.Module != nil && pass.Module.Path != "" {
		return false
	}
	name := filepath.ToSlash(pass.Fset.Position(pass.Files[0].Package).Filename)
	if first, _, _ := strings.Cut(pass.Pkg.Path(), "/"); !strings.Contains(first, ".") {
		root := filepath.ToSlash(build.Default.GOROOT)
		return root != "" && strings.HasPrefix(name, root+"/src/")
	}
	return strings.HasPrefix(name, "external/") || strings.Contains(name, "/pkg/mod/")
}

func readFile(pass *analysis.Pass, name string) ([]byte, error) {
	if pass.ReadFile != nil {
		return pass.ReadFile(name)
	}
	return os.ReadFile(name)
}

// folderOf gives the folder of a package below its module, as the files of a scan of that module are named.
func folderOf(pass *analysis.Pass) string {
	if m := pass.Module; m != nil && m.Path != "" {
		if rest, ok := strings.CutPrefix(pass.Pkg.Path(), m.Path); ok {
			return strings.TrimPrefix(rest, "/")
		}
	}
	return pass.Pkg.Path()
}

// judged are the findings of a package.
type judged struct {
	*lowered
	findings []*rules.Finding
}

func (s *Suite) evaluate(pass *analysis.Pass) (any, error) {
	low := pass.ResultOf[s.units].(*lowered)
	out := &judged{lowered: low}
	if low.unit == nil {
		return out, nil
	}
	cat, err := catalog.Load()
	if err != nil {
		return nil, err
	}
	units := append([]*model.Unit{low.unit}, low.below...)
	imported := model.Externals(units).Uses
	opts := flow.Options{Tools: cat.ToolNames(imported), Routes: cat.RouteNames(imported),
		Wanted: func(file string) bool { return low.files[file] != "" }} // other packages report their own
	if !flow.Leads(units, cat, low.unit.Path, append(append([]string(nil), opts.Tools...), opts.Routes...)) && !flow.Signs(low.unit, cat) {
		return out, nil
	}
	golang.Link(units)
	res := flow.Analyze(units, cat, opts)
	out.findings = rules.Run(res, &source{pass: pass, low: low}, rules.Options{Partial: true, Pedantic: s.Pedantic})
	return out, nil
}

// report reports the findings of the wanted rules.
func (s *Suite) report(pass *analysis.Pass, wanted func(*rules.Rule) bool) {
	res := pass.ResultOf[s.judge].(*judged)
	for _, f := range res.findings {
		if f.Suppressed != nil || f.Rule.Experimental && !s.Experimental || !wanted(f.Rule) {
			continue
		}
		span, message := f.Primary, res.message(f)
		if res.toks[span.File] == nil {
			// the place is in a package below: the last step of the way that is in this one stands for it
			span = res.lastHere(f)
		}
		d := analysis.Diagnostic{Pos: res.pos(span, false), End: res.pos(span, true), Category: f.Rule.Name, Message: message,
			URL: pass.Analyzer.URL}
		if d.Pos == token.NoPos {
			continue
		}
		for _, rel := range f.Related {
			if pos := res.pos(rel.Span, false); pos != token.NoPos {
				d.Related = append(d.Related, analysis.RelatedInformation{Pos: pos, End: res.pos(rel.Span, true), Message: rel.Message})
			}
		}
		pass.Report(d)
	}
}

// message gives what a finding says, with the places of effects that lie in packages below: a diagnostic can show none but those of its own package.
func (j *judged) message(f *rules.Finding) string {
	place := func(s model.Span) string { return s.File + ":" + fmt.Sprint(s.Line) }
	if j.toks[f.Primary.File] == nil {
		return f.Message + " (at " + place(f.Primary) + ")"
	}
	var below []string
	for _, rel := range f.Related {
		effect := slices.ContainsFunc(f.Effects, func(c *flow.Call) bool { return c.Span == rel.Span })
		if told := rel.Message + " at " + place(rel.Span); effect && j.toks[rel.Span.File] == nil && len(below) < maxBelow && !slices.Contains(below, told) {
			below = append(below, told)
		}
	}
	if len(below) == 0 {
		return f.Message
	}
	return f.Message + " (" + strings.Join(below, ", ") + ")"
}

// maxBelow bounds the places in packages below that a message names.
const maxBelow = 3

// lastHere gives the last step of a finding's way that stands in the package, or the registration.
func (j *judged) lastHere(f *rules.Finding) model.Span {
	var span model.Span
	for _, t := range f.Tools {
		if j.toks[t.Span.File] != nil {
			span = t.Span
			break
		}
	}
	for _, rel := range f.Related {
		if j.toks[rel.Span.File] != nil {
			span = rel.Span
		}
	}
	return span
}

func (j *judged) pos(s model.Span, end bool) token.Pos {
	tok := j.toks[s.File]
	if tok == nil {
		return token.NoPos
	}
	at := s.Offset
	if end {
		at = s.EndOffset
	}
	if line := int(s.Line); at == 0 && line > 1 { // of a comment only the line is known
		if line > tok.LineCount() {
			return token.NoPos
		}
		col := s.Col
		if end {
			col = s.EndCol
		}
		at = int32(min(tok.Offset(tok.LineStart(line))+max(int(col)-1, 0), tok.Size()))
	}
	if at < 0 || int(at) > tok.Size() {
		return token.NoPos
	}
	return tok.Pos(int(at))
}

// source gives the lines of the package's files.
type source struct {
	pass  *analysis.Pass
	low   *lowered
	lines map[string][]string
}

// Lines gives the lines of a file of the package.
func (s *source) Lines(file string) []string {
	if lines, ok := s.lines[file]; ok {
		return lines
	}
	if s.lines == nil {
		s.lines = map[string][]string{}
	}
	var lines []string
	if name := s.low.files[file]; name != "" {
		if data, err := readFile(s.pass, name); err == nil {
			lines = strings.Split(strings.ReplaceAll(string(data), "\r\n", "\n"), "\n")
		}
	}
	s.lines[file] = lines
	return lines
}

// Line gives line n of a file, counted from 1.
func (s *source) Line(file string, n int) (string, bool) {
	lines := s.Lines(file)
	if n < 1 || n > len(lines) {
		return "", false
	}
	return lines[n-1], true
}
