// Package refund declares what the stories use of the package of this name.
package refund

import "github.com/stripe/stripe-go/v82"

func New(params *stripe.RefundParams) (*stripe.Refund, error)            { return nil, nil }
func Get(id string, params *stripe.RefundParams) (*stripe.Refund, error) { return nil, nil }
