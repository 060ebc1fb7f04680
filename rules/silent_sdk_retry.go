package rules

import (
	"fmt"

	"github.com/retrysafe/retrysafe/analyzers/flow"
)

var silentSDKRetry = &Rule{
	Name: "silent-sdk-retry", Title: "The client sends the call again by itself",
	Severity: Low, CWE: 837, Family: QualityFamily, Since: "0.1.0",
	Text: `The client library tries failed requests again by default, those that add something included, and sends no key by which the service could tell that the second
one is the same. Nothing in the source says so: a slow answer of the service is enough to make two of what the tool was asked for once.

It is fine when retries are switched off for this client, when a key is passed, and when the library sends one key with all attempts.`,
	Fix:   "Switch the retries of this client off, restrict them to what is refused before it is processed, or pass the service's key.",
	Check: checkSilentSDKRetry,
}

func checkSilentSDKRetry(p *Pass) {
	p.retried(func(t *flow.Tool, e *flow.Effect, retries []*flow.Retry) {
		last := retries[len(retries)-1]
		if last.Kind != flow.DefaultRetry || !isAbsent(e.Key) || e.Spec != nil && e.Spec.AutoKey {
			return
		}
		var related []Related
		if last.Span != e.Span {
			related = []Related{{last.Span, "the client is made here, with its retries on"}}
		}
		p.Report(Report{
			At: e.Span, Event: e.Event, Effects: []*flow.Effect{e}, Confidence: min(p.keyless(e), last.Confidence, e.Confidence), Related: related,
			Message: fmt.Sprintf("%s calls %s through a client that sends it again by default when it fails, without a key", quote(t.Name), quote(e.Callee)),
		})
	})
}
