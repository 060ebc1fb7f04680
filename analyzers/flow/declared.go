package flow

import (
	"strings"

	"github.com/retrysafe/retrysafe/analyzers/lazyregexp"
	"github.com/retrysafe/retrysafe/analyzers/model"
	"github.com/retrysafe/retrysafe/analyzers/query"
)

// DeclaredTable is what the program's own schema says of a table of which it declares everything.
type DeclaredTable struct {
	// Keys are the primary key and all unique constraints and indexes, partial ones included: columns, or the text of an expression.
	Keys [][]string
	// Filled are the columns whose default may be the same for two rows.
	Filled []string
}

// uniqueText finds the statements in a program that add a unique constraint.
var uniqueText = lazyregexp.New(`(?i)\b(create|alter)\b[^;]*\bunique\b`)

// unconstrained reports whether a row that is inserted can never be refused: the program declares the table, and none of its unique
// constraints is over columns that the row fills with what a repeat brings again. Of a table that nobody declares it says nothing.
func (e *engine) unconstrained(rec *Record) bool {
	if rec == nil || rec.Table == "" || rec.Event == nil {
		return false
	}
	table := strings.ToLower(rec.Table)
	d, ok := e.declared[table]
	if !ok || e.addsUnique(table) {
		return false
	}
	given := map[string]*Term{}
	for name, v := range rec.Set {
		given[name] = v
	}
	if rec.Statement != nil {
		for _, name := range rec.Statement.Columns {
			if _, told := given[name]; !told {
				given[name] = nil // a literal, or a value that was not bound
			}
		}
	} else if rec.Value == nil || rec.Value.Kind != TObject {
		return false
	}
	if v := rec.Value; v != nil && v.Kind == TObject {
		for _, k := range v.Keys {
			if k == "..." {
				return false // columns that nobody sees
			}
		}
	}
	if len(given) == 0 {
		return false
	}
	for _, key := range d.Keys {
		met := len(key) > 0
		for _, col := range key {
			met = met && e.repeats(col, given, d.Filled)
		}
		if met {
			return false
		}
	}
	return true
}

// refusedByKey reports whether a claim rests on whatever unique constraint the table has: an insert that throws, or that passes over any conflict.
func (r *Record) refusedByKey() bool {
	if r.Statement == nil {
		return r.Spec != nil && r.Spec.Fails == "throws"
	}
	c := &r.Statement.OnConflict
	return r.Statement.Verb == query.Insert && len(c.Columns) == 0 && c.Constraint == "" && c.Kind != query.ConflictDoUpdate
}

// repeats reports whether a second row may hold the same in a column.
func (e *engine) repeats(col string, given map[string]*Term, filled []string) bool {
	if strings.ContainsAny(col, "( ") {
		for name := range given { // an expression over columns
			if strings.Contains(strings.ToLower(col), strings.ToLower(name)) {
				return true
			}
		}
		return false
	}
	for name, v := range given {
		if v != nil && v.Kind == TObject && query.SameName(name+"Id", col) {
			return true // a related row, by its object
		}
		if query.SameName(name, col) {
			return v == nil || !e.fresh(v)
		}
	}
	for _, name := range filled {
		if query.SameName(name, col) {
			return true
		}
	}
	return false
}

// addsUnique reports whether the program itself adds a unique constraint to the table, beside its schema files.
func (e *engine) addsUnique(table string) bool {
	if e.uniqueTexts == nil {
		e.uniqueTexts = []string{}
		for _, u := range e.p.units {
			for _, f := range u.funcs {
				for i := range f.Ops {
					op := &f.Ops[i]
					if op.Kind == model.Constant && op.Const.Kind == model.String && uniqueText.MatchString(op.Const.Text) {
						e.uniqueTexts = append(e.uniqueTexts, strings.ToLower(op.Const.Text))
					}
				}
			}
		}
	}
	for _, text := range e.uniqueTexts {
		if strings.Contains(text, table) {
			return true
		}
	}
	return false
}
