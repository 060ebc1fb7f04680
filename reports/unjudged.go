package reports

import (
	"fmt"
	"strings"
)

// unjudged lists the tools of which nothing is known to change anything, though not all that they call was followed: that they have no finding
// says nothing.
func (r *Report) unjudged() []Tool {
	var out []Tool
	for _, t := range r.tools {
		if t.understanding() == Unjudged {
			out = append(out, t)
		}
	}
	return out
}

// noneJudged reports whether there are tools, and none of them was judged.
func (r *Report) noneJudged() bool {
	return len(r.tools) > 0 && len(r.unjudged()) == len(r.tools)
}

// Unjudged says how many tools were not judged and why, "" where all were.
func (r *Report) Unjudged() string {
	tools := r.unjudged()
	if len(tools) == 0 {
		return ""
	}
	handlers, calls, cut := 0, 0, 0
	for _, t := range tools {
		switch {
		case t.HandlerFn == nil:
			handlers++
		case len(t.Unresolved) > 0:
			calls++
		default:
			cut++
		}
	}
	var why []string
	for _, x := range []struct {
		n    int
		what string
	}{{handlers, "the handler was not found"}, {calls, "calls lead to what is not in the program or not known"}, {cut, "a limit or a syntax error ended the following"}} {
		switch {
		case x.n == len(tools):
			why = append(why, x.what)
		case x.n > 0:
			why = append(why, fmt.Sprintf("%s (%d)", x.what, x.n))
		}
	}
	verb := "were"
	if len(tools) == 1 {
		verb = "was"
	}
	return fmt.Sprintf("%d of %s %s not judged: %s", len(tools), r.entries(), verb, strings.Join(why, ", "))
}

// gradeText writes a grade for people.
func gradeText(g Grade) string {
	if g == "" {
		return "-"
	}
	return string(g)
}
