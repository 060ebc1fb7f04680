package flow

// filter gives the condition that a query builder makes as an object of column: value, nil where it is not one of equalities. What else a
// conjunction asks for stands under "...".
func (e *engine) filter(name string, args []*Term) *Term {
	if name == "filter.eq" {
		if len(args) < 2 || args[0].Kind != TMember {
			return nil
		}
		return e.intern(Term{Kind: TObject, Keys: []string{args[0].Name}, Args: []*Term{args[1]}})
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
