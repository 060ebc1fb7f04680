package flow

import (
	"slices"
	"strings"

	"github.com/retrysafe/retrysafe/analyzers/model"
)

// way is one way to a place: the facts of each activation on it, outermost first.
type way []*fact

// answer gives what an outcome of a handler tells its caller, and whether that is a failure. A Go handler gives an error as its last result: it
// is no part of the answer, and where it is not nil there is none.
func (e *engine) answer(fn *Function, x exit) (value, err *Term, fails bool) {
	if fn.Unit.Language != model.Go || x.value == nil {
		return x.value, nil, false
	}
	var answers, errs []*Term
	for _, alt := range x.value.Alternatives() {
		results := x.results(alt)
		n := len(results)
		if n > 1 && !results[n-1].IsNullish() {
			errs = append(errs, results[n-1])
		}
		switch {
		case n < 2:
			answers = append(answers, alt)
		case e.isError(x.facts, results[n-1]):
		case n == 2:
			answers = append(answers, results[0])
		default:
			answers = append(answers, e.tuple(results[:n-1]...))
		}
	}
	if len(errs) > 0 {
		err = e.union(errs...)
	}
	if len(answers) == 0 {
		return x.value, err, true
	}
	return e.union(answers...), err, false
}

// isError reports whether an error is surely there: it was made here, or compared with nil.
func (e *engine) isError(facts *fact, err *Term) bool {
	switch err.Kind {
	case TRef, TObject, TSymbol:
		return true
	case TUnion: // wrapped in one of several ways
		if !slices.ContainsFunc(err.Args, func(alt *Term) bool { return !e.isError(facts, alt) }) {
			return true
		}
	}
	for f, n := facts, 0; f != nil && n < 256; f, n = f.prev, n+1 {
		c := f.cond
		if c.Term == nil || c.Term.Kind != TOp || len(c.Term.Args) != 2 || !c.Term.Args[1].IsNullish() || !within(err, c.Term.Args[0]) {
			continue
		}
		return (c.Term.Name == "!=") == c.True
	}
	return false
}

// within reports whether each alternative of a value is one of the other's: it is the same value, or what a condition left of it.
func within(t, of *Term) bool {
	if t == of {
		return true
	}
	all := of.Alternatives()
	return len(all) > 1 && !slices.ContainsFunc(t.Alternatives(), func(alt *Term) bool { return !slices.Contains(all, alt) })
}

// fill lists what the summaries of a tool's handler say.
func (e *engine) fill(t *Tool, sums []*Summary) {
	f := &filler{e: e, t: t, events: map[*Call]*Event{}, visits: map[*Summary]int{}, reads: map[readKey]bool{}, compared: map[*Comparison]bool{}, from: map[*Event]int{}, asked: map[foundOut]bool{}}
	for i, s := range sums {
		f.handler = i
		f.walk(s, []way{nil}, nil, passage{})
		t.Gaps |= s.gaps
		for _, x := range s.exits {
			value, err, fails := e.answer(s.fn, x)
			if !x.throws && e.isReply(value) {
				continue // the reply itself is the answer
			}
			t.Returns = append(t.Returns, &Return{Error: err, Value: e.freeze(&state{heap: &overlay{own: x.heap}}, orUndefined(e, value), maxFreeze), Throws: x.throws || fails, Path: e.path([]*fact{x.facts}), Span: x.span})
		}
	}
	t.Events = slices.DeleteFunc(t.Events, func(ev *Event) bool { return ev.driven && !ev.about() })
	released := map[release]*Event{}
	for i, ev := range t.Events {
		ev.Order = i
		if ev.EffectRow != nil && ev.EffectRow.Effect.Reply {
			if ev.EffectRow.Effect.Kind != model.HTTP {
				continue // a notification on the way is no answer
			}
			var vals []*Term
			vals = append(vals, ev.Args...)
			for _, p := range ev.Paths {
				t.Returns = append(t.Returns, &Return{Value: e.union(append(vals, e.undefined)...), Path: p, Span: ev.Span, Reply: ev})
			}
			continue
		}
		r := e.record(ev)
		if r != nil && r.Op == model.Release {
			if same := released[r.released()]; same != nil {
				same.Paths = append(same.Paths, ev.Paths...)
				continue
			}
			released[r.released()] = ev
		}
		if r != nil {
			t.Records = append(t.Records, r)
		}
		for _, eff := range e.effects(ev) {
			if ev.Sent {
				eff.Confidence = min(eff.Confidence, model.Likely)
			}
			if r != nil && r.Op == model.Put && r.Key != nil && !r.HasTTL && eff.Nature == model.Replacing && eff.Verb != "UPDATE" && e.fresh(r.Key) && !(r.Spec.Conflict != "" && e.againFound(r)) {
				eff.Nature = model.Additive // another thing under another id
			}
			if r != nil && r.Op == model.Claim && eff.EffectRow != nil && eff.Spec.Enforced && eff.Nature == model.Replacing && e.unconstrained(r) {
				eff.Nature = model.Additive // a conflict that never comes
			}
			e.markGone(eff, r)
			t.Effects = append(t.Effects, eff)
		}
		if (ev.Unresolved || ev.Unlisted) && !e.turns(ev.Call) {
			t.Unresolved = append(t.Unresolved, ev)
		}
	}
	e.markAdding(t)
	e.markIncidental(t)
	e.markCached(t)
	e.markOwn(t)
	e.markSignIn(t)
	e.markTelemetry(t)
	e.markReplaced(t)
	e.markBeside(t)
	t.Nature = model.Read
	for _, eff := range t.Effects {
		if eff.Incidental == "" && eff.Confidence >= model.Likely && eff.Nature.Rank() > t.Nature.Rank() {
			t.Nature = eff.Nature
		}
	}
	if t.Nature == model.Read {
		for _, eff := range t.Effects {
			if eff.Incidental == "" && !eff.asked && eff.Nature.Rank() > t.Nature.Rank() {
				t.Nature = eff.Nature
			}
		}
	}
	if t.Nature == model.Read && slices.ContainsFunc(t.Effects, func(x *Effect) bool { return x.asked }) {
		t.Confidence = min(t.Confidence, model.Possible)
	}
	kept := func(x *Effect) bool { return x.Incidental == namedTemporary }
	if t.Nature == model.Read && slices.ContainsFunc(t.Effects, kept) {
		t.Confidence = min(t.Confidence, model.Likely)
	}
	if t.Nature == model.Read && (t.Gaps != 0 || len(t.Unresolved) > 0) {
		t.Confidence = min(t.Confidence, model.Likely) // what was not followed may write
	}
}

// release is a place at which a record is given up. A deferred call and a finally block are written once and run on several ways.
type release struct {
	span          model.Span
	symbol, store string
	key           *Term
}

func (r *Record) released() release { return release{r.Span, r.Symbol, r.Store, r.Key} }

type filler struct {
	e        *engine
	t        *Tool
	events   map[*Call]*Event
	visits   map[*Summary]int
	reads    map[readKey]bool
	compared map[*Comparison]bool
	// handler numbers the handler that is walked, of those that several servers register; from is the one from which the way to an event is told.
	handler int
	from    map[*Event]int
	schema  map[*Term][]string // what it leaves arguments, nil where it leaves them free
	asked   map[foundOut]bool  // what is known to be found out on the ways to an event
}

// link is a step of the way to a call, and those before it.
type link struct {
	Step
	before *link
	length int
}

func (l *link) then(s Step) *link {
	n := 1
	if l != nil {
		n = l.length + 1
	}
	return &link{s, l, n}
}

// steps lists the steps, the first one first.
func (l *link) steps() []Step {
	out := make([]Step, l.length)
	for i := l.length - 1; i >= 0; i-- {
		out[i], l = l.Step, l.before
	}
	return out
}

// passage tells how control gets from the entry to a step beside plain calls: into what runs on its own, and over channels.
type passage struct{ spawned, sent, driven bool }

func (p passage) through(st *step) passage {
	return passage{p.spawned || st.spawned || st.sent, p.sent || st.sent, p.driven || st.driven}
}

func (f *filler) walk(s *Summary, ways []way, chain *link, by passage) {
	if f.visits[s]++; f.visits[s] > 6 || chain != nil && chain.length > maxCallDepth {
		return
	}
	for _, r := range s.reads {
		k := readKey{r.Term, r.Span}
		if f.reads[k] {
			continue
		}
		f.reads[k] = true
		role, name := f.e.inputRole(r.Term)
		if role == "" {
			continue
		}
		f.t.Reads = append(f.t.Reads, &Read{Term: r.Term, Role: role, Name: name, Span: r.Span, Fn: r.Fn})
	}
	for _, c := range s.comparisons {
		if !f.compared[c] && !by.driven {
			f.compared[c] = true
			reached := *c
			if chain != nil {
				reached.Chain = chain.steps()
			}
			f.t.Comparisons = append(f.t.Comparisons, &reached)
		}
	}
	for _, st := range s.steps {
		if !st.tells() {
			continue
		}
		here := chain.then(Step{Span: st.span, What: st.what, fn: s.fn, op: st.op})
		if st.sub != nil {
			f.walk(st.sub, extend(ways, st.paths), here, by.through(st))
			continue
		}
		at := by.through(st)
		ev := f.events[st.call]
		var open []Path
		var told []uint64 // what each of them has found out about records
		var stale []way   // those that tell nothing that is worth a path
		for _, w := range extend(ways, st.paths) {
			asked := f.e.askedOn(w)
			if ev != nil && !f.isNews(ev, asked) {
				stale = append(stale, w)
			} else if p := f.e.path(w); f.open(p) {
				open, told = append(open, p), append(told, asked)
			}
		}
		if len(open) == 0 {
			better := ev != nil && (ev.Sent && !at.sent || ev.driven && !at.driven || here.length < len(ev.Chain))
			if !better || !slices.ContainsFunc(stale, func(w way) bool { return f.open(f.e.path(w)) }) {
				continue
			}
		}
		if ev == nil {
			if len(f.t.Events) >= maxEvents {
				if f.t.Gaps&EventsGap == 0 {
					f.t.Gaps |= EventsGap
					f.e.cutAt(f.t.Span, "more than "+itoa(maxEvents)+" external calls in one tool or route: those after them were not looked at")
				}
				return
			}
			ev = &Event{Call: st.call, Tool: f.t, Chain: here.steps(), Spawned: at.spawned, Sent: at.sent, driven: at.driven}
			f.events[st.call], f.from[ev] = ev, f.handler
			f.t.Events = append(f.t.Events, ev)
		} else {
			ev.Sent, ev.driven = ev.Sent && at.sent, ev.driven && at.driven
			if here.length < len(ev.Chain) && f.from[ev] == f.handler {
				ev.Chain = here.steps()
			}
		}
		for i, p := range open {
			if f.isNews(ev, told[i]) {
				f.asked[foundOut{ev, told[i]}] = true
				ev.Paths = append(ev.Paths, p)
			}
		}
	}
}

// isNews reports whether a way to an event is worth a path of its own: one of the first few, or one that has found out something about records that none of the
// others has, as the way to a helper that answers every failure.
func (f *filler) isNews(ev *Event, told uint64) bool {
	return len(ev.Paths) < 2*maxPaths || len(ev.Paths) < mostPaths && !f.asked[foundOut{ev, told}]
}

// foundOut stands for what the ways to an event have found out about records.
type foundOut struct {
	ev   *Event
	told uint64
}

// askedOn gives a sum of what a way has found out about records.
func (e *engine) askedOn(w way) (sum uint64) {
	for _, seg := range w {
		sum += e.sums(seg).asked
	}
	return sum
}

// tells reports whether a step leads to something that a tool's account lists.
func (st *step) tells() bool {
	if st.sub != nil {
		return st.sub.tells()
	}
	c := st.call
	return c.interesting() || c.Unresolved || c.Unlisted || c.OriginRow != nil || c.InputRow != nil || c.EffectRow != nil || c.discloses || c.change != nil
}

// tells reports the same of a summary, once it is complete.
func (s *Summary) tells() bool {
	if s.told == nil {
		tells := len(s.reads) > 0 || len(s.comparisons) > 0 || slices.ContainsFunc(s.steps, (*step).tells)
		s.told = &tells
	}
	return *s.told
}

func extend(ways []way, paths []*fact) []way {
	if len(paths) == 0 {
		paths = []*fact{nil}
	}
	var out []way
	for _, w := range ways {
		for _, p := range paths {
			if len(out) >= 2*maxPaths {
				return out
			}
			out = append(out, append(append(way(nil), w...), p))
		}
	}
	return out
}

// path spells out the facts of a way. Of the constants that a value was compared with in vain, as in the last arms of a long switch, those
// compared last are kept.
func (e *engine) path(w way) Path {
	e.walks++
	told := e.told[:0]
	calls := 0
	for _, seg := range w {
		from := len(told)
		told = e.notable(told, seg)
		kept := told[:from]
		for _, x := range told[from:] {
			if x.again(e.walks) {
				continue
			}
			kept = append(kept, x)
			if x.call != nil {
				calls++
			}
		}
		told = kept
	}
	e.told = told
	var p Path
	if calls > 0 {
		p.Before = make([]Before, 0, calls)
	}
	if calls < len(told) {
		p.Conds = make([]Cond, 0, len(told)-calls)
	}
	for _, x := range told {
		if x.call != nil {
			p.Before = append(p.Before, Before{Call: x.call, Failed: x.failed})
		} else {
			p.Conds = append(p.Conds, x.cond)
		}
	}
	markFailed(&p)
	return p
}

// markFailed marks the calls that ended with an error on a way, where they say so by what they return: the way has found the error to be there.
func markFailed(p *Path) {
	for i := range p.Before {
		b := &p.Before[i]
		if b.Failed || !b.Call.ReturnsError() {
			continue
		}
		b.Failed = slices.ContainsFunc(p.Conds, func(c Cond) bool {
			t := c.Term
			return t.Kind == TOp && len(t.Args) == 2 && (t.Name == "!=" && c.True || t.Name == "==" && !c.True) && t.Args[1].IsNullish() &&
				b.Call.GivesError(t.Args[0])
		})
	}
}

// GivesError reports whether a value is the error of a call: a result after the first, what its Err or Error says, or all that an effect gives.
func (c *Call) GivesError(v *Term) bool {
	if v == c.Result {
		return c.EffectRow != nil
	}
	told := false
	for range 3 {
		switch {
		case v.Kind == TMember:
			i, isResult := resultIndex(v.Name)
			told = told || isResult && i > 0 || v.Name == "Error"
		case v.Kind == TCall:
			told = told || v.Name == "Err" || v.Name == "Error"
		case v.Kind != TCast:
			return false
		}
		if v = v.Args[0]; v == c.Result || slices.Contains(c.settled, v) {
			return told
		}
	}
	return false
}

// notable adds the facts of one segment of a way to a list, oldest first, without the conditions that path leaves out.
func (e *engine) notable(out []*fact, seg *fact) []*fact {
	from, others := len(out), 0
	for x := seg; x != nil; x = x.prev {
		if x.call == nil && x.saysElse(e) {
			if others++; others > maxElse {
				continue
			}
		}
		out = append(out, x)
	}
	slices.Reverse(out[from:])
	return out
}

// saysElse asks once for each fact.
func (f *fact) saysElse(e *engine) bool {
	if !f.weighed {
		f.weighed, f.other = true, e.saysElse(f.cond)
	}
	return f.other
}

// saysElse reports whether a condition says that something that no call of interest gave is not a certain constant.
func (e *engine) saysElse(c Cond) bool {
	t := c.Term
	return t != nil && t.Kind == TOp && len(t.Args) == 2 && t.Args[1].Kind == TConst && (t.Name == "==" && !c.True || t.Name == "!=" && c.True) && !e.aboutCall(t)
}

// inputRole tells what an input's member is: its role and its dotted name. The row that registers the handler says what its parameters are;
// where it says nothing of the member, rows over the type of the parameter do.
func (e *engine) inputRole(t *Term) (model.InputRole, string) {
	if inputRoot(t) == nil {
		return e.roleOf(t, true)
	}
	role, name := e.roleOf(t, false)
	if role == model.ContextInput && e.handedIn(t) {
		return e.roleOf(t, true)
	}
	return role, name
}

// roleOf is inputRole; members says whether rows over members and methods count before what the parameter is.
func (e *engine) roleOf(t *Term, members bool) (model.InputRole, string) {
	// names from the root down
	var names []string
	args := ""
	cur := t
	for i := 0; cur != nil && i < maxTermDepth; i++ {
		switch cur.Kind {
		case TMember:
			if in := e.memberInput(cur); in != nil && members {
				return e.fieldRole(in, names, args)
			}
			names = append(names, cur.Name)
			cur = cur.Args[0]
			continue
		case TIndex:
			names = append(names, "*")
			cur = cur.Args[0]
			continue
		case TElement:
			cur = cur.Args[0]
			continue
		case TCast:
			cur = cur.Args[0]
			continue
		case TCall:
			// a method of the input: req.header("x")
			if c := e.calls[cur]; members && c != nil && c.InputRow != nil {
				break
			}
			if len(cur.Args) > 0 && cur.Name != "" && (inputRoot(cur.Args[0]) != nil || members && e.handedIn(cur.Args[0])) {
				if len(cur.Args) > 1 {
					if text := onlyText(cur.Args[1]); text != "" {
						if args == "" {
							args = text
						}
						names = append(names, text)
					}
				}
				names = append(names, cur.Name+"()")
				cur = cur.Args[0]
				continue
			}
		}
		break
	}
	if cur == nil || cur.Kind != TInput {
		if cur != nil && cur.Kind == TCall {
			if c := e.calls[cur]; c != nil && c.InputRow != nil {
				if in := c.InputRow.Input; in.Name != "" {
					// ParseString(request, "x"): the call says what it reads
					if text := onlyText(orUndefined(e, e.recorded(c).first(in.Name))); text != "" {
						names = append(names, text)
					}
				}
				return e.fieldRole(c.InputRow.Input, names, args)
			}
		}
		return "", ""
	}
	in := cur.Input
	if in == nil {
		in = &model.Input{Role: model.InputRole(cur.Name)}
	}
	return e.fieldRole(in, names, args)
}

// fieldRole matches a member path, given from the leaf up, against an input's fields; the longest match counts.
func (e *engine) fieldRole(in *model.Input, names []string, callArg string) (model.InputRole, string) {
	path := make([]string, len(names))
	for i, n := range names {
		path[len(names)-1-i] = n
	}
	role := in.Role
	matched, best := 0, -1
	for _, f := range in.Fields {
		n := strings.Count(f.Path, ".") + 1
		if n > len(path) {
			continue
		}
		ok, score, i := true, 0, 0
		for p := range strings.SplitSeq(f.Path, ".") {
			switch p {
			case "*":
				score++
			case path[i]:
				score += 2
			default:
				ok = false
			}
			if i++; !ok {
				break
			}
		}
		if ok && score > best {
			best, matched, role = score, n, f.Role
		}
	}
	rest := path[matched:]
	if matched > 0 && len(rest) == 0 {
		last := path[matched-1]
		if strings.HasSuffix(last, "()") {
			return role, callArg
		}
		if role == model.ArgumentsInput || role == model.BodyInput || role == model.HeaderInput {
			return role, ""
		}
		return role, strings.Join(path, ".")
	}
	if matched == 0 && in.Role != model.ArgumentsInput && in.Role != model.HeaderInput && in.Role != model.CallerInput && in.Role != model.BodyInput &&
		in.Role != model.MetaInput && in.Role != model.CredentialInput && in.Role != model.EnvironmentInput {
		return in.Role, strings.Join(rest, ".")
	}
	// headers.get("x") reads x; text methods of an argument keep its name
	var named []string
	for i, part := range rest {
		if strings.HasSuffix(part, "()") {
			if i+1 < len(rest) && (part == "get()" || part == "header()") {
				continue
			}
			break
		}
		named = append(named, part)
	}
	return role, strings.Join(named, ".")
}
