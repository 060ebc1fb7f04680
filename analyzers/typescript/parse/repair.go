package parse

import (
	"bytes"
	"slices"
	"sort"

	"github.com/retrysafe/retrysafe/analyzers/lazyregexp"
)

// Repair is one spelling that the grammars cannot read and that was replaced by another of the same length for parsing.
type Repair struct {
	Start, End int    // byte offsets of what was replaced
	What       string // the spelling, such as "export type *"

	replacement string // what stands there instead, at most as long; the rest is blank
	token       Kind   // kept token that the replacement hides, or KindNone
}

// spelling is one known gap of the grammars. The first group of the pattern is what is replaced.
type spelling struct {
	what        string
	pattern     *lazyregexp.Regexp
	replacement string
	dialects    []Dialect // nil for all
}

var (
	typed     = []Dialect{TypeScript, TSX}
	withJSX   = []Dialect{JavaScript, TSX}
	untyped   = []Dialect{JavaScript}
	usingWord = []byte("using")
)

// exportType hides a token that is put back.
const exportType = "export type *"

// spellings are tried on files with errors only. A replacement must have the structure of what it replaces, as far as a
// reader of values is concerned: types may lose detail.
var spellings = []spelling{
	{what: exportType, pattern: lazyregexp.New(`\bexport\s+(type)\s*\*`), dialects: typed},
	{what: "typeof import()", pattern: lazyregexp.New(`\b(typeof\s+import\s*\(\s*(?:"[^"\n]*"|'[^'\n]*')\s*\)(?:\s*\.\s*[\w$]+)*)`), replacement: "T", dialects: typed},
	{what: "import() type", pattern: lazyregexp.New(`\b(import\s*\(\s*(?:"[^"\n]*"|'[^'\n]*')\s*\)(?:\s*\.\s*[\w$]+)*\s*\.\s*[A-Z][\w$]*)(?:[^\w$(]|$)`), replacement: "T", dialects: typed},
	{what: "import attributes", pattern: lazyregexp.New(`\bexport\b[^;"'\n]*\bfrom\s*(?:"[^"\n]*"|'[^'\n]*')\s*((?:with|assert)\s*\{[^{}]*\})`)},
	{what: "import assertion", pattern: lazyregexp.New(`\b(?:from|import)\s*(?:"[^"\n]*"|'[^'\n]*')\s*(assert)\s*\{`), replacement: "with"},
	{what: "import phase", pattern: lazyregexp.New(`\bimport\s+(defer)\s+\*`)},
	{what: "import phase", pattern: lazyregexp.New(`\bimport\s+(source)\s+(?:[A-Za-eg-z_$][\w$]*|f[\w$]*)\s+from\b`)},
	{what: "variance", pattern: lazyregexp.New(`[<,]\s*((?:in\s+out|in|out)\s)\s*[A-Za-z_$]`), dialects: typed},
	{what: "static index signature", pattern: lazyregexp.New(`\b(static)\s+(?:readonly\s+)?\[\s*[\w$]+\s*:`), dialects: typed},
	{what: "type arguments before ?.", pattern: lazyregexp.New(`[\w$)\]](<[\w$\s.,|&"'\[\]]*>)\?\.\(`), dialects: typed},
	{what: "parenthesized decorator", pattern: lazyregexp.New(`@(\()[\w$.]+(?:\([^()]*\))?\)`)},
	{what: "parenthesized decorator", pattern: lazyregexp.New(`@\([\w$.]+(?:\([^()]*\))?(\))`)},
	{what: "accessor field", pattern: lazyregexp.New(`\b(accessor)[ \t]+[#\w$\[]`), dialects: untyped},
	{what: "keyword as a name", pattern: lazyregexp.New(`\b(abstract|accessor|infer|keyof|never|unique|unknown|using)\s*[.,;:=)?!(\[}]`), replacement: "x", dialects: typed},
	{what: "& in JSX text", pattern: lazyregexp.New(`[^&](&)(?:[^&=#\w]|\w+[^\w;])`), replacement: "|", dialects: withJSX},
}

const usingDeclaration = "using declaration"

// usingPattern finds `using x`, with an `await` before it. The words that can follow an ordinary name are sorted out after.
var usingPattern = lazyregexp.New(`\b((?:await[ \t]+)?using)[ \t]+([\p{L}_$][\w$]*)`)

// findRepairs lists the replacements that could help, in order of position and without overlap. A tree without errors is
// looked through for `using` only, which the TypeScript grammars take for an assignment.
func findRepairs(tree *Tree, text []byte) []Repair {
	broken := len(tree.errors) > 0
	if !broken && !slices.ContainsFunc(tree.nodes, func(r record) bool { return r.kind == TokenUsing }) {
		return nil
	}
	found := findUsing(tree, text)
	if broken {
		for _, s := range spellings {
			if s.dialects != nil && !slices.Contains(s.dialects, tree.dialect) {
				continue
			}
			found = append(found, s.find(tree, text)...)
		}
	}
	sort.SliceStable(found, func(i, j int) bool { return found[i].Start < found[j].Start })
	kept := found[:0]
	for _, r := range found {
		if len(kept) == 0 || kept[len(kept)-1].End <= r.Start {
			kept = append(kept, r)
		}
	}
	return kept
}

func findUsing(tree *Tree, text []byte) []Repair {
	var found []Repair
	for _, m := range usingPattern.FindAllSubmatchIndex(text, -1) {
		switch string(text[m[4]:m[5]]) {
		case "in", "of", "instanceof", "as", "is", "satisfies", "from":
			continue
		}
		if tree.isProse(m[2]) {
			continue
		}
		token := TokenUsing
		if text[m[2]] == 'a' {
			token = TokenAwaitUsing
		}
		found = append(found, Repair{Start: m[2], End: m[3], What: usingDeclaration, replacement: "const", token: token})
	}
	return found
}

func (s spelling) find(tree *Tree, text []byte) []Repair {
	var found []Repair
	for at := 0; at < len(text); {
		m := s.pattern.FindSubmatchIndex(text[at:])
		if m == nil {
			break
		}
		r := Repair{Start: at + m[2], End: at + m[3], What: s.what, replacement: s.replacement}
		if s.what == exportType {
			r.token = TokenType
		}
		if !tree.isProse(r.Start) {
			found = append(found, r)
		}
		at = r.End // not the end of the match: its tail may begin the next one
	}
	return found
}

// isProse tells whether the offset lies in a comment or in the text of a literal, where no spelling matters.
func (t *Tree) isProse(offset int) bool {
	n := t.lastStartingBy(offset)
	if n == NoNode || t.End(n) <= offset {
		return false
	}
	switch t.Kind(n) {
	case KindComment, KindHTMLComment, KindHashBangLine, KindStringFragment, KindRegexPattern, KindJSXText, KindEscapeSequence:
		return true
	default:
		return false
	}
}

// lastStartingBy is the last node in pre-order that starts at the offset or before it. Starts never fall in pre-order.
func (t *Tree) lastStartingBy(offset int) Node {
	return Node(sort.Search(len(t.nodes), func(i int) bool { return int(t.nodes[i].start) > offset })) - 1
}

// applyRepairs gives a changed copy of the text.
func applyRepairs(text []byte, repairs []Repair) []byte {
	text = bytes.Clone(text)
	for _, r := range repairs {
		n := copy(text[r.Start:r.End], r.replacement)
		for i := r.Start + n; i < r.End; i++ {
			if text[i] != '\n' { // a line break can end a statement
				text[i] = ' '
			}
		}
	}
	return text
}

// restoreTokens makes the tree of the repaired text show what stands in the source.
func restoreTokens(tree *Tree) {
	for _, r := range tree.repairs {
		switch {
		case r.What == exportType:
			tree.insert(record{start: uint32(r.Start), end: uint32(r.End), kind: r.token})
		case r.replacement != "":
			tree.stretch(r)
		}
	}
	tree.errors = findErrors(tree.nodes)
}

// stretch lets the leaf that stands for the replacement, if there is one, cover all that was replaced.
func (t *Tree) stretch(r Repair) {
	n := t.lastStartingBy(r.Start)
	if n == NoNode || t.FirstChild(n) != NoNode || t.Start(n) != r.Start || t.End(n) != r.Start+len(r.replacement) {
		return
	}
	if r.token != KindNone {
		t.nodes[n].kind = r.token
	}
	for ; n != NoNode && t.End(n) < r.End; n = t.Parent(n) { // what follows was blank, so nothing else is covered
		t.nodes[n].end = uint32(r.End)
	}
}

// insert puts a leaf below the innermost node that covers its range. Nothing may overlap the range in part.
func (t *Tree) insert(leaf record) {
	up := t.lastStartingBy(int(leaf.start))
	for up != NoNode && t.nodes[up].end < leaf.end {
		up = t.Parent(up)
	}
	if up == NoNode {
		return
	}
	at := int32(t.lastStartingBy(int(leaf.start))) + 1
	for i := range t.nodes {
		n := &t.nodes[i]
		if n.parent >= at {
			n.parent++
		}
		if n.next > at || int32(i) >= at {
			n.next++
		}
	}
	for n := up; n != NoNode; n = Node(t.nodes[n].parent) {
		if t.nodes[n].next == at { // the leaf is its last descendant
			t.nodes[n].next++
		}
	}
	leaf.parent, leaf.next = int32(up), at+1
	t.nodes = slices.Insert(t.nodes, int(at), leaf)
}
