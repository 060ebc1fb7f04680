package query

// Verb says what a statement does.
type Verb string

// The verbs. Unknown is a verb that was not read, or one that is interpolated; Other is a statement that neither reads nor
// writes rows by itself (GRANT, PRAGMA, SAVEPOINT, …): [Statement.Keyword] tells which.
const (
	Unknown     Verb = "unknown"
	Other       Verb = "other"
	Select      Verb = "select"
	Insert      Verb = "insert"
	Update      Verb = "update"
	Delete      Verb = "delete"
	Merge       Verb = "merge"
	Replace     Verb = "replace"
	Call        Verb = "call"
	CreateTable Verb = "create table"
	CreateIndex Verb = "create index"
	Create      Verb = "create"
	Drop        Verb = "drop"
	Truncate    Verb = "truncate"
	Alter       Verb = "alter"
	Begin       Verb = "begin"
	Commit      Verb = "commit"
	Rollback    Verb = "rollback"
	Set         Verb = "set"
)

// Writes reports whether the verb changes rows or the schema. Call and Unknown may and are not counted.
func (v Verb) Writes() bool {
	switch v {
	case Insert, Update, Delete, Merge, Replace, CreateTable, CreateIndex, Create, Drop, Truncate, Alter:
		return true
	}
	return false
}

// Statement is what is known of one SQL statement.
type Statement struct {
	Verb Verb
	// Keyword is the first keyword in upper case, for Other and Unknown as well; behind a WITH that was read, the one that
	// follows. It is empty where it is a hole.
	Keyword string
	// Span is the statement's place in the pieces.
	Span Span
	// Partial says that some clause was not read: what is listed holds, and there may be more.
	Partial bool
	// Conditional says that the statement runs under a T-SQL IF.
	Conditional bool

	// Tables are the tables of the statement itself, the target of a write first; those of nested selects are in Subs.
	// A common table expression is none.
	Tables []Table
	// Columns are the column list of an INSERT (also of INSERT … SET), the columns a SELECT reads ("*", a name without its
	// qualifier, or the normalised text of an expression over one column), the columns of a CREATE TABLE or CREATE INDEX.
	Columns []string
	// Selected are the outputs of a SELECT in order, with their result names.
	Selected []Output
	// Values is the first row of an INSERT or REPLACE, aligned to Columns unless Partial is set or Columns is empty; of
	// INSERT … SELECT the outputs of that select; the arguments of a CALL.
	Values []Operand
	// Rows is the number of rows of a VALUES list, or -1 where it is not known.
	Rows int
	// Set are the assignments of an UPDATE, or of a MERGE's update.
	Set []Assignment
	// Where are the conditions that all hold for every row touched; a MERGE's ON as well.
	Where []Condition
	// WhereComplex says that the WHERE clause says more than Where: OR, nested selects, comparisons of expressions, holes.
	WhereComplex bool
	// Alternatives are comparisons below an OR or a NOT of the WHERE clause, each of which may hold or not:
	// the expiry in `expires_at IS NULL OR expires_at > now()`.
	Alternatives []Condition
	// Joins are the equalities and comparisons of JOIN … ON.
	Joins []Condition
	// OnConflict says what an INSERT does with a row that is there already.
	OnConflict OnConflict
	// Returning says that a write hands back rows (RETURNING, OUTPUT); Returned are the outputs.
	Returning bool
	Returned  []Output

	// ForUpdate says that the rows read are locked for writing, by FOR UPDATE or a T-SQL hint.
	ForUpdate  bool
	SkipLocked bool
	NoWait     bool
	// OrderBy are the columns of ORDER BY, as in Columns.
	OrderBy []string
	// Limit is the LIMIT, TOP or FETCH FIRST; its Kind is NoOperand without one.
	Limit Operand

	// Intervals are the literal durations of the statement with the columns they are compared with.
	Intervals []Interval
	// UsesNow says that the statement reads the database's clock.
	UsesNow bool
	// Functions are the functions called, in lower case without schema, sorted, once each.
	Functions []string

	// IfNotExists and IfExists belong to CREATE and DROP.
	IfNotExists bool
	IfExists    bool
	// Unique says that a CREATE INDEX is unique.
	Unique bool
	// Object is what CREATE, DROP or ALTER concerns, in upper case: TABLE, INDEX, VIEW, …; Name is its name.
	Object string
	Name   string
	// Isolation is the mode that BEGIN or SET TRANSACTION asks for, in upper case: SERIALIZABLE, REPEATABLE READ, IMMEDIATE, …
	Isolation string

	// Executed is the hole that an EXPLAIN ANALYZE runs as a statement, where its text is interpolated; the verb is then Unknown.
	Executed Operand

	// With are the common table expressions in order. One that writes makes the statement a write.
	With []CTE
	// Subs are the selects nested in the statement (subqueries, members of UNION, the select of INSERT … SELECT), outermost first.
	Subs []*Statement

	steps []schemaStep
}

// CTE is one named statement of a WITH.
type CTE struct {
	Name      string
	Statement *Statement
}

// All calls f for the statement, its common table expressions and its nested selects, depth first.
func (s *Statement) All(f func(*Statement)) {
	f(s)
	for _, c := range s.With {
		c.Statement.All(f)
	}
	for _, sub := range s.Subs {
		sub.All(f)
	}
}

// Writes reports whether the statement or one of its common table expressions changes rows or the schema.
func (s *Statement) Writes() bool {
	writes := false
	s.All(func(t *Statement) { writes = writes || t.Verb.Writes() })
	return writes
}

// Target returns the table that a write changes, or the first table that a SELECT reads.
func (s *Statement) Target() (Table, bool) {
	if len(s.Tables) == 0 {
		return Table{Hole: -1}, false
	}
	return s.Tables[0], true
}

// Value returns the operand that an INSERT or an UPDATE stores in a column, compared without regard to case.
func (s *Statement) Value(column string) (Operand, bool) {
	if !s.Partial || len(s.Values) == len(s.Columns) {
		for i, c := range s.Columns {
			if i < len(s.Values) && SameName(c, column) {
				return s.Values[i], true
			}
		}
	}
	for _, a := range s.Set {
		if SameName(a.Column, column) {
			return a.Operand, true
		}
	}
	return Operand{}, false
}

// Table is a table that a statement names.
type Table struct {
	// Name is the name without quotes and schema; empty where it is interpolated, wholly or in part.
	Name string
	// Schema is the schema or database before the name, empty where it is absent or interpolated.
	Schema string
	Alias  string
	// Hole is the first hole in the name, or -1.
	Hole int
	// Prefix is the literal text before that hole.
	Prefix string
	Span   Span
}

// Known reports whether the name was read.
func (t Table) Known() bool { return t.Name != "" }

// Output is one column of a result.
type Output struct {
	// Name is the name in the result: the alias, or the column's name; "*" for all columns.
	Name string
	// Operand is what it is made of.
	Operand Operand
}

// Assignment is one `column = value`.
type Assignment struct {
	Column  string
	Operand Operand
	// Increment says that the new value depends on the old one so that a second run changes it again: n + 1, n || 'x',
	// array_append(n, x), NOT n.
	Increment bool
}

// Condition is one comparison of a column.
type Condition struct {
	// Table is the qualifier before the column, empty without one.
	Table string
	// Column is the name, or the normalised text of an expression over one column, such as lower(email).
	Column string
	// Op is =, <>, <, <=, >, >=, LIKE, IN, NOT IN, IS NULL, IS NOT NULL, or another operator as written, in upper case.
	// An IN list of one value is =, unless it is a `?`, which some drivers expand; = ANY (…) is IN with the array as operand.
	Op      string
	Operand Operand
	// Values are the members of an IN list, constants as well.
	Values []Operand
}

// ConflictKind says what an INSERT does with a row that is there already.
type ConflictKind uint8

const (
	// ConflictNone means the statement fails, where a constraint says so.
	ConflictNone ConflictKind = iota
	// ConflictDoNothing means the row is left as it is and not counted as affected.
	ConflictDoNothing
	// ConflictDoUpdate means the row is changed or replaced.
	ConflictDoUpdate
)

func (k ConflictKind) String() string {
	switch k {
	case ConflictDoNothing:
		return "do nothing"
	case ConflictDoUpdate:
		return "do update"
	}
	return "none"
}

// OnConflict is ON CONFLICT, ON DUPLICATE KEY UPDATE, INSERT IGNORE, INSERT OR IGNORE, REPLACE, or the branches of MERGE.
type OnConflict struct {
	Kind ConflictKind
	// Columns are the conflict target; empty means any unique constraint (or a named or unread one).
	Columns []string
	// Constraint is the name in ON CONFLICT ON CONSTRAINT.
	Constraint string
	// TargetWhere is the normalised predicate of a partial index in the conflict target.
	TargetWhere string
	// Set are the assignments of DO UPDATE.
	Set []Assignment
	// Where is the condition of DO UPDATE; WhereComplex says that it says more.
	Where        []Condition
	WhereComplex bool
}

// Interval is a literal duration.
type Interval struct {
	// Seconds is the duration; a month counts 30 days and a year 365. With Op it is signed and relative to the database's
	// clock: `created_at > now() - interval '1 day'` is {-86400, created_at, >}.
	Seconds float64
	// Column is the column compared or assigned; empty where there is none.
	Column string
	// Op is the comparison, or = for an assignment; empty where the relation to the clock was not understood.
	Op string
}
