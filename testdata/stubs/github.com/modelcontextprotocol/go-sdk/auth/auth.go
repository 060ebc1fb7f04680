// Package auth declares what the stories use of the package of this name.
package auth

import "context"

type TokenInfo struct {
	UserID string
	Scopes []string
	Extra  map[string]any
}

func TokenInfoFromContext(context.Context) *TokenInfo { return nil }
