package query

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// seeds are the texts of the table tests, read from the sources, so that a new case is a new seed.
func seeds(f *testing.F, files ...string) {
	f.Helper()
	for _, name := range files {
		text, err := os.ReadFile(filepath.Join(".", name))
		if err != nil {
			f.Fatal(err)
		}
		for _, line := range strings.Split(string(text), "\n") {
			line = strings.Trim(strings.TrimSpace(line), "{},")
			for _, quote := range []string{"`", `"`} {
				if rest, ok := strings.CutPrefix(line, quote); ok {
					if body, _, ok := strings.Cut(rest, quote); ok {
						f.Add(body)
					}
				}
			}
		}
	}
}

// inRange reports whether a span lies in the pieces and does not run backwards.
func inRange(ps []Piece, s Span) bool {
	ok := func(p Position) bool {
		if p == (Position{}) && len(ps) == 0 {
			return true
		}
		if p.Piece < 0 || p.Piece >= len(ps) || p.Offset < 0 {
			return false
		}
		if ps[p.Piece].Hole >= 0 {
			return p.Offset <= 1
		}
		return p.Offset <= len(ps[p.Piece].Text)
	}
	forward := s.From.Piece < s.To.Piece || s.From.Piece == s.To.Piece && s.From.Offset <= s.To.Offset
	return ok(s.From) && ok(s.To) && forward
}

// checkStatement holds what is true of every statement.
func checkStatement(t *testing.T, ps []Piece, holes int, st *Statement) {
	t.Helper()
	st.All(func(s *Statement) {
		if !inRange(ps, s.Span) {
			t.Errorf("%s: span %v out of range", s.Verb, s.Span)
		}
		for _, tab := range s.Tables {
			if !inRange(ps, tab.Span) {
				t.Errorf("table %q: span %v out of range", tab.Name, tab.Span)
			}
			if tab.Hole >= holes || tab.Hole >= 0 && tab.Name != "" {
				t.Errorf("table %+v", tab)
			}
		}
		if s.Verb == Insert && !s.Partial && len(s.Columns) > 0 && len(s.Values) > 0 && len(s.Columns) != len(s.Values) {
			t.Errorf("%d columns and %d values, not partial", len(s.Columns), len(s.Values))
		}
		for _, c := range s.Where {
			if c.Column == "" || c.Op == "" || c.Operand.Kind == NoOperand {
				t.Errorf("condition %+v", c)
			}
			checkOperand(t, holes, c.Operand)
		}
		for _, v := range s.Values {
			checkOperand(t, holes, v)
		}
		for _, a := range s.Set {
			if a.Column == "" {
				t.Errorf("assignment %+v", a)
			}
			checkOperand(t, holes, a.Operand)
		}
		for _, i := range s.Intervals {
			if i.Op != "" && i.Column == "" {
				t.Errorf("interval %+v", i)
			}
		}
	})
}

func checkOperand(t *testing.T, holes int, o Operand) {
	t.Helper()
	if o.Kind == Hole && (o.Index < 0 || o.Index >= holes) {
		t.Errorf("hole %d of %d", o.Index, holes)
	}
	for _, in := range o.Inputs {
		checkOperand(t, holes, in)
	}
}

func FuzzSQL(f *testing.F) {
	seeds(f, "statement_test.go", "sql_test.go", "schema_test.go")
	f.Fuzz(func(t *testing.T, text string) {
		ps := pieces(text)
		holes := len(ps) / 2
		sts, err := SQL(ps)
		if (err == nil) != (len(sts) > 0) {
			t.Fatalf("%d statements, %v", len(sts), err)
		}
		for i := range sts {
			checkStatement(t, ps, holes, &sts[i])
		}
		if again, _ := SQL(ps); !reflect.DeepEqual(sts, again) {
			t.Error("a second reading differs")
		}
		w := Where(ps)
		checkStatement(t, ps, holes, &w)
		Assign("a", ps)
	})
}

func FuzzSchema(f *testing.F) {
	seeds(f, "schema_test.go")
	f.Add(prismaText)
	f.Fuzz(func(t *testing.T, text string) {
		for _, name := range []string{"a.sql", "a.prisma"} {
			tables, problems := Schema(name, []byte(text))
			last := strings.Count(text, "\n") + 1
			for i := range tables {
				tab := &tables[i]
				if tab.Name == "" || tab.Line < 1 || tab.Line > last {
					t.Errorf("%s: table %q at line %d of %d", name, tab.Name, tab.Line, last)
				}
				for _, k := range tab.Keys() {
					if len(k.Columns) == 0 {
						t.Errorf("%s: a key of %s without columns", name, tab.Name)
					}
				}
			}
			for _, p := range problems {
				if p.Line < 1 || p.Line > last {
					t.Errorf("%v", p)
				}
			}
		}
	})
}

func FuzzGraphQL(f *testing.F) {
	seeds(f, "graphql_test.go")
	f.Fuzz(func(t *testing.T, text string) {
		ps := pieces(text)
		doc, err := GraphQL(ps)
		if err != nil && len(doc.Operations) > 0 {
			t.Fatalf("operations and %v", err)
		}
		for _, o := range doc.Operations {
			for _, field := range o.Fields {
				if (field.Name == "") != (field.Hole >= 0) {
					t.Errorf("field %+v", field)
				}
				for _, a := range field.Arguments {
					checkOperand(t, len(ps)/2, a.Operand)
				}
			}
		}
	})
}

// Every prefix and every suffix of a statement is read without a panic, with spans in range: texts are built in parts.
func TestPartsOfStatements(t *testing.T) {
	for _, text := range []string{
		"WITH x AS (INSERT INTO t (a) VALUES ($1, ${}) ON CONFLICT (a) DO UPDATE SET n = t.n + 1 RETURNING a) SELECT x.*, (SELECT 1) FROM x JOIN y ON x.a = y.a WHERE at > now() - interval '1 day' AND b IN (1, 2) ORDER BY c LIMIT 3 FOR UPDATE SKIP LOCKED",
		"MERGE INTO [t] WITH (HOLDLOCK) AS x USING (VALUES (@a)) AS s (a) ON x.a = s.a WHEN MATCHED THEN UPDATE SET n += 1 WHEN NOT MATCHED THEN INSERT (a) VALUES (s.a) OUTPUT inserted.id; IF EXISTS (SELECT 1) BEGIN DELETE FROM ${} END",
		"CREATE TABLE t (a int DEFAULT (nextval('x')) PRIMARY KEY, UNIQUE KEY k (a(3), lower(b))) ; CREATE UNIQUE INDEX i ON t ((a)) WHERE b IS NULL; ALTER TABLE t ADD CONSTRAINT u UNIQUE (c), RENAME a TO b",
		"INSERT INTO `t` SET a = \"x\", b = CASE WHEN ${} THEN DATE_SUB(NOW(), INTERVAL 1 HOUR) ELSE CAST(? AS json) END ON DUPLICATE KEY UPDATE c = VALUES(c) /* end */ -- ${}",
	} {
		for i := 0; i <= len(text); i++ {
			for _, part := range []string{text[:i], text[i:]} {
				ps := pieces(part)
				sts, _ := SQL(ps)
				for j := range sts {
					checkStatement(t, ps, len(ps)/2, &sts[j])
				}
				Schema("a.sql", []byte(part))
			}
		}
	}
}

// Deep nesting and long chains cost neither the stack nor much time.
func TestAdversarial(t *testing.T) {
	const n = 20000
	for name, text := range map[string]string{
		"parentheses":  "SELECT " + strings.Repeat("(", n) + "1" + strings.Repeat(")", n) + " FROM t",
		"unclosed":     "SELECT " + strings.Repeat("(", n),
		"from":         "SELECT 1 FROM " + strings.Repeat("(", n) + "t" + strings.Repeat(")", n),
		"selects":      "SELECT * FROM t WHERE a IN " + strings.Repeat("(SELECT a FROM t WHERE a IN ", n),
		"unions":       strings.Repeat("SELECT 1 UNION ", n),
		"minus":        "SELECT " + strings.Repeat("- ", n) + "1",
		"not":          "SELECT * FROM t WHERE " + strings.Repeat("NOT ", n) + "a",
		"and":          "SELECT * FROM t WHERE a = 1" + strings.Repeat(" AND a = 1", n),
		"plus":         "SELECT * FROM t WHERE at > now()" + strings.Repeat(" - interval '1 day'", n),
		"case":         "SELECT " + strings.Repeat("CASE WHEN a THEN ", n),
		"brackets":     "SELECT " + strings.Repeat("[", n),
		"dollars":      "SELECT " + strings.Repeat("$a$b$c", n/10),
		"with":         strings.Repeat("WITH a AS (", n),
		"statements":   strings.Repeat("DELETE FROM t;", n),
		"lines":        strings.Repeat("DELETE FROM t\n", n),
		"blocks":       strings.Repeat("IF a BEGIN ", n),
		"if":           strings.Repeat("IF ", n),
		"comments":     strings.Repeat("/*", n),
		"quotes":       strings.Repeat("'\\'", n),
		"columns":      "CREATE TABLE t (" + strings.Repeat("a int,", n) + "b int)",
		"casts":        "SELECT a" + strings.Repeat("::int", n),
		"commas":       "SELECT " + strings.Repeat(",", n),
		"question":     "SELECT " + strings.Repeat("? ", n),
		"rows":         "INSERT INTO t (a) VALUES (1)" + strings.Repeat(",(1)", n),
		"holes":        "SELECT " + strings.Repeat("${}", n),
		"dots":         "SELECT a" + strings.Repeat(".a", n),
		"create table": strings.Repeat("CREATE TABLE t (", n),
	} {
		if _, err := SQL(pieces(text)); err != nil && name != "comments" && name != "quotes" && name != "blocks" && name != "if" {
			t.Errorf("%s: %v", name, err)
		}
		Schema("a.sql", []byte(text))
	}
}
