// Package config reads .retrysafe.yaml, by which a repository tells the auditor what it
// cannot see for itself. The file is part of the program that is scanned: what it says is
// obeyed, stated in every report, and left out by --isolated.
//
//	catalog:    # rows about libraries, as analyzers/catalog describes them
//	  - symbols: ["@acme/pay#charge"]
//	    effect: {kind: payment, nature: additive, money: true}
//	errors: discard                        # failed results: store, discard, any
//	retention: {payment: 30d, other: 24h}  # how long records must live
//	key-length: 20                         # least number of characters of a key
//	transport: stdio                       # how the program is served: stdio, http
//	trusted-headers: [X-User-Id]           # set by a proxy that no client can pass by
//	identities: [X-Client-Cert, tenant]    # headers and context values that hold a verified caller
package config

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"

	"github.com/retrysafe/retrysafe/analyzers/catalog"
	"github.com/retrysafe/retrysafe/analyzers/model"
)

// Name is the base name of the file.
const Name = ".retrysafe.yaml"

// catalogKey is the setting that holds rows.
const catalogKey = "catalog"

// keys are the settings that a file may hold.
var keys = []string{catalogKey, "errors", "retention", "key-length", "transport", "trusted-headers", "identities"}

// maxBytes bounds the size of a file.
const maxBytes = 4 << 20

// File is a file of settings.
type File struct {
	Name string // with slashes, as messages show it
	// Rows are those of the setting "catalog", nil where there are none.
	Rows     *catalog.Source
	Settings Settings
}

// Find gives the file that governs dir, a slash path inside view ("." for its root): the one in dir or in the nearest folder above.
// It gives "" where there is none.
func Find(view fs.FS, dir string) string {
	for {
		name := path.Join(dir, Name)
		if info, err := fs.Stat(view, name); err == nil && info.Mode().IsRegular() {
			return name
		}
		if dir == "." || dir == "/" || dir == "" {
			return ""
		}
		dir = path.Dir(dir)
	}
}

// Read reads a file of view. An error joins all that is wrong, each as a *catalog.Error with its place.
func Read(view fs.FS, name string) (*File, error) {
	if info, err := fs.Stat(view, name); err == nil && info.Size() > maxBytes {
		return nil, &catalog.Error{Place: name + ":1:1", Message: fmt.Sprintf("the file is larger than %d bytes", maxBytes)}
	}
	data, err := fs.ReadFile(view, name)
	if err != nil {
		return nil, err
	}
	return Parse(name, data)
}

// Parse reads the text of a file. The rows themselves are checked by the catalog that loads them.
func Parse(name string, data []byte) (*File, error) {
	file, err := parse(name, data)
	if err != nil {
		return nil, err
	}
	out := &File{Name: name}
	var problems []error
	fail := func(node ast.Node, format string, args ...any) {
		place := name + ":1:1"
		if t := node.GetToken(); t != nil && t.Position != nil {
			place = fmt.Sprintf("%s:%d:%d", name, t.Position.Line, t.Position.Column)
		}
		problems = append(problems, &catalog.Error{Place: place, Message: fmt.Sprintf(format, args...)})
	}
	documents := 0
	for _, document := range file.Docs {
		var values []*ast.MappingValueNode
		switch body := document.Body.(type) {
		case nil, *ast.CommentGroupNode:
			continue
		case *ast.MappingNode:
			values = body.Values
		case *ast.MappingValueNode:
			values = []*ast.MappingValueNode{body}
		default:
			fail(body, "the file must be a mapping of settings to values")
			continue
		}
		if documents++; documents > 1 {
			fail(document.Body, "the file is one YAML document")
			break
		}
		for _, v := range values {
			switch key := v.Key.GetToken().Value; {
			case key == catalogKey:
				out.Rows = &catalog.Source{Name: name, Data: data, Section: catalogKey, Base: path.Dir(name)}
			case slices.Contains(keys, key):
				out.Settings.Given = append(out.Settings.Given, Given{key, spanOf(name, v.Key)})
				out.Settings.setting(key, v.Value, fail)
			default:
				fail(v.Key, "unknown setting %q%s", key, near(key, keys))
			}
		}
	}
	if len(problems) > 0 {
		return nil, errors.Join(problems...)
	}
	return out, nil
}

// spanOf is the place of a node.
func spanOf(name string, node ast.Node) model.Span {
	t := node.GetToken()
	if t == nil || t.Position == nil {
		return model.Span{}
	}
	line, col := int32(t.Position.Line), int32(t.Position.Column)
	return model.Span{File: name, Line: line, Col: col, EndLine: line, EndCol: col + int32(len(t.Value))}
}

// parse reads YAML. The text may be anybody's: a panic of the parser is an error of the file.
func parse(name string, data []byte) (file *ast.File, err error) {
	defer func() {
		if r := recover(); r != nil {
			file, err = nil, &catalog.Error{Place: name + ":1:1", Message: fmt.Sprintf("this is no YAML: %v", r)}
		}
	}()
	file, err = parser.ParseBytes(data, 0)
	if err == nil {
		return file, nil
	}
	place, message := name+":1:1", ""
	var located yaml.Error
	if errors.As(err, &located) {
		message = located.GetMessage()
		if t := located.GetToken(); t != nil && t.Position != nil {
			place = fmt.Sprintf("%s:%d:%d", name, t.Position.Line, t.Position.Column)
		}
	} else {
		message, _, _ = strings.Cut(err.Error(), "\n")
	}
	return nil, &catalog.Error{Place: place, Message: "this is no YAML: " + message}
}
