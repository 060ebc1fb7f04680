package modules

import (
	"slices"
	"strings"
)

// maxTargets bounds the targets collected from one entry of exports or imports.
const maxTargets = 200

// matchExports finds the entry of an exports field for a subpath ("" for the
// package itself). Star is what a pattern's star stands for.
func matchExports(exports value, sub string) (target value, star string, ok bool) {
	if !exports.present() {
		return value{}, "", false
	}
	key := "."
	if sub != "" {
		key = "./" + sub
	}
	if !hasSubpaths(exports) {
		return exports, "", key == "."
	}
	return matchKeys(exports, key)
}

func hasSubpaths(exports value) bool {
	return len(exports.members) > 0 && strings.HasPrefix(exports.members[0].key, ".")
}

// matchKeys applies Node's rule to the keys of exports or imports: the exact
// one, else the pattern with the longest part before its star, else (as Node
// once allowed) a folder.
func matchKeys(v value, key string) (target value, star string, ok bool) {
	if exact := v.get(key); exact.present() && !strings.Contains(key, "*") {
		return exact, "", true
	}
	best := ""
	for _, m := range v.members {
		prefix, suffix, hasStar := strings.Cut(m.key, "*")
		if !hasStar {
			if !strings.HasSuffix(m.key, "/") {
				continue
			}
			prefix, suffix = m.key, ""
		}
		if !strings.HasPrefix(key, prefix) || !strings.HasSuffix(key, suffix) || len(key) < len(prefix)+len(suffix) || key == prefix {
			continue
		}
		if length := len(prefix); best == "" || length > patternBase(best) || length == patternBase(best) && len(m.key) > len(best) {
			best, target, ok = m.key, m.value, true
			star = key[len(prefix) : len(key)-len(suffix)]
		}
	}
	return target, star, ok
}

func patternBase(pattern string) int {
	if i := strings.IndexByte(pattern, '*'); i >= 0 {
		return i
	}
	return len(pattern)
}

// targets lists what an entry of exports or imports can lead to, best first.
// Which condition holds depends on who imports and how; here the question is
// where the source is, so that all are wanted, and those that name sources come
// before those that name output.
func targets(entry value, star string, custom []string) []string {
	type ranked struct {
		text string
		rank int
	}
	var all []ranked
	var visit func(v value, rank int)
	visit = func(v value, rank int) {
		if len(all) >= maxTargets {
			return
		}
		switch v.kind {
		case '"':
			text := strings.ReplaceAll(v.text, "*", star)
			if !strings.Contains(v.text, "*") && strings.HasSuffix(v.text, "/") {
				text += star
			}
			if len(text) < 4096 {
				all = append(all, ranked{text, rank})
			}
		case '[':
			for _, item := range v.items {
				visit(item, rank)
			}
		case '{':
			for _, m := range v.members {
				if m.key != "" {
					visit(m.value, max(rank, conditionRank(m.key, custom)))
				}
			}
		}
	}
	// A condition ranks what is below it, so that the whole starts at the best.
	visit(entry, 0)
	slices.SortStableFunc(all, func(a, b ranked) int { return a.rank - b.rank })
	out := make([]string, 0, len(all))
	for _, a := range all {
		if !slices.Contains(out, a.text) {
			out = append(out, a.text)
		}
	}
	return out
}

func conditionRank(condition string, custom []string) int {
	name := condition[strings.LastIndexAny(condition, "/:")+1:]
	switch {
	case slices.Contains(custom, condition):
		return 0
	case name == "source", name == "src", name == "ts", name == "typescript", name == "development", name == "dev":
		return 0
	case condition == "types", strings.HasPrefix(condition, "types@"):
		return 2
	case condition == "browser", condition == "react-native", condition == "style":
		return 3
	}
	return 1
}
