// Package golangci makes the rules of retrysafe a module plugin of golangci-lint. See .custom-gcl.yml in the root of the repository.
package golangci

import (
	"github.com/golangci/plugin-module-register/register"
	"golang.org/x/tools/go/analysis"

	"github.com/retrysafe/retrysafe/analyzers/vet"
)

// The plugin system finds plugins by what their packages register when they are loaded.
func init() { register.Plugin("retrysafe", New) }

// Settings are those of `linters.settings.custom.retrysafe.settings`.
type Settings struct {
	Pedantic     bool `json:"pedantic"`
	Experimental bool `json:"experimental"`
}

// New reads the settings and makes the plugin. An error is about the settings.
func New(settings any) (register.LinterPlugin, error) {
	s, err := register.DecodeSettings[Settings](settings)
	if err != nil {
		return nil, err
	}
	return plugin{s}, nil
}

type plugin struct{ settings Settings }

// BuildAnalyzers gives one analyzer for each rule.
func (p plugin) BuildAnalyzers() ([]*analysis.Analyzer, error) {
	suite := vet.New()
	suite.Pedantic, suite.Experimental = p.settings.Pedantic, p.settings.Experimental
	return suite.Analyzers(), nil
}

// GetLoadMode asks for types.
func (plugin) GetLoadMode() string { return register.LoadModeTypesInfo }
