package flow

import (
	"cmp"
	"slices"
	"strings"

	"github.com/retrysafe/retrysafe/analyzers/lazyregexp"
	"github.com/retrysafe/retrysafe/analyzers/model"
	"github.com/retrysafe/retrysafe/analyzers/query"
)

// record tells what an event does to a record store or table, or nil.
func (e *engine) record(ev *Event) *Record {
	if ev.table {
		return nil
	}
	if ev.RecordRow != nil {
		return e.callRecord(ev)
	}
	for i := range ev.Statements {
		if r := e.statementRecord(ev, &ev.Statements[i]); r != nil {
			return r
		}
	}
	return nil
}

func (e *engine) callRecord(ev *Event) *Record {
	spec := ev.RecordRow.Record
	r := &Record{Event: ev, Op: spec.Op, Spec: spec, Local: spec.Local, Unit: spec.Unit, HasTTL: spec.DefaultTTL}
	store := ev.Recv
	if spec.Store != "" {
		if v := e.over(ev.Call, recordStore, spec.Store).first(spec.Store); v != nil {
			store = v
		}
	}
	var key *Term
	keyAcc := e.over(ev.Call, recordKey, spec.Key)
	for _, path := range e.paths(spec.Key) {
		if spec.Filter && len(path) == 1 && path[0].Kind == model.ChainStep {
			key = keyAcc.chainFilter(path[0])
		}
	}
	if key == nil {
		key = keyAcc.first(spec.Key)
	}
	r.Key = key
	r.Value = e.over(ev.Call, recordValue, spec.Value).first(spec.Value)
	if spec.Filter && key != nil {
		r.Cols = columns(key)
	}
	if v := r.Value; v != nil && v.Kind == TObject {
		r.Set = columns(v)
	}
	if r.Op == model.Swap && spec.Filter && r.namesOneRow() {
		r.Op = model.Put
	}
	if v := e.over(ev.Call, recordTTL, spec.TTL).first(spec.TTL); v != nil {
		r.TTL = v
		r.HasTTL = r.HasTTL || !endless(v)
	}
	r.Store, r.Table = e.storeName(store, key)
	if ev.Fn != nil && ev.Fn.Unit.Language == model.Go && !spec.Local {
		for i := 0; i < len(ev.Args) && r.Table == ""; i++ {
			r.Table = rowType(ev.Args[i])
		}
		if rowType := r.Table; rowType != "" && !strings.Contains(r.Store, rowType) {
			r.Store = rowType + "<" + r.Store
		}
	}
	for _, v := range r.Cols {
		if e.comparesClock(v) {
			r.FreshOnly = true
		}
	}
	return r
}

// namesOneRow reports whether an update says by equality which row it changes and asks nothing of what it changes there: a second one finds
// the row all the same.
func (r *Record) namesOneRow() bool {
	if r.Key == nil || r.Key.Kind != TObject || len(r.Set) == 0 {
		return false
	}
	for i, col := range r.Key.Keys {
		v := r.Key.Args[i]
		if col == "..." || strings.HasPrefix(col, "$") || v.Kind == TObject && !slices.Equal(v.Keys, []string{"equals"}) && !slices.Equal(v.Keys, []string{"$eq"}) {
			return false
		}
		for set := range r.Set {
			if query.SameName(set, col) {
				return false
			}
		}
	}
	return true
}

// endless reports whether a lifetime is the number by which libraries are told that there is none.
func endless(v *Term) bool {
	text, ok := v.Text()
	return ok && (text == "0" || strings.HasPrefix(text, "-"))
}

// columns spells out a recorded filter or row: nested operators ({$gt: x}, {equals: x}) give the value they compare with.
func columns(t *Term) map[string]*Term {
	out := map[string]*Term{}
	var add func(prefix string, t *Term, depth int)
	add = func(prefix string, t *Term, depth int) {
		if t.Kind != TObject || depth > 3 {
			return
		}
		for i, k := range t.Keys {
			if k == "..." {
				continue
			}
			v := t.Args[i]
			if v.Kind == TObject && len(v.Keys) > 0 {
				op := v.Keys[0]
				if strings.HasPrefix(op, "$") || op == "equals" {
					out[k] = v.Args[0]
					continue
				}
				add(k, v, depth+1)
			}
			out[k] = v
		}
	}
	add("", t, 0)
	return out
}

// comparesClock reports whether a filter's value is made from the clock: a freshness condition.
func (e *engine) comparesClock(v *Term) bool {
	return e.comesFrom(v, OriginClock)
}

// storeName gives the identity of a store and, where there is one, its table, collection or model.
func (e *engine) storeName(store, key *Term) (name, table string) {
	if store == nil {
		return "?", ""
	}
	// the chain of the receiver tells the table: db.collection("x"), prisma.x, db.from("x")
	cur := store
	var parts []string
	for i := 0; cur != nil && i < 24; i++ {
		switch cur.Kind {
		case TCall:
			if refinesQuery[strings.ToLower(cur.Name)] {
				cur = cur.Args[0]
				continue
			}
			if strings.EqualFold(cur.Name, "model") && len(cur.Args) > 1 {
				if t := rowType(cur.Args[1]); t != "" {
					table = cmp.Or(table, t)
					cur = cur.Args[0]
					continue
				}
			}
			if len(cur.Args) > 1 {
				if s, ok := cur.Args[1].Text(); ok {
					if table == "" {
						table = s
					}
					parts = append(parts, s)
				} else if s := tableObject(cur.Args[1]); s != "" {
					if table == "" {
						table = s
					}
					parts = append(parts, s)
				}
			}
			parts = append(parts, cur.Name)
			cur = cur.Args[0]
			continue
		case TMember:
			parts = append(parts, cur.Name)
			if table == "" && !strings.HasPrefix(cur.Name, "_") {
				table = cur.Name
			}
			cur = cur.Args[0]
			continue
		case TCast:
			cur = cur.Args[0]
			continue
		case TRef:
			parts = append(parts, "#"+itoa(cur.ID()))
		case TSymbol:
			parts = append(parts, cur.Sym)
		case TConst:
			if s, ok := cur.Text(); ok {
				table = s
				parts = append(parts, s)
			}
		default:
			parts = append(parts, "#"+itoa(cur.ID()))
		}
		break
	}
	name = strings.Join(parts, "<")
	if key != nil && key.Kind == TConcat {
		if s, ok := key.Args[0].Text(); ok {
			name += "|" + s
		}
	}
	return name, table
}

// refinesQuery are the calls of query builders that say which rows and how, and not of which table.
var refinesQuery = set(`where andwhere orwhere and or not eq neq gt gte lt lte in is match filter order orderby limit offset skip take single maybesingle groupby having distinct first
	withcontext session debug clauses select omit preload joins innerjoin leftjoin unscoped scopes returning lean exec execute for`)

// rowType gives the name of the declared type of a row that the program makes in Go, "" where it is none.
func rowType(row *Term) string {
	if row == nil {
		return ""
	}
	if row = uncast(row); row.Site == nil || row.Site.Fn == nil || row.Site.Fn.Unit.Language != model.Go || row.Kind != TRef && row.Kind != TObject ||
		row.Site.Op < 0 || int(row.Site.Op) >= len(row.Site.Fn.Ops) {
		return ""
	}
	if t := row.Site.Fn.Ops[row.Site.Op].Type; t != nil && t.External == "" {
		return t.Name
	}
	return ""
}

// tableObject names a table that is given as a value of a schema library: table("orders", …).
func tableObject(t *Term) string {
	if t.Kind == TCall && len(t.Args) > 1 {
		if s, ok := t.Args[1].Text(); ok {
			return s
		}
	}
	return ""
}

func (e *engine) statementRecord(ev *Event, s *Statement) *Record {
	st := &s.Statement
	if len(st.Tables) == 0 {
		return e.controlRecord(ev, s)
	}
	r := &Record{Event: ev, Statement: s, Table: st.Tables[0].Name, Cols: map[string]*Term{}, Set: map[string]*Term{}, Spec: &model.Record{}}
	if ev.QueryRow.Query != nil {
		r.Spec.Miss = "rows"
		switch ev.QueryRow.Query.Rows {
		case "first":
			r.Spec.Miss = "null"
		case "array":
			r.Spec.Miss = "empty"
		case "pair":
			r.Spec.Miss = "pair"
		case "scan":
			r.Spec.Miss = "present"
		case "affected":
			r.Spec.Miss = "zero"
		}
	}
	db := ev.Symbol
	if v := e.recorded(ev.Call).first(ev.QueryRow.Query.Store); v != nil {
		db, _ = e.storeName(v, nil)
	} else if ev.Recv != nil {
		db, _ = e.storeName(ev.Recv, nil)
	}
	r.Store = db + "<" + strings.ToLower(r.Table)
	for _, w := range st.Where {
		if v := s.Bind(w.Operand); v != nil {
			if w.Op != "=" && e.comparesClock(v) {
				r.FreshOnly = true
				if st.Verb == query.Select {
					continue // says how old a row may be, not which one it is
				}
			}
			r.Cols[w.Column] = v
		}
	}
	if len(st.Intervals) > 0 || st.UsesNow && st.Verb == query.Select {
		r.FreshOnly = true
	}
	r.Key = e.keyOf(r.Cols)
	switch st.Verb {
	case query.Select:
		r.Op = model.Lookup
		if st.ForUpdate {
			r.Spec.Atomic = true
		}
	case query.Insert:
		r.Op = model.Claim
		r.Spec.Fails = "throws"
		if st.OnConflict.Kind == query.ConflictDoNothing {
			r.Spec.Fails = r.Spec.Miss
			if len(st.Returned) == 0 && !st.Returning && r.Spec.Miss != "zero" {
				r.Spec.Fails = "rows"
			}
			r.Spec.Atomic = true
		}
		if st.OnConflict.Kind == query.ConflictDoUpdate {
			r.Op = model.Put
		}
		for i, col := range st.Columns {
			if i < len(st.Values) {
				if v := s.Bind(st.Values[i]); v != nil {
					r.Set[col] = v
				}
			}
		}
		r.Key = e.insertKey(r)
		r.Value = e.keyOf(r.Set)
	case query.Replace, query.Merge:
		r.Op = model.Put
	case query.Update:
		r.Op = model.Put
		for _, a := range st.Set {
			if v := s.Bind(a.Operand); v != nil {
				r.Set[a.Column] = v
			}
		}
	case query.Delete:
		r.Op = model.Release
	default:
		return nil
	}
	for col := range r.Set {
		if expiryName.MatchString(col) {
			r.HasTTL = true
			r.TTL = r.Set[col]
			r.Unit = "column"
		}
	}
	return r
}

var expiryName = lazyregexp.New(`(?i)expir|ttl|valid_?until`)

// insertKey gives the columns of an insert that identify the record: those named like a key, otherwise all.
func (e *engine) insertKey(r *Record) *Term {
	pick := map[string]*Term{}
	for col, v := range r.Set {
		if keyColumn.MatchString(col) {
			pick[col] = v
		}
	}
	if len(pick) == 0 {
		pick = r.Set
	}
	return e.keyOf(pick)
}

var keyColumn = lazyregexp.New(`(?i)(^|_)(key|id|hash|jti|nonce)$|idempot|dedup|Key$|Id$`)

// keyOf makes one term of columns: the value itself where there is one, else a recorded object.
func (e *engine) keyOf(cols map[string]*Term) *Term {
	if len(cols) == 0 {
		return nil
	}
	names := make([]string, 0, len(cols))
	for k := range cols {
		names = append(names, k)
	}
	slices.Sort(names)
	if len(names) == 1 {
		return cols[names[0]]
	}
	t := Term{Kind: TObject, Keys: names}
	for _, k := range names {
		t.Args = append(t.Args, cols[k])
	}
	return e.intern(t)
}

// takesRow reports whether a call is given the row that it stores.
func takesRow(rows []*model.Row) bool {
	return slices.ContainsFunc(rows, func(r *model.Row) bool { return r.Record != nil && r.Record.Filter && r.Record.Op == model.Claim })
}
