package flow

import "github.com/retrysafe/retrysafe/analyzers/model"

// SigningKey gives the secret with which a call signs, or verifies a signature or token; nil if it does neither, or its key is not known.
func (r *Result) SigningKey(c *Call) *Term {
	var at model.Access
	switch {
	case c.CheckRow != nil && c.CheckRow.Check.Key != "":
		at = c.CheckRow.Check.Key
	case c.OriginRow != nil && c.OriginRow.Origin.Key != "":
		at = c.OriginRow.Origin.Key
	default:
		return nil
	}
	return r.engine.recorded(c).first(at)
}

// Literals lists the texts of the program that a value may be as a whole, as they are or written in another way. The empty text is none.
func (r *Result) Literals(t *Term) []string {
	var out []string
	seen := map[*Term]bool{}
	var walk func(*Term)
	walk = func(t *Term) {
		if t == nil || seen[t] {
			return
		}
		seen[t] = true
		switch t.Kind {
		case TConst:
			if t.Const.Kind == model.String && t.Const.Text != "" {
				out = append(out, t.Const.Text)
			}
		case TUnion:
			for _, alt := range t.Args {
				walk(alt)
			}
		case TCast:
			walk(t.Args[0])
		case TCall:
			c := r.engine.calls[t]
			if c != nil && c.OriginRow != nil && !rewrites(c.OriginRow.Origin) {
				return
			}
			if of := r.engine.rewritten(t); len(of) == 1 {
				walk(of[0])
			}
		}
	}
	walk(t)
	return out
}

// rewrites reports whether a row says of a call that it only writes its argument in another way.
func rewrites(spec *model.Origin) bool {
	switch spec.Kind {
	case "encode", "parse", "argument", "text":
		return true
	}
	return false
}
