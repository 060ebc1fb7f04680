// Package jwt declares what the stories use of the package of this name.
package jwt

type Claims interface{ GetSubject() (string, error) }

type MapClaims map[string]any

func (MapClaims) GetSubject() (string, error) { return "", nil }

type Token struct {
	Claims Claims
	Valid  bool
}

type (
	Keyfunc      func(*Token) (any, error)
	ParserOption func()
)

func Parse(token string, key Keyfunc, options ...ParserOption) (*Token, error) { return nil, nil }
