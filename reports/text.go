package reports

import (
	"fmt"
	"io"
)

// Text writes a report for people.
func Text(w io.Writer, r *Report, p *Palette) error {
	for _, f := range r.Findings {
		fmt.Fprintln(w, f.Primary, f.Rule.Name, f.Message)
	}
	return nil
}
