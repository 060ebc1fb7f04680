package reports

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/retrysafe/retrysafe/analyzers/audit"
	"github.com/retrysafe/retrysafe/analyzers/audit/config"
	"github.com/retrysafe/retrysafe/analyzers/catalog"
)

// toldRow is a row about a library that did not come with the auditor, of one of the scans.
type toldRow struct {
	audit.Told
	scan int
}

// told lists the rows that the scanned programs brought, or those that the user gave, each once.
func (r *Report) told(trusted bool) []toldRow {
	var out []toldRow
	seen := map[string]int{}
	for i, s := range r.Scans {
		for _, row := range s.Told {
			if row.Trusted != trusted {
				continue
			}
			id := row.Place
			if !trusted {
				id = s.Context + "\x00" + id
			}
			if at, known := seen[id]; known {
				out[at].Asked = out[at].Asked || row.Asked
				continue
			}
			seen[id] = len(out)
			out = append(out, toldRow{row, i})
		}
	}
	return out
}

// toldFiles names the files of rows as people read them.
func (r *Report) toldFiles(rows []toldRow) string {
	var out []string
	for _, row := range rows {
		if name := escapePath(r.Shown(row.scan, audit.FileOf(row.Place))); !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return strings.Join(out, ", ")
}

// toldPlace is the place of a row as people read it.
func (r *Report) toldPlace(row toldRow) string {
	file := audit.FileOf(row.Place)
	line := row.Place[len(file):]
	if row.Trusted {
		return escapePath(file) + line
	}
	return escapePath(r.Shown(row.scan, file)) + line
}

// Told says in one sentence what the scanned program tells the auditor about libraries, "" where it tells nothing.
func (r *Report) Told() string {
	rows := r.told(false)
	settings := r.settings()
	if len(rows) == 0 && len(settings) == 0 {
		return ""
	}
	shadows := 0
	for _, row := range rows {
		if len(row.Shadows) > 0 && row.Asked {
			shadows++
		}
	}
	var said, files []string
	if len(rows) > 0 {
		said, files = append(said, count(len(rows), "row")+" about libraries"), append(files, r.toldFiles(rows))
	}
	var names []string
	for _, s := range settings {
		names = append(names, s.Name)
		if file := escapePath(r.Shown(s.scan, s.Place.File)); !slices.Contains(files, file) {
			files = append(files, file)
		}
	}
	if len(names) > 0 {
		said = append(said, "the "+verb(len(names), "setting ", "settings ")+strings.Join(names, ", "))
	}
	text := fmt.Sprintf("%s %s from %s, which belongs to what was scanned", strings.Join(said, " and "), verb(len(rows)+len(names), "comes", "come"), strings.Join(files, ", "))
	if shadows > 0 {
		text += fmt.Sprintf("; %d in the place of what the auditor knows itself", shadows)
	}
	return text + " (--isolated ignores it)"
}

// givenSetting is a setting of the file that governs one of the scans.
type givenSetting struct {
	config.Given
	scan int
}

// settings lists what the scanned programs decide about the audit, each once.
func (r *Report) settings() []givenSetting {
	var out []givenSetting
	seen := map[string]bool{}
	for i, s := range r.Scans {
		for _, given := range s.Settings {
			id := s.Context + "\x00" + given.Place.String()
			if !seen[id] {
				seen[id] = true
				out = append(out, givenSetting{given, i})
			}
		}
	}
	return out
}

func verb(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// told states which rows were obeyed that did not come with the auditor, and which of them spoke of nothing.
func (t *text) told() {
	if what := t.r.Told(); what != "" {
		t.put(t.p.weak.Sprint("obeyed: "), what)
	}
	for _, trusted := range []bool{false, true} {
		for _, row := range t.r.told(trusted) {
			switch {
			case row.Idle != "":
				t.put("  ", t.r.toldPlace(row), ": ", Escape(row.Idle))
			case !row.Asked:
				t.put("  ", t.r.toldPlace(row), ": the scanned program uses nothing of which this row speaks")
			case len(row.Shadows) > 0 && !trusted:
				t.put("  ", t.r.toldPlace(row), ": stands in the place of ", shadowsText(row.UserRow))
			}
		}
	}
}

// shadowsText names the built-in rows in whose place a row stands.
func shadowsText(row catalog.UserRow) string {
	const most = 3
	var names []string
	for i, other := range row.Shadows {
		if i == most && len(row.Shadows) > most+1 {
			names = append(names, fmt.Sprintf("%d more built-in rows", len(row.Shadows)-most))
			break
		}
		names = append(names, other.ID)
	}
	return strings.Join(names, ", ")
}

type toldV1 struct {
	File    string   `json:"file"`
	Line    int      `json:"line"`
	Trusted bool     `json:"trusted"` // given by the user; false where the scanned program brought it
	Says    []string `json:"says"`    // effect, record, tool, …
	Symbols []string `json:"symbols"`
	Shadows []string `json:"shadows"` // ids of built-in rows in whose place it stands
	Asked   bool     `json:"asked"`   // the program uses something of which it speaks
}

func (r *Report) toldV1() []toldV1 {
	out := []toldV1{}
	for _, trusted := range []bool{false, true} {
		for _, row := range r.told(trusted) {
			file := audit.FileOf(row.Place)
			line, _ := strconv.Atoi(strings.TrimPrefix(row.Place[len(file):], ":"))
			v := toldV1{File: file, Line: line, Trusted: trusted, Says: catalog.Sections(row.Row), Symbols: append([]string{}, row.Symbols...), Shadows: []string{}, Asked: row.Asked}
			if !trusted {
				v.File = r.Path(row.scan, file)
			}
			for _, h := range row.Hosts {
				v.Symbols = append(v.Symbols, h.Name+h.Path)
			}
			for _, other := range row.Shadows {
				v.Shadows = append(v.Shadows, other.ID)
			}
			out = append(out, v)
		}
	}
	return out
}
