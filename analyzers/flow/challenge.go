package flow

// Expected gives the nonce or challenge that a call is told must be signed, nil where it is told none.
func (r *Result) Expected(c *Call) *Term {
	if c.CheckRow == nil || c.CheckRow.Check.Nonce == "" {
		return nil
	}
	return r.engine.recorded(c).first(c.CheckRow.Check.Nonce)
}
