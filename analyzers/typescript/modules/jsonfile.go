package modules

import (
	"bytes"
	"errors"
	"io/fs"
	"strconv"
	"strings"

	"github.com/tailscale/hujson"

	"github.com/retrysafe/retrysafe/analyzers/lazyregexp"
)

// maxNesting bounds the depth of a configuration file; the parser recurses.
const maxNesting = 200

// value is one value of a JSON file, with the line that it starts on. The zero
// value is an absent one, and every question to it has an empty answer.
type value struct {
	kind    byte // '{' '[' '"' '0' 't' 'f' 'n', 0 when absent
	text    string
	line    int
	members []member
	items   []value
}

type member struct {
	key   string
	line  int
	value value
}

func (v value) get(key string) value {
	// The last of several equal keys counts, as in JSON.parse.
	for i := len(v.members) - 1; i >= 0; i-- {
		if v.members[i].key == key {
			return v.members[i].value
		}
	}
	return value{}
}

func (v value) isString() bool { return v.kind == '"' }
func (v value) isNull() bool   { return v.kind == 'n' }
func (v value) present() bool  { return v.kind != 0 }

// strings returns the strings of an array, or the one of a string.
func (v value) strings() []value {
	if v.isString() {
		return []value{v}
	}
	var out []value
	for _, item := range v.items {
		if item.isString() {
			out = append(out, item)
		}
	}
	return out
}

// readJSON reads a JSON file that may hold comments and trailing commas. What
// is wrong with it becomes a problem and an absent value.
func (r *Resolver) readJSON(name string) value {
	text, err := r.tree.read(name)
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			r.problem(Broken, name, 1, "cannot be read: not a regular file, or larger than 1 MiB")
		}
		return value{}
	}
	v, line, err := parseJSON(text)
	if err != nil {
		r.problem(Broken, name, line, "not valid JSON: "+err.Error())
		return value{}
	}
	return v
}

func parseJSON(text []byte) (v value, line int, err error) {
	text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
	if line, deep := nestedTooDeep(text); deep {
		return value{}, line, errors.New("nested too deeply")
	}
	root, err := hujson.Parse(text)
	if err != nil {
		return value{}, errorLine(err), errors.New(withoutPlace(err))
	}
	b := builder{text: text, line: 1}
	return b.value(root), 0, nil
}

// builder turns a syntax tree into values, counting lines as it goes: offsets
// grow in the order of the tree.
type builder struct {
	text   []byte
	offset int
	line   int
}

func (b *builder) lineAt(offset int) int {
	if offset > b.offset && offset <= len(b.text) {
		b.line += bytes.Count(b.text[b.offset:offset], []byte{'\n'})
		b.offset = offset
	}
	return b.line
}

func (b *builder) value(v hujson.Value) value {
	out := value{kind: byte(v.Value.Kind()), line: b.lineAt(v.StartOffset)}
	switch x := v.Value.(type) {
	case hujson.Literal:
		if x.Kind() == '"' {
			out.text = x.String()
		} else {
			out.text = string(x)
		}
	case *hujson.Array:
		for _, e := range x.Elements {
			out.items = append(out.items, b.value(e))
		}
	case *hujson.Object:
		for _, m := range x.Members {
			line := b.lineAt(m.Name.StartOffset)
			key, _ := m.Name.Value.(hujson.Literal)
			out.members = append(out.members, member{key: key.String(), line: line, value: b.value(m.Value)})
		}
	}
	return out
}

// nestedTooDeep looks at brackets outside strings and comments.
func nestedTooDeep(text []byte) (line int, deep bool) {
	depth := 0
	line = 1
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '\n':
			line++
		case '[', '{':
			if depth++; depth > maxNesting {
				return line, true
			}
		case ']', '}':
			depth--
		case '"':
			for i++; i < len(text) && text[i] != '"' && text[i] != '\n'; i++ {
				if text[i] == '\\' {
					i++
				}
			}
			if i < len(text) && text[i] == '\n' {
				line++
			}
		}
	}
	return 0, false
}

var errorPlace = lazyregexp.New(`line (\d+), column \d+: `)

func errorLine(err error) int {
	if m := errorPlace.FindStringSubmatch(err.Error()); m != nil {
		if n, err := strconv.Atoi(m[1]); err == nil {
			return n
		}
	}
	return 1
}

func withoutPlace(err error) string {
	text := strings.TrimPrefix(err.Error(), "hujson: ")
	return errorPlace.ReplaceAllString(text, "")
}
