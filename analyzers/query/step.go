package query

import "strings"

type stepKind uint8

const (
	_ stepKind = iota
	stepCreate
	stepAdd // columns, constraints, a primary key
	stepAddUnique
	stepDropTable
	stepDropColumn
	stepDropConstraint
	stepDropIndex
	stepDropPrimary
	stepRenameTable
	stepRenameColumn
	stepRenameIndex
	stepChangeColumn
	stepSetDefault
	stepSetNull
	stepSetType
)

// schemaStep is one change of one table.
type schemaStep struct {
	kind        stepKind
	table       Table
	columns     []ColumnDef
	uniques     []Unique
	primary     []string
	primaryName string
	like        []Table
	// usingIndex are pairs of an index and the constraint it becomes.
	usingIndex  [][2]string
	name, to    string
	ifNotExists bool
	partial     bool
	unlisted    bool // partial by its form
	offset      int
	file        string
	line        int
}

// step applies one change and returns what is wrong with it, if anything.
func (c *Catalog) step(s *schemaStep) string {
	switch s.kind {
	case stepCreate:
		return c.createTable(s)
	case stepDropTable:
		c.drop(s.table)
		return ""
	case stepDropIndex:
		for _, t := range c.tables {
			t.dropUnique(s.name)
		}
		return ""
	case stepRenameIndex:
		for _, t := range c.tables {
			t.renameUnique(s.name, s.to)
		}
		return ""
	}
	t := c.find(s.table.Schema, s.table.Name)
	if t == nil {
		if s.kind != stepAdd && s.kind != stepAddUnique {
			return ""
		}
		// Created elsewhere, by an ORM or in a file not seen: what is declared about it still holds.
		t = &TableDef{Name: s.table.Name, Schema: s.table.Schema, Partial: true, File: s.file, Line: s.line}
		c.tables = append(c.tables, t)
	}
	t.Partial = t.Partial || s.partial
	switch s.kind {
	case stepAdd:
		t.add(s)
		if s.partial {
			return "table " + t.Name + ": what is added was not understood"
		}
	case stepAddUnique:
		t.addUniques(s.uniques)
	case stepDropColumn:
		t.dropColumn(s.name)
	case stepDropConstraint:
		t.dropUnique(s.name)
		if s.name != "" && (strings.EqualFold(s.name, t.Name+"_pkey") || strings.EqualFold(s.name, "PRIMARY")) {
			t.PrimaryKey = nil
		}
	case stepDropPrimary:
		t.PrimaryKey = nil
	case stepRenameTable:
		if old := c.find(s.table.Schema, s.to); old != nil && old != t {
			c.drop(Table{Name: s.to, Schema: s.table.Schema})
		}
		t.Name = s.to
	case stepRenameColumn:
		t.renameColumn(s.name, s.to)
	case stepChangeColumn:
		to := s.columns[0]
		if s.name != "" && !SameName(s.name, to.Name) {
			t.renameColumn(s.name, to.Name)
		}
		t.replaceColumn(to)
		t.addUniques(s.uniques)
	default:
		t.alterColumn(s)
	}
	return ""
}

func (c *Catalog) createTable(s *schemaStep) string {
	old := c.find(s.table.Schema, s.table.Name)
	if old != nil && s.ifNotExists && !old.Partial {
		return ""
	}
	t := &TableDef{Name: s.table.Name, Schema: s.table.Schema, Partial: s.partial, File: s.file, Line: s.line}
	for _, like := range s.like {
		if from := c.find(like.Schema, like.Name); from != nil {
			t.Columns = append(t.Columns, from.Columns...)
			t.PrimaryKey = append(t.PrimaryKey, from.PrimaryKey...)
			t.addUniques(from.Uniques)
		} else {
			t.Partial = true
		}
	}
	t.add(s)
	if old == nil {
		c.tables = append(c.tables, t)
	} else {
		if old.Partial && len(old.Columns) == 0 {
			t.addUniques(old.Uniques) // an index declared in a file that came before
		}
		t.keepModel(old)
		*old = *t
	}
	if s.partial && !s.unlisted {
		return "table " + t.Name + ": a part of the definition was not understood"
	}
	return ""
}

// keepModel keeps a Prisma model's names for a table that SQL describes anew.
func (t *TableDef) keepModel(old *TableDef) {
	t.Model = old.Model
	for _, o := range old.Columns {
		for i := range t.Columns {
			if SameName(t.Columns[i].Name, o.Name) {
				t.Columns[i].Field = o.Field
			}
		}
	}
	for _, o := range old.Uniques {
		for i := range t.Uniques {
			if u := &t.Uniques[i]; len(o.Columns) == len(u.Columns) && within(o.Columns, u.Columns) {
				u.Field = o.Field
			}
		}
	}
}

func (c *Catalog) drop(name Table) {
	t := c.find(name.Schema, name.Name)
	for i := range c.tables {
		if c.tables[i] == t {
			c.tables = append(c.tables[:i], c.tables[i+1:]...)
			return
		}
	}
}

// add adds the columns and constraints of a step.
func (t *TableDef) add(s *schemaStep) {
	for _, col := range s.columns {
		if _, exists := t.Column(col.Name); !exists {
			t.Columns = append(t.Columns, col)
		}
	}
	t.addUniques(s.uniques)
	if len(s.primary) > 0 {
		t.PrimaryKey = s.primary
		for i := range t.Columns {
			c := &t.Columns[i]
			if !contains(s.primary, c.Name) {
				continue
			}
			c.NotNull = true
			if len(s.primary) == 1 && c.Type == "integer" && c.Default == NoDefault && s.kind == stepCreate {
				c.Default = SerialDefault // SQLite numbers an INTEGER PRIMARY KEY itself
			}
		}
	}
	for _, pair := range s.usingIndex {
		t.renameUnique(pair[0], pair[1])
	}
}

// addUniques adds constraints, one of the same name in place of the old one.
func (t *TableDef) addUniques(us []Unique) {
	for _, u := range us {
		replaced := false
		for i := range t.Uniques {
			if u.Name != "" && SameName(t.Uniques[i].Name, u.Name) {
				t.Uniques[i], replaced = u, true
			}
		}
		if !replaced {
			t.Uniques = append(t.Uniques, u)
		}
	}
}

// dropUnique removes a constraint by its name, or by the name that PostgreSQL, SQL Server or MySQL give an unnamed one.
func (t *TableDef) dropUnique(name string) {
	kept := t.Uniques[:0]
	for _, u := range t.Uniques {
		if !t.called(u, name) {
			kept = append(kept, u)
		}
	}
	t.Uniques = kept
}

func (t *TableDef) called(u Unique, name string) bool {
	if u.Name != "" {
		return SameName(u.Name, name)
	}
	return SameName(t.Name+"_"+strings.Join(u.Columns, "_")+"_key", name) || len(u.Columns) > 0 && SameName(u.Columns[0], name)
}

func (t *TableDef) renameUnique(from, to string) {
	for i := range t.Uniques {
		if t.called(t.Uniques[i], from) && to != "" {
			t.Uniques[i].Name = to
		}
	}
}

// dropColumn removes a column with the constraints over it.
func (t *TableDef) dropColumn(name string) {
	for i := range t.Columns {
		if SameName(t.Columns[i].Name, name) {
			t.Columns = append(t.Columns[:i:i], t.Columns[i+1:]...)
			break
		}
	}
	var kept []Unique
	for _, u := range t.Uniques {
		if !contains(u.Columns, name) {
			kept = append(kept, u)
		}
	}
	t.Uniques = kept
	if contains(t.PrimaryKey, name) {
		t.PrimaryKey = nil
	}
}

func (t *TableDef) renameColumn(from, to string) {
	rename := func(names []string) []string {
		out := append([]string(nil), names...)
		for i := range out {
			if SameName(out[i], from) {
				out[i] = to
			}
		}
		return out
	}
	for i := range t.Columns {
		if SameName(t.Columns[i].Name, from) {
			t.Columns[i].Name = to
		}
	}
	for i := range t.Uniques {
		t.Uniques[i].Columns = rename(t.Uniques[i].Columns)
	}
	t.PrimaryKey = rename(t.PrimaryKey)
}

func (t *TableDef) replaceColumn(to ColumnDef) {
	for i := range t.Columns {
		if SameName(t.Columns[i].Name, to.Name) {
			t.Columns[i] = to
		}
	}
}

// alterColumn changes one property of a column.
func (t *TableDef) alterColumn(s *schemaStep) {
	for _, to := range s.columns {
		for i := range t.Columns {
			c := &t.Columns[i]
			if !SameName(c.Name, to.Name) {
				continue
			}
			switch s.kind {
			case stepSetDefault:
				c.Default, c.DefaultText = to.Default, to.DefaultText
			case stepSetNull:
				c.NotNull = to.NotNull
			case stepSetType:
				c.Type = to.Type
			}
		}
	}
}
