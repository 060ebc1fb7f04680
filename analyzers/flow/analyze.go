package flow

import (
	"maps"
	"slices"
	"sort"
	"strings"

	"github.com/retrysafe/retrysafe/analyzers/model"
)

// Options tune an analysis.
type Options struct {
	// Version gives the version range under which a unit depends on a package, "" if unknown.
	Version func(unit, pkg string) string
	// Tools and Routes are the last names of calls that register tools, and routes: functions that nobody is seen to call are evaluated
	// where one of these is called in them or below them. Those of routes are common words, so such functions wait until the tools are
	// evaluated: what a tool has called by then is no root.
	Tools, Routes []string
	// Unique gives the unique constraints of tables, by lower-case name, as lists of columns.
	Unique map[string][][]string
	// Declared gives the tables, by lower-case name, of which the schema files of the program declare everything.
	Declared map[string]DeclaredTable
	// Evicting gives, by vendor, how the program sets up stores that drop entries before their time when memory is short.
	Evicting map[string]Eviction
	// Wanted says which files are of interest: tools and routes that stand in others, and are registered in others, are left out. All are if it is nil.
	Wanted func(file string) bool
	// Offers says what of a unit's exports is evaluated where nothing in the program calls it; nothing is if it is nil.
	Offers func(unit string) Offer
	// Handlers are the rows that declare types of handlers.
	Handlers []*model.Row
	// Stop is asked now and then whether to give up; what was found until then stands, and the result is not complete.
	Stop func() bool
}

// Analyze evaluates a program: its initialisers, then every tool and route that they register.
func Analyze(units []*model.Unit, class Classifier, opts Options) *Result {
	p := NewProgram(units, class)
	p.version = opts.Version
	e := newEngine(p)
	e.stop = opts.Stop
	e.wanted = opts.Wanted
	e.declared = opts.Declared
	e.steps = initSteps
	lead := p.leading(append(slices.Clone(opts.Tools), opts.Routes...))
	for _, u := range p.units {
		if lead[u] {
			e.initialise(u)
		}
	}
	e.phase = rootPhase
	e.evaluateRoots(opts.Tools, nil)
	e.noteTables()
	e.phase = entryPhase
	res := &Result{engine: e, Complete: true, cleaned: map[string]bool{}, unique: opts.Unique, evicting: opts.Evicting}
	res.Index = &Index{res: res}
	e.matchListings()
	e.leftDefinitions()
	e.registerExports()
	e.matchProtocols()
	evaluated := 0
	tools := func() {
		e.matchOffers()
		e.mergeRegistrations(evaluated)
		e.reserve(len(e.registrations) - evaluated)
		for ; evaluated < len(e.registrations); evaluated++ {
			e.apportion(len(e.registrations) - evaluated)
			if t := e.evaluateTool(e.registrations[evaluated]); t != nil {
				res.Tools = append(res.Tools, t)
			}
			if evaluated == len(e.registrations)-1 {
				e.matchListings() // an entry may have built a server of its own
			}
		}
	}
	tools()
	e.phase = rootPhase
	e.evaluateRoots(append(slices.Clone(opts.Tools), opts.Routes...), nil)
	e.phase = entryPhase
	e.matchListings()
	e.leftDefinitions()
	tools()
	e.unlistedTools()
	tools()
	e.reserve(len(e.routes))
	for i := 0; i < len(e.routes); i++ {
		e.apportion(len(e.routes) - i)
		if e.servesTools(e.routes[i]) {
			continue
		}
		res.Tools = append(res.Tools, e.evaluateRoute(e.routes[i])...)
		e.matchListings()
		e.unlistedTools()
		tools()
	}
	if len(res.Tools) > 0 {
		e.initialiseRest()
		e.leftDefinitions()
		tools()
	}
	res.Tools = append(res.Tools, e.evaluateExported(opts.Offers, opts.Handlers)...)
	e.leftDescriptions()
	e.evaluateSigners()
	sort.SliceStable(res.Tools, func(i, j int) bool {
		a, b := res.Tools[i], res.Tools[j]
		if c := a.Span.Compare(b.Span); c != 0 {
			return c < 0
		}
		return a.Name < b.Name
	})
	res.cleaned = e.cleanups()
	res.withoutRestated()
	ids := map[string]int{}
	for _, t := range res.Tools {
		id := string(t.Kind) + ":" + t.Name + "@" + t.Span.File
		if ids[id]++; ids[id] > 1 {
			id += "#" + itoa(ids[id])
		}
		t.ID = id
	}
	res.Transports = e.transports
	sort.Slice(res.Transports, func(i, j int) bool { return res.Transports[i].Span.Compare(res.Transports[j].Span) < 0 })
	for _, u := range p.units {
		for _, n := range u.Notes {
			e.notes[n] = true
			e.cut = e.cut || n.Cut
		}
	}
	res.Notes = e.sortedNotes()
	res.Unresolved = dedupeNotes(e.unresolved)
	res.Complete = !e.cut
	return res
}

func dedupeNotes(notes []model.Note) []model.Note {
	sortNotes(notes)
	var out []model.Note
	for _, n := range notes {
		if len(out) == 0 || out[len(out)-1] != n {
			out = append(out, n)
		}
	}
	return out
}

// initialise runs a unit's initialiser once, after those of the units it imports.
func (e *engine) initialise(u *Unit) {
	if u.state != initPending {
		return
	}
	u.state = initRunning
	for _, path := range u.Imports {
		if v := e.p.byPath[path]; v != nil {
			e.initialise(v)
		}
	}
	if len(u.funcs) > 0 && e.depth < maxCallDepth-2 {
		steps, phase := e.steps, e.phase
		own := min(initSteps, e.total/initShare)
		if e.rest {
			own = min(restSteps, steps)
		}
		e.steps, e.phase = own, initPhase
		e.epoch++
		e.trim()
		current := e.current
		e.current = nil
		e.commit(e.invoke(u.funcs[0], nil, nil, nil, nil, nil))
		e.current = current
		if e.rest {
			steps -= own - e.steps
		}
		e.steps, e.phase = steps, phase
	}
	u.state = initDone
}

// initialiseRest initialises what no tool or route leads to: it may delete old records, or say how the program is served. It is worth less
// work, and a program of which this part is cut short is complete all the same.
func (e *engine) initialiseRest() {
	cut := e.cut
	e.rest = true
	e.steps = allRestSteps
	for _, u := range e.p.units {
		e.initialise(u)
	}
	e.rest, e.cut = false, cut
}

// evaluateRoots evaluates the functions that nobody is seen to call and that lead to a registration, a call of one of
// the names, or to a function that also picks out, if it is not nil: what a host or framework calls.
func (e *engine) evaluateRoots(names []string, also func(*Function) bool) {
	wanted := map[string]bool{}
	for _, n := range names {
		wanted[n] = true
	}
	// which functions hold such a call, and which mention which
	var all []*Function
	byName := map[string][]*Function{}
	for _, u := range e.p.units {
		for _, f := range u.funcs {
			if f.Index > 0 {
				all = append(all, f)
				byName[lastName(f.Name)] = append(byName[lastName(f.Name)], f)
			}
		}
	}
	mentions := map[*Function][]*Function{} // callee to callers
	reaches := map[*Function]bool{}
	var work []*Function
	mark := func(f *Function) {
		if !reaches[f] {
			reaches[f] = true
			work = append(work, f)
		}
	}
	for _, u := range e.p.units {
		for _, f := range u.funcs {
			if also != nil && f.Index > 0 && also(f) {
				mark(f)
			}
			for i := range f.Ops {
				op := &f.Ops[i]
				switch op.Kind {
				case model.Call, model.Spawn:
					if len(op.Args) == 0 || op.Args[0] < 0 {
						continue
					}
					for _, arg := range op.Args[1:] {
						// a method that is handed on: whoever gets it registers
						if arg >= 0 && f.Index > 0 && f.Ops[arg].Kind == model.Load && wanted[f.Ops[arg].Name] && !commonVerbs[f.Ops[arg].Name] {
							mark(f)
						}
					}
					callee := &f.Ops[op.Args[0]]
					name := callee.Name
					if callee.Kind == model.LoadGlobal {
						v := u
						if name != "" && e.p.byPath[name] != nil {
							v = e.p.byPath[name]
						}
						if int(callee.Ref) < len(v.Globals) {
							name = v.Globals[callee.Ref].Name
						}
					}
					if callee.Kind == model.FuncRef {
						if g := e.p.referred(u, callee); g != nil {
							mentions[g] = append(mentions[g], f)
							if g.told != "" {
								mark(f)
							}
						}
						continue
					}
					if name == "" {
						continue
					}
					if callee.Kind == model.Load && wanted[name] && f.Index > 0 && (!commonVerbs[name] || takesFunction(f, op)) {
						mark(f)
					}
					if targets := byName[lastName(name)]; len(targets) <= 8 {
						for _, g := range targets {
							mentions[g] = append(mentions[g], f)
							if g.told != "" && f.Index > 0 {
								mark(f)
							}
						}
					}
				case model.Closure:
					if int(op.Ref) < len(u.funcs) {
						g := u.funcs[op.Ref]
						mentions[g] = append(mentions[g], f)
					}
				}
			}
		}
	}
	for len(work) > 0 {
		f := work[len(work)-1]
		work = work[:len(work)-1]
		for _, g := range mentions[f] {
			mark(g)
		}
	}
	run := func(f *Function) {
		e.steps = min(initSteps, e.total/initShare)
		e.epoch++
		e.trim()
		receivers := []*Term{nil}
		if f.This {
			if t := e.p.methodOwner(f); t != nil && !t.Abstract {
				receivers = e.symbolicInstance(t).Alternatives()
				if also == nil {
					receivers = receivers[:1]
				}
			}
		}
		if f.called {
			return
		}
		const most = 3 // a Go constructor gives an empty value beside an error
		for _, this := range receivers[:min(len(receivers), most)] {
			e.commit(e.invoke(f, this, e.symbolic(f), nil, nil, nil))
		}
	}
	hasOuterCaller := func(f *Function) bool {
		for _, g := range mentions[f] {
			if g != f && !g.called && g.Index > 0 {
				return true
			}
		}
		return false
	}
	held := e.held()
	for _, first := range []bool{true, false} {
		if !first {
			// what nothing but these calls waits for the tools as well
			for more := true; more; {
				more = false
				for _, f := range all {
					if reaches[f] && !f.called && !held[f] && onlyFrom(held, f, mentions[f]) {
						held[f], more = true, true
					}
				}
			}
		}
		for _, f := range all {
			if f.called || held[f] || !reaches[f] || first && hasOuterCaller(f) {
				continue
			}
			if f.Type > 0 && f.Type <= len(f.Unit.types) && (f.Index == f.Unit.types[f.Type-1].Ctor || f.Index == f.Unit.types[f.Type-1].FieldInit) {
				e.steps = entrySteps
				if t := f.Unit.types[f.Type-1]; !t.Abstract && len(e.created[t]) == 0 {
					e.symbolicInstance(t)
				}
				continue
			}
			run(f)
		}
	}
}

// onlyFrom reports whether some function calls f, and all of those that may still be evaluated are in a set.
func onlyFrom(set map[*Function]bool, f *Function, callers []*Function) bool {
	found := false
	for _, g := range callers {
		if g == f || g.called || g.Index == 0 {
			continue
		}
		if !set[g] {
			return false
		}
		found = true
	}
	return found
}

// commonVerbs are names that register routes and that collections and clients have too.
var commonVerbs = map[string]bool{"get": true, "post": true, "put": true, "patch": true, "delete": true, "head": true, "options": true, "all": true,
	"use": true, "on": true, "any": true, "add": true, "set": true, "route": true, "handle": true, "fetch": true, "register": true, "method": true}

// takesFunction reports whether a call is handed what may be a handler: a function, or a value of the unit, after its first argument or as it.
func takesFunction(f *Function, op *model.Op) bool {
	for _, arg := range op.Args[1:] {
		if arg < 0 {
			continue
		}
		switch a := &f.Ops[arg]; a.Kind {
		case model.Closure, model.FuncRef:
			return true
		case model.LoadGlobal:
			if len(op.Args) > 2 {
				return true
			}
		}
	}
	return false
}

// handlerTargets gives the functions that a handler value stands for; inner is true where a wrapper outside the program hides them.
func (e *engine) handlerTargets(h *Term) (targets []*Term, inner bool) {
	for _, alt := range h.Alternatives() {
		switch alt.Kind {
		case TClosure:
			targets = append(targets, alt)
		case TOp:
			if alt.Name == "partial" || alt.Name == "next" || alt.Name == "bound" {
				targets = append(targets, alt)
			}
		case TCall:
			// a wrapper of a library around the handler: the function among its arguments
			for i := len(alt.Args) - 1; i >= 1; i-- {
				if t, _ := e.handlerTargets(alt.Args[i]); len(t) > 0 {
					targets = append(targets, t...)
					inner = true
					break
				}
			}
		case TCast:
			t, in := e.handlerTargets(alt.Args[0])
			targets = append(targets, t...)
			inner = inner || in
		}
	}
	return targets, inner
}

// inputTerm makes the value that a framework hands to a parameter. It is the same for all entries that one row registers, so that
// what they share is evaluated once.
func (e *engine) inputTerm(row *model.Row, i int, in *model.Input) *Term {
	t := e.intern(Term{Kind: TInput, Name: string(in.Role), Sym: in.Type, Keys: []string{row.ID, itoa(i)}})
	if t.Input == nil {
		t.Input = in
	}
	return t
}

// trim forgets summaries once there are many: memory counts for more than what a later entry may share with an early one.
func (e *engine) trim() {
	if e.depth == 0 && len(e.memo) > maxSummaries {
		clear(e.memo)
	}
}

// enter evaluates a handler with the given arguments.
func (e *engine) enter(handler *Term, args []*Term) *Summary {
	e.entered = true
	defer func() { e.entered = false }()
	e.steps = e.share
	e.epoch++
	e.trim()
	fn := &Function{Func: &model.Func{Name: "entry"}, Unit: &Unit{Unit: &model.Unit{}}}
	if handler.Kind == TClosure {
		return e.readDecorated(handler, e.invoke(handler.Fn, handler.This, e.asDecorated(handler, args), nil, handler.Args, nil))
	}
	// a partial application or a middleware chain: one call from an entry of its own
	fn.prepare()
	a := &activation{fn: fn, sum: &Summary{fn: fn}, calls: map[string]*Call{}, steps: map[stepKey]*step{}, reads: map[readKey]bool{}}
	st := &state{heap: a.base.child(a.base), came: model.NoBlock}
	c := &callSite{a: a, op: &model.Op{Kind: model.Call}, id: model.None, args: args}
	for _, o := range e.dispatch(c, st, handler) {
		a.sum.exits = append(a.sum.exits, exit{throws: o.throws, value: o.value, facts: o.st.facts, heap: o.st.heap.since(nil)})
	}
	a.sum.exits = append(a.sum.exits, a.thrown...)
	return a.sum
}

func (e *engine) evaluateTool(reg *registration) *Tool {
	if reg.done {
		return nil
	}
	reg.done = true
	if !e.wants(reg.span, reg.call.Span) {
		return nil
	}
	t := &Tool{Name: reg.name, Kind: reg.kind, Framework: reg.framework, Span: reg.span, Registered: reg.call.Span, Row: reg.row,
		Description: reg.description, Schema: reg.schema, Confidence: reg.confidence}
	if reg.row.Confidence != 0 && reg.row.Confidence < t.Confidence {
		t.Confidence = reg.row.Confidence
	}
	if u := e.unitOf(reg.span.File); u != nil {
		t.Language = u.Language
	}
	e.readAnnotations(t, reg)
	e.readParams(t, reg)
	var sums []*Summary
	var all []entered
	for _, one := range append([]*registration{reg}, reg.also...) {
		targets, inner := e.handlerTargets(one.handler)
		if inner && t.Confidence > model.Likely {
			t.Confidence = model.Likely
		}
		for _, h := range targets {
			all = append(all, entered{one, h})
		}
	}
	for _, one := range e.withoutCovered(all) {
		if fn := closureOf(one.handler); fn != nil && t.HandlerFn == nil {
			t.HandlerFn = fn
			t.Handler = fn.Span
		}
		e.assume = one.reg.assume
		s := e.enter(one.handler, e.entryArgs(one.reg))
		e.assume = nil
		e.commit(s)
		sums = append(sums, s)
	}
	if len(sums) > 0 {
		sums = append(e.reading(reg), sums...)
	}
	if len(sums) == 0 {
		t.Gaps |= HandlerGap
		e.unresolved = append(e.unresolved, model.Note{Span: reg.call.Span, What: "the handler of a tool was not found, and what it changes is not judged" + named(reg.name)})
		return t
	}
	e.fill(t, sums)
	return t
}

// wants reports whether one of some places is of interest.
func (e *engine) wants(places ...model.Span) bool {
	return e.wanted == nil || slices.ContainsFunc(places, func(s model.Span) bool { return e.wanted(s.File) })
}

func closureOf(t *Term) *Function {
	switch {
	case t.Kind == TClosure:
		return t.Fn
	case t.Kind == TOp && t.Name == "partial":
		return closureOf(t.Args[0])
	case t.Kind == TOp && t.Name == "next" && len(t.Args[0].Args) > 0:
		return closureOf(t.Args[0].Args[len(t.Args[0].Args)-1])
	}
	return nil
}

func (e *engine) unitOf(file string) *Unit {
	if u := e.p.byPath[file]; u != nil {
		return u
	}
	for _, u := range e.p.units {
		for _, f := range u.Files {
			if f == file {
				return u
			}
		}
	}
	return nil
}

// entryArgs builds the arguments of a tool's handler.
func (e *engine) entryArgs(reg *registration) []*Term {
	if reg.assume != nil {
		return e.chooserArgs(closureOf(reg.handler))
	}
	args := make([]*Term, len(reg.params))
	for i := range reg.params {
		args[i] = e.inputTerm(reg.row, i, &reg.params[i])
	}
	if reg.dispatch != nil && len(args) > 0 {
		args[0] = e.dispatchRequest(reg, args[0])
	}
	return args
}

// dispatchRequest is the request of a dispatching server for one tool: an object in which the tool's name is a constant.
func (e *engine) dispatchRequest(reg *registration, base *Term) *Term {
	t := reg.dispatch
	argsInput := e.intern(Term{Kind: TInput, Name: string(model.ArgumentsInput), Keys: []string{reg.row.ID, "arguments"}})
	if argsInput.Input == nil {
		argsInput.Input = &model.Input{Role: model.ArgumentsInput}
	}
	var build func(at string, leaves map[string]*Term, base *Term) *Term
	build = func(at string, leaves map[string]*Term, base *Term) *Term {
		if v := leaves[at]; v != nil {
			return v
		}
		obj := object{kind: plainObject, base: base}
		seen := map[string]bool{}
		var paths []string
		for p := range leaves {
			paths = append(paths, p)
		}
		sort.Strings(paths)
		for _, p := range paths {
			rest := p
			if at != "" {
				if !strings.HasPrefix(p, at+".") {
					continue
				}
				rest = p[len(at)+1:]
			}
			head, _, _ := strings.Cut(rest, ".")
			if seen[head] {
				continue
			}
			seen[head] = true
			sub := head
			if at != "" {
				sub = at + "." + head
			}
			obj.keys = append(obj.keys, head)
			obj.vals = append(obj.vals, build(sub, leaves, e.member(base, head)))
		}
		ref := e.intern(Term{Kind: TRef, Name: "request " + reg.name + " " + at, Keys: []string{reg.row.ID}})
		e.heap.setGlobal(ref, e.heap.intern(obj))
		return ref
	}
	leaves := map[string]*Term{}
	if p := e.memberPath(t.DispatchName); p != "" {
		leaves[p] = e.text(reg.name)
	}
	if p := e.memberPath(t.DispatchArgs); p != "" {
		leaves[p] = argsInput
	}
	return build("", leaves, base)
}

// memberPath gives an access path of plain members as dotted names.
func (e *engine) memberPath(a model.Access) string {
	for _, path := range e.paths(a) {
		var names []string
		for _, s := range path {
			if s.Kind == model.MemberStep {
				names = append(names, s.Name)
			}
		}
		return strings.Join(names, ".")
	}
	return ""
}

// matchListings joins the halves of low-level servers: each listed tool is served by the handler on the same server.
func (e *engine) matchListings() {
	for _, l := range e.lists {
		if !l.list || l.matched {
			continue
		}
		l.matched = true
		serve := e.serving(l)
		if serve != nil {
			serve.matched = true
		}
		if serve == nil {
			e.unresolved = append(e.unresolved, model.Note{Span: l.call.Span, What: "tools are listed here and no handler that serves them was found: they are not judged"})
			continue
		}
		tools, exact := e.listedTools(l)
		if !exact {
			e.unresolved = append(e.unresolved, model.Note{Span: l.call.Span, What: "the list of tools is not known in full: some of them may be missing"})
		}
		acc := &accessor{e: e, st: e.bare}
		for _, one := range tools {
			el := one.description
			name := acc.over(el, orAccess(serve.row.Tool.Name, l.row.Tool.Name, "Member[name]"))
			if name == nil {
				continue
			}
			for _, alt := range name.Alternatives() {
				text, ok := alt.Text()
				if !ok {
					continue
				}
				reg := &registration{row: serve.row, call: serve.call, kind: MCPTool, framework: serve.row.Tool.Framework, name: text, span: l.call.Span,
					handler: serve.handler, params: serve.row.Tool.Parameters, dispatch: serve.row.Tool, confidence: model.Certain}
				if reg.handler == nil {
					reg.handler = e.unknown("handler", serve.call.Site)
				}
				span := l.call.Span
				if one.at.IsValid() {
					span = one.at
				}
				reg.description = acc.over(el, "Member[description]")
				reg.schema = acc.over(el, "Member[inputSchema] | Member[parameters] | Member[input_schema]")
				reg.annotations = acc.over(el, "Member[annotations]")
				e.addTool(reg, span)
			}
		}
		if len(tools) == 0 {
			e.dispatchedNames(serve)
		}
	}
}

// unlistedTools finds the tools of servers that no listing belongs to, once all listings were seen.
func (e *engine) unlistedTools() {
	for i := 0; i < len(e.lists); i++ {
		l := e.lists[i]
		if l.list || l.matched {
			continue
		}
		l.matched = true
		if e.dispatchedNames(l) == 0 {
			e.unresolved = append(e.unresolved, model.Note{Span: l.call.Span, What: "tools are served here; no list of them was found, and no name that is compared with"})
		}
	}
}

func orAccess(list ...model.Access) model.Access {
	for _, a := range list {
		if a != "" && !strings.HasPrefix(string(a), "Argument") {
			return a
		}
	}
	return ""
}

// serving finds the dispatching handler for a listing: on the same server, else in the same function, else in the same unit, else the only one.
func (e *engine) serving(l *listing) *listing {
	var best *listing
	score := 0
	only := 0
	for _, s := range e.lists {
		if s.list {
			continue
		}
		only++
		n := 1
		switch {
		case s.recv != nil && s.recv == l.recv:
			n = 4
		case s.call.Fn == l.call.Fn:
			n = 3
		case s.call.Fn.Unit == l.call.Fn.Unit:
			n = 2
		}
		if n > score {
			best, score = s, n
		}
	}
	if score == 1 && only > 1 {
		return nil
	}
	return best
}

// listedTool is a tool that a listing handler returns: its description, and where that is written.
type listedTool struct {
	description *Term
	at          model.Span
}

// listedTools evaluates a listing handler and gives the tool descriptions it returns.
func (e *engine) listedTools(l *listing) (tools []listedTool, exact bool) {
	targets, _ := e.handlerTargets(orUndefined(e, l.handler))
	exact = len(targets) > 0
	seen := map[*Term]bool{}
	for _, h := range targets {
		args := make([]*Term, len(l.row.Tool.Parameters))
		for i := range args {
			args[i] = e.inputTerm(l.row, i, &l.row.Tool.Parameters[i])
		}
		s := e.enter(h, args)
		e.commit(s)
		for _, x := range s.exits {
			if x.throws {
				continue
			}
			st := &state{heap: &overlay{own: x.heap}, came: model.NoBlock}
			acc := &accessor{e: e, st: st}
			for _, val := range x.value.Alternatives() {
				group := val
				for _, path := range e.paths(l.row.Tool.Tools) {
					for _, step := range path {
						if group = acc.step(group, step); group == nil {
							break
						}
					}
				}
				if group == nil {
					exact = false
					continue
				}
				for _, g := range group.Alternatives() {
					elems, _, ok := e.elements(st, g)
					exact = exact && (ok || g.IsNullish())
					if !ok && len(elems) == 0 {
						continue
					}
					for _, el := range elems {
						for _, alt := range el.Alternatives() {
							f := e.freeze(st, alt, maxFreeze+4)
							if !seen[f] {
								seen[f] = true
								at, ok := e.definedAt(st, alt, e.nameKeys(l.row.Tool.Name))
								if !ok && f.Site != nil {
									at = f.Site.Span
								}
								tools = append(tools, listedTool{f, at})
							}
						}
					}
				}
			}
		}
	}
	return tools, exact
}

// dispatchedNames finds the tools of a dispatching handler from the names that it compares the request's with, where their list is not known, and
// gives how many there are.
func (e *engine) dispatchedNames(serve *listing) int {
	targets, _ := e.handlerTargets(orUndefined(e, serve.handler))
	found := 0
	for _, h := range targets {
		params := serve.row.Tool.Parameters
		if len(params) == 0 {
			continue
		}
		args := make([]*Term, len(params))
		for i := range params {
			args[i] = e.inputTerm(serve.row, i, &params[i])
		}
		// a request of its own, so that no summary made for another one stands in
		request := e.intern(Term{Kind: TInput, Name: args[0].Name, Sym: args[0].Sym, Keys: []string{serve.row.ID, "0", "probe", itoa(h.ID())}})
		request.Input = args[0].Input
		args[0] = request
		name := request
		for _, part := range strings.Split(e.memberPath(serve.row.Tool.DispatchName), ".") {
			if part != "" {
				name = e.member(name, part)
			}
		}
		e.probe, e.probed = name, map[string]model.Span{}
		e.commit(e.enter(h, args))
		names := e.probed
		e.probe, e.probed = nil, nil
		for _, n := range slices.Sorted(maps.Keys(names)) {
			span := names[n]
			if !span.IsValid() {
				span = serve.call.Span
			}
			found++
			e.addTool(&registration{row: serve.row, call: serve.call, kind: MCPTool, framework: serve.row.Tool.Framework, name: n,
				handler: serve.handler, params: params, dispatch: serve.row.Tool, confidence: model.Likely}, span)
		}
	}
	return found
}

// asked notes that the name of a request is compared with a text, while dispatchedNames looks for such texts.
func (e *engine) asked(name *Term, text string, span model.Span) {
	if e.probe == nil || name != e.probe || text == "" {
		return
	}
	if _, dup := e.probed[text]; !dup {
		e.probed[text] = span
	}
}

// leftDefinitions registers tools that were defined by a framework whose definitions count by themselves, and classes that a framework finds on its own.
// What another framework defines and nothing registers is no tool, and is noted.
func (e *engine) leftDefinitions() {
	e.steps = min(initSteps, e.total/initShare)
	used := map[*Call]bool{}
	for _, r := range e.registrations {
		used[r.call] = true
	}
	for _, d := range e.defined {
		if d.reg == nil || used[d.call] {
			continue
		}
		if !d.row.Tool.Standalone {
			e.unresolved = append(e.unresolved, model.Note{Span: d.reg.span, What: "a tool is defined here, and no registration of it was seen: it is not judged" + named(d.reg.name)})
			continue
		}
		if d.reg.name == "" {
			d.reg.name = e.nameOfDefinition(d.call)
		}
		e.addTool(d.reg, d.reg.span)
	}
	for _, s := range e.subclasses {
		acc := &accessor{e: e, st: e.bare}
		for _, alt := range e.symbolicInstance(s.class.Decl).Alternatives() {
			acc.recv = alt
			call := &Call{Symbol: e.baseSymbol(s.class), Span: s.class.Decl.Span, Site: e.site(s.class.Decl.Unit.funcs[0], -1), Fn: s.class.Decl.Unit.funcs[0]}
			if s.row.Route != nil {
				e.registerRoute(&callSite{}, e.bare, s.row, call, acc)
			} else if reg := e.define(e.bare, s.row, call, acc, nil, ""); reg != nil && !slices.ContainsFunc(e.registrations, func(other *registration) bool {
				return other.span == s.class.Decl.Span && other.name == reg.name // a call registers the class
			}) {
				e.addTool(reg, s.class.Decl.Span)
			}
			break
		}
	}
}

// nameOfDefinition names a tool by the variable or property that holds it.
func (e *engine) nameOfDefinition(c *Call) string {
	for _, u := range e.p.units {
		if u != c.Fn.Unit {
			continue
		}
		for i, g := range u.Globals {
			if o := e.heap.global[e.globalRef(u, int32(i))]; o != nil {
				if v := o.get(""); v == c.Result {
					return g.Name
				}
			}
		}
	}
	return e.keysOfDefinitions()[c.Result]
}

// keysOfDefinitions gives the property under which each defined tool was ever kept, also by an object that is gone: what a factory
// returns lives no longer than the call that asked for it.
func (e *engine) keysOfDefinitions() map[*Term]string {
	if e.keyed != nil {
		return e.keyed
	}
	e.keyed = map[*Term]string{}
	for _, s := range e.heap.table.slots {
		o := s.value
		if o == nil {
			continue
		}
		for i, key := range o.keys {
			if v := o.vals[i]; key != "" && v != nil && e.definitions[v] != nil {
				if best := e.keyed[v]; best == "" || key < best {
					e.keyed[v] = key
				}
			}
		}
	}
	return e.keyed
}

// evaluateRoute evaluates a route with the middleware that stands before it: once for each way to its router, where these differ in what stands there.
func (e *engine) evaluateRoute(reg *registration) []*Tool {
	if reg.done || reg.mount && (reg.row.Route.Wraps || reg.gives != nil || !e.isHandler(reg)) {
		return nil
	}
	reg.done = true
	if !e.wants(reg.span) {
		return nil
	}
	var tools []*Tool
	for _, way := range e.mountWays(reg) {
		if t := e.evaluateMounted(reg, way); t != nil {
			tools = append(tools, t)
		}
	}
	return tools
}

// evaluateMounted evaluates a route behind the mounts of one way to its router.
func (e *engine) evaluateMounted(reg *registration, way []*registration) *Tool {
	var handlers, wrappers []*Term
	var others []Middleware
	seen := map[*Term]bool{}
	for _, m := range e.mountsBefore(reg, way) {
		m.handlers = unseen(m.handlers, seen)
		others = append(others, e.middleware(m.handlers)...)
		if m.wraps {
			wrappers = append(wrappers, e.runnable(m.handlers)...)
		} else {
			handlers = append(handlers, e.runnable(m.handlers)...)
		}
	}
	own := e.runnable(reg.chain)
	if len(own) == 0 {
		return nil
	}
	others = append(append(others, e.middleware(reg.chain)...), e.middleware(reg.around)...)
	handlers = append(handlers, own...)
	wrappers = append(wrappers, e.runnable(reg.around)...)
	inputs := make([]*Term, len(reg.params))
	for i := range reg.params {
		in := &reg.params[i]
		if in.Next || in.Role == model.NextInput {
			inputs[i] = e.intern(Term{Kind: TOp, Name: "next", Args: []*Term{e.tuple(), e.tuple()}})
			continue
		}
		inputs[i] = e.inputTerm(reg.row, i, in)
	}
	t := &Tool{Name: reg.name, Kind: HTTPRoute, Framework: reg.framework, Span: reg.span, Registered: reg.span, Row: reg.row, Method: reg.method, Path: reg.path, Middleware: others, Confidence: model.Certain}
	if prefix := prefixOf(way); prefix != "" {
		t.Path = prefix + "/" + strings.TrimPrefix(reg.path, "/")
		t.Path = strings.TrimSuffix(t.Path, "/")
		t.Name = strings.TrimSpace(reg.method + " " + t.Path)
	}
	if u := e.unitOf(reg.span.File); u != nil {
		t.Language = u.Language
	}
	if fn := closureOf(handlers[len(handlers)-1]); fn != nil {
		t.HandlerFn, t.Handler = fn, fn.Span
	}
	s := e.enterChain(reg.row.Route, handlers, wrappers, inputs)
	e.commit(s)
	e.fill(t, []*Summary{s})
	if e.verifiesEvent(t) {
		t.Kind = Webhook
	}
	return t
}
