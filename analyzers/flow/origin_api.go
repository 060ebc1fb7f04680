package flow

import "github.com/retrysafe/retrysafe/analyzers/model"

// OriginKind says where a value comes from.
type OriginKind string

// The kinds of origins. The roles of inputs (model.InputRole) are origins too: "arguments", "header", "caller", "client",
// "session", "protocol", "meta", "credential", "body", "environment", "tool".
const (
	OriginArguments  = OriginKind(model.ArgumentsInput)
	OriginHeader     = OriginKind(model.HeaderInput)
	OriginCaller     = OriginKind(model.CallerInput)
	OriginClient     = OriginKind(model.ClientInput)
	OriginSession    = OriginKind(model.SessionInput)
	OriginProtocol   = OriginKind(model.ProtocolInput)
	OriginMeta       = OriginKind(model.MetaInput)
	OriginCredential = OriginKind(model.CredentialInput)
	OriginBody       = OriginKind(model.BodyInput)
	OriginEnv        = OriginKind(model.EnvironmentInput)
	OriginToolName   = OriginKind(model.ToolNameInput)
	OriginReply      = OriginKind(model.ReplyInput)

	OriginConstant   OriginKind = "constant"
	OriginClock      OriginKind = "clock"
	OriginCounter    OriginKind = "counter"
	OriginRandom     OriginKind = "random"      // strong: CSPRNG, uuid v4/v7, ulid
	OriginWeakRandom OriginKind = "random-weak" // Math.random, math/rand
	OriginTimeID     OriginKind = "uuid-time"   // uuid v1, v6
	OriginRecord     OriginKind = "record"      // read from a store or database
	OriginResult     OriginKind = "result"      // result of an effect or other external call
	OriginCaught     OriginKind = "exception"
	OriginUnknown    OriginKind = "unknown"
)

// Origin is one source of a value.
type Origin struct {
	Kind OriginKind
	// Name is the path of the argument, header or environment variable; the constant's text; the symbol of a call.
	Name string
	Term *Term
	// Whole is true where all arguments flow in together (a hash of the whole object).
	Whole bool
	// Hashed gives the hash that the value went through, "" if it is there as it is; Encoded is true for reversible or unordered text (JSON).
	Hashed string
}
