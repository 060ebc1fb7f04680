package query

import (
	"sort"
	"strings"
)

// prismaBlock is one model, enum or the like of a Prisma schema.
type prismaBlock struct {
	kind, name string
	line       int
	lines      [][]prismaToken
}

// prismaToken is a word (with dots), a string or one punctuation mark.
type prismaToken struct {
	text string
	str  bool
	line int
}

// applyPrisma adds the models of a Prisma schema. A table that SQL has already described keeps what SQL says and gains the
// model's names.
func (c *Catalog) applyPrisma(file, text string) []Problem {
	blocks, problems := prismaBlocks(file, text)
	kinds := map[string]string{}
	for _, t := range c.tables {
		if t.Model != "" {
			kinds[t.Model] = "model"
		}
	}
	for _, b := range blocks {
		kinds[b.name] = b.kind
	}
	for i := range blocks {
		if blocks[i].kind != "model" {
			continue
		}
		t, more := blocks[i].table(file, kinds)
		problems = append(problems, more...)
		if old := c.find(t.Schema, t.Name); old != nil {
			old.adopt(t)
			continue
		}
		c.tables = append(c.tables, t)
	}
	sort.SliceStable(problems, func(i, j int) bool { return problems[i].Line < problems[j].Line })
	return problems
}

// adopt takes over the names of a Prisma model, and its constraints where the table has none over the same columns.
func (t *TableDef) adopt(m *TableDef) {
	t.Model = m.Model
	for _, col := range m.Columns {
		found := false
		for i := range t.Columns {
			if SameName(t.Columns[i].Name, col.Name) {
				t.Columns[i].Field, found = col.Field, true
			}
		}
		if !found {
			t.Columns = append(t.Columns, col)
		}
	}
	for _, u := range m.Uniques {
		found := false
		for i := range t.Uniques {
			if o := &t.Uniques[i]; len(o.Columns) == len(u.Columns) && within(o.Columns, u.Columns) {
				o.Field, found = u.Field, true
			}
		}
		if !found {
			t.Uniques = append(t.Uniques, u)
		}
	}
	if len(t.PrimaryKey) == 0 {
		t.PrimaryKey = m.PrimaryKey
	}
}

// prismaBlocks cuts a schema into blocks of lines; a line inside brackets goes on.
func prismaBlocks(file, text string) ([]prismaBlock, []Problem) {
	var out []prismaBlock
	var problems []Problem
	var block *prismaBlock
	var line []prismaToken
	depth := 0
	end := func() {
		if block != nil && len(line) > 0 {
			block.lines = append(block.lines, line)
		}
		line = nil
	}
	for _, t := range prismaTokens(text) {
		switch {
		case t.str:
			line = append(line, t)
		case t.text == "\n":
			if depth == 0 && block != nil {
				end()
			}
		case t.text == "{" && block == nil:
			if len(line) < 2 || line[0].str {
				problems = append(problems, Problem{file, t.line, "a block without kind and name"})
				line = []prismaToken{{text: "?", line: t.line}, {text: "?", line: t.line}}
			}
			n := len(line)
			block = &prismaBlock{kind: line[n-2].text, name: line[n-1].text, line: line[n-2].line}
			line = nil
		case t.text == "}" && depth == 0:
			end()
			if block != nil {
				out = append(out, *block)
			}
			block = nil
		default:
			switch t.text {
			case "(", "[", "{":
				depth++
			case ")", "]", "}":
				depth = max(depth-1, 0)
			}
			line = append(line, t)
		}
	}
	if block != nil {
		end()
		out = append(out, *block)
		problems = append(problems, Problem{file, block.line, block.kind + " " + block.name + " is not closed"})
	}
	return out, problems
}

func prismaTokens(text string) []prismaToken {
	var out []prismaToken
	line := 1
	for i := 0; i < len(text); {
		c := text[i]
		switch {
		case c == '\n':
			out = append(out, prismaToken{text: "\n", line: line})
			line++
			i++
		case c == ' ' || c == '\t' || c == '\r':
			i++
		case c == '/' && strings.HasPrefix(text[i:], "//"):
			for i < len(text) && text[i] != '\n' {
				i++
			}
		case c == '/' && strings.HasPrefix(text[i:], "/*"):
			n := strings.Index(text[i+2:], "*/")
			if n < 0 {
				return out
			}
			line += strings.Count(text[i:i+n+4], "\n")
			i += n + 4
		case c == '"':
			var b strings.Builder
			for i++; i < len(text) && text[i] != '"' && text[i] != '\n'; i++ {
				if text[i] == '\\' && i+1 < len(text) && text[i+1] != '\n' {
					i++
				}
				b.WriteByte(text[i])
			}
			if i < len(text) && text[i] == '"' {
				i++
			}
			out = append(out, prismaToken{text: b.String(), str: true, line: line})
		case isLetter(c) || isDigit(c) || c == '-':
			from := i
			for i < len(text) && (isLetter(text[i]) || isDigit(text[i]) || text[i] == '.' || text[i] == '-') {
				i++
			}
			out = append(out, prismaToken{text: text[from:i], line: line})
		default:
			i++
			out = append(out, prismaToken{text: string(c), line: line})
		}
	}
	return out
}

// prismaAttribute is @name or @@name with the tokens between its parentheses.
type prismaAttribute struct {
	name string
	args []prismaToken
	line int
}

// prismaAttributes reads the attributes in a line from the first @ on.
func prismaAttributes(line []prismaToken) []prismaAttribute {
	var out []prismaAttribute
	for i := 0; i < len(line); i++ {
		if line[i].str || line[i].text != "@" || i+1 >= len(line) || line[i+1].text == "@" {
			continue
		}
		i++
		a := prismaAttribute{name: line[i].text, line: line[i].line}
		if i+1 < len(line) && !line[i+1].str && line[i+1].text == "(" {
			depth := 0
			for i++; i < len(line); i++ {
				if !line[i].str {
					switch line[i].text {
					case "(", "[", "{":
						depth++
					case ")", "]", "}":
						depth--
					}
					if depth == 0 {
						break
					}
				}
				a.args = append(a.args, line[i])
			}
			a.args = a.args[min(1, len(a.args)):]
		}
		out = append(out, a)
	}
	return out
}

// named returns the string behind `name:`, or the first argument where it is a string and the name is "".
func (a prismaAttribute) named(name string) string {
	for i, t := range a.args {
		if !t.str {
			continue
		}
		if i >= 2 && !a.args[i-1].str && a.args[i-1].text == ":" {
			if a.args[i-2].text == name {
				return t.text
			}
			continue
		}
		if name == "" && i == 0 {
			return t.text
		}
	}
	return ""
}

// fields returns the names in the list, without sort orders and lengths.
func (a prismaAttribute) fields() []string {
	var out []string
	open, depth := false, 0
	for _, t := range a.args {
		switch {
		case t.str:
		case t.text == "[" && !open:
			open = true
		case t.text == "(":
			depth++
		case t.text == ")":
			depth--
		case t.text == "]" && depth == 0:
			return out
		case open && depth == 0 && t.text != ",":
			out = append(out, t.text)
		}
	}
	return out
}

// prismaScalars are the types of columns; other capitalised types are enums, composites or relations.
var prismaScalars = map[string]bool{
	"String": true, "Boolean": true, "Int": true, "BigInt": true, "Float": true, "Decimal": true, "DateTime": true, "Json": true,
	"Bytes": true, "Unsupported": true,
}

// table makes a table of a model.
func (b *prismaBlock) table(file string, kinds map[string]string) (*TableDef, []Problem) {
	t := &TableDef{Name: b.name, Model: b.name, File: file, Line: b.line}
	var problems []Problem
	var keys []prismaAttribute
	for _, line := range b.lines {
		switch {
		case !line[0].str && line[0].text == "@":
			for _, a := range prismaAttributes(line[1:]) {
				switch a.name {
				case "map":
					t.Name = firstOf(a.named(""), a.named("name"), t.Name)
				case "schema":
					t.Schema = firstOf(a.named(""), a.named("map"))
				case "unique", "id":
					keys = append(keys, a)
				}
			}
		case len(line) < 2 || line[0].str:
			problems = append(problems, Problem{file, line[0].line, "a field of model " + b.name + " without a type"})
			t.Partial = true
		default:
			t.prismaField(line, kinds)
		}
	}
	for _, a := range keys {
		fields := a.fields()
		columns := make([]string, len(fields))
		for i, f := range fields {
			columns[i] = f
			if col, ok := t.Column(f); ok {
				columns[i] = col.Name
			}
		}
		if len(columns) == 0 {
			problems = append(problems, Problem{file, a.line, "@@" + a.name + " of model " + b.name + " without fields"})
			t.Partial = true
			continue
		}
		if a.name == "id" {
			t.PrimaryKey = columns
			continue
		}
		t.Uniques = append(t.Uniques, Unique{Name: a.named("map"), Columns: columns, Field: firstOf(a.named("name"), strings.Join(fields, "_")), Line: a.line})
	}
	return t, problems
}

// prismaField adds a field that is a column; a relation is none.
func (t *TableDef) prismaField(line []prismaToken, kinds map[string]string) {
	name, typ := line[0].text, line[1].text
	attributes := prismaAttributes(line[2:])
	list, optional := false, false
	for i := 2; i < len(line) && (line[i].str || line[i].text != "@"); i++ {
		list = list || line[i].text == "["
		optional = optional || line[i].text == "?"
	}
	if !prismaScalars[typ] {
		relation := kinds[typ] == "model" || kinds[typ] == "view" || kinds[typ] == "" && list
		for _, a := range attributes {
			relation = relation || a.name == "relation"
		}
		if relation {
			return
		}
	}
	c := ColumnDef{Name: name, Field: name, Type: strings.ToLower(typ), NotNull: !optional, Line: line[0].line}
	if list {
		c.Type += "[]"
	}
	for _, a := range attributes {
		if a.name == "map" {
			c.Name = firstOf(a.named(""), a.named("name"), name)
		}
	}
	for _, a := range attributes {
		switch a.name {
		case "id":
			t.PrimaryKey = []string{c.Name}
		case "unique":
			t.Uniques = append(t.Uniques, Unique{Name: a.named("map"), Columns: []string{c.Name}, Field: name, Line: a.line})
		case "default":
			c.Default, c.DefaultText = a.defaultOf()
		case "updatedAt":
			c.Default = NowDefault
		}
	}
	t.Columns = append(t.Columns, c)
}

// defaultOf reads @default(…).
func (a prismaAttribute) defaultOf() (DefaultKind, string) {
	args := a.args
	if len(args) > 2 && args[0].text == "value" && args[1].text == ":" {
		args = args[2:]
	}
	if len(args) == 0 {
		return NoDefault, ""
	}
	var b strings.Builder
	for _, t := range args {
		b.WriteString(t.text)
	}
	text := b.String()
	if args[0].str || len(args) < 2 || args[1].text != "(" {
		return ConstantDefault, text
	}
	switch args[0].text {
	case "now":
		return NowDefault, text
	case "uuid", "cuid", "nanoid", "ulid", "auto":
		return RandomDefault, text
	case "autoincrement", "sequence":
		return SerialDefault, text
	case "dbgenerated":
		for _, t := range args {
			if t.str {
				return sqlDefault(t.text), t.text
			}
		}
	}
	return ExpressionDefault, text
}

// sqlDefault classifies a default written in SQL.
func sqlDefault(text string) DefaultKind {
	src := join([]Piece{Text(text)})
	p := &parser{src: src, toks: lex(src)}
	p.newStatement()
	return defaultKind(p.expression())
}

func firstOf(names ...string) string {
	for _, n := range names {
		if n != "" {
			return n
		}
	}
	return ""
}
