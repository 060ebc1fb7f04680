package flow

import (
	"strings"

	"github.com/retrysafe/retrysafe/analyzers/model"
)

// shape says by which row a function is a handler: its parameters are those of the row, from one on; or it wraps one.
type shape struct {
	row   *model.Row
	from  int  // the function's parameter that is the row's first
	at    int  // the row's parameter that the function's is
	wraps bool // takes the handler that comes after it, and gives one
}

// mayHandle reports whether a function has the shape of a handler by its declared types, or hands one to what makes handlers.
func (x *exporter) mayHandle(f *Function) bool {
	e := x.e
	if f.Index == 0 {
		return false
	}
	if e.shapeByTypes(f) != nil || e.handlerType(f.Result) != nil {
		return true
	}
	for i := range f.Ops {
		op := &f.Ops[i]
		if op.Kind == model.Call && len(op.Args) > 0 && op.Args[0] >= 0 && e.declaresHandler(outsideSymbol(f.Func, op.Args[0])) != nil {
			return true
		}
	}
	return false
}

// declaresHandler gives the row that says of a symbol that it is a type of handlers, or gives one.
func (e *engine) declaresHandler(symbol string) *model.Row {
	if symbol == "" {
		return nil
	}
	for _, r := range e.rowsOf(strings.TrimSuffix(symbol, "()")) {
		if r.Route != nil && r.Route.Declares {
			return r
		}
	}
	return nil
}

// handlerType gives the row of a declared type of handlers.
func (e *engine) handlerType(typ *model.TypeRef) *model.Row {
	return e.declaresHandler(e.namedType(typ))
}

// namedType gives the symbol of a declared type, also of one that the program declares itself: the framework's own repository has handlers too.
func (e *engine) namedType(typ *model.TypeRef) string {
	if typ == nil {
		return ""
	}
	if sym := e.p.symbolOf(typ); sym != "" {
		return sym
	}
	if u := e.p.byPath[typ.Unit]; u != nil && u.Language == model.Go {
		return typ.Unit + "#" + typ.Name
	}
	return ""
}

// declareHandlers keeps that functions were handed to what makes handlers of them.
func (e *engine) declareHandlers(args []*Term, r *model.Row) {
	for _, arg := range args {
		for _, alt := range arg.Alternatives() {
			if fn := closureOf(alt); fn != nil {
				if e.declaredAs == nil {
					e.declaredAs = map[*Function]*model.Row{}
				}
				e.declaredAs[fn] = r
			}
		}
	}
}

// handlerShape tells how a value is a handler, nil where it is none: by what its framework calls made it, the type that it is declared with, or
// the types of its parameters.
func (e *engine) handlerShape(fn *Function, typed *model.TypeRef) *shape {
	if r := e.declaredAs[fn]; r != nil {
		return &shape{row: r}
	}
	if s := e.shapeByTypes(fn); s != nil {
		return s
	}
	if r := e.handlerType(typed); r != nil && len(fn.Params) <= len(r.Route.Parameters) {
		return &shape{row: r}
	}
	return nil
}

// shapeByTypes is handlerShape by the declared types of the parameters, or by the three names by which everybody calls them.
func (e *engine) shapeByTypes(fn *Function) *shape {
	if len(fn.Params) == 1 {
		if r := e.handlerType(fn.Params[0].Type); r != nil && (fn.Result == nil || e.handlerType(fn.Result) != nil) {
			return &shape{row: r, wraps: true}
		}
	}
	for i := range fn.Params {
		sym := e.namedType(fn.Params[i].Type)
		if sym == "" {
			continue
		}
		for _, r := range e.shapes {
			for k := range r.Route.Parameters {
				in := &r.Route.Parameters[k]
				if in.Type != "" && in.Role != model.ResponseInput && sameType(in.Type, sym) {
					return &shape{row: r, from: max(i-k, 0), at: max(k-i, 0)}
				}
			}
		}
	}
	return nil
}

// sameType reports whether two symbols name one type of a framework, whatever its major version.
func sameType(a, b string) bool {
	if a == b {
		return true
	}
	pa, ta, _ := strings.Cut(a, "#")
	pb, tb, _ := strings.Cut(b, "#")
	return ta == tb && withoutMajor(pa) == withoutMajor(pb)
}

// withoutMajor drops the major version from the path of a Go module.
func withoutMajor(path string) string {
	i := strings.LastIndex(path, "/v")
	if i < 0 || i+2 == len(path) || strings.Trim(path[i+2:], "0123456789") != "" {
		return path
	}
	return path[:i]
}

// restOfRoute is the symbol of what comes after a middleware that nothing mounts.
const restOfRoute = "route#next"

// enterHandler evaluates a handler with the inputs of its framework.
func (e *engine) enterHandler(v *Term, fn *Function, s *shape) *Summary {
	rt := s.row.Route
	rest := e.symbol(restOfRoute)
	inputs := make([]*Term, len(rt.Parameters))
	handed := false
	for i := range rt.Parameters {
		if in := &rt.Parameters[i]; in.Next || in.Role == model.NextInput {
			inputs[i] = e.intern(Term{Kind: TOp, Name: "next", Args: []*Term{e.tuple(), e.tuple()}})
			handed = true
		} else {
			inputs[i] = e.inputTerm(s.row, i, in)
		}
	}
	if s.wraps {
		return e.enter(e.intern(Term{Kind: TOp, Name: "wrapped", Args: []*Term{e.tuple(v), rest}}), inputs)
	}
	next := e.nextTerm([]*Term{rest}, inputs)
	args := e.symbolic(fn)
	for i := range args {
		k := i - s.from + s.at
		switch {
		case k >= 0 && k < len(inputs) && i >= s.from:
			args[i] = inputs[k]
			if inputs[k].Kind == TOp {
				args[i] = next
			}
		case e.handlerType(fn.Params[i].Type) != nil:
			args[i] = rest // ServeHTTP(w, r, next)
		}
	}
	if !handed {
		left := e.intern(Term{Kind: TRef, Name: "chain", Site: e.site(fn, model.None)})
		e.chain = &chain{left: left, inputs: args} // a handler that returns hands on where it is a middleware, which nothing says here
		defer func() { e.chain = nil }()
		return e.enter(e.nextTerm([]*Term{v, rest}, args), args)
	}
	return e.enter(v, args)
}
