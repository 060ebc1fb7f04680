package typescript

import (
	"github.com/retrysafe/retrysafe/analyzers/typescript/parse"
)

// bindKind says what declared a name.
type bindKind uint8

const (
	varBinding bindKind = iota + 1
	letBinding          // let, const, using
	functionBinding
	classBinding
	paramBinding
	catchBinding
	importBinding
	enumBinding
	namespaceBinding
	selfBinding      // the own name of a function or class expression
	thisBinding      // the receiver of a function that is not an arrow function
	argumentsBinding // its `arguments`
)

// storage says where the value of a binding lives.
type storage uint8

const (
	inValue  storage = iota // one SSA value, captured by value
	inCell                  // an Alloc cell, captured as the cell
	inGlobal                // a variable of the unit
	inFunc                  // a function without captures, never reassigned: a FuncRef
	inImport                // spelled out at each use
)

// binding is a declared name.
type binding struct {
	name    string
	kind    bindKind
	scope   *scope
	decl    parse.Node // the identifier
	store   storage
	global  int // index into Unit.Globals
	fn      *funcInfo
	imp     *imported
	exports []string // the names it is exported under from a namespace

	region   parse.Node // the node inside which the declaration dominates what follows it
	defined  parse.Node // the last node of what defines it
	value    parse.Node // the initialiser: uses inside it come before the definition although they stand behind it
	noInit   bool       // declared without a value
	declared int        // how often it was declared with a value
	written  int        // assignments besides its declarations
	early    bool       // some use may come before the definition or without it
}

// scope is a region in which names are visible.
type scope struct {
	parent   *scope
	depth    int
	fn       *funcInfo
	node     parse.Node
	last     parse.Node
	hoists   bool // `var` declarations stop here
	names    map[string]*binding
	bindings []*binding
	funcs    []*funcInfo // function declarations, evaluated when the scope is entered
}

func (s *scope) lookup(name string) *binding {
	for ; s != nil; s = s.parent {
		if b := s.names[name]; b != nil {
			return b
		}
	}
	return nil
}

// funcInfo is what scope analysis knows about one function body.
type funcInfo struct {
	node     parse.Node
	outer    *funcInfo
	class    *classInfo // the class it is a member of
	arrow    bool
	decl     *binding // of a function declaration
	hoistTo  *scope   // the scope a function declaration is evaluated in
	order    int      // among the function declarations of hoistTo
	captures captureList
	this     *binding // made when first used
	args     *binding
	tooMany  bool // more is captured than the list holds
}

// receiver is the binding of `this`.
func (f *funcInfo) receiver() *binding {
	if f.this == nil {
		f.this = &binding{name: "this", kind: thisBinding, scope: &scope{fn: f}}
	}
	return f.this
}

// classInfo is what scope analysis knows about a class. All its members share one list of captures.
type classInfo struct {
	node     parse.Node
	outer    *funcInfo
	self     *binding
	captures captureList
	fields   *funcInfo
	statics  *funcInfo
}

// captureList is a list of bindings in the order of their first use.
type captureList struct {
	list []*binding
	has  map[*binding]bool
}

// add reports false if the list is full.
func (c *captureList) add(b *binding) bool {
	if c.has[b] {
		return true
	}
	if len(c.list) >= maxCaptures {
		return false
	}
	if c.has == nil {
		c.has = make(map[*binding]bool)
	}
	c.has[b] = true
	c.list = append(c.list, b)
	return true
}

// use is an occurrence of a name that is not its declaration.
type use struct {
	node  parse.Node
	scope *scope
	write bool
}

// scopes is the result of scope analysis: for every identifier its binding, for every
// function and class what it captures.
type scopes struct {
	t      *parse.Tree
	module *scope
	init   *funcInfo
	at     map[parse.Node]*scope // by the node that opens it
	funcs  map[parse.Node]*funcInfo
	class  map[parse.Node]*classInfo
	bound  []*binding // by node
	uses   []use
	marks  []mark
	order  []*funcInfo // every function in source order
	locals []*binding

	imports map[parse.Node][]*imported // the names of an import statement

	esModule bool // import or export syntax was seen
}

type mark uint8

const (
	skipped mark = 1 << iota // the subtree is types or names, nothing is evaluated in it
	named                    // an identifier that declares
	written                  // an identifier that is assigned to
)

// analyse resolves every name of a file.
func analyse(t *parse.Tree, m *memory) *scopes {
	m.bound, m.marks = sized(m.bound, t.Len()), sized(m.marks, t.Len())
	a := &scopes{
		t:     t,
		at:    make(map[parse.Node]*scope),
		funcs: make(map[parse.Node]*funcInfo),
		class: make(map[parse.Node]*classInfo),
		bound: m.bound,
		marks: m.marks,

		imports: make(map[parse.Node][]*imported),
	}
	a.init = &funcInfo{node: t.Root()}
	a.module = &scope{fn: a.init, node: t.Root(), last: t.Last(t.Root()), hoists: true, names: map[string]*binding{}}
	a.at[t.Root()] = a.module
	a.scan()
	for i := range a.uses {
		a.resolve(&a.uses[i])
	}
	a.place()
	return a
}

// scanner is the state of the one walk over the nodes in source order.
type scanner struct {
	*scopes
	cur     *scope
	pending map[parse.Node]*scope // scopes that a later node opens
}

func (a *scopes) scan() {
	s := &scanner{scopes: a, cur: a.module, pending: make(map[parse.Node]*scope)}
	t := a.t
	for n := parse.Node(1); int(n) < t.Len(); n++ {
		for s.cur.parent != nil && n > s.cur.last {
			s.cur = s.cur.parent
		}
		if a.marks[n]&skipped != 0 {
			n = t.Last(n)
			continue
		}
		if p := s.pending[n]; p != nil {
			delete(s.pending, n)
			// The scope's parent was the current one when it was announced; what stands in
			// between (a decorator, a computed key) has been left by now.
			s.cur = p
		}
		if s.cur.depth > maxScopes || !s.visit(n) {
			n = t.Last(n)
		}
	}
}

// open makes a scope over the node and enters it.
func (s *scanner) open(n parse.Node, fn *funcInfo) *scope {
	sc := &scope{parent: s.cur, depth: s.cur.depth + 1, fn: fn, node: n, last: s.t.Last(n)}
	s.at[n] = sc
	s.cur = sc
	return sc
}

// announce makes a scope that begins at the node first and lasts as long as owner.
func (s *scanner) announce(first, owner parse.Node, fn *funcInfo) *scope {
	sc := &scope{parent: s.cur, depth: s.cur.depth + 1, fn: fn, node: owner, last: s.t.Last(owner), hoists: true}
	s.at[owner] = sc
	if first != parse.NoNode {
		s.pending[first] = sc
	}
	return sc
}

// visit handles one node; false leaves its subtree out.
func (s *scanner) visit(n parse.Node) bool {
	t := s.t
	switch k := t.Kind(n); k {
	case parse.KindIdentifier, parse.KindShorthandPropertyIdentifier, parse.KindShorthandPropertyIdentifierPattern:
		if s.marks[n]&named == 0 {
			s.uses = append(s.uses, use{node: n, scope: s.cur, write: s.marks[n]&written != 0})
		}
	case parse.KindThis, parse.KindSuper:
		s.uses = append(s.uses, use{node: n, scope: s.cur})

	case parse.KindTypeAnnotation, parse.KindTypeArguments, parse.KindTypeParameters, parse.KindInterfaceDeclaration,
		parse.KindTypeAliasDeclaration, parse.KindAmbientDeclaration, parse.KindFunctionSignature, parse.KindImplementsClause,
		parse.KindAbstractMethodSignature, parse.KindMethodSignature, parse.KindIndexSignature, parse.KindAssertsAnnotation,
		parse.KindTypePredicateAnnotation, parse.KindOmittingTypeAnnotation, parse.KindOptingTypeAnnotation,
		parse.KindAddingTypeAnnotation, parse.KindExtendsTypeClause, parse.KindMetaProperty, parse.KindImportAttribute,
		parse.KindNamespaceExport, parse.KindJSXClosingElement:
		return false
	case parse.KindAsExpression, parse.KindSatisfiesExpression:
		s.skip(t.Nth(n, 1))

	case parse.KindImportStatement:
		s.declareImports(n)
		return false
	case parse.KindImportAlias:
		s.declareAlias(n)
	case parse.KindExportStatement:
		return s.visitExport(n)

	case parse.KindVariableDeclaration, parse.KindLexicalDeclaration:
		s.declareVariables(n)
	case parse.KindAssignmentExpression, parse.KindAugmentedAssignmentExpression:
		s.markWritten(t.Child(n, parse.FieldLeft), 0)
	case parse.KindUpdateExpression:
		s.markWritten(t.Child(n, parse.FieldArgument), 0)

	case parse.KindFunctionDeclaration, parse.KindGeneratorFunctionDeclaration, parse.KindFunctionExpression,
		parse.KindGeneratorFunction, parse.KindArrowFunction, parse.KindMethodDefinition:
		s.visitFunction(n)
	case parse.KindClassDeclaration, parse.KindAbstractClassDeclaration, parse.KindClass:
		s.visitClass(n)
	case parse.KindFieldDefinition:
		s.visitField(n)
	case parse.KindClassStaticBlock:
		if c := s.classOf(n); c != nil {
			s.open(n, c.statics).hoists = true
		}

	case parse.KindStatementBlock:
		// A function's body shares the scope of its parameters.
		if s.cur.hoists && s.cur.node == t.Parent(n) && s.cur.fn.node == t.Parent(n) {
			return true
		}
		sc := s.open(n, s.cur.fn)
		switch t.Kind(t.Parent(n)) {
		case parse.KindInternalModule, parse.KindModule:
			sc.hoists = true
		}
	case parse.KindSwitchBody, parse.KindForStatement:
		s.open(n, s.cur.fn)
	case parse.KindForInStatement:
		s.open(n, s.cur.fn)
		s.visitForIn(n)
	case parse.KindCatchClause:
		s.open(n, s.cur.fn)
		if p := t.Child(n, parse.FieldParameter); p != parse.NoNode {
			s.declarePattern(p, declaration{kind: catchBinding, region: n, defined: t.Last(p), into: s.cur}, 0)
		}

	case parse.KindEnumDeclaration:
		s.visitEnum(n)
	case parse.KindInternalModule, parse.KindModule:
		s.visitNamespace(n)
	case parse.KindJSXOpeningElement, parse.KindJSXSelfClosingElement:
		if name := t.Child(n, parse.FieldName); t.Kind(name) == parse.KindIdentifier && isIntrinsic(t.Text(name)) || t.Kind(name) == parse.KindJSXNamespaceName {
			s.skip(name)
		}
	case parse.KindJSXAttribute:
		if name := t.FirstChild(n); t.Kind(name) == parse.KindJSXNamespaceName {
			s.skip(name)
		}
	case parse.KindLabeledStatement, parse.KindBreakStatement, parse.KindContinueStatement:
		s.skip(t.Child(n, parse.FieldLabel))
	}
	if f := t.Field(n); f == parse.FieldReturnType {
		return false
	}
	return true
}

func (s *scanner) skip(n parse.Node) {
	if n != parse.NoNode {
		s.marks[n] |= skipped
	}
}

// isIntrinsic tells a JSX element of the platform from a component.
func isIntrinsic(name string) bool {
	return name != "" && (name[0] >= 'a' && name[0] <= 'z')
}

// declaration describes the names that a pattern declares.
type declaration struct {
	kind    bindKind
	region  parse.Node
	defined parse.Node
	value   parse.Node // the zero value stands for none
	noInit  bool
	into    *scope
	exports bool
}

// maxPattern bounds the nesting of patterns, in levels.
const maxPattern = 200

// declarePattern declares every name of a binding pattern.
func (s *scanner) declarePattern(p parse.Node, d declaration, depth int) {
	t := s.t
	if p == parse.NoNode || depth > maxPattern {
		return
	}
	switch t.Kind(p) {
	case parse.KindIdentifier, parse.KindShorthandPropertyIdentifierPattern:
		s.declare(p, d)
	case parse.KindAssignmentPattern, parse.KindObjectAssignmentPattern:
		if depth > 0 {
			d.defined = t.Last(p)
		}
		s.declarePattern(t.Child(p, parse.FieldLeft), d, depth+1)
	case parse.KindPairPattern:
		v := t.Child(p, parse.FieldValue)
		d.defined = t.Last(v)
		s.declarePattern(v, d, depth+1)
	case parse.KindObjectPattern, parse.KindArrayPattern, parse.KindRestPattern:
		for c := range t.Children(p) {
			d.defined = t.Last(c)
			s.declarePattern(c, d, depth+1)
		}
	}
}

// declare adds one name to a scope. A second declaration of a name merges with the first.
func (s *scanner) declare(id parse.Node, d declaration) *binding {
	s.marks[id] |= named
	if d.value == 0 { // the root initialises nothing
		d.value = parse.NoNode
	}
	name := s.t.Text(id)
	b := d.into.names[name]
	if b == nil || b.kind == selfBinding {
		b = &binding{name: name, kind: d.kind, scope: d.into, decl: id, region: d.region, defined: d.defined, value: d.value, noInit: d.noInit}
		if d.into.names == nil {
			d.into.names = make(map[string]*binding)
		}
		d.into.names[name] = b
		d.into.bindings = append(d.into.bindings, b)
		s.locals = append(s.locals, b)
	} else {
		if d.kind == functionBinding || d.kind == classBinding || d.kind == enumBinding || d.kind == namespaceBinding {
			b.kind = d.kind
		}
		b.noInit = b.noInit && d.noInit
		// Two declarations of one name have no single point of definition.
		if !d.noInit {
			b.written++
		}
	}
	if !d.noInit {
		b.declared++
	}
	s.bound[id] = b
	return b
}

// hoistScope is where `var` declarations of the current place go.
func (s *scanner) hoistScope() *scope {
	sc := s.cur
	for sc.parent != nil && !sc.hoists {
		sc = sc.parent
	}
	return sc
}

// declareVariables handles var, let, const and using.
func (s *scanner) declareVariables(n parse.Node) {
	t := s.t
	d := declaration{kind: letBinding, into: s.cur, region: s.statementRegion(n)}
	if t.Kind(n) == parse.KindVariableDeclaration {
		d.kind, d.into = varBinding, s.hoistScope()
	}
	for c := range t.Children(n) {
		if t.Kind(c) != parse.KindVariableDeclarator {
			continue
		}
		d.defined, d.value = t.Last(c), t.Child(c, parse.FieldValue)
		d.noInit = d.value == parse.NoNode
		s.declarePattern(t.Child(c, parse.FieldName), d, 0)
	}
}

// statementRegion is the list of statements that follow the declaration n, or n itself where
// it stands in none and what follows may be reached without it.
func (s *scanner) statementRegion(n parse.Node) parse.Node {
	p := s.t.Parent(n)
	for k := s.t.Kind(p); k == parse.KindExpressionStatement || k == parse.KindExportStatement; k = s.t.Kind(p) {
		p = s.t.Parent(p)
	}
	switch s.t.Kind(p) {
	case parse.KindProgram, parse.KindStatementBlock, parse.KindSwitchCase, parse.KindSwitchDefault, parse.KindForStatement:
		return p
	}
	return n
}

// markWritten marks the names that an assignment writes.
func (s *scanner) markWritten(p parse.Node, depth int) {
	t := s.t
	if p == parse.NoNode || depth > maxPattern {
		return
	}
	switch t.Kind(p) {
	case parse.KindIdentifier, parse.KindShorthandPropertyIdentifierPattern, parse.KindShorthandPropertyIdentifier:
		s.marks[p] |= written
	case parse.KindParenthesizedExpression, parse.KindNonNullExpression, parse.KindAsExpression, parse.KindSatisfiesExpression:
		s.markWritten(t.Nth(p, 0), depth+1)
	case parse.KindTypeAssertion:
		s.markWritten(t.Nth(p, 1), depth+1)
	case parse.KindAssignmentPattern, parse.KindObjectAssignmentPattern, parse.KindAssignmentExpression:
		s.markWritten(t.Child(p, parse.FieldLeft), depth+1)
	case parse.KindPairPattern, parse.KindPair:
		s.markWritten(t.Child(p, parse.FieldValue), depth+1)
	case parse.KindObjectPattern, parse.KindArrayPattern, parse.KindRestPattern, parse.KindObject, parse.KindArray, parse.KindSpreadElement:
		for c := range t.Children(p) {
			s.markWritten(c, depth+1)
		}
	}
}

func (s *scanner) visitForIn(n parse.Node) {
	t := s.t
	left := t.Child(n, parse.FieldLeft)
	kind := t.Child(n, parse.FieldKind)
	if kind == parse.NoNode {
		s.markWritten(left, 0)
		return
	}
	d := declaration{kind: letBinding, into: s.cur, region: n, defined: t.Last(left), value: t.Child(n, parse.FieldRight)}
	if t.Kind(kind) == parse.TokenVar {
		d.kind, d.into = varBinding, s.hoistScope()
	}
	s.declarePattern(left, d, 0)
}

// visitFunction declares a function and its parameters and announces its scope.
func (s *scanner) visitFunction(n parse.Node) {
	t := s.t
	fn := &funcInfo{node: n, outer: s.cur.fn, arrow: t.Kind(n) == parse.KindArrowFunction}
	s.funcs[n] = fn
	s.order = append(s.order, fn)
	name := t.Child(n, parse.FieldName)
	switch t.Kind(n) {
	case parse.KindFunctionDeclaration, parse.KindGeneratorFunctionDeclaration:
		fn.hoistTo, fn.order = s.cur, len(s.cur.funcs)
		s.cur.funcs = append(s.cur.funcs, fn)
		if name != parse.NoNode {
			fn.decl = s.declare(name, declaration{kind: functionBinding, into: s.cur, region: s.statementRegion(n), defined: n})
			fn.decl.fn = fn
		}
	case parse.KindFunctionExpression, parse.KindGeneratorFunction:
		if name != parse.NoNode {
			sc := s.open(n, s.cur.fn)
			delete(s.at, n)
			b := s.declare(name, declaration{kind: selfBinding, into: sc, region: n, defined: t.Last(n)})
			b.fn, fn.decl = fn, b
		}
	case parse.KindMethodDefinition:
		if c := s.classOf(n); c != nil {
			fn.class, fn.outer = c, c.outer
		}
	}
	params := t.Child(n, parse.FieldParameters)
	if params == parse.NoNode {
		params = t.Child(n, parse.FieldParameter)
	}
	first := params
	if first == parse.NoNode {
		first = t.Child(n, parse.FieldBody)
	}
	sc := s.announce(first, n, fn)
	if t.Kind(params) != parse.KindFormalParameters {
		s.declareParam(params, sc, n)
		return
	}
	for p := range t.Children(params) {
		s.declareParam(p, sc, n)
	}
}

func (s *scanner) declareParam(p parse.Node, sc *scope, fn parse.Node) {
	t := s.t
	if p == parse.NoNode {
		return
	}
	d := declaration{kind: paramBinding, into: sc, region: fn, defined: t.Last(p)}
	switch t.Kind(p) {
	case parse.KindRequiredParameter, parse.KindOptionalParameter:
		pat := t.Child(p, parse.FieldPattern)
		if t.Kind(pat) == parse.KindThis {
			s.skip(p)
			return
		}
		s.declarePattern(pat, d, 0)
	case parse.KindAssignmentPattern:
		s.declarePattern(t.Child(p, parse.FieldLeft), d, 0)
	default:
		s.declarePattern(p, d, 0)
	}
}

// visitClass declares a class and opens the scope of its own name.
func (s *scanner) visitClass(n parse.Node) {
	t := s.t
	c := &classInfo{node: n, outer: s.cur.fn}
	s.class[n] = c
	name := t.Child(n, parse.FieldName)
	if t.Kind(n) == parse.KindClass {
		sc := s.open(n, s.cur.fn)
		if name != parse.NoNode {
			c.self = s.declare(name, declaration{kind: selfBinding, into: sc, region: n, defined: t.Last(n)})
		}
	} else if name != parse.NoNode {
		c.self = s.declare(name, declaration{kind: classBinding, into: s.cur, region: s.statementRegion(n), defined: t.Last(n)})
	}
	c.fields = &funcInfo{node: n, outer: c.outer, class: c}
	c.statics = &funcInfo{node: n, outer: c.outer, class: c}
}

// classOf finds the class that a member belongs to, or nil for a method of an object literal.
func (s *scanner) classOf(member parse.Node) *classInfo {
	body := s.t.Parent(member)
	if s.t.Kind(body) != parse.KindClassBody {
		return nil
	}
	return s.class[s.t.Parent(body)]
}

func (s *scanner) visitField(n parse.Node) {
	t := s.t
	c := s.classOf(n)
	v := t.Child(n, parse.FieldValue)
	if c == nil || v == parse.NoNode {
		return
	}
	fn := c.fields
	if t.Has(n, parse.TokenStatic) {
		fn = c.statics
	}
	s.announce(v, v, fn)
	if name := t.Child(n, parse.FieldName); t.Kind(name) == parse.KindComputedPropertyName {
		s.announce(name, name, fn) // the initialiser stores under the key
	}
}

func (s *scanner) visitEnum(n parse.Node) {
	t := s.t
	if name := t.Child(n, parse.FieldName); name != parse.NoNode {
		s.declare(name, declaration{kind: enumBinding, into: s.cur, region: s.statementRegion(n), defined: t.Last(n)})
	}
}

func (s *scanner) visitNamespace(n parse.Node) {
	t := s.t
	name := t.Child(n, parse.FieldName)
	s.skip(name)
	id := name
	for t.Kind(id) == parse.KindMemberExpression {
		id = t.Child(id, parse.FieldObject)
	}
	if t.Kind(id) != parse.KindIdentifier {
		return
	}
	s.declare(id, declaration{kind: namespaceBinding, into: s.cur, region: s.statementRegion(n), defined: t.Last(n)})
}

// visitExport keeps the names in an export clause out of the uses unless they are local names.
func (s *scanner) visitExport(n parse.Node) bool {
	t := s.t
	s.esModule = true
	clause := t.ChildOf(n, parse.KindExportClause)
	if clause == parse.NoNode {
		return t.Child(n, parse.FieldSource) == parse.NoNode
	}
	return false // read by the lowering of exports
}

// resolve finds the binding of a use and makes every function in between capture it.
func (a *scopes) resolve(u *use) {
	t := a.t
	var b *binding
	switch t.Kind(u.node) {
	case parse.KindThis, parse.KindSuper:
		f := u.scope.fn
		for f.arrow {
			f = f.outer
		}
		b = f.receiver()
	default:
		name := t.Text(u.node)
		b = u.scope.lookup(name)
		if b == nil && name == "arguments" {
			f := u.scope.fn
			for f.arrow {
				f = f.outer
			}
			if f != a.init {
				if f.args == nil {
					f.args = &binding{name: name, kind: argumentsBinding, scope: &scope{fn: f}}
				}
				b = f.args
			}
		}
	}
	if b == nil {
		return
	}
	a.bound[u.node] = b
	if b.imp != nil {
		b.imp.used = true
	}
	if u.write {
		b.written++
	}
	if b.kind == importBinding || b.scope == a.module {
		return
	}
	at := u.node
	var through *funcInfo // the function of the binding's own level that the use is in
	for f := u.scope.fn; f != nil && f != b.scope.fn; f = f.outer {
		if !f.captures.add(b) {
			f.tooMany = true
		}
		if f.class != nil {
			if !f.class.captures.add(b) {
				f.tooMany = true
			}
			at, through = f.class.node, nil
		} else {
			at, through = f.node, nil
			if f.hoistTo != nil {
				at, through = f.hoistTo.node, f
			}
		}
	}
	if b.early || b.kind == thisBinding || b.kind == argumentsBinding {
		return
	}
	b.early = a.isEarly(b, at, through)
}

// isEarly reports whether a use that takes effect at the node may be executed when the binding has no value yet.
func (a *scopes) isEarly(b *binding, at parse.Node, through *funcInfo) bool {
	t := a.t
	if at < b.region || at > t.Last(b.region) {
		return true
	}
	if b.kind == functionBinding {
		// Both are evaluated on entry of their scopes, in order.
		return through != nil && b.fn != nil && through.hoistTo == b.scope && through.order <= b.fn.order
	}
	if b.kind == paramBinding && through != nil && through.hoistTo == b.scope {
		return false // function declarations are evaluated after the parameters
	}
	if at <= b.defined {
		return true
	}
	return b.value != parse.NoNode && at >= b.value && at <= t.Last(b.value)
}

// place decides where each binding lives.
func (a *scopes) place() {
	for _, b := range a.locals {
		switch {
		case b.kind == importBinding:
			b.store = inImport
		case b.scope == a.module:
			b.store = inGlobal
		case b.written > 0, b.early:
			b.store = inCell
		}
	}
	a.freeFunctions()
}

// freeFunctions finds the function declarations that capture nothing, or nothing but each other.
func (a *scopes) freeFunctions() {
	var candidates []*funcInfo
	for _, f := range a.order {
		if f.decl != nil && f.decl.fn == f && f.decl.written == 0 && f.decl.declared == 1 &&
			(f.decl.kind == functionBinding || f.decl.kind == selfBinding) {
			candidates = append(candidates, f)
			f.decl.store = inFunc
		}
	}
	for changed := true; changed; {
		changed = false
		for _, f := range candidates {
			if f.decl.store != inFunc {
				continue
			}
			for _, c := range f.captures.list {
				if c.store != inFunc {
					f.decl.store = inValue
					if f.decl.early || f.decl.kind == selfBinding {
						f.decl.store = inCell
					}
					changed = true
					break
				}
			}
		}
	}
	for _, f := range a.order {
		f.captures.dropFunctions()
	}
	for _, c := range a.class {
		c.captures.dropFunctions()
		c.fields.captures.dropFunctions()
		c.statics.captures.dropFunctions()
	}
}

func (c *captureList) dropFunctions() {
	kept := c.list[:0]
	for _, b := range c.list {
		if b.store != inFunc {
			kept = append(kept, b)
		}
	}
	c.list = kept
}
