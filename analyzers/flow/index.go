package flow

// Index answers questions about a whole program, above all about what is absent from it.
type Index struct {
	res *Result
}

// LocalOnly reports whether the program serves exactly one local caller: all its transports are stdio, and
// there is at least one.
func (ix *Index) LocalOnly() bool {
	if len(ix.res.Transports) == 0 {
		return false
	}
	for _, t := range ix.res.Transports {
		if t.Kind != "stdio" {
			return false
		}
	}
	return true
}

// StoreUses gives the record operations of all tools on the store called name, with the tool of each.
func (ix *Index) StoreUses(name string) []*Record {
	var out []*Record
	for _, t := range ix.res.Tools {
		for _, r := range t.Records {
			if r.Store == name {
				out = append(out, r)
			}
		}
	}
	return out
}

// Cleans reports whether somewhere in the program, whoever calls it, entries of the table or store are deleted by time or swept.
func (ix *Index) Cleans(table string) bool { return ix.res.cleaned[table] }

// Unique gives the unique constraints known for a table, as lists of columns.
func (ix *Index) Unique(table string) [][]string { return ix.res.unique[table] }
