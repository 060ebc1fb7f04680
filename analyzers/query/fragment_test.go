package query

import "testing"

func TestWhere(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"key = ? AND owner = ?", "unknown where(key=$0, owner=$1)"},
		{"WHERE a = ${} AND at > now() - interval '1 hour'", "unknown where(a=#0, at>[now]) <at>-3600> now calls(now)"},
		{"AND a IN (?)", "unknown where(a in ($0))"},
		{"AND a IN ($1)", "unknown where(a=$0)"},
		{"a = 1 OR b = 2", "unknown maybe(a=1, b=2) where(…)"},
		{"a = 1 ORDER BY b", "unknown where(a=1, …) partial"},
		{"", "unknown where(…) partial"},
		{"${}", "unknown where(…)"},
		{"id IN (SELECT id FROM t)", "unknown where(…) {select t select(id)}"},
	} {
		st := Where(pieces(c.text))
		if got := st.sketch(); got != c.want {
			t.Errorf("Where(%q)\n got %s\nwant %s", c.text, got, c.want)
		}
	}
}

func TestAssign(t *testing.T) {
	for _, c := range []struct{ column, text, want string }{
		{"n", "n + ?", "n+=[n $0]"},
		{"n", "t.n - 1", "n+=[t.n]"},
		{"n", "m + 1", "n=[m]"},
		{"n", "${} + 1", "n=[#0]"},
		{"n", "?", "n=$0"},
		{"n", "", "n=[]"},
		{"ok", "NOT ok", "ok+=[ok]"},
	} {
		if got := sketchSet([]Assignment{Assign(c.column, pieces(c.text))}); got != c.want {
			t.Errorf("Assign(%s, %q) = %s, want %s", c.column, c.text, got, c.want)
		}
	}
}
