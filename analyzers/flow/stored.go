package flow

// stored reports whether a value is a member of what a lookup in a store gave. It stays that, whatever the program declares its type to be: an
// instance of the type that is made up would not tell where it is from.
func (e *engine) stored(v *Term) bool {
	for i := 0; v.Kind == TMember && i < maxTermDepth; i++ {
		v = v.Args[0]
		if v.Kind == TCast {
			v = v.Args[0]
		}
		if c := e.calls[v]; c != nil && v.Kind == TCall {
			return c.RecordRow != nil || c.QueryRow != nil
		}
	}
	return false
}
