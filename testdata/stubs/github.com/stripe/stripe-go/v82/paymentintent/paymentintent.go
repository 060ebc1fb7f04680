// Package paymentintent declares what the stories use of the package of this name.
package paymentintent

import "github.com/stripe/stripe-go/v82"

func New(params *stripe.PaymentIntentParams) (*stripe.PaymentIntent, error) { return nil, nil }
func Get(id string, params *stripe.PaymentIntentParams) (*stripe.PaymentIntent, error) {
	return nil, nil
}
func Capture(id string, params *stripe.PaymentIntentCaptureParams) (*stripe.PaymentIntent, error) {
	return nil, nil
}
