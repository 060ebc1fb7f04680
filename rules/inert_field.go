package rules

import (
	"fmt"

	"github.com/retrysafe/retrysafe/analyzers/model"
)

// mark is a field of a type of the program that is set to true.
type mark struct {
	field string
	at    model.Span
	by    globalRef // the function that sets it where it is called for that alone, by its index in the unit
}

// checkInertFields reports fields and options whose name claims protection, which the program sets and never reads.
func checkInertFields(p *Pass) {
	byPath := map[string]*model.Unit{}
	read := map[string]bool{}
	for _, u := range p.Options.Units {
		byPath[u.Path] = u
		for _, f := range u.Funcs {
			for i := range f.Ops {
				switch op := &f.Ops[i]; {
				case op.Kind == model.Load && markerName.MatchString(op.Name):
					read[op.Name] = true
				case op.Kind == model.Constant && op.Const.Kind == model.String && markerName.MatchString(op.Const.Text):
					read[op.Const.Text] = true // reflection, or a name in the encoded form
				}
			}
		}
	}
	var options []mark
	for _, u := range p.Options.Units {
		for _, f := range u.Funcs {
			for _, m := range marksOf(byPath, u, f) {
				switch {
				case read[m.field]:
				case m.by != (globalRef{}):
					options = append(options, m)
				default:
					reportMark(p, m.field, m.at, model.Span{})
				}
			}
		}
	}
	for _, m := range options {
		name := byPath[m.by.unit].Funcs[m.by.ref].Name
		for _, u := range p.Options.Units {
			for _, f := range u.Funcs {
				for i := range f.Ops {
					op := &f.Ops[i]
					if op.Kind == model.Call && len(op.Args) > 0 && refersTo(u, f, op.Args[0], m.by) {
						reportMark(p, name, op.Span, m.at)
					}
				}
			}
		}
	}
}

func reportMark(p *Pass, name string, at, defined model.Span) {
	r := Report{At: at, Bound: name, Confidence: model.Likely,
		Message: fmt.Sprintf("%s promises that a repeat is safe, and nothing in the program reads it", quote(name))}
	if defined.IsValid() {
		r.Related = []Related{{defined, "the marker is defined here"}}
	}
	p.Report(r)
}

// marksOf lists the fields that a function sets to true and whose names claim protection.
func marksOf(byPath map[string]*model.Unit, u *model.Unit, f *model.Func) []mark {
	var out []mark
	for i := range f.Ops {
		op := &f.Ops[i]
		switch op.Kind {
		case model.Object:
			for j, part := range op.Parts {
				if markerName.MatchString(part.Key) && j < len(op.Args) && isTrue(f, op.Args[j]) && isPlainField(byPath, op.Type, part.Key) {
					at := part.Span
					if !at.IsValid() {
						at = op.Span
					}
					out = append(out, mark{field: part.Key, at: at})
				}
			}
		case model.Store:
			if len(op.Args) == 2 && markerName.MatchString(op.Name) && isTrue(f, op.Args[1]) && isPlainField(byPath, typeAt(f, op.Args[0]), op.Name) {
				out = append(out, mark{field: op.Name, at: op.Span, by: option(u, f)})
			}
		}
	}
	return out
}

// option finds the declared function around f that is named like a marker: one that is called to set a field.
func option(u *model.Unit, f *model.Func) globalRef {
	for range 8 {
		if f.Outer == 0 {
			break
		}
		f = u.Funcs[f.Outer-1]
	}
	if !markerName.MatchString(f.Name) {
		return globalRef{}
	}
	for i, other := range u.Funcs {
		if other == f {
			return globalRef{u.Path, int32(i)}
		}
	}
	return globalRef{}
}

func refersTo(u *model.Unit, f *model.Func, id model.ID, to globalRef) bool {
	if id < 0 || int(id) >= len(f.Ops) {
		return false
	}
	op := &f.Ops[id]
	unit := op.Name
	if unit == "" {
		unit = u.Path
	}
	return op.Kind == model.FuncRef && op.Ref == to.ref && unit == to.unit
}

func isTrue(f *model.Func, id model.ID) bool {
	return id >= 0 && int(id) < len(f.Ops) && f.Ops[id].Kind == model.Constant && f.Ops[id].Const.Kind == model.Bool && f.Ops[id].Const.Text == "true"
}

func typeAt(f *model.Func, id model.ID) *model.TypeRef {
	if id < 0 || int(id) >= len(f.Ops) {
		return nil
	}
	return f.Ops[id].Type
}

// isPlainField reports whether a field belongs to a class or struct of the program and has no name in an encoded form, in which others would read it.
func isPlainField(byPath map[string]*model.Unit, typ *model.TypeRef, name string) bool {
	if typ == nil || typ.Unit == "" || byPath[typ.Unit] == nil {
		return false
	}
	for _, t := range byPath[typ.Unit].Types {
		if t.Name != typ.Name || t.Kind != model.ClassType {
			continue
		}
		for i := range t.Members {
			if m := &t.Members[i]; m.Name == name && m.Kind == model.FieldMember {
				return m.Encoded == ""
			}
		}
	}
	return false
}
