// Package siwe declares what the stories use of the package of this name.
package siwe

import (
	"crypto/ecdsa"
	"time"
)

type Message struct{}

func ParseMessage(message string) (*Message, error) { return &Message{}, nil }

func (*Message) Verify(signature string, domain, nonce *string, timestamp *time.Time) (*ecdsa.PublicKey, error) {
	return nil, nil
}
