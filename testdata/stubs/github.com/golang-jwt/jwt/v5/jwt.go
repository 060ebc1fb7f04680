// Package jwt declares what the stories use of the package of this name.
package jwt

import "time"

type Claims interface{ GetSubject() (string, error) }

type MapClaims map[string]any

func (MapClaims) GetSubject() (string, error) { return "", nil }

type RegisteredClaims struct {
	ID       string
	IssuedAt *NumericDate
}

func (RegisteredClaims) GetSubject() (string, error) { return "", nil }

type NumericDate struct{ time.Time }

type Token struct {
	Header map[string]any
	Claims Claims
	Valid  bool
}

type SigningMethod interface{ Alg() string }

var SigningMethodES256 SigningMethod

func NewWithClaims(method SigningMethod, claims Claims) *Token { return &Token{} }

func (*Token) SignedString(key any) (string, error) { return "", nil }

type (
	Keyfunc      func(*Token) (any, error)
	ParserOption func()
)

func Parse(token string, key Keyfunc, options ...ParserOption) (*Token, error) { return nil, nil }
func ParseWithClaims(token string, claims Claims, key Keyfunc, options ...ParserOption) (*Token, error) {
	return nil, nil
}
