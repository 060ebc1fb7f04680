package rules

import (
	"fmt"
	"regexp/syntax"
	"strings"

	"github.com/retrysafe/retrysafe/analyzers/flow"
)

var ambiguousKeyJoin = &Rule{
	Name: "ambiguous-key-join", Title: "Two sets of values give one key",
	Severity: Low, CWE: 639, Family: QualityFamily, Since: "0.1.0", NeedsProgram: true,
	Text: `The parts of a key are joined by a separator that one of them may contain: ` + "`a:b` and `c`" + ` give the key of ` + "`a` and `b:c`" + `. A caller who may choose a part that is not the last one
picks it so that the key of another operation, another tenant or another path comes out, and is answered with what is stored there.

It is fine when the earlier parts are numbers, hashes, UUIDs, constants, encoded, or given by the server.`,
	Fix:   "Encode each part, or hash the parts as a JSON array.",
	Check: checkAmbiguousKeyJoin,
}

func checkAmbiguousKeyJoin(p *Pass) {
	p.eachKey(func(t *flow.Tool, k *recogniser) {
		for _, v := range k.values {
			join, part := p.ambiguous(t, k, v)
			if join == nil {
				continue
			}
			at, fn := k.event.Span, k.event.Fn
			if span, in, ok := p.JoinPlace(k.event, join); ok {
				at, fn = span, in
			}
			p.Report(k.about(Report{
				At: at, Fn: fn, Related: []Related{{k.event.Span, k.use()}},
				Message: fmt.Sprintf("%s joins %s and what follows it without encoding: other values give the same key", quote(t.Name), p.partText(part)),
			}))
			break
		}
	})
}

// ambiguous finds a text within a key whose parts cannot be told apart again, and the part that may reach into the next one.
func (p *Pass) ambiguous(t *flow.Tool, k *recogniser, v *flow.Term) (join, part *flow.Term) {
	p.Follow(v, func(u *flow.Term) bool {
		if join != nil || u.Kind != flow.TConcat && !p.joinsTexts(t, u) {
			return join == nil
		}
		for i, first := range u.Args {
			separator, next := "", -1
			for j := i + 1; j < len(u.Args); j++ {
				if text, ok := u.Args[j].Text(); ok {
					separator += text
					continue
				}
				next = j
				break
			}
			if next < 0 {
				break
			}
			if !p.freeText(t, k, first, separator) {
				continue
			}
			for _, later := range u.Args[next:] {
				if p.freeText(t, k, later, separator) {
					join, part = u, first
					return false
				}
			}
		}
		return true
	})
	return join, part
}

// joinsTexts reports whether a sum is one of texts: of arguments that are declared to be texts.
func (p *Pass) joinsTexts(t *flow.Tool, u *flow.Term) bool {
	if u.Kind != flow.TOp || u.Name != "+" {
		return false
	}
	for _, part := range u.Args {
		for _, o := range p.Origins(part) {
			param := declared(t, o.Name)
			if o.Kind == flow.OriginArguments && (param == nil || param.Kind() != flow.TextKind) {
				return false
			}
		}
	}
	return true
}

// freeText reports whether the caller chooses a value, and it may contain the separator.
func (p *Pass) freeText(t *flow.Tool, k *recogniser, v *flow.Term, separator string) bool {
	for _, alt := range alternatives(v) {
		if alt.Kind == flow.TConst || !p.plainText(alt) {
			continue
		}
		if t.Kind == flow.Exported && p.leftToUser(alt) {
			return true
		}
		for _, o := range p.Origins(alt) {
			if !isSupplied(o) || o.Hashed != "" || o.Whole {
				continue
			}
			if !p.excludes(t, k, o, separator) {
				return true
			}
		}
	}
	return false
}

// leftToUser reports whether a value in a library is the path of a request, of whose routes its users decide.
func (p *Pass) leftToUser(v *flow.Term) bool {
	name := strings.ToLower(v.Name)
	return v.Kind == flow.TMember && routeName(name) && name != "method" && name != "route" && name != "routepath"
}

// plainText reports whether a value is put into a text as it is: it is not encoded, not a number and not taken apart at separators.
func (p *Pass) plainText(v *flow.Term) bool {
	plain := true
	p.Follow(v, func(u *flow.Term) bool {
		if u.IsNumber() {
			plain = false
		}
		if u.Kind == flow.TOp && u.Name != "??" && u.Name != "||" && u.Name != "&&" && u.Name != "+" {
			plain = false
		}
		if u.Kind == flow.TCall {
			if c := p.Made(u); c != nil && c.OriginRow != nil {
				switch c.OriginRow.Origin.Kind {
				case "encode", "canonical", "hash", "hmac", "uuid-name", "clock":
					plain = c.OriginRow.Origin.Digest // a builder of text joins what it is given
				}
			} else if u.Name == "stringify" || u.Name == "toFixed" || u.Name == "split" {
				plain = false
			}
		}
		return plain
	})
	return plain
}

// excludes reports whether a value that the caller sends cannot contain the separator: by its type, its format, or a pattern that it was matched with.
func (p *Pass) excludes(t *flow.Tool, k *recogniser, o flow.Origin, separator string) bool {
	if param := declared(t, o.Name); param != nil && o.Kind == flow.OriginArguments {
		switch param.Kind() {
		case flow.NumberKind, flow.BooleanKind, flow.ChoiceKind:
			return true
		}
	}
	for _, path := range k.event.Paths {
		info, ok := p.Checked(t, path, o.Term)
		if !ok || info.Format == "" && (info.Pattern == "" || separator != "" && mayMatch(info.Pattern, separator)) {
			return false
		}
	}
	return len(k.event.Paths) > 0
}

// mayMatch reports whether a text that matches a pattern may contain the first character of the separator. A pattern that cannot be read is taken to be
// meant against it.
func mayMatch(pattern, separator string) bool {
	anchored := strings.Contains(pattern, "^") && strings.Contains(pattern, "$")
	if strings.HasPrefix(pattern, "/") {
		if end := strings.LastIndexByte(pattern, '/'); end > 0 {
			pattern = pattern[1:end]
		}
	}
	re, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return false
	}
	return !anchored || accepts(re, []rune(separator)[0])
}

func accepts(re *syntax.Regexp, r rune) bool {
	switch re.Op {
	case syntax.OpLiteral:
		for _, x := range re.Rune {
			if x == r {
				return true
			}
		}
	case syntax.OpCharClass:
		for i := 0; i+1 < len(re.Rune); i += 2 {
			if re.Rune[i] <= r && r <= re.Rune[i+1] {
				return true
			}
		}
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return true
	}
	for _, sub := range re.Sub {
		if accepts(sub, r) {
			return true
		}
	}
	return false
}

// partText names a part of a key.
func (p *Pass) partText(v *flow.Term) string {
	for _, o := range p.Origins(v) {
		if isSupplied(o) && o.Name != "" {
			return fmt.Sprintf("the %s %s", originNoun(o), quote(lastPart(o.Name)))
		}
	}
	return "a part that the caller chooses"
}
