package flow

import "github.com/retrysafe/retrysafe/analyzers/model"

// Level is how well something protects an effect from a second run.
type Level uint8

// The levels of protection.
const (
	Unprotected Level = iota
	Weak              // guarded, but racy, late or unbound
	Full
)

// String gives none, weak or full.
func (l Level) String() string { return [...]string{"none", "weak", "full"}[l] }

// GuardKind is how an effect is protected.
type GuardKind string

// The kinds of guards.
const (
	ClaimGuard      GuardKind = "claim"      // a record is claimed before, atomically, and a repeat leaves
	LookupGuard     GuardKind = "lookup"     // a record or object is looked up before and a hit leaves: guarded, not protected
	VendorGuard     GuardKind = "vendor"     // a stable vendor key is passed
	ConstraintGuard GuardKind = "constraint" // a unique constraint refuses the repeat
	LockGuard       GuardKind = "lock"       // a lock or transaction with a state check
	ConditionGuard  GuardKind = "condition"  // the statement's own WHERE excludes the repeat
	LibraryGuard    GuardKind = "library"    // a known guard library
)

// Guard is one thing that stands before an effect on every path to it.
type Guard struct {
	Kind   GuardKind
	Level  Level
	Record *Record // the lookup or claim, nil for vendor keys
	Call   *Call
	Key    *Term
	Span   model.Span
	Why    string // one line for reports: "claims redis key before the call"
	// Told is the place of the row that says so, where the scanned program brought that row itself.
	Told string
}

// toldBy gives the place of the row on which a guard rests where the scanned program brought it, "" otherwise.
func toldBy(g Guard) string {
	if g.Call == nil {
		return ""
	}
	row := g.Call.EffectRow
	if g.Record != nil {
		row = g.Call.RecordRow
		if row == nil {
			row = g.Call.QueryRow
		}
	}
	if row == nil || row.Trusted {
		return ""
	}
	return row.Place
}

// Protection is what stands between an effect and its second run.
type Protection struct {
	Level Level
	By    []Guard
}

// Guarded reports whether at least a lookup whose hit leaves stands on every path to the effect.
func (p Protection) Guarded() bool { return p.Level > Unprotected }

// Outcome is what a path has decided about a record operation.
type Outcome uint8

// The outcomes of lookups and claims on a path.
const (
	Undecided Outcome = iota
	Hit               // the record was there (a claim failed)
	Missed            // the record was not there (a claim passed)
)
