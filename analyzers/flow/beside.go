package flow

import (
	"slices"
	"strings"

	"github.com/retrysafe/retrysafe/analyzers/lazyregexp"
	"github.com/retrysafe/retrysafe/analyzers/model"
)

// A tool changes one thing, and much is written beside it: who did what, whom it concerns, which labels the object carries, a word to those who
// look at it. Such a row by itself would be an effect; beside the change that it is about it is none, and the change says what the tool does.

const (
	besideChange = "beside the change that it is about"
	announced    = "announcement of a change"
)

var (
	// sideTable matches the tables whose rows tell of changes to other objects, or tie another object to people and labels: a name that says of what.
	sideTable = lazyregexp.New(`(?i)^[a-z0-9_]+(_activit(y|ies)|_memberships?|_labels?|_tags?|_reviewers?|_assignees?|_watchers?|_followers?)$` +
		`|(?-i:^[a-z0-9]+(Activit(y|ies)|Memberships?|Labels?|Tags?|Reviewers?|Assignees?|Watchers?|Followers?)$)|(?i:^notifications?$)`)
	sideWords = set(`activity activities membership memberships label labels tag tags reviewer reviewers assignee assignees watcher watchers follower followers
		notification notifications notify`)
)

// markBeside marks the rows and announcements that go with a change of a database and are not what the tool is for.
func (e *engine) markBeside(t *Tool) {
	side := func(x *Effect) string {
		switch {
		case x.Incidental != "":
		case x.Spec != nil && x.Spec.Notice:
			return announced
		case x.Kind == model.Database && x.Table != "" && sideTable.MatchString(x.Table):
			return besideChange
		}
		return ""
	}
	if slices.ContainsFunc(nameWords(t.Name), func(w string) bool { return sideWords[w] }) {
		side = func(x *Effect) string {
			if x.Incidental == "" && x.Spec != nil && x.Spec.Notice {
				return announced
			}
			return ""
		}
	}
	main := slices.ContainsFunc(t.Effects, func(x *Effect) bool {
		return x.Kind == model.Database && x.Nature.Rank() > 0 && x.Confidence >= model.Likely && x.Incidental == "" && side(x) == ""
	})
	if !main {
		return
	}
	for _, x := range t.Effects {
		if why := side(x); why != "" {
			x.Incidental = why
		}
	}
}

// goneColumn matches the columns in which a row says that it is gone, asideColumn those in which it says that it is put aside.
var (
	goneColumn  = lazyregexp.New(`(?i)^(is_?)?(soft_?)?(deleted|revoked|cancell?ed|trashed)(_?(at|on|date))?$`)
	asideColumn = lazyregexp.New(`(?i)^(is_?)?archived(_?(at|on|date))?$`)
)

// markGone makes an update that takes an object away, by a column that says so, the deletion that it is. A repeat succeeds like the first.
func (e *engine) markGone(x *Effect, r *Record) {
	if r == nil || x.Kind != model.Database || x.Nature != model.Replacing || r.Op != model.Put && r.Op != model.Swap {
		return
	}
	for column, v := range r.Set {
		aside := asideColumn.MatchString(column)
		if !aside && !goneColumn.MatchString(column) || !e.surelySet(v) {
			continue
		}
		spec := *x.Spec
		spec.Quiet = true
		x.Spec, x.Nature, x.Aside = &spec, model.Destructive, aside
		if !aside {
			return
		}
	}
}

// surelySet reports whether a value is true, or a point in time made for the call.
func (e *engine) surelySet(v *Term) bool {
	for _, alt := range v.Alternatives() {
		if alt.Kind == TConst {
			if alt.Const.Kind != model.Bool || alt.Const.Text != "true" {
				return false
			}
		} else if !e.comparesClock(alt) {
			return false
		}
	}
	return true
}

// markReplaced makes an insert that follows the deletion of the same object's rows in the same function the replacement that the two are together.
func (e *engine) markReplaced(t *Tool) {
	for _, in := range t.Effects {
		if in.Kind != model.Database || in.Nature != model.Additive || in.Incidental != "" || in.Fn == nil {
			continue
		}
		put := e.recordOf(in.Call)
		if put == nil || put.Value == nil {
			continue
		}
		for _, out := range t.Effects {
			if out.Kind != model.Database || out.Nature != model.Destructive || out.Fn != in.Fn || out.Order >= in.Order || !strings.EqualFold(out.Table, in.Table) || in.Table == "" {
				continue
			}
			gone := e.recordOf(out.Call)
			if gone == nil || gone.Store != put.Store || !fills(put.Value, gone) {
				continue
			}
			in.Nature, out.Nature = model.Replacing, model.Replacing
		}
	}
}

// fills reports whether the rows put in have in each column of a deletion's filter the value that it asks for, so that a repeat takes away what
// the call before put in.
func fills(rows *Term, gone *Record) bool {
	if len(gone.Cols) == 0 {
		return false
	}
	for column, want := range gone.Cols {
		found := false
		rows.Walk(func(t *Term) bool {
			if t.Kind == TObject && !found {
				for i, k := range t.Keys {
					found = found || k == column && (t.Args[i] == want || t.Args[i].Kind == TElement && want.Contains(t.Args[i].Args[0]))
				}
			}
			return !found
		})
		if !found {
			return false
		}
	}
	return true
}

// againFound reports whether an upsert finds the row of the call before: none of the columns by which it looks is filled with what is made new.
func (e *engine) againFound(r *Record) bool {
	columns := conflictColumns(e.over(r.Call, recordConflict, r.Spec.Conflict).first(r.Spec.Conflict))
	for _, row := range []*Term{r.Value, r.Key} {
		if row == nil {
			continue
		}
		made := false
		row.Walk(func(t *Term) bool {
			if t.Kind == TObject {
				for _, c := range columns {
					if v, _ := t.Field(c); v != nil {
						made = made || e.fresh(v)
					}
				}
			}
			return !made
		})
		if made {
			return false
		}
	}
	return len(columns) > 0
}

// conflictColumns lists the columns that an upsert names: columns of a table, names, or one text of names.
func conflictColumns(t *Term) []string {
	if t == nil {
		return nil
	}
	var out []string
	for _, alt := range t.Alternatives() {
		switch text, ok := alt.Text(); {
		case ok:
			for _, name := range strings.Split(text, ",") {
				out = append(out, strings.TrimSpace(name))
			}
		case alt.Kind == TMember:
			out = append(out, alt.Name)
		case alt.Kind == TArray:
			for _, a := range alt.Args {
				out = append(out, conflictColumns(a)...)
			}
		}
	}
	return out
}
