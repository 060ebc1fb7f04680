// Package stripe declares what the stories use of the package of this name.
package stripe

var Key string

type Params struct {
	IdempotencyKey *string
	Metadata       map[string]string
	StripeAccount  *string
}

func (p *Params) SetIdempotencyKey(key string)  { p.IdempotencyKey = &key }
func (p *Params) AddMetadata(key, value string) {}
func (p *Params) AddExtra(key, value string)    {}

type ChargeParams struct {
	Params
	Amount                     *int64
	Currency, Customer, Source *string
}

type Charge struct{ ID string }

type PaymentIntentParams struct {
	Params
	Confirm            *bool
	Amount             *int64
	Currency, Customer *string
}

type PaymentIntentCaptureParams struct {
	Params
	AmountToCapture *int64
}

type PaymentIntent struct{ ID, Status string }

type RefundParams struct {
	Params
	Amount *int64
	Charge *string
}

type Refund struct{ ID string }

type CustomerParams struct {
	Params
	Email *string
}

type Customer struct{ ID string }

type EventData struct{ Raw []byte }

type Event struct {
	ID, Type string
	Data     *EventData
}

func String(s string) *string { return &s }
func Int64(n int64) *int64    { return &n }

func Bool(v bool) *bool { return &v }

type CardError struct{}

func (*CardError) Error() string { return "" }
