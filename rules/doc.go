// Package rules says what is wrong with what the evaluation of a program found.
//
// A rule is one value, one file and one claim. It reads a flow.Result, knows no
// library and no language, and reports through its Pass, which attaches the way
// from the tool's registration to the place. Run puts the findings of all rules
// together: where several rules see one defect the first in precedence is kept,
// findings of one place are joined, and comments in the source may ignore them.
package rules
