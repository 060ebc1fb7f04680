package flow

import (
	"slices"
	"strings"
	"unicode"
)

// A service whose whole interface is POST takes its questions as bodies, so the method of a request does not tell them from what it changes. Where
// the tool and a function on the way to the request are both named for a question, and neither name nor path holds a word for an act, that the
// request changes something is no more than possible: nothing that is likely rests on it.

// askingWords begin the name of what asks; givingWords stand in the name of what gives out something new, for which one asks as well.
var (
	askingWords = set(`get list search find query describe show read fetch count lookup retrieve view`)
	givingWords = set(`new next pop claim login token session code key address link generate sync import export mark`)
)

// onlyAsks reports whether a POST to a path is one of which names say that it only asks.
func onlyAsks(ev *Event, path string) bool {
	if ev.Tool == nil || !namesQuestion(ev.Tool.Name, 2) {
		return false
	}
	segments := strings.FieldsFunc(path, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' })
	if slices.ContainsFunc(segments, namesAct) {
		return false
	}
	return slices.ContainsFunc(ev.Chain, func(s Step) bool { return s.fn != nil && namesQuestion(lastName(s.fn.Name), 1) })
}

// namesQuestion reports whether one of the first words of a name asks, and none of it acts.
func namesQuestion(name string, first int) bool {
	list := nameWords(name)
	return slices.ContainsFunc(list[:min(first, len(list))], func(w string) bool { return askingWords[w] }) && !slices.ContainsFunc(list, actingOrGiving)
}

// namesAct reports whether a segment of a path holds a word for an act.
func namesAct(segment string) bool { return slices.ContainsFunc(words(segment), actingOrGiving) }

func actingOrGiving(word string) bool {
	return actingWords[word] || givingWords[word]
}
