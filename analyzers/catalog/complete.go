package catalog

import "github.com/retrysafe/retrysafe/analyzers/model"

// incomplete lists what the sections of a row lack to mean something.
func incomplete(row *model.Row) []string {
	var lacks []string
	need := func(ok bool, what string) {
		if !ok {
			lacks = append(lacks, what)
		}
	}
	if e := row.Effect; e != nil && !e.Reply && !row.Refines {
		need(e.Kind != "" || len(e.Natures) > 0, "effect has no kind")
		need(e.Nature != "" || e.Verb != "" || e.DefaultVerb != "" || e.Selector != "" || row.Query != nil || row.Record != nil || len(row.Hosts) > 0,
			"effect has no nature, and neither verb nor selector to tell it")
		need(e.Selector == "" || len(e.Natures) > 0, "effect has a selector without natures")
		need(e.Selector != "" || len(e.Natures) == 0, "effect has natures without a selector")
	}
	if r := row.Record; r != nil {
		need(r.Op != "", "record has no op")
		need(r.TTL == "" || r.Unit != "", "record has a ttl without its unit")
	}
	if q := row.Query; q != nil {
		need(q.Language != "", "query has no language")
		need(q.Text != "", "query has no text")
	}
	if t := row.Tool; t != nil {
		need(t.Kind != "", "tool has no kind")
		need(t.Framework != "", "tool has no framework")
		need(t.Handler != "" || t.Each != "", "tool has neither handler nor each")
		need(!t.Dispatch || t.DispatchName != "", "tool dispatches without dispatchName")
		need(!t.List || t.Tools != "", "tool lists without tools")
		need(t.Properties == nil || t.Properties.At != "" && t.Properties.Name != "", "the tool's properties need at and name")
		for _, h := range t.Hints {
			need(h.Name != "" && h.At != "", "a hint needs name and at")
		}
	}
	if r := row.Route; r != nil {
		need(r.Framework != "", "route has no framework")
		need(r.Handlers != "" || r.Declares, "route has no handlers")
	}
	if o := row.Origin; o != nil {
		need(o.Kind != "", "origin has no kind")
	}
	if c := row.Check; c != nil {
		need(c.Kind != "", "check has no kind")
		need(c.Kind != "order" || c.Of != "" && c.With != "", "a check of the order needs of and with")
	}
	if p := row.Primitive; p != nil {
		need(p.Name != "", "primitive has no name")
	}
	if r := row.Retry; r != nil {
		need((r.Callback != "") != (r.Client != ""), "retry needs either a callback or a client")
	}
	if t := row.Transport; t != nil {
		need(t.Kind != "", "transport has no kind")
	}
	if s := row.Scheme; s != nil {
		need(s.Vendor != "", "scheme has no vendor")
	}
	if i := row.Input; i != nil {
		need(i.Role != "", "input has no role")
	}
	for _, w := range row.When {
		need(w.At != "", "a condition has no at")
		need(len(w.Is)+len(w.Equals)+len(w.Only)+len(w.Has)+len(w.HasAny)+len(w.Lacks)+len(w.Symbol) > 0 || w.Matches != "" || w.Surely != "", "a condition asks nothing")
	}
	for _, h := range row.Hosts {
		need(h.Name != "", "a host has no name")
		need(h.Name != model.AnyHost || h.Path != "", "a row about any host has no path")
	}
	for _, w := range row.Sets {
		need(w.At != "" && w.Value != "" && (w.Name != "") != (w.Key != ""), "sets needs at, value, and either name or key")
	}
	for _, f := range row.Fills {
		need(f.At != "" && f.From != "", "fills needs at and from")
	}
	for _, r := range row.Runs {
		need(r.Of != "" && len(r.Methods) > 0, "runs needs of and methods")
	}
	for _, g := range row.Gives {
		need(g.At != "" && g.Symbol != "", "gives needs at and symbol")
	}
	return lacks
}
