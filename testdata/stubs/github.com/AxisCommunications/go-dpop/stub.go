// Package dpop declares what the stories use of the package of this name.
package dpop

import "net/url"

type HTTPVerb string

const POST HTTPVerb = "POST"

type ParseOptions struct{}

type Proof struct{}

func Parse(token string, method HTTPVerb, uri *url.URL, opts ParseOptions) (*Proof, error) {
	return &Proof{}, nil
}
