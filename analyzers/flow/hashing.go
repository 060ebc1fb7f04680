package flow

import (
	"strconv"
	"strings"

	"github.com/retrysafe/retrysafe/analyzers/model"
)

// Hashing is the result of a hash.
type Hashing struct {
	Call *Call
	// Algorithm in lower case without separators, "" if unknown.
	Algorithm string
	// Bits is the size of the result, 0 if unknown.
	Bits int
	// Keyed says that only who knows a secret can make it.
	Keyed bool
	// Inputs are the values that it covers.
	Inputs []*Term
}

// Made gives the external call of which a value is the result, nil if it is none.
func (r *Result) Made(t *Term) *Call { return r.engine.calls[t] }

// Hashed tells of which hash a value is the result.
func (r *Result) Hashed(t *Term) (Hashing, bool) {
	e := r.engine
	c := e.calls[t]
	if c == nil || t.Kind != TCall || c.OriginRow == nil || !isDigest(c.OriginRow.Origin) {
		return Hashing{}, false
	}
	spec := c.OriginRow.Origin
	h := Hashing{Call: c, Keyed: spec.Kind == "hmac", Bits: spec.Bits, Algorithm: spec.Algorithm}
	if v := e.recorded(c).first(spec.AlgorithmAt); v != nil {
		h.Algorithm = textOr(v)
	}
	for cur, i := c.Recv, 0; cur != nil && cur.Kind == TCall && i < 24; i++ {
		if k := e.calls[cur]; k != nil && k.OriginRow != nil && k.OriginRow.Origin.Streaming {
			made := k.OriginRow.Origin
			h.Keyed = h.Keyed || made.Kind == "hmac"
			if v := e.recorded(k).first(made.AlgorithmAt); v != nil {
				h.Algorithm = textOr(v)
			} else if h.Algorithm == "" {
				h.Algorithm = made.Algorithm
			}
			if h.Bits == 0 {
				h.Bits = made.Bits
			}
		}
		cur = cur.Args[0]
	}
	h.Algorithm = strings.NewReplacer("-", "", "_", "").Replace(strings.ToLower(h.Algorithm))
	if h.Bits == 0 {
		h.Bits = digestBits[h.Algorithm]
	}
	e.eachHashed(c, spec, e.recorded(c), h.Algorithm, func(of *Term, _ string) { h.Inputs = append(h.Inputs, of) })
	return h, true
}

// isDigest reports whether a row says that a call gives a digest, and not a hasher.
func isDigest(spec *model.Origin) bool {
	switch spec.Kind {
	case "hash", "hmac", "uuid-name":
		return !spec.Streaming && !spec.Update
	}
	return false
}

// digestBits are the sizes of digests whose algorithm the call names.
var digestBits = map[string]int{"md5": 128, "sha1": 160, "sha224": 224, "sha256": 256, "sha384": 384, "sha512": 512, "ripemd160": 160, "rmd160": 160,
	"sha3256": 256, "sha3512": 512, "blake2b512": 512, "blake2s256": 256}

// Parts lists what a value is made of, one step down: the pieces of a text, what a hash covers, what an encoder writes. There are none of what comes from
// elsewhere: an input, a record, the clock.
func (r *Result) Parts(t *Term) []*Term { return r.engine.parts(t) }

func (e *engine) parts(t *Term) []*Term {
	if t == nil {
		return nil
	}
	if inputRoot(t) != nil && t.Kind != TConcat {
		if role, _ := e.inputRole(t); role != "" {
			return nil
		}
	}
	switch t.Kind {
	case TConcat, TUnion, TObject, TArray, TOp:
		return t.Args
	case TCast, TMember, TIndex, TElement:
		return t.Args[:1]
	case TRef:
		obj := e.heap.global[t]
		if obj == nil || obj.kind == instanceObject {
			return nil
		}
		out := append(append([]*Term(nil), obj.vals...), obj.elems...)
		if obj.rest != nil {
			out = append(out, obj.rest)
		}
		return out
	case TCall:
		return e.madeOf(t)
	}
	return nil
}

// madeOf lists what flows into the result of a call.
func (e *engine) madeOf(t *Term) []*Term {
	c := e.calls[t]
	switch {
	case c == nil:
		return t.Args // made by a primitive
	case c.OriginRow != nil:
		spec := c.OriginRow.Origin
		switch {
		case isDigest(spec) || spec.Digest:
			var out []*Term
			e.eachHashed(c, spec, e.recorded(c), "", func(of *Term, _ string) { out = append(out, of) })
			return out
		case spec.Kind == "clock" && len(c.Args) > 0:
			return c.Args[:1] // a date made from a value
		}
		return e.rewritten(t)
	case c.RecordRow != nil || c.QueryRow != nil || c.EffectRow != nil || c.InputRow != nil:
		return nil
	case c.Recv != nil:
		return append([]*Term{c.Recv}, c.Args...)
	}
	return c.Args
}

// Follow calls visit for a value and for what it is made of, each once, until visit returns false for a part, whose own parts are then left out.
func (r *Result) Follow(v *Term, visit func(*Term) bool) {
	seen := map[*Term]bool{}
	var walk func(*Term)
	walk = func(t *Term) {
		if t == nil || seen[t] {
			return
		}
		seen[t] = true
		if !visit(t) {
			return
		}
		for _, part := range r.engine.parts(t) {
			walk(part)
		}
	}
	walk(v)
}

// Shortening is a hash of which only a part is used.
type Shortening struct {
	Hash Hashing
	Bits int   // of the part
	At   *Term // what cuts it
}

// Shortened lists the hashes within a value of which only a part is used.
func (r *Result) Shortened(v *Term) []Shortening {
	var out []Shortening
	r.Follow(v, func(t *Term) bool {
		n, of := cutOf(t)
		if of == nil {
			return true
		}
		if h, ok := r.within(of); ok {
			bits := n
			if t.Kind != TOp {
				bits *= r.unitBits(of)
			}
			if h.Bits == 0 || bits < h.Bits {
				out = append(out, Shortening{Hash: h, Bits: bits, At: t})
			}
		}
		return true
	})
	return out
}

// cutOf tells how many characters or bytes a value is of another one; of a remainder how many bits. The other one is nil where it is no such part.
func cutOf(t *Term) (n int, of *Term) {
	number := func(i int, or int) (int, bool) {
		if i >= len(t.Args) || t.Args[i].IsNullish() {
			return or, true
		}
		v, err := strconv.Atoi(textOr(t.Args[i]))
		return v, err == nil
	}
	switch {
	case t.Kind == TOp && t.Name == "%" && len(t.Args) == 2:
		if m, ok := number(1, 0); ok && m > 1 {
			for m > 1 {
				m, n = m/2, n+1
			}
			return n, t.Args[0]
		}
	case t.Kind != TCall:
	case t.Sym == "go#slice()": // x[low:high]
		from, ok1 := number(2, 0)
		to, ok2 := number(3, 0)
		if ok1 && ok2 && to > from {
			return to - from, t.Args[1]
		}
	case t.Name == "slice" || t.Name == "substring" || t.Name == "subarray":
		from, ok1 := number(1, 0)
		to, ok2 := number(2, 0)
		switch {
		case !ok1 || !ok2 || len(t.Args) < 2:
		case from < 0 && len(t.Args) == 2:
			return -from, t.Args[0]
		case from >= 0 && to > from:
			return to - from, t.Args[0]
		}
	case t.Name == "substr" && len(t.Args) > 2:
		if n, ok := number(2, 0); ok && n > 0 {
			return n, t.Args[0]
		}
	case strings.HasPrefix(t.Name, "readUInt32"):
		return 4, t.Args[0]
	}
	return 0, nil
}

// within finds the hash that a value is, as it is or written in another way.
func (r *Result) within(t *Term) (found Hashing, ok bool) {
	r.Follow(t, func(u *Term) bool {
		if !ok {
			found, ok = r.Hashed(u)
		}
		return !ok
	})
	return found, ok
}

// unitBits gives the bits in one character or byte of a written hash. Where it is not known how it is written, the writing that holds most is taken.
func (r *Result) unitBits(t *Term) int {
	bits := 0
	r.Follow(t, func(u *Term) bool {
		if bits != 0 || u.Kind != TCall {
			return bits == 0
		}
		c := r.engine.calls[u]
		if c != nil && strings.HasPrefix(c.Symbol, "encoding/") {
			bits = map[string]int{"hex": 4, "base64": 6, "base32": 5}[strings.TrimPrefix(c.Symbol[:strings.IndexByte(c.Symbol, '#')], "encoding/")]
			return bits == 0
		}
		for _, a := range u.Args[1:] {
			switch textOr(a) {
			case "hex", "16":
				bits = 4
			case "36":
				bits = 5
			case "base64", "base64url":
				bits = 6
			}
		}
		_, hashed := r.Hashed(u)
		if hashed && bits == 0 && c != nil && (len(c.Args) == 0 || strings.HasPrefix(c.Symbol, "crypto/")) {
			bits = 8 // the bytes themselves
		}
		return bits == 0 && !hashed
	})
	if bits == 0 {
		return 6
	}
	return bits
}

// makesHasher reports whether a call makes something that takes what is hashed bit by bit. Those of two calls of a helper are told apart.
func makesHasher(rows []*model.Row) bool {
	for _, r := range rows {
		if r.Origin != nil {
			return r.Origin.Streaming
		}
	}
	return false
}

// DropsError reports whether the program leaves away the error that a call gives beside its result.
func (r *Result) DropsError(c *Call) bool {
	if c.Site == nil || c.Fn == nil || c.Fn.Unit.Language != model.Go || !c.ReturnsError() {
		return false
	}
	for i := range c.Fn.Ops {
		if op := &c.Fn.Ops[i]; op.Kind == model.Load && op.Name == "#1" && len(op.Args) > 0 && op.Args[0] == c.Site.Op && !c.Fn.unawaited(model.ID(i)) {
			return false
		}
	}
	return true
}

// Sorts reports whether a function sorts something.
func (r *Result) Sorts(fn *Function) bool {
	for i := range fn.Ops {
		op := &fn.Ops[i]
		if op.Kind != model.Load || len(op.Args) == 0 || op.Args[0] < 0 || fn.Ops[op.Args[0]].Kind != model.External {
			continue
		}
		for _, row := range r.engine.rowsOf(joinSymbol(model.CanonicalPackage(fn.Ops[op.Args[0]].Name)+"#", op.Name)) {
			if row.Primitive != nil && row.Primitive.Name == "sort" {
				return true
			}
		}
	}
	return false
}
