package model

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// version is major, minor and patch; the fourth part is -1 for a pre-release, which comes just before its release.
type version [4]int

func (v version) before(w version) bool {
	for i := range v {
		if v[i] != w[i] {
			return v[i] < w[i]
		}
	}
	return false
}

// next is the first version after all those that share the first n parts.
func (v version) next(n int) version {
	if n == 0 {
		return version{math.MaxInt}
	}
	var w version
	copy(w[:n], v[:n])
	w[n-1]++
	w[3] = -1
	return w
}

// InRange reports whether the version of a package lies in a range: comparators
// (">=1.2", "<3", "=2.0.1", "^1.2", "~1.2.3", "1.x", "1.2") that must all hold, sets of them joined by "||".
// A missing part is any. A version that cannot be read ("workspace:*", "") lies in every
// range, because nothing is known about it. The error tells what in the range cannot be read.
func InRange(v, ranges string) (bool, error) {
	have, _, known := readVersion(strings.TrimLeft(v, "v=^~>< "))
	in := false
	for set := range strings.SplitSeq(ranges, "||") {
		comparators := strings.Fields(set)
		if len(comparators) == 0 {
			return false, fmt.Errorf("version range %q: an alternative is empty", ranges)
		}
		all := true
		for _, c := range comparators {
			low, high, err := interval(c)
			if err != nil {
				return false, fmt.Errorf("version range %q: %w", ranges, err)
			}
			all = all && !have.before(low) && have.before(high)
		}
		in = in || all
	}
	return in || !known, nil
}

// interval gives the versions that satisfy a comparator: from low up to, without, high.
func interval(comparator string) (low, high version, err error) {
	number := strings.TrimLeft(comparator, "<>=^~")
	operator := comparator[:len(comparator)-len(number)]
	want, given, ok := readVersion(number)
	if !ok {
		return low, high, fmt.Errorf("%q is no version", number)
	}
	first, last := version{0, 0, 0, -1}, version{math.MaxInt}
	switch operator {
	case "", "=":
		return want, want.next(given), nil
	case ">=":
		return want, last, nil
	case "<":
		return first, want, nil
	case ">":
		return want.next(given), last, nil
	case "<=":
		return first, want.next(given), nil
	case "~":
		return want, want.next(min(given, 2)), nil
	case "^":
		level := min(given, 1) // up to the first part that is not zero
		for level < given && want[level-1] == 0 {
			level++
		}
		return want, want.next(level), nil
	}
	return low, high, fmt.Errorf("%q is no comparison", operator)
}

// readVersion reads up to three numbers; given is how many stand there. Build
// metadata is dropped.
func readVersion(text string) (v version, given int, ok bool) {
	text, _, _ = strings.Cut(text, "+")
	text, _, pre := strings.Cut(text, "-")
	if text == "" {
		return v, 0, false
	}
	parts := strings.Split(strings.TrimPrefix(text, "v"), ".")
	if len(parts) > 3 {
		return v, 0, false
	}
	for i, part := range parts {
		if part == "x" || part == "X" || part == "*" {
			return v, i, true
		}
		n, err := strconv.Atoi(part)
		if err != nil || n < 0 || n > math.MaxInt32 {
			return v, 0, false
		}
		v[i] = n
		given = i + 1
	}
	if pre {
		v[3] = -1
	}
	return v, given, true
}
