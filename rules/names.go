package rules

import (
	"strings"
	"unicode"

	"github.com/retrysafe/retrysafe/analyzers/lazyregexp"
)

// NormalName writes an identifier, a header or a column in one way: lower case without separators, so that requestId,
// request_id, Request-Id and X-Request-ID compare equal.
func NormalName(name string) string {
	lower := strings.ToLower(name)
	if rest, ok := strings.CutPrefix(lower, "x-"); ok {
		lower = rest
	}
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, lower)
}

// lastPart gives the last name of a dotted path.
func lastPart(path string) string { return path[strings.LastIndexByte(path, '.')+1:] }

// The vocabularies match normal names. A plain "id" or "key" is in none of them: it names an object far more often.
var (
	keyNames = lazyregexp.New(`idempoten(t|cy|ce)|dedup(e|lication|ing)?(id|key|token|hash)|` +
		`^(client|creator|caller|external|unique|user|original|paypal|op)?(request|req|operation|op|mutation)(id|key|token|uuid|guid|ref|reference)$|` +
		`^client(token|nonce|txn?id|transactionid|orderid|ref|referenceid|operationid)$|^(customertransactionid|callerreference|retry(key|token|id)|onceonly(key|token)|apirequestkey)$`)
	nonceNames = lazyregexp.New(`^(nonce|jti|requestnonce|clientnonce|onetimetoken|singleusetoken)$|nonce$|^dpopjti$`)
	eventNames = lazyregexp.New(`^(external|stripe|webhook|github|shopify|source|provider|vendor)?(event|delivery|webhook|notification|webhookevent|svix)id$|^(github|hub)delivery$|^(webhook|svix)id$`)
	// identityNames are what a caller calls itself.
	identityNames = lazyregexp.New(`^(current|auth|authenticated|acting|request|requesting|calling|caller|owner|session|remote|forwarded|consumer)?(user|tenant|caller|account|org|organi[sz]ation|workspace|team|owner|principal|subject|actor|member|client)(id|uuid|name|email|key|sub)?$|^(sub|uid|onbehalfof|impersonate|actas)$`)
)

// isKeyName reports whether a parameter, header or column of this name recognises a repeated operation.
func isKeyName(name string) bool {
	n := NormalName(lastPart(name))
	return keyNames.MatchString(n) && !nonceNames.MatchString(n)
}

// isNonceName reports whether the name is that of a value that is good for one request only.
func isNonceName(name string) bool { return nonceNames.MatchString(NormalName(lastPart(name))) }

// isEventName reports whether the name is that of the id which a sender gives to an event or delivery.
func isEventName(name string) bool { return eventNames.MatchString(NormalName(lastPart(name))) }

// isIdentityName reports whether a value of this name says who the caller is.
func isIdentityName(name string) bool { return identityNames.MatchString(NormalName(lastPart(name))) }

// isDedupeStore reports whether a table, collection or key prefix is named after deduplication.
func isDedupeStore(name string) bool {
	n := NormalName(name)
	return strings.Contains(n, "idempot") || strings.Contains(n, "dedup") || strings.Contains(n, "replay") ||
		strings.Contains(n, "processedevent") || strings.Contains(n, "processedrequest") || strings.Contains(n, "requestlog")
}
