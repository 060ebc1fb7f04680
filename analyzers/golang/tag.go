package golang

import (
	"go/ast"
	"reflect"
	"strconv"
	"strings"
)

// maxAbout bounds the text of a field that is kept, in bytes.
const maxAbout = 1 << 10

// readTag takes from the tag of a field how its encoded form calls it, and what it tells those who fill it in: a generator of schemas hands
// both to the callers of a tool. JSON counts, then what forms and YAML call it.
func (f *field) readTag(lit *ast.BasicLit) {
	text := ""
	if lit != nil {
		text, _ = strconv.Unquote(lit.Value)
	}
	tag := reflect.StructTag(text)
	for _, key := range [...]string{"json", "form", "yaml"} {
		value, told := tag.Lookup(key)
		if !told {
			continue
		}
		name, options, _ := strings.Cut(value, ",")
		if name != "-" && name != f.name {
			f.encoded = name
		}
		for option := range strings.SplitSeq(options, ",") {
			f.optional = f.optional || option == "omitempty" || option == "omitzero"
		}
		break
	}
	f.inline = f.embedded && f.encoded == ""
	f.about = about(tag)
}

// about is the description among the words of a tag: a text of its own, or one of several settings.
func about(tag reflect.StructTag) string {
	text := ""
	for _, key := range [...]string{"jsonschema_description", "description"} {
		if text == "" {
			text = tag.Get(key)
		}
	}
	if schema := tag.Get("jsonschema"); text == "" && schema != "" {
		text = schema
		if strings.HasPrefix(schema, "required") || settings(schema) {
			text = ""
			if _, rest, told := strings.Cut(schema, "description="); told {
				text = rest
				for i := range rest {
					if rest[i] == ',' && settings(rest[i+1:]) {
						text = rest[:i]
						break
					}
				}
			}
		}
	}
	return strings.ToValidUTF8(text[:min(len(text), maxAbout)], "")
}

// settings reports whether a text begins with a setting: a word and an equals sign.
func settings(text string) bool {
	name, _, told := strings.Cut(text, "=")
	return told && name != "" && !strings.ContainsAny(name, " ,.;:")
}
