package query

import (
	"fmt"
	"path"
	"strings"
)

// TableDef is a table as the schema files leave it.
type TableDef struct {
	// Name is the table's name in the database, Schema what stands before it.
	Name, Schema string
	// Model is the name of the Prisma model, empty for SQL.
	Model   string
	Columns []ColumnDef
	// PrimaryKey are the columns of the primary key, empty without one.
	PrimaryKey []string
	// Uniques are the UNIQUE constraints and unique indexes, of one column as well, in the order of their declaration.
	Uniques []Unique
	// Partial says that columns or constraints may be missing: the table was altered without being created in the files
	// seen, or a part of its definition was not read.
	Partial bool
	// File and Line (from 1) are the place of its creation.
	File string
	Line int
}

// ColumnDef is one column.
type ColumnDef struct {
	Name string
	// Field is the name in the Prisma model, empty for SQL.
	Field string
	// Type is the type in lower case as written.
	Type    string
	NotNull bool
	Default DefaultKind
	// DefaultText is the default as written.
	DefaultText string
	Line        int
}

// DefaultKind says where a column's value comes from when an INSERT leaves it out.
type DefaultKind uint8

// The kinds of defaults.
const (
	NoDefault         DefaultKind = iota
	ConstantDefault               // the same value for every row
	NowDefault                    // the database's clock
	RandomDefault                 // a fresh identifier: gen_random_uuid(), uuid(), cuid()
	SerialDefault                 // the next number: serial, identity, autoincrement
	ExpressionDefault             // anything else
)

func (k DefaultKind) String() string {
	return [...]string{"none", "constant", "now", "random", "serial", "expression"}[k]
}

// Unique is a UNIQUE constraint, a unique index, or a primary key.
type Unique struct {
	// Name is the constraint's or index's name, empty where the database chooses one.
	Name string
	// Columns are names, or the normalised text of an expression such as lower(email).
	Columns []string
	// Where is the normalised predicate of a partial index, empty without one.
	Where string
	// Primary is set for what [TableDef.Keys] makes of the primary key.
	Primary bool
	// NullsNotDistinct says that two NULLs count as equal; otherwise rows with a NULL never conflict.
	NullsNotDistinct bool
	// Field is the name under which a Prisma client selects by the constraint.
	Field string
	Line  int
}

// Keys returns the primary key and the unique constraints.
func (t *TableDef) Keys() []Unique {
	var out []Unique
	if len(t.PrimaryKey) > 0 {
		out = append(out, Unique{Columns: t.PrimaryKey, Primary: true, Line: t.Line})
	}
	return append(out, t.Uniques...)
}

// KeyWithin returns the first key all of whose columns are among those given: rows that agree on the given columns conflict.
// A partial index counts; look at its Where.
func (t *TableDef) KeyWithin(columns []string) (Unique, bool) {
	for _, k := range t.Keys() {
		if within(k.Columns, columns) {
			return k, true
		}
	}
	return Unique{}, false
}

// KeyOver returns the key over exactly the given columns, in any order.
func (t *TableDef) KeyOver(columns []string) (Unique, bool) {
	for _, k := range t.Keys() {
		if len(k.Columns) == len(columns) && within(k.Columns, columns) {
			return k, true
		}
	}
	return Unique{}, false
}

// Column returns a column by its name in the database or in the Prisma model.
func (t *TableDef) Column(name string) (ColumnDef, bool) {
	for _, c := range t.Columns {
		if SameName(c.Name, name) || c.Field != "" && c.Field == name {
			return c, true
		}
	}
	return ColumnDef{}, false
}

func within(some, all []string) bool {
	for _, s := range some {
		if !contains(all, s) {
			return false
		}
	}
	return len(some) > 0
}

func contains(names []string, name string) bool {
	for _, n := range names {
		if SameName(n, name) {
			return true
		}
	}
	return false
}

// Problem is something in a schema file that was not understood.
type Problem struct {
	File    string
	Line    int
	Message string
}

func (p Problem) Error() string { return fmt.Sprintf("%s:%d: %s", p.File, p.Line, p.Message) }

// Schema reads one schema file: Prisma's language where the name ends in .prisma, SQL otherwise.
func Schema(name string, text []byte) ([]TableDef, []Problem) {
	var c Catalog
	problems := c.Apply(name, text)
	return c.Tables(), problems
}

// Catalog is the set of tables that schema files build up, applied one after the other. The zero value is empty and ready.
// It is not safe for concurrent use.
type Catalog struct {
	tables []*TableDef
}

// Apply applies one schema file. The caller gives migrations in order, see [MigrationOrder]; files and sections that undo a
// migration are passed over.
func (c *Catalog) Apply(name string, text []byte) []Problem {
	if strings.EqualFold(path.Ext(name), ".prisma") {
		return c.applyPrisma(name, string(text))
	}
	if undoes(name) {
		return nil
	}
	return c.ApplySQL(name, []Piece{Text(forward(string(text)))})
}

// ApplySQL applies the DDL of a text that a program passes to its database: db.exec("CREATE TABLE IF NOT EXISTS …").
// Lines are counted in the text.
func (c *Catalog) ApplySQL(name string, pieces []Piece) []Problem {
	var problems []Problem
	src := join(pieces)
	lines := newLines(src.text)
	var b batch
	for _, toks := range split(lex(src)) {
		for _, st := range b.statements(src, toks) {
			if len(st.steps) == 0 && st.Partial && schemaVerb(st) {
				line := lines.at(src.offset(st.Span.From))
				problems = append(problems, Problem{name, line, "not understood: " + st.Keyword + " " + st.Object})
			}
			for _, step := range st.steps {
				step.line = lines.at(step.offset)
				step.file = name
				for i := range step.columns {
					step.columns[i].Line = lines.at(step.columns[i].Line)
				}
				for i := range step.uniques {
					step.uniques[i].Line = lines.at(step.uniques[i].Line)
				}
				if msg := c.step(&step); msg != "" {
					problems = append(problems, Problem{name, step.line, msg})
				}
			}
		}
	}
	return problems
}

// schemaVerb says that a statement shapes tables.
func schemaVerb(st *Statement) bool {
	switch st.Verb {
	case CreateTable, CreateIndex:
		return true
	case Drop, Alter:
		return st.Object == "TABLE" || st.Object == "INDEX"
	}
	return false
}

// Tables returns the tables in the order of their creation.
func (c *Catalog) Tables() []TableDef {
	out := make([]TableDef, len(c.tables))
	for i, t := range c.tables {
		out[i] = *t
		out[i].Columns = append([]ColumnDef(nil), t.Columns...)
		out[i].PrimaryKey = append([]string(nil), t.PrimaryKey...)
		out[i].Uniques = append([]Unique(nil), t.Uniques...)
	}
	return out
}

// Table returns a table by its name in the database or its Prisma model, compared without regard to case.
func (c *Catalog) Table(name string) (TableDef, bool) {
	if t := c.find("", name); t != nil {
		return *t, true
	}
	for _, t := range c.tables {
		if t.Model != "" && SameName(t.Model, name) {
			return *t, true
		}
	}
	return TableDef{}, false
}

// find looks a table up. Without a schema on one of the sides the name alone decides.
func (c *Catalog) find(schema, name string) *TableDef {
	var loose *TableDef
	for _, t := range c.tables {
		if !SameName(t.Name, name) {
			continue
		}
		if SameName(t.Schema, schema) {
			return t
		}
		if loose == nil && (t.Schema == "" || schema == "") {
			loose = t
		}
	}
	return loose
}

// lines maps offsets to line numbers.
type lines []int

func newLines(text string) lines {
	var l lines
	for i := 0; i < len(text); i++ {
		if text[i] == '\n' {
			l = append(l, i)
		}
	}
	return l
}

func (l lines) at(offset int) int {
	lo, hi := 0, len(l)
	for lo < hi {
		mid := (lo + hi) / 2
		if l[mid] < offset {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo + 1
}
