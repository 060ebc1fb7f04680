package reports

import (
	"github.com/retrysafe/retrysafe/analyzers/model"
	"github.com/retrysafe/retrysafe/rules"
)

// Grade is a letter from A to F, or "" where there is nothing to judge, or too little of it was followed.
type Grade string

// GradeOf gives the grade of a program or a tool from what its tools lose, and how far it was understood.
//
// A tool loses points for each finding about it that no comment ignores: 8 for a HIGH one, 3 for a MEDIUM one, 1 for a LOW one; all of
// them where the finding is certain, three quarters where it is likely, a quarter where it is merely possible, whatever is
// selected for display. Findings in code that no tool reaches count as one more tool.
//
// The program loses the mean of what its tools lose that write, or the half of what the worst one loses, whichever is more: many
// harmless tools do not make up for one that charges twice. Half a point or less is an A (at most every second tool that writes has a
// LOW finding), less than 3 a B, less than 6 a C, less than 12 a D, anything else an F.
//
// An A says that all was followed. A tool gets B at best where something that it calls was not, and so does a program where this is true of a
// tool, where a registration was not understood, a file could not be analysed, or the scan was incomplete. An A or a B that rests on too little
// is withheld: of a tool that is not known to write and was not followed to the end, and of a program of whose tools every second one is such
// a tool. What was found is there all the same, so that C to F stand.
func GradeOf(lost []float64, u Understanding) Grade {
	if len(lost) == 0 {
		return ""
	}
	sum, worst := 0.0, 0.0
	for _, l := range lost {
		sum += l
		worst = max(worst, l)
	}
	grade := letter(max(sum/float64(len(lost)), worst/2))
	switch {
	case u == Unjudged && (grade == "A" || grade == "B"):
		return ""
	case u != Understood && grade == "A":
		return "B"
	}
	return grade
}

// Understanding says how far a tool or a program was followed.
type Understanding int

// The degrees.
const (
	Understood Understanding = iota // to the end
	Partly                          // what is known is a lower bound
	Unjudged                        // too little to say anything good of it
)

func letter(points float64) Grade {
	switch {
	case points <= 0.5:
		return "A"
	case points < 3:
		return "B"
	case points < 6:
		return "C"
	case points < 12:
		return "D"
	}
	return "F"
}

// points is what a finding costs a tool.
func points(f *rules.Finding) float64 {
	if f.Suppressed != nil || f.Pedantic {
		return 0
	}
	var p float64
	switch f.Severity {
	case rules.High:
		p = 8
	case rules.Medium:
		p = 3
	case rules.Low:
		p = 1
	}
	switch f.Confidence {
	case model.Certain:
		return p
	case model.Likely:
		return p * 3 / 4
	}
	return p / 4
}

// grade fills in the grades of the report and of its tools.
func (r *Report) grade() {
	lost := map[toolKey]float64{}
	stray := 0.0 // lost by code that no tool reaches
	for _, f := range r.every {
		p := points(f.Finding)
		if len(f.Tools) == 0 {
			stray += p
		}
		for _, t := range f.Tools {
			lost[toolKey{f.Scan, t.ID}] += p
		}
	}
	understood := Understood
	if !r.Complete {
		understood = Partly
	}
	for _, s := range r.Scans {
		if c := s.Coverage; len(c.Unresolved)+len(c.Unsupported)+len(c.Degraded) > 0 {
			understood = Partly
		}
	}
	tools := r.Tools()
	var all []float64
	for _, t := range tools {
		k := toolKey{t.Scan, t.ID}
		u := t.understanding()
		understood = max(understood, min(u, Partly))
		r.grades[k] = GradeOf([]float64{lost[k]}, u)
		if t.Writes() || lost[k] > 0 {
			all = append(all, lost[k])
		}
	}
	if n := len(r.unjudged()); n > 0 && 2*n >= len(tools) {
		understood = Unjudged
	}
	if stray > 0 {
		all = append(all, stray)
	}
	if len(all) == 0 && len(tools) > 0 {
		all = []float64{0} // nothing but reads
	}
	r.Grade = GradeOf(all, understood)
}

func (t Tool) understanding() Understanding {
	switch {
	case t.Understood():
		return Understood
	case t.Writes():
		return Partly
	}
	return Unjudged
}
