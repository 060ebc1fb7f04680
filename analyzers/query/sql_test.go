package query

import (
	"strings"
	"testing"
)

// pieces makes pieces of a text in which each ${} is a hole, numbered from 0.
func pieces(text string) []Piece {
	var out []Piece
	for i, part := range strings.Split(text, "${}") {
		if i > 0 {
			out = append(out, Value(i-1))
		}
		out = append(out, Text(part))
	}
	return out
}

func one(t *testing.T, text string) *Statement {
	t.Helper()
	sts, err := SQL(pieces(text))
	if err != nil || len(sts) != 1 {
		t.Fatalf("SQL(%q) = %d statements, %v; want one", text, len(sts), err)
	}
	return &sts[0]
}

func TestVerbAndTable(t *testing.T) {
	for _, c := range []struct {
		text  string
		verb  Verb
		table string
	}{
		{"select 1 from a", Select, "a"},
		{"INSERT INTO public.\"Orders\" (a) VALUES ($1)", Insert, "Orders"},
		{"insert or ignore into t values (?)", Insert, "t"},
		{"REPLACE INTO `t` (a) VALUES (?)", Replace, "t"},
		{"UPDATE [dbo].[t] SET a = @a", Update, "t"},
		{"DELETE FROM t", Delete, "t"},
		{"MERGE INTO t USING s ON t.a = s.a WHEN MATCHED THEN DELETE", Merge, "t"},
		{"TRUNCATE TABLE t", Truncate, "t"},
		{"CREATE TABLE IF NOT EXISTS t (a int)", CreateTable, "t"},
		{"DROP TABLE IF EXISTS t", Drop, "t"},
		{"ALTER TABLE t ADD COLUMN a int", Alter, "t"},
		{"WITH x AS (SELECT 1) INSERT INTO t SELECT * FROM x", Insert, "t"},
		{"${} INTO t", Unknown, ""},
		{"INSERT INTO ${} (a) VALUES (1)", Insert, ""},
	} {
		st := one(t, c.text)
		got, _ := st.Target()
		if st.Verb != c.verb || got.Name != c.table {
			t.Errorf("%s: %s %q, want %s %q", c.text, st.Verb, got.Name, c.verb, c.table)
		}
	}
}
