package rules

import (
	"fmt"

	"github.com/retrysafe/retrysafe/analyzers/flow"
	"github.com/retrysafe/retrysafe/analyzers/lazyregexp"
	"github.com/retrysafe/retrysafe/analyzers/model"
)

var streamReplay = &Rule{
	Name: "stream-replay", Title: "A stream that is opened again starts anywhere",
	Severity: Low, CWE: 294, Family: EnvelopeFamily, Since: "0.1.0", Experimental: true, Pedantic: true, NeedsProgram: true,
	Text: `A route sends server-sent events with ids and never reads the ` + "`Last-Event-ID`" + ` header with which a client that lost the connection says what it has seen. The client gets events
again that it has had, or misses those in between, and cannot tell which: an agent that acts on events acts twice.

It is fine when the stream starts after the id that the client names, and when the events carry no ids, as those that only report progress.`,
	Fix:   "Read Last-Event-ID, refuse one that is unknown, and send what comes after it.",
	Check: checkStreamReplay,
}

var (
	streamType  = lazyregexp.New(`(?i)^text/event-stream`)
	eventIDLine = lazyregexp.New(`(^|\n)id: ?`)
	resumeName  = lazyregexp.New(`(?i)^last-?_?event-?_?id$`)
)

func checkStreamReplay(p *Pass) {
	if p.readsResumeID() {
		return
	}
	for _, t := range p.Tools {
		if t.Kind != flow.HTTPRoute {
			continue
		}
		fns := functionsOf(t)
		at, fn := textIn(fns, streamType)
		if !at.IsValid() {
			continue
		}
		if ids, _ := textIn(fns, eventIDLine); !ids.IsValid() {
			continue
		}
		p.Report(Report{At: at, Tool: t, Fn: fn, Confidence: model.Likely,
			Message: fmt.Sprintf("%s sends events with ids and never asks which the client has seen", quote(t.Name))})
	}
}

// readsResumeID reports whether the program names the header with which a client resumes a stream.
func (p *Pass) readsResumeID() bool {
	return p.anyOp(func(_ *model.Func, op *model.Op) bool {
		return op.Kind == model.Constant && op.Const.Kind == model.String && resumeName.MatchString(op.Const.Text) || op.Kind == model.Load && resumeName.MatchString(op.Name)
	})
}

// textIn finds the first text in some functions that matches.
func textIn(fns []*flow.Function, pattern *lazyregexp.Regexp) (model.Span, *flow.Function) {
	for _, fn := range fns {
		for i := range fn.Ops {
			if op := &fn.Ops[i]; op.Kind == model.Constant && op.Const.Kind == model.String && op.Span.IsValid() && pattern.MatchString(op.Const.Text) {
				return op.Span, fn
			}
		}
	}
	return model.Span{}, nil
}
