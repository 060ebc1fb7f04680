package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/retrysafe/retrysafe/analyzers/flow"
	"github.com/retrysafe/retrysafe/analyzers/lazyregexp"
	"github.com/retrysafe/retrysafe/analyzers/model"
)

var unverifiedCallback = &Rule{
	Name: "unverified-callback", Title: "A callback acts on whatever anybody sends to it",
	Severity: High, CWE: 306, Family: EnvelopeFamily, Since: "0.1.0", Experimental: true, NeedsProgram: true,
	Supersedes: []string{"optional-replay-check", "unchecked-timestamp", "undeduped-webhook"},
	Text: `The route takes events of another service and acts on what they say, and on no way does it verify who sent them: no signature, no token, no certificate. Whoever knows or guesses the
URL makes the program act, as often as they like.

It is fine where middleware, a gateway or the platform authenticates the sender, where the event is only a hint and the object is fetched again by its id from the service itself, and
for a program of one local user. What names alone make a callback is only possible.`,
	Fix:   "Verify the sender's signature over the raw body before acting, and refuse the request without it.",
	Check: checkUnverifiedCallback,
}

func checkUnverifiedCallback(p *Pass) {
	if !p.severalCallers() {
		return
	}
	for _, t := range p.Tools {
		confidence := p.isCallback(t)
		if confidence == 0 || p.knowsSender(t) {
			continue
		}
		var effects []*flow.Effect
		for _, e := range p.mainEffects(t) {
			if p.actsOnPayload(e) && !p.fetchedAgain(t, e) {
				effects = append(effects, e)
			}
		}
		if len(effects) == 0 {
			continue
		}
		if t.Gaps != 0 {
			confidence = model.Possible
		}
		rep := Report{At: t.Span, Tool: t, Effects: effects, WholeTool: true, Confidence: confidence,
			Message: fmt.Sprintf("%s %s for whoever calls it: nothing verifies who sent the event", quote(t.Name), phrases(effects))}
		for _, e := range effects {
			rep.Related = append(rep.Related, Related{e.Span, phrase(e)})
		}
		p.Report(rep)
	}
}

var (
	callbackWords = lazyregexp.New(`(^|[/_.-])(webhooks?|hooks?|callbacks?|ipn)($|[/_.-])`)
	signInWords   = lazyregexp.New(`(^|[/_.-])(o?auth2?|login|sso|oidc|saml|sign-?in|signup|verify|connect)($|[/_.-])`)
	senders       = lazyregexp.New(`stripe|github|gitlab|bitbucket|slack|discord|twilio|sendgrid|mailgun|postmark|resend|shopify|woocommerce|paypal|paystack|razorpay|mollie|adyen|square|braintree|` +
		`paddle|lemon-?squeezy|polar|flutterwave|mercado-?pago|telegram|whatsapp|messenger|facebook|instagram|linear|jira|asana|trello|notion|hubspot|salesforce|zendesk|intercom|` +
		`clerk|auth0|workos|svix|calendly|typeform|zoom|twitch|vercel|netlify|sentry|pagerduty|mux|plaid|coinbase|alchemy|helius|elevenlabs|vapi|retell|fal|replicate|openai|n8n|zapier|revenuecat`)
	// eventFields are what events of other services are read by.
	eventFields = lazyregexp.New(`(?i)^(type|event|event_?(type|name|id)|action|object|payload|data|entry|update_?id|message|topic|resource|notification|status|reference|order_?id|payment_?id|transaction_?id)(\.|$)`)
)

// isCallback says how sure it is that a route takes events of another service: its path says so, and the sender is named or the fields of an event are read. 0 for other
// routes, those that manage callbacks or end a sign-in included.
func (p *Pass) isCallback(t *flow.Tool) model.Confidence {
	path := strings.ToLower(t.Path)
	if t.Kind != flow.HTTPRoute && t.Kind != flow.Webhook || t.Method == "GET" || t.Method == "HEAD" || t.Method == "DELETE" || t.Method == "PATCH" || !callbackWords.MatchString(path) || signInWords.MatchString(path) {
		return 0
	}
	named, read := senders.MatchString(path), false
	for _, r := range p.reads(t) {
		o := flow.Origin{Kind: flow.OriginKind(r.Role), Name: r.Name, Term: r.Term}
		if !isBody(o) {
			continue
		}
		if managed.MatchString(r.Name) {
			return 0 // a callback is set up here
		}
		read = read || eventFields.MatchString(r.Name)
	}
	if named || read {
		return model.Likely
	}
	return model.Possible
}

// managed matches the fields by which a client sets up a callback of its own.
var managed = lazyregexp.New(`(?i)^(url|target_?url|endpoint(_?url)?|callback_?url|webhook_?url|events|enabled|is_?active)$`)

var (
	proofNames  = lazyregexp.New(`(?i)sign|hmac|token|secret|auth|api-?_?key|verif|password|cert|x-forwarded-for|remote-?addr|^ip$|cookie|session|goog-channel`)
	verifyCalls = lazyregexp.New(`(?i)verif|valid|auth|sign|secret|token|guard|permission|allow|trust|decrypt|protect|jwt|hmac|construct_?event|unwrap|parse_?webhook|require|ensure|check`)
)

// knowsSender reports whether something of a request may tell who sent it: a signature, a token, an authenticated caller, or a call that is not understood.
func (p *Pass) knowsSender(t *flow.Tool) bool {
	if len(p.Verifications(t)) > 0 || len(p.skippedChecks(t)) > 0 || t.Kind == flow.Webhook {
		return true
	}
	for _, c := range t.Comparisons {
		if kind, _ := p.secretOf(c); c.Op == "==" && kind != flow.NoSecret {
			return true
		}
	}
	for _, r := range p.reads(t) {
		switch flow.OriginKind(r.Role) {
		case flow.OriginCaller, flow.OriginClient, flow.OriginCredential, flow.OriginSession:
			return true
		case flow.OriginHeader, flow.OriginArguments, flow.OriginBody:
			if proofNames.MatchString(lastPart(r.Name)) {
				return true
			}
		}
	}
	if slices.ContainsFunc(t.Middleware, func(m flow.Middleware) bool {
		return m.Authenticates || !m.Known && verifyCalls.MatchString(lastPart(m.Name))
	}) {
		return true
	}
	doubtful := func(ev *flow.Event) bool { return verifyCalls.MatchString(lastPart(ev.Callee)) }
	return slices.ContainsFunc(t.Unresolved, doubtful) || slices.ContainsFunc(t.Events, func(ev *flow.Event) bool {
		if ev.CheckRow != nil {
			switch ev.CheckRow.Check.Kind {
			case "auth", "webhook", "signature":
				return true
			case "compare":
				return !ev.CheckRow.Check.Early
			}
		}
		return (ev.Unresolved || ev.Unlisted) && doubtful(ev)
	})
}

// actsOnPayload reports whether what is sent decides what an effect does, or whether it happens.
func (p *Pass) actsOnPayload(e *flow.Effect) bool {
	values := e.Args
	if e.Recv != nil {
		values = append(slices.Clone(values), e.Recv)
	}
	if p.anyOrigin(values, isBody) {
		return true
	}
	return slices.ContainsFunc(e.Paths, func(path flow.Path) bool {
		return slices.ContainsFunc(path.Conds, func(c flow.Cond) bool { return p.anyOrigin([]*flow.Term{c.Term}, isBody) })
	})
}

var fetches = lazyregexp.New(`(?i)^(get|retrieve|fetch|find|read|load|lookup|describe|inquire|query|check|confirm|search)`)

// fetchedAgain reports whether something is fetched from elsewhere by what was sent before an effect on every way: the payload is only a hint.
func (p *Pass) fetchedAgain(t *flow.Tool, e *flow.Effect) bool {
	return slices.ContainsFunc(t.Events, func(ev *flow.Event) bool {
		if ev.Call == e.Call || ev.RecordRow != nil || ev.QueryRow != nil || ev.Order > e.Order || !p.anyOrigin(ev.Args, isBody) {
			return false
		}
		reads := ev.EffectRow == nil && fetches.MatchString(lastPart(ev.Callee)) && (ev.Unresolved || ev.Unlisted || ev.Symbol != "" && !strings.HasPrefix(ev.Symbol, "js#"))
		for _, x := range t.Effects {
			reads = reads || x.Call == ev.Call && x.Nature.Rank() == 0
		}
		return reads && !slices.ContainsFunc(e.Paths, func(path flow.Path) bool { return !path.Made(ev.Call) && ev.CheckRow != nil })
	})
}
