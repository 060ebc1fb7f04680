package audit

import (
	"fmt"
	"io/fs"
	"strings"

	"github.com/retrysafe/retrysafe/analyzers/audit/config"
	"github.com/retrysafe/retrysafe/analyzers/catalog"
	"github.com/retrysafe/retrysafe/analyzers/flow"
	"github.com/retrysafe/retrysafe/rules"
)

// Told is a row about a library that does not come with the auditor.
type Told struct {
	catalog.UserRow
	// Asked says that the scanned program uses something of which the row speaks.
	Asked bool
}

// knowledge loads the rows that come with the program, those of the user, and those of the repository around the scanned path
// unless they are to be ignored.
func knowledge(view fs.FS, rel string, opts Options) (*catalog.Catalog, config.Settings, error) {
	var settings config.Settings
	sources := opts.Catalog
	if !opts.Isolated {
		if name := config.Find(view, rel); name != "" {
			file, err := config.Read(view, name)
			if err != nil {
				return nil, settings, configError(err)
			}
			settings = file.Settings
			if file.Rows != nil {
				sources = append(sources[:len(sources):len(sources)], *file.Rows)
			}
		}
	}
	cat, err := catalog.Load(sources...)
	if err != nil && len(sources) > len(opts.Catalog) {
		return nil, settings, configError(err)
	}
	return cat, settings, err
}

// policy gives the rules what a project has decided.
func policy(s config.Settings) rules.Policy {
	p := rules.Policy{PaymentRetention: s.PaymentRetention, Retention: s.Retention, KeyLength: s.KeyLength, TrustedHeaders: s.TrustedHeaders, Identities: s.Identities}
	if s.Errors != "any" {
		p.Errors = s.Errors
	}
	return p
}

// served replaces how the program was found to be served by what the project says.
func served(res *flow.Result, s config.Settings) {
	if s.Transport == "" {
		return
	}
	use := flow.TransportUse{Kind: s.Transport}
	for _, given := range s.Given {
		if given.Name == "transport" {
			use.Span = given.Place
		}
	}
	res.Transports = []flow.TransportUse{use}
}

// configError says how to go on without the settings.
func configError(err error) error {
	return fmt.Errorf("%w\n(--isolated ignores %s)", err, config.Name)
}

// told lists the rows that do not come with the auditor.
func told(cat *catalog.Catalog) []Told {
	var out []Told
	for _, row := range cat.UserRows() {
		out = append(out, Told{row, cat.Asked(row.Row)})
	}
	return out
}

// FileOf gives the file of a place "file:line".
func FileOf(place string) string {
	file, _, _ := strings.Cut(place, ":")
	return file
}
