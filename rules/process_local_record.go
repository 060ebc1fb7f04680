package rules

import (
	"fmt"
	"slices"

	"github.com/retrysafe/retrysafe/analyzers/flow"
	"github.com/retrysafe/retrysafe/analyzers/model"
)

var processLocalRecord = &Rule{
	Name: "process-local-record", Title: "Repeats are recognised by the memory of one process",
	Severity: Low, CWE: 1250, Family: RecordFamily, Since: "0.1.0", NeedsProgram: true,
	Text: `The keys that were seen are kept in a map of the process. A server that is reached over the network is restarted and deployed, and often runs as several instances: a repeat
that reaches another one, or comes after the restart, finds nothing and acts again.

MEDIUM where the effect moves money, and where what is kept are the nonces of signed requests.

It is fine when the program serves one local caller over stdio, or keeps the same records in a store that outlives the process as well.`,
	Fix:   "Keep the records in a store that all instances share and that outlives them.",
	Check: checkProcessLocalRecord,
}

func checkProcessLocalRecord(p *Pass) {
	for _, t := range p.Tools {
		if t.Kind == flow.Exported {
			continue // whose process it is, and which store of a library it takes, others decide
		}
		checkLocalNonces(p, t)
		if !p.judged(t) || !p.servedOverNetwork(t) {
			continue
		}
		for _, w := range p.memories(t) {
			rep := Report{At: madeAt(w.record), Event: w.record.Event, Records: []*flow.Record{w.record}, Confidence: w.confidence(),
				Related: []Related{{w.record.Span, "repeats are recognised here"}},
				Message: fmt.Sprintf("%s recognises repeats by a map of this process: after a restart, or on another instance, a repeat %s again", quote(t.Name), w.guarded()),
			}
			if movesMoney(w.effects) {
				rep.Severity = Medium
			}
			p.Report(rep)
		}
	}
}

// servedOverNetwork reports whether the tool is reached over a network.
func (p *Pass) servedOverNetwork(t *flow.Tool) bool {
	if t.Kind == flow.HTTPRoute || t.Kind == flow.Webhook {
		return true
	}
	return p.Index != nil && slices.ContainsFunc(p.Transports, func(u flow.TransportUse) bool { return u.Kind != "stdio" })
}

// memories lists the lookups of a tool in maps of the process that recognise repeats beyond the running call. A map before a lasting store only saves a
// request, and one whose entries go when the call ends only joins calls that run at once.
func (p *Pass) memories(t *flow.Tool) []*watch {
	var out []*watch
	for _, w := range p.watches(t) {
		if !w.record.Local {
			return nil
		}
		if len(t.Writes(w.record.Store)) > 0 && (w.byRole || p.holdsKey(w)) && p.leaves(w) && !p.endsWithCall(w) &&
			!slices.ContainsFunc(out, func(o *watch) bool { return o.record.Store == w.record.Store }) {
			out = append(out, w)
		}
	}
	return out
}

// endsWithCall reports whether the entry of the running call is removed when it ends, however that is: an entry that only a failed call takes out stays.
func (p *Pass) endsWithCall(w *watch) bool {
	if !p.releasedAfter(w) {
		return false
	}
	for _, ret := range w.tool.Returns {
		if done, released := p.endOf(w, ret.Path); !ret.Throws && done && !released {
			return false
		}
	}
	return true
}

// endOf tells whether a way comes to an effect, and whether it takes the entry out after it.
func (p *Pass) endOf(w *watch, path flow.Path) (done, released bool) {
	for _, b := range path.Before {
		switch {
		case b.Failed:
		case slices.ContainsFunc(w.effects, func(e *flow.Effect) bool { return e.Call == b.Call }):
			done, released = true, false
		case slices.ContainsFunc(w.tool.Records, func(rec *flow.Record) bool {
			return rec.Call == b.Call && rec.Op == model.Release && rec.Store == w.record.Store
		}):
			released = true
		}
	}
	return done, released
}

// releasedAfter reports whether the entry of the running call is removed after an effect on some way.
func (p *Pass) releasedAfter(w *watch) bool {
	for _, rec := range w.tool.Records {
		if rec.Op != model.Release || rec.Store != w.record.Store {
			continue
		}
		for _, path := range rec.Paths {
			after := slices.ContainsFunc(w.effects, func(e *flow.Effect) bool {
				return path.Made(e.Call) && !failed(path, e.Call) && (w.record.Op != model.Lookup || len(writtenBefore(w.tool, rec.Store, e)) > 0)
			})
			if after {
				return true
			}
		}
	}
	return false
}

// madeAt gives the place where a store of the process is made, or where it is asked if that is not known.
func madeAt(rec *flow.Record) model.Span {
	if rec.Recv != nil && rec.Fn != nil && rec.Fn.Unit.Language != model.Go { // a map of Go is made with what it is a part of
		for _, alt := range rec.Recv.Alternatives() {
			if alt.Kind == flow.TRef && alt.Site != nil && alt.Site.Span.IsValid() {
				return alt.Site.Span
			}
		}
	}
	return rec.Span
}
