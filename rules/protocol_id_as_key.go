package rules

import (
	"fmt"
	"strings"

	"github.com/retrysafe/retrysafe/analyzers/flow"
)

var protocolIDAsKey = &Rule{
	Name: "protocol-id-as-key", Title: "An id of the protocol is taken for the id of the operation",
	Severity: Medium, CWE: 639, Family: QualityFamily, Since: "0.1.0", Experimental: true,
	Text: `A repeat is recognised by a JSON-RPC id, a progress token, a session id or a counter. These name a message or a connection, not what is to be done. An agent whose call was lost sends it
again under another id, so the repeat is not recognised; ids restart at 0 or 1 in every connection, so the first call of another client meets the record of this one.

HIGH where a stored result is given for it. LOW for the id that a model gives a call of a tool: it is the same when a framework runs the call again, and another one when the model asks
again.

It is fine beside a key that the client sends, or the hash of the arguments.`,
	Fix:   "Take a key for the operation from the caller, or derive one from the caller and the arguments.",
	Check: checkProtocolIDAsKey,
}

func checkProtocolIDAsKey(p *Pass) {
	p.eachKey(func(t *flow.Tool, k *recogniser) {
		id, ok := p.onlyProtocolID(k.values)
		if !ok || id.Kind == flow.OriginSession && !k.given {
			return // done once in a session, on purpose
		}
		severity := Medium
		switch {
		case isToolCall(id):
			severity = Low
		case k.given:
			severity = High
		}
		at, fn := k.place(nil)
		for _, v := range k.values {
			if span, in, ok := p.joinOf(k.event, v); ok {
				at, fn = span, in
			}
		}
		p.Report(k.about(Report{
			At: at, Fn: fn, Severity: severity,
			Message: fmt.Sprintf("%s recognises a repeat by %s alone: a lost call comes again under another one%s",
				quote(t.Name), protocolText(id), restarts(id)),
		}))
	})
}

// onlyProtocolID finds the id of the protocol that is all that tells one operation from another in a key.
func (p *Pass) onlyProtocolID(values []*flow.Term) (id flow.Origin, ok bool) {
	for _, v := range values {
		for _, o := range p.Origins(v) {
			switch o.Kind {
			case flow.OriginProtocol, flow.OriginCounter:
				id, ok = o, true
			case flow.OriginSession:
				if !ok {
					id, ok = o, true
				}
			case flow.OriginConstant, flow.OriginEnv, flow.OriginCaller, flow.OriginClient, flow.OriginCredential, flow.OriginToolName:
			default:
				return flow.Origin{}, false
			}
		}
	}
	return id, ok
}

// isToolCall reports whether an id of the protocol is the one that a model gives a call of a tool.
func isToolCall(o flow.Origin) bool {
	n := NormalName(o.Name)
	return strings.Contains(n, "toolcall") || strings.Contains(n, "functioncall") || strings.Contains(n, "callid")
}

func protocolText(o flow.Origin) string {
	switch {
	case o.Kind == flow.OriginSession:
		return "the session"
	case o.Kind == flow.OriginCounter:
		return "a counter"
	case o.Name != "":
		return "the protocol's " + quote(lastPart(o.Name))
	}
	return "an id of the protocol"
}

func restarts(o flow.Origin) string {
	if isToolCall(o) || o.Kind == flow.OriginSession {
		return ""
	}
	return ", and a new connection counts from the start"
}
