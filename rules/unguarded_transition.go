package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/retrysafe/retrysafe/analyzers/flow"
	"github.com/retrysafe/retrysafe/analyzers/lazyregexp"
	"github.com/retrysafe/retrysafe/analyzers/model"
	"github.com/retrysafe/retrysafe/analyzers/query"
)

var unguardedTransition = &Rule{
	Name: "unguarded-transition", Title: "A status is set without looking at the present one",
	Severity: Medium, CWE: 841, Family: EffectFamily, Since: "0.1.0",
	Text: `A status field is set to a constant whatever it holds, although other handlers move the same object to other states, or although another effect follows. A
repeat that comes late takes the object back: a cancelled order becomes confirmed again, a shipped one is shipped twice.

It is fine when the condition of the update excludes the state being set, when the present state is read under a lock and checked, when both directions are
offered (open and close), or when creation gives the state.`,
	Fix:   "Name the states from which the step is allowed in the update's condition, and look at the number of rows changed.",
	Check: checkUnguardedTransition,
}

// change is a status set to a constant.
type change struct {
	effect *flow.Effect
	record *flow.Record
	object string // table, in lower case
	column string
	value  string
}

var statusColumn = lazyregexp.New(`(?i)(^|_)(status|state|stage|phase)$|[a-z](Status|State|Stage|Phase)$`)

func checkUnguardedTransition(p *Pass) {
	changes := map[*flow.Tool][]change{}
	values := map[string]map[string]bool{}  // object and column: the constants that handlers set
	initial := map[string]map[string]bool{} // … and those that creation gives
	checked := map[string]bool{}            // … where some handler looks first
	for _, t := range p.Tools {
		for _, c := range p.statusWrites(t) {
			k := c.object + "\x00" + c.column
			if c.effect.Nature == model.Additive || makes(c.record) {
				add(initial, k, c.value)
				continue
			}
			changes[t] = append(changes[t], c)
			add(values, k, c.value)
			checked[k] = checked[k] || p.looksFirst(c)
		}
	}
	for _, t := range p.Tools {
		for _, c := range changes[t] {
			k := c.object + "\x00" + c.column
			if initial[k][c.value] || p.looksFirst(c) || c.effect.Spec != nil && c.effect.Spec.Enforced {
				continue
			}
			var why string
			switch next := p.following(t, c.effect); {
			case next != nil:
				why = "and then " + phrase(next)
			case checked[k]:
				why = "which other handlers check first"
			case len(values[k]) > 1 && !opposites(values[k]):
				why = "which other handlers set to other states"
			default:
				continue // a single field of no machine: replacing
			}
			p.Report(Report{
				At: c.effect.Span, Event: c.effect.Event, Effects: []*flow.Effect{c.effect}, Confidence: c.effect.Confidence,
				Message: fmt.Sprintf("%s sets %s to %s whatever it is now, %s", quote(t.Name), quote(c.column), quote(c.value), why),
			})
		}
	}
}

// makes reports whether a record is written as a whole, which gives it its first state.
func makes(rec *flow.Record) bool {
	return rec.Statement == nil && rec.Spec != nil && !rec.Spec.Filter && len(rec.Set) > 1
}

func add(m map[string]map[string]bool, key, value string) {
	if m[key] == nil {
		m[key] = map[string]bool{}
	}
	m[key][value] = true
}

// statusWrites lists the writes of a tool that set a status to a constant.
func (p *Pass) statusWrites(t *flow.Tool) []change {
	var out []change
	for _, e := range p.mainEffects(t) {
		if e.Kind != model.Database {
			continue
		}
		for _, rec := range t.Records {
			if rec.Call != e.Call {
				continue
			}
			names := make([]string, 0, len(rec.Set))
			for name := range rec.Set {
				names = append(names, name)
			}
			slices.Sort(names)
			for _, name := range names {
				text, ok := rec.Set[name].Text()
				if ok && statusColumn.MatchString(name) {
					out = append(out, change{e, rec, strings.ToLower(rec.Table), name, text})
				}
			}
		}
	}
	return out
}

// looksFirst reports whether the present state decides: in the update's condition, or in what was read and checked on every way to it.
func (p *Pass) looksFirst(c change) bool {
	return excludes(c) || p.protection(c.effect).Level == flow.Full || p.readsState(c)
}

// excludes reports whether the update's own condition leaves rows out that are in the target state already.
func excludes(c change) bool {
	if s := c.record.Statement; s != nil {
		for _, w := range s.Where {
			if !query.SameName(w.Column, c.column) {
				continue
			}
			same := w.Operand.Kind == query.Literal && w.Operand.Text == c.value
			switch w.Op {
			case "=":
				return !same
			case "<>", "!=", "IS DISTINCT FROM":
				if same {
					return true
				}
			default:
				return true
			}
		}
		return s.WhereComplex
	}
	v, ok := c.record.Cols[c.column]
	if !ok {
		return false
	}
	text, isText := v.Text()
	return !isText || text != c.value
}

// readsState reports whether every way to the update has decided something about the status that was read before.
func (p *Pass) readsState(c change) bool {
	for _, path := range c.effect.Paths {
		if !slices.ContainsFunc(path.Conds, func(cond flow.Cond) bool { return p.aboutState(cond, c) }) && !p.foundInState(path, c) {
			return false
		}
	}
	return len(c.effect.Paths) > 0
}

// foundInState reports whether the row was looked up by its state on the way, and was there.
func (p *Pass) foundInState(path flow.Path, c change) bool {
	return slices.ContainsFunc(c.effect.Tool.Records, func(rec *flow.Record) bool {
		if rec.Op != model.Lookup || !strings.EqualFold(rec.Table, c.object) || !path.Made(rec.Call) {
			return false
		}
		state, ok := rec.Cols[c.column]
		if !ok {
			return false
		}
		text, isText := state.Text()
		return (!isText || text != c.value) && p.Outcome(path, rec.Call) == flow.Hit
	})
}

func (p *Pass) aboutState(cond flow.Cond, c change) bool {
	found := false
	cond.Term.Walk(func(t *flow.Term) bool {
		switch {
		case t.Kind == flow.TMember && NormalName(t.Name) == NormalName(c.column):
			found = true
		case t.Kind == flow.TOp && t.Name == "includes" && len(t.Args) == 2:
			text, ok := t.Args[1].Text()
			found = ok && text == c.value // the target is looked for among the states that may follow
		case t.Kind == flow.TOp && (t.Name == "==" || t.Name == "!=") && len(t.Args) == 2:
			for i, side := range t.Args {
				if text, ok := side.Text(); ok && text != "" && p.from([]*flow.Term{t.Args[1-i]}, flow.OriginRecord) {
					found = true // a row's value is compared with a state
				}
			}
		}
		return !found
	})
	return found
}

// following finds an additive effect that comes after the update on some way.
func (p *Pass) following(t *flow.Tool, update *flow.Effect) *flow.Effect {
	for _, e := range p.mainEffects(t) {
		if e.Nature == model.Additive && e.Call != update.Call && precedes(update.Call, e.Event) {
			return e
		}
	}
	return nil
}

// directions are pairs of states that one can go between freely.
var directions = [][2]string{
	{"open", "close"}, {"open", "done"}, {"active", "inactive"}, {"active", "archiv"}, {"active", "paus"}, {"active", "disabl"}, {"active", "suspend"},
	{"enabl", "disabl"}, {"read", "unread"}, {"archiv", "unarchiv"}, {"paus", "resum"}, {"paus", "run"}, {"publish", "draft"}, {"publish", "unpublish"},
	{"lock", "unlock"}, {"on", "off"}, {"start", "stop"}, {"run", "stop"}, {"visible", "hidden"}, {"mut", "unmut"}, {"complete", "incomplete"},
	{"complete", "open"}, {"complete", "todo"}, {"done", "todo"}, {"online", "offline"},
}

// opposites reports whether the states are two between which one goes back and forth.
func opposites(values map[string]bool) bool {
	if len(values) != 2 {
		return false
	}
	var pair []string
	for v := range values {
		pair = append(pair, strings.ToLower(v))
	}
	slices.Sort(pair)
	for _, d := range directions {
		if strings.HasPrefix(pair[0], d[0]) && strings.HasPrefix(pair[1], d[1]) || strings.HasPrefix(pair[1], d[0]) && strings.HasPrefix(pair[0], d[1]) {
			return true
		}
	}
	return false
}
