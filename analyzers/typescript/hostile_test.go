package typescript

import (
	"testing"
	"time"

	"github.com/retrysafe/retrysafe/analyzers/model"
)

// TestHostile lowers sources that are long or deep. The bound on time is generous: it tells linear from
// quadratic work, not fast from slow.
func TestHostile(t *testing.T) {
	for _, h := range hostile() {
		t.Run(h.name, func(t *testing.T) {
			begin := time.Now()
			u := lowerText(t, "a.ts", h.source)
			if took := time.Since(begin); took > 20*time.Second {
				t.Errorf("took %v", took)
			}
			ops := 0
			for _, f := range u.Funcs {
				ops += len(f.Ops)
			}
			if most := 200*len(h.source) + 10_000; ops > most {
				t.Errorf("%d operations from %d bytes", ops, len(h.source))
			}
			if err := model.Validate(u); err != nil {
				t.Error(err)
			}
			checkSpans(t, u, len(h.source))
		})
	}
}
