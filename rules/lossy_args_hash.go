package rules

import (
	"fmt"
	"slices"

	"github.com/retrysafe/retrysafe/analyzers/flow"
	"github.com/retrysafe/retrysafe/analyzers/lazyregexp"
	"github.com/retrysafe/retrysafe/analyzers/model"
)

var lossyArgsHash = &Rule{
	Name: "lossy-args-hash", Title: "Calls with different arguments look the same",
	Severity: Medium, CWE: 1023, Family: QualityFamily, Since: "0.1.0",
	Supersedes: []string{"unordered-args-hash", "weak-args-hash"},
	Text: `The hash or key that tells a repeat from a new call loses something on the way. A list of names as the second argument of JSON.stringify drops every nested key that is not among them;
String(obj) is ` + "`[object Object]`" + ` for all objects; a field that the effect uses is left out; a hash that is cut below 64 bits, or made by hand with 32, meets itself after some ten thousand calls;
an error of the encoder that is dropped leaves nothing to hash. A new payment is then taken for one that was made, and answered with its receipt.

HIGH where a stored result is given for it.

It is fine to leave out the key itself, ` + "`_meta`" + `, a dry-run flag and the language of the answer, and to name fields where the schema has no nested ones.`,
	Fix:   "Hash a canonical text of all arguments that reach the effect with SHA-256, and keep at least 64 bits of it.",
	Check: checkLossyArgsHash,
}

// enoughBits are the bits of a hash below which different arguments meet by accident.
const enoughBits = 64

// loss is something that a hash or key does not tell apart.
type loss struct {
	at   *flow.Term // where it happens
	text string
	// sure is how sure it is.
	sure model.Confidence
}

func checkLossyArgsHash(p *Pass) {
	p.eachRecogniser(func(t *flow.Tool, k *recogniser) {
		found := p.losses(t, k)
		if len(found) == 0 {
			return
		}
		severity := Medium
		if k.given {
			severity = High
		}
		at, fn := p.lossPlace(k, found[0])
		p.Report(k.about(Report{
			At: at, Fn: fn, Severity: severity, Confidence: min(k.event.Confidence, found[0].sure), Related: []Related{{k.event.Span, k.use()}},
			Message: fmt.Sprintf("%s tells calls apart by %s: others are taken for repeats", quote(t.Name), found[0].text),
		}))
	})
}

func (p *Pass) lossPlace(k *recogniser, l loss) (model.Span, *flow.Function) {
	if l.at == nil {
		for _, v := range k.values {
			var at model.Span
			var in *flow.Function
			p.Follow(v, func(u *flow.Term) bool {
				if span, fn, ok := p.JoinPlace(k.event, u); ok && u.Kind == flow.TConcat && !at.IsValid() {
					at, in = span, fn
				} else if h, ok := p.Hashed(u); ok && !at.IsValid() {
					at, in = h.Call.Span, h.Call.Fn
					if of := h.Inputs; len(of) == 1 && of[0].Site != nil && of[0].Site.Span.IsValid() {
						at, in = of[0].Site.Span, of[0].Site.Fn // the hash itself may be one for all
					}
				}
				return !at.IsValid()
			})
			if at.IsValid() {
				return at, in
			}
		}
	}
	return k.place(l.at)
}

// losses lists what a recogniser does not tell apart.
func (p *Pass) losses(t *flow.Tool, k *recogniser) []loss {
	var out []loss
	for _, v := range k.values {
		p.Follow(v, func(u *flow.Term) bool {
			if text := p.dropped(t, u); text != "" {
				out = append(out, loss{u, text, model.Certain})
			}
			if c := p.Made(u); u.Kind == flow.TCall && u.Name == "stringify" && c != nil && len(c.Args) > 0 && c.Args[0].Kind != flow.TObject && p.DropsError(c) {
				out = append(out, loss{u, "a text whose encoding may have failed, since the error is dropped", model.Possible}) // what was decoded can be encoded
			}
			if h, ok := p.Hashed(u); ok && h.Bits > 0 && h.Bits < enoughBits && p.anyOrigin(h.Inputs, isSupplied) {
				out = append(out, loss{u, fmt.Sprintf("%s of %d bits", hashText(h), h.Bits), model.Certain})
			}
			return true
		})
		for _, s := range p.Shortened(v) {
			if s.Bits < enoughBits && p.anyOrigin(s.Hash.Inputs, isSupplied) {
				out = append(out, loss{s.At, fmt.Sprintf("%d bits of a hash", s.Bits), model.Certain})
			}
		}
	}
	if names := p.leftOut(k); len(names) > 0 {
		out = append(out, loss{nil, "a key without " + argumentNames(names), model.Likely})
	}
	return out
}

// dropped tells what a step on the way into a hash leaves away, "" if nothing.
func (p *Pass) dropped(t *flow.Tool, u *flow.Term) string {
	switch {
	case u.Kind == flow.TCall:
		c := p.Made(u)
		switch {
		case c == nil:
			if (u.Name == "String" || u.Name == "toString") && t.Language != model.Go && len(u.Args) > 0 && p.isObject(u.Args[len(u.Args)-1]) {
				return "the text of an object, which is `[object Object]` for all of them"
			}
		case c.OriginRow != nil && c.OriginRow.Origin.Lossy == "nested" && p.nested(t, c.Args[0]):
			return "a text that lacks the nested keys, since a list of names keeps only those at every depth"
		case c.OriginRow != nil && c.OriginRow.Origin.Lossy == "address":
			return "the address of a value, not the value"
		}
	case u.Kind == flow.TConcat && t.Language != model.Go:
		if slices.ContainsFunc(u.Args, p.isObject) {
			return "the text of an object, which is `[object Object]` for all of them"
		}
	}
	return ""
}

// isObject reports whether a value is surely an object: one that is written out, or all arguments together.
func (p *Pass) isObject(v *flow.Term) bool {
	if v.Kind == flow.TObject {
		return true
	}
	if v.Kind != flow.TInput && v.Kind != flow.TMember {
		return false
	}
	for _, o := range p.Origins(v) {
		if o.Kind != flow.OriginArguments || !o.Whole || o.Term != v {
			return false
		}
	}
	return v.HasInput()
}

// nested reports whether what is encoded may have objects within it.
func (p *Pass) nested(t *flow.Tool, v *flow.Term) bool {
	flat := true
	for _, alt := range alternatives(v) {
		fields := []*flow.Term{alt}
		if alt.Kind == flow.TObject {
			fields = alt.Args
		}
		for _, f := range fields {
			for _, o := range p.Origins(f) {
				switch {
				case o.Kind == flow.OriginArguments && o.Whole && t.ParamsKnown && len(t.Params) > 0:
					for i := range t.Params {
						flat = flat && scalar(&t.Params[i])
					}
				case o.Kind == flow.OriginArguments && o.Name != "":
					param := declared(t, o.Name)
					flat = flat && param != nil && scalar(param)
				case isSupplied(o), o.Kind == flow.OriginUnknown:
					flat = false
				}
			}
		}
	}
	return !flat
}

func scalar(param *flow.Param) bool {
	switch param.Kind() {
	case flow.TextKind, flow.NumberKind, flow.BooleanKind, flow.ChoiceKind:
		return true
	}
	return false
}

// presentation matches the names of arguments that change how an answer looks or whether anything is done, not what is done.
var presentation = lazyregexp.New(`^(dryrun|preview|locale|lang|language|timezone|tz|format|outputformat|verbose|debug|fields|include|expand|traceid|correlationid|timeout|timeoutms)$`)

// leftOut lists the arguments that reach the effects and that neither the key nor what is compared holds, where one of them is made to tell calls apart by
// their arguments.
func (p *Pass) leftOut(k *recogniser) []string {
	r := k.replay
	if r == nil || len(r.effects) == 0 || k.compares != (r.class == suppliedKey) {
		return nil
	}
	if k.compares && !p.comparesHash(r) {
		return nil // unbound-args
	}
	return slices.DeleteFunc(p.freeArguments(r), func(name string) bool {
		return name == "" || presentation.MatchString(NormalName(lastPart(name)))
	})
}

// comparesHash reports whether a hash of arguments is compared with what was stored.
func (p *Pass) comparesHash(r *replay) bool {
	return p.anyOrigin(r.compared(), func(o flow.Origin) bool { return isSupplied(o) && o.Hashed != "" })
}
