package cmd_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/retrysafe/retrysafe/cmd"
)

var update = flag.Bool("update", false, "write what is generated instead of comparing it")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"retrysafe": func() { os.Exit(cmd.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) },
	})
}

// TestScript runs the sessions under testdata/script, each in a folder of its own. `go test ./cmd -run TestScript -update` writes the expected
// outputs anew.
//
// Beside the usual commands, `exits N command…` runs a command that must end with the exit code N.
func TestScript(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("..", "testdata", "script"),
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(e *testscript.Env) error {
			e.Setenv("NO_COLOR", "")
			e.Setenv("FORCE_COLOR", "")
			return os.CopyFS(filepath.Join(e.WorkDir, "desk"), os.DirFS(filepath.Join("..", "testdata", "example")))
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"exits": exits},
	})
}

func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE command…")
	}
	// the shell tells the code; testscript itself tells only failure from success
	err := ts.Exec("sh", append([]string{"-c", `"$@"; echo "exit code $?"`, "sh"}, args[1:]...)...)
	if err != nil {
		ts.Fatalf("%v", err)
	}
	want := "exit code " + args[0] + "\n"
	if out := ts.ReadFile("stdout"); !strings.HasSuffix(out, want) {
		ts.Fatalf("%s: got %q, want %q", strings.Join(args[1:], " "), out[max(0, len(out)-40):], want)
	}
}
