package flow

import (
	"strconv"
	"strings"

	"github.com/retrysafe/retrysafe/analyzers/lazyregexp"
	"github.com/retrysafe/retrysafe/analyzers/model"
)

// statuses stand for the answers of HTTP, in the order of the bits of a set of them.
var statuses = [...]int{200, 201, 202, 204, 301, 304, 400, 401, 403, 404, 408, 409, 410, 422, 425, 429, 499, 500, 501, 502, 503, 504, 599}

type statusSet uint32

const allStatuses = statusSet(1<<len(statuses) - 1)

// statusesThat collects the statuses for which a condition holds.
func statusesThat(holds func(status int) bool) statusSet {
	var s statusSet
	for i, n := range statuses {
		if holds(n) {
			s |= 1 << i
		}
	}
	return s
}

func successes() statusSet { return statusesThat(func(n int) bool { return n < 400 }) }

// unclear are the answers that leave open whether the request was processed.
func unclear() statusSet {
	return statusesThat(func(n int) bool { return n == 408 || n >= 499 })
}

// outcomeOf is what the conditions on a way say of how a call ended.
type outcomeOf struct {
	failed   bool // it did
	thrown   bool // what is looked at is the exception, not the answer
	turned   bool // it was refused before it was processed
	statuses statusSet
	told     bool // statuses were looked at
	named    bool // the condition is known by its name only
	never    bool // the conditions exclude each other
}

func newOutcome() outcomeOf { return outcomeOf{statuses: allStatuses} }

func (o *outcomeOf) impossible() bool { return o.never || o.told && o.statuses == 0 }

// refused reports whether the call was refused before it was processed.
func (o *outcomeOf) refused() bool {
	return o.turned || o.told && o.statuses&unclear() == 0 && o.statuses&successes() == 0
}

func (o *outcomeOf) confidence() model.Confidence {
	if o.named {
		return model.Likely
	}
	return model.Certain
}

func (o *outcomeOf) narrow(s statusSet) {
	o.statuses &= s
	o.told = true
	if o.statuses&successes() == 0 {
		o.failed = true
	}
}

var (
	statusName  = lazyregexp.New(`(?i)^(http_?)?(status|status_?code|response_?code)$`)
	successName = lazyregexp.New(`(?i)^(ok|success|successful|succeeded|is_?(ok|success|successful)|done|sent|delivered)$`)
	verbName    = lazyregexp.New(`(?i)^(http_?|request_?)?(method|verb)$`)
	errorName   = lazyregexp.New(`(?i)^(e|ex|err|error|errors|exception|is_?err(or)?|failed|failure|reason|(last|first|net|network|request|resp|send|post|do|http|api|call)_?(err|error))$|^(err|e)[0-9]$`)
	// refusedWords name what is refused before it is processed: limits, authentication, connections that were not made.
	refusedWords = lazyregexp.New(`(?i)rate.?limit|too.?many|throttl|quota|slow.?down|\b429\b|\b401\b|\b403\b|unauthori[sz]ed|forbidden|(invalid|bad).?(auth|token|credential)|token.?(expired|revoked)|expired.?token|not.?authed|conn(ection)?.?refused|refused|notfound|not.?found|eai_again|dial|no.?such.?host|serializ|deadlock|conflict`)
	retryWords   = lazyregexp.New(`(?i)retr(y|i)|transient|temporar|unavailable|time.?out|network|fail|error|5xx|server.?err`)
)

// judge adds to o what it means that a condition is truthy (want) or not, on a way of blocks that ends where it is decided.
func (e *engine) judge(f *Function, id model.ID, want bool, way []model.BlockID, o *outcomeOf, depth int) {
	if id < 0 || depth > 12 {
		return
	}
	op := &f.Ops[id]
	switch op.Kind {
	case model.Constant:
		if op.Const.Kind == model.Bool && (op.Const.Text == "true") != want {
			o.never = true
		}
	case model.Unary:
		if op.Name == "!" {
			e.judge(f, op.Args[0], !want, way, o, depth+1)
		}
	case model.Phi:
		if arg, ok := f.comingFrom(id, way); ok {
			e.judge(f, arg, want, way, o, depth+1)
		}
	case model.Await, model.Convert:
		e.judge(f, op.Args[0], want, way, o, depth+1)
	case model.Compare:
		e.judgeCompare(f, op, want, way, o, depth)
	case model.Load:
		name := f.nameOf(id)
		switch {
		case op.Name == "" && len(op.Args) == 1 && !errorName.MatchString(name):
			if v, ok := f.lastStored(op.Args[0], id, way); ok {
				e.judge(f, v, want, way, o, depth+1)
				return
			}
			o.byName(name, want)
		case successName.MatchString(name):
			if want {
				o.statuses &= successes()
			} else {
				o.narrow(allStatuses &^ successes())
			}
		default:
			o.byName(name, want)
		}
	case model.Call:
		e.judgeCall(f, op, want, way, o)
	case model.FreeVar, model.Parameter:
		o.byName(f.nameOf(id), want)
	}
	if (op.Kind == model.Call || op.Kind == model.Load) && !want && !o.failed && f.isAttempt(id, way) {
		o.failed, o.named = true, true // nothing came of it
	}
}

// byName judges the truth of a value by what it is called.
func (o *outcomeOf) byName(name string, want bool) {
	switch {
	case errorName.MatchString(name):
		if want {
			o.failed = true
		}
	case successName.MatchString(name):
		if !want {
			o.failed, o.named = true, true
		}
	case want && (refusedWords.MatchString(name) || sparingWords.MatchString(name)):
		o.failed, o.turned = true, true
	case want && retryWords.MatchString(name) && !boundWords.MatchString(name):
		o.failed, o.named = true, true
	}
}

// judgeCompare judges a comparison: of a status with a number, of an error or a result with nothing, of a code with a text.
func (e *engine) judgeCompare(f *Function, op *model.Op, want bool, way []model.BlockID, o *outcomeOf, depth int) {
	x, y, name := op.Args[0], op.Args[1], op.Name
	switch name {
	case "===", "!==":
		name = name[:2]
	}
	if x >= 0 && f.Ops[x].Kind == model.Constant {
		x, y = y, x
		if mirrored := map[string]string{"<": ">", "<=": ">=", ">": "<", ">=": "<="}[name]; mirrored != "" {
			name = mirrored
		}
	}
	if x < 0 || y < 0 || f.Ops[y].Kind != model.Constant {
		if x >= 0 && y >= 0 && (name == "==" || name == "!=") && want == (name == "==") {
			// a code against a value that has a name: err == ErrRateLimited
			if n := f.nameOf(y); refusedWords.MatchString(n) {
				o.failed, o.turned = true, true
			}
		}
		return
	}
	c := f.Ops[y].Const
	called := f.nameOf(x)
	switch c.Kind {
	case model.Null, model.Undefined:
		is := want == (name == "==")
		failing := errorName.MatchString(called) || f.Ops[x].Type != nil && f.Ops[x].Type.Name == "error"
		switch {
		case failing && !is:
			o.failed = true
		case !failing && is && f.isAttempt(x, way):
			o.failed, o.named = true, true
		}
	case model.Bool:
		if name == "==" || name == "!=" {
			e.judge(f, x, (c.Text == "true") == (want == (name == "==")), way, o, depth+1)
		}
	case model.Number:
		n, err := strconv.Atoi(c.Text)
		if err != nil || !statusName.MatchString(called) && (n < 300 || n > 600 || boundWords.MatchString(called)) {
			return
		}
		set := statusesThat(func(s int) bool {
			switch name {
			case "==":
				return s == n
			case "!=":
				return s != n
			case "<":
				return s < n
			case "<=":
				return s <= n
			case ">":
				return s > n
			case ">=":
				return s >= n
			}
			return true
		})
		if !want {
			set = allStatuses &^ set
		}
		o.narrow(set)
	case model.String:
		if (name == "==") != want || name != "==" && name != "!=" {
			return
		}
		if refusedWords.MatchString(c.Text) || verbName.MatchString(called) && methodWord.MatchString(c.Text) && !strings.EqualFold(c.Text, "POST") {
			o.failed, o.turned = true, true
		}
	}
}

// judgeCall judges what a question about the outcome answers: isRetryable(err), message.includes("429"), errors.Is(err, ErrClosed).
func (e *engine) judgeCall(f *Function, op *model.Op, want bool, way []model.BlockID, o *outcomeOf) {
	name := f.calleeName(op)
	if !want {
		if successName.MatchString(name) || f.startsAsSuccess(op, way) {
			o.failed, o.named = true, true
		}
		return
	}
	texts, refusals := 0, 0
	note := func(text string) {
		texts++
		if refusedWords.MatchString(text) {
			refusals++
		}
	}
	for _, a := range op.Args[1:] {
		if a < 0 {
			continue
		}
		switch v := &f.Ops[a]; v.Kind {
		case model.Constant:
			if v.Const.Kind == model.String {
				note(v.Const.Text)
			}
		case model.External, model.LoadGlobal, model.Load:
			if n := f.nameOf(a); refusedWords.MatchString(n) {
				note(n)
			}
		}
	}
	if g := e.calledFunction(f, op); g != nil && texts == 0 {
		for i := range g.Ops {
			if g.Ops[i].Kind != model.Constant {
				continue
			}
			told, refused := tellsRefusal(g.Ops[i].Const)
			if told {
				texts++
			}
			if refused {
				refusals++
			}
		}
	}
	switch {
	case refusedWords.MatchString(name) || sparingWords.MatchString(name) || f.listsOtherVerbs(op) || texts > 0 && texts == refusals:
		o.failed, o.turned = true, true
	case retryWords.MatchString(name) || texts > 0 && refusals == 0 && errorSubject(f, op):
		o.failed, o.named = true, true
	}
}

// listsOtherVerbs reports whether a call asks whether a list has the method of the request, and adding ones are not on it: ["GET", "PUT"].includes(method).
func (f *Function) listsOtherVerbs(op *model.Op) bool {
	callee := op.Args[0]
	if len(op.Args) < 2 || callee < 0 || f.Ops[callee].Kind != model.Load || len(f.Ops[callee].Args) == 0 || !f.readsVerb(op.Args[1]) {
		return false
	}
	verbs, adds := 0, false
	f.operands(f.Ops[callee].Args[0], func(v *model.Op) {
		if v.Kind == model.Constant && methodWord.MatchString(v.Const.Text) {
			verbs++
			adds = adds || strings.EqualFold(v.Const.Text, "POST")
		}
	})
	return verbs > 0 && !adds || sparingWords.MatchString(f.nameOf(f.Ops[callee].Args[0])+" method")
}

// readsVerb reports whether a value is the method of a request, whatever its case.
func (f *Function) readsVerb(id model.ID) bool {
	found := false
	f.operands(id, func(v *model.Op) { found = found || verbName.MatchString(v.Name) })
	return found || verbName.MatchString(f.nameOf(id))
}

// startsAsSuccess reports whether a call asks whether a status begins with the digit of success: strings.HasPrefix(status, "2").
func (f *Function) startsAsSuccess(op *model.Op, way []model.BlockID) bool {
	digit, status := false, false
	for _, a := range op.Args {
		if a < 0 {
			continue
		}
		v := &f.Ops[a]
		digit = digit || v.Kind == model.Constant && v.Const.Text == "2"
		name := f.nameOf(a)
		if v.Kind == model.Load && a == op.Args[0] && len(v.Args) > 0 {
			name = f.nameOf(v.Args[0]) // the receiver
		}
		status = status || statusName.MatchString(name) || v.Kind == model.Load && f.isAttempt(a, way)
	}
	return digit && status
}

// tellsRefusal reports whether a constant names a kind of failure, a status or the text of a code, and whether it is one before anything is processed.
func tellsRefusal(c model.Const) (told, refused bool) {
	switch c.Kind {
	case model.String:
		return len(c.Text) > 2, refusedWords.MatchString(c.Text)
	case model.Number:
		if n, err := strconv.Atoi(c.Text); err == nil && n >= 400 && n < 600 {
			return true, n < 499 && n != 408
		}
	}
	return false, false
}

// errorSubject reports whether a call asks about an error: it is given one, or is a method of one.
func errorSubject(f *Function, op *model.Op) bool {
	found := false
	for _, a := range op.Args {
		f.operands(a, func(v *model.Op) {
			found = found || v.Kind == model.Catch || v.Type != nil && v.Type.Name == "error" || errorName.MatchString(v.Name)
		})
	}
	return found
}

// calledFunction gives the function of the program that a call calls by its name, nil if it calls none so.
func (e *engine) calledFunction(f *Function, op *model.Op) *Function {
	if op.Args[0] < 0 {
		return nil
	}
	callee := &f.Ops[op.Args[0]]
	switch callee.Kind {
	case model.FuncRef:
		return e.p.referred(f.Unit, callee)
	case model.Load, model.LoadGlobal:
		name := f.calleeName(op)
		var found *Function
		for _, g := range f.Unit.funcs {
			if lastName(g.Name) == name {
				if found != nil {
					return nil
				}
				found = g
			}
		}
		return found
	}
	return nil
}

// nameOf gives the name of a value: of the variable or member that it was read from, or of the function that gave it.
func (f *Function) nameOf(id model.ID) string {
	for range 6 {
		if id < 0 {
			return ""
		}
		op := &f.Ops[id]
		switch op.Kind {
		case model.Load:
			if op.Name != "" && op.Name[0] != '#' {
				return op.Name
			}
			if len(op.Args) == 0 {
				return ""
			}
			id = op.Args[0]
		case model.Alloc, model.External:
			return op.Name
		case model.Catch:
			return "err"
		case model.FreeVar:
			if int(op.Ref) < len(f.FreeVars) {
				return f.FreeVars[op.Ref]
			}
			return ""
		case model.Parameter:
			if int(op.Ref) < len(f.Params) {
				return f.Params[op.Ref].Name
			}
			return ""
		case model.LoadGlobal:
			if op.Name == "" && int(op.Ref) < len(f.Unit.Globals) {
				return f.Unit.Globals[op.Ref].Name
			}
			return ""
		case model.Call:
			return f.calleeName(op)
		case model.Await, model.Convert:
			id = op.Args[0]
		default:
			return ""
		}
	}
	return ""
}

// comingFrom picks the value that a Phi has on a way of blocks.
func (f *Function) comingFrom(phi model.ID, way []model.BlockID) (model.ID, bool) {
	at := f.blockIDOf(phi)
	for i := len(way) - 1; i > 0; i-- {
		if way[i] != at {
			continue
		}
		preds := f.preds[at]
		for j, p := range preds {
			if p == way[i-1] && j < len(f.Ops[phi].Args) {
				return f.Ops[phi].Args[j], true
			}
		}
	}
	return model.None, false
}

// lastStored gives what a variable was set to last on a way, before an operation reads it.
func (f *Function) lastStored(cell, read model.ID, way []model.BlockID) (model.ID, bool) {
	if cell < 0 || f.Ops[cell].Kind != model.Alloc {
		return model.None, false
	}
	at := f.blockIDOf(read)
	for i := len(way) - 1; i >= 0; i-- {
		ops := f.Blocks[way[i]].Ops
		for j := len(ops) - 1; j >= 0; j-- {
			id := ops[j]
			if way[i] == at && id >= read {
				continue
			}
			if s := &f.Ops[id]; s.Kind == model.Store && s.Name == "" && len(s.Args) > 1 && s.Args[0] == cell {
				return s.Args[1], true
			}
		}
	}
	return model.None, false
}

// isAttempt reports whether a value is what a call on the way gave: directly, awaited, or through a variable.
func (f *Function) isAttempt(id model.ID, way []model.BlockID) bool {
	for range 6 {
		if id < 0 {
			return false
		}
		switch op := &f.Ops[id]; op.Kind {
		case model.Call:
			return len(way) > 0 && f.blockIDOf(id) == way[0]
		case model.Await, model.Convert:
			id = op.Args[0]
		case model.Load:
			if op.Name != "" && op.Name[0] != '#' || len(op.Args) != 1 {
				return false
			}
			if v, ok := f.lastStored(op.Args[0], id, way); ok {
				id = v
			} else if op.Name != "" {
				id = op.Args[0]
			} else {
				return false
			}
		default:
			return false
		}
	}
	return false
}
