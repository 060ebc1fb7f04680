package catalog

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/retrysafe/retrysafe/analyzers/lazyregexp"
	"github.com/retrysafe/retrysafe/analyzers/model"
)

// wordsOfType lists the words of the model's enumerations.
var wordsOfType = map[reflect.Type][]string{
	reflect.TypeFor[model.Nature](): words(model.Read, model.Replacing, model.Destructive, model.Transition, model.Additive),
	reflect.TypeFor[model.Kind](): words(model.Payment, model.Email, model.Message, model.Database, model.Queue, model.HTTP, model.File,
		model.Process, model.Cloud, model.VCS, model.Chain, model.Device, model.Remote, model.Handler),
	reflect.TypeFor[model.RecordOp]():  words(model.Lookup, model.Claim, model.Put, model.Release, model.Expire, model.Swap, model.Lock, model.Unlock, model.Txn),
	reflect.TypeFor[model.InputRole](): inputRoles,
}

var inputRoles = words(model.ArgumentsInput, model.ContextInput, model.RequestInput, model.ResponseInput, model.NextInput, model.HeaderInput,
	model.BodyInput, model.CallerInput, model.ClientInput, model.SessionInput, model.ProtocolInput, model.MetaInput, model.CredentialInput,
	model.EnvironmentInput, model.ToolNameInput, model.ReplyInput, model.OtherInput)

func words[T ~string](list ...T) []string {
	texts := make([]string, len(list))
	for i, w := range list {
		texts[i] = string(w)
	}
	return texts
}

// primitives are the built-ins whose meaning evaluation knows.
var primitives = []string{
	// over the elements of a collection
	"each", "map", "filter", "find", "some", "every", "reduce", "flatMap", "sort",
	// on arrays
	"push", "unshift", "pop", "shift", "concat", "slice", "splice", "reverse", "flat", "join", "includes", "indexOf", "at", "isArray", "from", "of",
	// on objects, maps and sets
	"keys", "values", "entries", "fromEntries", "assign", "freeze", "create", "error", "defineProperty", "assignMember", "construct", "listen", "unlisten", "emit", "subscribe", "publish", "await event", "get", "set", "has", "remove", "clear",
	// on promises
	"promise", "then", "catch", "finally", "all", "race", "resolve", "reject",
	// on functions
	"call", "apply", "bind", "invoke", "method", "field", "keep", "kept", "itself", "channel", "send", "receive", "drain",
	// on texts and numbers
	"stringify", "parse", "text", "split", "number", "absolute", "boolean", "test", "match",
	// pieces of a query that a program puts together: column = value, several of them, text with values
	"filter.eq", "filter.and", "sql.text", "hold", "held",
	// what is made for the caller to read: an answer, or one that tells of a failure
	"answer", "failure",
	// on the chain of handlers of a route: what comes after this one runs, or does not
	"next", "stop",
	// equality of two values, as a function
	"equal",
}

// fieldChecks hold for a field, or for each element where it is a list.
var fieldChecks = map[string]func(string) error{
	"Row.Symbols":      checkPattern,
	"Row.Versions":     checkVersions,
	"Row.Files":        checkGlob,
	"Row.Returns":      checkSymbol,
	"Given.Symbol":     checkSymbol,
	"Host.Name":        checkHost,
	"Host.Path":        checkAnchored,
	"Host.Methods":     oneOf("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"),
	"Predicate.Is":     oneOf("absent", "present", "function", "class", "string", "number", "boolean", "object", "array", "null", "schema", "true", "false", "unknown", "constant"),
	"Predicate.Symbol": checkPattern, "Predicate.Matches": checkRegexp, "Predicate.Surely": checkRegexp,
	"NatureBy.Matches": checkAnchored,
	"Record.Unit":      oneOf("s", "ms", "ns", "m", "h", "date", "unix"),
	"Record.Fails":     checkOutcome,
	"Record.Miss":      checkOutcome,
	"Record.Binds":     oneOf("caller", "arguments", "operation"),
	"Query.Language":   oneOf("sql", "graphql"),
	"Query.Rows":       oneOf("rows", "array", "first", "pair", "changes", "cursor", "results", "scan", "affected", "none"),
	"Tool.Kind":        oneOf("mcp", "agent"),
	"Hint.Name":        oneOf("title", "readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"),
	"Input.Type":       checkSymbol,
	"Field.Type":       checkSymbol,
	"Field.Path":       checkFieldPath,
	"Route.Method":     oneOf("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "ALL"),
	"Origin.Kind": oneOf(append([]string{"clock", "counter", "uuid-random", "uuid-time", "uuid-name", "random-weak", "random-strong", "hash", "hmac",
		"encode", "parse", "canonical", "identity", "argument", "secret", "constant"}, inputRoles...)...),
	"Origin.Lossy":   oneOf("nested", "order", "address"),
	"Check.Kind":     oneOf("format", "schema", "signature", "compare", "webhook", "auth", "order", "challenge", "proof"),
	"Primitive.Name": oneOf(primitives...),
	"Retry.Methods":  oneOf("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"),
	"Transport.Kind": oneOf("stdio", "http", "sse", "worker"),
}

func oneOf(words ...string) func(string) error {
	return func(text string) error {
		if slices.Contains(words, text) {
			return nil
		}
		if near := model.Nearest(text, words); near != "" {
			return fmt.Errorf("unknown word %q; did you mean %q?", text, near)
		}
		return fmt.Errorf("unknown word %q; known are %s", text, strings.Join(words, ", "))
	}
}

var outcomes = []string{"null", "false", "true", "zero", "blank", "empty", "rows", "throws", "present", "many"}

var memberOutcome = lazyregexp.New(`^(?:Member\[[^\]]+\]\.?)+=(.+)$`)

// checkOutcome is for how a claim or lookup shows its result: a word, or a word for a member.
func checkOutcome(text string) error {
	if m := memberOutcome.FindStringSubmatch(text); m != nil {
		text = m[1]
	}
	return oneOf(outcomes...)(text)
}

var fieldPath = lazyregexp.New(`^(?:\*|[\w$-]+(?:\(\))?)(?:\.(?:\*|[\w$-]+(?:\(\))?))*$`)

func checkFieldPath(text string) error {
	if !fieldPath.MatchString(text) {
		return fmt.Errorf("%q is no dotted path of members", text)
	}
	return nil
}
