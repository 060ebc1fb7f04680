package flow

import (
	"net/url"
	"slices"
	"strings"

	"github.com/retrysafe/retrysafe/analyzers/lazyregexp"
	"github.com/retrysafe/retrysafe/analyzers/model"
	"github.com/retrysafe/retrysafe/analyzers/query"
)

// effects tells what an event changes: nothing, one thing, or one per statement of a query.
func (e *engine) effects(ev *Event) []*Effect {
	var out []*Effect
	if ev.EffectRow != nil {
		if x := e.callEffect(ev); x != nil {
			out = append(out, x)
		}
	}
	if ev.QueryRow != nil {
		for i := range ev.Statements {
			if x := e.statementEffect(ev, &ev.Statements[i]); x != nil {
				out = append(out, x)
			}
		}
		if x := e.givenStatement(ev); x != nil {
			out = append(out, x)
		}
	}
	return out
}

// givenStatement is the effect of a query whose whole text the caller gives, or whose text explains by running it what the caller gives: it may
// be any statement.
func (e *engine) givenStatement(ev *Event) *Effect {
	if ev.QueryRow.Query.Language != "sql" {
		return nil
	}
	for i := range ev.Statements {
		if s := &ev.Statements[i]; s.Executed.Kind != query.NoOperand && e.callersText(s.Bind(s.Executed)) {
			return e.anyStatement(ev)
		}
	}
	if text := e.recorded(ev.Call).first(ev.QueryRow.Query.Text); text != nil && text.Kind != TInput && e.callersText(text) {
		return e.anyStatement(ev)
	}
	return nil
}

// callersText reports whether a text is one that the caller gives as a whole.
func (e *engine) callersText(text *Term) bool {
	if text == nil || text.Kind == TConcat || inputRoot(text) == nil {
		return false
	}
	role, name := e.inputRole(text)
	return role == model.ArgumentsInput && name != ""
}

func (e *engine) anyStatement(ev *Event) *Effect {
	return &Effect{Event: ev, Spec: &model.Effect{}, Kind: model.Database, Nature: model.Additive, Object: "statement", Confidence: min(ev.Confidence, model.Likely)}
}

func (e *engine) callEffect(ev *Event) *Effect {
	spec := ev.EffectRow.Effect
	acc := e.recorded(ev.Call)
	x := &Effect{Event: ev, Spec: spec, Kind: spec.Kind, Nature: spec.Nature, Vendor: spec.Vendor, Object: spec.Object, Money: spec.Money, Confidence: ev.Confidence}
	keyAt := spec.Key
	if spec.Verb != "" || spec.DefaultVerb != "" {
		m := methods{known: []string{strings.ToUpper(spec.DefaultVerb)}}
		if v := acc.first(spec.Verb); v != nil {
			m = e.methodsOfRequest(ev, v, spec.DefaultVerb)
		}
		verb := m.worst()
		x.Nature = verbNature(verb)
		x.Method = verb
		if m.any && x.Nature != model.Additive {
			verb, x.Method, x.Nature = "POST", "", model.Additive // the caller may choose any method
		}
		if m.any || m.chosen && len(m.known) > 1 {
			x.Confidence = min(x.Confidence, model.Likely)
		}
		if verb == "" {
			// the method is an argument of something that is not seen: it may write
			x.Nature = model.Additive
			x.Confidence = min(x.Confidence, model.Possible)
			if m.unseen {
				verb = "\x00"
			}
		}
		x.URL = shownURL(requestURL(spec, acc))
		host := e.hostEffect(ev, acc, verb, m.bodiless())
		if host == nil && verb == "POST" && spec.Vendor == "" && readingPath.MatchString(pathOf(acc.first(spec.URL))) {
			x.Nature = model.Read
		}
		if host == nil && x.Method == "POST" && x.Nature == model.Additive && spec.Vendor == "" && !m.any && onlyAsks(ev, pathOf(acc.first(spec.URL))) {
			x.asked, x.Confidence = true, min(x.Confidence, model.Possible)
		}
		if host != nil {
			if host.Effect == nil {
				return nil
			}
			h := host.Effect
			if h.Nature != "" {
				x.Nature = h.Nature
			}
			if h.Kind != "" {
				x.Kind = h.Kind
			}
			x.Vendor, x.Object, x.Money = h.Vendor, h.Object, h.Money
			merged := *h
			x.Spec = &merged
			spec = x.Spec
			keyAt = h.Key
			if host.Confidence != 0 {
				x.Confidence = min(x.Confidence, host.Confidence)
			}
		}
	}
	if spec.Selector != "" {
		if text := selectorText(acc.first(spec.Selector)); text != "" {
			for _, n := range spec.Natures {
				if e.regexp(`^(?:` + n.Matches + `)$`).MatchString(text) {
					merged := *spec
					if n.Nature != "" {
						x.Nature = n.Nature
					}
					if n.Kind != "" {
						x.Kind = n.Kind
					}
					if n.Object != "" {
						x.Object = n.Object
					}
					if n.Key != "" {
						keyAt = n.Key
						merged.Key = n.Key
					}
					x.Money = x.Money || n.Money
					merged.Enforced = merged.Enforced || n.Enforced
					merged.Quiet = merged.Quiet || n.Quiet
					x.Spec = &merged
					break
				}
			}
		}
	}
	if x.Nature == "" || x.Nature == model.Read {
		return nil
	}
	x.HasKey = keyAt != "" && !spec.OptionalKey
	if keyAt != "" {
		at := e.over(ev.Call, vendorKey, keyAt)
		at.url, at.headers, at.body = acc.url, acc.headers, acc.body
		if v, arg := at.at(keyAt); v != nil && !guessedMember(v) {
			x.Key = v
			x.HasKey = true
			x.KeySpan = ev.keySpan(arg)
			if x.Method != "" {
				if at, ok := e.keyPlace(ev, keyAt); ok {
					x.KeySpan = at // the header or field, not the options that a wrapper hands on
				}
			}
		}
	}
	for _, a := range spec.IgnoredKey {
		if v := acc.first(a); v != nil && acc.written(a) {
			x.IgnoredKey = v
			if m := lastMember.FindStringSubmatch(string(a)); m != nil {
				x.IgnoredName = m[1]
			}
			break
		}
	}
	x.Body = acc.first(spec.Body)
	if x.Key == nil && x.IgnoredKey == nil && x.Kind == model.HTTP && x.Method == "POST" && x.Vendor == "" {
		e.bodyKey(ev, acc, x)
	}
	if x.Key == nil && x.Method == "POST" && x.Vendor == "" {
		x.Delivery = e.deliveryID(acc.first(spec.Headers))
	}
	return x
}

// deliveryName matches the headers by which the receiver of a webhook recognises one that it has had.
var deliveryName = lazyregexp.New(`(?i)^(x-)?([\w-]+-)?(idempotency-key|delivery|delivery-id|webhook-id|event-id|message-id|request-id)$`)

// deliveryID finds the header that names a delivery, nil where there is none.
func (e *engine) deliveryID(headers *Term) *Term {
	_, value := e.header(headers, deliveryName.MatchString)
	return value
}

// bodyKeys are the fields of a body that name an idempotency key whatever the service.
var bodyKeys = []string{"idempotencyKey", "idempotency_key", "idempotencyToken", "idempotency_token"}

// bodyKey takes for the key of a request to an unknown service the field of its body that is written out under such a name: nobody sends a service
// a key that it does not read, but no row says that it does.
func (e *engine) bodyKey(ev *Event, acc *accessor, x *Effect) {
	if x.Body == nil {
		return
	}
	for _, name := range bodyKeys {
		var values []*Term
		written := false
		for _, alt := range x.Body.Alternatives() {
			v := acc.member(alt, name)
			if v == nil {
				v = e.undefined
			}
			written = written || !v.IsNullish() && writesField(alt, name)
			if !alt.IsNullish() {
				values = append(values, v)
			}
		}
		if !written {
			continue
		}
		x.Key, x.KeyConfidence, x.KeySpan = e.union(values...), model.Likely, ev.Span
		if at, ok := e.keyPlace(ev, model.Access("Body.Member["+name+"]")); ok {
			x.KeySpan = at
		}
		return
	}
}

// writesField reports whether a body, encoded or not, is an object with a field that the source names.
func writesField(body *Term, name string) bool {
	if body.Kind == TCall && body.Name == "stringify" && len(body.Args) > 1 {
		return slices.ContainsFunc(body.Args[1].Alternatives(), func(alt *Term) bool { return writesField(alt, name) })
	}
	if body.Kind != TObject {
		return false
	}
	v, _ := body.Field(name)
	return v != nil
}

// lastMember finds the name of the member in which an access ends.
var lastMember = lazyregexp.New(`\.Member\[([^\]|]+)\]$`)

// guessedMember reports whether a key was "found" only by reading into a value of the caller that nobody shows to hold one: an
// argument of the tool is the text or number that it is declared to be.
func guessedMember(v *Term) bool {
	return v.Kind == TMember && v.Args[0].Kind == TMember && inputRoot(v) != nil
}

// written reports whether the member at the end of a is written out in the source, not one that an opaque object may have.
func (x *accessor) written(a model.Access) bool {
	i := strings.LastIndex(string(a), ".Member[")
	if i < 0 || strings.Contains(string(a), "|") {
		return true
	}
	name := strings.TrimSuffix(string(a)[i+len(".Member["):], "]")
	holder := x.first(a[:i])
	if holder == nil {
		return true
	}
	for _, alt := range holder.Alternatives() {
		if alt.Kind != TObject {
			continue
		}
		if v, _ := alt.Field(name); v != nil {
			return true
		}
	}
	return false
}

func verbNature(verb string) model.Nature {
	switch verb {
	case "POST":
		return model.Additive
	case "PUT", "PATCH":
		return model.Replacing
	case "DELETE":
		return model.Destructive
	}
	return model.Read
}

// selectorText gives the name that decides an operation: a constant, or the class of a command.
func selectorText(t *Term) string {
	if t == nil {
		return ""
	}
	for _, alt := range t.Alternatives() {
		if text, ok := alt.Text(); ok {
			return text
		}
		if alt.Kind == TConcat {
			return holeText(alt)
		}
		if alt.Sym != "" && (alt.Kind == TCall || alt.Kind == TSymbol || alt.Kind == TCast) {
			s := strings.TrimSuffix(alt.Sym, "()")
			if i := strings.LastIndexAny(s, ".#"); i >= 0 {
				return s[i+1:]
			}
		}
	}
	return ""
}

// hostEffect finds what is known about the endpoint of an HTTP call. What is told by the body is not told of a call that has none.
func (e *engine) hostEffect(ev *Event, acc *accessor, verb string, bodiless bool) *model.Row {
	spec := ev.EffectRow.Effect
	u := acc.first(spec.URL)
	text := requestURL(spec, acc)
	if text == "" {
		return nil
	}
	rows := e.rowsAbout(text, verb)
	if len(rows) == 0 {
		return nil
	}
	h := &accessor{e: e, recv: acc.recv, args: acc.args, rest: acc.rest, name: acc.name, sym: acc.sym, fn: acc.fn, url: u, headers: acc.first(spec.Headers), body: acc.first(spec.Body)}
	if h.headers == nil {
		h.headers = acc.first(spec.Shared)
	}
	for _, r := range rows {
		if bodiless && r.Effect != nil && strings.HasPrefix(string(r.Effect.Selector), "Body") {
			continue
		}
		if h.matches(r) && e.everywhere(r, spec, acc, verb) {
			acc.url, acc.headers, acc.body = h.url, h.headers, h.body
			return r
		}
	}
	return nil
}

// rowsAbout lists the rows about the endpoint that a URL with holes leads to. A host that is written nowhere is not known.
func (e *engine) rowsAbout(text, verb string) []*model.Row {
	host, path := splitURL(text)
	if host == "" {
		path, _, _ = strings.Cut(text, "?")
	}
	return e.p.class.HostRows(strings.ReplaceAll(host, "\x00", ""), path, verb)
}

// everywhere reports whether a row about the paths of a protocol speaks of each URL that a request may go to: one of them may lead to another
// service, and a path tells less than a host.
func (e *engine) everywhere(r *model.Row, spec *model.Effect, acc *accessor, verb string) bool {
	if !slices.ContainsFunc(r.Hosts, func(h model.Host) bool { return h.Name == model.AnyHost }) {
		return true
	}
	u := acc.first(spec.URL)
	if u == nil {
		return true // the path is that of a client, which is one text
	}
	spelled := spellings(u)
	for _, text := range spelled {
		if !slices.Contains(e.rowsAbout(text, verb), r) {
			return false
		}
	}
	return len(spelled) > 0
}

// requestURL gives the text of the URL that a request goes to, with holes; "" where nothing is known.
func requestURL(spec *model.Effect, acc *accessor) string {
	text := ""
	if u := acc.first(spec.URL); u != nil {
		text = urlText(u)
	}
	if b := acc.first(spec.Base); b != nil && !strings.Contains(text, "://") {
		text = strings.TrimSuffix(urlText(b), "/") + "/" + strings.TrimPrefix(text, "/")
	}
	return text
}

// shownURL writes a URL with holes for people: without scheme, user, port and query, and from its path on where its host is not known.
func shownURL(text string) string {
	host, path := splitURL(text)
	if host == "" {
		path, _, _ = strings.Cut(text, "?")
		_, after, found := strings.Cut(path, "/")
		if !found {
			return "" // nothing but a value that is not known
		}
		path = "/" + after
	}
	if i := strings.LastIndexByte(host, '@'); i >= 0 {
		host = host[i+1:]
	}
	if strings.Contains(host, "\x00") {
		host = ""
	}
	shown := holes.ReplaceAllString(host+path, "…")
	if strings.Trim(shown, "/…") == "" {
		return ""
	}
	return shown
}

// holes matches the parts of a text that are computed.
var holes = lazyregexp.New("\x00+")

// urlText gives the text of a URL with holes, looking through `new URL(path, base)` and toString.
func urlText(t *Term) string {
	switch t.Kind {
	case TCall:
		if text, ok := goURLText(t); ok {
			return text
		}
		if strings.HasSuffix(t.Sym, "#URL") && len(t.Args) > 1 {
			text := urlText(t.Args[1])
			if len(t.Args) > 2 && !strings.Contains(text, "://") {
				text = strings.TrimSuffix(urlText(t.Args[2]), "/") + "/" + strings.TrimPrefix(text, "/")
			}
			return text
		}
		if (t.Name == "toString" || t.Name == "replace" || t.Name == "trim") && len(t.Args) > 0 {
			return urlText(t.Args[0])
		}
		if strings.HasPrefix(t.Name, "encodeURI") && len(t.Args) > 1 {
			return urlText(t.Args[1]) // written out, it is as it was
		}
	case TCast:
		return urlText(t.Args[0])
	case TMember:
		if t.Name == "Path" && strings.HasPrefix(t.Sym, "net/url#") {
			text := urlText(t.Args[0])
			if _, path := splitURL(text); path != "" {
				return path
			}
			return text
		}
		if t.Name == "href" || t.Name == "toString" || t.Name == "url" && strings.HasSuffix(strings.TrimSuffix(t.Args[0].Sym, ".toString()"), "#URL") {
			return urlText(t.Args[0])
		}
	case TConcat:
		var b strings.Builder
		for _, p := range t.Args {
			if s, ok := p.Text(); ok {
				b.WriteString(s)
			} else if p.Kind == TUnion || p.Kind == TCall {
				b.WriteString(urlText(p))
			} else {
				b.WriteByte(0)
			}
		}
		return b.String()
	case TUnion:
		for _, alt := range t.Args {
			if s := urlText(alt); strings.Contains(s, "://") {
				return s
			}
		}
		for _, alt := range t.Args {
			if alt.IsNullish() {
				continue // nothing is sent to where a part of the address is missing
			}
			if s := urlText(alt); s != "\x00" && s != "" {
				return s
			}
		}
	}
	return holeText(t)
}

// goURLText gives the text of a URL that the standard library of Go takes apart and puts together again.
func goURLText(t *Term) (text string, ok bool) {
	pkg, _, _ := strings.Cut(t.Sym, "#")
	if len(t.Args) == 0 || pkg != "net/url" && pkg != "strings" {
		return "", false
	}
	parts := t.Args[1:]
	switch t.Name {
	case "Parse", "ParseRequestURI", "TrimSpace", "TrimSuffix", "TrimRight", "TrimPrefix", "TrimLeft":
		parts = parts[:min(1, len(parts))]
	case "String", "EscapedPath", "RequestURI":
		parts = t.Args[:1]
	case "JoinPath":
		if !t.Args[0].IsNullish() && !strings.HasSuffix(t.Sym, "url#JoinPath()") {
			parts = t.Args
		}
	default:
		return "", false
	}
	for i, p := range parts {
		part := urlText(p)
		if i > 0 {
			text, part = strings.TrimSuffix(text, "/")+"/", strings.TrimPrefix(part, "/")
		}
		text += part
	}
	return text, len(parts) > 0
}

// spellings lists the different texts, with holes, that a URL may be; none where they are too many.
func spellings(t *Term) []string {
	var texts []string
	switch t.Kind {
	case TUnion:
		for _, alt := range t.Args {
			more := spellings(alt)
			if more == nil {
				return nil
			}
			for _, text := range more {
				if !slices.Contains(texts, text) {
					texts = append(texts, text)
				}
			}
			if len(texts) > maxURLs {
				return nil
			}
		}
	case TConcat:
		texts = []string{""}
		for _, p := range t.Args {
			ends := spellings(p)
			if ends == nil {
				return nil
			}
			var longer []string
			for _, text := range texts {
				for _, end := range ends {
					if whole := text + end; !slices.Contains(longer, whole) {
						longer = append(longer, whole)
					}
				}
			}
			if len(longer) > maxURLs {
				return nil
			}
			texts = longer
		}
	default:
		texts = []string{urlText(t)}
	}
	return texts
}

// pathOf gives the path of a URL with holes, "" where there is none.
func pathOf(u *Term) string {
	if u == nil {
		return ""
	}
	text := urlText(u)
	if _, path := splitURL(text); path != "" {
		return path
	}
	text, _, _ = strings.Cut(text, "?")
	return text
}

func splitURL(text string) (host, path string) {
	_, rest, ok := strings.Cut(text, "://")
	if !ok {
		return "", ""
	}
	host, path, _ = strings.Cut(rest, "/")
	path = "/" + path
	path, _, _ = strings.Cut(path, "?")
	if h, _, found := strings.Cut(host, ":"); found {
		host = h
	}
	if u, err := url.PathUnescape(path); err == nil {
		path = u
	}
	return strings.ToLower(host), path
}

func (e *engine) statementEffect(ev *Event, s *Statement) *Effect {
	x := &Effect{Event: ev, Spec: &model.Effect{}, Kind: model.Database, Confidence: ev.Confidence}
	st := &s.Statement
	if len(st.Tables) > 0 {
		x.Table = st.Tables[0].Name
		x.Object = x.Table
	}
	x.Verb = strings.ToUpper(string(st.Verb))
	if x.Table == "" && st.Object != "" {
		x.Verb = st.Keyword + " " + st.Object
		x.Object = st.Name
	}
	switch st.Verb {
	case query.Insert:
		x.Nature = model.Additive
		switch st.OnConflict.Kind {
		case query.ConflictDoNothing, query.ConflictDoUpdate:
			if !e.freshConflict(s) && !e.neverConflicts(ev, s) {
				x.Nature = model.Replacing
				x.Spec.Enforced = true
			}
		}
	case query.Replace, query.Merge:
		x.Nature = model.Replacing
	case query.Update:
		x.Nature = model.Replacing
		for _, set := range st.Set {
			if set.Increment {
				x.Nature = model.Additive
			}
		}
	case query.Delete:
		x.Nature = model.Destructive
		x.Spec.Quiet = true
	case query.CreateTable, query.CreateIndex, query.Create:
		x.Nature = model.Replacing
	case query.Drop, query.Truncate:
		x.Nature = model.Destructive
		x.Spec.Quiet = st.IfExists || st.Verb == query.Truncate
	case query.Alter:
		x.Nature = model.Replacing
	case query.Call:
		x.Nature = model.Additive
		x.Confidence = min(x.Confidence, model.Possible)
	default:
		for _, cte := range st.With {
			if cte.Statement != nil && cte.Statement.Verb.Writes() {
				inner := Statement{Statement: *cte.Statement, Bind: s.Bind}
				return e.statementEffect(ev, &inner)
			}
		}
		return nil
	}
	return x
}

// neverConflicts reports whether an insert passes over any conflict where the schema of the program knows of none.
func (e *engine) neverConflicts(ev *Event, s *Statement) bool {
	rec := e.statementRecord(ev, s)
	return rec != nil && rec.refusedByKey() && e.unconstrained(rec)
}

// freshConflict reports whether an upsert's conflict columns hold values made new on every call, so that it never conflicts.
func (e *engine) freshConflict(s *Statement) bool {
	for _, col := range s.OnConflict.Columns {
		for i, name := range s.Columns {
			if !query.SameName(name, col) || i >= len(s.Values) {
				continue
			}
			v := s.Bind(s.Values[i])
			if v == nil {
				continue
			}
			if e.fresh(v) {
				return true
			}
		}
	}
	return false
}

// fresh reports whether a part of the value is made new on every call.
func (e *engine) fresh(v *Term) bool {
	for _, o := range e.origins(v) {
		switch o.Kind {
		case OriginRandom, OriginWeakRandom, OriginClock, OriginTimeID, OriginCounter:
			return true
		}
	}
	return false
}

// incidentalWords matches the tables whose rows are about the work of the program, by a word that stands on its own: those of a blog or a catalog are none.
var incidentalWords = lazyregexp.New(`(?i:(^|[_\-.])((audit|access|error|event|app|request)?logs?|audit|logging|history|outbox|metrics?|telemetry|analytics|caches?|sessions?|refresh_?tokens?|rate_?limits?|usage)($|[_\-.]))` +
	`|([a-z]|^)(Audit|Logs?|Logging|History|Outbox|Metrics?|Telemetry|Analytics|Caches?|Sessions?|RefreshTokens?|RateLimits?|Usage)($|[_\-.A-Z])` +
	`|^(audit|log|logging|history|outbox|metrics?|telemetry|analytics|cache|session|refreshToken|rateLimit|usage)[A-Z]`)

// markIncidental marks what does not count as an effect: bookkeeping beside the main effect, and the records of deduplication themselves.
func (e *engine) markIncidental(t *Tool) {
	looked := map[string][]*Record{}
	for _, r := range t.Records {
		if r.Op == model.Lookup && r.Key != nil {
			looked[r.Store] = append(looked[r.Store], r)
		}
	}
	lookups := e.asking(t)
	stores := map[*Call]*Record{}
	for _, r := range t.Records {
		stores[r.Call] = r
	}
	for _, x := range t.Effects {
		if x.Kind == model.File {
			x.Incidental = e.fileBookkeeping(t, x)
			continue
		}
		if x.Kind != model.Database {
			continue
		}
		if e.sealed(t, x) {
			x.Incidental = "read-only transaction"
			continue
		}
		if x.Nature == model.Replacing && tokenFields(e.writtenFields(x)) {
			x.Incidental = "bookkeeping"
			continue
		}
		name := x.Table
		if name == "" {
			if r := stores[x.Call]; r != nil {
				name = r.Table
				x.Table = name
			}
		}
		if name != "" && incidentalWords.MatchString(name) && len(t.Effects) > 1 {
			x.Incidental = "bookkeeping"
			continue
		}
		r := stores[x.Call]
		if r == nil || r.Key == nil {
			continue
		}
		// a record kept under a key that is looked up, beside an effect of another kind or store
		if r.Op == model.Put || r.Op == model.Claim || r.Op == model.Release || r.Op == model.Expire {
			claims := r.Op == model.Claim && r.Spec != nil && r.Spec.Fails != "throws"
			for _, y := range t.Effects {
				if y != x && (stores[y.Call] == nil || stores[y.Call].Store != r.Store) && (claims && lookups.told(r, y) || lookups.recognises(looked[r.Store], x, y)) {
					x.Incidental = besideEffect
					break
				}
			}
		}
	}
	for _, x := range t.Effects {
		if x.Incidental == "" {
			return
		}
	}
	if e.keepsForCaller(t) {
		for _, x := range t.Effects {
			if x.Kind == model.File && x.Incidental == "bookkeeping" {
				x.Incidental = ""
			}
		}
		return
	}
	if !slices.ContainsFunc(t.Events, func(ev *Event) bool { return reads(t, ev) }) {
		for _, x := range t.Effects {
			if x.Kind == model.Database && x.Incidental == "bookkeeping" && x.Nature == model.Additive {
				x.Incidental = "" // there is nothing that it goes with
			}
		}
	}
	// records of several stores, each beside the others only: to take them away is what the tool does
	for _, x := range t.Effects {
		if x.Incidental == besideEffect && x.Nature == model.Destructive {
			x.Incidental = ""
		}
	}
}

// reads reports whether an event asks something outside the process: it is none of the tool's effects.
func reads(t *Tool, ev *Event) bool {
	if ev.QueryRow != nil {
		return !slices.ContainsFunc(ev.Statements, func(s Statement) bool { return s.Verb.Writes() })
	}
	return ev.Unresolved || ev.EffectRow != nil && !ev.EffectRow.Effect.Reply &&
		!slices.ContainsFunc(t.Effects, func(x *Effect) bool { return x.Call == ev.Call })
}

// besideEffect is the reason why a change of a record does not count: it is kept beside an effect, under a key that is looked up.
const besideEffect = "record"

var (
	tokenField  = lazyregexp.New(`(?i)^(encrypted_?)?(access|refresh|id|auth|session)_?tokens?(_?(hash|encrypted|enc))?$`)
	besideToken = lazyregexp.New(`(?i)^(token_?)?(expires?|expiry)(_?(at|in|date))?$|^(access|refresh)?_?token_?(expires?|expiry)(_?(at|in|date))?$|^token_?type$|^scopes?$|^(updated|modified|refreshed)_?(at|on)$|^last_?refresh(ed)?(_?at)?$`)
)

// tokenFields reports whether fields are those of a refreshed token: refreshing is part of the client's work, not of the tool's.
func tokenFields(names []string) bool {
	tokens := 0
	for _, n := range names {
		switch {
		case tokenField.MatchString(n):
			tokens++
		case !besideToken.MatchString(n):
			return false
		}
	}
	return tokens > 0
}

// writtenFields lists the columns or fields that an update of a database sets, nil where they are not known.
func (e *engine) writtenFields(x *Effect) []string {
	for i := range x.Event.Statements {
		var out []string
		for _, s := range x.Event.Statements[i].Set {
			out = append(out, s.Column)
		}
		if len(out) > 0 {
			return out
		}
	}
	fields := func(t *Term) []string {
		for _, alt := range t.Alternatives() {
			if alt.Kind == TObject && len(alt.Keys) > 0 {
				var out []string
				for _, k := range alt.Keys {
					out = append(out, k)
				}
				return out
			}
		}
		return nil
	}
	for i := len(x.Call.Args) - 1; i >= 0; i-- {
		arg := x.Call.Args[i]
		for _, alt := range arg.Alternatives() {
			if alt.Kind != TObject {
				continue
			}
			for _, holder := range []string{"$set", "data", "set"} {
				if v, _ := alt.Field(holder); v != nil {
					return fields(v)
				}
			}
			if i > 0 || len(x.Call.Args) == 1 {
				return fields(alt)
			}
		}
	}
	return nil
}

// keySpan gives the place of the argument that holds a key. A variable stands for the value that it was given, as long as that is written out there: what
// another call made says nothing of the key.
func (c *Call) keySpan(arg int) model.Span {
	at := c.ArgSpan(arg)
	if arg < 0 || arg >= len(c.Args) || c.Span.File == at.File && at.Offset >= c.Span.Offset && at.EndOffset <= c.Span.EndOffset {
		return at
	}
	if site := c.Args[arg].Site; site == nil || site.Span != at {
		return c.Span
	}
	return at
}
