package flow

import "github.com/retrysafe/retrysafe/analyzers/model"

// construct evaluates the functions by whose declared result users of a library get its objects, where the program makes none itself: constructors in Go,
// factories that give what implements an interface.
func (x *exporter) construct() {
	e := x.e
	made := 0
	for _, u := range e.p.units {
		if x.offers(u.Path) == Nothing {
			continue
		}
		for _, f := range u.funcs {
			if f.Index == 0 || f.Outer > 0 || f.Type > 0 || f.called || f.Result == nil {
				continue
			}
			t := e.p.declared(resultOf(f))
			if t == nil || t.Kind == model.ClassType && (t.Abstract || len(e.created[t]) > 0 || u.Language != model.Go) ||
				t.Kind != model.ClassType && t.Kind != model.InterfaceType {
				continue
			}
			if made++; made > maxConstructed || e.total <= 0 || e.stopped {
				return
			}
			e.steps = constructSteps
			e.epoch++
			e.trim()
			s := e.invoke(f, nil, e.symbolic(f), nil, nil, nil)
			e.commit(s)
			if t.Kind == model.InterfaceType {
				e.keepGiven(t, s)
			}
		}
	}
}

// resultOf gives the type of what a function gives: in Go its first result, of a promise what it settles to.
func resultOf(f *Function) *model.TypeRef {
	t := f.Result
	for range 2 {
		if t != nil && len(t.Args) > 0 && t.Unit == "" && t.External == "" && (t.Name == "Promise" || t.Name == "tuple" || t.Name == "") {
			t = t.Args[0]
		}
	}
	return t
}

// keepGiven keeps the objects that a function gives as what implements an interface.
func (e *engine) keepGiven(t *Type, s *Summary) {
	for _, exit := range s.exits {
		if exit.throws || exit.value == nil {
			continue
		}
		for _, v := range exit.value.Alternatives() {
			obj := e.heap.global[v]
			if v.Kind != TRef || obj == nil || obj.kind == instanceObject || len(e.givenAs[t]) >= maxTargets {
				continue
			}
			if e.givenAs == nil {
				e.givenAs = map[*Type][]*Term{}
			}
			e.pin(v)
			e.givenAs[t] = appendUnique(e.givenAs[t], v)
		}
	}
}

// givenMember lists the methods of that name of the objects that implement an interface without a class.
func (e *engine) givenMember(t *Type, name string) []*Term {
	var out []*Term
	for _, v := range e.givenAs[t] {
		if obj := e.outlasting(v); obj != nil {
			if m := obj.get(name); m != nil && m.Kind == TClosure {
				out = append(out, m)
			}
		}
	}
	return out
}
