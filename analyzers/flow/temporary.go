package flow

import (
	"slices"
	"strconv"
	"strings"

	"github.com/retrysafe/retrysafe/analyzers/lazyregexp"
	"github.com/retrysafe/retrysafe/analyzers/model"
	"github.com/retrysafe/retrysafe/analyzers/query"
)

// OwnObject is the reason why a destructive effect does not count where it takes away what the same call of the tool made before.
const OwnObject = "object of the call's own"

// markOwn marks the destructive effects whose target is an object that the same call created, clean-up after itself, and the files that it makes for no
// longer than it runs.
func (e *engine) markOwn(t *Tool) {
	for _, x := range t.Effects {
		if x.Incidental == "" && (x.Nature == model.Destructive && e.ownObject(t, x) || x.Nature == model.Additive && passing(t, x)) {
			x.Incidental = OwnObject
		}
	}
}

// passing reports whether the file that an effect makes under a name of its own is moved over another one, or is gone, when the tool answers.
func passing(t *Tool, x *Effect) bool {
	if x.Kind != model.File || len(x.Args) == 0 || x.Args[0].Kind == TUnknown {
		return false
	}
	for _, y := range t.Effects {
		if y.Kind != model.File || y.Order <= x.Order || len(y.Args) == 0 || y.Args[0] != x.Args[0] || !movesFile(y.Symbol) && y.Nature != model.Destructive {
			continue
		}
		if !slices.ContainsFunc(t.Returns, func(ret *Return) bool { return !ret.Throws && ret.Path.passes(x.Call) && !ret.Path.passes(y.Call) }) {
			return true
		}
	}
	return false
}

func (e *engine) ownObject(t *Tool, x *Effect) bool {
	if x.Kind == model.File && len(x.Args) > 0 && draft(t, x) {
		return true
	}
	for _, target := range e.targets(x) {
		for _, y := range t.Effects {
			if y.Order < x.Order && y.Call != x.Call && e.creates(y, target) {
				return true
			}
		}
	}
	return false
}

// draft reports whether a file is taken away that the same call wrote under a name of its own, or beside another and would have moved over it.
func draft(t *Tool, x *Effect) bool {
	written, moved := false, false
	for _, y := range t.Effects {
		if y.Kind != model.File || y.Order >= x.Order || len(y.Args) == 0 || y.Args[0] != x.Args[0] {
			continue
		}
		if movesFile(y.Symbol) {
			moved = true
		} else if y.Nature != model.Destructive {
			written = true
			moved = moved || y.Nature == model.Additive && y.Call.RecordRow != nil && y.Call.RecordRow.Record.Op == model.Put
		}
	}
	return written && moved
}

// movesFile reports whether a call puts a file at another place: its second argument.
func movesFile(symbol string) bool {
	return strings.HasPrefix(strings.ToLower(symbol[strings.LastIndexAny(symbol, ".#")+1:]), "rename")
}

// targets lists the values that tell which object an effect is about: the columns of its filter, what varies at the end of its URL, its first
// argument, in a cloud also the ids after it, or the object whose method it is.
func (e *engine) targets(x *Effect) []*Term {
	var out []*Term
	if len(x.Event.Statements) > 0 {
		for i := range x.Event.Statements {
			s := &x.Event.Statements[i]
			if s.WhereComplex {
				continue
			}
			for _, w := range s.Where {
				if v := s.Bind(w.Operand); v != nil && (w.Op == "=" || w.Op == "IN") {
					out = append(out, v)
				}
			}
			for _, tab := range s.Tables[:min(1, len(s.Tables))] {
				if s.Verb == query.Drop && tab.Hole >= 0 {
					out = append(out, orUndefined(e, s.Bind(query.Operand{Kind: query.Hole, Index: tab.Hole})))
				}
			}
		}
		return out
	}
	add := func(v *Term) {
		if v.Kind == TObject {
			out = append(out, v.Args...)
			return
		}
		out = append(out, v)
	}
	switch rec := e.recordOf(x.Call); {
	case rec != nil && rec.Key != nil:
		add(rec.Key)
	case x.EffectRow != nil && x.EffectRow.Effect.URL != "":
		if u := e.recorded(x.Call).first(x.EffectRow.Effect.URL); u != nil {
			out = append(out, u)
		}
	case len(x.Args) > 0:
		add(x.Args[0])
		for _, id := range x.Args[1:] {
			if x.Kind == model.Cloud && id.Kind != TObject && id.Kind != TClosure {
				out = append(out, id) // the object within what the first argument names: delete(project, branch)
			}
		}
	case x.Recv != nil:
		out = append(out, x.Recv)
	}
	return out
}

// creates reports whether an effect brought the target into being: the target is read from what the effect gave, or is a name that was
// drawn at random for it.
func (e *engine) creates(y *Effect, target *Term) bool {
	if y.Nature != model.Additive && y.Nature != model.Replacing || y.Confidence < model.Likely {
		return false
	}
	if y.Nature == model.Additive && y.Result != nil && y.Result.Kind == TCall {
		found, all := false, true
		for _, alt := range target.Alternatives() {
			if !alt.IsNullish() {
				found = true
				all = all && readFrom(alt, y.Result, y.Kind == model.Database)
			}
		}
		if found && all {
			return true
		}
	}
	for _, o := range e.origins(target) {
		if o.Kind != OriginRandom && o.Kind != OriginTimeID || o.Term == nil {
			continue
		}
		for _, a := range y.Args {
			if a.Contains(o.Term) {
				return true
			}
		}
	}
	return false
}

// elsewhere matches the fields of a new object that name another one.
var elsewhere = lazyregexp.New(`(?i)^_?(old|prev|previous|parent|source|original|existing|replaced|owner|user|project|account)`)

// readFrom reports whether a value is the result of a call or a member of it. Of a text the last part that varies counts. An element of a list
// is one only where rows are what a creation gives: of other calls it was found, not made.
func readFrom(t, result *Term, rows bool) bool {
	for depth := 0; t != nil && depth < maxTermDepth; depth++ {
		if t == result {
			return true
		}
		if !t.Contains(result) {
			return false
		}
		switch t.Kind {
		case TMember:
			if _, err := strconv.Atoi(t.Name); err == nil && !rows || elsewhere.MatchString(t.Name) {
				return false
			}
			t = t.Args[0]
		case TIndex, TElement:
			if !rows {
				return false
			}
			t = t.Args[0]
		case TCast:
			t = t.Args[0]
		case TCall:
			// a conversion of the result: text(), json(), parse(…), encodeURIComponent(…)
			next := (*Term)(nil)
			for _, a := range t.Args {
				if a.Contains(result) {
					next = a
					break
				}
			}
			t = next
		case TConcat:
			last := (*Term)(nil)
			for _, p := range t.Args {
				if p.Kind != TConst {
					last = p
				}
			}
			t = last
		case TUnion:
			for _, alt := range t.Args {
				if !alt.IsNullish() && !readFrom(alt, result, rows) {
					return false
				}
			}
			return true
		case TObject, TArray:
			for _, a := range t.Args {
				if readFrom(a, result, rows) {
					return true
				}
			}
			return false
		default:
			return false
		}
	}
	return false
}
