package flow

import (
	"slices"
	"strings"

	"github.com/retrysafe/retrysafe/analyzers/model"
)

// methods are the HTTP methods that a request may have.
type methods struct {
	known  []string // in upper case
	chosen bool     // some of them are the caller's choice
	any    bool     // the caller may choose others, too
	unseen bool     // it may have a method that comes from something that is not seen
}

func (m *methods) add(text string) {
	if text = strings.ToUpper(strings.TrimSpace(text)); !slices.Contains(m.known, text) {
		m.known = append(m.known, text)
	}
}

func (m *methods) join(n methods) {
	for _, text := range n.known {
		m.add(text)
	}
	m.chosen = m.chosen || n.chosen
	m.any = m.any || n.any
	m.unseen = m.unseen || n.unseen
}

// only leaves the methods that are among allowed.
func (m methods) only(allowed []string) methods {
	out := methods{chosen: m.chosen}
	for _, text := range allowed {
		text = strings.ToUpper(text)
		if m.any || m.unseen || slices.Contains(m.known, text) {
			out.add(text)
		}
	}
	return out
}

// worst gives the known method that matters most when it is sent twice, "" where none is known.
func (m methods) worst() string {
	verb, rank := "", -1
	for _, text := range m.known {
		if r := verbNature(text).Rank(); r > rank {
			verb, rank = text, r
		}
	}
	return verb
}

// bodiless reports whether a request surely has a method that sends no body.
func (m methods) bodiless() bool {
	if m.any || m.unseen || len(m.known) == 0 {
		return false
	}
	for _, text := range m.known {
		if text != "GET" && text != "HEAD" {
			return false
		}
	}
	return true
}

// methodsOfRequest gives the methods that a request may have on any way to it, v being the value that tells the method and def what stands for a
// method that is absent.
func (e *engine) methodsOfRequest(ev *Event, v *Term, def string) methods {
	var out methods
	paths := ev.Paths
	if len(paths) == 0 || len(paths) >= 2*maxPaths {
		paths = []Path{{}} // there may be other ways than those that were kept
	}
	for _, p := range paths {
		out.join(e.methodsOn(p, ev.Tool, v, def))
	}
	if len(out.known) == 0 && !out.any && !out.unseen {
		return e.methodsOf(Path{}, ev.Tool, v, def) // no way is open: what decides them was not understood
	}
	return out
}

// methodsOn gives the methods that a value may be on one way.
func (e *engine) methodsOn(p Path, t *Tool, v *Term, def string) methods {
	m := e.methodsOf(p, t, v, def)
	if v.Kind == TConst {
		return m
	}
	for _, c := range p.Conds {
		if l, ok := e.limitOf(c); ok {
			if l.of == v {
				m = m.only(l.texts)
			}
			continue
		}
		if cond := c.Term; cond.Kind == TOp && len(cond.Args) == 2 && cond.Args[0] == v && (cond.Name == "==" || cond.Name == "!=") {
			if text, ok := cond.Args[1].Text(); ok {
				if i := slices.Index(m.known, strings.ToUpper(text)); i >= 0 && len(m.known) > 1 {
					m.known = slices.Delete(slices.Clone(m.known), i, i+1)
				}
			}
		}
	}
	return m
}

func (e *engine) methodsOf(p Path, t *Tool, v *Term, def string) methods {
	var m methods
	switch v.Kind {
	case TConst:
		switch text, ok := v.Text(); {
		case v.IsNullish(), ok && text == "":
			m.add(def)
		case ok:
			m.add(text)
		default:
			m.unseen = true
		}
		return m
	case TUnion:
		for _, alt := range v.Args {
			m.join(e.methodsOn(p, t, alt, def))
		}
		return m
	case TCast:
		return e.methodsOn(p, t, v.Args[0], def)
	case TCall:
		switch v.Name {
		case "toUpperCase", "toLowerCase", "trim", "toString", "ToUpper", "ToLower", "TrimSpace", "String":
			of := v.Args[0]
			if len(v.Args) == 2 {
				of = v.Args[1]
			}
			if len(v.Args) <= 2 && !of.IsNullish() {
				return e.methodsOn(p, t, of, def)
			}
		}
	}
	if texts, free, ok := e.chosenTexts(t, v); ok {
		m.chosen, m.any = true, free
		for _, text := range texts {
			if text == "" {
				text = def
			}
			m.add(text)
		}
		return m
	}
	m.unseen = true
	return m
}

// chosenTexts gives the texts that an argument of a tool may be: those that the schema names, and any other where free is set; "" where it may be
// absent. ok is false where v is no argument.
func (e *engine) chosenTexts(t *Tool, v *Term) (texts []string, free, ok bool) {
	if t == nil || inputRoot(v) == nil {
		return nil, false, false
	}
	role, name := e.inputRole(v)
	if role != model.ArgumentsInput || name == "" {
		return nil, false, false
	}
	for _, p := range t.Params {
		if strings.EqualFold(p.Name, name) {
			texts, ok := allowedTexts(p.Schema)
			if !p.Required {
				texts = append(texts, "")
			}
			return texts, !ok, true
		}
	}
	if t.ParamsKnown && len(t.Params) > 0 && !strings.Contains(name, ".") {
		return []string{""}, false, true // the framework hands on what the schema declares
	}
	return nil, true, true
}
