package query

import (
	"path"
	"sort"
	"strings"
)

// MigrationOrder sorts paths of migration files (with forward slashes) as migration tools run them: by folder, numbers in
// names by value, so that 2_a comes before 10_b.
func MigrationOrder(names []string) {
	sort.SliceStable(names, func(i, j int) bool { return naturalLess(names[i], names[j]) })
}

// naturalLess compares two names with runs of digits compared as numbers.
func naturalLess(a, b string) bool {
	for i, j := 0, 0; i < len(a) && j < len(b); {
		if isDigit(a[i]) && isDigit(b[j]) {
			fromA, fromB := i, j
			for i < len(a) && isDigit(a[i]) {
				i++
			}
			for j < len(b) && isDigit(b[j]) {
				j++
			}
			numA, numB := strings.TrimLeft(a[fromA:i], "0"), strings.TrimLeft(b[fromB:j], "0")
			if len(numA) != len(numB) {
				return len(numA) < len(numB)
			}
			if numA != numB {
				return numA < numB
			}
			continue
		}
		if a[i] != b[j] {
			return a[i] < b[j]
		}
		i++
		j++
	}
	if len(a) != len(b) {
		return len(a) < len(b)
	}
	return a < b
}

// undoes says that a file reverts a migration.
func undoes(name string) bool {
	base := strings.ToLower(path.Base(name))
	switch base {
	case "down.sql", "rollback.sql", "undo.sql", "revert.sql":
		return true
	}
	for _, suffix := range []string{".down.sql", "_down.sql", "-down.sql", ".undo.sql", ".rollback.sql"} {
		if strings.HasSuffix(base, suffix) {
			return true
		}
	}
	return false
}

// forward blanks what is not DDL that a migration runs: sections that revert it, the rows of a dump, a client's own commands
// and routines between DELIMITER lines. Lines keep their numbers.
func forward(text string) string {
	if !strings.ContainsAny(text, "\\") && !mentions(text) {
		return text
	}
	var b strings.Builder
	b.Grow(len(text))
	down, rows, routines := false, false, false
	for len(text) > 0 {
		line, rest, found := strings.Cut(text, "\n")
		text = rest
		mark := strings.ToLower(strings.Join(strings.Fields(line), " "))
		blank := down || rows || routines
		switch {
		case rows:
			rows = mark != "\\."
		case routines:
			routines = mark != "delimiter ;"
		case downMarks[mark]:
			down, blank = true, true
		case upMarks[mark]:
			down, blank = false, true
		case strings.HasPrefix(mark, "delimiter ") && mark != "delimiter ;":
			routines, blank = true, true
		case mark == "delimiter ;", strings.HasPrefix(line, "\\"):
			blank = true
		case strings.HasPrefix(mark, "copy ") && strings.HasSuffix(mark, "from stdin;"):
			rows, blank = true, true
		}
		if !blank {
			b.WriteString(line)
		}
		if found {
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// mentions is a cheap test for the words that forward acts on.
func mentions(text string) bool {
	lower := strings.ToLower(text)
	for _, w := range []string{"down", "undo", "delimiter", "stdin"} {
		if strings.Contains(lower, w) {
			return true
		}
	}
	return false
}

// downMarks and upMarks are the comments by which migration tools divide one file.
var (
	downMarks = map[string]bool{
		"-- +goose down": true, "-- +migrate down": true, "-- migrate:down": true, "-- +micrate down": true, "-- rambler down": true,
		"--rambler down": true, "-- !downs": true, "# --- !downs": true, "-- //@undo": true, "---- create above / drop below ----": true,
		"-- down": true, "-- down migration": true, "-- migration down": true,
	}
	upMarks = map[string]bool{
		"-- +goose up": true, "-- +migrate up": true, "-- migrate:up": true, "-- +micrate up": true, "-- rambler up": true,
		"--rambler up": true, "-- !ups": true, "# --- !ups": true, "-- up": true, "-- up migration": true, "-- migration up": true,
	}
)
