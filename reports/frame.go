package reports

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

const (
	tabWidth   = 4
	frameWidth = 110 // columns of source in a frame; longer lines are cut around the span
	frameLead  = 24  // columns kept before a span that is cut
)

// cell is what one place of a line shows: a character, an expanded tab, an escape.
type cell struct {
	text       string
	width      int // columns on a terminal
	start, end int // bytes of the line
}

// cells divides a line into what is seen. Secrets are masked, what would act on a terminal is spelled out.
func cells(line string) []cell {
	line = Mask(line)
	var out []cell
	column := 0
	put := func(text string, width, start, end int) {
		out = append(out, cell{text, width, start, end})
		column += width
	}
	for at := 0; at < len(line); {
		c, size := utf8.DecodeRuneInString(line[at:])
		switch {
		case c == '\t':
			n := tabWidth - column%tabWidth
			put(strings.Repeat(" ", n), n, at, at+1)
		case c == utf8.RuneError && size == 1 || acts(c):
			text := escapeRune(line[at:at+size], c)
			put(text, len(text), at, at+size)
		case c < utf8.RuneSelf && (at+1 == len(line) || line[at+1] < utf8.RuneSelf):
			put(line[at:at+1], 1, at, at+1)
		default:
			cluster, _, width, _ := uniseg.FirstGraphemeClusterInString(line[at:], -1)
			if strings.ContainsFunc(cluster, acts) {
				cluster, width = cluster[:size], uniseg.StringWidth(cluster[:size])
			}
			size = len(cluster)
			put(cluster, width, at, at+size)
		}
		at += size
	}
	return out
}

// Escape masks secrets in text of the scanned program and spells out what would act on a terminal, ends of lines included.
func Escape(text string) string { return spell(Mask(text)) }

// escapeMessage does the same to a sentence of the report, in which text of the program is quoted.
func escapeMessage(text string) string { return spell(maskMessage(text)) }

// escapePath spells out the path of a file. A path is no secret, whatever it looks like: without it nobody finds the place.
func escapePath(path string) string { return spell(path) }

// spell writes what would act on a terminal, ends of lines included, as escapes.
func spell(text string) string {
	if utf8.ValidString(text) && !strings.ContainsFunc(text, func(c rune) bool { return acts(c) || c == '\n' || c == '\t' }) {
		return text
	}
	var b strings.Builder
	for at := 0; at < len(text); {
		c, size := utf8.DecodeRuneInString(text[at:])
		switch {
		case c == '\n':
			b.WriteString(`\n`)
		case c == '\t':
			b.WriteByte(' ')
		case c == utf8.RuneError && size == 1 || acts(c):
			b.WriteString(escapeRune(text[at:at+size], c))
		default:
			b.WriteString(text[at : at+size])
		}
		at += size
	}
	return b.String()
}

func escapeRune(bytes string, c rune) string {
	switch {
	case c == utf8.RuneError || c < 0x100:
		if c != utf8.RuneError {
			return fmt.Sprintf(`\x%02x`, c)
		}
		return fmt.Sprintf(`\x%02x`, bytes[0])
	case c > 0xffff:
		return fmt.Sprintf(`\U%08x`, c)
	}
	return fmt.Sprintf(`\u%04x`, c)
}

// plainLine gives a whole line as a frame shows it.
func plainLine(line string) string {
	all := cells(line)
	text, _, _ := window(all, 0, 0)
	return text
}

// underlined gives a line and the carets under the bytes from start to end, 0-based; a span that is empty or lies behind the line gets one
// caret. Lines that are too long are cut around the span.
func underlined(line string, start, end int) (text, carets string) {
	all := cells(line)
	from, to := len(all), len(all)
	for i, c := range all {
		if c.end > start {
			from = i
			break
		}
	}
	for i := from; i < len(all); i++ {
		if all[i].start >= end {
			to = i
			break
		}
	}
	text, before, under := window(all, from, to)
	return text, strings.Repeat(" ", before) + strings.Repeat("^", max(under, 1))
}

// window joins the cells, as many as fit around those in [from, to), and gives the columns before them and that they take.
func window(all []cell, from, to int) (text string, before, under int) {
	first, last := 0, len(all)
	if columns(all) > frameWidth {
		lead := 0
		for first = from; first > 0 && lead+all[first-1].width <= frameLead; first-- {
			lead += all[first-1].width
		}
		room := frameWidth
		for last = first; last < len(all) && all[last].width <= room; last++ {
			room -= all[last].width
		}
		for last == len(all) && first > 0 && all[first-1].width <= room { // the end of the line leaves room at the start
			first--
			room -= all[first].width
		}
	}
	var b strings.Builder
	if first > 0 {
		b.WriteString("…")
		before++
	}
	for i := first; i < last; i++ {
		b.WriteString(all[i].text)
		switch {
		case i < from:
			before += all[i].width
		case i < to:
			under += all[i].width
		}
	}
	if last < len(all) {
		b.WriteString("…")
	}
	return strings.TrimRight(b.String(), " "), before, under
}

func columns(all []cell) int {
	n := 0
	for _, c := range all {
		n += c.width
	}
	return n
}
