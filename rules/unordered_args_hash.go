package rules

import (
	"fmt"

	"github.com/retrysafe/retrysafe/analyzers/flow"
	"github.com/retrysafe/retrysafe/analyzers/model"
)

var unorderedArgsHash = &Rule{
	Name: "unordered-args-hash", Title: "Equal arguments in another order are another call",
	Severity: Low, CWE: 1025, Family: QualityFamily, Since: "0.1.0", Experimental: true,
	Supersedes: []string{"weak-args-hash"},
	Text: `The arguments are hashed in the order in which they came. JSON.stringify writes the members of an object in the order of their making, a Go map gives its entries in a new order each time. A
retry that another client, another version or the model itself puts together again has the same arguments and another hash: it is refused as a mismatch, or acts again.

It is fine for an object that the handler writes out, for what a schema of known members has parsed, for json.Marshal of Go, which sorts, and behind a canonical encoder.`,
	Fix:   "Sort the keys at every depth before hashing.",
	Check: checkUnorderedArgsHash,
}

func checkUnorderedArgsHash(p *Pass) {
	p.eachRecogniser(func(t *flow.Tool, k *recogniser) {
		var found *flow.Term
		for _, h := range p.argumentHashes(k) {
			for _, in := range h.Inputs {
				if found == nil {
					found = p.ordered(t, in)
				}
			}
			if found == nil && t.Language == model.Go {
				found = p.iterated(t, h)
			}
		}
		if found == nil {
			return
		}
		at, fn := k.place(found)
		p.Report(k.about(Report{
			At: at, Fn: fn, Related: []Related{{k.event.Span, k.use()}},
			Message: fmt.Sprintf("%s hashes its arguments in the order in which they came: the same call in another order is another one", quote(t.Name)),
		}))
	})
}

// ordered finds the encoder on the way into a hash that writes an object of the caller's in the order that it came in, nil if there is none.
func (p *Pass) ordered(t *flow.Tool, v *flow.Term) (found *flow.Term) {
	p.Follow(v, func(u *flow.Term) bool {
		if found != nil || u.Kind != flow.TCall {
			return found == nil
		}
		c := p.Made(u)
		if c != nil && c.OriginRow != nil && (c.OriginRow.Origin.Kind == "canonical" || c.OriginRow.Origin.Lossy == "nested") {
			return false // sorted, or in the order of a list
		}
		if u.Name == "stringify" && c != nil && t.Language != model.Go {
			if len(c.Args) < 2 || c.Args[1].IsNullish() {
				if p.openObject(t, c.Args[0]) {
					found = u
				}
			}
			return false
		}
		return true
	})
	return found
}

// openObject reports whether a value is an object of the caller's with members that nobody has named: a repeat may have them in another order.
func (p *Pass) openObject(t *flow.Tool, v *flow.Term) bool {
	switch v.Kind {
	case flow.TInput, flow.TMember:
	case flow.TObject:
		for _, f := range v.Args {
			if p.openObject(t, f) {
				return true
			}
		}
		return false
	default:
		return false // put together by the program
	}
	for _, o := range p.Origins(v) {
		if o.Term != v {
			return false
		}
		switch {
		case o.Kind == flow.OriginBody:
			return o.Name == "" && t.Kind != flow.MCPTool
		case o.Kind != flow.OriginArguments:
			return false
		case !o.Whole:
			param := declared(t, o.Name)
			return param != nil && param.Kind() == flow.OpenKind
		case t.Kind == flow.HTTPRoute || t.Kind == flow.Webhook:
			return true
		case t.Row != nil && t.Row.Tool != nil && t.Row.Tool.Dispatch:
			return true // nothing has parsed them
		default:
			for i := range t.Params {
				if t.Params[i].Kind() == flow.OpenKind {
					return true
				}
			}
			return false
		}
	}
	return false
}

// iterated finds, among what a hash covers, a value that was met while going through a map of the caller's; nil where the tool sorts.
func (p *Pass) iterated(t *flow.Tool, h flow.Hashing) *flow.Term {
	if h.Call.Fn == nil || p.Sorts(h.Call.Fn) || t.HandlerFn != nil && p.Sorts(t.HandlerFn) {
		return nil
	}
	var found *flow.Term
	for _, in := range h.Inputs {
		p.Follow(in, func(u *flow.Term) bool {
			if found == nil && u.Kind == flow.TElement && u.Name != "key" && p.isWhole(u.Args[0]) {
				found = h.Call.Result
			}
			return found == nil
		})
	}
	return found
}

// isWhole reports whether a value is all arguments together.
func (p *Pass) isWhole(v *flow.Term) bool {
	for _, o := range p.Origins(v) {
		if o.Kind == flow.OriginArguments && o.Whole && o.Term == v {
			return true
		}
	}
	return false
}
