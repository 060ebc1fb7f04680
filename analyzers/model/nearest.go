package model

// Nearest finds the word closest to text by edit distance, or "" where none is
// close enough to be what was meant: more than a third of text would change. Of equally close words the first is taken.
func Nearest(text string, words []string) string {
	best, bestDistance := "", len(text)/3+1
	for _, w := range words {
		if w == "" {
			continue
		}
		if d := distance(text, w, bestDistance); d < bestDistance || (d == bestDistance && best == "") {
			best, bestDistance = w, d
		}
	}
	return best
}

// distance is the edit distance of a and b without case, or limit+1 where it is larger than limit.
func distance(a, b string, limit int) int {
	if len(a)-len(b) > limit || len(b)-len(a) > limit {
		return limit + 1
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if lower(a[i]) != lower(b[j]) {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return min(row[len(b)], limit+1)
}

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}
