package flow

import (
	"cmp"
	"slices"
	"strings"

	"github.com/retrysafe/retrysafe/analyzers/lazyregexp"
	"github.com/retrysafe/retrysafe/analyzers/model"
)

// RetryKind says who does something again when it fails.
type RetryKind string

// The kinds of retries.
const (
	LoopRetry      RetryKind = "loop"      // a loop whose next round follows a failure
	RecursionRetry RetryKind = "recursion" // a function that calls itself after a failure
	CallbackRetry  RetryKind = "callback"  // a library that calls a function again
	StepRetry      RetryKind = "step"      // a workflow engine that runs a step again
	ClientRetry    RetryKind = "client"    // a client that was told to send its requests again
	DefaultRetry   RetryKind = "default"   // a client that sends its requests again without being told
)

// Retry is what runs an effect again, within one call of the tool, when it fails. What is tried again only because it was refused before it
// was processed is none.
type Retry struct {
	Kind RetryKind
	// Span is the place of the retry: the loop, the call of the function itself or of the library, what made or equipped the client; of a client that
	// nobody is seen to make, the effect.
	Span model.Span
	Fn   *Function // the function around it
	// Bounded is false of a loop that ends only with success; Waits of one that tries again at once.
	Bounded, Waits bool
	Confidence     model.Confidence

	loop  map[model.BlockID]bool // of a loop, its blocks
	inner []*Function            // the functions that an attempt runs, down to the effect
}

// Retries lists what runs an effect again when it fails, outermost first, clients last. Each is as seen on the way that the event's chain tells.
func (r *Result) Retries(x *Effect) []*Retry {
	if x.retriesKnown {
		return x.retries
	}
	x.retriesKnown = true
	e := r.engine
	for i, s := range x.Chain {
		if s.fn == nil || s.op < 0 {
			continue
		}
		inner := functionsOf(x.Chain[i+1:])
		for _, c := range e.again[siteKey{s.fn, s.op}] {
			if t := e.calledAgain(c, x); t != nil {
				t.inner = inner
				x.retries = append(x.retries, t)
				break
			}
		}
		if t := e.triedAgain(s.fn, s.op); t != nil {
			t.inner = inner
			x.retries = append(x.retries, t)
		}
	}
	if t := e.sentAgain(x); t != nil {
		x.retries = append(x.retries, t)
	}
	return x.retries
}

func functionsOf(chain []Step) []*Function {
	var out []*Function
	for _, s := range chain {
		if s.fn != nil && !slices.Contains(out, s.fn) {
			out = append(out, s.fn)
		}
	}
	return out
}

// noteRetry keeps a call that has something done again, for the effects that will be found to be concerned.
func (e *engine) noteRetry(c *callSite, call *Call) {
	if call.RetryRow == nil {
		return
	}
	spec := call.RetryRow.Retry
	if spec.Callback != "" {
		k := siteKey{c.a.fn, c.id}
		if !slices.Contains(e.again[k], call) {
			e.again[k] = append(e.again[k], call)
		}
		return
	}
	client := e.recorded(call).first(spec.Client)
	for client != nil && client.Kind == TMember {
		client = client.Args[0] // what is done to a part of a client is done to it
	}
	if client == nil || client == call.Result || slices.Contains(e.equipped[client], call) {
		return
	}
	e.equipped[client] = append(e.equipped[client], call)
}

// retried evaluates a library's call that calls a function until it succeeds: what that gives is what the call gives.
func (e *engine) retried(c *callSite, st *state, callee *Term, sym string, rows []*model.Row) (out []outcome, ok bool) {
	i := slices.IndexFunc(rows, func(r *model.Row) bool { return r.Retry != nil && r.Retry.Callback != "" })
	if i < 0 {
		return nil, false
	}
	acc := &accessor{e: e, st: st, recv: c.recv, args: c.args, rest: c.rest, name: c.name}
	fn := acc.first(rows[i].Retry.Callback)
	if fn == nil || closureOf(fn) == nil {
		return nil, false
	}
	e.noteRetry(c, e.makeCall(c, st, callee, sym, rows, false))
	var params []*Term
	if fn.Kind == TClosure {
		params = e.callbackArgs(c, st, fn, slices.Index(c.args, fn), rows, nil)
	}
	return e.apply(c.a, st, fn, nil, params, nil, c.op, c.id), true
}

// calledAgain gives the retry of a library's call that is handed a function, nil where the effect is not repeated by it.
func (e *engine) calledAgain(c *Call, x *Effect) *Retry {
	if !e.repeatsEffect(c, x) {
		return nil
	}
	t := &Retry{Kind: CallbackRetry, Span: c.Span, Fn: c.Fn, Bounded: true, Waits: true, Confidence: cmp.Or(c.RetryRow.Confidence, model.Certain)}
	if c.RetryRow.Retry.Engine {
		t.Kind = StepRetry
	}
	return t
}

// repeatsEffect reports whether what a call says of retries concerns an effect, and does not switch them off.
func (e *engine) repeatsEffect(c *Call, x *Effect) bool {
	spec := c.RetryRow.Retry
	if spec.Never || spec.Refused {
		return false
	}
	acc := e.recorded(c)
	for i := range spec.Unless {
		if yes, known := acc.holds(&spec.Unless[i]); known && yes != spec.Unless[i].Not {
			return false
		}
	}
	if fn := acc.first(spec.Decides); fn != nil && e.keepsTo(fn, x) {
		return false
	}
	if spec.Handler != "" && !e.sendsAgain(acc.first(spec.Handler)) {
		return false
	}
	method := x.Method
	if method == "" && x.Nature == model.Additive {
		method = "POST"
	}
	return len(spec.Methods) == 0 || slices.Contains(spec.Methods, method)
}

// keepsTo reports whether a function that decides what is tried again keeps to what was refused before it was processed, or to other methods than
// that of an effect.
func (e *engine) keepsTo(fn *Term, x *Effect) bool {
	f := closureOf(fn)
	if f == nil {
		return sparingWords.MatchString(lastName(fn.Sym))
	}
	texts, refusals, methods := 0, 0, false
	for i := range f.Ops {
		op := &f.Ops[i]
		switch {
		case op.Kind == model.Call && sparingWords.MatchString(f.calleeName(op)):
			methods = true
		case op.Kind == model.Constant && methodWord.MatchString(op.Const.Text):
			methods = true
		case op.Kind == model.Constant:
			told, refused := tellsRefusal(op.Const)
			if told {
				texts++
			}
			if refused {
				refusals++
			}
		}
	}
	return methods && x.Nature == model.Additive && !f.mentions("POST") || texts > 0 && texts == refusals
}

// sendsAgain reports whether a function that is given the failures of a client sends a request again that may have been processed: it calls a client
// with what the failure says of the request.
func (e *engine) sendsAgain(fn *Term) bool {
	if fn == nil {
		return false
	}
	f := closureOf(fn)
	if f == nil {
		return false
	}
	f.prepare()
	o := newOutcome()
	o.failed, o.thrown = true, true
	for id := range f.Ops {
		op := &f.Ops[id]
		if op.Kind != model.Call || len(op.Args) < 2 || !e.callsClient(f, op) || !requestName.MatchString(f.nameOf(op.Args[1])) {
			continue
		}
		if again := f.blockIDOf(model.ID(id)); again == 0 || again != model.NoBlock && e.ways(f, 0, o, again, anyBlock).failed {
			return true
		}
	}
	return false
}

// callsClient reports whether a call may be one of a client that sends what it is given: client(request), client.request(request).
func (e *engine) callsClient(f *Function, op *model.Op) bool {
	if clientName.MatchString(f.calleeName(op)) {
		return true
	}
	if op.Args[0] < 0 || e.calledFunction(f, op) != nil {
		return false
	}
	switch callee := &f.Ops[op.Args[0]]; callee.Kind {
	case model.LoadGlobal, model.FreeVar, model.Parameter:
		return true
	case model.Load:
		return callee.Name == ""
	}
	return false
}

var (
	clientName  = lazyregexp.New(`(?i)^(default|axios|request|instance|\w*(api|http|client|axios))$`)
	requestName = lazyregexp.New(`(?i)^(config|original_?(request|config)|request_?config|prev(ious)?_?request)$`)
)

var (
	sparingWords = lazyregexp.New(`(?i)idempotent|(safe|read)[_ ]?(only|requests?|methods?)`)
	methodWord   = lazyregexp.New(`(?i)^(get|head|post|put|patch|delete|options)$`)
)

// mentions reports whether a function has a constant of that text, whatever its case.
func (f *Function) mentions(text string) bool {
	return slices.ContainsFunc(f.Ops, func(op model.Op) bool { return op.Kind == model.Constant && strings.EqualFold(op.Const.Text, text) })
}

// sentAgain gives the retry of the client through which an effect goes, nil where it sends nothing again.
func (e *engine) sentAgain(x *Effect) *Retry {
	makers, all := e.makersOf(x.Recv)
	for _, c := range makers {
		if !e.repeatsEffect(c, x) {
			continue
		}
		t := &Retry{Kind: ClientRetry, Bounded: true, Waits: true, Confidence: cmp.Or(c.RetryRow.Confidence, model.Certain)}
		t.Span, t.Fn = e.settingOf(c)
		if c.RetryRow.Retry.Default {
			t.Kind = DefaultRetry
		}
		return t
	}
	if len(makers) > 0 || x.Spec == nil || !x.Spec.Retries {
		return nil
	}
	t := &Retry{Kind: DefaultRetry, Span: x.Span, Fn: x.Fn, Bounded: true, Waits: true, Confidence: model.Certain}
	if !all {
		t.Confidence = model.Likely // what made the client may have switched it off
	}
	return t
}

// settingOf gives the place of the setting by which a call has requests sent again, and the function around it: the option that its row asks for,
// where that is written out, otherwise the call.
func (e *engine) settingOf(c *Call) (model.Span, *Function) {
	acc := e.recorded(c)
	for i := range c.RetryRow.When {
		w := &c.RetryRow.When[i]
		for _, path := range e.paths(w.At) {
			n := len(path) - 1
			if w.Not || n < 1 || path[n].Kind != model.MemberStep {
				continue
			}
			holder, _ := acc.path(path[:n])
			if holder == nil || holder.Site == nil || holder.Site.Op < 0 {
				continue
			}
			f := holder.Site.Fn
			for _, p := range f.Ops[holder.Site.Op].Parts {
				if p.Key == path[n].Name && p.Span.IsValid() {
					return p.Span, f
				}
			}
		}
	}
	return c.Span, c.Fn
}

// maxClientParts bounds how much of a client is looked through.
const maxClientParts = 200

// makersOf lists the calls that made or equipped a client and say something of retries: the nearest of each value that the client may be. all is
// true where the client was seen to be made.
func (e *engine) makersOf(client *Term) (makers []*Call, all bool) {
	seen := map[*Term]bool{}
	var visit func(t *Term)
	visit = func(t *Term) {
		if t == nil || seen[t] || len(seen) > maxClientParts {
			return
		}
		seen[t] = true
		if calls := e.equipped[t]; len(calls) > 0 {
			all = true
			makers = append(makers, calls...)
			return
		}
		switch t.Kind {
		case TCall:
			all = all || t.Sym != ""
			if c := e.calls[t]; c != nil && c.RetryRow != nil && c.RetryRow.Retry.Client != "" {
				makers = append(makers, c)
				return
			}
		case TRef:
			if obj := e.heap.global[t]; obj != nil && obj.kind != instanceObject {
				for _, v := range obj.vals {
					visit(v)
				}
			}
			return
		case TMember, TCast, TIndex, TUnion, TObject, TArray:
		default:
			return
		}
		for _, a := range t.Args {
			visit(a)
		}
	}
	visit(client)
	return makers, all
}

// Renews reports whether a value that comes into being at a place is made anew on each attempt.
func (t *Retry) Renews(at *Site) bool {
	if at == nil || at.Fn == nil {
		return false
	}
	if slices.Contains(t.inner, at.Fn) {
		return true
	}
	switch t.Kind {
	case LoopRetry:
		if at.Fn == t.Fn {
			return t.loop[at.Fn.blockIDOf(at.Op)]
		}
		for b := range t.loop {
			for _, id := range t.Fn.Blocks[b].Ops {
				if t.Fn.calls(id, at.Fn) {
					return true
				}
			}
		}
	case RecursionRetry:
		if at.Fn == t.Fn {
			return true
		}
	}
	for _, f := range t.inner {
		for id := range f.Ops {
			if f.calls(model.ID(id), at.Fn) {
				return true
			}
		}
	}
	return false
}

// calls reports whether an operation is a call of g by its name.
func (f *Function) calls(id model.ID, g *Function) bool {
	op := &f.Ops[id]
	if op.Kind != model.Call || len(op.Args) == 0 || op.Args[0] < 0 {
		return false
	}
	callee := &f.Ops[op.Args[0]]
	return callee.Kind == model.FuncRef && int(callee.Ref) == g.Index && (callee.Name == "" && f.Unit == g.Unit || callee.Name == g.Unit.Path)
}

// blockIDOf gives the block that holds an operation, NoBlock where none does.
func (f *Function) blockIDOf(id model.ID) model.BlockID {
	b := f.blockOfOp(id)
	if b == nil {
		return model.NoBlock
	}
	return f.blockOf[b]
}
