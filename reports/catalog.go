package reports

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/retrysafe/retrysafe/analyzers/catalog"
	"github.com/retrysafe/retrysafe/analyzers/model"
	"github.com/retrysafe/retrysafe/rules"
)

// CatalogText lists rows for people, in the order given: by section and library, each library with where its rows were read.
func CatalogText(w io.Writer, rows []*model.Row, p *Palette) error {
	out := bufio.NewWriter(w)
	m := matrix{p: p}
	flush := func() {
		m.write(out)
		m.rows = nil
	}
	section, library, source := "", "", ""
	for i, row := range rows {
		at, from := catalog.Library(row), sourceText(row)
		if first := catalog.Sections(row)[0]; first != section || at != library || from != source {
			flush()
			if first != section {
				if i > 0 {
					out.WriteString("\n")
				}
				out.WriteString(p.strong.Sprint(strings.ToUpper(first)) + "\n")
			}
			section, library, source = first, at, from
			out.WriteString("\n" + p.strong.Sprint(Escape(at)) + p.faint.Sprint("  "+Escape(from)) + "\n")
		}
		m.parts(part{" ", nil}, part{Escape(row.ID), nil}, part{symbolsText(row), p.faint}, part{saysText(row), nil})
	}
	flush()
	fmt.Fprintf(out, "\n%s\n", count(len(rows), "row"))
	return out.Flush()
}

func sourceText(row *model.Row) string {
	if row.Date == "" {
		return row.Source
	}
	return row.Source + ", " + row.Date
}

// symbolsText shows of what a row speaks, shortened.
func symbolsText(row *model.Row) string {
	const most = 60
	var all []string
	for _, s := range row.Symbols {
		if _, path, ok := strings.Cut(s, "#"); ok && !strings.Contains(path, "#") && !strings.HasPrefix(s, "{") {
			s = path
		}
		all = append(all, s)
	}
	for _, h := range row.Hosts {
		all = append(all, strings.Join(h.Methods, "|")+" "+h.Name+h.Path)
	}
	text := strings.TrimSpace(strings.Join(all, " "))
	if r := []rune(text); len(r) > most {
		text = string(r[:most-1]) + "…"
	}
	return Escape(text)
}

// saysText tells in words what a row says.
func saysText(row *model.Row) string {
	var says []string
	for _, s := range catalog.Sections(row) {
		says = append(says, sectionText(row, s))
	}
	if len(row.When) > 0 {
		says = append(says, "under conditions")
	}
	if row.Versions != "" {
		says = append(says, "versions "+row.Versions)
	}
	if row.Confidence != model.Certain {
		says = append(says, rules.ConfidenceText(row.Confidence))
	}
	return Escape(strings.Join(says, "; "))
}

func sectionText(row *model.Row, section string) string {
	join := func(words ...string) string {
		return strings.Join(slices.DeleteFunc(words, func(s string) bool { return s == "" }), " ")
	}
	switch section {
	case "effect":
		x := row.Effect
		if x.Reply {
			return "answers the caller"
		}
		text := join(string(x.Nature), string(x.Kind), x.Object)
		if x.Selector != "" {
			text = join(text, "by operation name")
		}
		if x.Key != "" {
			text += ", takes a key"
		}
		return text
	case "record":
		text := join("record:", string(row.Record.Op))
		if row.Record.Library != "" {
			text += " by " + row.Record.Library
		}
		return text
	case "query":
		return join("runs", row.Query.Language)
	case "tool":
		t := row.Tool
		switch {
		case t.List:
			return "lists " + t.Kind + " tools"
		case t.Dispatch:
			return "serves " + t.Kind + " tools"
		case t.Defines && !t.Standalone:
			return join("defines", article(t.Kind), "tool")
		}
		return join("registers", article(t.Kind), "tool")
	case "route":
		if row.Route.Mount {
			return "mounts middleware or routes"
		}
		return join("registers a route", row.Route.Method)
	case "origin":
		return "gives: " + row.Origin.Kind
	case "check":
		return "checks: " + row.Check.Kind
	case "primitive":
		return "built-in: " + row.Primitive.Name
	case "transport":
		return "serves over " + row.Transport.Kind
	case "retry":
		return retryText(row.Retry)
	case "input":
		return "gives: " + string(row.Input.Role)
	case "returns":
		return "gives " + row.Returns
	case "gives":
		return "calls back"
	case "fills":
		return "fills what it is given"
	case "sets":
		return "sets a member"
	case "restarts":
		return "runs the handler again"
	case "exits":
		return "does not return"
	}
	return section
}

func article(kind string) string {
	if strings.HasPrefix(kind, "a") || kind == "mcp" {
		return "an " + kind
	}
	return "a " + kind
}

// CatalogCheckText says what rows of a user add, and what is to be known of each.
func CatalogCheckText(w io.Writer, rows []catalog.UserRow, p *Palette) error {
	out := bufio.NewWriter(w)
	idle, shadows := 0, 0
	for _, row := range rows {
		of := row.Symbols
		for _, h := range row.Hosts {
			of = append(of[:len(of):len(of)], h.Name+h.Path)
		}
		fmt.Fprintf(out, "%s: %s: %s\n", escapePath(row.Place), Escape(strings.Join(of, " ")), saysText(row.Row))
		if row.Idle != "" {
			idle++
			fmt.Fprintf(out, "  %s%s\n", p.weak.Sprint("never asked: "), Escape(row.Idle))
		}
		if len(row.Shadows) > 0 {
			shadows++
			fmt.Fprintf(out, "  %s%s\n", p.weak.Sprint("in the place of: "), shadowsText(row))
		}
	}
	text := count(len(rows), "row")
	if len(rows) == 0 {
		text = "no rows"
	}
	for _, x := range []struct {
		n    int
		what string
	}{{shadows, "in the place of built-in ones"}, {idle, "never asked"}} {
		if x.n > 0 {
			text += fmt.Sprintf(", %d %s", x.n, x.what)
		}
	}
	out.WriteString(text + "\n")
	return out.Flush()
}

type rowV1 struct {
	ID         string   `json:"id"`
	Library    string   `json:"library"`
	Symbols    []string `json:"symbols"`
	Hosts      []hostV1 `json:"hosts"`
	Says       []string `json:"says"` // sections
	Text       string   `json:"text"`
	Versions   string   `json:"versions"`
	Confidence string   `json:"confidence"`
	Source     string   `json:"source"`
	Date       string   `json:"date"`
	Place      string   `json:"place"`
}

type hostV1 struct {
	Name    string   `json:"name"`
	Path    string   `json:"path"`
	Methods []string `json:"methods"`
}

// CatalogJSON lists rows as a JSON array.
func CatalogJSON(w io.Writer, rows []*model.Row) error {
	out := []rowV1{}
	for _, row := range rows {
		v := rowV1{ID: row.ID, Library: catalog.Library(row), Symbols: append([]string{}, row.Symbols...), Hosts: []hostV1{}, Says: catalog.Sections(row), Text: saysText(row),
			Versions: row.Versions, Confidence: rules.ConfidenceText(row.Confidence), Source: row.Source, Date: row.Date, Place: row.Place}
		for _, h := range row.Hosts {
			v.Hosts = append(v.Hosts, hostV1{h.Name, h.Path, append([]string{}, h.Methods...)})
		}
		out = append(out, v)
	}
	return writeJSON(w, out)
}

// retryText tells what is done again when it fails.
func retryText(r *model.Retry) string {
	what := "the requests of a client"
	if r.Callback != "" {
		what = "a function"
	}
	switch {
	case r.Never:
		return "never tries " + what + " again"
	case r.Refused:
		return "tries " + what + " again after a refusal"
	}
	text := "tries " + what + " again"
	if r.Default {
		text += " by default"
	}
	if len(r.Methods) > 0 {
		text += ": " + strings.Join(r.Methods, ", ")
	}
	return text
}
