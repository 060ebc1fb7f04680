package flow

import (
	"slices"
	"strings"

	"github.com/retrysafe/retrysafe/analyzers/lazyregexp"
	"github.com/retrysafe/retrysafe/analyzers/model"
)

// This file follows lists of what is allowed. Of a value that a program compares with constants, or looks up in a table of names, a way knows which of
// them it can be: that decides which method a request has, and which members of a table of functions a call can reach.

// limit tells that a value is one of some texts.
type limit struct {
	of    *Term
	texts []string
	at    model.Span // of the condition that says it
}

// maxListed bounds the texts of one limit.
const maxListed = 64

// limitOf gives what a condition says of a value that it leaves one of some texts. A condition that is one of several, as a helper gives them, limits
// the value where each of them does.
func (e *engine) limitOf(c Cond) (limit, bool) {
	t, holds := c.Term, c.True
	if t == nil {
		return limit{}, false
	}
	for t.Kind == TOp && t.Name == "!" {
		t, holds = t.Args[0], !holds
	}
	switch t.Kind {
	case TOp:
		if len(t.Args) != 2 {
			break
		}
		switch t.Name {
		case "==", "!=":
			if text, ok := t.Args[1].Text(); ok && t.Args[1].Const.Kind == model.String && (t.Name == "==") == holds {
				return limit{uncast(t.Args[0]), []string{text}, c.Span}, true
			}
		case "includes", "has":
			if texts, ok := textsOf(t.Args[0]); ok && holds {
				return limit{uncast(t.Args[1]), texts, c.Span}, true
			}
		}
	case TCall:
		if t.Name == "test" && len(t.Args) > 1 && holds && t.Args[0].Kind == TConst && t.Args[0].Const.Kind == model.Regexp {
			if texts, ok := textsOfPattern(t.Args[0].Const.Text); ok {
				return limit{uncast(t.Args[1]), texts, c.Span}, true
			}
		}
	case TUnion:
		var all limit
		for _, alt := range t.Args {
			if yes, known := e.truth(e.bare, alt); known && yes != holds {
				continue // this one would have decided otherwise
			}
			l, ok := e.limitOf(Cond{Term: alt, True: holds, Span: c.Span})
			if !ok || all.of != nil && all.of != l.of {
				return limit{}, false
			}
			all.of, all.texts, all.at = l.of, joinTexts(all.texts, l.texts), c.Span
		}
		return all, all.of != nil
	}
	return limit{}, false
}

func joinTexts(a, b []string) []string {
	out := slices.Clone(a)
	for _, text := range b {
		if !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	return out
}

// limitsSince lists what the facts after one of them say of values, as far as no call of interest gave them.
func (e *engine) limitsSince(f, before *fact) []limit {
	var out []limit
	for x := f; x != before; x = x.prev {
		if x.cond.Term == nil || x.cond.Term.Kind == TConst {
			continue
		}
		if l, ok := e.limitOf(x.cond); ok && !e.aboutCall(l.of) {
			out = append(out, l)
		}
	}
	return out
}

// find gives the texts that one of some limits leaves a value; of one of several values, what they leave each.
func findLimit(limits []limit, v *Term) (texts []string, ok bool) {
	v = uncast(v)
	for _, l := range limits {
		if l.of == v {
			return l.texts, true
		}
	}
	if v.Kind != TUnion {
		return nil, false
	}
	for _, alt := range v.Args {
		if text, is := alt.Text(); is {
			texts = joinTexts(texts, []string{text})
			continue
		}
		left, ok := findLimit(limits, alt)
		if !ok {
			return nil, false
		}
		texts = joinTexts(texts, left)
	}
	return texts, true
}

// jointLimits gives what holds of values on both of two ways that come together, where each of them says something else: the arms of a switch that go on
// alike leave a value one of all their constants.
func (e *engine) jointLimits(a, b, before *fact) []limit {
	mine := e.limitsSince(a, before)
	if len(mine) == 0 {
		return nil
	}
	theirs := e.limitsSince(b, before)
	if len(theirs) == 0 {
		return nil
	}
	var out []limit
	for _, l := range append(slices.Clone(mine), theirs...) {
		one, ok1 := findLimit(mine, l.of)
		two, ok2 := findLimit(theirs, l.of)
		if !ok1 || !ok2 || slices.ContainsFunc(out, func(o limit) bool { return o.of == l.of }) {
			continue
		}
		if texts := joinTexts(one, two); len(texts) <= maxListed {
			out = append(out, limit{l.of, texts, l.at})
		}
	}
	return out
}

// oneOf is the condition that a value is one of some texts.
func (e *engine) oneOf(l limit) *Term {
	if len(l.texts) == 1 {
		return e.intern(Term{Kind: TOp, Name: "==", Args: []*Term{l.of, e.text(l.texts[0])}})
	}
	sorted := slices.Sorted(slices.Values(l.texts))
	texts := make([]*Term, len(sorted))
	for i, text := range sorted {
		texts[i] = e.text(text)
	}
	return e.intern(Term{Kind: TOp, Name: "includes", Args: []*Term{e.tuple(texts...), l.of}})
}

// namesIn lists the names that a table holds where all of them are known: an object, map or set that nothing else was put into. wanted says, by what the
// table holds under a name, whether to list it; ok is false where it cannot say.
func (e *engine) namesIn(st *state, table *Term, wanted func(*Term) (yes, ok bool)) (names []string, ok bool) {
	if table == nil || table.Kind != TRef {
		return nil, false
	}
	obj := e.contents(st, table)
	if obj == nil || obj.kind != plainObject && obj.kind != mapObject || obj.rest != nil || obj.base != nil || obj.open || len(obj.keys) == 0 || len(obj.keys) > maxListed {
		return nil, false
	}
	if obj.kind == mapObject && e.longLived(st, table) && !e.isTable(table) {
		return nil, false // what was done so far
	}
	for i, key := range obj.keys {
		yes, known := wanted(obj.vals[i])
		if !known {
			return nil, false
		}
		if yes {
			names = joinTexts(names, []string{key})
		}
	}
	return names, len(names) > 0
}

func anyMember(*Term) (yes, ok bool) { return true, true }

// memberOf is the condition that a table of known names holds a key; nil where there may be others in it, and for the name of a header of an answer:
// ways that differ in whether they picked it are kept apart.
func (e *engine) memberOf(st *state, table, key *Term) *Term {
	if key.Kind == TConst {
		return nil
	}
	names, ok := e.namesIn(st, table, anyMember)
	if !ok || e.holdsReply(key) {
		return nil
	}
	return e.oneOf(limit{of: e.freeze(st, key, maxFreeze), texts: names})
}

// flagged is the condition that a table of constants holds something true under a key, where that is what the operation asks: `if (ALLOWED[method])`.
// It is nil where something else is asked.
func (e *engine) flagged(a *activation, st *state, id model.ID) (cond *Term, flip bool) {
	for id >= 0 {
		op := &a.fn.Ops[id]
		switch {
		case op.Kind == model.Unary && op.Name == "!":
			id, flip = op.Args[0], !flip
			continue
		case op.Kind == model.Convert:
			id = op.Args[0]
			continue
		case op.Kind != model.Load || op.Name != "" || len(op.Args) != 2 || e.p.keyedStore(a.fn, op.Args[0]):
			return nil, false
		}
		key := e.value(st, op.Args[1])
		if !operationKey(key) {
			return nil, false
		}
		names, ok := e.namesIn(st, e.value(st, op.Args[0]), func(v *Term) (yes, ok bool) {
			if v.Kind != TConst {
				return false, false
			}
			return e.truth(st, v)
		})
		if !ok {
			return nil, false
		}
		return e.oneOf(limit{of: e.freeze(st, key, maxFreeze), texts: names}), flip
	}
	return nil, false
}

// picking is how a callee was found in a table: under a key, as a member of what stands there.
type picking struct {
	table, key *Term
	path       []string
}

// pickedBy tells how the value of an operation was found in a table under a key that is not known.
func (e *engine) pickedBy(a *activation, st *state, id model.ID) (picking, bool) {
	var p picking
	for id >= 0 && int(id) < len(a.fn.Ops) && len(p.path) < maxHandlers {
		op := &a.fn.Ops[id]
		switch {
		case op.Kind == model.Load && op.Name != "":
			p.path = append(p.path, op.Name)
			id = op.Args[0]
			continue
		case op.Kind == model.Convert:
			id = op.Args[0]
			continue
		case op.Kind == model.Load && len(op.Args) == 2:
			p.table, p.key = e.value(st, op.Args[0]), e.value(st, op.Args[1])
		case op.Kind == model.Call && len(op.Args) == 2 && op.Args[0] >= 0 && a.fn.Ops[op.Args[0]].Kind == model.Load && a.fn.Ops[op.Args[0]].Name == "get":
			p.table, p.key = e.value(st, a.fn.Ops[op.Args[0]].Args[0]), e.value(st, op.Args[1])
		}
		break
	}
	slices.Reverse(p.path)
	return p, p.table != nil && operationKey(p.key)
}

// under gives the condition under which one of the callees that a table holds is the one that is called: that the key is one of its names. It is nil
// where that is not known.
func (e *engine) under(st *state, p picking, target *Term) *Term {
	names, ok := e.namesIn(st, p.table, func(v *Term) (yes, ok bool) {
		for _, name := range p.path {
			v = e.load(st, v, name, nil)
		}
		return slices.Contains(v.Alternatives(), target), true
	})
	if !ok {
		return nil
	}
	return e.oneOf(limit{of: e.freeze(st, p.key, maxFreeze), texts: names})
}

// open reports whether a way can be gone by a call of the tool: what it says of a value leaves some text, also of those that the schema allows an argument.
func (f *filler) open(p Path) bool {
	var limits []limit
	for _, c := range p.Conds {
		l, ok := f.e.limitOf(c)
		if !ok {
			continue
		}
		if allowed, known := f.allowed(l.of); known {
			l.texts = among(l.texts, allowed)
		}
		for i := range limits {
			if limits[i].of == l.of {
				l.texts = among(l.texts, limits[i].texts)
				limits[i].texts = l.texts
			}
		}
		if len(l.texts) == 0 {
			return false
		}
		limits = append(limits, l)
	}
	return true
}

// allowed gives the texts that the schema leaves an argument, once for each.
func (f *filler) allowed(v *Term) (texts []string, ok bool) {
	if known, asked := f.schema[v]; asked {
		return known, known != nil
	}
	texts, free, ok := f.e.chosenTexts(f.t, v)
	if free || len(texts) == 0 {
		ok = false
	}
	if !ok {
		texts = nil
	}
	if f.schema == nil {
		f.schema = map[*Term][]string{}
	}
	f.schema[v] = texts
	return texts, ok
}

func among(texts, allowed []string) []string {
	var out []string
	for _, text := range texts {
		if slices.Contains(allowed, text) {
			out = append(out, text)
		}
	}
	return out
}

// plainChoice matches a regular expression that allows some words and nothing else.
var plainChoice = lazyregexp.New(`^/?\^(?:\((?:\?:)?([\w-]+(?:\|[\w-]+)*)\)|([\w-]+))\$(?:/[a-z]*)?$`)

// textsOfPattern lists the texts that a regular expression matches, where it is a choice of words.
func textsOfPattern(literal string) (texts []string, ok bool) {
	m := plainChoice.FindStringSubmatch(literal)
	if m == nil {
		return nil, false
	}
	if m[2] != "" {
		return []string{m[2]}, true
	}
	return strings.Split(m[1], "|"), true
}
