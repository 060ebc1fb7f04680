package flow

import "github.com/retrysafe/retrysafe/analyzers/model"

// notePick notes that a loop walks the headers of an answer and decides about each whether to keep it. Whether a way through the loop has kept one is
// forgotten where the ways meet.
func (e *engine) notePick(fn *Function, head model.BlockID, seq *Term) {
	if seq.flags&(hasInput|hasCall) == 0 || e.picked[seq] || !e.holdsReply(seq) {
		return
	}
	for b := range fn.inLoop[head] {
		if b != head && fn.Blocks[b].Term == model.If {
			e.picked[seq] = true
			return
		}
	}
}

// holdsReply reports whether the headers of an answer are part of a value.
func (e *engine) holdsReply(t *Term) bool {
	return e.comesFrom(t, OriginReply)
}

// Picked reports whether a value is made from headers of an answer of which a loop picks some.
func (r *Result) Picked(v *Term) bool {
	return v.Any(func(t *Term) bool { return r.engine.picked[t] })
}
