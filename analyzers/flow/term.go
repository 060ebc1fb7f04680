package flow

import (
	"hash/maphash"
	"slices"
	"strings"

	"github.com/retrysafe/retrysafe/analyzers/model"
)

// TermKind is the kind of an abstract value.
type TermKind uint8

// The kinds of terms.
const (
	TUnknown TermKind = iota // Name says why or what; Site tells different unknowns apart
	TConst                   // Const
	TInput                   // a value handed in by a framework: Name is its role, Input its shape
	TMember                  // member Name of Args[0]
	TIndex                   // member of Args[0] under the computed key Args[1]
	TElement                 // some element of Args[0]; Name "key" for some key
	TSymbol                  // something outside the program, or a package's namespace: Sym
	TModule                  // namespace object of the program's unit Name
	TRef                     // an object, array, map, cell or instance with identity: Site
	TClosure                 // function Fn with Args bound to its free variables; This its receiver, if bound
	TClass                   // class Decl with Args: base class (or undefined), captured values
	TConcat                  // text joined from Args
	TOp                      // operator Name over Args
	TCall                    // result of an external call: Args[0] the receiver (or undefined), then the arguments; Site
	TObject                  // a recorded object: Keys parallel to Args; a key "..." marks a spread
	TArray                   // a recorded sequence; Keys "..." marks spread elements, nil if none
	TUnion                   // any of Args, sorted by id
	TCatch                   // an exception; Args are the calls' results that may have raised it
	TCast                    // Args[0] declared to be of the type known as Sym
)

// Site is a place where a value comes into being: an operation of a function.
type Site struct {
	Fn   *Function
	Op   model.ID
	Span model.Span
}

// Term is an abstract value. Terms are immutable and interned: equal terms of one program are the same
// pointer.
type Term struct {
	Kind  TermKind
	Name  string
	Sym   string // access path from an external package, "" if none; see model/knowledge.go
	Const model.Const
	Args  []*Term
	Keys  []string
	Site  *Site
	Fn    *Function
	Decl  *Type
	This  *Term
	Input *model.Input
	Type  *model.TypeRef // of an unknown that was declared with a type

	id    int32
	depth int32
	ctx   int64
	flags termFlags

	slot   int32    // where the walk noted what it found out about the term
	walked int64    // the engine's last walk that came here
	told   [2]int64 // the last walk over facts that came to one that says of this condition that it does not hold, or does
}

type termFlags uint8

const (
	hasInput   termFlags = 1 << iota // contains an input
	hasUnknown                       // contains an unknown
	hasRef                           // contains a reference, also within closures
	hasCall                          // contains the result of an external call
)

// ID is a number unique to the term in its program, in order of creation.
func (t *Term) ID() int { return int(t.id) }

// HasInput reports whether an input of an entry is part of the value.
func (t *Term) HasInput() bool { return t.flags&hasInput != 0 }

// HasUnknown reports whether part of the value is not known.
func (t *Term) HasUnknown() bool { return t.flags&hasUnknown != 0 }

// IsConst reports whether the term is a constant, and gives its text.
func (t *Term) IsConst() (text string, ok bool) {
	if t == nil || t.Kind != TConst {
		return "", false
	}
	return t.Const.Text, true
}

// Text gives the constant text of a string or number term.
func (t *Term) Text() (string, bool) {
	if t != nil && t.Kind == TConst && (t.Const.Kind == model.String || t.Const.Kind == model.Number) {
		return t.Const.Text, true
	}
	return "", false
}

// IsNullish reports whether the term is null or undefined.
func (t *Term) IsNullish() bool {
	return t != nil && t.Kind == TConst && (t.Const.Kind == model.Null || t.Const.Kind == model.Undefined)
}

// Alternatives gives the terms that a value may be: the members of a union, or itself.
func (t *Term) Alternatives() []*Term {
	if t.Kind == TUnion {
		return t.Args
	}
	return []*Term{t}
}

// Field gives the value recorded under key in a recorded object. known is false where the object may
// hold the key without our seeing it (a spread of something unknown).
func (t *Term) Field(key string) (value *Term, known bool) {
	known = true
	for i := len(t.Keys) - 1; i >= 0; i-- {
		if t.Keys[i] == key {
			return t.Args[i], true
		}
		if t.Keys[i] == "..." {
			known = false
		}
	}
	return nil, known
}

// Contains reports whether part occurs within t (objects and calls included).
func (t *Term) Contains(part *Term) bool {
	if part.id > t.id || part.flags&hasCall != 0 && t.flags&hasCall == 0 || part.flags&hasInput != 0 && t.flags&hasInput == 0 {
		return false // parts are made before what they are part of
	}
	found := false
	t.Walk(func(u *Term) bool {
		if u == part {
			found = true
		}
		return !found && u.id > part.id
	})
	return found
}

// Walk calls visit for t and all its parts, each once, until visit returns false for a part, whose
// own parts are then left out.
func (t *Term) Walk(visit func(*Term) bool) {
	var seen termSet
	var walk func(*Term)
	walk = func(u *Term) {
		if u == nil || !seen.add(u) || !visit(u) {
			return
		}
		for _, a := range u.Args {
			walk(a)
		}
		if u.This != nil {
			walk(u.This)
		}
	}
	walk(t)
}

// termSet is a set of terms. Most walks see few: these are looked for one by one.
type termSet struct {
	few  [16]*Term
	n    int
	many map[*Term]bool
}

// add puts a term into the set, and reports whether it was not there.
func (s *termSet) add(t *Term) bool {
	if s.many == nil {
		if slices.Contains(s.few[:s.n], t) {
			return false
		}
		if s.n < len(s.few) {
			s.few[s.n] = t
			s.n++
			return true
		}
		s.many = make(map[*Term]bool, 4*len(s.few))
		for _, u := range s.few {
			s.many[u] = true
		}
	}
	if s.many[t] {
		return false
	}
	s.many[t] = true
	return true
}

// Any reports whether t or one of its parts is wanted.
func (t *Term) Any(want func(*Term) bool) bool {
	found := false
	t.Walk(func(u *Term) bool {
		found = found || want(u)
		return !found
	})
	return found
}

// holdsCall reports whether t, or one of the values that it is made of, is the result or the failure of a call and such. known keeps the answers.
func (t *Term) holdsCall(known map[*Term]bool, such func(*Term) bool) bool {
	if t == nil || t.flags&hasCall == 0 {
		return false
	}
	if found, asked := known[t]; asked {
		return found
	}
	known[t] = false
	found := (t.Kind == TCall || t.Kind == TCatch) && such(t) ||
		slices.ContainsFunc(t.Args, func(a *Term) bool { return a.holdsCall(known, such) })
	known[t] = found
	return found
}

// terms interns the terms of a program.
type terms struct {
	table interned[Term]
	seed  maphash.Seed
	slab  []Term  // not yet used
	flat  []*Term // scratch of union
	next  int32

	undefined, null, yes, no, emptyString *Term
	sites                                 map[siteKey]*Site
}

type siteKey struct {
	fn *Function
	op model.ID
}

func newTerms() *terms {
	t := &terms{table: newInterned[Term](), seed: maphash.MakeSeed(), sites: map[siteKey]*Site{}}
	t.undefined = t.constant(model.Const{Kind: model.Undefined, Text: "undefined"})
	t.null = t.constant(model.Const{Kind: model.Null, Text: "null"})
	t.yes = t.constant(model.Const{Kind: model.Bool, Text: "true"})
	t.no = t.constant(model.Const{Kind: model.Bool, Text: "false"})
	t.emptyString = t.text("")
	return t
}

func (ts *terms) site(fn *Function, op model.ID) *Site {
	k := siteKey{fn, op}
	if s := ts.sites[k]; s != nil {
		return s
	}
	s := &Site{Fn: fn, Op: op}
	if op >= 0 && int(op) < len(fn.Ops) {
		s.Span = fn.Ops[op].Span
	} else {
		s.Span = fn.Span
	}
	ts.sites[k] = s
	return s
}

// intern gives the one term that is equal to t.
func (ts *terms) intern(t Term) *Term {
	h := ts.hash(&t)
	for i := ts.table.first(h); ; i = ts.table.next(i) {
		slot := &ts.table.slots[i]
		if slot.value == nil {
			break
		}
		if slot.hash == h && equalTerms(slot.value, &t) {
			return slot.value
		}
	}
	for _, a := range t.Args {
		if a == nil {
			continue
		}
		t.flags |= a.flags
		if t.Kind == TUnion {
			t.depth = max(t.depth, a.depth) // a choice holds no more than what it chooses from, and has no symbol to be known by when it is cut
		} else {
			t.depth = max(t.depth, a.depth+1)
		}
	}
	if t.This != nil {
		t.flags |= t.This.flags
		t.depth = max(t.depth, t.This.depth+1)
	}
	switch t.Kind {
	case TInput:
		t.flags |= hasInput
	case TUnknown:
		t.flags |= hasUnknown
	case TRef:
		t.flags |= hasRef
	case TCall:
		t.flags |= hasCall
	}
	if t.depth > maxTermDepth && t.Kind != TClosure && t.Kind != TClass {
		var site *Site
		if t.Site != nil {
			site = t.Site
		}
		// the deep value is forgotten, but not that the caller's input was part of it
		cut := Term{Kind: TUnknown, Name: "deep", Sym: t.Sym, Site: site}
		if t.flags&hasInput != 0 {
			cut.Name = "deep input"
		}
		return ts.intern(cut)
	}
	ts.next++
	t.id = ts.next
	if len(ts.slab) == 0 {
		ts.slab = make([]Term, 64)
	}
	p := &ts.slab[0]
	ts.slab = ts.slab[1:]
	*p = t
	ts.table.add(h, p)
	return p
}

func (ts *terms) hash(t *Term) uint64 {
	h := mix(uint64(t.Kind)|uint64(t.Const.Kind)<<8|uint64(len(t.Args))<<16|uint64(len(t.Keys))<<32, uint64(t.ctx))
	for _, text := range [...]string{t.Name, t.Sym, t.Const.Text} {
		if text != "" {
			h = mix(h, maphash.String(ts.seed, text))
		}
		h++
	}
	for _, a := range t.Args {
		if a != nil {
			h ^= uint64(a.id)
		}
		h = mix(h, 1)
	}
	for _, key := range t.Keys {
		h = mix(h, maphash.String(ts.seed, key))
	}
	if t.Site != nil {
		h = mix(h, uint64(uint32(t.Site.Fn.id))<<32|uint64(uint32(t.Site.Op)))
	}
	if t.Fn != nil {
		h = mix(h, uint64(t.Fn.id))
	}
	if t.Decl != nil {
		h = mix(h, uint64(t.Decl.id))
	}
	if t.This != nil {
		h = mix(h, uint64(t.This.id))
	}
	return h
}

// equalTerms reports whether two terms are to be one.
func equalTerms(a, b *Term) bool {
	if a.Kind != b.Kind || a.ctx != b.ctx || a.This != b.This || a.Const.Kind != b.Const.Kind || len(a.Args) != len(b.Args) || (a.Keys == nil) != (b.Keys == nil) ||
		a.Name != b.Name || a.Sym != b.Sym || a.Const.Text != b.Const.Text || !slices.Equal(a.Args, b.Args) || !slices.Equal(a.Keys, b.Keys) {
		return false
	}
	if a.Site != b.Site && (a.Site == nil || b.Site == nil || a.Site.Fn.id != b.Site.Fn.id || a.Site.Op != b.Site.Op) {
		return false
	}
	return (a.Fn == b.Fn || a.Fn != nil && b.Fn != nil && a.Fn.id == b.Fn.id) && (a.Decl == b.Decl || a.Decl != nil && b.Decl != nil && a.Decl.id == b.Decl.id)
}

func (ts *terms) constant(c model.Const) *Term { return ts.intern(Term{Kind: TConst, Const: c}) }

func (ts *terms) text(s string) *Term {
	return ts.constant(model.Const{Kind: model.String, Text: s})
}

func (ts *terms) number(s string) *Term {
	return ts.constant(model.Const{Kind: model.Number, Text: s})
}

func (ts *terms) boolean(b bool) *Term {
	if b {
		return ts.yes
	}
	return ts.no
}

func (ts *terms) unknown(why string, site *Site) *Term {
	return ts.intern(Term{Kind: TUnknown, Name: why, Site: site})
}

// typedUnknown is a value of which only the declared type is known.
func (ts *terms) typedUnknown(name, sym string, typ *model.TypeRef, site *Site) *Term {
	t := ts.intern(Term{Kind: TUnknown, Name: name, Sym: sym, Site: site})
	if t.Type == nil {
		t.Type = typ
	}
	return t
}

func (ts *terms) symbol(sym string) *Term { return ts.intern(Term{Kind: TSymbol, Sym: sym}) }

func (ts *terms) union(alts ...*Term) *Term {
	flat := ts.flat[:0]
	for _, a := range alts {
		switch {
		case a == nil:
		case a.Kind == TUnion:
			flat = append(flat, a.Args...)
		default:
			flat = append(flat, a)
		}
	}
	ts.flat = flat
	switch {
	case len(flat) == 0:
		return ts.undefined
	case len(flat) == 1:
		return flat[0]
	}
	sortTerms(flat)
	flat = slices.Compact(flat)
	if len(flat) == 1 {
		return flat[0]
	}
	if len(flat) <= maxUnion {
		// one of the alternatives may hold the others
		for _, a := range alts {
			if a != nil && a.Kind == TUnion && slices.Equal(a.Args, flat) {
				return a
			}
		}
	}
	if len(flat) > maxUnion {
		// keep what matters most for provenance: inputs and calls first
		kept := make([]*Term, 0, maxUnion)
		for _, t := range flat {
			if t.flags&(hasInput|hasCall) != 0 || t.Kind == TClosure || t.Kind == TRef {
				kept = append(kept, t)
			}
		}
		for _, t := range flat {
			if len(kept) >= maxUnion-1 {
				break
			}
			if t.flags&(hasInput|hasCall) == 0 && t.Kind != TClosure && t.Kind != TRef {
				kept = append(kept, t)
			}
		}
		if len(kept) >= maxUnion {
			kept = kept[:maxUnion-1]
		}
		kept = append(kept, ts.unknown("many values", nil))
		flat = kept
		sortTerms(flat)
	}
	return ts.intern(Term{Kind: TUnion, Args: slices.Clone(flat)})
}

// member is the member name of an opaque value; members of symbols are symbols.
func (ts *terms) member(of *Term, name string) *Term {
	sym := ""
	if of.Sym != "" {
		sym = joinSymbol(of.Sym, name)
	}
	if of.Kind == TSymbol {
		return ts.symbol(sym)
	}
	return ts.intern(Term{Kind: TMember, Name: name, Args: []*Term{of}, Sym: sym})
}

// joinSymbol is the access path of a member of what sym names. Of a path that gets longer than maxSymbol, as a chain of thousands of calls makes it,
// the part before its last name is kept: no pattern reaches that deep.
func joinSymbol(sym, name string) string {
	if len(sym) > maxSymbol {
		if i := strings.LastIndexByte(sym, '.'); i > 0 {
			sym = sym[:i]
		}
	}
	if strings.HasSuffix(sym, "#") {
		return sym + name
	}
	return sym + "." + name
}

func (ts *terms) concat(parts []*Term) *Term {
	var flat []*Term
	var run []byte // neighbouring constants, joined once the last of them is known
	running := false
	flush := func() {
		if running {
			flat = appendPiece(ts, flat, ts.text(string(run)))
			run, running = run[:0], false
		}
	}
	add := func(p *Term) {
		if p.Kind == TConst {
			run, running = append(run, p.Const.Text...), true
			return
		}
		flush()
		flat = appendPiece(ts, flat, p)
	}
	for _, p := range parts {
		if p.Kind == TConcat {
			for _, q := range p.Args {
				add(q)
			}
			continue
		}
		add(p)
	}
	flush()
	switch len(flat) {
	case 0:
		return ts.emptyString
	case 1:
		if _, ok := flat[0].Text(); ok {
			return flat[0]
		}
	}
	return ts.intern(Term{Kind: TConcat, Args: flat})
}

// appendPiece adds a piece to a text and joins neighbouring constants.
func appendPiece(ts *terms, flat []*Term, p *Term) []*Term {
	if p.Kind == TConst {
		text := p.Const.Text
		if p.Const.Kind == model.String && text == "" && len(flat) > 0 {
			return flat
		}
		if n := len(flat); n > 0 && flat[n-1].Kind == TConst {
			flat[n-1] = ts.text(flat[n-1].Const.Text + text)
			return flat
		}
		return append(flat, ts.text(text))
	}
	if n := len(flat); n == 1 && flat[0] == ts.emptyString {
		return append(flat[:0], p)
	}
	return append(flat, p)
}
