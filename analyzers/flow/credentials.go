package flow

import (
	"slices"
	"strings"

	"github.com/retrysafe/retrysafe/analyzers/lazyregexp"
	"github.com/retrysafe/retrysafe/analyzers/model"
)

// Before a program asks a service for anything it signs in: it reads a token from a keychain, has it renewed, keeps it. That is the client's work and not
// what the tool does, unless the tool is for it.

const signsIn = "signing in"

// telemetryFunction matches the functions that tell those who make the program how it is used, telemetryURL the addresses that are told.
var (
	telemetryFunction = lazyregexp.New(`(?i)telemetry|(^|[.#_])(send|track|record|post|report|log)_?(analytics|usage|metrics?)`)
	telemetryURL      = lazyregexp.New(`(?i)(^|[./-])(telemetry|analytics)([./-]|$)|/mp/collect$`)
)

var (
	// credentialFunction matches the functions that see to it that there is a token or a session.
	credentialFunction = lazyregexp.New(`(?i)(^|[.#])_?(try|auto|maybe|do)?_?(get|load|fetch|refresh|renew|extract|acquire|ensure|exchange|obtain|restore|read|save|store|persist|cache|rotate|resolve|find|retrieve|request|heal)_?` +
		`(valid|new|fresh|cached|stored|current|saved)?_?([a-z0-9]*_)?(access|refresh|api|auth|bearer|id|jwt|oauth2?|user|app|installation|session|csrf|client|service|tenant)?_?(tokens?|credentials?|cookies?|keychain|session|auth|authenticated|logged_?in|login|authentication|authorization)` +
		`(async|sync|from[a-z]*|to[a-z]*|for[a-z]*|with[a-z]*|in[a-z]*|using[a-z]*)?$` +
		`|(^|[.#])_?(log_?in|sign_?in|authenticate|re_?authenticate|authorize_?client)(async)?$`)
	credentialWords = set(`token tokens credential credentials session sessions login auth authenticate authorize oauth cookie cookies keychain signin secret secrets password passwords`)
	checkingWords   = set(`status check health verify validate test whoami doctor diagnose diagnostics`)
)

// markSignIn marks what a function does that sees to the program's own credentials, with nothing in it that the tool is given.
func (e *engine) markSignIn(t *Tool) {
	about := slices.ContainsFunc(nameWords(t.Name), func(w string) bool { return credentialWords[w] })
	if t.Kind != MCPTool && t.Kind != AgentTool || about && !checks(t.Name) {
		return
	}
	for _, x := range t.Effects {
		switch x.Kind {
		case model.HTTP, model.Process, model.File, model.Database:
		default:
			continue
		}
		if x.Incidental == "" && signingIn(x) && !slices.ContainsFunc(x.Args, e.fromArguments) {
			x.Incidental = signsIn
		}
	}
}

// markTelemetry marks the requests that tell how the program is used.
func (e *engine) markTelemetry(t *Tool) {
	if telemetryFunction.MatchString(t.Name) || telemetryURL.MatchString(strings.ReplaceAll(t.Name, "_", "/")) {
		return
	}
	for _, x := range t.Effects {
		if x.Kind != model.HTTP || x.Incidental != "" || x.Vendor != "" {
			continue
		}
		if telemetryURL.MatchString(x.URL) || slices.ContainsFunc(x.Chain[min(1, len(x.Chain)):], func(s Step) bool { return s.fn != nil && telemetryFunction.MatchString(s.fn.Name) }) {
			x.Incidental = "telemetry"
		}
	}
}

// signingIn reports whether a function on the way to the effect, below the tool's handler, sees to credentials.
func signingIn(x *Effect) bool {
	for _, s := range x.Chain[min(1, len(x.Chain)):] {
		if s.fn != nil && credentialFunction.MatchString(s.fn.Name) {
			return true
		}
	}
	return false
}

// fromArguments reports whether a value is made of what the caller gives the tool.
func (e *engine) fromArguments(v *Term) bool {
	return e.comesFrom(v, OriginArguments)
}

// checks reports whether a tool is named for a look at something.
func checks(name string) bool {
	return slices.ContainsFunc(nameWords(name), func(w string) bool { return checkingWords[w] || askingWords[w] })
}

// nameWords gives the words of a tool's name in lower case.
func nameWords(name string) []string {
	return words(strings.NewReplacer("-", "_", ".", "_", "/", "_").Replace(name))
}
