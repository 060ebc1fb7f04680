package flow

import "github.com/retrysafe/retrysafe/analyzers/query"

// harmOf orders the readings of a text that has several: one that writes comes before one that runs what is not seen, and that before one that
// reads.
func harmOf(stmts []query.Statement) int {
	harm := 0
	for i := range stmts {
		switch {
		case stmts[i].Writes():
			harm = 2
		case stmts[i].Executed.Kind != query.NoOperand:
			harm = max(harm, 1)
		}
	}
	return harm
}

// maxSpellings bounds the readings of one query.
const maxSpellings = 8

// spelling is one choice among the alternatives of a text that conditions put together.
type spelling struct {
	choice, sizes []int
	at            int
}

func (s *spelling) choose(n int) int {
	if s.at == len(s.choice) {
		s.choice = append(s.choice, 0)
		s.sizes = append(s.sizes, n)
	}
	s.at++
	return s.choice[s.at-1]
}

// next moves to another choice, false where all were made.
func (s *spelling) next() bool {
	s.at = 0
	for i := len(s.choice) - 1; i >= 0; i-- {
		if s.choice[i]++; s.choice[i] < s.sizes[i] {
			s.choice, s.sizes = s.choice[:i+1], s.sizes[:i+1]
			return true
		}
	}
	return false
}
