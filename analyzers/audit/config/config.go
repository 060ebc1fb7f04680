// Package config reads .retrysafe.yaml, by which a repository tells the auditor what it
// cannot see for itself. The file is part of the program that is scanned: what it says is
// obeyed, stated in every report, and left out by --isolated.
//
//	catalog:    # rows about libraries, as analyzers/catalog describes them
//	  - symbols: ["@acme/pay#charge"]
//	    effect: {kind: payment, nature: additive, money: true}
package config

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
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
var keys = []string{catalogKey}

// maxBytes bounds the size of a file.
const maxBytes = 4 << 20

// File is a file of settings.
type File struct {
	Name string // with slashes, as messages show it
	// Rows are those of the setting "catalog", nil where there are none.
	Rows *catalog.Source
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
			switch key := v.Key.GetToken().Value; key {
			case catalogKey:
				out.Rows = &catalog.Source{Name: name, Data: data, Section: catalogKey, Base: path.Dir(name)}
			default:
				fail(v.Key, "unknown setting %q%s", key, hint(key))
			}
		}
	}
	if len(problems) > 0 {
		return nil, errors.Join(problems...)
	}
	return out, nil
}

func hint(key string) string {
	if near := model.Nearest(key, keys); near != "" {
		return fmt.Sprintf("; did you mean %q?", near)
	}
	return "; known are " + strings.Join(keys, ", ")
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
