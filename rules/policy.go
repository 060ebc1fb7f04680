package rules

// Policy is what a project has decided where good sources disagree, and what it knows and the source does not tell. The zero Policy decides nothing.
type Policy struct {
	// Errors says what becomes of failed results: "store", "discard", or "" for either.
	Errors string
	// PaymentRetention and Retention are how long the records of payments and of other effects must live, in seconds; zero stands for 24 hours and one hour.
	PaymentRetention, Retention float64
	// KeyLength is the least number of characters of a key; zero stands for 16.
	KeyLength int
	// TrustedHeaders are set by a proxy that a client cannot pass by, in any case of their letters.
	TrustedHeaders []string
}

// retention gives how many seconds a record must live, and of what.
func (o *Options) retention(money bool) (seconds float64, what string) {
	switch {
	case money && o.Policy.PaymentRetention > 0:
		return o.Policy.PaymentRetention, "a payment"
	case money:
		return 24 * 3600, "a payment"
	case o.Policy.Retention > 0:
		return o.Policy.Retention, "an effect"
	}
	return 3600, "an effect"
}
