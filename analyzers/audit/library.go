package audit

import (
	"slices"

	"github.com/retrysafe/retrysafe/analyzers/flow"
	"github.com/retrysafe/retrysafe/analyzers/model"
	"github.com/retrysafe/retrysafe/analyzers/typescript/modules"
)

// offers tells what the units within the scanned path offer to other programs: everything where they belong to a published package without a command, or
// are Go packages that no main package of the program imports, by itself or through others; handlers elsewhere.
func (r *Report) offers(units []*model.Unit, resolver *modules.Resolver) func(unit string) flow.Offer {
	served := map[string]bool{}
	byPath := map[string]*model.Unit{}
	for _, u := range units {
		byPath[u.Path] = u
	}
	var serve func(u *model.Unit)
	serve = func(u *model.Unit) {
		if u == nil || served[u.Path] {
			return
		}
		served[u.Path] = true
		for _, path := range u.Imports {
			serve(byPath[path])
		}
	}
	for _, u := range units {
		if u.Language == model.Go && slices.ContainsFunc(u.Funcs, func(f *model.Func) bool { return f.Name == "main" && f.Outer == 0 }) {
			serve(u)
		}
	}
	known := map[string]flow.Offer{}
	return func(path string) flow.Offer {
		offer, asked := known[path]
		if asked {
			return offer
		}
		u := byPath[path]
		switch {
		case u == nil || !slices.ContainsFunc(u.Files, r.Within):
		case u.Language == model.Go && !served[path], u.Language != model.Go && resolver.Library(path):
			offer = flow.Everything
		default:
			offer = flow.Handlers
		}
		known[path] = offer
		return offer
	}
}
