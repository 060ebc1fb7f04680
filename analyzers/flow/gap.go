package flow

import "strings"

// Gap is a set of reasons why what a tool does was not followed to the end. Calls of unknown functions are none: Tool.Unresolved lists them.
type Gap uint8

// The reasons.
const (
	SyntaxGap    Gap = 1 << iota // a part of what it calls could not be read
	RecursionGap                 // a function calls itself in a new way in every round
	DepthGap                     // calls nest deeper than maxCallDepth
	WorkGap                      // it takes more than the steps that a tool or a program has
	EventsGap                    // it makes more than maxEvents external calls
	TargetsGap                   // a call may have more targets than are followed
	HandlerGap                   // its handler was not found
)

var gapTexts = []string{
	"there is a syntax error in what it calls",
	"it calls a function that calls itself in a new way in every round",
	"its calls nest deeper than the limit",
	"it takes more work than the limit",
	"it makes more external calls than the limit",
	"one of its calls has more possible targets than the limit",
	"its handler was not found",
}

// String lists the reasons for people, "" where there is none.
func (g Gap) String() string {
	var out []string
	for i, text := range gapTexts {
		if g&(1<<i) != 0 {
			out = append(out, text)
		}
	}
	return strings.Join(out, ", and ")
}

// gaps is what was not read of the function itself.
func (f *Function) gaps() Gap {
	if f.Partial {
		return SyntaxGap
	}
	return 0
}
