package flow

import (
	"slices"
	"strings"

	"github.com/retrysafe/retrysafe/analyzers/lazyregexp"
	"github.com/retrysafe/retrysafe/analyzers/model"
)

// Comparison is a place at which the program compares two values: for equality, byte by byte until they differ, where one of them may be a secret, or
// by order, where a number is compared with something that follows the clock.
type Comparison struct {
	Op   string // "==" for equality in any form; "<", "<=", ">" or ">="; BeforeOrAfter for a call that tells which of two times comes first
	X, Y *Term
	Span model.Span
	Fn   *Function // the function that compares
	// Chain leads from the handler to the function, empty for the handler itself and for what no entry reaches.
	Chain []Step

	op    model.ID    // the operation that compares
	noted *Comparison // itself, as it was noted, beside the way of one tool to it
}

// BeforeOrAfter is the operator of a comparison that a call makes of two times.
const BeforeOrAfter = "order"

// Secrecy says whether a value must not be guessed, and what it is.
type Secrecy uint8

// The kinds of secrets.
const (
	NoSecret         Secrecy = iota
	StoredSecret             // kept by the program or a store under the name of a credential
	ConfiguredSecret         // from the environment, under the name of a credential
	MAC                      // a message authentication code that the program has computed
)

// Secret tells what sort of secret a value is, and the name under which the program has it: that of the environment variable or field, the symbol
// of the function that computes a MAC.
func (r *Result) Secret(t *Term) (kind Secrecy, name string) {
	for _, alt := range t.Alternatives() {
		if k, n := r.engine.secret(alt); k > kind {
			kind, name = k, n
		}
	}
	return kind, name
}

// secret tells the same of one alternative.
func (e *engine) secret(t *Term) (Secrecy, string) {
	if t.Kind == TMember && (t.Name == "length" || t.Name == "byteLength") {
		return NoSecret, "" // how long a secret is may be known, and is compared before timing-safe functions are called
	}
	if c := e.mac(t, 0); c != nil {
		return MAC, c.Symbol
	}
	for _, o := range e.origins(t) {
		if o.Kind == OriginEnv && o.Hashed == "" {
			if name := e.settingName(o); IsCredentialName(name) {
				return ConfiguredSecret, name
			}
		}
	}
	if name := e.heldName(t, 0); IsCredentialName(name) {
		return StoredSecret, name
	}
	return NoSecret, ""
}

// settingName gives the name of the variable that an origin in the environment stands for.
func (e *engine) settingName(o Origin) string {
	if c := e.calls[o.Term]; c != nil {
		for _, a := range c.Args {
			if text, ok := a.Text(); ok {
				return text
			}
		}
		return ""
	}
	if o.Term.Kind == TMember {
		return o.Term.Name
	}
	return lastName(o.Term.Sym)
}

// heldName gives the name of the member that a value is read from, through what only writes it in another way; "" for what a framework hands in.
func (e *engine) heldName(t *Term, depth int) string {
	if t == nil || depth > maxTermDepth || t.HasInput() && inputRoot(t) != nil {
		return ""
	}
	switch t.Kind {
	case TCast:
		return e.heldName(t.Args[0], depth+1)
	case TMember:
		return t.Name
	case TIndex:
		name, _ := t.Args[1].Text()
		return name
	case TConcat:
		return e.heldByOne(t.Args, depth)
	case TCall:
		if of := e.rewritten(t); of != nil {
			return e.heldByOne(of, depth)
		}
	}
	return ""
}

// heldByOne gives the name of the one value among some that is none of the program's own texts.
func (e *engine) heldByOne(values []*Term, depth int) string {
	name := ""
	for _, v := range values {
		if v.Kind == TConst || v.Kind == TSymbol {
			continue
		}
		if name != "" {
			return ""
		}
		if name = e.heldName(v, depth+1); name == "" {
			return ""
		}
	}
	return name
}

// rewritten gives what the result of a call only writes in another way, nil where it is something else.
func (e *engine) rewritten(t *Term) []*Term {
	c := e.calls[t]
	if c == nil {
		return t.Args // made by a primitive
	}
	if c.OriginRow == nil {
		return nil
	}
	spec := c.OriginRow.Origin
	switch spec.Kind {
	case "encode", "parse", "canonical", "argument", "text":
		if of := e.recorded(c).first(spec.Of); of != nil {
			return []*Term{of}
		}
		if len(c.Args) > 0 {
			return c.Args[:1]
		}
		return t.Args[:1]
	}
	return nil
}

// mac gives the call that computes the MAC which a value is, as it is or written in another way; nil if it is none.
func (e *engine) mac(t *Term, depth int) *Call {
	if t == nil || depth > 2*maxTermDepth || t.flags&hasCall == 0 {
		return nil
	}
	first := func(values []*Term) *Call {
		for _, v := range values {
			if c := e.mac(v, depth+1); c != nil {
				return c
			}
		}
		return nil
	}
	switch t.Kind {
	case TConcat, TUnion, TArray, TElement:
		return first(t.Args)
	case TCast:
		return e.mac(t.Args[0], depth+1)
	case TMember:
		if t.Name == "buffer" || t.Name == "#0" {
			return e.mac(t.Args[0], depth+1)
		}
	case TCall:
		if c := e.calls[t]; c != nil && c.OriginRow != nil && e.computesMAC(c) {
			return c
		}
		return first(e.rewritten(t))
	}
	return nil
}

// computesMAC reports whether a call gives a finished MAC: at once, or as the last call on a keyed hasher.
func (e *engine) computesMAC(c *Call) bool {
	spec := c.OriginRow.Origin
	switch {
	case spec.Update || spec.Streaming:
		return false
	case spec.Kind == "hmac":
		return true
	case !spec.Digest:
		return false
	}
	return e.keyedHasher(c.Recv, 0)
}

// keyedHasher reports whether a value is a hasher that was made with a key. Of one that a field keeps, whose maker is not seen, the name tells.
func (e *engine) keyedHasher(t *Term, depth int) bool {
	if t == nil || depth > 24 {
		return false
	}
	switch t.Kind {
	case TUnion:
		return slices.ContainsFunc(t.Args, func(alt *Term) bool { return e.keyedHasher(alt, depth+1) })
	case TMember:
		if macNames.MatchString(snakeCase(t.Name)) {
			return true
		}
		return e.keyedHasher(t.Args[0], depth+1)
	case TCast:
		return e.keyedHasher(t.Args[0], depth+1)
	case TUnknown:
		return macNames.MatchString(snakeCase(t.Name))
	case TCall:
		k := e.calls[t]
		if k == nil || k.OriginRow == nil {
			return false
		}
		if s := k.OriginRow.Origin; s.Kind == "hmac" && s.Streaming {
			return true
		}
		return e.keyedHasher(t.Args[0], depth+1)
	}
	return false
}

var (
	credentialNames = lazyregexp.New(`(^|_)(secret|token|api_?key|password|passwd|passphrase)$|(secret|auth|access|bearer|verify|admin|webhook|signing|shared|internal|service|master|hmac|cron)_?key$`)
	macNames        = lazyregexp.New(`(^|_)h?mac$`)
	// what is public, what names a secret without being one, and what is given out for one step only
	publicNames = lazyregexp.New(`(^|_)(public|publishable|anon|csrf|xsrf|nonce|captcha)(_|$)|` +
		`(^|_)(next|page|paging|sync|continuation|resume|lock|lease|fence|fencing|owner|claim|cancel|cancellation|progress|idempotency|request|dedupe|client|device|push|refresh|id)_token$`)
)

// IsCredentialName reports whether a variable or field of this name holds what gives access to something for long.
func IsCredentialName(name string) bool {
	if name == "" {
		return false
	}
	words := snakeCase(name)
	return credentialNames.MatchString(words) && !publicNames.MatchString(words)
}

// snakeCase writes verifyToken, Verify-Token and VERIFY_TOKEN in one way: verify_token.
func snakeCase(name string) string {
	var out []byte
	for i := 0; i < len(name); i++ {
		switch c := name[i]; {
		case c == '-' || c == '.' || c == ' ':
			out = append(out, '_')
		case 'A' <= c && c <= 'Z':
			if i > 0 && ('a' <= name[i-1] && name[i-1] <= 'z' || '0' <= name[i-1] && name[i-1] <= '9') {
				out = append(out, '_')
			}
			out = append(out, c+'a'-'A')
		default:
			out = append(out, c)
		}
	}
	return string(out)
}

// recordComparison notes that two values are compared, if one of them may be a secret. What the values come from is asked later, when all of the
// program was seen.
func (e *engine) recordComparison(a *activation, x, y *Term, span model.Span, op model.ID) {
	if a == nil || x == y || x.Kind == TConst || y.Kind == TConst || x.IsNullish() || y.IsNullish() || !e.maySecret(x) && !e.maySecret(y) {
		return
	}
	e.addComparison(a, &Comparison{Op: "==", X: x, Y: y, Span: span, Fn: a.fn, op: op})
}

// addComparison adds a comparison to those of an activation, once.
func (e *engine) addComparison(a *activation, c *Comparison) {
	same := func(b *Comparison) bool { return b.X == c.X && b.Y == c.Y && b.Span == c.Span }
	if slices.ContainsFunc(a.sum.comparisons, same) || len(a.sum.comparisons) >= maxEvents {
		return
	}
	c.noted = c
	a.sum.comparisons = append(a.sum.comparisons, c)
	e.comparisons = append(e.comparisons, c)
}

// maySecret reports whether a value may be a secret, from the value alone.
func (e *engine) maySecret(t *Term) bool {
	if known, ok := e.secretive[t]; ok {
		return known
	}
	e.secretive[t] = false
	may := false
	switch t.Kind {
	case TSymbol:
		may = IsCredentialName(lastName(t.Sym))
	case TMember:
		may = IsCredentialName(t.Name)
	case TIndex:
		name, _ := t.Args[1].Text()
		may = IsCredentialName(name)
	case TCall:
		if c := e.calls[t]; c != nil && c.OriginRow != nil {
			k := c.OriginRow.Origin.Kind
			may = k == "hmac" || k == "environment" || k == "secret" || c.OriginRow.Origin.Digest
		}
	case TOp:
		return false
	}
	for _, part := range t.Args {
		if may {
			break
		}
		may = part != nil && e.maySecret(part)
	}
	e.secretive[t] = may
	return may
}

// Comparisons lists where a value that may be a secret is compared in what no tool or route reaches, as in a library whose callers are elsewhere.
func (r *Result) Comparisons() []*Comparison {
	reached := map[*Comparison]bool{}
	for _, t := range r.Tools {
		for _, c := range t.Comparisons {
			reached[c.noted] = true
		}
	}
	var out []*Comparison
	for _, c := range r.engine.comparisons {
		if !reached[c] && r.engine.wants(c.Span) {
			out = append(out, c)
		}
	}
	return out
}

// evaluateSigners evaluates the functions that nobody is seen to call and that compute a MAC, or call what does: those of a library verify what its callers receive.
// A program of which this part is cut short is complete all the same.
func (e *engine) evaluateSigners() {
	cut, phase := e.cut, e.phase
	e.rest, e.phase = true, rootPhase
	e.evaluateRoots(nil, e.signs)
	e.rest, e.cut, e.phase = false, cut, phase
}

// signs reports whether a function names a function outside the program that computes MACs.
func (e *engine) signs(f *Function) bool { return signs(f.Func, e.rowsOf) }

// Signs reports whether a unit computes MACs, so that there is something to say of it although it leads to no registration.
func Signs(u *model.Unit, class Classifier) bool {
	return slices.ContainsFunc(u.Funcs, func(f *model.Func) bool { return signs(f, class.Rows) })
}

func signs(f *model.Func, rows func(symbol string) []*model.Row) bool {
	for i := range f.Ops {
		if op := &f.Ops[i]; op.Kind == model.Load && op.Name != "" && macNames.MatchString(snakeCase(op.Name)) {
			return true // a keyed hasher that another function made
		}
		var names []string
		for id := model.ID(i); id >= 0 && len(names) < maxTermDepth; {
			op := &f.Ops[id]
			if op.Kind == model.Load && op.Name != "" && len(op.Args) > 0 {
				names = append(names, op.Name)
				id = op.Args[0]
				continue
			}
			if op.Kind == model.External && len(names) > 0 {
				slices.Reverse(names)
				symbol := model.CanonicalPackage(op.Name) + "#" + strings.Join(names, ".")
				if slices.ContainsFunc(rows(symbol), func(r *model.Row) bool { return r.Origin != nil && r.Origin.Kind == "hmac" }) {
					return true
				}
			}
			break
		}
	}
	return false
}
