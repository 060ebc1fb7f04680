package flow

import (
	"strconv"
	"strings"

	"github.com/retrysafe/retrysafe/analyzers/lazyregexp"
	"github.com/retrysafe/retrysafe/analyzers/model"
)

// This file reads input schemas. Builders of the zod family and JSON Schema share their words, so that the
// shape tells enough: a chain of calls whose names are format words, or an object with `properties`.

// readParams lists the parameters that a tool's schema declares.
func (e *engine) readParams(t *Tool, reg *registration) {
	if reg.properties != nil {
		t.Params, t.ParamsKnown = reg.properties, true
		return
	}
	if t.Schema == nil {
		t.ParamsKnown = true
		return
	}
	if t.Schema.Kind == TClosure || t.Schema.Kind == TCast || t.Schema == reg.handler {
		// the schema is made of the type of the handler's parameter
		if typ := e.argumentsType(reg); typ != nil {
			t.Params, t.ParamsKnown = e.structParams(typ, 0)
			return
		}
	}
	shape, required, ok := e.shapeOf(t.Schema, 0)
	t.ParamsKnown = ok
	for i, name := range shape.Keys {
		if name == "..." {
			t.ParamsKnown = false
			continue
		}
		v := shape.Args[i]
		p := Param{Name: name, Schema: v, Required: !optional(v)}
		if required != nil {
			p.Required = required[name]
		}
		p.Description = description(v)
		p.Span = e.spanOf(v)
		if !p.Span.IsValid() && t.Schema.Site != nil {
			p.Span = t.Schema.Site.Span
		}
		t.Params = append(t.Params, p)
	}
}

func (e *engine) spanOf(t *Term) model.Span {
	if t != nil && t.Site != nil {
		return t.Site.Span
	}
	return model.Span{}
}

// builtProperties reads the parameters that a builder adds one by one, group being the calls that add them.
func (e *engine) builtProperties(acc *accessor, group *Term, p *model.Properties) []Param {
	if group == nil {
		return nil
	}
	calls := []*Term{group}
	if group.Kind == TArray {
		calls = group.Args
	}
	var params []Param
	for _, call := range calls {
		name := ""
		if v := acc.relative(call, p.Name); v != nil {
			name = textOr(v)
		}
		if name == "" {
			continue
		}
		param := Param{Name: name, Schema: call, Span: e.spanOf(call)}
		if v := acc.relative(call, p.Description); v != nil {
			param.Description = textOr(v)
		}
		param.Required = acc.relative(call, p.Required) != nil
		params = append(params, param)
	}
	return params
}

// shapeOf finds the object of a schema's properties. required is set where the schema lists them (JSON Schema).
func (e *engine) shapeOf(t *Term, depth int) (shape *Term, required map[string]bool, ok bool) {
	empty := e.intern(Term{Kind: TObject})
	if t == nil || depth > 8 {
		return empty, nil, false
	}
	switch t.Kind {
	case TObject:
		if props := schemaField(t, "properties"); props != nil && props.Kind == TObject {
			required = map[string]bool{}
			if req := schemaField(t, "required"); req != nil && req.Kind == TArray {
				for _, r := range req.Args {
					if s, ok := r.Text(); ok {
						required[s] = true
					}
				}
			}
			return props, required, true
		} else if upper, _ := t.Field("Properties"); upper != nil {
			return empty, nil, false // made by something that is not seen
		}
		if typ, _ := t.Field("type"); typ != nil {
			if s, ok := typ.Text(); ok && s == "object" {
				return empty, map[string]bool{}, true
			}
		}
		return t, nil, true
	case TCall:
		if t.Name == "stringify" && len(t.Args) > 1 {
			return e.shapeOf(t.Args[1], depth+1)
		}
		// object({...}), objectInputType, extend({...}), toJSONSchema(schema), optional(): the properties are an argument, or the receiver's
		var merged *Term
		for _, a := range t.Args[1:] {
			if a.Kind == TObject {
				merged = a
				break
			}
			if a.Kind == TCall {
				if s, req, ok := e.shapeOf(a, depth+1); ok && len(s.Keys) > 0 {
					return s, req, ok
				}
			}
		}
		if t.Args[0].Kind == TCall {
			s, req, ok := e.shapeOf(t.Args[0], depth+1)
			if ok && merged != nil && (t.Name == "extend" || t.Name == "merge" || t.Name == "augment") {
				both := e.intern(Term{Kind: TObject, Keys: append(append([]string(nil), s.Keys...), merged.Keys...), Args: append(append([]*Term(nil), s.Args...), merged.Args...)})
				return both, req, true
			}
			if ok {
				return s, req, ok
			}
		}
		if merged != nil {
			return merged, nil, true
		}
	case TMember:
		if t.Name == "shape" {
			return e.shapeOf(t.Args[0], depth+1)
		}
	case TCast:
		return e.shapeOf(t.Args[0], depth+1)
	case TUnion:
		for _, alt := range t.Args {
			if s, req, ok := e.shapeOf(alt, depth+1); ok && len(s.Keys) > 0 {
				return s, req, ok
			}
		}
	}
	return empty, nil, false
}

// schemaField reads a field of a JSON Schema, which may be a struct.
func schemaField(t *Term, name string) *Term {
	if v, _ := t.Field(name); v != nil {
		return v
	}
	v, _ := t.Field(strings.ToUpper(name[:1]) + name[1:])
	return v
}

// chainCalls gives the calls of a builder chain, the last one first.
func chainCalls(t *Term) []*Term {
	var out []*Term
	for i := 0; t != nil && i < 32; i++ {
		switch t.Kind {
		case TCall:
			out = append(out, t)
			t = t.Args[0]
		case TMember, TCast:
			t = t.Args[0]
		default:
			return out
		}
	}
	return out
}

func optional(t *Term) bool {
	for _, c := range chainCalls(t) {
		switch lastName(c.Name) {
		case "optional", "default", "nullish", "catch", "prefault":
			return true
		}
	}
	return false
}

func description(t *Term) string {
	for _, c := range chainCalls(t) {
		if lastName(c.Name) == "describe" && len(c.Args) > 1 {
			return textOr(c.Args[1])
		}
		if lastName(c.Name) == "meta" && len(c.Args) > 1 && c.Args[1].Kind == TObject {
			if d, _ := c.Args[1].Field("description"); d != nil {
				return textOr(d)
			}
		}
		for _, a := range c.Args[1:] {
			if a.Kind == TObject {
				if d, _ := a.Field("description"); d != nil {
					if s, ok := d.Text(); ok {
						return s
					}
				}
			}
		}
	}
	if t != nil && t.Kind == TObject {
		if d, _ := t.Field("description"); d != nil {
			return textOr(d)
		}
	}
	return ""
}

// CheckInfo is what is known about the format of a value.
type CheckInfo struct {
	Format    string // uuid, ulid …
	MinLength int
	Pattern   string
	Span      model.Span
}

// Strong reports whether the check leaves no room for short guessable values: an id format, or at least 16 characters.
func (c CheckInfo) Strong() bool { return c.Format != "" || c.MinLength >= 16 }

// formatOf reads what a parameter's schema demands of it.
func (e *engine) formatOf(t *Term) (CheckInfo, bool) {
	var info CheckInfo
	found := false
	merge := func(format string, min int, pattern string) {
		if format != "" {
			info.Format = format
		}
		if pattern != "" {
			info.Pattern = pattern
		}
		info.MinLength = max(info.MinLength, min)
		found = true
	}
	for _, c := range chainCalls(t) {
		name := lastName(c.Name)
		switch strings.ToLower(name) {
		case "uuid", "uuidv4", "uuidv7", "guid", "ulid", "nanoid", "cuid", "cuid2", "ksuid", "xid":
			merge(strings.ToLower(name), 0, "")
		case "min", "length", "minlength":
			if len(c.Args) > 1 {
				if n, err := strconv.Atoi(textOr(c.Args[1])); err == nil {
					merge("", n, "")
				}
			}
		case "regex", "pattern":
			if len(c.Args) > 1 && c.Args[1].Kind == TConst {
				p := c.Args[1].Const.Text
				merge("", minMatch(p), p)
			}
		}
		if c.Span().IsValid() {
			info.Span = c.Span()
		}
	}
	if t != nil && t.Kind == TObject {
		if f, _ := t.Field("format"); f != nil {
			if s := textOr(f); s == "uuid" || s == "ulid" {
				merge(s, 0, "")
			}
		}
		if f, _ := t.Field("minLength"); f != nil {
			if n, err := strconv.Atoi(textOr(f)); err == nil {
				merge("", n, "")
			}
		}
		if f, _ := t.Field("pattern"); f != nil {
			merge("", minMatch(textOr(f)), textOr(f))
		}
		info.Span = e.spanOf(t)
	}
	return info, found
}

// Span gives the place where the value came into being.
func (t *Term) Span() model.Span {
	if t.Site != nil {
		return t.Site.Span
	}
	return model.Span{}
}

var quantifier = lazyregexp.New(`^\{(\d+)(,\d*)?\}`)

// minMatch gives the number of characters that a regular expression demands at least; 0 where it is not anchored at both ends.
func minMatch(literal string) int {
	p := literal
	if strings.HasPrefix(p, "/") {
		if i := strings.LastIndexByte(p, '/'); i > 0 {
			p = p[1:i]
		}
	}
	if !strings.HasPrefix(p, "^") || !strings.HasSuffix(p, "$") || strings.HasSuffix(p, `\$`) {
		return 0
	}
	n, _ := minLen(p[1 : len(p)-1])
	return n
}

// minLen adds up the least length of a pattern up to its end or a closing parenthesis; it returns what is left.
func minLen(p string) (int, string) {
	best, total := -1, 0
	for len(p) > 0 {
		one := 0
		switch p[0] {
		case ')':
			return least(best, total), p
		case '|':
			best, total = least(best, total), 0
			p = p[1:]
			continue
		case '(':
			p = p[1:]
			if strings.HasPrefix(p, "?") { // a group's flags
				if i := strings.IndexAny(p, ":!=>"); i >= 0 {
					look := strings.ContainsAny(p[:i+1], "!=") && !strings.Contains(p[:i+1], "<")
					p = p[i+1:]
					one, p = minLen(p)
					if look {
						one = 0
					}
				}
			} else {
				one, p = minLen(p)
			}
			if strings.HasPrefix(p, ")") {
				p = p[1:]
			}
		case '[':
			end := 1
			if end < len(p) && p[end] == '^' {
				end++
			}
			if end < len(p) && p[end] == ']' {
				end++
			}
			for end < len(p) && p[end] != ']' {
				if p[end] == '\\' {
					end++
				}
				end++
			}
			p = p[min(end+1, len(p)):]
			one = 1
		case '\\':
			if len(p) > 1 && (p[1] == 'b' || p[1] == 'B') {
				p = p[2:]
				continue
			}
			p = p[min(2, len(p)):]
			one = 1
		case '^', '$':
			p = p[1:]
			continue
		default:
			p = p[1:]
			one = 1
		}
		switch {
		case strings.HasPrefix(p, "*"), strings.HasPrefix(p, "?"):
			p = p[1:]
			one = 0
		case strings.HasPrefix(p, "+"):
			p = p[1:]
		default:
			if m := quantifier.FindStringSubmatch(p); m != nil {
				n, _ := strconv.Atoi(m[1])
				one *= min(n, 4096)
				p = p[len(m[0]):]
			}
		}
		p = strings.TrimPrefix(p, "?") // lazy
		total += one
	}
	return least(best, total), p
}

func least(a, b int) int {
	if a < 0 || b < a {
		return b
	}
	return a
}

// readAnnotations lists the hints that a tool declares.
func (e *engine) readAnnotations(t *Tool, reg *registration) {
	for _, hint := range reg.hints {
		if hint.fn != nil {
			if own, ok := e.ownSetting(hint.fn, hint.by, t.Span); ok {
				hint.Span = own
			}
		}
		t.Annotations = append(t.Annotations, hint)
	}
	a := reg.annotations
	if a == nil {
		return
	}
	acc := &accessor{e: e}
	for _, name := range []string{"title", "readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"} {
		if _, told := t.Annotation(name); told {
			continue
		}
		key := name
		v := acc.member(a, key)
		if v == nil {
			key = strings.ToUpper(name[:1]) + name[1:] // as a struct spells its fields
			v = acc.member(a, key)
		}
		if v == nil {
			continue
		}
		value := ""
		if text, ok := v.IsConst(); ok {
			value = text
		}
		span := e.propertySpan(a, key, t.Span)
		if !span.IsValid() {
			span = reg.call.Span
		}
		t.Annotations = append(t.Annotations, Annotation{Name: name, Value: value, Span: span})
	}
}

// propertySpan finds where a recorded object's property is written: by the tool itself, at its place, where a table of tools has one expression for all.
func (e *engine) propertySpan(t *Term, key string, tool model.Span) model.Span {
	if t.Kind != TObject || t.Site == nil {
		return model.Span{}
	}
	fn := t.Site.Fn
	if t.Site.Op < 0 || int(t.Site.Op) >= len(fn.Ops) {
		return model.Span{}
	}
	op := &fn.Ops[t.Site.Op]
	for i, p := range op.Parts {
		if p.Key == key {
			if i < len(op.Args) {
				if own, ok := e.ownSetting(fn, op.Args[i], tool); ok {
					return own
				}
			}
			return p.Span
		}
	}
	return t.Site.Span
}
