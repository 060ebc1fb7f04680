package flow

import (
	"strconv"

	"github.com/retrysafe/retrysafe/analyzers/model"
)

// refusing reports whether a reply carries a status of HTTP that says that the request failed: as an argument (`c.JSON(409, body)`), in the chain that it
// goes on from (`res.status(409).json(body)`), or in its options (`{status: 409}`).
func refusing(reply *Event) bool {
	for t, n := reply.Recv, 0; t != nil && t.Kind == TCall && len(t.Args) > 0 && n < maxTermDepth; t, n = t.Args[0], n+1 {
		for _, a := range t.Args[1:] {
			if isFailureStatus(a) {
				return true
			}
		}
	}
	for _, a := range reply.Args {
		if isFailureStatus(a) {
			return true
		}
		if status, ok := a.Field("status"); ok && isFailureStatus(status) {
			return true
		}
	}
	return false
}

// isFailureStatus reports whether a value is a constant status of 400 to 599.
func isFailureStatus(t *Term) bool {
	if t == nil || t.Kind != TConst || t.Const.Kind == model.String {
		return false
	}
	status, err := strconv.Atoi(t.Const.Text)
	return err == nil && status >= 400 && status < 600
}

// isReply reports whether a value is what a reply to the caller gives.
func (e *engine) isReply(v *Term) bool {
	if v == nil || v.Kind != TCall {
		return false
	}
	c := e.calls[v]
	return c != nil && c.EffectRow != nil && c.EffectRow.Effect.Reply && c.EffectRow.Effect.Kind == model.HTTP
}
