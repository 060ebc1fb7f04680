package catalog

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"sync"

	"github.com/retrysafe/retrysafe/analyzers/model"
)

// index finds rows by symbol. Patterns are kept by their package and last name,
// each "" where it has a wildcard, so that a look-up tries four short lists.
type index struct {
	entries map[indexKey][]indexed
	cache   sync.Map // symbol -> []*model.Row
}

type indexKey struct{ pkg, last string }

// indexed is one alternative of a row's patterns.
type indexed struct {
	pattern  model.SimplePattern
	row      *model.Row
	user     bool
	literals int
	order    int // of the row
}

// compare orders by specificity.
func (a indexed) compare(b indexed) int {
	if a.user != b.user {
		if a.user {
			return -1
		}
		return 1
	}
	return cmp.Or(cmp.Compare(b.literals, a.literals), cmp.Compare(a.order, b.order))
}

// newIndex indexes rows; first holds those that are found before the others. A symbol that two
// rows claim for the same section under the same conditions is a problem.
func newIndex(rows []*model.Row, first map[*model.Row]bool) (*index, []*Error) {
	x := &index{entries: map[indexKey][]indexed{}}
	var problems []*Error
	claimed := map[string]*model.Row{}
	for order, row := range rows {
		conditions := conditionsOf(row, first[row])
		for _, text := range row.Symbols {
			pattern, err := model.ParsePattern(text)
			if err != nil {
				problems = append(problems, errorAt(row.Place, "%v", err))
				continue
			}
			for _, alternative := range pattern.Alternatives {
				symbol := alternative.String()
				for _, section := range sections(row) {
					if section == "safe" {
						continue // saying it twice contradicts nothing
					}
					claim := section + "\x00" + symbol + "\x00" + conditions
					if other := claimed[claim]; other == nil {
						claimed[claim] = row
					} else if other != row {
						problems = append(problems, errorAt(row.Place, "%s of %s is already given by row %q at %s under the same conditions",
							section, symbol, other.ID, other.Place))
					}
				}
				key := indexKey{alternative.LiteralPackage(), alternative.LiteralLast()}
				x.entries[key] = append(x.entries[key], indexed{alternative, row, first[row], alternative.Literals(), order})
			}
		}
	}
	return x, problems
}

// conditionsOf writes the conditions of a row as one text.
func conditionsOf(row *model.Row, user bool) string {
	text, err := json.Marshal(struct {
		When     []model.Predicate
		Versions string
		Files    []string
		Refines  bool
		User     bool
	}{row.When, row.Versions, row.Files, row.Refines, user})
	if err != nil {
		return row.ID // plain data always encodes
	}
	return string(text)
}

func (x *index) rows(symbol string) []*model.Row {
	if found, ok := x.cache.Load(symbol); ok {
		return found.([]*model.Row)
	}
	rows := x.find(symbol)
	x.cache.Store(strings.Clone(symbol), rows)
	return rows
}

func (x *index) find(text string) []*model.Row {
	symbol, ok := model.ParseSymbol(text)
	if !ok {
		return nil
	}
	found := x.match(symbol, nil)
	if len(symbol.Path) > 1 && symbol.Path[0] == (model.Name{Text: "default"}) {
		symbol.Path = symbol.Path[1:]
		found = x.match(symbol, found)
	}
	slices.SortStableFunc(found, indexed.compare)
	var rows []*model.Row
	for _, f := range found {
		if !slices.Contains(rows, f.row) {
			rows = append(rows, f.row)
		}
	}
	return slices.Clip(rows)
}

func (x *index) match(symbol model.Symbol, found []indexed) []indexed {
	last := symbol.Last()
	keys := [...]indexKey{{symbol.Package, last}, {symbol.Package, ""}, {"", last}, {"", ""}}
	for i, key := range keys {
		if slices.Contains(keys[:i], key) {
			continue // the symbol has no last name
		}
		for _, e := range x.entries[key] {
			if e.pattern.Match(symbol) {
				found = append(found, e)
			}
		}
	}
	return found
}
