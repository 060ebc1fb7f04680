package catalog

import (
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/goccy/go-yaml/ast"

	"github.com/retrysafe/retrysafe/analyzers/model"
)

// decoder fills values of the model from YAML nodes, noting everything that is wrong with its place.
type decoder struct {
	file     string
	anchors  map[string]ast.Node
	problems []*Error
	nodes    int
}

// wholeFile is what the decoder calls a file of rows.
const wholeFile = "the file of rows"

// maxProblems bounds what is reported of one file.
const maxProblems = 100

func (d *decoder) fail(node ast.Node, format string, args ...any) {
	if len(d.problems) < maxProblems {
		d.problems = append(d.problems, errorAt(d.place(node), format, args...))
	}
}

// unknown reports a word that is not one of words, with the nearest of them.
func (d *decoder) unknown(node ast.Node, what, word string, words []string) {
	if near := model.Nearest(word, words); near != "" {
		d.fail(node, "unknown %s %q; did you mean %q?", what, word, near)
		return
	}
	d.fail(node, "unknown %s %q; known are %s", what, word, strings.Join(words, ", "))
}

func (d *decoder) place(node ast.Node) string {
	line, column := start(node)
	return fmt.Sprintf("%s:%d:%d", d.file, line, column)
}

func (d *decoder) line(node ast.Node) string {
	line, _ := start(node)
	return fmt.Sprintf("%s:%d", d.file, line)
}

// start finds where a node begins. The token of a mapping is its first colon,
// so the first key says it better.
func start(node ast.Node) (line, column int) {
	switch n := node.(type) {
	case *ast.MappingNode:
		if !n.IsFlowStyle && len(n.Values) > 0 {
			return start(n.Values[0])
		}
	case *ast.MappingValueNode:
		if n.Key != nil {
			return start(n.Key)
		}
	case *ast.AnchorNode:
		if n.Value != nil {
			return start(n.Value)
		}
	}
	if node == nil || node.GetToken() == nil || node.GetToken().Position == nil {
		return 1, 1
	}
	at := node.GetToken().Position
	return at.Line, at.Column
}

// resolve follows anchors and aliases to the node that they stand for.
func (d *decoder) resolve(node ast.Node) ast.Node {
	for range maxDepth {
		switch n := node.(type) {
		case *ast.AnchorNode:
			node = n.Value
		case *ast.AliasNode:
			if n.Value == nil {
				return nil
			}
			name := n.Value.GetToken().Value
			target, ok := d.anchors[name]
			if !ok {
				d.fail(n, "unknown alias %q", name)
				return nil
			}
			node = target
		default:
			return node
		}
	}
	d.fail(node, "the aliases lead nowhere")
	return nil
}

// entry is one key of a mapping.
type entry struct {
	key   string
	node  ast.Node // the key
	value ast.Node
}

// entries lists the keys of a mapping; those merged with "<<" come first, and a key of
// the mapping itself replaces a merged one.
func (d *decoder) entries(node ast.Node, what string) []entry {
	var list []entry
	d.collect(node, what, 0, &list)
	return list
}

func (d *decoder) collect(node ast.Node, what string, depth int, list *[]entry) {
	var values []*ast.MappingValueNode
	switch n := d.resolve(node).(type) {
	case nil:
		return
	case *ast.MappingNode:
		values = n.Values
	case *ast.MappingValueNode:
		values = []*ast.MappingValueNode{n}
	default:
		hint := ""
		if what == wholeFile {
			hint = ", its rows under \"rows:\""
		}
		d.fail(node, "%s must be a mapping of fields to values%s", what, hint)
		return
	}
	if depth > maxDepth {
		d.fail(node, "%s is nested too deeply", what)
		return
	}
	own := map[string]bool{}
	for _, v := range values {
		if v.Key == nil {
			continue
		}
		if v.Key.IsMergeKey() {
			for _, merged := range d.merged(v.Value) {
				d.collect(merged, what, depth+1, list)
			}
			continue
		}
		key := v.Key.GetToken().Value
		if own[key] {
			d.fail(v.Key, "%s has %q twice", what, key)
			continue
		}
		own[key] = true
		e := entry{key: key, node: v.Key, value: v.Value}
		if i := slices.IndexFunc(*list, func(other entry) bool { return other.key == key }); i >= 0 {
			(*list)[i] = e
		} else {
			*list = append(*list, e)
		}
	}
}

// merged lists what "<<" merges: one mapping or a sequence of them.
func (d *decoder) merged(value ast.Node) []ast.Node {
	if seq, ok := d.resolve(value).(*ast.SequenceNode); ok {
		return seq.Values
	}
	return []ast.Node{value}
}

func (d *decoder) sequence(node ast.Node, what string) []ast.Node {
	switch n := d.resolve(node).(type) {
	case nil:
		return nil
	case *ast.SequenceNode:
		return n.Values
	}
	d.fail(node, "%s must be a list", what)
	return nil
}

// text reads a scalar as it is written: an unquoted true or 1.2 is its text.
func (d *decoder) text(node ast.Node, what string) string {
	switch n := d.resolve(node).(type) {
	case nil:
	case *ast.StringNode:
		return n.Value
	case *ast.LiteralNode:
		if n.Value != nil {
			return strings.TrimSuffix(n.Value.Value, "\n")
		}
	case *ast.BoolNode, *ast.IntegerNode, *ast.FloatNode, *ast.NullNode:
		return n.GetToken().Value
	default:
		d.fail(node, "%s must be text", what)
	}
	return ""
}

var (
	accessType     = reflect.TypeFor[model.Access]()
	confidenceType = reflect.TypeFor[model.Confidence]()
	confidences    = []string{"possible", "likely", "certain"}
)

// decode fills v, what being the name of the field for messages.
func (d *decoder) decode(node ast.Node, v reflect.Value, what string, depth int) {
	if d.nodes++; d.nodes > maxNodes || depth > maxDepth {
		if d.nodes <= maxNodes+1 || depth > maxDepth {
			d.fail(node, "%s is too large or nested too deeply", what)
		}
		return
	}
	switch t := v.Type(); {
	case t == confidenceType:
		word := d.text(node, what)
		if i := slices.Index(confidences, word); i >= 0 {
			v.SetUint(uint64(i) + uint64(model.Possible))
		} else {
			d.unknown(node, what, word, confidences)
		}
	case t.Kind() == reflect.String:
		text := d.text(node, what)
		v.SetString(text)
		if t == accessType {
			if _, err := model.ParseAccess(model.Access(text)); err != nil {
				d.fail(node, "%v", err)
			}
		} else if words := wordsOfType[t]; words != nil && !slices.Contains(words, text) {
			d.unknown(node, what, text, words)
		}
	case t.Kind() == reflect.Bool:
		b, ok := d.resolve(node).(*ast.BoolNode)
		if !ok {
			d.fail(node, "%s must be true or false", what)
			return
		}
		v.SetBool(b.Value)
	case t.Kind() == reflect.Int:
		n, err := strconv.Atoi(d.text(node, what))
		if err != nil || n < 0 {
			d.fail(node, "%s must be a number", what)
			return
		}
		v.SetInt(int64(n))
	case t.Kind() == reflect.Pointer:
		v.Set(reflect.New(t.Elem()))
		d.decode(node, v.Elem(), what, depth+1)
	case t.Kind() == reflect.Slice:
		items := d.sequence(node, what)
		list := reflect.MakeSlice(t, 0, len(items))
		for _, item := range items {
			element := reflect.New(t.Elem()).Elem()
			d.decode(item, element, what, depth+1)
			list = reflect.Append(list, element)
		}
		v.Set(list)
	case t.Kind() == reflect.Struct:
		d.structure(node, v, what, depth)
	default:
		d.fail(node, "%s cannot be set", what)
	}
}

func (d *decoder) structure(node ast.Node, v reflect.Value, what string, depth int) {
	fields := structs[v.Type()]
	for _, e := range d.entries(node, what) {
		i, ok := fields.index[e.key]
		if !ok {
			d.unknown(e.node, "field", e.key, fields.names)
			continue
		}
		before := len(d.problems)
		field := v.Field(i)
		d.decode(e.value, field, e.key, depth+1)
		if len(d.problems) == before {
			d.constrain(e, field, v.Type().Name()+"."+v.Type().Field(i).Name)
		}
	}
}

// constrain checks what the type of a field does not say.
func (d *decoder) constrain(e entry, v reflect.Value, field string) {
	check := fieldChecks[field]
	if check == nil {
		return
	}
	each := func(node ast.Node, text string) {
		if err := check(text); err != nil {
			d.fail(node, "%s: %v", e.key, err)
		}
	}
	if v.Kind() != reflect.Slice {
		each(e.value, v.String())
		return
	}
	for i, item := range d.sequence(e.value, e.key) {
		each(item, v.Index(i).String())
	}
}

// fields lists what a file may set of a struct.
type fields struct {
	names []string
	index map[string]int
}

// structs holds the fields of all structs of a row.
var structs = structsOf(reflect.TypeFor[model.Row](), map[reflect.Type]fields{})

func structsOf(t reflect.Type, known map[reflect.Type]fields) map[reflect.Type]fields {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	if _, done := known[t]; done || t.Kind() != reflect.Struct {
		return known
	}
	f := fields{index: map[string]int{}}
	known[t] = f
	for i := range t.NumField() {
		name := t.Field(i).Name
		if t == reflect.TypeFor[model.Row]() && (name == "Place" || name == "Trusted") {
			continue // the loader's own
		}
		key := lowerCamel(name)
		f.index[key] = i
		f.names = append(f.names, key)
		structsOf(t.Field(i).Type, known)
	}
	known[t] = f
	return known
}

// lowerCamel writes a field's name as it stands in files: ID is id, URL url, TTL ttl, DefaultTTL defaultTTL.
func lowerCamel(name string) string {
	if strings.ToUpper(name) == name {
		return strings.ToLower(name)
	}
	return strings.ToLower(name[:1]) + name[1:]
}

func checkPattern(text string) error { _, err := model.ParsePattern(text); return err }

func checkRegexp(text string) error { _, err := regexp.Compile(text); return err }

// anchored makes a pattern hold for a whole text.
func anchored(pattern string) (*regexp.Regexp, error) {
	return regexp.Compile(`^(?s:` + pattern + `)$`)
}

func checkAnchored(text string) error {
	if err := checkRegexp(text); err != nil {
		return err
	}
	_, err := anchored(text)
	return err
}

func checkVersions(text string) error { _, err := model.InRange("0", text); return err }

func checkGlob(text string) error {
	if text == "" || !doublestar.ValidatePattern(text) {
		return fmt.Errorf("%q is no pattern of paths", text)
	}
	return nil
}

func checkHost(text string) error {
	if text == "" || strings.ToLower(text) != text || strings.ContainsAny(text, "/: {}?") {
		return fmt.Errorf("%q is no host name in lower case without a port", text)
	}
	return nil
}

// checkSymbol is for a symbol that a value gets: it has no alternatives.
func checkSymbol(text string) error {
	if strings.ContainsAny(text, "{}*") {
		return fmt.Errorf("%q must be one symbol, without wildcards", text)
	}
	return checkPattern(text)
}
