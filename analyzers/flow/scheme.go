package flow

import (
	"strings"

	"github.com/retrysafe/retrysafe/analyzers/model"
)

// Scheme gives what the catalog knows of the vendor that sends its signature in a header, nil if nothing.
func (r *Result) Scheme(header string) *model.Scheme {
	if header == "" {
		return nil
	}
	for _, row := range r.engine.rowsOf("header#" + strings.ToLower(header)) {
		if row.Scheme != nil {
			return row.Scheme
		}
	}
	return nil
}
