package rules

import "testing"

func TestNormalName(t *testing.T) {
	for name, want := range map[string]string{
		"requestId": "requestid", "request_id": "requestid", "Request-Id": "requestid", "X-Request-ID": "requestid", "x": "x", "X-": "",
	} {
		if got := NormalName(name); got != want {
			t.Errorf("NormalName(%q) = %q, want %q", name, got, want)
		}
	}
}

func TestKeyNames(t *testing.T) {
	for _, name := range []string{
		"idempotency_key", "idempotencyKey", "Idempotency-Key", "X-Idempotency-Key", "idempotencekey", "idempotent_id", "requestId", "request_id", "X-Request-Id",
		"client_request_token", "clientToken", "dedupe_id", "dedup_key", "deduplicationId", "MessageDeduplicationId", "operation_id", "op_id",
		"CreatorRequestId", "CallerReference", "PayPal-Request-Id", "options.idempotencyKey", "unique_request_id", "retry_key", "clientOrderId", "request.idempotency_key",
	} {
		if !isKeyName(name) {
			t.Errorf("%q is not taken for a key", name)
		}
	}
	for _, name := range []string{
		"id", "key", "order_id", "orderId", "api_key", "customer_id", "correlation_id", "traceId", "request", "requestBody", "operation", "user_id", "token", "nonce",
		"client_id", "clientId", "requester_id", "request_ids", "keyboard", "cache_key", "event_id", "jti",
	} {
		if isKeyName(name) {
			t.Errorf("%q is taken for a key", name)
		}
	}
}

func TestOtherNames(t *testing.T) {
	for _, c := range []struct {
		name                   string
		nonce, event, identity bool
	}{
		{"nonce", true, false, false}, {"request_nonce", true, false, false}, {"jti", true, false, false}, {"announce", false, false, false},
		{"event_id", false, true, false}, {"external_event_id", false, true, false}, {"X-GitHub-Delivery", false, true, false}, {"svix-id", false, true, false},
		{"event", false, false, false}, {"user_id", false, false, true}, {"X-User-Id", false, false, true}, {"tenantId", false, false, true},
		{"callerId", false, false, true}, {"account", false, false, true}, {"customer_id", false, false, false}, {"username", false, false, true},
		{"order_id", false, false, false},
	} {
		if got := isNonceName(c.name); got != c.nonce {
			t.Errorf("isNonceName(%q) = %v", c.name, got)
		}
		if got := isEventName(c.name); got != c.event {
			t.Errorf("isEventName(%q) = %v", c.name, got)
		}
		if got := isIdentityName(c.name); got != c.identity {
			t.Errorf("isIdentityName(%q) = %v", c.name, got)
		}
	}
}

func TestMisleads(t *testing.T) {
	for _, text := range []string{
		"Unique for every request", "A unique ID per request", "A new UUID for each call.", "Generate a fresh key on each attempt",
		"Use a different value for every retry", "Use a new key after a timeout", "Random string, different each time the tool is called; new for every call",
		"Never reuse the key when you retry", "do not send the same key again",
	} {
		if !misleads(text) {
			t.Errorf("%q is thought harmless", text)
		}
	}
	for _, text := range []string{
		"", "Idempotency key", "A unique ID for this payment", "Unique key of the operation; send the same key when you retry",
		"New for every request, but reuse it when you retry the request", "One key for each intended charge. On a retry, send the same key.",
		"Unique per request. Retries must use the same value.", "A client-chosen key that makes retries safe",
	} {
		if misleads(text) {
			t.Errorf("%q is thought misleading", text)
		}
	}
}

func TestShortestMatch(t *testing.T) {
	for pattern, want := range map[string]int{
		`/^[a-f0-9]{64}$/`: 64, `^[a-z0-9-]+$`: 1, `^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$`: 36,
		`/^[\w-]{16,128}$/i`: 16, `^(key_[a-z]{12}|[0-9]{20})$`: 16, `^.{1,255}$`: 1, `[`: 0, ``: 0, `^x?y*$`: 0,
	} {
		if got := shortestMatch(pattern); got != want {
			t.Errorf("shortestMatch(%q) = %d, want %d", pattern, got, want)
		}
	}
}
