package typescript

import (
	"slices"
	"strconv"
	"strings"

	"github.com/retrysafe/retrysafe/analyzers/model"
	"github.com/retrysafe/retrysafe/analyzers/typescript/parse"
)

// FileInfo identifies a file to Lower.
type FileInfo struct {
	Path     string // relative to the context root, with forward slashes
	Language model.Language
	Package  string // name in the nearest package.json, if known
}

// Target is what a module specifier means. At most one of its fields is set; none
// means that the module was not found.
type Target struct {
	Unit     string // path of a unit
	External string // name of a package, with its subpath
	Asset    string // path of a file that is no source: JSON, CSS
}

// bounds of the work on one file
const (
	maxDepth    = 500  // nesting of expressions and statements
	maxScopes   = 1000 // nesting of scopes; more than maxDepth levels can have
	maxCaptures = 1000 // variables that one function captures
	maxCopies   = 64   // of finally blocks in one function
	maxNotes    = 200
	maxName     = 400 // bytes of the names around a function
)

// Lower translates one file. It always gives a valid unit: what it cannot express is an Unknown
// operation and a note. resolve is asked once for each specifier; nil finds nothing.
func Lower(t *parse.Tree, file FileInfo, resolve func(specifier string) Target) *model.Unit {
	return lower(t, file, resolve, &memory{})
}

func lower(t *parse.Tree, file FileInfo, resolve func(specifier string) Target, m *memory) *model.Unit {
	l := &lowering{
		memory:  m,
		t:       t,
		file:    file,
		resolve: resolve,
		sc:      analyse(t, m),
		unit: &model.Unit{Path: file.Path, Language: file.Language, Files: []string{file.Path},
			Package: file.Package},
		targets: make(map[string]Target),
		names:   make(map[string]int),
		index:   make(map[parse.Node]int),
		classes: make(map[parse.Node]int),
		types:   make(map[string]bool),
		added:   make(map[string]bool),
		exports: make(map[string]bool),
		partial: make(map[parse.Node]bool),
		missing: make(map[string]bool),

		lastNode:   parse.NoNode,
		typeBudget: t.Len() + 10_000,
		localTypes: make(map[string]string),
		commonJS:   make(map[string]int),
	}
	l.markPartial()
	l.declareGlobals()
	l.declareTypes()
	l.lowerModule()
	l.finishExports()
	slices.SortStableFunc(l.unit.Notes, func(x, y model.Note) int {
		if c := x.Span.Compare(y.Span); c != 0 {
			return c
		}
		return strings.Compare(x.What, y.What)
	})
	l.unit.Notes = slices.Compact(l.unit.Notes)
	return l.unit
}

// lowering is the work on one file.
type lowering struct {
	*memory
	t       *parse.Tree
	file    FileInfo
	resolve func(string) Target
	sc      *scopes
	unit    *model.Unit

	targets map[string]Target
	names   map[string]int     // how often a function name was given
	index   map[parse.Node]int // functions by node
	classes map[parse.Node]int // classes by node: index into Unit.Types
	types   map[string]bool    // names that the file gives to types
	added   map[string]bool    // names of Unit.Types
	exports map[string]bool
	partial map[parse.Node]bool // functions that hold a syntax error
	missing map[string]bool     // specifiers that were not found

	typePath   []string          // the namespaces around the statement
	localTypes map[string]string // full names of classes inside functions
	aliases    []alias
	typeDepth  int
	typeBudget int            // types that may still be read
	querying   bool           // the type of a variable is being read for `typeof`
	commonJS   map[string]int // names that CommonJS code exports: index into Unit.Globals
	docs       *docComments

	// Memory shared by all functions.
	ids      []model.ID
	edges    []model.BlockID
	lastNode parse.Node
	lastSpan model.Span
}

func (l *lowering) span(n parse.Node) model.Span {
	if n == parse.NoNode {
		return model.Span{}
	}
	if n != l.lastNode { // operations come in groups from one node
		l.lastNode, l.lastSpan = n, l.spanOf(l.t.Start(n), l.t.End(n))
	}
	return l.lastSpan
}

func (l *lowering) spanOf(start, end int) model.Span {
	line, col := l.t.PositionAt(start)
	endLine, endCol := l.t.PositionAt(end)
	return model.Span{File: l.file.Path, Line: int32(line), Col: int32(col), EndLine: int32(endLine), EndCol: int32(endCol),
		Offset: int32(start), EndOffset: int32(end)}
}

// tooDeep notes that what lies below a node was left out.
func (l *lowering) tooDeep(n parse.Node) {
	l.note(n, "nested too deeply")
	l.unit.Notes[len(l.unit.Notes)-1].Cut = true
}

func (l *lowering) note(n parse.Node, what string) {
	switch count := len(l.unit.Notes); {
	case count < maxNotes:
		l.unit.Notes = append(l.unit.Notes, model.Note{Span: l.span(n), What: what})
	case count == maxNotes:
		l.unit.Notes = append(l.unit.Notes, model.Note{Span: l.span(n), What: "more was not understood from here on"})
	}
}

// markPartial finds the smallest function around every syntax error.
func (l *lowering) markPartial() {
	seen := make(map[parse.Node]bool)
	for _, e := range l.t.Errors() {
		n := e
		for n != l.t.Root() && l.sc.funcs[n] == nil && !seen[n] {
			seen[n] = true
			n = l.t.Parent(n)
		}
		if !seen[n] && !l.partial[n] {
			l.partial[n] = true
			l.note(e, "syntax error")
		}
	}
}

// declareGlobals makes a global of every variable of the module.
func (l *lowering) declareGlobals() {
	for _, b := range l.sc.module.bindings {
		if b.kind == importBinding {
			continue
		}
		b.global = len(l.unit.Globals)
		l.unit.Globals = append(l.unit.Globals, &model.Global{
			Name: b.name, Span: l.span(b.decl), Type: l.declaredType(b), Const: b.written == 0,
		})
	}
}

// newGlobal makes a global that no variable of the source stands for.
func (l *lowering) newGlobal(name string, n parse.Node) int {
	l.unit.Globals = append(l.unit.Globals, &model.Global{Name: name, Span: l.span(n), Const: true})
	return len(l.unit.Globals) - 1
}

// reserve gives a function its place in the unit.
func (l *lowering) reserve(n parse.Node, name string, outer int) *model.Func {
	f := &model.Func{Name: l.unique(name), Index: len(l.unit.Funcs), Span: l.span(n), Outer: outer, Partial: l.partial[n]}
	l.unit.Funcs = append(l.unit.Funcs, f)
	return f
}

// unique makes a function name unique in the unit: the second "f" is "f#2".
func (l *lowering) unique(name string) string {
	unique := name
	for {
		l.names[name]++
		if n := l.names[name]; n > 1 {
			unique = name + "#" + strconv.Itoa(n)
		}
		if unique == name || l.names[unique] == 0 {
			break
		}
	}
	if unique != name {
		l.names[unique]++
	}
	return unique
}

// lowerModule lowers the statements of the file into the initialiser.
func (l *lowering) lowerModule() {
	root := l.t.Root()
	f := l.reserve(root, "", 0)
	f.Span = l.spanOf(0, len(l.t.Source()))
	b := l.newBody(f, l.sc.init)
	b.enterScope(l.sc.module)
	b.statements(root)
	b.finish(root)
}

func (l *lowering) newBody(f *model.Func, info *funcInfo) *body {
	b := &body{lowering: l, fn: f, info: info, path: f.Name, values: make(map[*binding]model.ID), cur: model.NoBlock, handler: model.NoBlock}
	if n := len(l.spare); n > 0 {
		s := l.spare[n-1]
		l.spare = l.spare[:n-1]
		f.Ops, f.Blocks, b.home, b.preds = s.ops, s.blocks, s.home, s.preds
	}
	b.enter(b.newBlock())
	return b
}

// target resolves a specifier.
func (l *lowering) target(specifier string) Target {
	if t, ok := l.targets[specifier]; ok {
		return t
	}
	var t Target
	if l.resolve != nil {
		t = l.resolve(specifier)
	}
	l.targets[specifier] = t
	return t
}

// initialises records that the unit runs another one first.
func (l *lowering) initialises(specifier string) {
	if u := l.target(specifier).Unit; u != "" && u != l.unit.Path && !slices.Contains(l.unit.Imports, u) {
		l.unit.Imports = append(l.unit.Imports, u)
	}
}
