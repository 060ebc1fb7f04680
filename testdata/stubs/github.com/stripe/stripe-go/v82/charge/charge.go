// Package charge declares what the stories use of the package of this name.
package charge

import "github.com/stripe/stripe-go/v82"

func New(params *stripe.ChargeParams) (*stripe.Charge, error)            { return nil, nil }
func Get(id string, params *stripe.ChargeParams) (*stripe.Charge, error) { return nil, nil }
