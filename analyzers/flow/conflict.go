package flow

import (
	"slices"

	"github.com/retrysafe/retrysafe/analyzers/lazyregexp"
	"github.com/retrysafe/retrysafe/analyzers/model"
)

// duplicateCodes are how databases say that a unique constraint refused a row: PostgreSQL, MySQL, SQLite, MongoDB, Prisma, DynamoDB, GORM.
var duplicateCodes = lazyregexp.New(`(?i)^(23505|1062|ER_DUP_ENTRY|SQLITE_CONSTRAINT.*|11000|P2002|ConditionalCheckFailedException|UniqueConstraintViolation.*|UniqueViolation.*|.*duplicate key.*|.*unique constraint.*|.*already exists.*|2067|1555|6)$`)

// conflictCodes are how a service says that the object is there already: the HTTP status, and the words for it in bodies and messages.
var conflictCodes = lazyregexp.New(`(?i)^(409|ALREADY_?EXISTS|CONFLICT|.*already[ _-]exist.*|(Resource)?Conflict(Exception|Error)?|.*AlreadyExists(Exception|Error)?|DUPLICATE[A-Z_]*)$`)

// missingCodes are how a service says that the object is not there.
var missingCodes = lazyregexp.New(`(?i)^(404|410|(.*_)?NOT_?FOUND|(Resource)?NotFound(Exception|Error)?)$`)

// MissingMet reports whether the path was taken because the effect's own answer says that the object is not there.
func (r *Result) MissingMet(p Path, x *Effect) bool {
	for _, c := range p.Conds {
		t := c.Term
		if t.Kind != TOp || t.Name != "==" && t.Name != "!=" || (t.Name == "==") != c.True || !asksAbout(t, x.Call) {
			continue
		}
		for _, side := range t.Args {
			if side.Kind == TConst && missingCodes.MatchString(side.Const.Text) {
				return true
			}
		}
	}
	return false
}

// refusal is a condition that asks whether a call was refused because what it makes is there already.
type refusal struct {
	term   *Term
	span   model.Span
	rows   bool // by a database's code
	object bool // by a service's status or word
}

// RefusedByConstraint reports whether the tool handles the refusal of a unique constraint by the call: evidence that there is one.
func (r *Result) RefusedByConstraint(t *Tool, c *Call) bool {
	if r.engine.unconstrained(r.engine.recordOf(c)) {
		return false // the schema knows of none that the row could break
	}
	for _, f := range r.refusals(t) {
		if f.rows && asksAbout(f.term, c) {
			return true
		}
	}
	return false
}

// conflictMet reports whether the tool asks the effect's own answer or error for a conflict: the service refuses the repeat. A test at a
// place that many tools share translates errors of every kind, and is no evidence about one call.
func (r *Result) conflictMet(x *Effect) bool {
	for _, f := range r.refusals(x.Tool) {
		if f.object && asksAbout(f.term, x.Call) && (r.ownPlace(x.Tool, f.span) || r.testers(f.span) <= fewTools) {
			return true
		}
	}
	return false
}

// fewTools is the number of tools up to which a test for a conflict that they share is taken for a part of what they do.
const fewTools = 2

func (r *Result) ownPlace(t *Tool, at model.Span) bool {
	h := t.Handler
	return h.IsValid() && h.File == at.File && h.Offset <= at.Offset && at.EndOffset <= h.EndOffset
}

// testers counts the tools that test for a conflict at a place.
func (r *Result) testers(at model.Span) int {
	if r.testing == nil {
		r.testing = map[model.Span]int{}
		for _, t := range r.Tools {
			seen := map[model.Span]bool{}
			for _, f := range r.refusals(t) {
				if f.object && !seen[f.span] {
					seen[f.span] = true
					r.testing[f.span]++
				}
			}
		}
	}
	return r.testing[at]
}

// refusals lists the conditions of a tool that compare an exception or an answer with a word for a duplicate.
func (r *Result) refusals(t *Tool) []refusal {
	if t.refusalsKnown {
		return t.refusals
	}
	t.refusalsKnown = true
	seen := map[*Term]bool{}
	look := func(p Path) {
		for _, cond := range p.Conds {
			if seen[cond.Term] {
				continue
			}
			seen[cond.Term] = true
			f := refusal{term: cond.Term, span: cond.Span}
			answered := false
			cond.Term.Walk(func(u *Term) bool {
				switch {
				case u.Kind == TCatch || u.Kind == TCall && r.engine.calls[u] != nil:
					answered = true
				case u.Kind == TConst && u.Const.Text != "":
					f.rows = f.rows || duplicateCodes.MatchString(u.Const.Text)
					f.object = f.object || conflictCodes.MatchString(u.Const.Text)
				}
				return true
			})
			if answered && (f.rows || f.object) {
				t.refusals = append(t.refusals, f)
			}
		}
	}
	for _, ret := range t.Returns {
		look(ret.Path)
	}
	for _, ev := range t.Events {
		for _, p := range ev.Paths {
			look(p)
		}
	}
	return t.refusals
}

// asksAbout reports whether a condition asks for the answer or the exception of a call.
func asksAbout(cond *Term, c *Call) bool {
	if c.Result == nil {
		return false
	}
	found := false
	cond.Walk(func(u *Term) bool {
		switch {
		case u == c.Result || slices.Contains(c.settled, u):
			found = true
		case u.Kind == TCatch:
			found = found || len(u.Args) == 0
			for _, a := range u.Args {
				found = found || a.Contains(c.Result) || leadsUpTo(a, c.Result)
			}
		}
		return !found
	})
	return found
}

// leadsUpTo reports whether a call is made on what another one gave, in one chain. What is handed to it is no part of it: that it was made by another call says
// nothing of who refused.
func leadsUpTo(first, call *Term) bool {
	for range maxTermDepth {
		if call == first {
			return true
		}
		if call.Kind != TCall && call.Kind != TMember && call.Kind != TCast || len(call.Args) == 0 {
			return false
		}
		call = call.Args[0]
	}
	return false
}
