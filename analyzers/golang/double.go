package golang

import (
	"path"
	"slices"
	"strings"

	"github.com/retrysafe/retrysafe/analyzers/model"
)

// interfaceName names an interface by its unit and name.
type interfaceName struct{ unit, name string }

func nameOf(ref *model.TypeRef) interfaceName { return interfaceName{ref.Unit, ref.Name} }

// leaveDoubles takes from test doubles the interfaces that another type implements: a program that runs meets that one, and what a
// double answers says nothing about a call.
func leaveDoubles(types map[*model.TypeDecl]string) {
	met := map[interfaceName]bool{}
	for t := range types {
		if isDouble(t) {
			continue
		}
		for _, ref := range t.Implements {
			met[nameOf(ref)] = true
		}
	}
	for t := range types {
		if isDouble(t) {
			t.Implements = slices.DeleteFunc(t.Implements, func(ref *model.TypeRef) bool { return met[nameOf(ref)] })
		}
	}
}

// isDouble reports whether a type stands in for another in tests, as the generators of doubles name types, files and packages.
func isDouble(t *model.TypeDecl) bool {
	if rest, ok := strings.CutPrefix(t.Name, "Mock"); ok && rest != "" && rest[0] >= 'A' && rest[0] <= 'Z' {
		return true
	}
	dir, file := path.Split(t.Span.File)
	stem := strings.TrimSuffix(file, ".go")
	if strings.HasPrefix(stem, "mock_") || strings.HasSuffix(stem, "_mock") || strings.HasSuffix(stem, "_mocks") {
		return true
	}
	folder := path.Base(dir)
	return folder == "mock" || folder == "mocks" || strings.HasPrefix(folder, "mock_")
}
