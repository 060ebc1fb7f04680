package vet

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"strings"

	"golang.org/x/tools/go/analysis/unitchecker"
)

// Protocol reports whether a program was started by the go command as a vet tool: with -V=full, -flags or the configuration of a package.
func Protocol(args []string) bool {
	if len(args) == 0 {
		return false
	}
	return args[0] == "-V=full" || args[0] == "-flags" || strings.HasSuffix(args[len(args)-1], ".cfg")
}

// Main answers the go command; it does not return.
//
// The go command runs a vet tool that has facts over every dependency. Packages outside the main module are left before they are read: they give an
// empty file of facts.
func Main(args []string) {
	if cfg := args[len(args)-1]; strings.HasSuffix(cfg, ".cfg") {
		done, err := skip(cfg)
		if err != nil {
			fmt.Fprintf(os.Stderr, "retrysafe: %v\n", err)
			os.Exit(1)
		}
		if done {
			os.Exit(0)
		}
	}
	s := New()
	flag.BoolVar(&s.Pedantic, "pedantic", false, "also report what most teams take for style")
	flag.BoolVar(&s.Experimental, "experimental", false, "also report what experimental rules find")
	unitchecker.Main(s.Analyzers()...)
}

// skip writes an empty file of facts for a package of which only facts are wanted and that is not of the main module or workspace.
func skip(config string) (bool, error) {
	data, err := os.ReadFile(config)
	if err != nil {
		return false, err
	}
	var cfg struct {
		ModulePath, ModuleVersion string
		VetxOnly                  bool
		VetxOutput                string
	}
	if err := json.Unmarshal(data, &cfg); err != nil {
		return false, fmt.Errorf("%s: %w", config, err)
	}
	// only dependencies have a version, and the standard library has no module
	if !cfg.VetxOnly || cfg.ModulePath != "" && cfg.ModuleVersion == "" {
		return false, nil
	}
	if cfg.VetxOutput == "" {
		return true, nil
	}
	return true, os.WriteFile(cfg.VetxOutput, nil, 0o666)
}
