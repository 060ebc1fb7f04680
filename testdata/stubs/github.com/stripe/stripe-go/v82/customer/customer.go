// Package customer declares what the stories use of the package of this name.
package customer

import "github.com/stripe/stripe-go/v82"

func New(params *stripe.CustomerParams) (*stripe.Customer, error)            { return nil, nil }
func Get(id string, params *stripe.CustomerParams) (*stripe.Customer, error) { return nil, nil }
