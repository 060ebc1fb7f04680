package catalog

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"sync"

	"github.com/retrysafe/retrysafe/analyzers/model"
)

// index finds rows by symbol. Patterns wait, by package, until a symbol of that package is asked for:
// a program uses few of the packages that the catalog knows.
type index struct {
	packages map[string]*bucket
	wild     map[string]*bucket // patterns with a wildcard in the package, by up to two whole segments before it
	cache    sync.Map           // symbol -> []*model.Row
}

// bucket holds the patterns of one package by last name, "" where that has a wildcard.
type bucket struct {
	waiting []waiting
	once    sync.Once
	entries map[string][]indexed
}

type waiting struct {
	pattern string
	row     *model.Row
	user    bool
	order   int // of the row
}

// indexed is one alternative of a row's patterns.
type indexed struct {
	pattern  model.SimplePattern
	row      *model.Row
	user     bool
	literals int
	order    int
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

// newIndex indexes rows, of which the first users are found before the others. Their patterns have been checked.
func newIndex(rows []*model.Row, users int) *index {
	x := &index{packages: map[string]*bucket{}, wild: map[string]*bucket{}}
	for order, row := range rows {
		for _, text := range row.Symbols {
			parts, err := model.SplitPattern(text)
			if err != nil {
				continue
			}
			for _, part := range parts {
				in, key := x.packages, part.Package
				if before, _, wild := strings.Cut(part.Package, "*"); wild {
					in, key = x.wild, stem(before[:strings.LastIndexByte(before, '/')+1], 2)
					key = strings.TrimSuffix(key, "/")
				}
				b := in[key]
				if b == nil {
					b = &bucket{}
					in[key] = b
				}
				b.waiting = append(b.waiting, waiting{part.Pattern, row, order < users, order})
			}
		}
	}
	return x
}

// stem gives the first n segments of a package, all of them where it has fewer.
func stem(pkg string, n int) string {
	for i := 0; i < len(pkg); i++ {
		if pkg[i] == '/' {
			if n--; n == 0 {
				return pkg[:i]
			}
		}
	}
	return pkg
}

func (b *bucket) parse() {
	b.entries = map[string][]indexed{}
	for _, w := range b.waiting {
		pattern, err := model.ParsePattern(w.pattern)
		if err != nil {
			continue
		}
		for _, a := range pattern.Alternatives {
			last := a.LiteralLast()
			b.entries[last] = append(b.entries[last], indexed{a, w.row, w.user, a.Literals(), w.order})
		}
	}
	b.waiting = nil
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
	one, two := stem(symbol.Package, 1), stem(symbol.Package, 2)
	found = x.in(x.packages[symbol.Package], symbol, found)
	found = x.in(x.wild[one], symbol, x.in(x.wild[""], symbol, found))
	if one != two {
		found = x.in(x.wild[two], symbol, found)
	}
	return found
}

// describes reports whether patterns name a package. One that begins with a wildcard names none.
func (x *index) describes(pkg string) bool {
	if x.packages[pkg] != nil {
		return true
	}
	for _, key := range []string{stem(pkg, 1), stem(pkg, 2)} {
		b := x.wild[key]
		if b == nil {
			continue
		}
		b.once.Do(b.parse)
		for _, list := range b.entries {
			if slices.ContainsFunc(list, func(e indexed) bool { return e.pattern.MatchPackage(pkg) }) {
				return true
			}
		}
	}
	return false
}

// in adds the patterns of a bucket that contain symbol.
func (x *index) in(b *bucket, symbol model.Symbol, found []indexed) []indexed {
	if b == nil {
		return found
	}
	b.once.Do(b.parse)
	last := symbol.Last()
	for _, e := range b.entries[last] {
		if e.pattern.Match(symbol) {
			found = append(found, e)
		}
	}
	if last == "" {
		return found
	}
	for _, e := range b.entries[""] {
		if e.pattern.Match(symbol) {
			found = append(found, e)
		}
	}
	return found
}

// contradictions lists the symbols of which two rows say the same kind of thing under the same conditions.
func contradictions(rows []*model.Row, users int) []*Error {
	var problems []*Error
	claimed := map[string]*model.Row{}
	for order, row := range rows {
		conditions := conditionsOf(row, order < users)
		for _, text := range row.Symbols {
			pattern, err := model.ParsePattern(text)
			if err != nil {
				continue // the reader has said so
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
			}
		}
	}
	return problems
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
