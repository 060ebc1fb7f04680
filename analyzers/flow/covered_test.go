package flow

import (
	"testing"

	"github.com/retrysafe/retrysafe/analyzers/model"
)

// TestCovers compares the surroundings of a handler in two ways of building a server.
func TestCovers(t *testing.T) {
	e := newEngine(NewProgram(nil, nil))
	fn := &Function{Func: &model.Func{Name: "handle"}}
	build := &Function{Func: &model.Func{Name: "build"}, id: 1}
	const logger, own = "example.com/log#Logger", "?#store"
	at := func(op model.ID) *Site { return &Site{Fn: build, Op: op} }
	called := func(sym string, op model.ID) *Term { return e.intern(Term{Kind: TCall, Sym: sym, Site: at(op)}) }
	unknown := func(sym string, op model.ID) *Term {
		return e.intern(Term{Kind: TUnknown, Name: "p", Sym: sym, Site: at(op)})
	}
	handler := func(args ...*Term) *Term { return e.intern(Term{Kind: TClosure, Fn: fn, Args: args}) }
	made := at(7)
	holds := func(ctx int64, v *Term) *Term {
		ref := e.intern(Term{Kind: TRef, Name: "object", Site: made, ctx: ctx})
		e.heap.setGlobal(ref, e.heap.intern(object{keys: []string{"log"}, vals: []*Term{v}}))
		return ref
	}
	known, other := called(logger, 1), called(logger, 2)
	list := e.union(holds(10, e.text("a")), holds(11, e.text("b")))
	loop := e.intern(Term{Kind: TRef, Name: "object", Site: made, ctx: 20})
	ring := e.intern(Term{Kind: TRef, Name: "object", Site: made, ctx: 21})
	e.heap.setGlobal(loop, e.heap.intern(object{keys: []string{"log", "self"}, vals: []*Term{known, loop}}))
	e.heap.setGlobal(ring, e.heap.intern(object{keys: []string{"log", "self"}, vals: []*Term{unknown(logger, -2), ring}}))
	for _, test := range []struct {
		name         string
		known, other *Term
		want         bool
	}{
		{"a parameter of an outside type", handler(known), handler(unknown(logger, -2)), true},
		{"not the other way round", handler(unknown(logger, -2)), handler(known), false},
		{"two clients", handler(known), handler(other), false},
		{"another outside type", handler(known), handler(unknown("example.com/db#DB", -2)), false},
		{"a type of the program", handler(called(own, 3)), handler(unknown(own, -2)), false},
		{"a setting", handler(e.text("on")), handler(unknown("js#String", -2)), false},
		{"one array of several", handler(list), handler(unknown("js#Array", -2)), true},
		{"objects of one place that hold the same", handler(holds(1, known)), handler(holds(2, known)), true},
		{"objects of one place that hold different clients", handler(holds(3, known)), handler(holds(4, other)), false},
		{"an object of which less is known", handler(holds(5, known)), handler(holds(6, unknown(logger, -3))), true},
		{"objects that hold themselves", handler(loop), handler(ring), true},
		{"another function", handler(known), e.intern(Term{Kind: TClosure, Fn: build, Args: []*Term{unknown(logger, -2)}}), false},
	} {
		c := covering{e: e, asked: map[[2]*Term]bool{}}
		if got := c.covers(test.known, test.other, maxCovering); got != test.want {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
	reg := &registration{row: &model.Row{}}
	all := []entered{{reg, handler(unknown(logger, -2))}, {reg, handler(known)}, {reg, handler(other)}, {reg, handler(unknown(logger, -3))}}
	if kept := e.withoutCovered(all); len(kept) != 2 || kept[0] != all[1] || kept[1] != all[2] {
		t.Errorf("kept %d of the handlers, want the two with known clients", len(kept))
	}
}
