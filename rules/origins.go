package rules

import (
	"slices"
	"strings"

	"github.com/retrysafe/retrysafe/analyzers/flow"
)

// from reports whether one of the values comes from one of the kinds of origins.
func (p *Pass) from(values []*flow.Term, kinds ...flow.OriginKind) bool {
	return p.anyOrigin(values, func(o flow.Origin) bool { return slices.Contains(kinds, o.Kind) })
}

func (p *Pass) anyOrigin(values []*flow.Term, want func(flow.Origin) bool) bool {
	for _, v := range values {
		for _, o := range p.Origins(v) {
			if want(o) {
				return true
			}
		}
	}
	return false
}

// isCaller reports whether the value carries who the caller is, as far as the server knows it: the authenticated user, its credential, or the
// session that the server gave it. An application's id is none.
func (p *Pass) isCaller(v *flow.Term) bool {
	return p.from([]*flow.Term{v}, flow.OriginCaller, flow.OriginCredential, flow.OriginSession)
}

// isClock reports whether the value comes from the clock.
func (p *Pass) isClock(v *flow.Term) bool { return p.from([]*flow.Term{v}, flow.OriginClock) }

// isSupplied reports whether an origin is something that the caller sends.
func isSupplied(o flow.Origin) bool {
	switch o.Kind {
	case flow.OriginArguments, flow.OriginHeader, flow.OriginBody:
		return true
	}
	return false
}

// isSuppliedKey reports whether an origin is a key that the caller sends.
func isSuppliedKey(o flow.Origin) bool { return isSupplied(o) && isKeyName(o.Name) }

// isFresh reports whether an origin is another value on every call.
func isFresh(k flow.OriginKind) bool {
	switch k {
	case flow.OriginRandom, flow.OriginWeakRandom, flow.OriginTimeID, flow.OriginClock, flow.OriginCounter:
		return true
	}
	return false
}

// covers reports whether the value carries the argument called name: by itself, as part of it, or within all arguments.
func (p *Pass) covers(v *flow.Term, name string) bool {
	for _, o := range p.Origins(v) {
		if o.Kind != flow.OriginArguments && o.Kind != flow.OriginBody {
			continue
		}
		if o.Whole || o.Name == name || o.Name == "" || strings.HasPrefix(name, o.Name+".") || strings.HasPrefix(o.Name, name+".") {
			return true
		}
	}
	return false
}

// arguments lists the arguments that reach a call, keys and protocol data left out. "" stands for all of them together.
func (p *Pass) arguments(c *flow.Call) []string {
	var names []string
	values := c.Args
	if c.Recv != nil {
		values = append([]*flow.Term{c.Recv}, values...)
	}
	for _, v := range values {
		for _, o := range p.Origins(v) {
			if o.Kind != flow.OriginArguments && o.Kind != flow.OriginBody {
				continue
			}
			if isKeyName(o.Name) || isNonceName(o.Name) || strings.HasPrefix(o.Name, "_meta") {
				continue
			}
			if !slices.Contains(names, o.Name) {
				names = append(names, o.Name)
			}
		}
	}
	slices.Sort(names)
	return names
}

// alternatives gives the values that a term may be, none for nil.
func alternatives(t *flow.Term) []*flow.Term {
	if t == nil {
		return nil
	}
	return t.Alternatives()
}

// isEmpty reports whether a value is nothing: null, undefined or the empty text.
func isEmpty(t *flow.Term) bool {
	if t == nil || t.IsNullish() {
		return true
	}
	text, ok := t.Text()
	return ok && text == ""
}

// isAbsent reports whether a value is certainly nothing on every way.
func isAbsent(t *flow.Term) bool {
	for _, alt := range alternatives(t) {
		if !isEmpty(alt) {
			return false
		}
	}
	return true
}

// freshValue reports whether a value is another one on every call: it holds randomness, or the clock or a counter and nothing that
// a repeat would have in common with the first call.
func (p *Pass) freshValue(v *flow.Term) bool {
	stable := false
	for _, o := range p.Origins(v) {
		switch {
		case o.Kind == flow.OriginRandom || o.Kind == flow.OriginWeakRandom || o.Kind == flow.OriginTimeID:
			return true
		case !isFresh(o.Kind) && o.Kind != flow.OriginConstant && o.Kind != flow.OriginEnv:
			stable = true
		}
	}
	return !stable && p.from([]*flow.Term{v}, flow.OriginClock, flow.OriginCounter)
}
