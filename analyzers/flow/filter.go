package flow

// filter gives the condition that a query builder makes as an object of column: value, nil where it is not one of equalities. What else a
// conjunction asks for stands under "...".
func (e *engine) filter(name string, args []*Term) *Term {
	if name == "filter.eq" {
		if len(args) < 2 || args[0].Kind != TMember {
			return nil
		}
		of := args[1]
		if of.depth >= maxTermDepth {
			of = e.shallow(of) // which column is compared is known however the value came about
		}
		return e.intern(Term{Kind: TObject, Keys: []string{args[0].Name}, Args: []*Term{of}})
	}
	all := Term{Kind: TObject}
	equal := false
	for _, a := range args {
		switch {
		case a.IsNullish():
		case a.Kind == TObject:
			equal = true
			all.Keys, all.Args = append(all.Keys, a.Keys...), append(all.Args, a.Args...)
		default:
			all.Keys, all.Args = append(all.Keys, "..."), append(all.Args, a)
		}
	}
	if !equal {
		return nil
	}
	return e.intern(all)
}

// shallow gives an unknown value in place of one that is nested too deep to be part of another.
func (e *engine) shallow(t *Term) *Term {
	cut := Term{Kind: TUnknown, Name: "deep", Sym: t.Sym}
	if t.HasInput() {
		cut.Name = "deep input"
	}
	return e.intern(cut)
}
