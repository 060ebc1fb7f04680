package golang

import (
	"go/ast"
	"go/token"
	"strconv"
	"testing"
)

func TestReadTag(t *testing.T) {
	for _, c := range []struct {
		tag, encoded, about string
		optional            bool
	}{
		{`json:"id"`, "id", "", false},
		{`json:"Key"`, "", "", false},
		{`json:"-"`, "", "", false},
		{`json:",omitempty"`, "", "", true},
		{`json:"id,omitzero" jsonschema:"the same, when you retry"`, "id", "the same, when you retry", true},
		{`form:"id" yaml:"other"`, "id", "", false},
		{`json:"id" jsonschema:"required,description=a key, for one payment,enum=a"`, "id", "a key, for one payment", false},
		{`json:"id" jsonschema:"required" jsonschema_description:"a key"`, "id", "a key", false},
		{`json:"id" description:"a key"`, "id", "a key", false},
		{`json`, "", "", false},
		{``, "", "", false},
	} {
		f := field{name: "Key"}
		f.readTag(&ast.BasicLit{Kind: token.STRING, Value: strconv.Quote(c.tag)})
		if f.encoded != c.encoded || f.about != c.about || f.optional != c.optional {
			t.Errorf("%s: %q, %q, %v", c.tag, f.encoded, f.about, f.optional)
		}
	}
}
