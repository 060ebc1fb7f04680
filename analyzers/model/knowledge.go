package model

// This file is the vocabulary in which knowledge about libraries is spoken. The
// catalog writes rows in it, flow reads them, rules see their meaning through
// flow; none of them needs to know the others.
//
// Symbols. A value from outside the program is named by its access path:
// the package, '#', and the members that lead to it.
//
//	stripe#default.charges.create        member of the default export, or of an instance of it
//	node:crypto#randomUUID               named export
//	redis#createClient().set             member of a call's result
//	pg#Pool.query                        member of an instance: `new X` and a value declared to be of type X are both named X
//	js#fetch                             a global of the language
//	js#Array.map                         a method of a built-in type: Array, Map, Set, Promise, String, Object, Function, RegExp
//	js#?.map                             a method of that name on a receiver about which nothing is known
//	export#default.fetch                 what a unit of the program exports, for frameworks that call exports by convention
//	?#db.invoices.create                 a chain that starts at a value of unknown origin called "db" (a parameter, field or
//	                                     undeclared name); rows for it are conventions and give at most "likely"
//
// The subpath belongs to the package name, without a ".js" ending:
// @modelcontextprotocol/sdk/server/mcp#McpServer.tool. Go symbols use the import path:
// net/http#Client.Do, github.com/stripe/stripe-go/v82/charge#New.

// Nature says what a second run of an effect does.
type Nature string

// The natures of effects, worst last.
const (
	Read        Nature = "read"
	Replacing   Nature = "replacing"   // converges: the same input leaves the same state
	Destructive Nature = "destructive" // delete, drop, archive, cancel, revoke
	Transition  Nature = "transition"  // a step of a status machine
	Additive    Nature = "additive"    // adds a second thing or repeats an act
)

// Rank orders natures: read < replacing < destructive < transition < additive.
func (n Nature) Rank() int {
	switch n {
	case Replacing:
		return 1
	case Destructive:
		return 2
	case Transition:
		return 3
	case Additive:
		return 4
	}
	return 0
}

// Kind groups effects by what they change.
type Kind string

// The kinds of effects.
const (
	Payment  Kind = "payment"
	Email    Kind = "email"
	Message  Kind = "message" // chat, SMS, push
	Database Kind = "database"
	Queue    Kind = "queue"
	HTTP     Kind = "http"
	File     Kind = "file"
	Process  Kind = "process"
	Cloud    Kind = "cloud"
	VCS      Kind = "vcs" // tickets, repositories, documents, calendars, CRM objects
	Chain    Kind = "chain"
	Device   Kind = "device"  // browser, home automation, hardware
	Remote   Kind = "remote"  // another tool or agent
	Handler  Kind = "handler" // of a route, which comes after a middleware that nothing mounts
)

// Confidence is how far a statement rests on the source.
type Confidence uint8

// The levels of confidence.
const (
	Possible Confidence = iota + 1 // rests on names
	Likely                         // one step rests on convention
	Certain                        // every step is seen in the source
)

// Row is what is known about one symbol. A row may say several things at once
// (a Redis SET is a database effect, a record operation, and not a read).
type Row struct {
	ID string
	// Symbols are patterns. A path is divided by dots; a part is a name, or a name and "()". `*` matches one part, `**` any number of
	// parts (none included), {a,b} alternatives anywhere, dots and '#' included.
	Symbols []string
	// Hosts are HTTP endpoints. A row has symbols or hosts; with hosts it speaks of any call whose effect has a URL there, and its accesses
	// start at URL, Headers or Body, which stand for those of that effect. Its effect stands in the place of the call's own, but for the
	// nature, which stays as the verb gives it where the row has none.
	Hosts    []Host
	Versions string // of the package, a semver range as InRange reads it; empty for all
	// Files restricts a row over exports (export#POST) to units whose path matches one of these doublestar patterns.
	Files []string
	When  []Predicate
	// Confidence is Certain except for conventions.
	Confidence Confidence

	Effect    *Effect
	Record    *Record
	Query     *Query
	Tool      *Tool
	Route     *Route
	Origin    *Origin
	Check     *Check
	Primitive *Primitive
	Transport *Transport
	Retry     *Retry
	Scheme    *Scheme
	// Input says that the value of the symbol is handed in by a framework: the result of a call (auth.TokenInfoFromContext(ctx)), a
	// member, or, for a decorator of a parameter, that parameter.
	Input *Input
	// Returns names the symbol of the result: a factory's product ("pg#Pool"). It also renames what `new` makes.
	Returns string
	// Empty names the members of the result in which there is nothing until something is put there: the headers of a new request.
	Empty []string
	// Gives names the symbols of what the call hands to a callback: the client of a transaction.
	Gives []Given
	// Fills says what the call stores through the pointers that it is given.
	Fills []Fill
	// Sets says what the call puts into an object: a header of a request, a field through its setter.
	Sets []Setting
	// Runs says which methods of objects of the program the call calls where no call of them is written.
	Runs []Run
	// Refines says that the call completes the one that made its receiver, as in a builder chain (`insert().values().onConflictDoNothing()`):
	// what is set here stands in the place of the same field of the earlier call's sections, the rest of them stays.
	Refines bool
	// Restarts says that the call asks for more input, or ends the run, such that the handler later runs again from its start.
	Restarts bool
	// Exits says that the call does not come back: it ends the process, the goroutine or the test.
	Exits bool
	// Hangup says that the caller has gone: what the call is given runs then, or its result tells it.
	Hangup bool
	// Safe says that the call has no effect that matters (logging, metrics, parsing); an unresolved call of it is no gap. Of the rows that
	// give an effect, a query or this, the first counts.
	Safe bool
	// Describes is the name of the tool whose description the call makes: it is a tool once something registers that, and only then.
	Describes Access
	// Unclear says that what the call does is decided elsewhere, by what is read from it or run by it: it is no effect, and a tool that makes it is
	// no sure read.
	Unclear bool
	// Logs says that the call writes its arguments where operators read them.
	Logs bool
	// Promises says that the call gives a promise: what it found shows only once that is awaited. A file of rows may say it for all of them.
	Promises bool

	Source  string // where the fact was read
	Date    string // when, YYYY-MM-DD
	Place   string // file:line of the row in the catalog
	Trusted bool   // false for a row that the scanned program's own configuration brought
}

// AnyHost is the name of a host in a row about the paths of a protocol, which may be spoken by any host, also one that is not known.
const AnyHost = "**"

// Host is a set of HTTP endpoints.
type Host struct {
	Name    string   // of the host, in lower case, without a port; `*` matches one label. Or AnyHost
	Path    string   // regular expression over the path, anchored; empty for all. A hole in the URL is one "\x00"
	Methods []string // upper case; empty for all
}

// Given says what a callback receives.
type Given struct {
	At     Access // Argument[0].Parameter[0]
	Symbol string
}

// Fill says that after a call the object or variable at At holds what From gives; of an array of pointers (Argument[0..]) each holds
// the member of From with its number.
type Fill struct {
	At, From Access
}

// Run says that a call calls methods, as far as it has them, of the object that it is given at Of, or of those that are within it: in what it holds, and in
// what a library made it of. A method "*" stands for each function that the object holds.
type Run struct {
	Of      Access
	Methods []string
	// Through says that what a method hands on to one of the same name elsewhere is what the call itself does: a transport sends the client's request.
	Through bool
}

// Setting says that a call gives the object at At a member: Name, or the text that Key has, becomes Value.
type Setting struct {
	At    Access
	Name  string
	Key   Access
	Value Access
}

// Predicate is a condition on a call's arguments under which a row applies.
// At is evaluated; every other field that is set must hold. An argument whose value is
// not known satisfies only Unknown predicates and Absent/Present where its existence is plain.
type Predicate struct {
	At      Access
	Is      []string // any of: absent present function class string number boolean object array null schema true false unknown constant
	Equals  []string // the constant's text, any of
	Only    []string // the text of each constant that the value may be, all of which are known
	Matches string   // regular expression over the constant's text (RE2); for a template, over its text with holes as "\x00"
	Surely  string   // regular expression: each text that the value may be matches it, or in each array that it may be some element that is surely there
	Has     []string // object with all of these keys
	HasAny  []string // object with one of these keys
	Lacks   []string // object, completely known, with none of these keys
	Symbol  []string // the value's symbol matches one of these patterns
	Not     bool     // negates all of the above
}

// Access is an access path over a call: Receiver, Argument[0], Argument[-1] (the last), Argument[1..] (the rest, as
// an array), Return, Result, Callee[0] (the name of the last member called: verb as method name), followed by .Member[x], .Element, .Parameter[n], .Return.
// A decorator's target is Decorated, a class of the program that extends the symbol is Subclass, the namespace of the unit around the call
// or export is Module; of an export, Result is the exported value. ParseAccess reads all of it;
// alternatives joined by " | ", the first that is present counts. After a value that a call or `new` made, .Argument[n] and .Receiver are those
// of that call: `send(new PutCommand({TableName}))` has its table at Argument[0].Argument[0].Member[TableName].
//
// Chain[a,b] is the nearest call of one of these names in the chain of calls that made the receiver, usually followed by .Argument[n]. Standing alone as the
// key of a filter it means the conditions of all such calls together: {column: value}, (column, value), (column, "=", value).
//
// Option[a,b] is, of an array of functional options, what calls of these names made: `NewTool("x", WithDescription("y"))` has its description at
// Argument[1..].Option[WithDescription].Argument[0].
//
//	Argument[1].Member[idempotencyKey]
//	Argument[0].Member[headers].Member[Idempotency-Key]    members of header-like objects compare without case
type Access string

// Effect says that a call changes something outside the process.
type Effect struct {
	Kind   Kind
	Nature Nature
	Vendor string // as the vendor is called in messages: "Stripe"
	Object string // what is acted upon, singular: "charge", "email", "issue"
	// Verb gives the HTTP method, as text; Nature is then decided by it (POST additive, PUT and PATCH replacing, DELETE destructive, others read).
	Verb Access
	// DefaultVerb stands where Verb is absent.
	DefaultVerb string
	URL         Access // of an HTTP call: vendors are also recognised by host
	Body        Access
	Headers     Access
	// Base is the URL of the client, to which URL is relative; Shared are the headers that the client sends with every call.
	Base   Access
	Shared Access
	// Key is where this call takes a vendor idempotency key; empty where the vendor has none. IgnoredKey lists places where people put one
	// and the vendor does not read it.
	Key        Access
	IgnoredKey []Access
	// OptionalKey says that not every operation of the row takes the key: it counts where it is given and is not missed where it is not.
	OptionalKey bool
	// Money says that the call by itself moves or commits money.
	Money bool
	// Setup says that the call makes a set-up object (customer, product, session).
	Setup bool
	// Enforced says that the vendor refuses or ignores a repeat by the object's own state or name (merge, capture, create of a named
	// object that answers 409).
	Enforced bool
	// Quiet says that a repeated delete or transition succeeds without an error.
	Quiet bool
	// AutoKey says that the SDK makes a key of its own per call; Retries that it resends such calls by default, unless what made the client
	// says otherwise in a Retry section.
	AutoKey bool
	Retries bool
	// Reply says that the effect answers the caller itself (res.json, progress to the client): no effect for any rule.
	Reply bool
	// Notice says that nobody keeps what is published: beside a change of a database it only announces that change to those who look at it.
	Notice bool
	// Selector says that the constant text at this access decides the nature through Natures (an operation name, a GraphQL document; of an instance
	// or a call's result the last name of its symbol: "PutObjectCommand"). Where none matches, Nature counts; if that is empty, there is no effect.
	Selector Access
	Natures  []NatureBy
}

// NatureBy maps operation names to natures, first match wins.
type NatureBy struct {
	Matches  string // regular expression, anchored
	Nature   Nature
	Kind     Kind
	Object   string
	Key      Access // overrides Effect.Key
	Money    bool
	Enforced bool
	Quiet    bool
}

// RecordOp is an operation on a record store.
type RecordOp string

// The operations on records.
const (
	Lookup  RecordOp = "lookup"  // reads what is kept under a key
	Claim   RecordOp = "claim"   // stores unless present, atomically, and tells which
	Put     RecordOp = "store"   // stores, whatever was there
	Release RecordOp = "release" // removes
	Expire  RecordOp = "expire"  // sets a lifetime
	Swap    RecordOp = "swap"    // compare-and-set
	Lock    RecordOp = "lock"
	Unlock  RecordOp = "unlock"
	Txn     RecordOp = "transaction" // runs Callback inside a transaction
)

// Record says that a call works on a record store.
type Record struct {
	Op     RecordOp
	Store  Access // the store instance or table; Receiver where empty
	Key    Access // the key; with Filter, an object of column: value
	Filter bool
	Value  Access // what is stored
	// Conflict is where an upsert names the columns by which a row is found again, as columns, names, or one text of names; all of them where it is absent.
	Conflict Access
	TTL      Access // lifetime; Unit its unit: s, ms, ns, m, h, or "date" for a point in time, "unix" for seconds since 1970
	Unit     string
	// Fails is the result that shows "already there" of a claim, Miss the result that shows "not there" of a lookup:
	// null, false, true, zero, blank (the zero value of its type), empty (a sequence), rows (an object whose rows are empty and whose count is zero), throws, or
	// present (neither null nor undefined), many (a number above one), or "Member[x]=null" (or another of these words) for a member.
	Fails string
	Miss  string
	// Local says that the store lives in the process; Evicts that it drops entries by size.
	Local      bool
	Evicts     bool
	DefaultTTL bool // the store has a lifetime of its own by default
	Callback   Access
	// Library names a guard library whose properties these are.
	Library string
	Binds   []string // what the library binds: caller, arguments, operation
	// ReadOnly says that the transaction refuses writes.
	ReadOnly bool
	Atomic   bool
}

// Query says that a call runs text in a query language.
type Query struct {
	Language string // sql, graphql
	Text     Access
	Args     Access // positional arguments: an array, or Argument[n..]
	Store    Access // the database; Receiver where empty
	// Rows is the shape of the result: rows ({rows, rowCount}), array, first (row or undefined), pair ([rows, fields]), results ({results, meta: {changes}}),
	// changes ({changes}), scan (an error where there is no row), affected (a number of rows), cursor, none.
	Rows string
}

// Tool says that a call registers a tool, several tools, or a handler for all of them.
type Tool struct {
	Kind        string // mcp, agent
	Framework   string
	Name        Access // Argument[0]; absent where the tool's name is the property key it is stored under (NameByKey)
	NameByKey   bool
	Description Access
	Schema      Access // input schema
	// Properties tells the parameters one by one, where no object holds them.
	Properties  *Properties
	Annotations Access
	// Hints tells annotations one by one, where no object holds them; what Annotations holds counts after them.
	Hints   []Hint
	Handler Access
	// Parameters are the roles of the handler's parameters, in order; see Input.
	Parameters []Input
	// List: the handler returns the tools' descriptions at Tools (low-level servers). Dispatch: the handler serves all listed tools,
	// the name standing at DispatchName of its first parameter and the arguments at DispatchArgs.
	List, Dispatch bool
	Tools          Access // over Handler: e.g. Return.Member[tools]
	DispatchName   Access // over the handler's first parameter: e.g. Member[params].Member[name]
	DispatchArgs   Access
	// Each: Argument at Each is an array (or object: names by key) of tool descriptions; Name, Handler, … are then relative to the element.
	Each Access
	// Offers says that the call offers the described tools to a model; what runs them is found by their names.
	Offers bool
	// Class: the value at Class is a class or instance; Name, Handler, … are its members.
	Class Access
	// Defines says that the call only makes a tool value; it is a tool once it reaches a registration. Registered alone it is counted
	// as a tool all the same where Standalone is set.
	Defines    bool
	Standalone bool
	// Remote says that a tool whose description has no handler is run by the caller (a browser that talks to the agent): it is no tool
	// of this program.
	Remote bool
}

// Properties are the parameters of a tool that a builder adds one by one: At gives the calls that add them, the other accesses are
// relative to such a call. Required is present where the parameter is required.
type Properties struct {
	At          Access
	Name        Access
	Description Access
	Required    Access
}

// Hint is an annotation that has a place of its own; Name is the protocol's (readOnlyHint).
type Hint struct {
	Name string
	At   Access
}

// Input says what a framework hands to a parameter of a handler.
type Input struct {
	Role InputRole
	// Fields gives the meaning of members, by dotted path; "*" matches any name, "name()" a method whose first argument names the thing read: c.get("user")
	// has the path "get().user", which "get()" and "get().user" match. The longest match counts, a name before a "*".
	Fields []Field
	// Type is the symbol by which unmatched members are known ("@types/express#Response").
	Type string
	// Next says that calling the parameter runs the rest of the chain.
	Next bool
	// Name is, for Row.Input, where the call says which member it reads: Argument[0] of Headers("x-user").
	Name Access
}

// InputRole is what a parameter of a handler is.
type InputRole string

// The roles of parameters and of fields of inputs. The same words name the origins of values.
const (
	ArgumentsInput   InputRole = "arguments" // the caller's arguments as a whole; a member is one argument
	ContextInput     InputRole = "context"   // nothing by itself; Fields tell
	RequestInput     InputRole = "request"
	ResponseInput    InputRole = "response" // replies to the caller
	NextInput        InputRole = "next"
	HeaderInput      InputRole = "header"      // a header of the request; the member is its name
	BodyInput        InputRole = "body"        // the raw body
	CallerInput      InputRole = "caller"      // authenticated user or tenant
	ClientInput      InputRole = "client"      // authenticated application (OAuth client id)
	SessionInput     InputRole = "session"     // protocol session id
	ProtocolInput    InputRole = "protocol"    // JSON-RPC id, progress token, tool call id
	MetaInput        InputRole = "meta"        // _meta
	CredentialInput  InputRole = "credential"  // bearer token of the caller
	EnvironmentInput InputRole = "environment" // bindings, configuration
	ToolNameInput    InputRole = "tool"
	ReplyInput       InputRole = "reply" // the headers that the answer has by now
	OtherInput       InputRole = "other"
)

// Field gives the meaning of a member path of an input.
type Field struct {
	Path string
	Role InputRole
	Type string // symbol of the member, where it is an SDK object
}

// Route says that a call registers an HTTP route, a webhook or a middleware.
type Route struct {
	Framework string
	Method    string // GET, POST …, ALL; "" where MethodAt tells
	MethodAt  Access
	// Under is, of handlers that are found by file, the folder below which the file's path is the route's: app, pages. With Leaf the name of the file
	// counts, without it only the folders do.
	Under    string
	Leaf     bool
	Path     Access
	Handlers Access   // Argument[1..]
	Before   []Access // handlers that run ahead of Handlers, in order (Fastify's preHandler)
	Mount    bool     // a middleware or sub-router mounted for all later routes
	// Declares says that the symbol registers nothing: it names a type of handlers (express#RequestHandler), or a function that gives one.
	Declares bool
	// Always says of a mount that it counts for the earlier routes of its router too.
	Always bool
	// Group says of a mount that the call gives a router, as its result or to its callback, for whose routes the handlers count.
	Group bool
	// Wraps says of a mount that its handlers take what comes after them and give a handler: func(next http.Handler) http.Handler.
	Wraps bool
	// Around holds handlers that wrap those of the route.
	Around Access
	// Sequence says that a handler that returns hands on to the next one, unless it has stopped the chain.
	Sequence        bool
	Parameters      []Input
	ErrorParameters []Input // of a four-parameter error handler
}

// Origin says what kind of value a call or symbol gives.
type Origin struct {
	// Kind: clock, counter, uuid-random, uuid-time, uuid-name, random-weak, random-strong, hash, hmac, encode (text of its argument), parse, canonical
	// (stable text of its argument), environment, identity, header, argument (passes At through), secret, constant.
	Kind string
	// Of is the argument whose value flows into the result (hash, hmac, encode, parse).
	Of Access
	// Algorithm, where fixed, or where it is read (Argument[0]).
	Algorithm   string
	AlgorithmAt Access
	Bits        int  // size of the result, 0 if unknown
	Streaming   bool // the call returns a hasher; Update adds, Digest ends
	Update      bool
	Digest      bool
	// Into is, of an update, the hasher that is added to, where it is not the receiver.
	Into Access
	// Ahead says of a clock that is read against a time that the result grows with the time.
	Ahead bool
	// Key is the secret of an hmac.
	Key Access
	// Timeout is the duration after which calls that are given the result are given up: nanoseconds in Go, milliseconds elsewhere.
	Timeout Access
	// Lossy names what the function drops: "nested" (array replacer), "order", "address" (it writes where a value is instead of what it is).
	Lossy string
}

// Check says that a call validates or verifies.
type Check struct {
	// Kind: format (of a value), schema, signature, compare (constant time), webhook (verifies and parses a signed event), auth (authenticates), order
	// (which of two times, Of and With, comes first), challenge (verifies that a wallet or authenticator has signed what it was given to sign), proof
	// (verifies a DPoP proof).
	Kind string
	Of   Access
	// With is what Of is compared with.
	With Access
	// Key is the secret with which a signature or token is verified.
	Key Access
	// Signature is what a signature verifies Of with.
	Signature Access
	// Nonce is where a check of a challenge is told which nonce or challenge must be signed; empty where it is not.
	Nonce Access
	// Binds lists the claims that the verification of a proof compares with the request, the clock, the token and what was seen: htm, htu, iat, jkt, ath, jti.
	Binds []string
	// Untimed says of a webhook that its scheme signs a time which this call does not compare with the clock.
	Untimed bool
	// Early says that a comparison ends at the first difference, so that its time tells how far two values agree.
	Early bool
	// MinLength, Pattern: what format guarantees, where fixed.
	MinLength Access
	Pattern   Access
	Format    string // uuid, ulid, …
	Throws    bool   // failure throws; otherwise the result tells
	Event     Access // of a webhook: the verified event is the result where empty
}

// Scheme says how a vendor signs what it sends. The symbol of its row is the header that carries the signature, in lower case: header#x-hub-signature-256.
type Scheme struct {
	Vendor string
	// Timed says that a time is part of the signed text.
	Timed bool
	// Fields says that chosen fields or the URL are signed, not the body as it is sent.
	Fields bool
}

// Primitive gives the meaning of a built-in that evaluation understands; the names are flow's.
type Primitive struct {
	Name string
	// Callback is the argument that is called; with the name "call" and a Callback other than Receiver it is called with arguments that are
	// not known, and gives the result.
	Callback Access
	Over     Access // the collection, object, promise or text; Receiver where empty
}

// Retry says that something is done again when it fails: a callback, or every request that a client sends.
type Retry struct {
	// Callback is what is called again.
	Callback Access
	// Client is what sends its requests again: Result of a call that makes one, an argument of a call that equips one.
	Client Access
	// Methods are the HTTP methods that are sent again, in upper case; all where empty. Requests of which the method is not known count as POST.
	Methods []string
	// Refused says that only what was refused before it was processed is tried again: over a limit, not connected.
	Refused bool
	// Never says that nothing is tried again: the setting under which the row applies switches it off.
	Never bool
	// Default says that the library does so without being asked.
	Default bool
	// Engine says that the callback is a step of a workflow engine: it runs again when it fails, and what it gave is kept once it does not.
	Engine bool
	// Decides is a function of the program that is asked whether a failure is worth another attempt.
	Decides Access
	// Handler is a function of the program that is given each failure and may send the request again: nothing is tried again if it does not.
	Handler Access
	// Unless are settings of the client, made by any time, each of which switches it off.
	Unless []Predicate
}

// Transport says that a call serves the program's tools over a transport.
type Transport struct {
	Kind string // stdio, http, sse, worker
}
