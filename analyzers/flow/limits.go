package flow

// The bounds of the engine, counted in terms, nodes and steps, never in time, so that
// the same input gives the same output on every machine. Reaching one gives Unknown and
// a coverage note, and never removes an effect.
const (
	maxTermDepth    = 24        // nesting of a term; deeper terms become unknown
	maxUnion        = 16        // alternatives of a union
	maxSymbol       = 512       // bytes of an access path
	maxPaths        = 8         // states kept apart at one block
	maxWaiting      = 64        // states that are brought together at one block at a time
	mostPaths       = 48        // ways kept of one event; those after the first few are kept where they tell something new about records
	maxElse         = 64        // conditions listed of a path that say that an input is not one of many constants
	maxExits        = 6         // outcomes kept apart of one call
	maxRaises       = 4         // calls kept of one activation whose failure leaves it
	maxCallDepth    = 48        // nested activations
	maxRecursion    = 2         // activations of one function on the stack with its arguments,
	maxWidened      = 2         // and so many more with unknown ones, each of which stands for all later rounds
	maxContexts     = 20        // argument contexts of one function within one entry,
	maxContextOps   = 10_000    // unless it is so small that all of them hold no more operations than this
	maxVain         = 4_000     // operations evaluated, in the contexts of one function within one entry, that lead to nothing of interest,
	maxAllVain      = 20_000    // and in all entries, where it needs
	vainEach        = 200       // or more each time
	maxRootContexts = 32        // the same for a function that the host calls
	maxInitContexts = 4096      // the same for an initialiser, which may register hundreds of tools through one helper
	idleSteps       = 50_000    // operations without a registration, after which an initialiser may be idle,
	idleDepth       = 8         // in activations nested so deep
	maxUnroll       = 400       // elements of a known sequence that are walked one by one
	maxSplit        = 64        // parts of a text that is taken apart at a separator
	maxLoopVisits   = 2         // rounds of a loop whose end is not known
	maxFreeze       = 6         // depth to which an object's contents are recorded with a call
	maxFreezeLen    = 128       // elements or fields recorded on one level
	maxChain        = 16        // handlers of one route that run after each other
	maxURLs         = 32        // URLs that one request may go to
	maxHandlers     = 4         // handlers of one tool that several servers register
	maxTargets      = 12        // functions that one unresolved call may stand for
	entrySteps      = 100_000   // operations evaluated for one entry
	initSteps       = 1_000_000 // operations evaluated for one initialiser or function that the host calls
	initShare       = 4         // and never more than this part of what the program has left, so that the last one has some too
	restSteps       = 20_000    // operations evaluated for one initialiser that leads to no tool or route,
	allRestSteps    = 500_000   // and for all of them
	programSteps    = 4_000_000 // operations evaluated for one program,
	entryReserve    = 6_000     // of which its tools and routes have so many each, however many its initialisers needed,
	allReserve      = 6_000_000 // and so many for all of them at most
	entryShare      = 2         // and no entry has more than so many times what is left for each,
	entryLeast      = 4         // nor takes from those after it what keeps them below this part of their share
	exportedSteps   = 1_000_000 // operations evaluated for all functions that a library exports,
	exportedShare   = 40_000    // and for one of them
	constructSteps  = 10_000    // operations evaluated to make an object of a library
	maxConstructed  = 200       // functions that are evaluated for the objects that they make
	maxReceivers    = 3         // instances of one class of which an exported method is evaluated
	maxWorkers      = 4         // functions that receive from one channel; workers of one kind are one
	maxGiven        = 3         // functions that give functions, from an exported one on
	maxSummaries    = 8000      // summaries kept from one entry for the next
	maxEvents       = 4000      // external calls listed for one entry
)
