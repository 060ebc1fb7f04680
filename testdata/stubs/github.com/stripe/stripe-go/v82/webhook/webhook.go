// Package webhook declares what the stories use of the package of this name.
package webhook

import "github.com/stripe/stripe-go/v82"

func ConstructEvent(payload []byte, header, secret string) (stripe.Event, error) {
	return stripe.Event{}, nil
}

func ConstructEventIgnoringTolerance(payload []byte, header, secret string) (stripe.Event, error) {
	return stripe.Event{}, nil
}
