package typescript

import (
	"maps"
	"slices"

	"github.com/retrysafe/retrysafe/analyzers/model"
)

// Mentions lists, sorted, the other units that a unit refers to: those it initialises first, those it loads later
// (`import()` and `require` inside functions), those it passes on, and those whose types it names.
func Mentions(u *model.Unit) []string {
	found := make(map[string]bool)
	for _, p := range u.Imports {
		found[p] = true
	}
	for i := range u.Exports {
		found[u.Exports[i].From] = true
	}
	for _, g := range u.Globals {
		mentionTypes(found, 0, g.Type)
	}
	for _, d := range u.Types {
		mentionTypes(found, 0, d.Extends...)
		mentionTypes(found, 0, d.Implements...)
		mentionTypes(found, 0, d.Underlying)
		mentionMembers(found, 0, d.Members)
	}
	for _, f := range u.Funcs {
		mentionTypes(found, 0, f.Result)
		for i := range f.Params {
			mentionTypes(found, 0, f.Params[i].Type)
		}
		for i := range f.Ops {
			if op := &f.Ops[i]; op.Kind == model.Module {
				found[op.Name] = true
			} else {
				mentionTypes(found, 0, op.Type)
			}
		}
	}
	delete(found, "")
	delete(found, u.Path)
	return slices.Sorted(maps.Keys(found))
}

func mentionTypes(found map[string]bool, depth int, refs ...*model.TypeRef) {
	if depth > maxType {
		return
	}
	for _, t := range refs {
		if t == nil {
			continue
		}
		found[t.Unit] = true
		mentionTypes(found, depth+1, t.Args...)
		mentionTypes(found, depth+1, t.Union...)
		mentionMembers(found, depth+1, t.Members)
	}
}

func mentionMembers(found map[string]bool, depth int, list []model.Member) {
	for i := range list {
		mentionTypes(found, depth+1, list[i].Type)
	}
}
