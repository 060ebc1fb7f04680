package flow

import (
	"slices"
	"strings"
)

// VerifiesEvent reports whether a tool or route verifies that a vendor has signed what it was sent.
func (r *Result) VerifiesEvent(t *Tool) bool {
	if t.Kind == Webhook {
		return true
	}
	if known, ok := r.events[t]; ok {
		return known
	}
	if r.events == nil {
		r.events = map[*Tool]bool{}
	}
	r.events[t] = r.engine.verifiesEvent(t)
	return r.events[t]
}

func (e *engine) verifiesEvent(t *Tool) bool {
	for _, ev := range t.Events {
		if ev.CheckRow == nil || ev.CheckRow.Check == nil {
			continue
		}
		switch ev.CheckRow.Check.Kind {
		case "webhook":
			return true
		case "signature":
			if e.signsBody(ev.Call) {
				return true
			}
		}
	}
	return slices.ContainsFunc(e.verifications(t), e.signsEvent)
}

// signsEvent reports whether a verification compares the code of what was sent with one that came in a header.
func (e *engine) signsEvent(v *Verification) bool {
	return v.By == ByMAC &&
		slices.ContainsFunc(e.origins(v.Presented), func(o Origin) bool {
			return o.Kind == OriginHeader && o.Name != "" && !strings.EqualFold(o.Name, "cookie")
		}) &&
		slices.ContainsFunc(v.Signed, func(piece *Term) bool {
			return slices.ContainsFunc(e.origins(piece), func(o Origin) bool { return o.Kind == OriginBody || o.Kind == OriginArguments })
		})
}

// signsBody reports whether a signature may be that of what was sent. One over a header alone, such as a cookie that the program signed itself, says
// nothing of the rest.
func (e *engine) signsBody(c *Call) bool {
	header := false
	for _, o := range e.origins(e.recorded(c).first(c.CheckRow.Check.Of)) {
		switch o.Kind {
		case OriginBody, OriginArguments:
			return true
		case OriginHeader:
			header = true
		}
	}
	return !header
}
