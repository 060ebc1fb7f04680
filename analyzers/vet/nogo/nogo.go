// Package nogo gives all rules as one analyzer, under the name by which Bazel's nogo looks for it.
package nogo

import "github.com/retrysafe/retrysafe/analyzers/vet"

// Analyzer reports the findings of all rules that are neither pedantic nor experimental; the category of a diagnostic is the rule.
var Analyzer = vet.New().All()
