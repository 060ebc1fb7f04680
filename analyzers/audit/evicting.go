package audit

import (
	"io/fs"
	"path"
	"strings"

	"github.com/retrysafe/retrysafe/analyzers/flow"
	"github.com/retrysafe/retrysafe/analyzers/lazyregexp"
	"github.com/retrysafe/retrysafe/analyzers/model"
)

// evictionPolicy matches the setting by which Redis drops keys that have not ended, as its own configuration, a command line, a Terraform parameter or a
// hosted service's options write it.
var evictionPolicy = lazyregexp.New(`(?i)(?:max-?memory[-_]?policy|eviction_policy)["']?[\s=:,"'\[-]*(?:\bvalue["']?\s*[=:]\s*)?["']?(allkeys[-_](?:lru|lfu|lrm|random))\b`)

// evictingStores finds, by vendor, where files set a store up so that it drops entries before their time when memory is short. The first of a vendor stands for all.
func evictingStores(view fs.FS, names []string) map[string]flow.Eviction {
	out := map[string]flow.Eviction{}
	for _, name := range names {
		text, err := fs.ReadFile(view, name)
		if err != nil {
			continue
		}
		if at, policy, ok := findEviction(name, string(text)); ok {
			out["Redis"] = flow.Eviction{Policy: policy, Span: at}
			break
		}
	}
	return out
}

// setsUpStores reports whether a file of this name may set up a store.
func setsUpStores(base string) bool {
	base = strings.ToLower(base)
	switch path.Ext(base) {
	case ".tf", ".tfvars":
		return true
	case ".conf":
		return strings.Contains(base, "redis") || strings.Contains(base, "valkey")
	case ".yml", ".yaml":
		return strings.Contains(base, "compose") || strings.Contains(base, "redis") || strings.Contains(base, "valkey") || strings.HasPrefix(base, "values") || base == "render.yaml"
	}
	return false
}

// findEviction gives the place of the setting, outside comments.
func findEviction(name, text string) (at model.Span, policy string, ok bool) {
	for _, m := range evictionPolicy.FindAllStringSubmatchIndex(text, -1) {
		start := strings.LastIndexByte(text[:m[0]], '\n') + 1
		before := text[start:m[0]]
		if trimmed := strings.TrimSpace(before); strings.HasPrefix(trimmed, "#") || strings.HasPrefix(trimmed, "//") || strings.Contains(before, " #") {
			continue
		}
		line := int32(strings.Count(text[:m[0]], "\n") + 1)
		col := int32(len(before) + 1)
		policy = strings.ToLower(strings.ReplaceAll(text[m[2]:m[3]], "_", "-"))
		return model.Span{File: name, Line: line, Col: col, EndLine: line, EndCol: col + 1, Offset: int32(m[0]), EndOffset: int32(m[0] + 1)}, policy, true
	}
	return at, "", false
}
