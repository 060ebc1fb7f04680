package flow

// VerifiesEvent reports whether a tool or route verifies that a vendor has signed what it was sent.
func (r *Result) VerifiesEvent(t *Tool) bool { return r.engine.verifiesEvent(t) }

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
	return false
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
