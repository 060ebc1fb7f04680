package rules_test

import (
	"slices"
	"sync"
	"testing"

	"github.com/retrysafe/retrysafe/analyzers/flow"
	"github.com/retrysafe/retrysafe/analyzers/model"
	"github.com/retrysafe/retrysafe/rules"
)

// half is what the stories of a rule hold in one language.
type half struct{ rule, language string }

// kinds are the kinds of the effects that tools have.
type kinds map[model.Kind]bool

// twins gathers, over all stories, what the tools do of which a rule speaks, and what the tools do that it leaves alone.
type twins struct {
	mu            sync.Mutex
	stories, ran  int
	found, silent map[half]kinds
	aside         map[half]bool // findings that speak of code, and name no tool
}

func (w *twins) add(story half, tools []*flow.Tool, findings []*rules.Finding) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, f := range findings {
		if f.Rule.Name == story.rule && len(f.Tools) == 0 {
			w.aside[story] = true
		}
	}
	for _, tool := range tools {
		spoken := slices.ContainsFunc(findings, func(f *rules.Finding) bool {
			return f.Rule.Name == story.rule && slices.ContainsFunc(f.Tools, func(r rules.ToolRef) bool { return r.ID == tool.ID })
		})
		into := w.silent
		if spoken {
			into = w.found
		}
		if into[story] == nil {
			into[story] = kinds{}
		}
		for _, e := range tool.Effects {
			if e.Incidental == "" {
				into[story][e.Kind] = true
			}
		}
	}
}

func (w *twins) done() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.ran++
}

// check makes sure that a rule about keys and effects is seen to stay silent, in either language, about a tool that does the same kind of
// thing as one that it reports. A rule that names no tools is held by the comments of its stories alone. It asks nothing where only some of the stories ran.
func (w *twins) check(t *testing.T) {
	if w.ran < w.stories {
		return
	}
	for _, r := range rules.All() {
		if r.Family != rules.KeyFamily && r.Family != rules.EffectFamily {
			continue
		}
		for _, language := range []string{"ts", "go"} {
			h := half{r.Name, language}
			shared := false
			for kind := range w.found[h] {
				shared = shared || w.silent[h][kind]
			}
			if !shared && !(w.aside[h] && len(w.found[h]) == 0) {
				t.Errorf("no story below testdata/rules/%s has a tool in %s that the rule leaves alone beside one that it reports, with an effect of the same kind", r.Name, language)
			}
		}
	}
}
