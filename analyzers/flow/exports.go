package flow

import (
	"sort"
	"strings"

	"github.com/retrysafe/retrysafe/analyzers/model"
)

// registerExports finds tools and routes that a framework recognises by what a file exports: `export default { fetch }`,
// `export async function POST` in a route file.
func (e *engine) registerExports() {
	e.steps = min(initSteps, e.total/initShare)
	for _, u := range e.p.units {
		names := make([]string, 0, len(u.exports))
		for n := range u.exports {
			names = append(names, n)
		}
		sort.Strings(names)
		for _, n := range names {
			sym := "export#" + n
			wanted := len(e.rowsOf(sym)) > 0 || n == "default" || n == "actions"
			if !wanted {
				continue
			}
			value := e.exportedFrom(u, n, 0)
			if value == nil {
				continue
			}
			e.registerExport(u, sym, n, value)
			for _, v := range value.Alternatives() {
				obj := e.heap.global[v]
				if obj == nil {
					continue
				}
				for i, key := range obj.keys {
					if len(e.rowsOf(sym+"."+key)) > 0 {
						e.registerExport(u, sym+"."+key, key, obj.vals[i])
					}
				}
				if obj.class != nil && obj.class.Decl != nil {
					for _, m := range obj.class.Decl.Members {
						if m.Func > 0 && len(e.rowsOf(sym+"."+m.Name)) > 0 {
							if method := e.classMember(v, obj.class, m.Name, 0); method != nil {
								e.registerExport(u, sym+"."+m.Name, m.Name, method)
							}
						}
					}
				}
			}
		}
	}
}

func (e *engine) registerExport(u *Unit, sym, name string, value *Term) {
	if len(u.funcs) == 0 {
		return
	}
	fn := u.funcs[0]
	acc := &accessor{e: e, st: e.bare, name: name, sym: sym, fn: fn, result: value}
	for _, r := range e.rowsOf(sym) {
		if r.Route == nil && r.Tool == nil || !acc.matches(r) {
			continue
		}
		span := model.Span{File: u.Path, Line: 1, Col: 1, EndLine: 1, EndCol: 1}
		if targets, _ := e.handlerTargets(value); len(targets) > 0 {
			if f := closureOf(targets[0]); f != nil && f.Unit == u {
				span = f.Span
			}
		}
		call := &Call{Symbol: sym, Callee: name, Site: e.site(fn, -1), Span: span, Fn: fn, Result: value}
		if r.Tool != nil && r.Tool.Each != "" {
			if group := acc.first(r.Tool.Each); group != nil {
				e.registerEach(e.bare, r, call, group, acc)
			}
			return
		}
		if r.Tool != nil {
			if reg := e.define(e.bare, r, call, acc, nil, ""); reg != nil {
				if reg.name == "" {
					base := u.Path[strings.LastIndexByte(u.Path, '/')+1:]
					reg.name, _, _ = strings.Cut(base, ".")
				}
				e.addTool(reg, span)
			}
			return
		}
		e.registerRoute(&callSite{}, e.bare, r, call, acc)
		return
	}
}
