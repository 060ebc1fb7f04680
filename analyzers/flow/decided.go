package flow

import "github.com/retrysafe/retrysafe/analyzers/model"

// asksRecord reports whether a condition asks what a lookup or a claim gave: the answer decides who is a repeat.
func (e *engine) asksRecord(t *Term) bool {
	return t.holdsCall(e.asksRecords, func(u *Term) bool {
		c := e.calls[u]
		return c != nil && c.decides()
	})
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
