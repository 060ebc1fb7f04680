package rules

// All lists the rules in the order of their families.
func All() []*Rule {
	return []*Rule{
		badIgnore,
		staleIgnore,
	}
}

// Find gives the rule called name, nil if there is none.
func Find(name string) *Rule {
	for _, r := range All() {
		if r.Name == name {
			return r
		}
	}
	return nil
}
