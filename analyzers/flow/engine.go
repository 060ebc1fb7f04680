package flow

import (
	"encoding/binary"
	"regexp"
	"slices"
	"sort"

	"github.com/retrysafe/retrysafe/analyzers/model"
)

// engine evaluates one program.
type engine struct {
	*terms
	p    *Program
	heap *heap

	memo        map[string]*Summary
	current     *reliance // of the activation that is evaluated; nil for what is done once for all
	key         []byte    // scratch
	frozen      []*Term   // scratch of makeCall
	told        []*fact   // scratch of path,
	mine        []parted  // and of mergeHeaps
	theirs      []parted
	offers      []*registration // tools that models are offered, until what runs them is looked for
	assume      *assumption
	assumptions int32
	found       int // registrations and the like when one was last made in this epoch,
	foundAt     int // and what total was then
	idleEpoch   int
	walks       int64 // walks over terms so far, each known by its number
	activations int64 // made so far; tells the objects of one activation from those of another
	depth       int
	entered     bool       // a handler is evaluated, not what makes the program ready
	runs        []receiver // what runs beside its caller, the innermost last
	delivery    *delivery  // the value that is on its way over a channel, nil for none
	receivers   map[*Term][]receiver
	drains      map[*Term][]drain        // lists that something looks into which runs on its own
	drove       map[driven]bool          // what was followed for them
	handedTo    *Term                    // the list into which an entry has put something, while what takes it out is followed; nil for none
	announcing  *Term                    // what an event that is announced tells, nil for none
	taken       map[*Term]bool           // channels that entries themselves receive from
	takers      map[fieldKey][]*Function // what receiving gave
	through     string                   // the method that hands on what the call that runs it does, "" for none
	hidden      int                      // depth of methods that libraries call
	spawning    int                      // depth of spawned calls: what ends the process there ends no way of the function that goes on
	steps       int                      // left for the entry
	total       int                      // left for the program
	reserved    int                      // added to it for entries
	chain       *chain                   // of the route that is evaluated, where its handlers hand on through their context
	share       int                      // what the next entry may have of it
	least       int                      // what those after it keep, each
	cut         bool
	stopped     bool
	stop        func() bool            // asked now and then whether to give up; may be nil
	wanted      func(file string) bool // of interest; may be nil
	phase       phase
	rest        bool // what nothing leads to a registration from is initialised
	epoch       int  // counts initialisers and entries: bounds on contexts start anew with each
	notes       map[model.Note]bool
	made        int32                // calls numbered so far
	calls       map[*Term]*Call      // the call that made a result
	listeners   map[*Term][]listener // by what announces the events
	patches     map[fieldOf]*Term    // functions that the program puts in the place of a library's, while it gets ready
	begun       map[*Term]*Call      // the newest call of an effect or record that made a result: what a builder chain goes on from
	tables      map[*Term]bool       // collections that held entries when the program was ready
	picked      map[*Term]bool       // headers of an answer of which a loop picks some
	hangups     map[siteKey]bool     // where the program waits for the caller to go away, or asks whether it has
	empty       map[*Term][]string   // members of a call's result that hold nothing but settings
	settings    map[*Term]*object    // what calls put into objects of which nothing else is known
	updates     map[*Term][]*Call    // the calls that add to a hasher
	joins       map[*Term][]*Site    // where a text is joined
	comparisons []*Comparison        // all that were noted
	secretive   map[*Term]bool       // what maySecret gave
	clocked     map[*Term]bool       // what timed gave
	instances   map[*Type]*Term      // symbolic instances
	classes     map[*Type]*Term
	created     map[*Type][]*Term // instances that initialisers construct
	generic     map[genericKey]bool
	bare        *state // an empty state, to read what is visible to all

	rows     map[string][]*model.Row
	accesses map[model.Access][]model.AccessPath
	regexps  map[string]*regexp.Regexp
	patterns map[string]model.Pattern

	registrations []*registration
	routes        []*registration
	registered    map[string]bool
	definitions   map[*Term]*registration
	keyed         map[*Term]string // names of defined tools by the objects that hold them, once they were asked for
	defined       []definition
	described     []announcement
	subclasses    []subclassUse
	decorated     map[paramKey]*Term // what decorators say is handed in to parameters
	lists         []*listing
	probe         *Term                 // the name of a request, while the texts that it is compared with are looked for
	probed        map[string]model.Span // those texts, and where
	transports    []TransportUse
	unresolved    []model.Note
	unnamed       []*registration // tools whose names are not known
	originMemo    map[*Term][]Origin
	visited       map[visit]int   // by the search for origins that is under way: how deep
	pinned        map[*Term]bool  // references that registrations and module variables hold
	about         map[*Term]bool  // memo of aboutCall
	asksRecords   map[*Term]bool  // memo of asksRecord
	recordCalls   []*Call         // every call that works on a record store or runs a query, entries or not
	copies        map[*Term]*Term // objects made by spreading another one first
	lineage       lineage
	again         map[siteKey][]*Call // calls of libraries that call a function again, by their place
	tried         map[siteKey]*Retry  // memo of triedAgain
	equipped      map[*Term][]*Call   // calls that have a client send its requests again, by the client
	declared      map[string]DeclaredTable
	shapes        []*model.Row             // the rows that declare types of handlers
	declaredAs    map[*Function]*model.Row // what was handed to a function that makes handlers
	givenAs       map[*Type][]*Term        // objects that functions of libraries give as what implements an interface
	uniqueTexts   []string                 // statements of the program that add unique constraints, once they were asked for
}

type phase uint8

const (
	initPhase phase = iota
	rootPhase
	entryPhase
)

type genericKey struct {
	fn   *Function
	this *Term
}

// Summary is what one activation of a function does, for given arguments.
type Summary struct {
	fn    *Function
	exits []exit
	steps []*step
	reads []*Read
	gaps  Gap
	// comparisons are those that the activation makes itself.
	comparisons []*Comparison
	// raises are the calls whose failure leaves the activation: nothing in it catches them. Of many the first few are kept.
	raises []*Call
	reliance
	// interesting: it or a callee makes a call that the classifier knows as an effect, record, query or check.
	interesting bool
	told        *bool // what tells gave; nil before it was asked
	running     bool
}

// exit is one outcome of an activation.
type exit struct {
	throws bool
	value  *Term
	facts  *fact // from the start of the activation
	heap   map[*Term]*object
	refs   []*Term // of heap in order of creation, once the activation is done
	span   model.Span
}

// ordered lists the references whose contents the outcome tells, in order of creation.
func (x *exit) ordered() []*Term {
	if x.refs == nil {
		x.refs = sortedRefs(x.heap)
	}
	return x.refs
}

// step is something that an activation does: an external call, or a call within the program.
type step struct {
	call    *Call
	sub     *Summary
	span    model.Span
	what    string
	paths   []*fact
	spawned bool
	sent    bool     // by who receives what is sent over a channel
	driven  bool     // by what takes it from a list, and does other things as well
	op      model.ID // the operation that does it, None for what the engine calls
}

func newEngine(p *Program) *engine {
	return &engine{terms: newTerms(), p: p, heap: newHeap(), memo: map[string]*Summary{}, total: programSteps, share: entrySteps,
		notes: map[model.Note]bool{}, calls: map[*Term]*Call{}, listeners: map[*Term][]listener{}, begun: map[*Term]*Call{}, hangups: map[siteKey]bool{}, picked: map[*Term]bool{}, settings: map[*Term]*object{}, empty: map[*Term][]string{}, updates: map[*Term][]*Call{}, joins: map[*Term][]*Site{}, secretive: map[*Term]bool{}, clocked: map[*Term]bool{}, instances: map[*Type]*Term{}, classes: map[*Type]*Term{},
		created: map[*Type][]*Term{}, generic: map[genericKey]bool{},
		bare: &state{heap: (*overlay)(nil).child(nil), came: model.NoBlock},
		rows: map[string][]*model.Row{}, accesses: map[model.Access][]model.AccessPath{}, regexps: map[string]*regexp.Regexp{},
		patterns: map[string]model.Pattern{}, registered: map[string]bool{}, definitions: map[*Term]*registration{},
		receivers: map[*Term][]receiver{}, drains: map[*Term][]drain{}, drove: map[driven]bool{}, taken: map[*Term]bool{}, again: map[siteKey][]*Call{}, tried: map[siteKey]*Retry{}, equipped: map[*Term][]*Call{},
		originMemo: map[*Term][]Origin{}, about: map[*Term]bool{}, asksRecords: map[*Term]bool{}, pinned: map[*Term]bool{}, copies: map[*Term]*Term{}, lineage: newLineage()}
}

func (e *engine) note(span model.Span, what string) {
	e.notes[model.Note{Span: span, What: what}] = true
}

// cutAt notes a bound that may hide an effect: the analysis is not complete, unless it is of a part that leads to no tool.
func (e *engine) cutAt(span model.Span, what string) {
	e.notes[model.Note{Span: span, What: what, Cut: !e.rest}] = true
	e.cut = true
}

// worked counts a step of the evaluation at a place, and says where the steps end.
func (e *engine) worked(span model.Span) {
	e.steps--
	e.total--
	if e.total&0xfff == 0 && e.stop != nil && e.stop() {
		e.cut, e.total, e.stopped = true, 0, true
		return
	}
	switch {
	case e.rest || e.stopped || e.total < 0:
	case e.total == 0:
		e.cutAt(span, "the program takes more work than the limit: what comes after this was not followed")
	case e.steps == 0:
		e.cutAt(span, "one tool, route or initialiser takes more work than the limit: what it does after this was not followed")
	}
	if e.steps <= 0 {
		e.cut = true
	}
}

// activation is one evaluation of a function.
type activation struct {
	fn       *Function
	this     *Term
	args     []*Term
	rest     *Term // arguments beyond args that are not known one by one
	bindings []*Term
	base     *overlay
	sum      *Summary
	calls    map[string]*Call
	steps    map[stepKey]*step
	reads    map[readKey]bool
	ctx      int64
	thrown   []exit
	yields   *Term // what a generator hands out, nil for nothing
	crowded  int   // how often more paths met than are kept apart
}

type stepKey struct {
	op   model.ID
	call *Call
	sub  *Summary
}

type readKey struct {
	term *Term
	span model.Span
}

// invoke evaluates fn, or gives the summary of an earlier evaluation with equal arguments.
func (e *engine) invoke(fn *Function, this *Term, args []*Term, rest *Term, bindings []*Term, base *overlay) *Summary {
	fn.called = true
	fn.served = fn.served || e.entered
	if e.depth >= maxCallDepth {
		e.cutAt(fn.Span, "more than "+itoa(maxCallDepth)+" calls within each other: what is called from here on was not followed")
		return e.opaque(fn, DepthGap)
	}
	if e.steps <= 0 || e.total <= 0 {
		e.cut = true
		return e.opaque(fn, WorkGap)
	}
	if fn.epoch != e.epoch {
		fn.epoch, fn.ctxs, fn.vain = e.epoch, 0, 0
	}
	limit := maxContexts
	switch e.phase {
	case initPhase:
		limit = maxInitContexts
	case rootPhase:
		limit = maxRootContexts
	}
	contents := base
	if fn.ctxs >= limit && fn.ctxs*len(fn.Ops) >= maxContextOps || fn.ctxs >= maxContexts && e.idle() || e.inVain(fn) {
		// too many contexts: forget what distinguishes them
		e.note(fn.Span, "called in too many ways: later calls were followed with unknown arguments")
		args = e.generalise(fn, args)
		contents = nil
	}
	if fn.entered >= maxRecursion {
		// a later round may do what the first ones do not: follow one that stands for all of them. What every round hands on stays as it is.
		wide := e.generalise(fn, args)
		for i, before := range fn.latest {
			if i < len(wide) && args[i] == before {
				wide[i] = before
			}
		}
		args, contents = wide, nil
	}
	key := e.memoKey(fn, this, args, rest, bindings, contents)
	if e.chain != nil {
		key += e.chain.position(base)
	}
	if s := e.memo[key]; s != nil {
		if s.running {
			return e.opaque(fn, 0) // what this round does, the one that runs does
		}
		if e.holds(s) {
			e.current.on(s)
			return s
		}
	}
	if fn.entered >= maxRecursion+maxWidened {
		e.note(fn.Span, "calls itself in a new way in every round: followed for "+itoa(maxRecursion+maxWidened)+" rounds")
		return e.opaque(fn, RecursionGap)
	}
	fn.ctxs++
	e.activations++
	s := &Summary{fn: fn, running: true, gaps: fn.gaps()}
	e.memo[key] = s
	fn.entered++
	latest := fn.latest
	fn.latest = args
	e.depth++
	a := &activation{fn: fn, this: this, args: args, rest: rest, bindings: bindings, base: base, sum: s,
		calls: map[string]*Call{}, steps: map[stepKey]*step{}, reads: map[readKey]bool{}, ctx: e.activations}
	outer := e.current
	e.current = &s.reliance
	s.since = e.next
	left, made := e.total, e.madeSoFar()
	e.run(a)
	e.current = outer
	fn.entered--
	switch {
	case s.interesting || e.madeSoFar() != made:
		fn.matters = true
	case e.phase == entryPhase:
		fn.rounds++
		fn.allVain += left - e.total
		fallthrough
	default:
		fn.vain += left - e.total
	}
	fn.latest = latest
	e.depth--
	s.running = false
	if e.steps <= 0 || e.total <= 0 {
		delete(e.memo, key) // cut short: no later entry is to take it for what the function does
	} else {
		s.settle()
	}
	outer.on(s)
	return s
}

// idle reports whether an initialiser or a function that the host calls has run for long, is deep in calls and has registered nothing all that
// while. What a server does once it runs, such as timers that start each other over a shared queue, is then not told apart by its arguments.
func (e *engine) idle() bool {
	if n := e.madeSoFar(); n != e.found || e.idleEpoch != e.epoch {
		e.found, e.idleEpoch, e.foundAt = n, e.epoch, e.total
	}
	return e.phase != entryPhase && e.depth >= idleDepth && e.foundAt-e.total > idleSteps
}

// madeSoFar counts the registrations and the like.
func (e *engine) madeSoFar() int {
	return e.registeredSoFar() + len(e.defined) + len(e.lists) + len(e.transports)
}

// inVain reports whether evaluating fn in one way after the other took much work and led to nothing outside the program that matters. Such a function
// works on texts and trees: what it gives back is not worth what telling its arguments apart costs. What makes the program ready is built by functions
// that do no more than that, one for each tool: there it is said only of one that calls itself. What took so much in the tools before takes nothing more of
// the next one, unless it is small: how an argument is read matters, however often that is done.
func (e *engine) inVain(fn *Function) bool {
	switch {
	case fn.matters:
		return false
	case e.phase != entryPhase:
		return fn.entered > 0 && fn.vain > maxVain
	}
	return fn.vain > maxVain || fn.allVain > maxAllVain && fn.allVain > fn.rounds*vainEach
}

// reserve sees to it that something is left for entries where registering them took all that the program has.
func (e *engine) reserve(entries int) {
	if e.stopped || entries == 0 {
		return
	}
	if want := min(entries*entryReserve, allReserve-e.reserved); want > e.total {
		e.reserved += want - e.total
		e.total = want
	}
	e.least = min(e.total/entries, entryReserve) / entryLeast
}

// apportion bounds the next of some entries, so that the last one has something to be followed with too.
func (e *engine) apportion(entries int) {
	entries = max(entries, 1)
	e.share = min(entrySteps, max(e.least, min(entryShare*e.total/entries, e.total-(entries-1)*e.least)))
	if !e.stopped {
		e.total = max(e.total, e.share) // an entry ends a little after its bound
	}
}

// opaque is the summary of a call that was not followed, for the reasons given: it returns something unknown.
func (e *engine) opaque(fn *Function, why Gap) *Summary {
	return &Summary{fn: fn, gaps: why, exits: []exit{{value: e.unknown("unfollowed call", e.site(fn, -1))}}}
}

// requestMethods are the few arguments that tell more than others what a function does: one that sends every request is called in many ways.
var requestMethods = map[string]bool{"GET": true, "HEAD": true, "OPTIONS": true, "POST": true, "PUT": true, "PATCH": true, "DELETE": true}

// generalise replaces arguments that are neither functions, objects nor methods of requests by unknowns of their declared types.
func (e *engine) generalise(fn *Function, args []*Term) []*Term {
	out := make([]*Term, len(args))
	for i, a := range args {
		out[i] = a
		if a.Kind == TClosure || a.Kind == TClass || a.Kind == TInput || a.Kind == TConst && requestMethods[a.Const.Text] {
			continue
		}
		name := ""
		if i < len(fn.Params) {
			name = fn.Params[i].Name
		}
		if a.Sym != "" {
			out[i] = e.typedUnknown(name, a.Sym, nil, e.site(fn, -1))
		} else {
			out[i] = e.unknown("argument "+name, e.site(fn, model.ID(-2-i)))
		}
	}
	return out
}

func (e *engine) memoKey(fn *Function, this *Term, args []*Term, rest *Term, bindings []*Term, base *overlay) string {
	k := e.key[:0]
	put := func(n int32) { k = binary.LittleEndian.AppendUint32(k, uint32(n)) }
	putTerm := func(t *Term) {
		if t == nil {
			put(-1)
		} else {
			put(t.id)
		}
	}
	put(fn.id)
	if e.assume != nil {
		put(-2 - e.assume.id)
	}
	for d := e.delivery; d != nil; d = d.outer {
		put(-3)
		put(d.over.id)
		put(d.value.id)
	}
	putTerm(this)
	putTerm(rest)
	put(int32(len(args)))
	for _, a := range args {
		putTerm(a)
	}
	for _, b := range bindings {
		putTerm(b)
	}
	// the contents of what the arguments reach
	e.walks++
	walked := e.walks
	var walk func(*Term)
	walk = func(t *Term) {
		if t == nil || t.flags&hasRef == 0 || t.walked == walked {
			return
		}
		t.walked = walked
		if t.Kind == TRef {
			if obj := base.get(t); obj != nil {
				put(t.id)
				put(obj.id)
				obj.each(walk)
			}
			return
		}
		for _, a := range t.Args {
			walk(a)
		}
		walk(t.This)
	}
	walk(this)
	walk(rest)
	if e.delivery != nil {
		walk(e.delivery.value)
	}
	if e.handedTo != nil {
		put(-4)
		walk(e.handedTo)
	}
	if e.announcing != nil {
		put(-5)
		put(e.announcing.id)
		walk(e.announcing)
	}
	for _, a := range args {
		walk(a)
	}
	for _, b := range bindings {
		walk(b)
	}
	e.key = k
	return string(k)
}

// run walks the blocks of the function, states in lockstep, in reverse postorder.
func (e *engine) run(a *activation) {
	fn := a.fn
	fn.prepare()
	if len(fn.Blocks) == 0 {
		a.sum.exits = []exit{{value: e.undefined}}
		return
	}
	pending := make([][]*state, len(fn.Blocks))
	heap := a.base.child(a.base)
	pending[0] = []*state{{env: newValues(len(fn.Ops)), heap: heap, came: model.NoBlock}}
	var exits []exit
	for {
		next := fn.next(pending)
		if next < 0 {
			break
		}
		block := &fn.Blocks[next]
		waiting := pending[next]
		pending[next] = nil
		phis := 0
		for phis < len(block.Ops) && fn.Ops[block.Ops[phis]].Kind == model.Phi {
			phis++
		}
		for _, st := range waiting {
			e.phis(a, st, block, block.Ops[:phis])
		}
		states := e.joinSome(a, waiting)
		for _, id := range block.Ops[phis:] {
			after := e.step(a, states, &fn.Ops[id], id, block, pending)
			if len(after) > a.paths() {
				after = e.joinAll(a, after)
			}
			states = after
			if len(states) == 0 {
				break
			}
		}
		if e.steps <= 0 || e.total <= 0 {
			// the budget is gone: whatever was reached stands, the rest is unknown
			for _, st := range states {
				exits = append(exits, exit{value: e.unknown("budget", nil), facts: st.facts, heap: st.heap.since(a.base), span: block.Span})
			}
			a.sum.gaps |= WorkGap
			break
		}
		for _, st := range states {
			exits = e.leave(a, st, model.BlockID(next), pending, exits)
		}
	}
	exits = append(exits, a.thrown...)
	switch {
	case fn.Generator:
		exits = e.generated(a, exits)
	case len(exits) > 0:
	case fn.Partial:
		exits = []exit{{value: e.unknown("partly read", e.site(fn, -1))}}
	case fn.Async:
		// who calls it goes on, although what it promises never comes
		exits = []exit{{value: e.unknown("never settles", e.site(fn, -1))}}
	default:
		exits = []exit{}
	}
	a.sum.exits = e.mergeExits(a, exits)
	for i := range a.sum.exits {
		e.prune(a, &a.sum.exits[i])
	}
}

// next picks the block whose states go on, -1 where none waits: the first one in reverse postorder, but the head of a loop only when nothing waits within
// it. A round that was cut short with `continue` waits for those that were not, so that the head sees the states of one round together (the
// recursive strategy of Bourdoncle, "Efficient chaotic iteration strategies with widenings").
func (f *Function) next(pending [][]*state) int {
	next := -1
	for loop := map[model.BlockID]bool(nil); ; {
		first := -1
		for b := range pending {
			if len(pending[b]) > 0 && f.order[b] >= 0 && (first < 0 || f.order[b] < f.order[first]) && (loop == nil || b != next && loop[model.BlockID(b)]) {
				first = b
			}
		}
		if first < 0 {
			return next
		}
		if next = first; !f.heads[next] {
			return next
		}
		loop = f.inLoop[next]
	}
}

// generated is what a call of a generator gives: what it hands out, in some number. It is taken to run when it is called, and ends for its caller even where
// it goes on for ever.
func (e *engine) generated(a *activation, exits []exit) []exit {
	value := e.unknown("generated", e.site(a.fn, -1))
	if a.yields != nil {
		value = e.intern(Term{Kind: TArray, Args: []*Term{a.yields}, Keys: []string{"..."}})
	}
	out := make([]exit, 0, len(exits)+1)
	for _, x := range exits {
		if !x.throws {
			x.value = value
		}
		out = append(out, x)
	}
	if !slices.ContainsFunc(out, func(x exit) bool { return !x.throws }) {
		out = append(out, exit{value: value})
	}
	return out
}

// step evaluates one operation of a block in each of the states that reach it, and gives those that go on.
func (e *engine) step(a *activation, states []*state, op *model.Op, id model.ID, block *model.Block, pending [][]*state) []*state {
	var after []*state // nil while each state goes on as it is
	for i, st := range states {
		e.worked(block.Span)
		value, outcomes := e.exec(a, st, op, id, block)
		value = e.supposed(a.fn, st, op, id, value)
		if value != nil {
			st.env.set(id, value)
			if after != nil {
				after = append(after, st)
			}
			continue
		}
		if after == nil {
			after = append(make([]*state, 0, len(states)), states[:i]...)
		}
		for _, o := range outcomes {
			if o.throws {
				e.raise(a, o.st, o.value, block, pending)
				continue
			}
			o.st.env.set(id, o.value)
			after = append(after, o.st)
		}
	}
	if after == nil {
		return states
	}
	return after
}

// prune drops from an outcome's heap what nobody can reach any more: objects that the activation made for itself.
func (e *engine) prune(a *activation, x *exit) {
	if len(x.heap) == 0 {
		return
	}
	keep := make(map[*Term]*object, len(x.heap))
	var reach func(t *Term)
	e.walks++
	walked := e.walks
	keepRef := func(ref *Term) {
		obj := x.heap[ref]
		if obj == nil || keep[ref] != nil {
			return
		}
		keep[ref] = obj
		obj.each(reach)
	}
	reach = func(t *Term) {
		if t == nil || t.walked == walked {
			return
		}
		t.walked = walked
		if x.heap[t] != nil {
			keepRef(t)
		}
		if t.flags&hasRef == 0 {
			return
		}
		for _, arg := range t.Args {
			reach(arg)
		}
		reach(t.This)
	}
	reach(x.value)
	for ref := range x.heap {
		if ref.Kind != TRef || e.pinned[ref] || a.base.get(ref) != nil || e.outlasting(ref) != nil {
			keepRef(ref)
		}
	}
	x.heap, x.refs = keep, sortedRefs(keep)
}

// pin keeps the references of a value that is remembered outside the paths: in a module variable or a registration.
func (e *engine) pin(t *Term) {
	if t == nil || t.flags&hasRef == 0 {
		return
	}
	t.Walk(func(u *Term) bool {
		if u.Kind == TRef {
			e.pinned[u] = true
		}
		return u.flags&hasRef != 0
	})
}

// raise sends a thrown value to the block's handler, or out of the function.
func (e *engine) raise(a *activation, st *state, value *Term, block *model.Block, pending [][]*state) {
	if block.Handler != model.NoBlock {
		st.caught = value
		waiting := pending[block.Handler]
		if ops := a.fn.Blocks[block.Handler].Ops; len(ops) == 0 || a.fn.Ops[ops[0]].Kind != model.Phi {
			// what fails in a long block is mostly alike
			for _, other := range waiting {
				if e.alike(other, st) {
					e.mergeInto(a, other, st)
					return
				}
			}
		}
		pending[block.Handler] = append(waiting, st)
		return
	}
	for _, st := range e.runDeferred(a, st, block) {
		a.thrown = append(a.thrown, exit{throws: true, value: value, facts: st.facts, heap: st.heap.since(a.base), span: block.Span})
	}
	if len(a.thrown) > 4*maxExits {
		a.thrown = e.mergeExits(a, a.thrown)
	}
}

// leave ends a block in one state: it decides where control goes.
func (e *engine) leave(a *activation, st *state, b model.BlockID, pending [][]*state, exits []exit) []exit {
	fn := a.fn
	block := &fn.Blocks[b]
	val := func() *Term {
		if block.Value < 0 {
			return e.undefined
		}
		return e.value(st, block.Value)
	}
	goTo := func(st *state, to model.BlockID) {
		if to < 0 || int(to) >= len(fn.Blocks) || fn.order[to] < 0 {
			return
		}
		if fn.heads[to] {
			n, _ := st.visits.of(to)
			n++
			if fn.order[to] > fn.order[b] {
				n = 1
			}
			st.visits.set(to, n)
			if n > maxLoopVisits && fn.Blocks[to].Term != model.Range {
				// enough rounds: only the way out is left, if the header has one
				if !e.canLeave(fn, to) {
					return
				}
			}
			if n > maxUnroll+2 {
				return
			}
		}
		st.came = b
		pending[to] = append(pending[to], st)
	}
	switch block.Term {
	case model.Jump:
		if len(block.Succs) > 0 {
			// a state that has been around often enough does not go around again
			to := block.Succs[0]
			goTo(st, to)
		}
	case model.If:
		if len(block.Succs) < 2 {
			break
		}
		cond := val()
		cond, flip := stripNot(cond)
		yes, no := block.Succs[0], block.Succs[1]
		if flip {
			yes, no = no, yes
		}
		if rounds, _ := st.visits.of(b); fn.heads[b] && rounds > maxLoopVisits {
			in := fn.inLoop[b]
			if in[yes] != in[no] {
				out := yes
				if in[yes] {
					out = no
				}
				goTo(st, out)
				break
			}
		}
		truth, known := e.truth(st, cond)
		if asked, not := e.flagged(a, st, block.Value); asked != nil {
			cond, truth, known = asked, false, false
			if not != flip {
				yes, no = no, yes
			}
		}
		if !known && e.pending(a, st, block.Value) {
			truth, known = !flip, true
		}
		if !known {
			truth, known = st.facts.holds(cond)
		}
		if known && e.mayMiss(a, st, block.Value) {
			goTo(st.fork(a.base), no)
			goTo(st, yes)
			break
		}
		if known {
			if truth {
				goTo(st, yes)
			} else {
				goTo(st, no)
			}
			break
		}
		span := block.Span
		if block.Value >= 0 && int(block.Value) < len(fn.Ops) {
			// the condition itself, unless its value was made earlier, as a parameter is
			if s := fn.Ops[block.Value].Span; s.IsValid() && (!span.IsValid() || s.Offset >= span.Offset && s.EndOffset <= span.EndOffset) {
				span = s
			}
		}
		other := st.fork(a.base)
		st.facts = pushFact(st.facts, fact{cond: Cond{cond, true, span}})
		other.facts = pushFact(other.facts, fact{cond: Cond{cond, false, span}})
		e.narrow(st, cond, true)
		e.narrow(other, cond, false)
		goTo(st, yes)
		goTo(other, no)
	case model.Range:
		if len(block.Succs) < 2 {
			break
		}
		e.iterate(a, st, b, block, goTo)
	case model.Return:
		value := val()
		for _, st := range e.runDeferred(a, st, block) {
			exits = append(exits, exit{value: value, facts: st.facts, heap: st.heap.since(a.base), span: block.Span})
		}
		if len(exits) > 8*maxExits {
			exits = e.mergeExits(a, exits)
		}
	case model.Throw:
		e.raise(a, st, val(), block, pending)
	case model.Unreachable:
	}
	return exits
}

// canLeave reports whether a loop header itself branches out of the loop.
func (e *engine) canLeave(fn *Function, head model.BlockID) bool {
	block := &fn.Blocks[head]
	if block.Term != model.If || len(block.Succs) < 2 {
		return false
	}
	in := fn.inLoop[head]
	return in[block.Succs[0]] != in[block.Succs[1]]
}

func stripNot(t *Term) (*Term, bool) {
	flip := false
	for t.Kind == TOp && t.Name == "!" {
		t = t.Args[0]
		flip = !flip
	}
	return t, flip
}

// narrow uses a decided condition on the path: a value that was found to be missing is missing from here on, and one that was refused for being a
// constant is not that constant.
func (e *engine) narrow(st *state, cond *Term, truth bool) {
	decide := func(alt *Term) (yes, known bool) { return e.truth(st, alt) }
	if cond.Kind == TOp && len(cond.Args) == 2 && (cond.Name == "==" || cond.Name == "!=") && truth == (cond.Name == "!=") {
		// a fallback beside a value that is not known; the rows of a table, all of them known, keep their alternatives
		text := cond.Args[1]
		if text.Kind != TConst || text.Const.Kind != model.String || !hasOpaque(cond.Args[0]) {
			return
		}
		decide = func(alt *Term) (yes, known bool) { return !truth, alt == text }
		cond = cond.Args[0]
	}
	if cond.Kind != TUnion {
		return
	}
	var keep []*Term
	for _, alt := range cond.Args {
		if t, known := decide(alt); !known || t == truth {
			keep = append(keep, alt)
		}
	}
	if len(keep) == 0 || len(keep) == len(cond.Args) {
		return
	}
	narrowed := e.union(keep...)
	for i, c := range st.env.chunks {
		if c == nil {
			continue
		}
		for j, v := range c.v {
			if v == cond {
				st.env.set(model.ID(i*chunkSize+j), narrowed)
			}
		}
	}
	for l := st.heap; l != nil && l.depth >= st.heap.depth-2; l = l.parent {
		for ref, obj := range l.own {
			if obj.kind == cellObject && len(obj.vals) == 1 && obj.vals[0] == cond {
				st.heap.set(ref, e.heap.intern(object{kind: cellObject, keys: []string{""}, vals: []*Term{narrowed}}))
			}
		}
	}
}

// hasOpaque reports whether one of the values that a term may be is an input or comes from outside.
func hasOpaque(t *Term) bool {
	for _, alt := range t.Alternatives() {
		switch alt.Kind {
		case TInput, TMember, TIndex, TCall, TCast:
			return true
		}
	}
	return false
}

// iterate takes a Range terminator: one round per element of a known sequence, one round otherwise.
func (e *engine) iterate(a *activation, st *state, b model.BlockID, block *model.Block, goTo func(*state, model.BlockID)) {
	body, out := block.Succs[0], block.Succs[1]
	seq := e.value(st, block.Value)
	at, _ := st.cur.of(block.Value)
	if at.next == 0 {
		e.walked(a, st, block.Value, seq)
		if !e.entered && len(e.runs) > 0 && seq.flags&hasRef != 0 {
			for _, alt := range seq.Alternatives() {
				e.looksInto(alt, "", walkedWhole)
			}
		}
	}
	elems, keys, exact := e.listed(st, seq)
	if exact {
		if at.next == 0 {
			at.made = e.registeredSoFar()
		}
		switch {
		case at.next < min(len(elems), maxUnroll):
			key := e.number(itoa(at.next))
			if keys != nil {
				key = keys[at.next]
			}
			if at.next == e.surelyHas(st, seq, len(elems)) {
				other := st.fork(a.base)
				other.cur.drop(block.Value)
				goTo(other, out) // those that follow may be missing
			}
			st.cur.set(block.Value, element{key: key, value: elems[at.next], next: at.next + 1, made: at.made})
			goTo(st, body)
			return
		case at.next == maxUnroll && len(elems) > maxUnroll && !e.leftOut(a.fn, block.Value, len(elems), at.made):
			// one round for all that is left
			st.cur.set(block.Value, element{key: e.intern(Term{Kind: TElement, Name: "key", Args: []*Term{seq}}),
				value: e.bigUnion(elems[maxUnroll:]), next: at.next + 1, made: at.made})
			goTo(st, body)
			return
		}
		st.cur.drop(block.Value)
		goTo(st, out)
		return
	}
	site := e.site(a.fn, block.Value)
	known, value := e.knownPart(st, seq, site)
	if at.next < len(known) {
		st.cur.set(block.Value, element{key: e.number(itoa(at.next)), value: known[at.next], next: at.next + 1, made: at.made})
		goTo(st, body)
		return
	}
	if at.next > len(known) {
		st.cur.drop(block.Value)
		goTo(st, out)
		return
	}
	e.notePick(a.fn, b, seq)
	other := st.fork(a.base)
	other.cur.drop(block.Value)
	goTo(other, out)
	st.cur.set(block.Value, element{key: e.intern(Term{Kind: TElement, Name: "key", Args: []*Term{seq}}), value: value, next: at.next + 1, made: at.made})
	goTo(st, body)
}

// knownPart is, of a sequence that is not wholly known, the elements that are, and what the others may be. What makes the program ready walks a table
// of tools that begins with what a configuration says: each tool of it has a name of its own. For what runs later there is one round for all elements.
func (e *engine) knownPart(st *state, seq *Term, site *Site) (known []*Term, others *Term) {
	if e.phase != entryPhase && seq.flags&hasRef != 0 {
		for _, alt := range seq.Alternatives() {
			obj := e.contents(st, alt)
			if alt.Kind != TRef || obj == nil || obj.kind != arrayObject {
				others = e.union(others, e.elementOf(st, alt, site))
				continue
			}
			for _, el := range obj.elems {
				if !slices.Contains(known, el) {
					known = append(known, el)
				}
			}
			others = e.union(others, obj.rest)
		}
		if len(known) > 0 && len(known) <= maxUnroll {
			return known, orUndefined(e, others)
		}
	}
	return nil, e.elementOf(st, seq, site)
}

// leftOut reports whether the elements of a sequence beyond maxUnroll are left out, because each of the others registered something:
// all that is left would make one tool of no name. made is how many registrations there were before the first element.
func (e *engine) leftOut(fn *Function, at model.ID, elements, made int) bool {
	if e.registeredSoFar()-made < maxUnroll {
		return false
	}
	span := fn.Span
	if at >= 0 && fn.Ops[at].Span.IsValid() {
		span = fn.Ops[at].Span
	}
	e.cutAt(span, "more than "+itoa(maxUnroll)+" registrations in one loop: the last "+itoa(elements-maxUnroll)+" were left out")
	return true
}

func (e *engine) registeredSoFar() int { return len(e.registrations) + len(e.routes) }

// joinSome brings the states that wait at a block together, some at a time: each merge costs as much as what both sides hold.
func (e *engine) joinSome(a *activation, waiting []*state) []*state {
	if len(waiting) == 1 {
		return waiting
	}
	var states []*state
	for len(waiting) > maxWaiting {
		states = e.join(a, append(states, waiting[:maxWaiting]...))
		waiting = waiting[maxWaiting:]
	}
	return e.join(a, append(states, waiting...))
}

// join brings the states that wait at a block together where nothing of interest tells them apart.
func (e *engine) join(a *activation, states []*state) []*state {
	if len(states) <= 1 {
		return states
	}
	var out []*state
	for _, st := range states {
		merged := false
		for _, other := range out {
			if e.alike(other, st) {
				e.mergeInto(a, other, st)
				merged = true
				break
			}
		}
		if !merged {
			out = append(out, st)
		}
	}
	if len(out) > a.paths() {
		out = e.joinAll(a, out)
	}
	return out
}

// joinAll forces the number of states down: first those that say the same of records, then those with equal calls, then all.
func (e *engine) joinAll(a *activation, states []*state) []*state {
	limit := a.paths()
	a.crowded++
	out := states
	for _, same := range []func(a, b *fact) bool{e.sameRecords, e.sameCalls} {
		if len(out) <= limit {
			break
		}
		rest := out
		out = nil
		for _, st := range rest {
			i := slices.IndexFunc(out, func(other *state) bool { return same(other.facts, st.facts) && sameCursors(other, st) })
			if i < 0 {
				out = append(out, st)
				continue
			}
			e.mergeInto(a, out[i], st)
		}
	}
	for len(out) > limit {
		last := out[len(out)-1]
		out = out[:len(out)-1]
		target := -1
		for i := len(out) - 1; i >= 0; i-- {
			if sameCursors(out[i], last) {
				target = i
				break
			}
		}
		if target < 0 {
			target = len(out) - 1
		}
		e.mergeInto(a, out[target], last)
	}
	return out
}

// paths is how many states are kept apart at one block: fewer in a function that ran out of them again and again, since it
// would spend all its time on telling apart what is forgotten at the next call.
func (a *activation) paths() int {
	switch {
	case a.crowded < 8:
		return maxPaths
	case a.crowded < 32:
		return maxPaths / 2
	}
	return maxPaths / 4
}

func sameCursors(a, b *state) bool {
	if len(a.cur) != len(b.cur) {
		return false
	}
	for _, x := range a.cur {
		if y, ok := b.cur.of(x.key); !ok || y.next != x.val.next {
			return false
		}
	}
	return true
}

// alike reports whether two states differ in nothing that rules ask about: the interesting calls made, and
// the conditions decided over their results.
func (e *engine) alike(a, b *state) bool {
	return sameCursors(a, b) && e.sameFacts(a.facts, b.facts)
}

func (e *engine) interestingFact(f *fact) bool {
	if f.call != nil {
		return f.call.interesting()
	}
	return f.cond.Term != nil && e.aboutCall(f.cond.Term)
}

// aboutCall reports whether the term holds the result of a call that matters: a lookup, claim, check or effect.
func (e *engine) aboutCall(t *Term) bool {
	return t.holdsCall(e.about, func(u *Term) bool {
		c := e.calls[u]
		return c != nil && c.interesting()
	})
}

// sameFacts reports whether two paths agree in the facts of interest.
func (e *engine) sameFacts(a, b *fact) bool {
	return a == b || e.sums(a).all == e.sums(b).all
}

// sameCalls reports whether two paths made the same calls of interest.
func (e *engine) sameCalls(a, b *fact) bool {
	return a == b || e.sums(a).calls == e.sums(b).calls
}

// sameRecords reports whether two paths made the same calls of interest, and found out the same about records: other conditions are the first to be forgotten.
func (e *engine) sameRecords(a, b *fact) bool {
	return a == b || e.sums(a).records == e.sums(b).records
}

// sums gives the sums of a path. Each fact counts once, however often a loop repeats it.
func (e *engine) sums(f *fact) factSums {
	if f == nil {
		return factSums{}
	}
	if f.summed {
		return f.sums
	}
	var todo []*fact
	x := f
	for ; x != nil && !x.summed; x = x.prev {
		todo = append(todo, x)
	}
	var s factSums
	if x != nil {
		s = x.sums
	}
	for i := len(todo) - 1; i >= 0; i-- {
		x := todo[i]
		if e.interestingFact(x) {
			h := x.hash()
			bit := uint64(1) << (h >> 58)
			if s.seen&bit == 0 || !x.repeated() {
				s.seen |= bit
				s.all += h
				if x.call != nil {
					s.calls += h
				}
				if asks := e.asksRecord(x.cond.Term); asks || x.call != nil {
					s.records += h
					if asks {
						s.asked += h
					}
				}
			}
		}
		x.sums, x.summed = s, true
	}
	return s
}

// mergeInto makes a stand for both states.
func (e *engine) mergeInto(act *activation, a, b *state) {
	for _, id := range b.deferred {
		if !slices.Contains(a.deferred, id) {
			a.deferred = append(slices.Clip(a.deferred), id)
		}
	}
	if a.heap != b.heap {
		e.mergeHeaps(a, b)
	}
	for i, cb := range b.env.chunks {
		ca := a.env.chunks[i]
		if cb == nil || ca == cb {
			continue
		}
		for j, v := range cb.v {
			if v == nil || ca != nil && ca.v[j] == v {
				continue
			}
			id := model.ID(i*chunkSize + j)
			if old := a.env.get(id); old != nil {
				v = e.longest(a, e.union(old, v))
			}
			a.env.set(id, v)
		}
	}
	a.facts = e.meet(a.facts, b.facts)
	if a.caught != b.caught {
		if a.caught == nil {
			a.caught = b.caught
		} else if b.caught != nil {
			a.caught = e.union(a.caught, b.caught)
		}
	}
	for _, x := range b.visits {
		n, _ := a.visits.of(x.key)
		a.visits.set(x.key, max(n, x.val))
	}
	for _, x := range b.cur {
		v := x.val
		if w, ok := a.cur.of(x.key); ok && w.value != v.value {
			a.cur.set(x.key, element{key: e.union(w.key, v.key), value: e.union(w.value, v.value), next: max(w.next, v.next)})
		}
	}
}

// parted is a reference whose contents two paths tell: of the first path, and of the second. Contents are nil where a path says nothing new.
type parted struct {
	ref       *Term
	one, two  *object
	unchanged bool
}

// mergeHeaps makes the contents that a sees stand for those that b sees too. What must be merged is merged in order of creation, since that makes terms.
func (e *engine) mergeHeaps(a, b *state) {
	common := sharedLayer(a.heap, b.heap)
	before := func(ref *Term) *object {
		if o := common.get(ref); o != nil {
			return o
		}
		return e.outlasting(ref)
	}
	mine, theirs := e.mine[:0], e.theirs[:0]
	e.walks++
	walk := e.walks
	for l := a.heap; l != nil && l != common; l = l.parent {
		for ref, obj := range l.own {
			if ref.walked != walk {
				ref.walked, ref.slot = walk, int32(len(mine))
				mine = append(mine, parted{ref: ref, one: obj})
			}
		}
	}
	e.walks++
	for l := b.heap; l != nil && l != common; l = l.parent {
		for ref, obj := range l.own {
			if ref.walked == e.walks {
				continue
			}
			p := parted{ref: ref, two: obj}
			if ref.walked == walk {
				p.one = mine[ref.slot].one
				mine[ref.slot].two = obj
			}
			ref.walked = e.walks
			if p.one == obj {
				if !obj.grows {
					a.heap.set(ref, obj)
					continue
				}
				p.unchanged = true
			}
			theirs = append(theirs, p)
		}
	}
	// what only the first path tells
	alone := mine[:0]
	for _, p := range mine {
		if p.two != nil {
			continue
		}
		if p.two = before(p.ref); p.two != nil && p.two != p.one {
			alone = append(alone, p)
		}
	}
	sortParted(theirs)
	sortParted(alone)
	for _, p := range theirs {
		switch {
		case p.unchanged:
			continue
		case p.one == nil:
			p.one = before(p.ref)
		}
		a.heap.set(p.ref, e.heap.merge(e.terms, p.one, p.two))
	}
	for _, p := range alone {
		a.heap.set(p.ref, e.heap.merge(e.terms, p.one, p.two))
	}
	for _, list := range [][]parted{theirs, alone} {
		for _, p := range list {
			if o := a.heap.get(p.ref); o.grows || p.unchanged {
				a.heap.set(p.ref, e.longestIn(a, o))
			}
		}
	}
	e.mine, e.theirs = mine[:0], theirs[:0]
}

func sortParted(list []parted) {
	slices.SortFunc(list, func(a, b parted) int { return int(a.ref.id - b.ref.id) })
}

// mergeExits joins outcomes that nothing of interest tells apart, and bounds their number.
func (e *engine) mergeExits(a *activation, exits []exit) []exit {
	var out []exit
	add := func(x exit, same func(y exit) bool) {
		for i := range out {
			if same(out[i]) {
				out[i] = e.mergeExit(a, out[i], x)
				return
			}
		}
		out = append(out, x)
	}
	interesting := a.sum.interesting
	for _, x := range exits {
		add(x, func(y exit) bool {
			if x.throws != y.throws || e.ending(a, x) != e.ending(a, y) {
				return false
			}
			if !interesting {
				return true
			}
			return e.sameFacts(x.facts, y.facts) && (x.value == y.value || x.throws || !e.telling(x.value, y.value))
		})
	}
	if len(out) > maxExits {
		for _, same := range []func(a, b *fact) bool{e.sameRecords, e.sameCalls} {
			for from := len(out) - 1; from > 0 && len(out) > maxExits; from-- {
				x := out[from]
				into := slices.IndexFunc(out[:from], func(y exit) bool {
					return x.throws == y.throws && same(x.facts, y.facts) && e.ending(a, x) == e.ending(a, y)
				})
				if into >= 0 {
					out[into] = e.mergeExit(a, out[into], x)
					out = slices.Delete(out, from, from+1)
				}
			}
		}
		for len(out) > maxExits {
			into, from := e.leastApart(a, out)
			out[into] = e.mergeExit(a, out[into], out[from])
			out = slices.Delete(out, from, from+1)
		}
	}
	return out
}

// leastApart picks the two of several outcomes that are joined where there are too many: the last that end alike, those first that say the same of what was
// found in a record.
func (e *engine) leastApart(a *activation, list []exit) (into, from int) {
	for _, asked := range []bool{true, false} {
		for from = len(list) - 1; from > 0; from-- {
			for into = from - 1; into >= 0; into-- {
				if list[into].throws == list[from].throws && e.ending(a, list[into]) == e.ending(a, list[from]) &&
					(!asked || e.sums(list[into].facts).asked == e.sums(list[from].facts).asked) {
					return into, from
				}
			}
		}
	}
	from = len(list) - 1
	for into = from - 1; into > 0; into-- {
		if list[into].throws == list[from].throws {
			break
		}
	}
	return into, from
}

// ending is a text for what the results of a Go function say of how it ended: which of them are nil, true or false. A function that returns an error does
// not throw, so its outcomes are told apart by what it returns. It is "" in other languages.
func (e *engine) ending(a *activation, x exit) string {
	if a.fn.Unit.Language != model.Go || x.value == nil {
		return ""
	}
	word := func(t *Term) byte {
		switch {
		case t.IsNullish():
			return 'n'
		case t.Kind == TConst && t.Const.Kind == model.Bool:
			return t.Const.Text[0]
		}
		return '-'
	}
	var text []byte
	for i, alt := range x.value.Alternatives() {
		results := x.results(alt)
		if results == nil {
			results = []*Term{alt}
		}
		if i == 0 {
			text = make([]byte, len(results))
		}
		for j := range min(len(text), len(results)) {
			if w := word(results[j]); i == 0 {
				text[j] = w
			} else if text[j] != w {
				text[j] = '-'
			}
		}
	}
	return string(text)
}

// results gives the single results that a Go function returns as an array, nil for another value.
func (x *exit) results(value *Term) []*Term {
	if value.Kind == TArray && value.Keys == nil {
		return value.Args
	}
	if obj := x.heap[value]; obj != nil && obj.kind == arrayObject && obj.rest == nil {
		return obj.elems
	}
	return nil
}

// telling reports whether a caller could tell two results apart: constants, null against something, objects with different constants.
func (e *engine) telling(a, b *Term) bool {
	simple := func(t *Term) bool { return t.Kind == TConst || t.Kind == TRef }
	return simple(a) || simple(b)
}

// mergeExit joins an outcome with another one, which is given up: the contents of the first are changed in place.
func (e *engine) mergeExit(a *activation, x, y exit) exit {
	x.value = e.union(x.value, y.value)
	x.facts = e.meet(x.facts, y.facts)
	outside := func(ref *Term) *object {
		if o := a.base.get(ref); o != nil {
			return o
		}
		return e.outlasting(ref)
	}
	if x.heap == nil {
		x.heap = map[*Term]*object{}
	}
	// what must be merged, in order of creation: merging makes terms
	parts := map[*Term]*object{}
	for ref, obj := range x.heap {
		if y.heap[ref] == nil {
			if o := outside(ref); o != nil && o != obj {
				parts[ref] = o
			}
		}
	}
	for _, ref := range sortedRefs(parts) {
		x.heap[ref] = e.heap.merge(e.terms, x.heap[ref], parts[ref])
	}
	clear(parts)
	for ref, obj := range y.heap {
		mine := x.heap[ref]
		if mine == nil {
			mine = outside(ref)
		}
		switch {
		case mine == nil:
			x.heap[ref] = obj
		case mine == obj:
			x.heap[ref] = mine
		default:
			x.heap[ref] = mine
			parts[ref] = obj
		}
	}
	for _, ref := range sortedRefs(parts) {
		x.heap[ref] = e.heap.merge(e.terms, x.heap[ref], parts[ref])
	}
	return x
}

// commit makes the contents that an activation left behind visible to all later entries.
func (e *engine) commit(s *Summary) {
	for i := range s.exits {
		x := &s.exits[i]
		for _, ref := range x.ordered() {
			e.commitRef(ref, x.heap[ref])
		}
	}
}

func (e *engine) commitRef(ref *Term, obj *object) {
	old := e.heap.global[ref]
	merged := e.heap.merge(e.terms, old, obj)
	if merged != old {
		e.heap.setGlobal(ref, merged)
	}
}

func (e *engine) sortedNotes() []model.Note {
	out := make([]model.Note, 0, len(e.notes))
	for n := range e.notes {
		out = append(out, n)
	}
	sortNotes(out)
	return out
}

func sortNotes(notes []model.Note) {
	sort.Slice(notes, func(i, j int) bool {
		if c := notes[i].Span.Compare(notes[j].Span); c != 0 {
			return c < 0
		}
		return notes[i].What < notes[j].What
	})
}
