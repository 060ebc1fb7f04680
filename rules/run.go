package rules

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/retrysafe/retrysafe/analyzers/flow"
	"github.com/retrysafe/retrysafe/analyzers/model"
)

// Source gives the lines of the files that findings stand in.
type Source interface {
	// Line gives a line of a file, counted from 1, without its end; ok is false where there is no such line.
	Line(file string, n int) (line string, ok bool)
	// Lines gives all lines of a file, nil if it cannot be read.
	Lines(file string) []string
}

// Options say which findings are wanted. The zero Options give those that are likely or certain of all rules that are not pedantic.
type Options struct {
	// Rules are the rules to run, All where nil.
	Rules []*Rule
	// Only names the rules to report, all where empty; Skip those not to report.
	Only, Skip []string
	Pedantic   bool
	// MinSeverity and MinConfidence leave milder and less sure findings out; zero leaves out only what is
	// merely possible.
	MinSeverity   Severity
	MinConfidence model.Confidence
	// Partial says that the result is of a part of a program only: rules that need all of it stay silent, and no
	// ignore comment is called stale.
	Partial bool
	// Isolated leaves the ignore comments of the program out of account.
	Isolated bool
	// Policy holds what the project has decided.
	Policy Policy
	// Units are those of the program, for what stands in no tool; without them such rules stay silent.
	Units []*model.Unit
	// Files are searched for ignore comments besides those that have tools and findings.
	Files []string
}

// Run applies the rules to a result. The findings are sorted by place, then by rule, and include the suppressed ones.
// Selection comes last, so that leaving a rule out never uncovers a weaker one.
func Run(res *flow.Result, src Source, opts Options) []*Finding {
	findings := gather(res, &opts)
	kept, silenced := supersede(findings)
	merged := merge(kept)
	if !opts.Isolated {
		merged = ignore(res, src, &opts, merged, silenced)
	}
	sortFindings(merged)
	fingerprint(merged, src)
	return choose(merged, &opts)
}

// gather runs every rule.
func gather(res *flow.Result, opts *Options) []*Finding {
	list := opts.Rules
	if list == nil {
		list = All()
	}
	var findings []*Finding
	common := newShared()
	for _, rule := range list {
		if rule.Check == nil || rule.NeedsProgram && opts.Partial {
			continue
		}
		rule.Check(&Pass{Result: res, Rule: rule, Options: opts, shared: common, findings: &findings})
	}
	return findings
}

// merge joins the findings of one rule at one place about the same values: a helper that forty tools share has one defect. What is said of a tool stays as
// sure and as grave as it is of that tool, so tools of which it is said otherwise stand in a finding of their own.
func merge(findings []*Finding) []*Finding {
	type place struct {
		rule  string
		at    model.Span
		bound string
	}
	type weight struct {
		place
		confidence model.Confidence
		severity   Severity
	}
	type saying struct {
		place
		tool string
	}
	placeOf := func(f *Finding) place { return place{f.Rule.Name, f.Primary, f.bound} }
	strongest := map[saying]*Finding{}
	for _, f := range findings {
		for _, t := range f.Tools {
			k := saying{placeOf(f), t.ID}
			if old := strongest[k]; old == nil || stronger(f, old) {
				strongest[k] = f
			}
		}
	}
	index := map[weight]*Finding{}
	tools := map[weight]map[string]ToolRef{}
	var order []weight
	for _, f := range findings {
		k := weight{placeOf(f), f.Confidence, f.Severity}
		var said []ToolRef
		for _, t := range f.Tools {
			if best := strongest[saying{k.place, t.ID}]; best.Confidence == f.Confidence && best.Severity == f.Severity {
				said = append(said, t)
			}
		}
		if len(said) == 0 && len(f.Tools) > 0 {
			continue
		}
		if tools[k] == nil {
			tools[k] = map[string]ToolRef{}
			order = append(order, k)
		}
		for _, t := range said {
			tools[k][t.ID] = t
		}
		if old := index[k]; old == nil || f.length < old.length {
			index[k] = f
		}
	}
	out := make([]*Finding, 0, len(order))
	for _, k := range order {
		f := index[k]
		shown := f.Tool()
		f.Tools = f.Tools[:0:0]
		for _, t := range tools[k] {
			f.Tools = append(f.Tools, t)
		}
		slices.SortFunc(f.Tools, func(a, b ToolRef) int {
			return cmp.Or(boolFirst(a.Name == shown, b.Name == shown), a.Span.Compare(b.Span), cmp.Compare(a.ID, b.ID))
		})
		switch n := len(f.Tools) - 1; {
		case n == 1:
			f.Message += " (and so does one other tool)"
		case n > 1:
			f.Message += fmt.Sprintf(" (and so do %d other tools)", n)
		}
		out = append(out, f)
	}
	return out
}

// stronger reports whether of two findings about one tool f stands for its place rather than old: the surer, then the graver.
func stronger(f, old *Finding) bool {
	return cmp.Or(cmp.Compare(f.Confidence, old.Confidence), cmp.Compare(f.Severity, old.Severity)) > 0
}

func boolFirst(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return -1
	}
	return 1
}

func sortFindings(findings []*Finding) {
	slices.SortStableFunc(findings, func(a, b *Finding) int {
		return cmp.Or(a.Primary.Compare(b.Primary), cmp.Compare(a.Rule.Name, b.Rule.Name), cmp.Compare(a.bound, b.bound),
			cmp.Compare(b.Severity, a.Severity), cmp.Compare(b.Confidence, a.Confidence))
	})
}

// choose keeps what the options ask for.
func choose(findings []*Finding, opts *Options) []*Finding {
	out := findings[:0:0]
	for _, f := range findings {
		if opts.Wants(f.Rule, f.Pedantic) && f.Severity >= opts.minSeverity() && f.Confidence >= opts.minConfidence() {
			out = append(out, f)
		}
	}
	return out
}

// Wants reports whether findings of the rule are asked for, whatever their severity and confidence.
func (o *Options) Wants(rule *Rule, pedantic bool) bool {
	switch {
	case slices.Contains(o.Skip, rule.Name):
		return false
	case len(o.Only) > 0:
		return slices.Contains(o.Only, rule.Name)
	}
	return !pedantic || o.Pedantic
}

func (o *Options) minConfidence() model.Confidence {
	if o.MinConfidence == 0 {
		return model.Likely
	}
	return o.MinConfidence
}

func (o *Options) minSeverity() Severity {
	if o.MinSeverity == 0 {
		return Note
	}
	return o.MinSeverity
}
