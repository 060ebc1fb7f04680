package load

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// Toolchain says where packages outside the context are read from. What is empty is done without.
type Toolchain struct {
	Root    string // of the standard library, an absolute path ($GOROOT)
	Cache   string // of modules, an absolute path ($GOMODCACHE)
	Command string // the go command, an absolute path; used to download only
}

// envTimeout bounds the question to the go command for its folders; it answers in milliseconds.
const envTimeout = 10 * time.Second

// FindToolchain looks for the Go installation of the user. The go command is asked outside of any program, so that
// the settings of a program have no say; where there is none, the usual places are looked at.
func FindToolchain(ctx context.Context) Toolchain {
	var t Toolchain
	if name, err := exec.LookPath("go"); err == nil && filepath.IsAbs(name) {
		t.Command = name
		t.ask(ctx)
	}
	if t.Root == "" {
		t.Root = firstFolder(os.Getenv("GOROOT"), "/usr/local/go", "/usr/lib/go", "/opt/homebrew/opt/go/libexec", `C:\Program Files\Go`)
	}
	if t.Cache == "" {
		home, _ := os.UserHomeDir()
		t.Cache = firstFolder(os.Getenv("GOMODCACHE"), below(firstOf(os.Getenv("GOPATH")), "pkg", "mod"), below(home, "go", "pkg", "mod"))
	}
	return t
}

func (t *Toolchain) ask(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, envTimeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, t.Command, "env", "-json", "GOROOT", "GOMODCACHE")
	cmd.Dir = filepath.Dir(t.Command)
	cmd.Env = append(os.Environ(), "GOTOOLCHAIN=local", "GOWORK=off", "GOFLAGS=")
	out, err := cmd.Output()
	if err != nil {
		return // a go command that does not answer is as good as none
	}
	var env struct{ GOROOT, GOMODCACHE string }
	if json.Unmarshal(out, &env) == nil {
		t.Root = firstFolder(env.GOROOT)
		if filepath.IsAbs(env.GOMODCACHE) {
			t.Cache = env.GOMODCACHE // may not be there yet
		}
	}
}

// firstOf gives the first entry of a list of folders.
func firstOf(list string) string {
	first, _, _ := strings.Cut(list, string(os.PathListSeparator))
	return first
}

func below(dir string, parts ...string) string {
	if dir == "" {
		return ""
	}
	return filepath.Join(append([]string{dir}, parts...)...)
}

func firstFolder(dirs ...string) string {
	for _, d := range dirs {
		if !filepath.IsAbs(d) {
			continue
		}
		if info, err := os.Stat(d); err == nil && info.IsDir() {
			return d
		}
	}
	return ""
}

// host gives the platform for which packages are read unless the options say otherwise.
func host() (goos, goarch string) { return runtime.GOOS, runtime.GOARCH }
