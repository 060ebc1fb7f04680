package flow

import (
	"slices"

	"github.com/retrysafe/retrysafe/analyzers/lazyregexp"
	"github.com/retrysafe/retrysafe/analyzers/query"
)

var (
	// readOnly matches a text that opens a transaction that refuses writes, or makes the present one refuse them.
	readOnly = lazyregexp.New(`(?i)\bread\s+only\b`)
	// readOnlySetting matches a text that makes all transactions of a connection refuse writes.
	readOnlySetting = lazyregexp.New(`(?i)default_transaction_read_only|query_only|transaction_read_only|session\s+characteristics\s+as\s+transaction\s+read\s+only`)
)

// sealed reports whether the database refuses an effect of a query: on every way to it a transaction is open that only reads.
func (e *engine) sealed(t *Tool, x *Effect) bool {
	if x.QueryRow == nil || len(x.Paths) == 0 {
		return false
	}
	if e.openedToRead(x) {
		return true
	}
	for _, ev := range t.Events {
		if e.says(ev.Call, readOnlySetting) {
			return true
		}
		if ev.RecordRow == nil || !ev.RecordRow.Record.ReadOnly || ev.Call == x.Call || sometimes(ev.Args) {
			continue
		}
		// the options say so: the queries are the call's arguments, or run in its callback
		for _, a := range ev.Args {
			if x.Result != nil && a.Contains(x.Result) {
				return true
			}
		}
		for _, step := range x.Chain {
			if step.Span == ev.Span {
				return true
			}
		}
	}
	for _, p := range x.Paths {
		if !e.opensReadOnly(p, x.Call) {
			return false
		}
	}
	return true
}

// openedToRead reports whether an effect goes through what was opened to read only: a database, or a transaction, also one that is handed to the query
// among its options.
func (e *engine) openedToRead(x *Effect) bool {
	if x.Recv != nil && e.opensToRead(x.Recv, true) {
		return true
	}
	for _, arg := range x.Args[min(1, len(x.Args)):] {
		if arg.Kind == TObject && slices.ContainsFunc(arg.Args, func(v *Term) bool { return e.opensToRead(v, false) }) || e.opensToRead(arg, false) {
			return true
		}
	}
	return false
}

// opensToRead reports whether each value that a handle may be was opened to read only. made says that it may have been made by calls on what was.
func (e *engine) opensToRead(handle *Term, made bool) bool {
	for _, alt := range handle.Alternatives() {
		for depth := 0; ; depth++ {
			if depth > maxTermDepth {
				return false
			}
			c := e.calls[alt]
			if c != nil && c.RecordRow != nil && c.RecordRow.Record.ReadOnly && !sometimes(c.Args) {
				break
			}
			if alt.Kind != TMember && alt.Kind != TCast && !(alt.Kind == TCall && made) {
				return false
			}
			alt = alt.Args[0]
		}
	}
	return true
}

// sometimes reports whether the options of a call are given on some ways only: `readOnly ? {readOnly: true} : undefined`.
func sometimes(args []*Term) bool {
	for _, a := range args {
		if a.Kind == TUnion {
			return true
		}
		if a.Kind == TObject {
			for _, v := range a.Args {
				if v.Kind == TUnion {
					return true
				}
			}
		}
	}
	return false
}

// opensReadOnly reports whether the transaction that is open at the end of a path only reads.
func (e *engine) opensReadOnly(p Path, until *Call) bool {
	sealed := false
	for _, b := range p.Before {
		c := b.Call
		if c == until || c.QueryRow == nil {
			continue
		}
		switch {
		case e.says(c, readOnly):
			sealed = true
		case endsTransaction(c):
			sealed = false
		}
	}
	return sealed
}

func endsTransaction(c *Call) bool {
	for i := range c.Statements {
		switch c.Statements[i].Verb {
		case query.Begin, query.Commit, query.Rollback:
			return true
		}
	}
	return false
}

// says reports whether the text of a query matches, whichever of its alternatives it is.
func (e *engine) says(c *Call, pattern *lazyregexp.Regexp) bool {
	if c.QueryRow == nil || c.QueryRow.Query == nil {
		return false
	}
	text := e.recorded(c).first(c.QueryRow.Query.Text)
	if text == nil {
		return false
	}
	for _, alt := range text.Alternatives() {
		if !pattern.MatchString(holeText(alt)) {
			return false
		}
	}
	return true
}
