package flow

import (
	"slices"
	"strings"

	"github.com/retrysafe/retrysafe/analyzers/lazyregexp"
	"github.com/retrysafe/retrysafe/analyzers/model"
)

// bookkeepingFile matches a part of a path, or the name of the variable that holds it, that says a file is the program's own: a log, a lock,
// a cache, a counter of calls, a cached credential, a copy of what is written over.
// The word stands on its own: a blog, a catalog, a dialog and a changelog are none.
var bookkeepingFile = lazyregexp.New(`(?i:(^|[^a-z])((audit|access|error|debug|event|server|app|call|request)?logs?|audit|telemetry|metrics?|analytics|caches?|locks?|rate-?_?limits?|tokens?|credentials?|bak|backups?)([^a-z]|$))|[a-z](Log|Logs|Audit|Cache|Lock|Tokens?)([^a-z]|$)`)

// loggingFunction matches the functions and methods whose only purpose is to log.
var loggingFunction = lazyregexp.New(`(?i:(^|[^a-z])logger|(^|\.)_?(log|audit|write_?log|append_?log|write_?audit|append_?audit)([^a-z]|$)|(write|append|record)(log|audit)([^a-z]|$))` +
	`|[a-z]Logger|(^|\.)(log|audit)[A-Z]|(write|append|record)(Log|Audit)[A-Z]`)

// namedTemporary is the reason why a file does not count that the caller names, in the system's folder for temporary files. Its tool is not
// surely a read.
const namedTemporary = "temporary file under the caller's name"

// fileBookkeeping tells what a change of a file is where it serves the program and not the caller, "" where it serves the caller. But
// for temporary files, the place must not be the caller's choice.
func (e *engine) fileBookkeeping(t *Tool, x *Effect) string {
	if x.Kind != model.File || len(x.Args) == 0 || bookkeepingFile.MatchString(strings.ReplaceAll(t.Name, "_", " ")) && !checks(t.Name) {
		return ""
	}
	places := x.Args[:1]
	if opened := e.openings(x.Recv); len(opened) > 0 {
		places = opened
	} else if name := strings.ToLower(x.Symbol[strings.LastIndexAny(x.Symbol, ".#")+1:]); len(x.Args) > 1 && takesDestination(name) {
		places = x.Args[1:2]
	}
	for _, p := range places {
		w := pathWords{engine: e}
		w.add(p, 0)
		switch {
		case w.temporary && w.named && !w.fresh:
			return namedTemporary // the caller finds it again under the name, and may keep it
		case w.temporary:
			return "temporary file"
		case w.chosen:
			return ""
		case bookkeepingFile.MatchString(w.text.String()):
			return "bookkeeping"
		case makesFolder(x.Symbol):
			return "folder of the program's own"
		}
	}
	if x.Fn != nil && x.Nature == model.Additive && loggingFunction.MatchString(x.Fn.Name) {
		return "bookkeeping"
	}
	return ""
}

// takesDestination reports whether a function on files, its name in lower case, has the place that it changes as its second argument.
func takesDestination(name string) bool {
	name = strings.TrimSuffix(name, "sync")
	return strings.HasPrefix(name, "rename") || strings.HasPrefix(name, "copy") || name == "cp" || name == "move"
}

// keepsForCaller reports whether a tool does nothing but write what its caller sends to a file, reading no more than what stood there: whatever the file is
// called, that is what it is for.
func (e *engine) keepsForCaller(t *Tool) bool {
	places := map[*Term]bool{}
	for _, x := range t.Effects {
		if x.Kind == model.File && x.Incidental == "bookkeeping" && len(x.Args) > 0 {
			places[x.Args[0]] = true
		}
	}
	writes := false
	chosen := func(values ...*Term) bool {
		return slices.ContainsFunc(values, func(v *Term) bool {
			w := pathWords{engine: e}
			w.add(v, 0)
			return w.chosen
		})
	}
	for _, ev := range t.Events {
		switch {
		case ev.change != nil:
			writes = writes || chosen(ev.change.key, ev.change.value)
		case ev.Unresolved || ev.Unlisted:
			return false
		case ev.QueryRow != nil || ev.RecordRow != nil && !onFile(ev):
			return false
		case ev.EffectRow == nil || ev.EffectRow.Effect.Reply:
		case ev.EffectRow.Effect.Kind != model.File:
			return false
		case ev.EffectRow.Effect.Nature == model.Read:
			if len(ev.Args) == 0 || !places[ev.Args[0]] && !asksForFile(ev.Symbol) {
				return false
			}
		default:
			writes = writes || chosen(ev.Args...)
		}
	}
	return writes
}

// asksForFile reports whether a function tells of a file no more than that it is there.
func asksForFile(symbol string) bool {
	name := strings.ToLower(symbol[strings.LastIndexAny(symbol, ".#")+1:])
	return strings.Contains(name, "exists") || strings.HasPrefix(name, "access") || strings.HasPrefix(name, "stat")
}

// onFile reports whether the record that an event works on is a file.
func onFile(ev *Event) bool {
	return ev.EffectRow != nil && ev.EffectRow.Effect.Kind == model.File
}

// makesFolder reports whether a call sees to it that a folder is there.
func makesFolder(symbol string) bool {
	name := symbol[strings.LastIndexAny(symbol, ".#")+1:]
	return name == "MkdirAll" || strings.EqualFold(name, "ensureDir")
}

// openings gives the places of the files behind a handle that a change goes through: the first arguments of the calls that opened it.
func (e *engine) openings(handle *Term) []*Term {
	if handle == nil {
		return nil
	}
	var out []*Term
	for _, alt := range handle.Alternatives() {
		for alt.Kind == TCast {
			alt = alt.Args[0]
		}
		if c := e.calls[alt]; c != nil && len(c.Args) > 0 && c.EffectRow != nil && c.EffectRow.Effect.Kind == model.File {
			out = append(out, c.Args[0])
		} else if !alt.IsNullish() {
			return nil
		}
	}
	return out
}

// pathWords gathers what the parts of a path are called.
type pathWords struct {
	engine    *engine
	text      strings.Builder
	chosen    bool // the caller's arguments are part of it
	named     bool // the caller's arguments are part of it as they are, not as a hash
	temporary bool // it lies in the system's folder for temporary files
	fresh     bool // it lies in a folder made for this call
	hashed    int
}

func (w *pathWords) add(t *Term, depth int) {
	if t == nil || depth > 12 {
		return
	}
	if role, _ := w.engine.inputRole(t); role == model.ArgumentsInput {
		w.chosen = true
		w.named = w.named || w.hashed == 0
		return
	}
	switch t.Kind {
	case TConst:
		w.text.WriteString(t.Const.Text)
		w.text.WriteByte(' ')
		return
	case TSymbol:
		w.text.WriteString(lastName(t.Sym))
		w.text.WriteByte(' ')
		return
	case TMember:
		w.text.WriteString(t.Name)
		w.text.WriteByte(' ')
	case TCall:
		made := strings.HasSuffix(t.Sym, "#MkdirTemp()") || strings.HasSuffix(t.Sym, "ioutil#TempDir()") || strings.HasSuffix(t.Sym, "mkdtemp()") || strings.HasSuffix(t.Sym, "mkdtempSync()")
		w.fresh = w.fresh || made
		w.temporary = w.temporary || made || strings.HasSuffix(t.Sym, "tmpdir()") || strings.HasSuffix(t.Sym, "#TempDir()")
		if c := w.engine.calls[t]; c != nil && c.OriginRow != nil && (c.OriginRow.Origin.Kind == "hash" || c.OriginRow.Origin.Kind == "hmac") {
			w.hashed++
			defer func() { w.hashed-- }()
		}
	}
	for _, a := range t.Args {
		w.add(a, depth+1)
	}
}

// readingPath matches the end of a URL path that names a question, by a word of its own, as what it asks for (get_logs, listItems) or as the method of a
// service (im.list, search.all): such a POST carries arguments too long for a GET.
var readingPath = lazyregexp.New(`(?i)/(_?search|validate|lookup|preview|estimate|autocomplete|suggest|screenshot|scrape)(/[^/]*)?/?$` +
	`|/(get|list|find|describe|count)([_-][a-z0-9_-]+|(?-i:[A-Z][A-Za-z0-9]*))/?$` +
	`|(^|[/\x00])(search(\.[a-z]+)+|[a-z]+(\.[a-z]+)*\.([a-z]*info|list|get|counts?|history|search|lookup|query|[a-z]*boot))/?$`)
