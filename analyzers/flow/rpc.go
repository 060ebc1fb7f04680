package flow

import (
	"maps"
	"slices"
	"strings"

	"github.com/retrysafe/retrysafe/analyzers/model"
)

// Some programs speak a protocol of agents by hand: a line or a body is decoded, its method compared with the names of the protocol, and for a call of a
// tool the name that stands in the parameters with those of the tools. The methods that a protocol knows stand in rows.

// methodRows gives the rows that speak of a method of a JSON-RPC protocol: of jsonrpc/tools/call#method.
func (e *engine) methodRows(method string) []*model.Row {
	return e.rowsOf("jsonrpc/" + method + "#method")
}

// methodName matches what holds the method of a request, paramsName what holds its parameters.
func methodName(name string) bool { return strings.EqualFold(name, "method") }
func paramsName(name string) bool { return strings.EqualFold(name, "params") }

// protocolServer is a function that tells methods of protocols apart.
type protocolServer struct {
	fn      *Function
	ops     []model.ID // those that give the method
	handler *Term
	methods map[string]model.Span // those that rows speak of
}

// matchProtocols finds the functions that serve a protocol by hand, and registers what they serve. Of several of a package that know the same method, the
// one counts that knows most: the others only look at a request before they hand it on.
func (e *engine) matchProtocols() {
	var servers []*protocolServer
	for _, u := range e.p.units {
		for _, f := range u.funcs {
			if ops := e.methodOps(f); len(ops) > 0 {
				if s := e.protocolServer(f, ops); len(s.methods) > 0 {
					servers = append(servers, s)
				}
			}
		}
	}
	slices.SortStableFunc(servers, func(a, b *protocolServer) int { return len(b.methods) - len(a.methods) })
	served := map[string]bool{}
	for _, s := range servers {
		for _, method := range slices.Sorted(maps.Keys(s.methods)) {
			if key := s.fn.Unit.Package + " " + method; e.methodRow(method).Tool.Dispatch || !served[key] {
				served[key] = true
				e.serve(s, method)
			}
		}
	}
}

// methodOps lists the operations of a function that give the method of a request which it compares with several names, or looks up in a table.
func (e *engine) methodOps(f *Function) []model.ID {
	var ops []model.ID
	compared := 0
	named := func(id model.ID) bool { return methodName(f.names(id)) }
	for i := range f.Ops {
		op := &f.Ops[i]
		switch {
		case op.Kind == model.Compare && len(op.Args) == 2 && (op.Name == "==" || op.Name == "!="):
			for side, id := range op.Args {
				if !named(id) {
					continue
				}
				if other := op.Args[1-side]; other < 0 || f.Ops[other].Kind == model.Constant && len(e.methodRows(f.Ops[other].Const.Text)) == 0 {
					continue // GET, POST; initialize
				}
				compared++
				if !slices.Contains(ops, id) {
					ops = append(ops, id)
				}
			}
		case op.Kind == model.Load && op.Name == "" && len(op.Args) == 2 && named(op.Args[1]):
			compared++
			if !slices.Contains(ops, op.Args[1]) {
				ops = append(ops, op.Args[1])
			}
		}
	}
	if compared == 0 {
		return nil
	}
	return ops
}

// protocolServer evaluates a function to see which methods of protocols it tells apart.
func (e *engine) protocolServer(f *Function, ops []model.ID) *protocolServer {
	probe := e.intern(Term{Kind: TInput, Name: "method", Keys: []string{"rpc", "probe"}})
	if probe.Input == nil {
		probe.Input = &model.Input{Role: model.ProtocolInput}
	}
	s := &protocolServer{fn: f, ops: ops, handler: e.chosenBy(f)}
	s.methods = e.askedBy(s.handler, e.assumption(f, probe, ops), probe)
	if len(s.methods) == 0 && closureOf(s.handler) != f {
		s.handler = e.closureAlone(f)
		s.methods = e.askedBy(s.handler, e.assumption(f, probe, ops), probe)
	}
	maps.DeleteFunc(s.methods, func(method string, _ model.Span) bool { return e.methodRow(method) == nil })
	return s
}

// methodRow gives the row that says what a method of a protocol is, nil where none does.
func (e *engine) methodRow(method string) *model.Row {
	for _, row := range e.methodRows(method) {
		if row.Tool != nil && len(row.Tool.Parameters) > 0 {
			return row
		}
	}
	return nil
}

// serve registers a method of a protocol, or the tools behind one that calls tools.
func (e *engine) serve(s *protocolServer, method string) {
	row := e.methodRow(method)
	reg := &registration{row: row, call: e.protocolCall(s.fn, s.methods[method]), kind: ToolKind(row.Tool.Kind), framework: row.Tool.Framework, name: method,
		handler: s.handler, params: row.Tool.Parameters, confidence: model.Likely}
	assume := func() *assumption {
		a := e.assumption(s.fn, e.text(method), s.ops)
		a.input, a.called = e.inputTerm(row, 0, &row.Tool.Parameters[0]), paramsName
		return a
	}
	if row.Tool.Dispatch {
		e.serveTools(reg, assume)
		return
	}
	reg.assume = assume()
	e.addTool(reg, reg.call.Span)
}

// serveTools registers the tools whose names a hand-written server compares with the one that a call gives.
func (e *engine) serveTools(served *registration, assume func() *assumption) {
	probe := e.intern(Term{Kind: TInput, Name: "tool", Keys: []string{"rpc", "probe"}})
	if probe.Input == nil {
		probe.Input = &model.Input{Role: model.ToolNameInput}
	}
	probing := assume()
	probing.tool = probe
	names := e.askedBy(served.handler, probing, probe)
	if len(names) == 0 {
		e.unresolved = append(e.unresolved, model.Note{Span: served.call.Span, What: "tools are served here, and no name that is compared with was found: they are not judged"})
		return
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		reg := *served
		reg.name = name
		reg.assume = assume()
		reg.assume.tool = e.text(name)
		span := names[name]
		if ref := e.describedTool(name); ref != nil {
			acc := &accessor{e: e, st: e.bare}
			reg.description = acc.over(ref, "Member[description] | Member[Description]")
			reg.schema = acc.over(ref, "Member[inputSchema] | Member[InputSchema] | Member[input_schema] | Member[parameters]")
			reg.annotations = acc.over(ref, "Member[annotations] | Member[Annotations]")
			if at, ok := e.definedAt(e.bare, ref, []string{"name", "Name"}); ok {
				span = at
			}
		}
		if !span.IsValid() {
			span = served.call.Span
		}
		e.addTool(&reg, span)
	}
}

// describedTool finds the description of a tool in what the program made when it started: an object with its name and a schema.
func (e *engine) describedTool(name string) *Term {
	for _, ref := range sortedRefs(e.heap.global) {
		o := e.heap.global[ref]
		if ref.Kind != TRef || o.kind != plainObject && o.kind != instanceObject {
			continue
		}
		named, described := false, false
		for i, k := range o.keys {
			switch strings.ToLower(k) {
			case "name":
				text, ok := o.vals[i].Text()
				named = ok && text == name
			case "inputschema", "input_schema", "parameters":
				described = true
			}
		}
		if named && described {
			return ref
		}
	}
	return nil
}

// protocolCall stands for the call that registers what a function serves: there is none.
func (e *engine) protocolCall(f *Function, at model.Span) *Call {
	if !at.IsValid() {
		at = f.Span
	}
	return &Call{Fn: f, Span: at}
}

// askedBy evaluates a function under an assumption and gives the texts that the probe is compared with, with their places.
func (e *engine) askedBy(handler *Term, assume *assumption, probe *Term) map[string]model.Span {
	e.probe, e.probed, e.assume = probe, map[string]model.Span{}, assume
	e.commit(e.enter(handler, e.chooserArgs(closureOf(handler))))
	names := e.probed
	e.probe, e.probed, e.assume = nil, nil, nil
	return names
}
