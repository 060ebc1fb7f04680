package reports

import (
	"testing"

	"github.com/retrysafe/retrysafe/analyzers/model"
	"github.com/retrysafe/retrysafe/rules"
)

func TestGradeOf(t *testing.T) {
	clean := make([]float64, 50)
	one := append(append([]float64(nil), clean...), 8)
	for _, test := range []struct {
		name       string
		lost       []float64
		understood Understanding
		want       Grade
	}{
		{"no tools", nil, Understood, ""},
		{"clean", clean, Understood, "A"},
		{"clean, not understood", clean, Partly, "B"},
		{"one grave finding among many tools", one, Understood, "C"},
		{"one medium finding", []float64{3, 0, 0, 0}, Understood, "B"},
		{"one mild finding", []float64{1, 0}, Understood, "A"},
		{"most tools mild", []float64{1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0}, Understood, "B"},
		{"one tool, medium", []float64{3}, Understood, "C"},
		{"one tool, grave", []float64{8}, Understood, "D"},
		{"all of them", []float64{16, 12, 20}, Understood, "F"},
		{"worse than B stays", []float64{8}, Partly, "D"},
		{"clean, not judged", clean, Unjudged, ""},
		{"mild, not judged", []float64{1}, Unjudged, ""},
		{"grave, not judged", one, Unjudged, "C"},
	} {
		if got := GradeOf(test.lost, test.understood); got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
}

func TestPoints(t *testing.T) {
	for _, test := range []struct {
		f    rules.Finding
		want float64
	}{
		{rules.Finding{Severity: rules.High, Confidence: model.Certain}, 8},
		{rules.Finding{Severity: rules.High, Confidence: model.Likely}, 6},
		{rules.Finding{Severity: rules.Medium, Confidence: model.Possible}, 0.75},
		{rules.Finding{Severity: rules.Low, Confidence: model.Certain}, 1},
		{rules.Finding{Severity: rules.Note, Confidence: model.Certain}, 0},
		{rules.Finding{Severity: rules.High, Confidence: model.Certain, Suppressed: &rules.Suppression{}}, 0},
		{rules.Finding{Severity: rules.Low, Confidence: model.Certain, Pedantic: true}, 0},
	} {
		if got := points(&test.f); got != test.want {
			t.Errorf("%+v costs %v, want %v", test.f, got, test.want)
		}
	}
}
