package model

import (
	"fmt"
	"strconv"
	"strings"
)

// StepKind is the kind of a step of an access path.
type StepKind uint8

// The steps of access paths.
const (
	// ReceiverStep is the object a method is called on; after a value that a call made, of that call.
	ReceiverStep StepKind = iota + 1
	// ArgumentStep is the argument Index of the call (negative from the end), or with Rest
	// the arguments from Index on, as an array; after a value that a call or `new` made, of that call.
	ArgumentStep
	// ReturnStep is what calling the value so far returns, settled where it is a promise. It stands first where the path is
	// read over a function (Tool.Tools).
	ReturnStep
	// MemberStep is the member Name.
	MemberStep
	// ElementStep is any element of an array, or any value of an object.
	ElementStep
	// ParameterStep is the parameter Index of a function.
	ParameterStep
	// OptionStep is, of an array of functional options, those that calls of one of Names made: the one, or an array of several.
	OptionStep

	// The following can only stand first.

	// ResultStep is what the call gives: its value, settled where it is a promise. Of a row
	// over an export it is the exported value.
	ResultStep
	// CalleeStep is a name of the called chain, Index counted from its end: 0 is the method's name.
	CalleeStep
	// ChainStep is the nearest call, among those that made the receiver, of one of Names.
	ChainStep
	// DecoratedStep is what a decorator stands on: the method, the class or the parameter.
	DecoratedStep
	// SubclassStep is a class of the program that extends the symbol.
	SubclassStep
	// ModuleStep is the namespace of the unit that holds the call or export.
	ModuleStep
	// URLStep, HeadersStep and BodyStep are those of the effect that a row over hosts speaks of.
	URLStep
	HeadersStep
	BodyStep
)

var stepNames = [...]string{
	ReceiverStep: "Receiver", ArgumentStep: "Argument", ReturnStep: "Return", MemberStep: "Member", ElementStep: "Element",
	ParameterStep: "Parameter", OptionStep: "Option", ResultStep: "Result", CalleeStep: "Callee", ChainStep: "Chain", DecoratedStep: "Decorated",
	SubclassStep: "Subclass", ModuleStep: "Module", URLStep: "URL", HeadersStep: "Headers", BodyStep: "Body",
}

// String gives the step's word as it is written in access paths.
func (k StepKind) String() string {
	if int(k) < len(stepNames) && stepNames[k] != "" {
		return stepNames[k]
	}
	return "Step(" + strconv.Itoa(int(k)) + ")"
}

// root reports that the step can only stand first.
func (k StepKind) root() bool { return k >= ResultStep }

// takesIndex reports that brackets follow the step's word.
func (k StepKind) takesIndex() bool {
	switch k {
	case ArgumentStep, MemberStep, ParameterStep, CalleeStep, ChainStep, OptionStep:
		return true
	}
	return false
}

// Step is one step of an access path. Name belongs to MemberStep and, with
// commas between the names, to ChainStep and OptionStep; Index to ArgumentStep, CalleeStep and ParameterStep; Rest to ArgumentStep.
type Step struct {
	Kind  StepKind
	Name  string
	Index int
	Rest  bool
}

// String gives the step as it is written in access paths.
func (s Step) String() string {
	switch s.Kind {
	case MemberStep, ChainStep, OptionStep:
		return s.Kind.String() + "[" + s.Name + "]"
	case ArgumentStep:
		if s.Rest {
			return "Argument[" + strconv.Itoa(s.Index) + "..]"
		}
		return "Argument[" + strconv.Itoa(s.Index) + "]"
	case CalleeStep, ParameterStep:
		return s.Kind.String() + "[" + strconv.Itoa(s.Index) + "]"
	}
	return s.Kind.String()
}

// Names lists the names of a ChainStep or OptionStep.
func (s Step) Names() []string { return strings.Split(s.Name, ",") }

// AccessPath is one parsed alternative of an Access.
type AccessPath []Step

// String gives the path as it is written: ParseAccess reads it back.
func (p AccessPath) String() string {
	parts := make([]string, len(p))
	for i, s := range p {
		parts[i] = s.String()
	}
	return strings.Join(parts, ".")
}

// maxIndex bounds the numbers in access paths; no call has as many arguments.
const maxIndex = 255

// ParseAccess reads an access path: alternatives joined by " | ", each a
// sequence of steps joined by ".". The empty Access has no alternatives. An error
// names the step that is wrong.
func ParseAccess(a Access) ([]AccessPath, error) {
	text := string(a)
	if text == "" {
		return nil, nil
	}
	if len(text) > maxText {
		return nil, fmt.Errorf("access path of %d bytes is longer than %d", len(text), maxText)
	}
	var paths []AccessPath
	for text != "" {
		path, rest, err := parsePath(text)
		if err != nil {
			return nil, fmt.Errorf("access path %q: %w", string(a), err)
		}
		paths = append(paths, path)
		if rest == "" {
			break
		}
		if text = strings.TrimLeft(rest[1:], " "); text == "" {
			return nil, fmt.Errorf("access path %q: nothing follows the last \"|\"", string(a))
		}
	}
	return paths, nil
}

// parsePath reads steps up to the end of text or to a "|", which starts rest.
func parsePath(text string) (path AccessPath, rest string, err error) {
	for {
		var step Step
		step, text, err = parseStep(text)
		if err != nil {
			return nil, "", err
		}
		if step.Kind.root() && len(path) > 0 {
			return nil, "", fmt.Errorf("%s can only stand first", step.Kind)
		}
		path = append(path, step)
		trimmed := strings.TrimLeft(text, " ")
		switch {
		case trimmed == "":
			if text != "" {
				return nil, "", fmt.Errorf("blanks at the end")
			}
			return path, "", nil
		case trimmed[0] == '|':
			return path, trimmed, nil
		case text[0] == '.':
			text = text[1:]
		default:
			return nil, "", fmt.Errorf("expected \".\" or \" | \" before %q", text)
		}
	}
}

// parseStep reads one step from the front of text.
func parseStep(text string) (Step, string, error) {
	end := strings.IndexAny(text, "[.| ")
	if end < 0 {
		end = len(text)
	}
	word, rest := text[:end], text[end:]
	kind := StepKind(0)
	for k, name := range stepNames {
		if name != "" && name == word {
			kind = StepKind(k)
		}
	}
	if kind == 0 {
		near := Nearest(word, stepNames[1:])
		for _, name := range stepNames {
			if len(word) > 1 && len(word) < len(name) && strings.EqualFold(word, name[:len(word)]) {
				near = name // cut short
				break
			}
		}
		if near != "" {
			return Step{}, "", fmt.Errorf("unknown step %q; did you mean %q?", word, near)
		}
		return Step{}, "", fmt.Errorf("unknown step %q", word)
	}
	if !strings.HasPrefix(rest, "[") {
		if kind.takesIndex() {
			return Step{}, "", fmt.Errorf("%s needs an index in brackets", kind)
		}
		return Step{Kind: kind}, rest, nil
	}
	if !kind.takesIndex() {
		return Step{}, "", fmt.Errorf("%s takes no index", kind)
	}
	closing := strings.IndexByte(rest, ']')
	if closing < 0 {
		return Step{}, "", fmt.Errorf("%s has no closing bracket", kind)
	}
	inside, rest := rest[1:closing], rest[closing+1:]
	if kind == MemberStep {
		switch {
		case inside == "":
			return Step{}, "", fmt.Errorf("Member needs a name")
		case strings.ContainsAny(inside, "[,*\"'` "):
			return Step{}, "", fmt.Errorf("Member[%s] is no single plain name; join alternatives by \" | \", and use Element for any", inside)
		}
		return Step{Kind: kind, Name: inside}, rest, nil
	}
	if kind == ChainStep || kind == OptionStep {
		for name := range strings.SplitSeq(inside, ",") {
			if name == "" || strings.ContainsAny(name, "[*\"'`. ") {
				return Step{}, "", fmt.Errorf("%s[%s] is no list of plain names", kind, inside)
			}
		}
		return Step{Kind: kind, Name: inside}, rest, nil
	}
	number, open := strings.CutSuffix(inside, "..")
	if open && kind != ArgumentStep {
		return Step{}, "", fmt.Errorf("%s takes no open range", kind)
	}
	n, err := strconv.Atoi(number)
	if err != nil || number[0] == '+' {
		return Step{}, "", fmt.Errorf("%s[%s]: the index is no number", kind, inside)
	}
	if n > maxIndex || n < -maxIndex || (n < 0 && (kind != ArgumentStep || open)) {
		return Step{}, "", fmt.Errorf("%s[%s]: the index is out of range", kind, inside)
	}
	return Step{Kind: kind, Index: n, Rest: open}, rest, nil
}
