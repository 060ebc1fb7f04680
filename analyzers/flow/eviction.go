package flow

import (
	"strings"

	"github.com/retrysafe/retrysafe/analyzers/model"
)

// Eviction is a setting by which a store drops entries before their time when memory is short.
type Eviction struct {
	Policy string // as the store calls it
	// Span is where it is set.
	Span model.Span
}

// Evicts reports whether the store of a record drops entries before their time: it is a cache with a size. One that is made without any is none.
func (r *Result) Evicts(rec *Record) bool {
	if rec.Spec == nil || !rec.Spec.Evicts {
		return false
	}
	if !rec.Local || rec.Recv == nil {
		return true
	}
	for _, made := range rec.Recv.Alternatives() {
		c := r.engine.calls[made]
		if c == nil || len(c.Args) == 0 || c.Args[0].Kind != TObject {
			return true
		}
		for _, key := range c.Args[0].Keys {
			if key == "..." || strings.Contains(strings.ToLower(key), "max") || strings.EqualFold(key, "capacity") {
				return true
			}
		}
	}
	return false
}

// Eviction gives the setting by which the store of a record, seen by its vendor, drops entries before their time.
func (ix *Index) Eviction(rec *Record) (Eviction, bool) {
	if rec.Local || rec.EffectRow == nil {
		return Eviction{}, false
	}
	ev, ok := ix.res.evicting[rec.EffectRow.Effect.Vendor]
	return ev, ok
}
