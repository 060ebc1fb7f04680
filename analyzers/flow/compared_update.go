package flow

import (
	"slices"

	"github.com/retrysafe/retrysafe/analyzers/model"
	"github.com/retrysafe/retrysafe/analyzers/query"
)

// swaps reports whether a repeat of an update finds nothing to change: of the row that the caller names it asks for what the caller says, or a constant, in
// some column, and it changes that very column.
func (r *Result) swaps(x *Effect) bool {
	if x.Kind != model.Database || x.Nature == model.Destructive {
		return false
	}
	for i := range x.Event.Statements {
		s := &x.Event.Statements[i]
		if s.Verb != query.Update {
			continue
		}
		asked := map[string]*Term{}
		for _, w := range s.Where {
			if w.Op == "=" {
				asked[w.Column] = s.Bind(w.Operand)
			}
		}
		if r.leavesAsked(asked, func(column string, want *Term) bool {
			return slices.ContainsFunc(s.Set, func(a query.Assignment) bool {
				return query.SameName(a.Column, column) && (a.Increment || r.another(s.Bind(a.Operand), want))
			})
		}) {
			return true
		}
	}
	rec := r.engine.recordOf(x.Call)
	if rec == nil || rec.Op != model.Swap && rec.Op != model.Put || len(x.Event.Statements) > 0 {
		return false
	}
	return r.leavesAsked(rec.Cols, func(column string, want *Term) bool {
		for set, v := range rec.Set {
			if query.SameName(set, column) && (increments(v) || r.another(v, want)) {
				return true
			}
		}
		return false
	})
}

// leavesAsked reports whether one of the columns by which a row is asked for is changed, and another one names the row by what the caller sends.
func (r *Result) leavesAsked(asked map[string]*Term, changed func(column string, want *Term) bool) bool {
	for column, want := range asked {
		if !r.named(want) || !changed(column, want) {
			continue
		}
		for other, v := range asked {
			if other != column && r.named(v) && v.Kind != TConst {
				return true
			}
		}
	}
	return false
}

// named reports whether a value that is asked for is a constant or what the caller sends, so that a repeat asks for the same.
func (r *Result) named(v *Term) bool {
	if v == nil || v.IsNullish() {
		return false
	}
	if v.Kind == TConst {
		return true
	}
	origins := r.engine.origins(v)
	return len(origins) > 0 && !slices.ContainsFunc(origins, func(o Origin) bool {
		return o.Kind != OriginArguments && o.Kind != OriginHeader && o.Kind != OriginBody && o.Kind != OriginConstant
	})
}

// another reports whether a value is surely another one than what was asked for: one constant and another.
func (r *Result) another(v, asked *Term) bool {
	if v == nil || asked == nil {
		return false
	}
	same, known := sameValue(v, asked)
	return known && !same || v.Kind == TOp && (v.Name == "+" || v.Name == "-") && slices.Contains(v.Args, asked)
}

// increments reports whether a value of an update is a change relative to the present one: {increment: 1}.
func increments(v *Term) bool {
	return v.Kind == TObject && len(v.Keys) == 1 && (v.Keys[0] == "increment" || v.Keys[0] == "decrement")
}
