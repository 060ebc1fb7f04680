package catalog

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"

	"github.com/retrysafe/retrysafe/analyzers/lazyregexp"
	"github.com/retrysafe/retrysafe/analyzers/model"
)

// The bounds of a file: a repository may bring its own.
const (
	maxBytes = 4 << 20
	maxNodes = 1 << 20 // values, counting those behind aliases each time
	maxDepth = 32
)

// header is what stands around the rows of a file.
type header struct {
	source, date string
	promises     bool // every call of the file gives one
	user         bool // rows need neither id nor source nor date
	rows         ast.Node
}

// readSource reads the rows of a file, leaving out those with errors.
func readSource(source Source, user bool) ([]*model.Row, []*Error) {
	if len(source.Data) > maxBytes {
		return nil, []*Error{errorAt(source.Name+":1:1", "the file is larger than %d bytes", maxBytes)}
	}
	file, problem := parse(source)
	if problem != nil {
		return nil, []*Error{problem}
	}
	d := &decoder{file: source.Name, anchors: map[string]ast.Node{}}
	var body ast.Node
	for _, document := range file.Docs {
		if document.Body == nil {
			continue
		}
		if body != nil {
			d.fail(document.Body, "a catalog file is one YAML document")
			break
		}
		body = document.Body
	}
	if body == nil {
		return nil, []*Error{errorAt(source.Name+":1:1", "the file is empty")}
	}
	ast.Walk(anchorVisitor(d.anchors), body)
	h := d.header(body, source.Section)
	h.user = user
	if h.rows == nil {
		return nil, d.problems
	}
	var rows []*model.Row
	for _, node := range d.sequence(h.rows, cmp.Or(source.Section, "rows")) {
		before := len(d.problems)
		row := d.row(node, h)
		if len(d.problems) == before {
			row.Trusted = source.Trusted
			for i, symbol := range row.Symbols {
				if file, ok := strings.CutPrefix(symbol, "./"); ok && source.Base != "" && source.Base != "." {
					row.Symbols[i] = "./" + source.Base + "/" + file
				}
			}
			rows = append(rows, row)
		}
	}
	return rows, d.problems
}

// parse reads YAML. The parser is not ours, and the text may be anybody's: a panic in it is an error of the file.
func parse(source Source) (file *ast.File, problem *Error) {
	defer func() {
		if r := recover(); r != nil {
			file, problem = nil, errorAt(source.Name+":1:1", "this is no YAML: %v", r)
		}
	}()
	file, err := parser.ParseBytes(source.Data, 0)
	if err == nil {
		return file, nil
	}
	var located yaml.Error
	if errors.As(err, &located) && located.GetToken() != nil && located.GetToken().Position != nil {
		at := located.GetToken().Position
		return nil, errorAt(fmt.Sprintf("%s:%d:%d", source.Name, at.Line, at.Column), "this is no YAML: %s", located.GetMessage())
	}
	first, _, _ := strings.Cut(err.Error(), "\n")
	return nil, errorAt(source.Name+":1:1", "this is no YAML: %s", first)
}

// anchorVisitor collects the anchors of a file.
type anchorVisitor map[string]ast.Node

func (v anchorVisitor) Visit(node ast.Node) ast.Visitor {
	if anchor, ok := node.(*ast.AnchorNode); ok && anchor.Name != nil {
		v[anchor.Name.GetToken().Value] = anchor.Value
	}
	return v
}

// header reads what stands around the rows. In a file that holds other things beside, whoever reads those checks its keys.
func (d *decoder) header(body ast.Node, section string) header {
	var h header
	if section != "" {
		for _, entry := range d.entries(body, "the file") {
			if entry.key == section {
				h.rows = entry.value
			}
		}
		return h
	}
	for _, entry := range d.entries(body, wholeFile) {
		switch key := entry.key; key {
		case "source":
			h.source = d.text(entry.value, key)
		case "date":
			if h.date = d.text(entry.value, key); h.date != "" {
				d.date(entry.value, h.date)
			}
		case "promises":
			d.decode(entry.value, reflect.ValueOf(&h.promises).Elem(), key, 0)
		case "package", "define":
		case "rows":
			h.rows = entry.value
		default:
			d.unknown(entry.node, "field", key, []string{"source", "date", "promises", "package", "define", "rows"})
		}
	}
	if h.rows == nil && len(d.problems) == 0 {
		d.fail(body, "the file has no rows")
	}
	return h
}

func (d *decoder) date(node ast.Node, date string) {
	if _, err := time.Parse(time.DateOnly, date); err != nil {
		d.fail(node, "date %q is not of the form 2006-01-02", date)
	}
}

var idPattern = lazyregexp.New(`^[A-Za-z0-9]+([._-][A-Za-z0-9]+)*$`)

// row reads one row and checks what a single field cannot show.
func (d *decoder) row(node ast.Node, h header) *model.Row {
	row := &model.Row{Confidence: model.Certain}
	before := len(d.problems)
	d.decode(node, reflect.ValueOf(row).Elem(), "row", 0)
	row.Place = d.line(node)
	if row.Source == "" {
		row.Source = h.source
	}
	if row.Date == "" {
		row.Date = h.date
	}
	row.Promises = row.Promises || h.promises
	if h.user {
		d.identify(row, node)
	}
	if len(d.problems) > before {
		return row
	}
	for _, missing := range []struct{ name, value string }{{"id", row.ID}, {"source", row.Source}, {"date", row.Date}} {
		if missing.value == "" && !h.user {
			d.fail(node, "the row has no %s", missing.name)
		}
	}
	if row.ID != "" && !idPattern.MatchString(row.ID) {
		d.fail(node, "id %q is not made of letters, digits, dots and hyphens", row.ID)
	}
	if (len(row.Symbols) == 0) == (len(row.Hosts) == 0) {
		d.fail(node, "the row needs either symbols or hosts")
	}
	if len(sections(row)) == 0 {
		d.fail(node, "the row says nothing: it needs one of %s", strings.Join(sectionNames, ", "))
	}
	for _, lack := range incomplete(row) {
		d.fail(node, "%s", lack)
	}
	if row.Confidence == model.Certain && slices.ContainsFunc(row.Symbols, func(s string) bool { return within(s, "?") }) {
		d.fail(node, "a row over a value of unknown origin (?#) is at most likely")
	}
	if len(row.Files) > 0 && slices.ContainsFunc(row.Symbols, func(s string) bool { return !within(s, "export") }) {
		d.fail(node, "files are for rows over exports (export#)")
	}
	return row
}

// identify lets the place of a user's row stand for its id and source, where it has none.
func (d *decoder) identify(row *model.Row, node ast.Node) {
	if row.ID == "" {
		line, column := start(node)
		row.ID = fmt.Sprintf("line-%d.%d", line, column)
		if base := idLetters.ReplaceAllString(d.file, "-"); strings.Trim(base, "-") != "" {
			row.ID = strings.Trim(base, "-") + "." + row.ID
		}
	}
	row.Source = cmp.Or(row.Source, d.file)
}

// idLetters matches what cannot stand in an id.
var idLetters = lazyregexp.New(`[^A-Za-z0-9]+`)

// within reports whether an alternative of the pattern has that package.
func within(pattern, pkg string) bool {
	p, err := model.ParsePattern(pattern)
	return err == nil && slices.ContainsFunc(p.Alternatives, func(a model.SimplePattern) bool { return a.LiteralPackage() == pkg })
}

var sectionNames = []string{
	"effect", "record", "query", "tool", "route", "origin", "check", "primitive", "transport", "retry", "scheme", "input", "returns", "gives", "fills", "sets", "runs", "restarts", "exits", "hangup", "safe", "describes", "unclear", "logs",
}

// sections lists what a row speaks of, in the order of sectionNames.
func sections(row *model.Row) []string {
	given := []bool{
		row.Effect != nil, row.Record != nil, row.Query != nil, row.Tool != nil, row.Route != nil, row.Origin != nil, row.Check != nil,
		row.Primitive != nil, row.Transport != nil, row.Retry != nil, row.Scheme != nil, row.Input != nil, row.Returns != "", len(row.Gives) > 0, len(row.Fills) > 0,
		len(row.Sets) > 0, len(row.Runs) > 0, row.Restarts, row.Exits, row.Hangup, row.Safe, row.Describes != "", row.Unclear, row.Logs,
	}
	var names []string
	for i, is := range given {
		if is {
			names = append(names, sectionNames[i])
		}
	}
	return names
}
