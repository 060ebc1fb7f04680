// Package catalog holds what is known about libraries: how tools and routes are
// registered, what calls do, which stores keep records, where values come
// from. The knowledge is data, YAML files under data/, read by a strict loader;
// their vocabulary is model.Row. Nothing else in the program knows the name of a
// library.
//
// A file has defaults and rows:
//
//	source: "@modelcontextprotocol/sdk 1.32.2, type definitions"
//	date: 2026-11-27
//	package: remarks for the reader
//	define:                 # anything, for YAML anchors
//	  - &extra {role: context, fields: [{path: sessionId, role: session}]}
//	rows:
//	  - id: mcp.sdk.registerTool
//	    symbols: ["@modelcontextprotocol/sdk/**#McpServer.registerTool"]
//	    tool: {kind: mcp, framework: "@modelcontextprotocol/sdk", name: "Argument[0]", …}
//
// The keys of a row are the fields of model.Row with a small first letter. Text
// that names alternatives or accesses is checked when it is read, so a row
// that loads means something. A user's row may leave out id, source and date: its
// place stands for them.
package catalog

import (
	"errors"
	"slices"
	"sync"

	"github.com/retrysafe/retrysafe/analyzers/model"
)

// Source is a file of rows that does not come with the program.
type Source struct {
	Name string // of the file, for messages
	Data []byte
	// Trusted says that the user who runs the program gave it, in contrast to
	// the repository that is scanned.
	Trusted bool
	// Section is the key under which the list of rows stands, in a file that holds other things beside; empty for a file
	// of rows only.
	Section string
	// Base is the folder, from the root of what is scanned, from which symbols name the files of the program: "./src/pay#charge".
	// Empty for that root.
	Base string
}

// Catalog is a set of rows with an index. It does not change and is safe for
// concurrent use.
type Catalog struct {
	rows     []*model.Row
	users    int // rows that do not come with the program; they stand first
	byID     map[string]*model.Row
	index    *index
	hosts    *hosts
	packages []string
	names    []string
	types    func() map[string]bool
}

// Load reads the built-in rows and those of extra. Rows of extra are found
// before the built-in ones, in the order given. An error joins everything that is wrong, each as
// an *Error with its place; the catalog is nil then.
func Load(extra ...Source) (*Catalog, error) {
	users, problems := readAll(extra, true)
	problems = append(problems, contradictions(users, len(users))...)
	known, err := builtin()
	if err != nil {
		return nil, err
	}
	return assemble(users, known, problems)
}

// readAll reads sources one after the other, a user's or those that come with the program.
func readAll(sources []Source, user bool) (rows []*model.Row, problems []*Error) {
	for _, source := range sources {
		read, wrong := readSource(source, user)
		rows = append(rows, read...)
		problems = append(problems, wrong...)
	}
	return rows, problems
}

// assemble makes a catalog of the user's rows and what is known besides, unless there are problems.
func assemble(users []*model.Row, known snapshot, problems []*Error) (*Catalog, error) {
	rows := slices.Concat(users, known.Rows)
	c := &Catalog{rows: rows, users: len(users), byID: make(map[string]*model.Row, len(rows))}
	for _, row := range slices.Concat(known.Rows, users) {
		if other := c.byID[row.ID]; other != nil {
			problems = append(problems, errorAt(row.Place, "id %q is already used at %s", row.ID, other.Place))
			continue
		}
		c.byID[row.ID] = row
	}
	if len(problems) > 0 {
		all := make([]error, len(problems))
		for i, p := range problems {
			all[i] = p
		}
		return nil, errors.Join(all...)
	}
	c.index = newIndex(rows, len(users))
	c.hosts = &hosts{all: rows, users: len(users)}
	c.types = sync.OnceValue(func() map[string]bool { return globalTypes(rows) })
	packages, names := wordsOf(users)
	c.packages, c.names = union(packages, known.Packages), union(names, known.Names)
	return c, nil
}

// All lists the rows in the order in which they were read.
func (c *Catalog) All() []*model.Row { return slices.Clone(c.rows) }

// Lookup finds the row of that id, or nil.
func (c *Catalog) Lookup(id string) *model.Row { return c.byID[id] }

// Rows lists the rows with a pattern that contains symbol, the most specific
// first: rows of the user, then those whose pattern has more names without wildcard,
// then in the order of the files. Whether Versions, Files and When hold is for the caller to see; of each section
// (effect, record, tool …) the first row that holds counts. A leading `default` of the symbol may be absent in the
// pattern, because the members of a CommonJS package are its named exports and members of its default export alike.
// The result is shared and must not be changed.
func (c *Catalog) Rows(symbol string) []*model.Row { return c.index.rows(symbol) }

// Describes reports whether rows speak of a package by its name, or by a pattern that names where it comes from.
func (c *Catalog) Describes(pkg string) bool { return c.index.describes(model.CanonicalPackage(pkg)) }

// HostRows lists the rows over hosts that speak of a request: host in lower case without a
// port, "" where it is not known; path with its leading slash (holes as "\x00"), method in upper case, "" where it is
// not known. Order and sharing are as for Rows.
func (c *Catalog) HostRows(host, path, method string) []*model.Row {
	return c.hosts.rows(host, path, method)
}

// Packages lists the names of packages from which registrations, routes and
// records come, sorted. A file that contains none of them, and none of Words,
// neither registers a tool nor keeps a record by itself.
func (c *Catalog) Packages() []string { return slices.Clone(c.packages) }

// Words lists the literal words of the rows that register tools, routes
// or work on records, sorted: packages, and last names of symbols (`registerTool`), by which a file is
// recognised whose values were made elsewhere. What every program uses, the language's own names, is left out.
func (c *Catalog) Words() []string {
	return union(c.packages, c.names)
}

// union joins two lists into a sorted one without repetitions.
func union(a, b []string) []string {
	all := slices.Concat(a, b)
	slices.Sort(all)
	return slices.Compact(all)
}
