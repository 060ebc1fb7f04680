package flow

import (
	"slices"

	"github.com/retrysafe/retrysafe/analyzers/model"
)

// announcement is the making of a tool's description, which is a tool once something registers it.
type announcement struct {
	call *Call
	name string
}

// describes notes that a call makes the description of a tool. One whose name is not known may be any of those that are registered.
func (e *engine) describes(call *Call, name *Term) {
	if name == nil {
		return
	}
	if text, ok := name.Text(); ok && text != "" {
		e.described = append(e.described, announcement{call, text})
	}
}

// leftDescriptions notes the descriptions of tools that nothing was seen to register, once all is evaluated: what they would do is not judged.
func (e *engine) leftDescriptions() {
	registered := map[string]bool{}
	for _, r := range e.registrations {
		registered[r.name] = true
	}
	for _, d := range e.described {
		taken := slices.ContainsFunc(e.registrations, func(r *registration) bool {
			return slices.ContainsFunc(r.call.Args, func(arg *Term) bool { return arg.Contains(d.call.Result) })
		})
		if !registered[d.name] && !taken {
			e.unresolved = append(e.unresolved, model.Note{Span: d.call.Span, What: "a tool is described here, and no registration of it was seen: it is not judged" + named(d.name)})
		}
	}
}
