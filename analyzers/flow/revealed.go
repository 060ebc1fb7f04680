package flow

import "slices"

// Revealed lists the calls that compute a code which can be read off a value: the value itself, a text or object that holds it. What a comparison or a hash of it
// gives tells nothing.
func (r *Result) Revealed(t *Term) []*Call { return r.engine.revealed(t) }

// Logs reports whether the call writes what it is given where operators read it.
func (c *Call) Logs() bool { return c.logs }

func (e *engine) revealed(t *Term) []*Call {
	if t == nil || t.flags&(hasCall|hasRef) == 0 {
		return nil
	}
	var out []*Call
	t.Walk(func(u *Term) bool {
		switch u.Kind {
		case TOp:
			return u.Name == "+" || u.Name == "||" || u.Name == "??"
		case TMember:
			return u.Name != "length"
		case TCall:
			c := e.calls[u]
			switch {
			case c == nil:
			case c.CheckRow != nil || c.RecordRow != nil || c.QueryRow != nil || c.EffectRow != nil:
				return false
			case c.OriginRow != nil && e.computesMAC(c):
				if !slices.Contains(out, c) {
					out = append(out, c)
				}
				return false
			case c.OriginRow != nil && !rewrites(c.OriginRow.Origin):
				return false
			}
		}
		return u.flags&(hasCall|hasRef) != 0
	})
	return out
}
