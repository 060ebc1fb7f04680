package flow

import (
	"slices"

	"github.com/retrysafe/retrysafe/analyzers/model"
)

// Result is what the evaluation of a program found.
type Result struct {
	Tools []*Tool // sorted by place, then name
	// Transports lists how the program serves its tools.
	Transports []TransportUse
	// Unresolved lists what looks like a registration and was not understood, sorted by place.
	Unresolved []model.Note
	// Notes lists where a bound cut the evaluation short and what the front ends could not read.
	Notes []model.Note
	// Complete is false where a bound was reached beyond which an effect may be hidden, or the evaluation was stopped. The notes with Cut say where.
	Complete bool
	// Index answers questions about the whole program.
	Index *Index

	engine    *engine // for questions about terms
	verified  map[*Tool][]*Verification
	events    map[*Tool]bool // what VerifiesEvent gave
	decisions map[decision]Outcome
	testing   map[model.Span]int // tools that test for a conflict at a place
	cleaned   map[string]bool
	unique    map[string][][]string
	evicting  map[string]Eviction
}

// TransportUse is a call that serves tools over a transport.
type TransportUse struct {
	Kind string // stdio, http, sse, worker
	Span model.Span
}

// ToolKind tells who calls an entry.
type ToolKind string

// The kinds of entries.
const (
	MCPTool   ToolKind = "mcp"
	AgentTool ToolKind = "agent"
	HTTPRoute ToolKind = "http"
	Webhook   ToolKind = "webhook"
	// Exported is what a program offers to others and uses nowhere: the middleware of a library, a verifier, a client.
	Exported ToolKind = "exported"
)

// Step is one link of a path: a call site, or the place of an event.
type Step struct {
	Span model.Span
	What string // what is called there, as written: "withIdempotency", "charge"

	fn *Function // the function in which it happens, and the operation there
	op model.ID
}

// Function is the function in which the step is taken, nil if unknown.
func (s Step) Function() *Function { return s.fn }

// Tool is an entry of the program: a handler that agents or clients call.
type Tool struct {
	ID        string // kind:name@file, made unique with #n
	Name      string
	Kind      ToolKind
	Framework string
	Language  model.Language
	// Span is where the tool is defined: where its own name, description, schema or handler is written, or the call of the helper that is
	// told its name. Tools that are told apart in the source have different places.
	Span model.Span
	// Registered is the call that hands the tool to its framework: Span itself, or a call in a loop or helper that other tools pass too.
	Registered model.Span
	Handler    model.Span // the handler's function
	HandlerFn  *Function  // nil where the handler was not resolved
	Method     string     // of a route: GET, POST, …
	Path       string     // of a route
	Row        *model.Row // how it was recognised
	// Middleware lists what packages of others do ahead of a route's handlers.
	Middleware []Middleware

	Description *Term
	Schema      *Term
	Params      []Param // declared parameters, in the schema's order
	// ParamsKnown is false where the schema was not understood.
	ParamsKnown bool
	Annotations []Annotation

	Events  []*Event  // external calls that the handler reaches, in order of evaluation
	Effects []*Effect // the events that change something, in the same order
	Records []*Record // the events that work on record stores or tables
	Reads   []*Read   // reads of arguments, headers and other inputs, in order
	Returns []*Return // the answers the handler gives, with the way that leads to each
	// Comparisons lists where a value that may be a secret is compared, in order of evaluation.
	Comparisons []*Comparison
	// Unresolved lists the calls that could not be followed: the tool's nature is a lower bound.
	Unresolved []*Event
	// Gaps says why it was not followed to the end beside them, 0 where it was.
	Gaps Gap

	Nature     model.Nature
	Confidence model.Confidence

	refusals      []refusal
	refusalsKnown bool
}

// Param is a declared parameter of a tool.
type Param struct {
	Name        string
	Description string
	Required    bool
	Span        model.Span
	Schema      *Term // the parameter's own schema
}

// Annotation is a hint that the tool declares about itself.
type Annotation struct {
	Name  string // readOnlyHint, destructiveHint, idempotentHint, openWorldHint, title
	Value string // "true", "false" or the text; "" if it is computed
	Span  model.Span

	// the operation that computes the value, where another one takes it: an option that is handed a setting
	fn *Function
	by model.ID
}

// Annotation gives the value of the annotation called name, "" where it is absent.
func (t *Tool) Annotation(name string) (Annotation, bool) {
	for _, a := range t.Annotations {
		if a.Name == name {
			return a, true
		}
	}
	return Annotation{}, false
}

// Call is an external call as one activation of a function makes it. Two events of one call are the same
// operation reached along different ways.
type Call struct {
	Symbol string // the callee's symbol; "?#…" where its origin is unknown, "" where even its name is
	Callee string // as written, without arguments: "stripe.charges.create"
	Site   *Site
	Span   model.Span
	New    bool
	Recv   *Term
	Args   []*Term // recorded contents (TObject, TArray) in place of references
	Spread []bool  // parallel to Args, nil if none is spread
	Result *Term
	Fn     *Function // the function that makes the call

	// What the classifier says of it; the first row with that section whose conditions hold.
	EffectRow, RecordRow, QueryRow, OriginRow, CheckRow, InputRow, RetryRow *model.Row
	Statements                                                              []Statement // of a query
	Safe                                                                    bool
	// Hangup says that what the call is given runs when the caller has gone, or that its result tells that.
	Hangup bool
	// Confidence is that of the weakest row used.
	Confidence model.Confidence
	// Unresolved says that nothing is known about the callee.
	Unresolved bool
	// Unlisted says that no row speaks of the callee, and that it is named for an act, or that its row says that what it does is decided elsewhere.
	Unlisted bool

	logs        bool // writes what it is given where operators read it
	discloses   bool // that is a code that the program has computed
	unclear     bool // its row says that what it does is decided elsewhere
	change      *change
	sentOver    *Term // the channel into which it puts something that nobody was seen to take out, nil for none or where the channel is not known
	floating    bool  // gives a promise that nobody awaits
	seq         int32 // number in order of evaluation, 0 for calls that stand for a declaration
	argSpans    []model.Span
	told        [2]int64 // the last walk over facts that came to one of this call, and of its failure
	record      *Record
	recordKnown bool
	settled     []*Term        // the results of the last calls of the builder chains that complete this one, the newest last
	table       bool           // asks a table that the program filled before it served anybody
	later       map[part]*Call // access paths that a later call of the builder chain brought, and that call
}

// outcome is the value that shows how the call ended: of a builder, what the chain gives when it is run.
func (c *Call) outcome() *Term {
	if n := len(c.settled); n > 0 {
		return c.settled[n-1]
	}
	return c.Result
}

// outcomes lists the values that show how the call ended: one builder may be completed in a different way on each path.
func (c *Call) outcomes() []*Term {
	if len(c.settled) > 0 {
		return c.settled
	}
	return []*Term{c.Result}
}

// settle notes that a later call of the builder chain completes this one, in place of those that it goes on from.
func (c *Call) settle(by *Term) {
	c.settled = append(slices.DeleteFunc(c.settled, func(t *Term) bool { return t == by || by.Contains(t) }), by)
	if len(c.settled) > maxPaths {
		c.settled = c.settled[1:]
	}
}

// ArgSpan gives the place of an argument, or of the call where there is none.
func (c *Call) ArgSpan(i int) model.Span {
	if i >= 0 && i < len(c.argSpans) {
		return c.argSpans[i]
	}
	return c.Span
}

// Event is a call on the way from an entry.
type Event struct {
	*Call
	Tool  *Tool
	Chain []Step // from the handler to the call, the call itself last
	Paths []Path // the ways in which control gets there, at least one
	Order int    // position in Tool.Events
	// Spawned is true where the call runs on its own, so that its failure reaches nobody.
	Spawned bool
	// Sent is true where it is made by who receives what the entry sends over a channel.
	Sent bool
	// driven is true where it is made by what takes things from a list into which the entry has put some.
	driven bool
}

// Path is what holds whenever control takes one way to a place: the conditions that were decided and the
// calls that were made before, both in order.
type Path struct {
	Conds  []Cond
	Before []Before
}

// Made reports whether a call was made on the way, whether or not it failed.
func (p Path) Made(c *Call) bool {
	return slices.ContainsFunc(p.Before, func(b Before) bool { return b.Call == c })
}

// passes reports whether a way makes a call, and the call does not throw.
func (p Path) passes(c *Call) bool {
	return slices.ContainsFunc(p.Before, func(b Before) bool { return b.Call == c && !b.Failed })
}

// Cond is a decided condition.
type Cond struct {
	Term *Term
	True bool
	Span model.Span
}

// Before is a call that was made on the way.
type Before struct {
	Call *Call
	// Failed: it raised an exception, which was caught, or gave an error that the way has looked at.
	Failed bool
}

// Effect is an event that changes something outside the process.
type Effect struct {
	*Event
	Spec   *model.Effect // the row's section
	Kind   model.Kind
	Nature model.Nature
	Vendor string
	Object string
	Money  bool
	// HasKey tells whether the vendor takes a key here; Key is the one passed, nil if none, KeySpan where it is passed.
	HasKey  bool
	Key     *Term
	KeySpan model.Span
	asked   bool // only names say that it changes nothing
	// KeyConfidence is how sure it is that the vendor reads the key, 0 where a row says that it does.
	KeyConfidence model.Confidence
	// IgnoredKey is a key that stands where the vendor does not read it.
	IgnoredKey *Term
	// IgnoredName is the option or field under which it stands, "" where it has none.
	IgnoredName string
	Body        *Term
	// Delivery is the id of what is delivered, in a header by which a receiver that nothing is known of may recognise it; nil where none is sent.
	Delivery *Term
	// Method and URL are those of an HTTP request, as far as known: URL starts with the host where it is known and with a slash otherwise,
	// "…" stands for what is computed. "" where nothing is known.
	Method, URL string
	// Verb is what a query does to its table: INSERT, UPDATE, …; "" for other effects.
	Verb string
	// Table is the table or collection that a database effect changes, "" if unknown.
	Table string
	// Aside says that the object is only put aside and can be taken up again.
	Aside bool
	// Incidental says that the effect does not count: a log or audit row, a cache, a temporary file, a session.
	Incidental string
	Confidence model.Confidence

	protection   *Protection
	retries      []*Retry
	retriesKnown bool
}

// Record is an event that works on a record store or a table.
type Record struct {
	*Event
	Op    model.RecordOp
	Store string // identity of the store: receiver and table or prefix
	Table string
	Local bool             // lives in this process
	Key   *Term            // the whole key where it is one value, otherwise a recorded object of column: value
	Cols  map[string]*Term // the key's columns, for filters and WHERE clauses
	Value *Term            // what is stored
	Set   map[string]*Term // columns written
	TTL   *Term
	Unit  string
	// HasTTL: a lifetime is given, or the store has one of its own.
	HasTTL bool
	// FreshOnly: the lookup compares a time column with the clock.
	FreshOnly bool
	Spec      *model.Record
	Statement *Statement // for a query
}

// Writes reports whether the operation makes or completes a record.
func (r *Record) Writes() bool {
	return r.Op == model.Put || r.Op == model.Claim || r.Op == model.Swap
}

// Writes lists the operations of a tool that make or complete a record in a store.
func (t *Tool) Writes(store string) []*Record {
	var out []*Record
	for _, r := range t.Records {
		if r.Store == store && r.Writes() {
			out = append(out, r)
		}
	}
	return out
}

// Read is a read of an input of the entry.
type Read struct {
	Term *Term
	Role model.InputRole
	Name string // dotted path: the argument's or header's name
	Span model.Span
	Fn   *Function
}

// Return is an answer of the handler: a returned value, or what a reply sends.
type Return struct {
	Value *Term
	// Error is what is returned beside it as an error and may be one, nil for none.
	Error  *Term
	Throws bool
	Path   Path
	Span   model.Span
	Reply  *Event // the reply, nil for a returned value
}
