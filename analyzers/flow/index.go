package flow

import (
	"strings"

	"github.com/retrysafe/retrysafe/analyzers/lazyregexp"
	"github.com/retrysafe/retrysafe/analyzers/model"
	"github.com/retrysafe/retrysafe/analyzers/query"
)

// Index answers questions about a whole program, above all about what is absent from it.
type Index struct {
	res *Result
}

// LocalOnly reports whether the program serves exactly one local caller: all its transports are stdio, and
// there is at least one.
func (ix *Index) LocalOnly() bool {
	if len(ix.res.Transports) == 0 {
		return false
	}
	for _, t := range ix.res.Transports {
		if t.Kind != "stdio" {
			return false
		}
	}
	return true
}

// StoreUses gives the record operations of all tools on the store called name, with the tool of each.
func (ix *Index) StoreUses(name string) []*Record {
	var out []*Record
	for _, t := range ix.res.Tools {
		for _, r := range t.Records {
			if r.Store == name {
				out = append(out, r)
			}
		}
	}
	return out
}

// Releases gives the operations that take entries out of the store called name, wherever they stand, also in timers and functions that nobody is seen to call.
func (ix *Index) Releases(name string) []*Record {
	var out []*Record
	for _, c := range ix.res.engine.recordCalls {
		if r := ix.res.engine.recordOf(c); r != nil && r.Op == model.Release && r.Store == name {
			out = append(out, r)
		}
	}
	return out
}

// RemovesUnseen reports whether the unit in which a collection of the process was made removes from some collection at a place that no evaluation came to, as
// the body of a loop over what is empty when the program starts.
func (ix *Index) RemovesUnseen(r *Record) bool {
	if r.Recv == nil {
		return false
	}
	seen := map[model.Span]bool{}
	for _, c := range ix.res.engine.recordCalls {
		seen[c.Span] = true
	}
	for _, made := range r.Recv.Alternatives() {
		if made.Kind != TRef || made.Site == nil || made.Site.Fn == nil {
			continue
		}
		global, isGlobal := globalFor(made.Site)
		kept := keptAs(made.Site)
		for _, f := range made.Site.Fn.Unit.funcs {
			for i := range f.Ops {
				op := &f.Ops[i]
				if kept != "" {
					if !seen[op.Span] && f.dropsFrom(op, kept, made.Site.Fn) {
						return true
					}
					continue
				}
				if op.Kind != model.Call || len(op.Args) == 0 || op.Args[0] < 0 || seen[op.Span] {
					continue
				}
				callee := &f.Ops[op.Args[0]]
				if callee.Kind != model.Load || callee.Name != "delete" && callee.Name != "clear" || len(callee.Args) == 0 || callee.Args[0] < 0 {
					continue
				}
				if of := &f.Ops[callee.Args[0]]; !isGlobal || of.Kind == model.LoadGlobal && of.Name == "" && of.Ref == global {
					return true
				}
			}
		}
	}
	return false
}

// globalFor gives the variable of its unit that keeps what is made at a place.
func globalFor(made *Site) (ref int32, ok bool) {
	for i := range made.Fn.Ops {
		op := &made.Fn.Ops[i]
		if op.Kind == model.StoreGlobal && op.Name == "" && len(op.Args) > 0 && op.Args[0] == made.Op {
			return op.Ref, true
		}
	}
	return 0, false
}

// keptAs gives the name of the variable or member that keeps what is made at a place, "" where that is not seen.
func keptAs(made *Site) string {
	for i := range made.Fn.Ops {
		op := &made.Fn.Ops[i]
		switch {
		case op.Kind == model.StoreGlobal && op.Name == "" && len(op.Args) > 0 && op.Args[0] == made.Op && op.Ref >= 0 && int(op.Ref) < len(made.Fn.Unit.Globals):
			return made.Fn.Unit.Globals[op.Ref].Name
		case op.Kind == model.Store && len(op.Args) == 2 && op.Args[1] == made.Op:
			if op.Name == "" {
				return made.Fn.storeNamed(op.Args[0])
			}
			return op.Name
		case op.Kind == model.Object:
			for j, id := range op.Args {
				if id == made.Op && j < len(op.Parts) {
					return op.Parts[j].Key
				}
			}
		}
	}
	return ""
}

// dropsFrom reports whether an operation takes an entry out of the map or object kept under a name, or puts an empty one in its place later than where the
// first one was made.
func (f *Function) dropsFrom(op *model.Op, kept string, first *Function) bool {
	switch op.Kind {
	case model.Delete:
		return op.Name == "" && len(op.Args) > 1 && f.storeNamed(op.Args[0]) == kept
	case model.Store, model.StoreGlobal:
		made := len(op.Args) - 1
		if op.Kind == model.Store && (op.Name != kept || made != 1) || made < 0 || op.Args[made] < 0 || f == first {
			return false
		}
		if op.Kind == model.StoreGlobal && (op.Name != "" || op.Ref < 0 || int(op.Ref) >= len(f.Unit.Globals) || f.Unit.Globals[op.Ref].Name != kept) {
			return false
		}
		v := &f.Ops[op.Args[made]]
		return v.Kind == model.Object && len(v.Args) == 0
	case model.Call:
		if len(op.Args) == 0 || op.Args[0] < 0 {
			return false
		}
		callee := &f.Ops[op.Args[0]]
		if callee.Kind != model.Load || callee.Name != "delete" && callee.Name != "clear" || len(callee.Args) == 0 {
			return false
		}
		of := callee.Args[0]
		if f.Unit.Language == model.Go { // the built-in
			if callee.Name != "clear" || len(op.Args) != 2 {
				return false
			}
			of = op.Args[1]
		}
		name := f.storeNamed(of)
		return name == kept || name == "" // handed to a helper
	}
	return false
}

// Declares reports whether the program's own schema says what the table's constraints are.
func (ix *Index) Declares(table string) bool {
	_, ok := ix.res.engine.declared[strings.ToLower(table)]
	return ok || len(ix.Unique(strings.ToLower(table))) > 0
}

// Cleans reports whether somewhere in the program, whoever calls it, entries of the table or store are deleted by time or swept.
func (ix *Index) Cleans(table string) bool { return ix.res.cleaned[table] }

// cleanups finds the tables and stores whose old entries something in the program removes: a delete by time, wherever it
// stands (also in functions that nobody is seen to call), or a lifetime set on the whole collection.
func (e *engine) cleanups() map[string]bool {
	out := map[string]bool{}
	add := func(names ...string) {
		for _, n := range names {
			if n != "" {
				out[n] = true
				out[strings.ToLower(n)] = true
			}
		}
	}
	for _, c := range e.recordCalls {
		r := e.recordOf(c)
		if r == nil {
			continue
		}
		switch {
		case r.Op == model.Expire && r.Key == nil:
			add(r.Store, r.Table)
		case r.Op == model.Release && (r.FreshOnly || len(r.Cols) > 0 && timed(r.Cols)):
			add(r.Store, r.Table)
		}
	}
	for _, u := range e.p.units {
		for _, f := range u.funcs {
			for i := range f.Ops {
				op := &f.Ops[i]
				if op.Kind != model.Constant || op.Const.Kind != model.String || !deleteText.MatchString(op.Const.Text) {
					continue
				}
				stmts, err := query.SQL([]query.Piece{query.Text(op.Const.Text)})
				if err != nil {
					continue
				}
				for _, s := range stmts {
					if s.Verb != query.Delete || len(s.Tables) == 0 {
						continue
					}
					byTime := len(s.Intervals) > 0 || s.UsesNow
					for _, w := range s.Where {
						byTime = byTime || w.Op != "=" && timeColumn.MatchString(w.Column)
					}
					if byTime {
						add(s.Tables[0].Name)
					}
				}
			}
		}
	}
	return out
}

// timed reports whether a filter is about time.
func timed(cols map[string]*Term) bool {
	for name := range cols {
		if timeColumn.MatchString(name) {
			return true
		}
	}
	return false
}

var (
	deleteText = lazyregexp.New(`(?i)^\s*delete\s+from\b`)
	timeColumn = lazyregexp.New(`(?i)expir|created|updated|timestamp|(^|_)(at|time|date|ttl)$|At$`)
)

// Unique gives the unique constraints known for a table, as lists of columns.
func (ix *Index) Unique(table string) [][]string { return ix.res.unique[table] }
