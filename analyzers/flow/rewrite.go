package flow

import (
	"strings"

	"github.com/retrysafe/retrysafe/analyzers/model"
)

// maxRewritten bounds the texts that are rewritten, in bytes: names and paths are short, and a replacement may multiply what it is given.
const maxRewritten = 1024

// rewrite carries out `text.replace(pattern, by)` and `text.replaceAll(pattern, by)` on constants, so that a tool that is named by such a text has
// its name. ok is false where the result is not certain.
func (e *engine) rewrite(text, method string, args []*Term) (out string, ok bool) {
	if len(args) != 2 || len(text) > maxRewritten || args[0].Kind != TConst {
		return "", false
	}
	by, ok := args[1].Text()
	if !ok || len(by) > maxRewritten {
		return "", false
	}
	if args[0].Const.Kind != model.Regexp {
		of, ok := args[0].Text()
		if !ok || strings.Contains(by, "$") {
			return "", false
		}
		n := 1
		if method == "replaceAll" {
			n = -1
		}
		out = strings.Replace(text, of, by, n)
		return out, len(out) <= maxRewritten
	}
	pattern, flags, ok := cutRegexp(args[0].Const.Text)
	by, known := template(by)
	if !ok || !known || !ascii(text) {
		return "", false // what \s, \w and \b are beyond ASCII differs between the languages
	}
	re := e.regexp(pattern)
	if re.String() == neverMatches {
		return "", false
	}
	if strings.Contains(flags, "g") {
		out = re.ReplaceAllString(text, by)
	} else if m := re.FindStringSubmatchIndex(text); m != nil {
		out = text[:m[0]] + string(re.ExpandString(nil, by, text, m)) + text[m[1]:]
	} else {
		out = text
	}
	return out, len(out) <= maxRewritten
}

// cutRegexp parts a literal /pattern/flags, and gives the pattern in our syntax with the flags that change what it matches.
func cutRegexp(literal string) (pattern, flags string, ok bool) {
	end := strings.LastIndexByte(literal, '/')
	if end < 1 || literal[0] != '/' {
		return "", "", false
	}
	pattern, flags = literal[1:end], literal[end+1:]
	own := ""
	for _, f := range flags {
		switch f {
		case 'i', 's', 'm':
			own += string(f)
		case 'g', 'u':
		default:
			return "", "", false
		}
	}
	if own != "" {
		pattern = "(?" + own + ")" + pattern
	}
	return pattern, flags, true
}

// template gives the text that replaces a match as the regexp package wants it. Only $1 to $9 and $& are understood.
func template(by string) (string, bool) {
	var out strings.Builder
	for {
		before, after, found := strings.Cut(by, "$")
		out.WriteString(before)
		switch {
		case !found:
			return out.String(), true
		case after == "":
			return "", false
		case after[0] == '&':
			out.WriteString("${0}")
		case after[0] >= '1' && after[0] <= '9':
			out.WriteString("${" + after[:1] + "}")
		default:
			return "", false
		}
		by = after[1:]
	}
}

func ascii(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return r > 0x7e })
}
