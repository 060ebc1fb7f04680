package cmd

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"path/filepath"
	"strings"
	"testing"
)

// TestInterrupt makes sure that a scan that is cut short says so, and ends with the code for it.
func TestInterrupt(t *testing.T) {
	for _, test := range []struct {
		flags string
		want  int
	}{
		{"", exitIncomplete},
		{"--exit-zero", exitOK},
		{"--allow-incomplete", exitOK},
	} {
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		var out bytes.Buffer
		a := &app{in: strings.NewReader(""), out: &out, err: &bytes.Buffer{}}
		root := newRoot(a)
		root.SetArgs(append([]string{"scan", "--format", "json", filepath.Join("..", "testdata", "example")}, strings.Fields(test.flags)...))
		code := exitOK
		var quit *exitError
		if err := root.ExecuteContext(ctx); errors.As(err, &quit) {
			code = quit.code
		} else if err != nil {
			t.Fatal(err)
		}
		if code != test.want {
			t.Errorf("%q: exit code %d, want %d", test.flags, code, test.want)
		}
		var report struct{ Coverage struct{ Complete bool } }
		if err := json.Unmarshal(out.Bytes(), &report); err != nil || report.Coverage.Complete {
			t.Errorf("%q: %v, complete: %v", test.flags, err, report.Coverage.Complete)
		}
	}
}
