package flow

import "github.com/retrysafe/retrysafe/analyzers/model"

// asksRecord reports whether a condition asks what a lookup or a claim gave: the answer decides who is a repeat.
func (e *engine) asksRecord(t *Term) bool {
	if t == nil || t.flags&hasCall == 0 {
		return false
	}
	if known, ok := e.asksRecords[t]; ok {
		return known
	}
	e.asksRecords[t] = false
	found := false
	if t.Kind == TCall || t.Kind == TCatch {
		c := e.calls[t]
		found = c != nil && c.decides()
	}
	for _, a := range t.Args {
		if found {
			break
		}
		found = e.asksRecord(a)
	}
	e.asksRecords[t] = found
	return found
}

// decides reports whether a call can find out that a record is there already.
func (c *Call) decides() bool {
	if c.QueryRow != nil {
		return true
	}
	if c.RecordRow == nil {
		return false
	}
	switch c.RecordRow.Record.Op {
	case model.Lookup, model.Claim, model.Swap, model.Lock:
		return true
	}
	return false
}
