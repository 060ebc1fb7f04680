package flow

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/retrysafe/retrysafe/analyzers/model"
)

// acts reports whether a call of which no row speaks may change something: what it calls comes from a package that nobody described, or from
// where it is not known, and is named for an act. A name proves nothing, so such a call is no effect; but a tool that makes it is not
// said to be a read.
func acts(lang model.Language, sym, name string, args int) bool {
	pkg, path, _ := strings.Cut(sym, "#")
	words := words(name)
	if len(words) == 0 || !actingWords[words[0]] {
		return false
	}
	bare := len(words) == 1 && localWords[words[0]]
	switch {
	case pkg == "?" || pkg == "go" && strings.HasPrefix(path, "?."), pkg == "js" && strings.HasPrefix(path, "?."), strings.Contains(path, "Context.Value()."):
		// a list, a set or a stream is added to, closed and written as well
		return args > 0 && !(bare && (lang != model.Go || builtinWords[words[0]]))
	case pkg == "" || pkg == "js" || pkg == "go" || strings.HasPrefix(pkg, "node:") || strings.HasPrefix(pkg, "."):
		return false
	case lang == model.Go:
		first, _, _ := strings.Cut(pkg, "/")
		return strings.Contains(first, ".") // not of the standard library; what has types and is only local has rows
	}
	return strings.Contains(path, ".") && !(bare && args == 0)
}

// words gives the words of a name in lower case: of "createIssue", "CreateIssue" and "create_issue", create and issue.
func words(name string) []string {
	var out []string
	start := 0
	flush := func(end int) {
		if w := strings.Trim(name[start:end], "_$#"); w != "" {
			out = append(out, strings.ToLower(w))
		}
		start = end
	}
	before := rune(0)
	for i, r := range name {
		_, width := utf8.DecodeRuneInString(name[i:]) // one byte where the text is no UTF-8
		next, _ := utf8.DecodeRuneInString(name[i+width:])
		if i > 0 && (r == '_' || unicode.IsUpper(r) && (!unicode.IsUpper(before) || unicode.IsLower(next))) {
			flush(i)
		}
		before = r
	}
	flush(len(name))
	return out
}

func set(list string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(list) {
		out[w] = true
	}
	return out
}

var (
	actingWords = set(`create insert add append update upsert modify edit delete remove destroy drop purge erase wipe clear reset send post put patch publish
		push upload submit trigger dispatch emit execute exec run invoke install uninstall deploy undeploy rollback upgrade restart reboot retry rerun rebuild
		start stop pause resume cancel abort kill terminate approve reject merge close reopen move rename write save store persist set enable disable assign
		unassign block unblock lock unlock grant revoke invite transfer charge refund pay order reserve confirm complete finalize schedule import clone fork
		apply commit archive unarchive restore scale evict drain cordon uncordon attach detach mount unmount provision allocate release mint burn sign swap mutate`)
	// localWords are as often what is done to a value that the program holds.
	localWords = set(`add append update remove drop clear reset put push emit exec run start stop close move write save store set lock unlock order apply
		commit restore attach detach release sign merge edit complete abort dispatch schedule execute patch scale`)
	// builtinWords are those of them that the methods of Go's own containers, locks and streams have.
	builtinWords = set(`add append clear reset start stop close write set lock unlock store push`)
)

// unlisted reports whether a call that no row describes, or one of which a row says that it may do anything, may change something.
func (c *Call) unlisted(name string, rows []*model.Row) bool {
	return c.unclear || len(rows) == 0 && !c.Unresolved && !c.Safe && !c.New && acts(c.Fn.Unit.Language, c.Symbol, name, len(c.Args))
}
