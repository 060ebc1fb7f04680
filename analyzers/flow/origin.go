package flow

import (
	"cmp"
	"slices"
	"sort"
	"strings"

	"github.com/retrysafe/retrysafe/analyzers/model"
)

// Origins lists where a value comes from, sorted and without repetition. Constants are listed only where nothing else is.
func (r *Result) Origins(t *Term) []Origin { return r.engine.origins(t) }

func (e *engine) origins(t *Term) []Origin {
	if t == nil {
		return nil
	}
	if o, ok := e.originMemo[t]; ok {
		return o
	}
	e.originMemo[t] = nil // a cycle adds nothing
	seen := map[originKey]bool{}
	var out []Origin
	add := func(o Origin) {
		k := originKey{o.Kind, o.Name, o.Term, o.Hashed, o.Whole}
		if !seen[k] {
			seen[k] = true
			out = append(out, o)
		}
	}
	outer := e.visited
	e.visited = map[visit]int{}
	e.gather(t, "", false, 0, add)
	e.visited = outer
	sort.SliceStable(out, func(i, j int) bool {
		if out[i].Kind != out[j].Kind {
			return out[i].Kind < out[j].Kind
		}
		if out[i].Name != out[j].Name {
			return out[i].Name < out[j].Name
		}
		return out[i].Hashed < out[j].Hashed
	})
	e.originMemo[t] = out
	return out
}

type originKey struct {
	kind   OriginKind
	name   string
	term   *Term
	hashed string
	whole  bool
}

// visit is a value that gather was at, and what it knew of it.
type visit struct {
	term   *Term
	hashed string
	whole  bool
}

// gather collects what a value is made of. Values share parts, so each is entered once, or again where it is reached by a shorter way: linear in them.
func (e *engine) gather(t *Term, hashed string, whole bool, depth int, add func(Origin)) {
	if t == nil || depth > 40 {
		return
	}
	if before, been := e.visited[visit{t, hashed, whole}]; been && before <= depth {
		return
	}
	e.visited[visit{t, hashed, whole}] = depth
	put := func(kind OriginKind, name string) {
		add(Origin{Kind: kind, Name: name, Term: t, Hashed: hashed, Whole: whole})
	}
	down := func(u *Term) { e.gather(u, hashed, whole, depth+1, add) }
	if inputRoot(t) != nil || e.handedIn(t) {
		if role, name := e.inputRole(t); role != "" {
			add(Origin{Kind: OriginKind(role), Name: name, Term: t, Hashed: hashed, Whole: whole || name == "" && role == model.ArgumentsInput})
			if t.Kind == TCall {
				for _, a := range t.Args[1:] {
					if a.Kind != TConst {
						down(a)
					}
				}
			}
			return
		}
	}
	switch t.Kind {
	case TConst:
		put(OriginConstant, t.Const.Text)
	case TInput:
		put(OriginKind(t.Name), "")
	case TSymbol:
		switch {
		case t.Sym == "sql#now":
			put(OriginClock, t.Sym)
		default:
			if o := e.symbolOrigin(t.Sym); o != "" {
				put(o, lastName(t.Sym))
			} else {
				put(OriginConstant, t.Sym)
			}
		}
	case TConcat, TUnion, TObject, TArray:
		for _, a := range t.Args {
			down(a)
		}
	case TOp:
		switch t.Name {
		case "==", "!=", "<", "<=", ">", ">=", "!", "in", "instanceof", "includes", "some", "every":
			put(OriginUnknown, "condition")
			return
		}
		for _, a := range t.Args {
			down(a)
		}
	case TCast:
		down(t.Args[0])
	case TMember, TIndex, TElement:
		base := t.Args[0]
		if o := e.symbolOrigin(t.Sym); o != "" {
			put(o, lastName(t.Sym))
			return
		}
		switch root := opaqueRoot(base); {
		case root.Kind == TCall && e.parses(root):
			name := memberPath(t)
			e.gatherCall(root, hashed, whole, depth, func(o Origin) {
				if o.Name == "" && (o.Kind == OriginBody || o.Kind == OriginArguments) && name != "" {
					o.Name, o.Whole, o.Term = name, whole, t
				}
				add(o)
			})
		case root.Kind == TCall:
			e.gatherCall(root, hashed, whole, depth, add)
		case root.Kind == TCatch:
			add(Origin{Kind: OriginCaught, Term: t, Hashed: hashed})
		case root.Kind == TInput:
			down(root)
		default:
			add(Origin{Kind: OriginUnknown, Name: t.Name, Term: t, Hashed: hashed})
		}
	case TCall:
		e.gatherCall(t, hashed, whole, depth, add)
	case TCatch:
		put(OriginCaught, "")
	case TClosure, TClass, TModule:
		put(OriginConstant, "function")
	case TRef:
		if obj := e.heap.global[t]; obj != nil && obj.kind != instanceObject {
			for _, v := range obj.vals {
				down(v)
			}
			for _, v := range obj.elems {
				down(v)
			}
			if obj.rest != nil {
				down(obj.rest)
			}
			return
		}
		put(OriginConstant, "object")
	case TUnknown:
		if t.Name == "deep input" {
			add(Origin{Kind: OriginArguments, Term: t, Hashed: hashed, Whole: true})
			return
		}
		put(OriginUnknown, t.Name)
	default:
		put(OriginUnknown, t.Name)
	}
}

// comesFrom reports whether a value is made, on some way, from something of that origin.
func (e *engine) comesFrom(t *Term, kind OriginKind) bool {
	return slices.ContainsFunc(e.origins(t), func(o Origin) bool { return o.Kind == kind })
}

// parses reports whether a call reads a text that holds a structure, the members of which have names.
func (e *engine) parses(t *Term) bool {
	c := e.calls[t]
	return c != nil && c.OriginRow != nil && c.OriginRow.Origin.Kind == "parse"
}

// memberPath gives the names of the members that lead from what a chain starts at to a value, joined by dots; "" where one has none.
func memberPath(t *Term) string {
	path := ""
	for i := 0; i < maxTermDepth; i++ {
		switch t.Kind {
		case TMember:
			if strings.HasPrefix(t.Name, "#") {
				break // one of several results
			}
			if path == "" {
				path = t.Name
			} else {
				path = t.Name + "." + path
			}
		case TIndex:
			name, ok := t.Args[1].Text()
			if !ok {
				return ""
			}
			if path == "" {
				path = name
			} else {
				path = name + "." + path
			}
		case TElement:
			return ""
		case TCast:
		default:
			return path
		}
		t = t.Args[0]
	}
	return ""
}

// opaqueRoot gives what a member chain starts at.
func opaqueRoot(t *Term) *Term {
	for i := 0; i < maxTermDepth; i++ {
		switch t.Kind {
		case TMember, TIndex, TElement, TCast:
			t = t.Args[0]
		default:
			return t
		}
	}
	return t
}

// symbolOrigin tells what reading a symbol gives: the environment, a clock.
func (e *engine) symbolOrigin(sym string) OriginKind {
	if sym == "" || strings.HasPrefix(sym, "?#") {
		return ""
	}
	for s, i := sym, 0; i < 3 && s != ""; i++ {
		for _, r := range e.rowsOf(s) {
			if r.Origin != nil && r.Origin.Kind == "environment" {
				return OriginEnv
			}
		}
		j := strings.LastIndexByte(s, '.')
		if j < 0 {
			break
		}
		s = s[:j]
	}
	return ""
}

// gatherCall lists the origins of an external call's result.
func (e *engine) gatherCall(t *Term, hashed string, whole bool, depth int, add func(Origin)) {
	c := e.calls[t]
	name := t.Name
	if c != nil {
		name = c.Symbol
	}
	put := func(kind OriginKind) {
		add(Origin{Kind: kind, Name: name, Term: t, Hashed: hashed, Whole: whole})
	}
	args := func(hashed string) {
		for _, a := range t.Args[1:] {
			e.gather(a, hashed, whole, depth+1, add)
		}
	}
	if c == nil {
		// made by a primitive: text helpers pass their receiver through
		for _, a := range t.Args {
			if a.Kind != TConst || len(t.Args) == 1 {
				e.gather(a, hashed, whole, depth+1, add)
			}
		}
		return
	}
	if c.OriginRow != nil {
		spec := c.OriginRow.Origin
		acc := e.recorded(c)
		switch spec.Kind {
		case "clock":
			// a date made from a value is that value
			if len(c.Args) > 0 && c.Args[0].Kind != TConst {
				args(hashed)
				return
			}
			if len(c.Args) > 0 && c.New {
				put(OriginConstant)
				return
			}
			put(OriginClock)
			return
		case "counter":
			put(OriginCounter)
			return
		case "random-weak":
			put(OriginWeakRandom)
			return
		case "random-strong", "uuid-random":
			put(OriginRandom)
			return
		case "uuid-time":
			put(OriginTimeID)
			return
		case "environment", "secret":
			put(OriginEnv)
			return
		case "constant":
			put(OriginConstant)
			return
		case "identity":
			put(OriginCaller)
			return
		case "header":
			put(OriginHeader)
			return
		case "uuid-name", "hash", "hmac":
			alg := spec.Algorithm
			if v := acc.first(spec.AlgorithmAt); v != nil {
				alg = textOr(v)
			}
			if alg == "" {
				alg = spec.Kind
			}
			if hashed != "" {
				alg = hashed
			}
			e.hashInputs(c, spec, acc, alg, whole, depth, add)
			return
		case "encode", "parse", "canonical", "argument", "text":
			if spec.Digest {
				// a builder of text
				e.hashInputs(c, spec, acc, hashed, whole, depth, add)
				return
			}
			of := acc.first(spec.Of)
			if of == nil && len(c.Args) > 0 {
				of = c.Args[0]
			}
			e.gather(of, hashed, whole, depth+1, add)
			return
		}
		if spec.Digest || spec.Update || spec.Streaming {
			e.hashInputs(c, spec, acc, cmp.Or(spec.Algorithm, "hash"), whole, depth, add)
			return
		}
	}
	if c.RecordRow != nil || c.QueryRow != nil {
		put(OriginRecord)
		return
	}
	if c.EffectRow != nil {
		put(OriginResult)
		return
	}
	// something made outside from these: they flow in
	put(OriginResult)
	args(hashed)
	if c.Recv != nil && (c.Recv.HasInput() || c.Recv.flags&hasCall != 0) {
		e.gather(c.Recv, hashed, whole, depth+1, add)
	}
}

// hashInputs follows what a hash covers.
func (e *engine) hashInputs(c *Call, spec *model.Origin, acc *accessor, alg string, whole bool, depth int, add func(Origin)) {
	e.eachHashed(c, spec, acc, alg, func(of *Term, alg string) { e.gather(of, alg, whole, depth+1, add) })
}

// eachHashed calls visit for what a hash covers, its argument or what was added along a streaming chain, with the algorithm as far as it is known.
func (e *engine) eachHashed(c *Call, spec *model.Origin, acc *accessor, alg string, visit func(of *Term, alg string)) {
	if spec.Of != "" {
		if of := acc.first(spec.Of); of != nil {
			visit(of, alg)
		}
		return
	}
	found := false
	for cur, i := c.Recv, 0; cur != nil && i < 24; i++ {
		if cur.Kind != TCall {
			break
		}
		k := e.calls[cur]
		if k != nil && k.OriginRow != nil {
			s := k.OriginRow.Origin
			if s.Streaming && (s.Algorithm != "" || s.AlgorithmAt != "") && (alg == "hash" || alg == "hmac") {
				if v := e.recorded(k).first(s.AlgorithmAt); v != nil {
					alg = cmp.Or(textOr(v), alg)
				} else if s.Algorithm != "" {
					alg = s.Algorithm
				}
			}
		}
		cur = cur.Args[0]
	}
	for _, k := range e.additions(c.Recv) {
		of := e.recorded(k).first(k.OriginRow.Origin.Of)
		if of == nil && len(k.Args) > 0 {
			of = k.Args[0]
		}
		if of != nil {
			visit(of, alg)
			found = true
		}
	}
	if !found {
		for _, a := range c.Args {
			if a.Kind != TConst {
				visit(a, alg)
			}
		}
	}
}
